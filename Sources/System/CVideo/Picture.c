#include "Colors.h"
#include "Reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The places of a picture's samples: brightness, then two planes of color, whose samples cover
 * two by two pixels; no planes of color if there is no color. */
struct planes {
    const uint8_t *data[3];
    ptrdiff_t stride[3];
    int width, height, bits;
};

/* A frame as it is drawn: brightness, then pairs of color in rows with the same stride; `colors` is
 * NULL if there are none. */
struct target {
    uint8_t *light, *colors;
    size_t stride;
    int width, height;
};

static int half(int side) { return (side + 1) / 2; }
static size_t even(int side) { return (size_t)half(side) * 2; }

int video_is_gray(const AVPixFmtDescriptor *form)
{ return form && form->nb_components <= 2 && !(form->flags & AV_PIX_FMT_FLAG_PAL); }

static uint8_t *room(struct own_planes *planes, size_t size)
{
    if (planes->size >= size) return planes->memory;
    free(planes->memory);
    planes->memory = aligned_alloc(64, (size + 127) / 64 * 64);
    planes->size = planes->memory ? size : 0;
    return planes->memory;
}

/* Pixels that are not square */

void video_square_size(video_reader *reader, const AVFrame *frame, int *width, int *height)
{
    *width = frame->width;
    *height = frame->height;
    AVRational shape =
        reader->av->av_guess_sample_aspect_ratio(reader->format, reader->stream, (AVFrame *)frame);
    if (shape.num <= 0 || shape.den <= 0) return;
    double ratio = av_q2d(shape);
    /* A difference below half a hundredth is rounding; a factor above ten is a mistake. */
    if (fabs(ratio - 1) < 0.005 || ratio < 0.1 || ratio > 10) return;
    if (ratio > 1) {
        *width = (int)lround(fmin(frame->width * ratio, INT32_MAX));
    } else {
        *height = (int)lround(fmin(frame->height / ratio, INT32_MAX));
    }
}

/* The formats that the loops below read directly: 4:2:0 and gray, of 8 to 12 bits in the order of
 * this machine.
 */
static int is_plain(enum AVPixelFormat format)
{
    switch (format) {
    case AV_PIX_FMT_YUV420P:
    case AV_PIX_FMT_YUVJ420P:
    case AV_PIX_FMT_YUV420P10:
    case AV_PIX_FMT_YUV420P12:
    case AV_PIX_FMT_GRAY8:
    case AV_PIX_FMT_GRAY10:
    case AV_PIX_FMT_GRAY12: return 1;
    default: return 0;
    }
}

int video_has_planes(const video_reader *reader)
{
    const AVFrame *frame = reader->frame;
    const AVPixFmtDescriptor *form = reader->av->av_pix_fmt_desc_get(frame->format);
    if (!form || !is_plain(frame->format)) return frame->data[0] != NULL;
    int bytes = form->comp[0].depth > 8 ? 2 : 1, count = video_is_gray(form) ? 1 : 3;
    for (int plane = 0; plane < count; plane++) {
        int across = plane ? half(frame->width) : frame->width;
        if (!frame->data[plane] || abs(frame->linesize[plane]) < across * bytes) return 0;
    }
    return 1;
}

/* Scales a picture, or converts it to a plain form, with its own matrix and range. */
static video_outcome scaled(video_reader *reader, int width, int height, int is_gray,
    enum AVColorSpace *matrix, int *is_full, struct planes *planes)
{
    const struct video_libraries *av = reader->av;
    const AVFrame *frame = reader->frame;
    enum AVPixelFormat form = is_gray ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_YUV420P;
    reader->scaler =
        av->sws_getCachedContext(reader->scaler, frame->width, frame->height, frame->format, width,
            height, form, SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP, NULL, NULL, NULL);
    if (!reader->scaler) return video_odd_colors;
    if (*matrix == AVCOL_SPC_RGB) {
        *matrix = AVCOL_SPC_SMPTE170M;
        *is_full = 0;
    }
    const int *numbers = av->sws_getCoefficients(*matrix);
    /* If this fails, the picture has no matrix: it is gray of either range. */
    av->sws_setColorspaceDetails(
        reader->scaler, numbers, *is_full, numbers, *is_full, 0, 1 << 16, 1 << 16);
    size_t stride = ((size_t)width + 95) / 64 * 64, rows = (size_t)height;
    size_t color_stride = ((size_t)half(width) + 95) / 64 * 64,
           color_rows = is_gray ? 0 : (size_t)half(height);
    uint8_t *memory = room(&reader->scaled, stride * rows + 2 * color_stride * color_rows);
    if (!memory) return video_no_memory;
    uint8_t *data[4] = {
        memory, memory + stride * rows, memory + stride * rows + color_stride * color_rows, NULL};
    int strides[4] = {(int)stride, (int)color_stride, (int)color_stride, 0};
    if (av->sws_scale(reader->scaler, (const uint8_t *const *)frame->data, frame->linesize, 0,
            frame->height, data, strides) != height) {
        return video_odd_colors;
    }
    *planes = (struct planes){.width = width, .height = height, .bits = 8};
    for (int index = 0; index < 3; index++) {
        planes->data[index] = data[index];
        planes->stride[index] = strides[index];
    }
    return video_good;
}

/* Colors */

/* The loops are optimized for the processor that runs them. */
#ifdef __x86_64__
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

static inline uint8_t clamped(int32_t value)
{
    value >>= 16;
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/* The loops once for each width of a sample, without branches and with neighboring samples in
   both, so that the compiler can vectorize them. `added` is the amount that a pixel's colors add
   to its brightness. */
#define CONVERT(sample, convert_light, convert_colors)                                             \
    WIDE static void convert_light(const sample *restrict light, const int32_t *restrict added,    \
        int32_t factor, int width, uint8_t *restrict to)                                           \
    {                                                                                              \
        for (int x = 0; x < width; x++) to[x] = clamped(factor * light[x] + added[x]);             \
    }                                                                                              \
    WIDE static void convert_colors(const sample *restrict blue, const sample *restrict red,       \
        struct color_map map, int count, uint8_t *restrict to, int32_t *restrict added)            \
    {                                                                                              \
        for (int index = 0; index < count; index++) {                                              \
            int32_t b = blue[index], r = red[index];                                               \
            added[2 * index] = added[2 * index + 1] = map.yb * b + map.yr * r + map.y0;            \
            to[2 * index] = clamped(map.bb * b + map.br * r + map.b0);                             \
            to[2 * index + 1] = clamped(map.rb * b + map.rr * r + map.r0);                         \
        }                                                                                          \
    }
CONVERT(uint8_t, light_of_bytes, colors_of_bytes)
CONVERT(uint16_t, light_of_words, colors_of_words)

static const void *row(const struct planes *planes, int plane, int index)
{ return planes->data[plane] + planes->stride[plane] * index; }

/* Copies the column that rounds an odd width up, if rows have one. */
static void copy_last_column(struct target *to)
{
    if (!to->colors || to->width % 2 == 0) return;
    for (int y = 0; y < to->height; y++) {
        uint8_t *end = to->light + to->stride * (size_t)y + to->width;
        *end = end[-1];
    }
}

static void convert(
    const struct planes *planes, struct color_map map, struct target *to, int32_t *added)
{
    int pairs = half(to->width), is_wide = planes->bits > 8;
    for (int x = 0; x < to->width; x++) added[x] = map.y0;
    for (int y = 0; y < to->height; y++) {
        if (to->colors && y % 2 == 0) {
            const void *blue = row(planes, 1, y / 2), *red = row(planes, 2, y / 2);
            uint8_t *colors = to->colors + to->stride * (size_t)(y / 2);
            if (is_wide) {
                colors_of_words(blue, red, map, pairs, colors, added);
            } else {
                colors_of_bytes(blue, red, map, pairs, colors, added);
            }
        }
        uint8_t *light = to->light + to->stride * (size_t)y;
        if (is_wide) {
            light_of_words(row(planes, 0, y), added, map.y, to->width, light);
        } else {
            light_of_bytes(row(planes, 0, y), added, map.y, to->width, light);
        }
    }
}

/* Turning */

/* The place of the first sample of the turned plane, and the steps to the next to its right and
 * below. */
struct walk {
    ptrdiff_t start, right, down;
};

static struct walk walk_of(int turn, int width, int height, ptrdiff_t stride)
{
    ptrdiff_t last = width - 1, bottom = (height - 1) * stride;
    switch (turn) {
    case 2: return (struct walk){last, -1, stride};
    case 3: return (struct walk){bottom + last, -1, -stride};
    case 4: return (struct walk){bottom, 1, -stride};
    case 5: return (struct walk){0, stride, 1};
    case 6: return (struct walk){bottom, -stride, 1};
    case 7: return (struct walk){bottom + last, -stride, -1};
    case 8: return (struct walk){last, stride, -1};
    default: return (struct walk){0, 1, stride};
    }
}

/* `width` and `height` are those of the turned plane, whose rows are as far apart as `stride` says.
   Square blocks keep both sides in the cache when rows become columns. */
#define TURN(sample, turn_plane)                                                                   \
    static void turn_plane(                                                                        \
        const sample *from, struct walk walk, int width, int height, sample *to, size_t stride)    \
    {                                                                                              \
        enum { block = 64 };                                                                       \
        for (int top = 0; top < height; top += block) {                                            \
            int end = top + block < height ? top + block : height;                                 \
            for (int left = 0; left < width; left += block) {                                      \
                int edge = left + block < width ? left + block : width;                            \
                for (int y = top; y < end; y++) {                                                  \
                    const sample *at = from + walk.start + y * walk.down + left * walk.right;      \
                    sample *row = to + stride * (size_t)y;                                         \
                    for (int x = left; x < edge; x++, at += walk.right) row[x] = *at;              \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }
TURN(uint8_t, turn_bytes)
TURN(uint16_t, turn_pairs)

static void turned(const struct target *from, int turn, struct target *to)
{
    turn_bytes(from->light, walk_of(turn, from->width, from->height, (ptrdiff_t)from->stride),
        to->width, to->height, to->light, to->stride);
    if (!to->colors) return;
    /* Rows of pairs are a whole number of pairs apart. */
    turn_pairs((const uint16_t *)from->colors,
        walk_of(turn, half(from->width), half(from->height), (ptrdiff_t)(from->stride / 2)),
        half(to->width), half(to->height), (uint16_t *)to->colors, to->stride / 2);
}

/* Drawing */

video_outcome video_draw(
    video_reader *reader, uint8_t *to, size_t stride, char *message, size_t length)
{
    const AVFrame *frame = reader->frame;
    const AVPixFmtDescriptor *form = reader->av->av_pix_fmt_desc_get(frame->format);
    int is_gray = video_is_gray(form);
    int is_full = video_is_full_range(frame);
    enum AVColorSpace matrix =
        form && form->flags & AV_PIX_FMT_FLAG_RGB ? AVCOL_SPC_RGB : video_matrix(frame);
    message[0] = 0;
    if (!form || (matrix == AVCOL_SPC_UNSPECIFIED && !is_gray)) {
        snprintf(
            message, length, "their matrix is number %d of ITU-T H.273", (int)frame->colorspace);
        return video_odd_colors;
    }
    int width, height;
    video_square_size(reader, frame, &width, &height);
    struct planes planes = {.width = width, .height = height, .bits = form->comp[0].depth};
    if (is_plain(frame->format) && width == frame->width && height == frame->height) {
        for (int index = 0; index < 3; index++) {
            planes.data[index] = frame->data[index];
            planes.stride[index] = frame->linesize[index];
        }
    } else {
        video_outcome outcome = scaled(reader, width, height, is_gray, &matrix, &is_full, &planes);
        if (outcome != video_good) {
            if (outcome == video_odd_colors)
                snprintf(message, length, "they are stored as %s", form->name);
            return outcome;
        }
    }
    int swaps = reader->turn >= 5;
    struct target target = {.light = to,
        .stride = stride,
        .width = swaps ? height : width,
        .height = swaps ? width : height};
    if (!is_gray) target.colors = to + stride * (size_t)target.height;
    struct target upright = target;
    if (reader->turn != 1) {
        size_t rows = (size_t)height, across = even(width),
               color_rows = is_gray ? 0 : (size_t)half(height);
        uint8_t *memory = room(&reader->drawn, across * (rows + color_rows));
        if (!memory) return video_no_memory;
        upright =
            (struct target){.light = memory, .stride = across, .width = width, .height = height};
        if (!is_gray) upright.colors = memory + across * rows;
    }
    int32_t *added = malloc(sizeof *added * even(width));
    if (!added) return video_no_memory;
    convert(&planes, video_color_map(matrix, is_full, planes.bits, is_gray, video_gain(frame)),
        &upright, added);
    free(added);
    if (reader->turn != 1) turned(&upright, reader->turn, &target);
    copy_last_column(&target);
    return video_good;
}
