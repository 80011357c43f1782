#define _GNU_SOURCE
#include "CPictureWriter.h"
#include "QuickPNG.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jpeglib.h>
#include <png.h>
#include <zlib.h>

struct picture_writer {
    picture_kind kind;
    picture_format format;
    uint32_t width;
    FILE *file;
    picture_sink sink;
    void *context;
    jmp_buf jump;
    char *message;
    size_t messageLength;
    uint8_t *row;  /* a row where samples must be made 8 bits; NULL where not */
    uint8_t *wide; /* a row of three channels made of one; NULL where not */
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr jpegErrors;
    png_structp png;
    png_infop info;
    quick_png *quick; /* a PNG that is written for speed; NULL for others */
};

static void say(picture_writer *writer, const char *words)
{ snprintf(writer->message, writer->messageLength, "%s", words); }

static void jpegFailed(j_common_ptr jpeg)
{
    picture_writer *writer = jpeg->client_data;
    char words[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, words);
    say(writer, words);
    longjmp(writer->jump, 1);
}

static void jpegSaid(j_common_ptr jpeg, int level) { (void)jpeg, (void)level; }

static void pngFailed(png_structp png, png_const_charp words)
{
    picture_writer *writer = png_get_error_ptr(png);
    say(writer, words);
    longjmp(writer->jump, 1);
}

static void pngSaid(png_structp png, png_const_charp words) { (void)png, (void)words; }

static int channels(picture_format format)
{ return format == picture_rgb8 || format == picture_rgb16 ? 3 : 1; }

static void openJPEG(picture_writer *writer, uint32_t height, double xDPI, double yDPI, int quality)
{
    writer->jpeg.err = jpeg_std_error(&writer->jpegErrors);
    writer->jpegErrors.error_exit = jpegFailed;
    writer->jpegErrors.emit_message = jpegSaid;
    writer->jpeg.client_data = writer;
    jpeg_create_compress(&writer->jpeg);
    jpeg_stdio_dest(&writer->jpeg, writer->file);
    writer->jpeg.image_width = writer->width;
    writer->jpeg.image_height = height;
    writer->jpeg.input_components = channels(writer->format);
    writer->jpeg.in_color_space = writer->jpeg.input_components == 3 ? JCS_RGB : JCS_GRAYSCALE;
    jpeg_set_defaults(&writer->jpeg);
    jpeg_set_quality(&writer->jpeg, quality, TRUE);
    if (xDPI >= 1 && yDPI >= 1 && xDPI < 65536 && yDPI < 65536) {
        writer->jpeg.density_unit = 1;
        writer->jpeg.X_density = (UINT16)(xDPI + 0.5);
        writer->jpeg.Y_density = (UINT16)(yDPI + 0.5);
    }
    jpeg_start_compress(&writer->jpeg, TRUE);
}

/* Returns dots per meter; 0 for a resolution that no file can have. */
static uint32_t perMeter(double dpi) { return dpi >= 1 && dpi < 65536 ? dpi / 0.0254 + 0.5 : 0; }

static void openPNG(picture_writer *writer, uint32_t height, double xDPI, double yDPI)
{
    int isPlain = writer->kind == picture_png_rgb;
    int isWhole = writer->format == picture_gray8 || writer->format == picture_rgb8;
    if (isPlain || (isWhole && writer->kind == picture_png)) {
        writer->quick = quick_png_begin(writer->file, writer->width, height,
            isPlain ? 3 : channels(writer->format), perMeter(xDPI), perMeter(yDPI));
        if (writer->quick) return;
        say(writer, "there is no memory for a PNG writer");
        longjmp(writer->jump, 1);
    }
    writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, pngFailed, pngSaid);
    writer->info = writer->png ? png_create_info_struct(writer->png) : NULL;
    if (!writer->info) {
        say(writer, "there is no memory for a PNG writer");
        longjmp(writer->jump, 1);
    }
    png_init_io(writer->png, writer->file);
    int isBilevel = writer->format == picture_bilevel;
    int isDeep = writer->format == picture_gray16 || writer->format == picture_rgb16;
    png_set_IHDR(writer->png, writer->info, writer->width, height,
        isBilevel ? 1
        : isDeep  ? 16
                  : 8,
        channels(writer->format) == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY,
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (perMeter(xDPI) > 0 && perMeter(yDPI) > 0) {
        png_set_pHYs(
            writer->png, writer->info, perMeter(xDPI), perMeter(yDPI), PNG_RESOLUTION_METER);
    }
    if (writer->kind != picture_png_small) {
        /* The network is faster than compression, so only runs are compressed. */
        png_set_compression_level(writer->png, 1);
        png_set_compression_strategy(writer->png, Z_RLE);
        png_set_filter(
            writer->png, PNG_FILTER_TYPE_BASE, isBilevel ? PNG_FILTER_NONE : PNG_FILTER_UP);
    }
    png_write_info(writer->png, writer->info);
    if (isBilevel) png_set_invert_mono(writer->png);
    if (isDeep) png_set_swap(writer->png);
}

static ssize_t put(void *context, const char *bytes, size_t count)
{
    picture_writer *writer = context;
    return writer->sink(writer->context, bytes, count) == count ? (ssize_t)count : 0;
}

static picture_writer *refused(picture_writer *writer, char *message, size_t messageLength)
{
    snprintf(message, messageLength, "there is no memory, or no file left to open");
    free(writer);
    return NULL;
}

/* Returns the writer after its file has begun; NULL if that failed. */
static picture_writer *begun(picture_writer *writer, picture_kind kind, uint32_t width,
    uint32_t height, picture_format format, double xDPI, double yDPI, int quality, char *message,
    size_t messageLength)
{
    writer->kind = kind;
    writer->format = format;
    writer->width = width;
    writer->message = message;
    writer->messageLength = messageLength;
    if (setjmp(writer->jump)) {
        picture_writer_abandon(writer);
        return NULL;
    }
    int needsRow = (kind == picture_jpeg || kind == picture_png_rgb) && format != picture_gray8 &&
                   format != picture_rgb8;
    int needsWide = kind == picture_png_rgb && channels(format) == 1;
    if (needsRow) writer->row = malloc((size_t)width * (size_t)channels(format));
    if (needsWide) writer->wide = malloc((size_t)width * 3);
    if ((needsRow && !writer->row) || (needsWide && !writer->wide)) {
        say(writer, "there is no memory for a row");
        longjmp(writer->jump, 1);
    }
    if (kind == picture_jpeg) {
        openJPEG(writer, height, xDPI, yDPI, quality);
    } else {
        openPNG(writer, height, xDPI, yDPI);
    }
    return writer;
}

picture_writer *picture_writer_open(picture_kind kind, int descriptor, uint32_t width,
    uint32_t height, picture_format format, double xDPI, double yDPI, int quality, char *message,
    size_t messageLength)
{
    picture_writer *writer = calloc(1, sizeof *writer);
    int copy = dup(descriptor);
    if (writer && copy >= 0) writer->file = fdopen(copy, "wb");
    if (!writer || !writer->file) {
        if (copy >= 0) close(copy);
        return refused(writer, message, messageLength);
    }
    return begun(writer, kind, width, height, format, xDPI, yDPI, quality, message, messageLength);
}

picture_writer *picture_writer_open_sink(picture_kind kind, picture_sink sink, void *context,
    uint32_t width, uint32_t height, picture_format format, double xDPI, double yDPI, int quality,
    char *message, size_t messageLength)
{
    picture_writer *writer = calloc(1, sizeof *writer);
    if (writer) {
        writer->sink = sink;
        writer->context = context;
        writer->file = fopencookie(writer, "wb", (cookie_io_functions_t){.write = put});
    }
    if (!writer || !writer->file) return refused(writer, message, messageLength);
    return begun(writer, kind, width, height, format, xDPI, yDPI, quality, message, messageLength);
}

/* A row in the form for the file. */
static const uint8_t *made(picture_writer *writer, const uint8_t *row)
{
    if (writer->row) {
        size_t samples = (size_t)writer->width * (size_t)channels(writer->format);
        for (size_t i = 0; i < samples; i++) {
            writer->row[i] = writer->format == picture_bilevel
                                 ? (row[i / 8] >> (7 - i % 8) & 1 ? 0 : 255)
                                 : row[2 * i + 1];
        }
        row = writer->row;
    }
    if (!writer->wide) return row;
    for (size_t i = 0; i < writer->width; i++) memset(writer->wide + 3 * i, row[i], 3);
    return writer->wide;
}

static int noRoom(picture_writer *writer)
{
    say(writer, "the disk has no room for the picture");
    return -1;
}

int picture_writer_rows(picture_writer *writer, const uint8_t *rows, size_t stride, uint32_t count)
{
    if (setjmp(writer->jump)) return -1;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *row = made(writer, rows + (size_t)i * stride);
        if (writer->kind == picture_jpeg) {
            JSAMPROW one = (JSAMPROW)row;
            jpeg_write_scanlines(&writer->jpeg, &one, 1);
        } else if (writer->quick) {
            if (quick_png_row(writer->quick, row) != 0) return noRoom(writer);
        } else {
            png_write_row(writer->png, row);
        }
    }
    return 0;
}

int picture_writer_finish(picture_writer *writer)
{
    int result = -1;
    if (!setjmp(writer->jump)) {
        if (writer->kind == picture_jpeg) {
            jpeg_finish_compress(&writer->jpeg);
            result = 0;
        } else if (writer->quick) {
            result = quick_png_end(writer->quick);
        } else {
            png_write_end(writer->png, writer->info);
            result = 0;
        }
        if (fflush(writer->file) != 0 || result != 0) result = noRoom(writer);
    }
    picture_writer_abandon(writer);
    return result;
}

void picture_writer_abandon(picture_writer *writer)
{
    quick_png_free(writer->quick);
    if (writer->png) png_destroy_write_struct(&writer->png, &writer->info);
    if (writer->jpeg.err) jpeg_destroy_compress(&writer->jpeg);
    fclose(writer->file);
    free(writer->row);
    free(writer->wide);
    free(writer);
}
