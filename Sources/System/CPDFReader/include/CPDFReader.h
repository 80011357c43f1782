#pragma once

#include <stddef.h>

/*
 * Pages of PDF files by MuPDF (libmupdf-dev), which reports errors by longjmp; none of them
 * leaves these functions. A document and its pages may only be used by one thread.
 *
 * Lengths are points of 1/72 inch, from the top left corner of the page as it is shown: CropBox,
 * Rotate and UserUnit are taken into account.
 */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cpdfr_document cpdfr_document;
typedef struct cpdfr_page cpdfr_page;
typedef struct cpdfr_picture cpdfr_picture;
typedef struct cpdfr_words cpdfr_words;

typedef enum {
    CPDFR_OK,
    /* The file needs a password, and none or a wrong one was given. */
    CPDFR_LOCKED,
    CPDFR_DAMAGED,
    CPDFR_NO_MEMORY,
} cpdfr_status;

/* A map with the numbers a b c d e f: x' = a x + c y + e, y' = b x + d y + f. */
typedef struct {
    double a, b, c, d, e, f;
} cpdfr_matrix;

typedef struct {
    double x0, y0, x1, y1;
} cpdfr_box;

/* Opens a file by its path; the result is NULL if `status` is not CPDFR_OK, and `message` (256
 * bytes) then gets the reason. */
cpdfr_document *cpdfr_open(
    char const *path, char const *password, cpdfr_status *status, char *message);
void cpdfr_close(cpdfr_document *document);
int cpdfr_page_count(cpdfr_document const *document);

/* 1 when the file is encrypted, even if only against changes. */
int cpdfr_is_encrypted(cpdfr_document const *document);

/* Reads page `index`, counted from 0; freed with cpdfr_free_page() before its document is closed.
 */
cpdfr_page *cpdfr_load_page(
    cpdfr_document *document, int index, cpdfr_status *status, char *message);
void cpdfr_free_page(cpdfr_page *page);

/* The page's sides. */
void cpdfr_page_size(cpdfr_page const *page, double *width, double *height);

/* The number of errors in reading and drawing the page so far; `message` (256 bytes) is the
 * first of them. */
int cpdfr_page_errors(cpdfr_page const *page, char *message);

/* The marks that the page draws besides pictures. */
typedef enum {
    /* No mark is visible on white paper without being covered by the only picture. */
    CPDFR_NOTHING_ELSE,
    /* There is text, or there are lines, areas or shadings. */
    CPDFR_MARKS,
} cpdfr_marks;
cpdfr_marks cpdfr_page_marks(cpdfr_page const *page);

/* The area of the box around those marks in square points; 0 if there are none or only lines
 * without width. */
double cpdfr_page_marked(cpdfr_page const *page);

/* The pictures that the page draws, in order; at most 4,096 are counted. */
int cpdfr_picture_count(cpdfr_page const *page);
cpdfr_picture *cpdfr_page_picture(cpdfr_page const *page, int index);

/* A picture's own pixels. */
void cpdfr_picture_size(cpdfr_picture const *picture, int *width, int *height);

/* The place where a picture is drawn: a map from the unit square, whose (0, 0) is the picture's
   top left corner. */
cpdfr_matrix cpdfr_picture_place(cpdfr_picture const *picture);

/* 1 if the whole picture is drawn unchanged, without mask, transparency, blending and clip;
   otherwise 0. */
int cpdfr_picture_is_plain(cpdfr_picture const *picture);

/*
 * The picture's JPEG data if the page shows it as it decodes, without mapping colors; NULL for
 * another coding. It lives as long as the page.
 */
unsigned char const *cpdfr_picture_jpeg(
    cpdfr_page *page, cpdfr_picture const *picture, size_t *length);

/* The ICC profile of a picture's colors, and its number of components; NULL for none. It is
 * valid until the next one is requested. */
unsigned char const *cpdfr_picture_profile(
    cpdfr_page *page, cpdfr_picture const *picture, size_t *length, int *components);

/* Reports whether a picture's colors are CIE L*a*b*, with the least and the greatest value of
 * each of its three components. */
int cpdfr_picture_lab(cpdfr_page *page, cpdfr_picture const *picture, float ranges[6]);

/* Samples of a picture: 1 (gray), 3 (RGB, or L*a*b* as stored) or 4, if inks are requested and
 * the picture has four; 0 when it can't be decoded, which is counted among the page's errors. */
int cpdfr_picture_decode(cpdfr_page *page, cpdfr_picture *picture, int wants_inks);

/* The decoded rows, `stride` bytes apart, until the page is freed or cpdfr_picture_forget() is
 * called. */
unsigned char const *cpdfr_picture_samples(cpdfr_picture const *picture, size_t *stride);
void cpdfr_picture_forget(cpdfr_page *page, cpdfr_picture *picture);

/*
 * Draws these pixels instead of a picture from now on, wherever the page has it: `rows` has as
 * many rows as the picture, without padding, with 1 (gray) or 3 (sRGB) components. The picture's
 * mask stays. A picture with a color key is not replaced.
 */
cpdfr_status cpdfr_picture_recolor(
    cpdfr_page *page, cpdfr_picture *picture, unsigned char const *rows, int components);

/* 1 if a picture was recolored, here or at another place of the page; otherwise 0. */
int cpdfr_picture_is_recolored(cpdfr_page const *page, cpdfr_picture const *picture);

/*
 * Draws the page on white into `rgb`, width * height * 3 bytes, `scale_x` and `scale_y` pixels for
 * each point. Errors are counted, and what can be drawn is drawn; after CPDFR_NO_MEMORY and
 * CPDFR_DAMAGED nothing was drawn.
 */
cpdfr_status cpdfr_draw(
    cpdfr_page *page, int width, int height, double scale_x, double scale_y, unsigned char *rgb);

/* The end that follows a word. */
typedef enum { CPDFR_WORD, CPDFR_LINE, CPDFR_BLOCK } cpdfr_end;

/* The page's own words in the order of the file, invisible ones too; NULL when they are not
 * available. Freed with cpdfr_free_words(). */
cpdfr_words *cpdfr_page_words(cpdfr_page *page);
void cpdfr_free_words(cpdfr_words *words);
int cpdfr_word_count(cpdfr_words const *words);

/* A word in UTF-8, ended by a zero; its box; and whether a line or block ends with it. */
char const *cpdfr_word(cpdfr_words const *words, int index, cpdfr_box *box, cpdfr_end *end);

#ifdef __cplusplus
}
#endif
