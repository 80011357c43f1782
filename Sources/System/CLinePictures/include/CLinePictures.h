/* Changes how Tesseract keeps the pictures of lines while it reads them. */
#ifndef CLINEPICTURES_H
#define CLINEPICTURES_H

#include <leptonica/allheaders.h>

/* Replaces leptonica's function of that name in a program that is linked with it, for every caller.
 *
 * Tesseract (5.3, ImageData::SetPixInternal) writes the picture of every line it reads to memory as
 * PNG, and immediately reads it back: compression takes a tenth of all its time. Here such a
 * picture is written without compression (leptonica's SPIX), which pixReadMem recognizes by its
 * first bytes. Other formats are left to leptonica. */
l_ok pixWriteMem(l_uint8 **data, size_t *size, PIX *picture, l_int32 format);

#endif
