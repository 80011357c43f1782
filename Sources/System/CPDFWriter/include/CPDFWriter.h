#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * Combines scanned pages into a PDF, with libqpdf. No C++ exception leaves these functions: they
 * return 0, or a negative number, and then cpdf_error() returns a sentence.
 */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cpdf_document cpdf_document;

/* A PDF file from which documents may take unchanged pages. */
typedef struct cpdf_source cpdf_source;

/* A range of bytes in the spool file. */
typedef struct {
    int64_t offset;
    int64_t count;
} cpdf_range;

/* The coding of an image: JPEG, CCITT Group 4, or deflated rows that each begin with their PNG
 * filter. */
typedef enum { CPDF_JPEG = 0, CPDF_G4 = 1, CPDF_FLATE = 2 } cpdf_image_kind;

typedef struct {
    cpdf_image_kind kind;
    int64_t columns;
    int64_t rows;
    int components; /* 1 or 3; of Group 4 always 1 */
    int bits;       /* of a component: 1, 8 or 16 */
    int is_stencil; /* Group 4 only: black is where the current color is painted, white nowhere */
    cpdf_range data;
    int profile; /* the number of its color profile, from 1; 0 for the device's colors */
} cpdf_image;

typedef struct {
    double width;  /* in points */
    double height; /* in points */
    const cpdf_image *images;
    size_t image_count;
    cpdf_range content;
} cpdf_page;

/* A font in which every code shows the same glyph. */
typedef struct {
    const uint8_t *file; /* TrueType */
    size_t file_count;
    const uint8_t *to_unicode; /* CMap */
    size_t to_unicode_count;
    int codes; /* 0 to codes - 1 are used */
    uint16_t glyph;
    int advance; /* of every glyph, in thousandths of an em */
    int ascent;
    int descent;
} cpdf_font;

/* Strings are UTF-8; any may be NULL or empty, and is then left out. */
typedef struct {
    const char *title;
    /* 1 when the title replaces that of a file whose pages are kept. */
    int is_title_given;
    const char *date;
    const char *producer;
    const char *language;
    const uint8_t *xmp;
    size_t xmp_count;
    const uint8_t
        *profile; /* ICC profile of the colors, of 3 components; makes an output intent of PDF/A */
    size_t profile_count;
    const char *profile_name; /* what the profile describes, in ASCII */
} cpdf_info;

/* The protection of a document: AES with 256 bits (ISO 32000-2, 7.6.4, revision 6). Passwords
 * are UTF-8, of at most 127 bytes. */
typedef struct {
    const char *open;  /* opens the document; empty if everybody may open it */
    const char *owner; /* lifts what is forbidden */
    int may_change;    /* whether people without the owner's password may change it */
} cpdf_protection;

/* Takes bytes of the finished file. Returns 0 to continue. */
typedef int (*cpdf_receiver)(void *context, const void *bytes, size_t count);

/* Begins a document whose images and contents are in the file `spool`. NULL without memory. */
cpdf_document *cpdf_create(int spool);
void cpdf_destroy(cpdf_document *document);

/* A sentence about the last failure; valid until the next call. */
const char *cpdf_error(const cpdf_document *document);

/* Adds a page. Its content names the images /Im1, /Im2 and so on, and the fonts /F1, /F2 and so on.
 */
int cpdf_add_page(cpdf_document *document, const cpdf_page *page);

/* Opens a PDF file. NULL when it can't be read or is encrypted; `message` (512 bytes) gets the
 * reason. Keep it open until every document that took pages from it is destroyed. */
cpdf_source *cpdf_open_source(const char *path, char *message);
void cpdf_close_source(cpdf_source *source);

int cpdf_source_page_count(const cpdf_source *source);

/* 1 when the file is signed; any change would break the signature. */
int cpdf_source_is_signed(const cpdf_source *source);

/* The sides of page `page`, counted from 0, as it is shown, in its own units. */
int cpdf_source_page_size(cpdf_source *source, int page, double *width, double *height);

/* 1 when page `page`, counted from 0, has annotations, such as a link, a form field or a
 * comment. */
int cpdf_source_page_has_notes(cpdf_source *source, int page);

/*
 * Adds a page of a file as it is, with everything that belongs to it: links, fields, bookmarks and
 * attachments. The first file that pages are taken from gives the document its metadata. The page
 * is turned by `quarters` of a circle, clockwise. `layer`, which may be NULL, is a content stream
 * that is shown over it; its origin is the bottom left corner of the page as it is then shown, and
 * it may name the fonts.
 */
int cpdf_add_source_page(cpdf_document *document, cpdf_source *source, int page, int quarters,
    const cpdf_range *layer);

/* Adds a page of a file with another appearance and size. References to the page stay valid. */
int cpdf_replace_source_page(
    cpdf_document *document, cpdf_source *source, int page, const cpdf_page *appearance);

/* Adds an ICC profile for this many components. The first one is number 1, the next 2 and so on. */
int cpdf_add_profile(cpdf_document *document, const uint8_t *bytes, size_t count, int components);

/* Adds the font that is called /F1, then /F2 and so on. */
int cpdf_add_font(cpdf_document *document, const cpdf_font *font);

/*
 * Writes the document; `protection` may be NULL. A document without pages of files is linearized
 * and has the metadata `info`; otherwise the metadata is from the pages' file. The same input gives
 * the same bytes, except for a protected document, whose key is random.
 */
int cpdf_write(cpdf_document *document, const cpdf_info *info, const cpdf_protection *protection,
    cpdf_receiver receiver, void *context);

/* The number of files whose bookmarks, forms or attachments were left out because they are damaged.
 * Known once the document is written. */
int cpdf_damaged_count(const cpdf_document *document);

/* The number of bookmarks and links that were left out because they lead to pages that are not
 * in the document. Known once the document is written. */
void cpdf_pruned_counts(const cpdf_document *document, int *bookmarks, int *links);

/* A picture of a PDF: a JPEG file, or else rows of samples of 8 bits. */
typedef struct {
    int64_t width;
    int64_t height;
    int components; /* 1 or 3 */
    int is_jpeg;
    const uint8_t *bytes;
    size_t count;
} cpdf_picture;

/* The picture's replacement: a JPEG file with as many components, from malloc; NULL to keep the
   picture. */
typedef struct {
    uint8_t *bytes;
    size_t count;
    int64_t width;
    int64_t height;
} cpdf_smaller;

typedef void (*cpdf_shrinker)(void *context, const cpdf_picture *picture, cpdf_smaller *smaller);

/*
 * Writes a copy of the PDF file `path` to `goal`, with pictures that `shrinker` makes smaller.
 * `shrinker` is called for each picture that is gray or has three colors; text, masks and
 * pictures in black and white stay. A picture that would not get shorter stays too. The same
 * input gives the same bytes. -1 when the file can't be read, is encrypted or can't be written;
 * `message` (512 bytes) gets the reason.
 */
int cpdf_shrink(
    const char *path, const char *goal, cpdf_shrinker shrinker, void *context, char *message);

#ifdef __cplusplus
}
#endif
