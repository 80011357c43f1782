#pragma once
#include <string.h>
#include <zlib.h>

/* The maximum number of bytes that czlib_gzip may need for an input of this length. */
static inline size_t czlib_gzip_bound(size_t count) { return compressBound(count) + 32; }

/* deflate(3) in the form of a gzip file (RFC 1952), as small as possible. Returns the number of
   bytes written to `output`, or 0 when there is no memory or `room` is too small. `count` is
   below 4 GB.
 */
static inline size_t czlib_gzip(const void *bytes, size_t count, void *output, size_t room)
{
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        return 0;
    stream.next_in = (Bytef *)bytes;
    stream.avail_in = (uInt)count;
    stream.next_out = (Bytef *)output;
    stream.avail_out = (uInt)room;
    int status = deflate(&stream, Z_FINISH);
    size_t written = status == Z_STREAM_END ? stream.total_out : 0;
    deflateEnd(&stream);
    return written;
}
