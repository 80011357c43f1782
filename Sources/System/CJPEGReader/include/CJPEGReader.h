#pragma once
/* Reads JPEG through libjpeg, whose errors are long jumps that Swift frames must not see. Unlike
   TurboJPEG's interface, it reads what browsers read: unusual sampling, stray bytes between
   segments, and truncated pictures. */
#include <stddef.h>
#include <stdint.h>

typedef struct jpeg_reader jpeg_reader;

/* A JPEG file's information about its picture. */
typedef struct {
    uint32_t width;
    uint32_t height;
    int samples;               /* per pixel as read: 1 gray, 3 red, green and blue, 4 inks */
    int isYCbCr;               /* colors are stored as brightness and two differences */
    int isProgressive;         /* the whole picture's coefficients are held in memory */
    int isUsualSampling;       /* of a kind that every reader has */
    uint64_t coefficientBytes; /* that a progressive picture takes besides its pixels */
} jpeg_facts;

/* Reads everything before the pixels. `bytes` must outlive the reader. NULL on failure, with the
   reason in `message`, which has room for `messageLength` bytes. */
jpeg_reader *jpeg_reader_open(
    const uint8_t *bytes, size_t count, jpeg_facts *facts, char *message, size_t messageLength);

/* Starts reading the pixels: 0, or -1 on failure. `stop` is called with `context` at times; any
   result but 0 ends the reading. */
int jpeg_reader_begin(jpeg_reader *reader, int (*stop)(const void *context), const void *context,
    char *message, size_t messageLength);

/* Reads the next row: 0, or -1 on failure. */
int jpeg_reader_row(jpeg_reader *reader, uint8_t *row, char *message, size_t messageLength);

/* The fault in the data so far; NULL for none. */
const char *jpeg_reader_damage(const jpeg_reader *reader);

/* True for any fault, including stray bytes. */
int jpeg_reader_is_odd(const jpeg_reader *reader);

/* The first row without data, from which on pixels are invented; the height if all rows have
 * data. */
uint32_t jpeg_reader_missing_from(const jpeg_reader *reader);

void jpeg_reader_close(jpeg_reader *reader);
