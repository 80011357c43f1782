#pragma once

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

/* TIFFSetField is variadic; these are one function for each type of value. */
static inline int copystand_tiff_set_number(TIFF *tiff, uint32_t tag, uint32_t value)
{ return TIFFSetField(tiff, tag, value); }

static inline int copystand_tiff_set_real(TIFF *tiff, uint32_t tag, double value)
{ return TIFFSetField(tiff, tag, value); }

static inline int copystand_tiff_set_text(TIFF *tiff, uint32_t tag, const char *value)
{ return TIFFSetField(tiff, tag, value); }

static inline int copystand_tiff_set_pair(TIFF *tiff, uint32_t tag, uint16_t first, uint16_t second)
{ return TIFFSetField(tiff, tag, first, second); }

/* Values of tags; 0 or NULL if the tag is missing. */
static inline uint16_t copystand_tiff_get_short(TIFF *tiff, uint32_t tag)
{
    uint16_t value = 0;
    TIFFGetFieldDefaulted(tiff, tag, &value);
    return value;
}

static inline float copystand_tiff_get_real(TIFF *tiff, uint32_t tag)
{
    float value = 0;
    TIFFGetField(tiff, tag, &value);
    return value;
}

static inline const char *copystand_tiff_get_text(TIFF *tiff, uint32_t tag)
{
    const char *value = NULL;
    TIFFGetField(tiff, tag, &value);
    return value;
}

/* The last error of one file. */
typedef struct {
    char text[256];
} copystand_tiff_message;

static inline int copystand_tiff_note(
    TIFF *tiff, void *message, const char *module, const char *format, va_list values)
{
    (void)tiff;
    (void)module;
    vsnprintf(
        ((copystand_tiff_message *)message)->text, sizeof(copystand_tiff_message), format, values);
    return 1;
}

static inline int copystand_tiff_ignore(
    TIFF *tiff, void *message, const char *module, const char *format, va_list values)
{
    (void)tiff;
    (void)message;
    (void)module;
    (void)format;
    (void)values;
    return 1;
}

/* Opens a new TIFF that is written through our functions. Errors go to `message`, which must
 * outlive it. */
static inline TIFF *copystand_tiff_create(const char *name, void *context, TIFFReadWriteProc read,
    TIFFReadWriteProc write, TIFFSeekProc seek, TIFFCloseProc close, TIFFSizeProc size,
    copystand_tiff_message *message)
{
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (options == NULL) return NULL;
    TIFFOpenOptionsSetErrorHandlerExtR(options, copystand_tiff_note, message);
    TIFFOpenOptionsSetWarningHandlerExtR(options, copystand_tiff_ignore, message);
    TIFF *tiff =
        TIFFClientOpenExt(name, "wm", context, read, write, seek, close, size, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}
