#pragma once
#include "Libraries.h"

/* The map from samples to those of a frame, in 65,536ths: brightness is y × Y + yb × Cb + yr ×
 * Cr + y0, and so on. */
struct color_map {
    int32_t y, yb, yr, y0;
    int32_t bb, br, b0;
    int32_t rb, rr, r0;
};

/* The matrix by which the colors of a picture are stored; AVCOL_SPC_UNSPECIFIED for one that is not
 * converted here. */
enum AVColorSpace video_matrix(const AVFrame *frame);

int video_is_full_range(const AVFrame *frame);

/* The factor that makes paper white in a picture: HLG keeps a quarter of its scale for highlights
 * (BT.2408). */
double video_gain(const AVFrame *frame);

/* The map to ITU-R BT.601 of 16 to 235, or for gray to 0 to 255, from samples of this many bits. */
struct color_map video_color_map(
    enum AVColorSpace matrix, int is_full_range, int bits, int is_gray, double gain);
