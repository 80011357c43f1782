#include "CPNGReader.h"
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

struct png_reader {
    png_structp png;
    png_infop info;
    const uint8_t *bytes;
    size_t count;
    size_t offset;
    png_facts facts;
    char *message;
    size_t messageLength;
};

static void failed(png_structp png, png_const_charp text)
{
    png_reader *reader = png_get_error_ptr(png);
    if (reader->message && reader->messageLength > 0) {
        strncpy(reader->message, text, reader->messageLength - 1);
        reader->message[reader->messageLength - 1] = 0;
    }
    longjmp(png_jmpbuf(png), 1);
}

/* libpng warns about metadata that it skips; problems with pixels are errors. */
static void warned(png_structp png, png_const_charp text)
{
    png_reader *reader = png_get_error_ptr(png);
    if (strstr(text, "color space not permitted")) reader->facts.isProfileForeign = 1;
    if (strcmp(text, "tRNS: out of place") == 0 || strcmp(text, "PLTE: tRNS must be after") == 0)
        reader->facts.hasStrayAlpha = 1;
}

static void take(png_structp png, png_bytep target, size_t count)
{
    png_reader *reader = png_get_io_ptr(png);
    if (count > reader->count - reader->offset) {
        png_error(png, "the picture data is cut off");
    }
    memcpy(target, reader->bytes + reader->offset, count);
    reader->offset += count;
}

static void describe_colors(png_reader *reader)
{
    png_structp png = reader->png;
    png_infop info = reader->info;
    png_facts *facts = &reader->facts;
    png_charp name = NULL;
    int way = 0;
    png_get_iCCP(png, info, &name, &way, (png_bytepp)&facts->profile, &facts->profileLength);
    facts->isSRGB = png_get_valid(png, info, PNG_INFO_sRGB) != 0;
    if (png_get_valid(png, info, PNG_INFO_gAMA)) png_get_gAMA(png, info, &facts->gamma);
    double *at = facts->places;
    if (png_get_valid(png, info, PNG_INFO_cHRM))
        facts->hasPlaces = png_get_cHRM(png, info, &at[6], &at[7], &at[0], &at[1], &at[2], &at[3],
                               &at[4], &at[5]) == PNG_INFO_cHRM;
}

/* ImageMagick's names of text chunks for EXIF and other data. */
static void find_exif_text(png_reader *reader)
{
    png_textp texts = NULL;
    int count = png_get_text(reader->png, reader->info, &texts, NULL);
    for (int index = 0; index < count; index++) {
        png_textp text = &texts[index];
        int isExif = strcmp(text->key, "Raw profile type exif") == 0 ||
                     strcmp(text->key, "Raw profile type APP1") == 0;
        if (!isExif || !text->text) continue;
        reader->facts.exifText = text->text;
        reader->facts.exifTextLength = strlen(text->text);
        return;
    }
}

static void describe(png_reader *reader)
{
    png_structp png = reader->png;
    png_infop info = reader->info;
    png_facts *facts = &reader->facts;
    int color = png_get_color_type(png, info);
    int depth = png_get_bit_depth(png, info);
    int hasTransparency = png_get_valid(png, info, PNG_INFO_tRNS) != 0;

    if (color == PNG_COLOR_TYPE_PALETTE) {
        facts->hasPalette = 1;
        png_set_palette_to_rgb(png);
    } else if (color == PNG_COLOR_TYPE_GRAY && depth == 1 && !hasTransparency) {
        png_set_invert_mono(png);
    } else if (color == PNG_COLOR_TYPE_GRAY && depth < 8) {
        png_set_expand_gray_1_2_4_to_8(png);
    }
    if (hasTransparency) png_set_tRNS_to_alpha(png);
    if (depth == 16) png_set_swap(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);

    facts->width = png_get_image_width(png, info);
    facts->height = png_get_image_height(png, info);
    facts->channels = png_get_channels(png, info);
    facts->bitDepth = png_get_bit_depth(png, info);
    facts->rowBytes = png_get_rowbytes(png, info);
    facts->isWoven = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
    facts->xPixelsPerMeter = png_get_x_pixels_per_meter(png, info);
    facts->yPixelsPerMeter = png_get_y_pixels_per_meter(png, info);
    describe_colors(reader);
    png_bytep exif = NULL;
    png_uint_32 exifLength = 0;
    if (png_get_eXIf_1(png, info, &exifLength, &exif) == PNG_INFO_eXIf) {
        facts->exif = exif;
        facts->exifLength = exifLength;
    }
    find_exif_text(reader);
}

png_reader *png_reader_open(
    const uint8_t *bytes, size_t count, png_facts *facts, char *message, size_t messageLength)
{
    png_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->bytes = bytes;
    reader->count = count;
    reader->message = message;
    reader->messageLength = messageLength;
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, failed, warned);
    if (reader->png) reader->info = png_create_info_struct(reader->png);
    if (!reader->info || setjmp(png_jmpbuf(reader->png))) {
        png_reader_close(reader);
        return NULL;
    }
    png_set_user_limits(reader->png, 0x7fffffff, 0x7fffffff);
    /* Metadata larger than this, mostly compressed, is not worth the memory. */
    png_set_chunk_malloc_max(reader->png, 8 << 20);
    png_set_chunk_cache_max(reader->png, 64);
    /* The pieces are small, since the last piece of a truncated file is lost. */
    png_set_compression_buffer_size(reader->png, 512);
    png_set_read_fn(reader->png, reader, take);
    png_read_info(reader->png, reader->info);
    describe(reader);
    *facts = reader->facts;
    reader->message = NULL;
    return reader;
}

int png_reader_read(png_reader *reader, uint8_t *pixels, int (*stop)(const void *context),
    void (*take)(const void *context, uint32_t row), const void *context, uint32_t *rows,
    char *message, size_t messageLength)
{
    *rows = 0;
    reader->message = message;
    reader->messageLength = messageLength;
    if (setjmp(png_jmpbuf(reader->png))) return -1;
    int passes = reader->facts.isWoven ? 7 : 1;
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t y = 0; y < reader->facts.height; y++) {
            if (stop(context)) return 1;
            png_bytep row = take ? pixels : pixels + (size_t)y * reader->facts.rowBytes;
            /* In an interlaced picture each pass also fills the pixels of later ones, so that the
             * first shows the whole picture coarsely. */
            if (passes > 1)
                png_read_row(reader->png, NULL, row);
            else
                png_read_row(reader->png, row, NULL);
            if (take) take(context, y);
            if (pass == 0) *rows = y + 1;
        }
    }
    return 0;
}

void png_reader_close(png_reader *reader)
{
    if (!reader) return;
    if (reader->png)
        png_destroy_read_struct(&reader->png, reader->info ? &reader->info : NULL, NULL);
    free(reader);
}
