#pragma once
#include <stdint.h>
#include <stdio.h>

/* A PNG of samples of 8 bits, made so that writing and reading it take as little time as they can
   while what repeats stays small: it is read by whoever waits for it, and then thrown away. */
typedef struct quick_png quick_png;

/* Begins a PNG of `channels` samples a pixel, 1 or 3; `dotsAcross` and `dotsDown` are a meter's, 0
   for none. NULL when there is no memory. The file stays the caller's. */
quick_png *quick_png_begin(FILE *file, uint32_t width, uint32_t height, int channels,
    uint32_t dotsAcross, uint32_t dotsDown);

/* Writes the next row; -1 when the file takes no more. */
int quick_png_row(quick_png *png, const uint8_t *row);

/* Writes what is left after the last row; -1 when the file takes no more. */
int quick_png_end(quick_png *png);

/* Frees it; NULL is nothing. */
void quick_png_free(quick_png *png);
