#pragma once
/* Reads PNG through libpng, whose errors are long jumps that Swift frames must not see. */
#include <stddef.h>
#include <stdint.h>

typedef struct png_reader png_reader;

/* A PNG file's information about its picture, in the form in which this reader returns it. */
typedef struct {
    uint32_t width;
    uint32_t height;
    int channels;             /* 1 gray, 2 gray and alpha, 3 color, 4 color and alpha */
    int bitDepth;             /* 1 (gray only, 1 is black), 8, or 16 (little-endian) */
    int hasPalette;           /* the colors come from a palette */
    int isWoven;              /* rows come in several passes */
    size_t rowBytes;          /* bytes a row takes, packed */
    uint32_t xPixelsPerMeter; /* 0 when unknown */
    uint32_t yPixelsPerMeter;
    const uint8_t *exif; /* owned by the reader; NULL when there is none */
    uint32_t exifLength;
    const char *exifText; /* the same in hexadecimal digits, as programs wrote it before there was a
                             chunk for it; NULL when there is none */
    size_t exifTextLength;
    int hasStrayAlpha; /* alpha comes before the palette, and is ignored */
    const uint8_t
        *profile; /* owned by the reader; NULL when there is none, or none that libpng takes */
    uint32_t profileLength;
    int isProfileForeign; /* there is one, but not for the picture's kind of colors */
    int isSRGB;           /* the file says that its colors are those of sRGB */
    double gamma;         /* samples are light to this power; 0 when unknown */
    int hasPlaces;
    double places[8]; /* x and y of red, green, blue and white */
} png_facts;

/* Reads everything before the pixels. `bytes` must outlive the reader. NULL on failure, with the
   reason in `message`, which has room for `messageLength` bytes. */
png_reader *png_reader_open(
    const uint8_t *bytes, size_t count, png_facts *facts, char *message, size_t messageLength);

/* Reads the pixels into `pixels`, rows `rowBytes` apart. `stop` is called with `context` before
   each row; any result but 0 ends the reading. Returns 0 when every row was read; `rows` is the
   number of rows with data, from the top. If `take` is given, each row is read to the same place
   and passed to `take`; the picture must not be interlaced. */
int png_reader_read(png_reader *reader, uint8_t *pixels, int (*stop)(const void *context),
    void (*take)(const void *context, uint32_t row), const void *context, uint32_t *rows,
    char *message, size_t messageLength);

void png_reader_close(png_reader *reader);
