#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * Reads and writes barcodes with ZXing (libzxing-dev), whose interface is C++. No C++ exception
 * leaves these functions: if one was thrown, they return NULL or a negative number, and
 * czxing_error() returns a sentence.
 */

#ifdef __cplusplus
extern "C" {
#endif

/* The method that makes a picture black and white before it is searched. */
typedef enum { CZXING_LOCAL = 0, CZXING_GLOBAL = 1 } czxing_threshold;

typedef struct {
    char const *format; /* as ZXing names it without a hyphen, such as Code128 */
    char const *text;   /* UTF-8, not ended by 0; bytes that are not text are in hexadecimal */
    size_t text_count;
    double
        corners[8]; /* x and y: top left, top right, bottom right, bottom left of the code itself */
    int lines; /* of a linear code, how many rows of pixels show the same bars; 0 for a matrix code
                */
    int is_linear;
    int is_quiet; /* 0 for a linear code whose ends are not followed by light paper: it may be a
                     part of a longer one */
} czxing_code;

typedef struct czxing_results czxing_results;

/* The way in which a search ended. */
typedef enum {
    CZXING_COMPLETE = 0, /* the whole picture was searched */
    CZXING_LATE = 1,     /* the time was up */
    CZXING_CRASHED = 2   /* ZXing failed on this picture; czxing_ending_number() is the signal, or 0
                            for an exception */
} czxing_ending;

/*
 * Searches a gray picture. `formats` are names between commas, "" for every one. A linear code
 * needs `lines` agreeing scan lines.
 *
 * The search runs in a forked process that ends after `milliseconds` at the latest: ZXing 1.4 has
 * assertions that some pictures make fail, and its searches can't be stopped. Codes that were found
 * before are always returned. The result is freed with czxing_free() together with its codes. NULL
 * when there is no memory or no process.
 */
czxing_results *czxing_read(uint8_t const *pixels, int width, int height, int stride,
    char const *formats, czxing_threshold threshold, int lines, int milliseconds);

czxing_ending czxing_how_ended(czxing_results const *results);
int czxing_ending_number(czxing_results const *results);
int czxing_count(czxing_results const *results);
czxing_code czxing_at(czxing_results const *results, int index);
void czxing_free(czxing_results *results);

typedef struct czxing_drawn czxing_drawn;

/*
 * Makes a barcode of `text` (UTF-8) in the kind that `format` names: width × height fields from the
 * top left, 1 for dark, without a margin. NULL when the kind can't hold the text. Freed with
 * czxing_free_drawn().
 */
czxing_drawn *czxing_write(char const *format, char const *text);
int czxing_drawn_width(czxing_drawn const *drawn);
int czxing_drawn_height(czxing_drawn const *drawn);
uint8_t const *czxing_drawn_fields(czxing_drawn const *drawn);
void czxing_free_drawn(czxing_drawn *drawn);

/* ZXing's version, such as 1.4.0. */
char const *czxing_version(void);

/* The reason why the last call on this thread failed; valid until the next call. */
char const *czxing_error(void);

#ifdef __cplusplus
}
#endif
