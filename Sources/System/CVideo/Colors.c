#include "Colors.h"

#include <math.h>

/* The weights of red and blue in brightness: ITU-R BT.601, BT.709 and BT.2020, SMPTE 240M and
   FCC. */
struct weights {
    double red, blue;
};

static const struct weights bt601 = {0.299, 0.114};

static struct weights weights_of(enum AVColorSpace matrix)
{
    switch (matrix) {
    case AVCOL_SPC_BT709: return (struct weights){0.2126, 0.0722};
    case AVCOL_SPC_BT2020_NCL: return (struct weights){0.2627, 0.0593};
    case AVCOL_SPC_SMPTE240M: return (struct weights){0.212, 0.087};
    case AVCOL_SPC_FCC: return (struct weights){0.30, 0.11};
    default: return bt601;
    }
}

enum AVColorSpace video_matrix(const AVFrame *frame)
{
    switch (frame->colorspace) {
    case AVCOL_SPC_BT709:
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_SMPTE240M:
    case AVCOL_SPC_FCC:
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
    case AVCOL_SPC_RGB: return frame->colorspace;
    /* As players assume, pictures larger than those of analog television are BT.709. */
    case AVCOL_SPC_UNSPECIFIED:
    case AVCOL_SPC_RESERVED:
        return frame->height > 576 || frame->width > 1024 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
    default: return AVCOL_SPC_UNSPECIFIED;
    }
}

int video_is_full_range(const AVFrame *frame)
{
    switch (frame->format) {
    case AV_PIX_FMT_YUVJ420P:
    case AV_PIX_FMT_YUVJ422P:
    case AV_PIX_FMT_YUVJ440P:
    case AV_PIX_FMT_YUVJ444P:
    case AV_PIX_FMT_YUVJ411P: return 1;
    default: return frame->color_range == AVCOL_RANGE_JPEG;
    }
}

double video_gain(const AVFrame *frame)
{ return frame->color_trc == AVCOL_TRC_ARIB_STD_B67 ? 1 / 0.75 : 1; }

static int32_t fixed(double value) { return (int32_t)lround(value * 65536); }

struct color_map video_color_map(
    enum AVColorSpace matrix, int is_full_range, int bits, int is_gray, double gain)
{
    double one = ldexp(1, bits - 8), top = ldexp(1, bits) - 1;
    double black = is_full_range ? 0 : 16 * one, white = is_full_range ? top : 235 * one;
    double middle = 128 * one, swing = is_full_range ? top : 224 * one;
    double low = is_gray ? 0 : 16, light = gain * (is_gray ? 255 : 219) / (white - black),
           color = gain * 224 / swing;
    struct weights from = weights_of(matrix);
    double green = 1 - from.red - from.blue;
    /* Converts the two differences to red, green and blue, and these to brightness and
       differences again. */
    double red_by_r = 2 * (1 - from.red), blue_by_b = 2 * (1 - from.blue);
    double green_by_r = -from.red * red_by_r / green, green_by_b = -from.blue * blue_by_b / green;
    double green601 = 1 - bt601.red - bt601.blue;
    double y_by_b = bt601.blue * blue_by_b + green601 * green_by_b;
    double y_by_r = bt601.red * red_by_r + green601 * green_by_r;
    double b_scale = 2 * (1 - bt601.blue), r_scale = 2 * (1 - bt601.red);
    double yb = gain * 219 * y_by_b / swing, yr = gain * 219 * y_by_r / swing;
    double bb = color * (blue_by_b - y_by_b) / b_scale, br = -color * y_by_r / b_scale;
    double rb = -color * y_by_b / r_scale, rr = color * (red_by_r - y_by_r) / r_scale;
    /* Half a step is added, so that truncation rounds. */
    return (struct color_map){
        .y = fixed(light),
        .yb = fixed(yb),
        .yr = fixed(yr),
        .y0 = fixed(low + 0.5 - light * black - (yb + yr) * middle),
        .bb = fixed(bb),
        .br = fixed(br),
        .b0 = fixed(128.5 - (bb + br) * middle),
        .rb = fixed(rb),
        .rr = fixed(rr),
        .r0 = fixed(128.5 - (rb + rr) * middle),
    };
}
