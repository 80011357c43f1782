#pragma once
#include <stdint.h>
#include <stdio.h>

/* A PNG of 8-bit samples that is as fast as possible to write and read, with repetition compressed.
   It is for pictures that someone waits for and that are not kept. */
typedef struct quick_png quick_png;

/* Begins a PNG of `channels` samples a pixel, 1 or 3; `dotsAcross` and `dotsDown` are per meter,
   0 for unknown. NULL when there is no memory. The caller must close the file. */
quick_png *quick_png_begin(FILE *file, uint32_t width, uint32_t height, int channels,
    uint32_t dotsAcross, uint32_t dotsDown);

/* Writes the next row; -1 when the file accepts no more. */
int quick_png_row(quick_png *png, const uint8_t *row);

/* Writes what is left after the last row; -1 when the file accepts no more. */
int quick_png_end(quick_png *png);

/* Frees the writer; NULL is allowed. */
void quick_png_free(quick_png *png);
