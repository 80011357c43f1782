#pragma once
/* Writes a picture row by row as JPEG or PNG, through libjpeg and libpng, whose errors are long
 * jumps that Swift frames must not see. */
#include <stddef.h>
#include <stdint.h>

typedef struct picture_writer picture_writer;

/* The PNGs are quick to make, except the last, which uses libpng's default compression. The third
   always has three channels of 8 bits, for readers that accept nothing else. */
typedef enum { picture_jpeg, picture_png, picture_png_rgb, picture_png_small } picture_kind;

/* The layout of samples, as in the capture protocol. */
typedef enum {
    picture_bilevel, /* one bit a pixel, 1 is black */
    picture_gray8,
    picture_gray16, /* little-endian */
    picture_rgb8,
    picture_rgb16 /* little-endian */
} picture_format;

/* Begins a file at `descriptor`, which the caller must close. JPEG has 8 bits a sample and no
   bilevel pictures, so others are converted. `xDPI` and `yDPI` are 0 when unknown; `quality` is
   1 to 100, for JPEG. NULL on failure, with the reason in `message`. */
picture_writer *picture_writer_open(picture_kind kind, int descriptor, uint32_t width,
    uint32_t height, picture_format format, double xDPI, double yDPI, int quality, char *message,
    size_t messageLength);

/* Takes `count` bytes. Returns how many it took, which is fewer only on failure. */
typedef size_t (*picture_sink)(void *context, const void *bytes, size_t count);

/* Begins a file that is written by `sink`, otherwise like picture_writer_open. */
picture_writer *picture_writer_open_sink(picture_kind kind, picture_sink sink, void *context,
    uint32_t width, uint32_t height, picture_format format, double xDPI, double yDPI, int quality,
    char *message, size_t messageLength);

/* Writes `count` rows, `stride` bytes apart. Returns 0 on success; otherwise the reason is in
 * the message given to `picture_writer_open`. */
int picture_writer_rows(picture_writer *writer, const uint8_t *rows, size_t stride, uint32_t count);

/* Ends the file after all rows were written, and frees the writer. Returns 0 on success. */
int picture_writer_finish(picture_writer *writer);

/* Frees the writer of a file that is no longer wanted. */
void picture_writer_abandon(picture_writer *writer);
