#ifndef CPAGENETWORK_H
#define CPAGENETWORK_H

#include <stddef.h>
#include <stdint.h>

// The loops in which the page detector spends its time, and its weights.
//
// Pictures are stored row after row, pixel after pixel, channel after channel ("NHWC"), as floats.
// Distances between rows and pixels are counted in floats. Nothing here allocates, checks or keeps
// state: the caller has checked every size.

/// The time at which negative numbers become zero: never, before adding, or after adding.
typedef enum { PN_NEVER, PN_BEFORE_ADDING, PN_AFTER_ADDING } pn_rectify;

/// One convolution as a product of matrices: output = weights × input + bias + addend.
///
/// Each output pixel is made of `segments` runs of `segment_length` consecutive floats,
/// `segment_stride` apart: one run for a 1 × 1 convolution, three runs of three pixels for a 3 × 3
/// one.
typedef struct {
    const float *input;
    size_t input_row, input_pixel;
    size_t segments, segment_length, segment_stride;
    /// The weights in panels of 16 output channels; the last panel may have 8. In each panel, every
    /// input float has the weights of the panel's channels.
    const float *weights;
    /// One float for each channel.
    const float *bias;
    /// The addend; null for none. Row y and pixel x of the output take row y >> addend_shift and
    /// pixel x >> addend_shift.
    const float *addend;
    size_t addend_row, addend_pixel, addend_shift;
    float *output;
    size_t output_row, output_pixel;
    size_t rows, pixels;
    /// A multiple of 8.
    size_t channels;
    pn_rectify rectify;
} pn_product;

/// A separate convolution of each channel, then rectified.
typedef struct {
    /// The first pixel under the kernel's top left weight: the picture has a border of kernel / 2
    /// zeros.
    const float *input;
    size_t input_row;
    /// kernel × kernel rows with one float for each channel.
    const float *weights;
    const float *bias;
    float *output;
    size_t output_row;
    size_t rows, pixels;
    /// A multiple of 8.
    size_t channels;
    size_t kernel, stride;
} pn_depthwise;

enum { PN_MOST_SIDE = 512 };

/// A picture of bytes that is made smaller by averaging areas.
typedef struct {
    const uint8_t *bytes;
    size_t width, height;
    /// The bytes from one row to the next, and from one pixel to the next.
    size_t row, pixel;
    /// Neighboring bytes that are channels of one pixel: 1 or 3, at most `pixel`.
    size_t channels;
    /// The result is a square of `side` pixels, at most PN_MOST_SIDE; each value is (mean / 255 −
    /// 0.5) × 4.
    size_t side;
    float *output;
    size_t output_row;
    /// Room for width × pixel floats.
    float *scratch;
} pn_reduction;

/// One implementation of the loops.
typedef struct {
    /// The target that the kernels were compiled for, as text for the tests and the benchmark.
    const char *name;
    void (*product)(const pn_product *);
    void (*depthwise)(const pn_depthwise *);
    void (*reduce)(const pn_reduction *);
} pn_kernels;

/// The implementations that this processor can run, the fastest first; the last is the portable
/// one, which runs everywhere. NULL for a higher number.
const pn_kernels *pn_kernels_at(size_t index);

/// Numbers of half precision (IEEE 754 binary16, little-endian) as floats.
void pn_widen(const uint8_t *halves, size_t count, float *result);

/// The logistic function of the first three of every eight floats, as three planes.
void pn_probabilities(const float *logits, size_t pixels, float *planes);

/// The weights that the program contains, for pages of all kinds and for cards, in the format of
/// Docs/developers/Detection.md.
const uint8_t *pn_page_weights(size_t *count);
const uint8_t *pn_card_weights(size_t *count);

#endif
