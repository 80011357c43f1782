// The loops over one group of neighboring channels. Included by Loops.h, which defines
//   PN_VECTOR, PN_LOOSE   a vector of the group's width, and one that may be anywhere in memory,
//   PN_GROUP(name)        the name of this copy.

#define PN_LOAD(pointer) (*(const PN_LOOSE *)(pointer))
#define PN_STORE(pointer, value) (*(PN_LOOSE *)(pointer) = (value))
#define PN_RECTIFIED(value) __builtin_elementwise_max((value), (PN_VECTOR){0})
#define PN_WIDTH (sizeof(PN_VECTOR) / sizeof(float))

/// `count` neighboring output pixels; a constant wherever this is called, so that all sums stay in
/// registers.
static inline __attribute__((always_inline)) void PN_GROUP(tile)(const pn_product *p,
    const float *weights, size_t channel, size_t row, size_t pixel, const size_t count)
{
    const float *input = p->input + row * p->input_row + pixel * p->input_pixel;
    PN_VECTOR sums[PN_TILE], bias = PN_LOAD(p->bias + channel);
    for (size_t i = 0; i < count; i++) sums[i] = bias;
    for (size_t s = 0; s < p->segments; s++) {
        const float *run = input + s * p->segment_stride;
        for (size_t k = 0; k < p->segment_length; k++, weights += PN_WIDTH) {
            PN_VECTOR w = PN_LOAD(weights);
#pragma clang loop unroll(full)
            for (size_t i = 0; i < count; i++) sums[i] += run[i * p->input_pixel + k] * w;
        }
    }
    if (p->rectify == PN_BEFORE_ADDING)
        for (size_t i = 0; i < count; i++) sums[i] = PN_RECTIFIED(sums[i]);
    if (p->addend) {
        const float *addend = p->addend + (row >> p->addend_shift) * p->addend_row + channel;
        for (size_t i = 0; i < count; i++)
            sums[i] += PN_LOAD(addend + ((pixel + i) >> p->addend_shift) * p->addend_pixel);
    }
    float *output = p->output + row * p->output_row + pixel * p->output_pixel + channel;
    for (size_t i = 0; i < count; i++)
        PN_STORE(output + i * p->output_pixel,
            p->rectify == PN_AFTER_ADDING ? PN_RECTIFIED(sums[i]) : sums[i]);
}

/// Computes all output pixels of the group.
static inline __attribute__((always_inline)) void PN_GROUP(panel)(
    const pn_product *p, const float *weights, size_t channel)
{
    for (size_t row = 0; row < p->rows; row++) {
        size_t pixel = 0;
        for (; pixel + PN_TILE <= p->pixels; pixel += PN_TILE)
            PN_GROUP(tile)(p, weights, channel, row, pixel, PN_TILE);
        for (; pixel < p->pixels; pixel++) PN_GROUP(tile)(p, weights, channel, row, pixel, 1);
    }
}

/// `count` neighboring output pixels of a kernel; `count`, `kernel` and `stride` are constants
/// wherever this is called.
static inline __attribute__((always_inline)) void PN_GROUP(window)(const pn_depthwise *d,
    const float *input, float *output, size_t channel, const size_t count, const size_t kernel,
    const size_t stride)
{
    PN_VECTOR sums[4], bias = PN_LOAD(d->bias + channel);
    const float *weights = d->weights + channel;
    for (size_t i = 0; i < count; i++) sums[i] = bias;
    for (size_t y = 0; y < kernel; y++) {
        const float *under = input + y * d->input_row;
#pragma clang loop unroll(full)
        for (size_t x = 0; x < kernel; x++, weights += d->channels) {
            PN_VECTOR w = PN_LOAD(weights);
#pragma clang loop unroll(full)
            for (size_t i = 0; i < count; i++)
                sums[i] += w * PN_LOAD(under + (x + i * stride) * d->channels);
        }
    }
    for (size_t i = 0; i < count; i++) PN_STORE(output + i * d->channels, PN_RECTIFIED(sums[i]));
}

static inline __attribute__((always_inline)) void PN_GROUP(line)(
    const pn_depthwise *d, size_t row, size_t channel, const size_t kernel, const size_t stride)
{
    const float *input = d->input + row * stride * d->input_row + channel;
    float *output = d->output + row * d->output_row + channel;
    size_t pixel = 0;
    for (; pixel + PN_WINDOW <= d->pixels; pixel += PN_WINDOW)
        PN_GROUP(window)(d, input + pixel * stride * d->channels, output + pixel * d->channels,
            channel, PN_WINDOW, kernel, stride);
    for (; pixel < d->pixels; pixel++)
        PN_GROUP(window)(d, input + pixel * stride * d->channels, output + pixel * d->channels,
            channel, 1, kernel, stride);
}

/// Computes one row of the group.
static inline __attribute__((always_inline)) void PN_GROUP(depthwise)(
    const pn_depthwise *d, size_t row, size_t channel)
{
    if (d->kernel == 3 && d->stride == 1) PN_GROUP(line)(d, row, channel, 3, 1);
    if (d->kernel == 3 && d->stride == 2) PN_GROUP(line)(d, row, channel, 3, 2);
    if (d->kernel == 5 && d->stride == 1) PN_GROUP(line)(d, row, channel, 5, 1);
    if (d->kernel == 5 && d->stride == 2) PN_GROUP(line)(d, row, channel, 5, 2);
}

#undef PN_LOAD
#undef PN_STORE
#undef PN_RECTIFIED
#undef PN_WIDTH
#undef PN_VECTOR
#undef PN_LOOSE
#undef PN_GROUP
