#pragma once

#include <stddef.h>

/*
 * Pages of PDF files by MuPDF (libmupdf-dev), which reports errors by longjmp: none passes these functions. A document and its pages are for
 * one thread.
 *
 * Lengths are points of 1/72 inch, from the top left corner of the page as it is shown: CropBox, Rotate and UserUnit are heeded.
 */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cpdf_document cpdf_document;
typedef struct cpdf_page cpdf_page;
typedef struct cpdf_picture cpdf_picture;
typedef struct cpdf_words cpdf_words;

typedef enum {
    CPDF_OK,
    /* It needs a password and none was given, or the one given opens nothing. */
    CPDF_LOCKED,
    CPDF_DAMAGED,
    CPDF_NO_MEMORY,
} cpdf_status;

/* a b c d e f: x' = a x + c y + e, y' = b x + d y + f. */
typedef struct {
    double a, b, c, d, e, f;
} cpdf_matrix;

typedef struct {
    double x0, y0, x1, y1;
} cpdf_box;

/* Opens a file by its path; the answer is NULL where `status` is not CPDF_OK, and `message` (256 bytes) then says why. */
cpdf_document *cpdf_open(char const *path, char const *password, cpdf_status *status, char *message);
void cpdf_close(cpdf_document *document);
int cpdf_page_count(cpdf_document const *document);

/* Reads page `index`, counted from 0; freed with cpdf_free_page() before its document is closed. */
cpdf_page *cpdf_load_page(cpdf_document *document, int index, cpdf_status *status, char *message);
void cpdf_free_page(cpdf_page *page);

/* The page's sides. */
void cpdf_page_size(cpdf_page const *page, double *width, double *height);

/* How often reading and drawing the page met an error so far; `message` (256 bytes) is the first of them. */
int cpdf_page_errors(cpdf_page const *page, char *message);

/* What the page draws besides pictures. */
typedef enum {
    /* Nothing that can be seen on white paper, or nothing that the only picture does not cover. */
    CPDF_NOTHING_ELSE,
    /* Text, lines, areas or shadings. */
    CPDF_MARKS,
} cpdf_marks;
cpdf_marks cpdf_page_marks(cpdf_page const *page);

/* The pictures that the page draws, in order; at most 4,096 are counted. */
int cpdf_picture_count(cpdf_page const *page);
cpdf_picture *cpdf_page_picture(cpdf_page const *page, int index);

/* A picture's own pixels. */
void cpdf_picture_size(cpdf_picture const *picture, int *width, int *height);

/* Where it is drawn: from the unit square, whose (0, 0) is the picture's top left corner. */
cpdf_matrix cpdf_picture_place(cpdf_picture const *picture);

/* 1 where all of it is drawn as it is: without mask, transparency, blending and clip, 0 else. */
int cpdf_picture_is_plain(cpdf_picture const *picture);

/*
 * The JPEG that the picture is, where the page shows it as that decodes, without mappings of color; NULL for another coding. It lives as
 * long as the page.
 */
unsigned char const *cpdf_picture_jpeg(cpdf_page *page, cpdf_picture const *picture, size_t *length);

/*
 * The ICC profile of a picture's colors, and how many components it says they have; NULL for none, and where pictures of the same size
 * have different ones. It lives until the next is asked for.
 */
unsigned char const *cpdf_picture_profile(
    cpdf_page *page, cpdf_picture const *picture, size_t *length, int *components);

/* Samples of a picture: 1 (gray), 3 (RGB) or, where inks are wanted and it has four, 4; 0 when it can't be decoded, which is counted among the page's errors. */
int cpdf_picture_decode(cpdf_page *page, cpdf_picture *picture, int wants_inks);

/* The decoded rows, `stride` bytes apart, until the page is freed or cpdf_picture_forget() is called. */
unsigned char const *cpdf_picture_samples(cpdf_picture const *picture, size_t *stride);
void cpdf_picture_forget(cpdf_page *page, cpdf_picture *picture);

/*
 * Draws the page on white into `rgb`, width * height * 3 bytes, `scale_x` and `scale_y` pixels for each point. Errors are counted, and what
 * can be drawn is drawn; CPDF_NO_MEMORY and CPDF_DAMAGED say that nothing was.
 */
cpdf_status cpdf_draw(cpdf_page *page, int width, int height, double scale_x, double scale_y, unsigned char *rgb);

/* What a word is followed by. */
typedef enum { CPDF_WORD, CPDF_LINE, CPDF_BLOCK } cpdf_end;

/* The page's own words in the order of the file, invisible ones too; NULL when they can't be had. Freed with cpdf_free_words(). */
cpdf_words *cpdf_page_words(cpdf_page *page);
void cpdf_free_words(cpdf_words *words);
int cpdf_word_count(cpdf_words const *words);

/* A word in UTF-8, ended by a zero; its box; and whether a line or block ends with it. */
char const *cpdf_word(cpdf_words const *words, int index, cpdf_box *box, cpdf_end *end);

#ifdef __cplusplus
}
#endif
