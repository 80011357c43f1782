#pragma once

#include "CPDFReader.h"

#include <mupdf/fitz.h>
#include <mupdf/pdf.h>

struct cpdfr_document {
    fz_context *context;
    fz_document *file;
    int count;
    /* The first error since the page was loaded. */
    char first_error[256];
    int truncated;
};

struct cpdfr_picture {
    fz_image *image;
    fz_matrix place;
    int is_plain;
    /* The decoded picture; NULL before decoding. */
    fz_pixmap *pixels;
    /* The picture to draw instead; NULL for the original. */
    fz_image *recolored;
};

struct cpdfr_page {
    cpdfr_document *document;
    int index;
    /* The profile of the picture for which it was requested last. */
    fz_buffer *profile;
    double width, height;
    fz_display_list *list;
    /* The count of errors. */
    fz_cookie cookie;
    cpdfr_picture *pictures;
    int count, room;
    /* The drawing device's own. */
    void (*fill_image)(fz_context *, fz_device *, fz_image *, fz_matrix, float, fz_color_params);
    cpdfr_marks marks;
    /* The area of the box around all marks, in square points. */
    double marked;
};

/* Draws a page's display list; recolored pictures are drawn in place of their originals. Throws. */
void cpdfr_run(cpdfr_page *page, fz_device *device, fz_matrix scale, fz_rect box);

/* Fills in the page's marks and pictures; throws. */
void cpdfr_survey(cpdfr_page *page);

/* Sets the status and message (256 bytes, or NULL) of a caught error. */
cpdfr_status cpdfr_caught(fz_context *context, char *message);
