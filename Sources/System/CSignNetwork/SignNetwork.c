#include "CSignNetwork.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

// The bytes of each layer: a scale and a bias for each output channel, as little-endian floats;
// then its weights as signed bytes, a row of output channels for each input channel of each place
// of the kernel.
static const uint8_t weights[] = {
#embed "signs.weights"
};

enum { LAYERS = 7, MOST_CHANNELS = 88 };

typedef struct {
    size_t inputs, outputs, kernel_rows, kernel_columns, row_step, column_step;
    /// The rows of zeros above and below; columns of zeros keep the width.
    size_t row_padding;
} layer;

static const layer layers[LAYERS] = {
    {1, 16, 3, 3, 1, 1, 1},
    {16, 32, 3, 3, 2, 2, 1},
    {32, 40, 3, 3, 1, 1, 1},
    {40, 56, 3, 3, 2, 1, 1},
    {56, 88, 6, 5, 1, 1, 0},
    {88, 88, 1, 3, 1, 1, 0},
    {88, SN_CLASSES, 1, 1, 1, 1, 0},
};

#define COUNT(i, o, r, c) (8 * (o) + (i) * (o) * (r) * (c))
_Static_assert(sizeof weights == COUNT(1, 16, 3, 3) + COUNT(16, 32, 3, 3) + COUNT(32, 40, 3, 3) +
                                     COUNT(40, 56, 3, 3) + COUNT(56, 88, 6, 5) +
                                     COUNT(88, 88, 1, 3) + COUNT(88, SN_CLASSES, 1, 1),
    "the weights are of another network");

/// Computes one output pixel: the weighted sum of the input pixels under the kernel.
static void sum_pixel(const layer *l, const float *kernel, const float *input, size_t rows,
    size_t columns, ptrdiff_t top, ptrdiff_t left, float *sums)
{
    for (size_t r = 0; r < l->kernel_rows; r++) {
        ptrdiff_t y = top + (ptrdiff_t)r;
        if (y < 0 || y >= (ptrdiff_t)rows) continue;
        for (size_t c = 0; c < l->kernel_columns; c++) {
            ptrdiff_t x = left + (ptrdiff_t)c;
            if (x < 0 || x >= (ptrdiff_t)columns) continue;
            const float *pixel = input + ((size_t)y * columns + (size_t)x) * l->inputs;
            const float *weight = kernel + (r * l->kernel_columns + c) * l->inputs * l->outputs;
            for (size_t i = 0; i < l->inputs; i++, weight += l->outputs) {
                float value = pixel[i];
                // About half of all rectified values are zero.
                if (value == 0) continue;
                for (size_t o = 0; o < l->outputs; o++) sums[o] += value * weight[o];
            }
        }
    }
}

/// Applies a layer to a whole picture; the result is rectified unless it is the last layer's.
static void convolve(const layer *l, const float *bias, const float *kernel, const float *input,
    size_t rows, size_t columns, float *output, size_t output_rows, size_t output_columns,
    int rectify)
{
    for (size_t y = 0; y < output_rows; y++) {
        for (size_t x = 0; x < output_columns; x++, output += l->outputs) {
            float sums[MOST_CHANNELS];
            memcpy(sums, bias, l->outputs * sizeof(float));
            sum_pixel(l, kernel, input, rows, columns,
                (ptrdiff_t)(y * l->row_step) - (ptrdiff_t)l->row_padding,
                (ptrdiff_t)(x * l->column_step) - (ptrdiff_t)(l->kernel_columns / 2), sums);
            for (size_t o = 0; o < l->outputs; o++)
                output[o] = rectify && sums[o] < 0 ? 0 : sums[o];
        }
    }
}

static void to_chances(float *logits, size_t columns)
{
    for (size_t x = 0; x < columns; x++, logits += SN_CLASSES) {
        float most = logits[0], sum = 0;
        for (size_t k = 1; k < SN_CLASSES; k++) most = logits[k] > most ? logits[k] : most;
        for (size_t k = 0; k < SN_CLASSES; k++) sum += logits[k] = expf(logits[k] - most);
        for (size_t k = 0; k < SN_CLASSES; k++) logits[k] /= sum;
    }
}

int sn_read(const float *line, size_t width, float *chances)
{
    if (width == 0 || width % SN_STEP != 0 || width > SN_LONGEST) return -1;
    // The first layer's result is the largest but for the second's and third's, which are smaller:
    // half the rows and columns of two and a half times the channels.
    size_t room = SN_HEIGHT * width * 16;
    size_t most_weights = (size_t)56 * 88 * 6 * 5;
    float *memory = malloc((2 * room + most_weights) * sizeof(float));
    if (!memory) return -1;
    float *halves[2] = {memory, memory + room}, *kernel = memory + 2 * room;
    const float *input = line;
    const uint8_t *place = weights;
    size_t rows = SN_HEIGHT, columns = width;
    for (size_t n = 0; n < LAYERS; n++) {
        const layer *l = &layers[n];
        float scale[MOST_CHANNELS], bias[MOST_CHANNELS];
        memcpy(scale, place, l->outputs * sizeof(float));
        memcpy(bias, place + l->outputs * sizeof(float), l->outputs * sizeof(float));
        place += 2 * l->outputs * sizeof(float);
        size_t count = l->inputs * l->outputs * l->kernel_rows * l->kernel_columns;
        for (size_t i = 0; i < count; i++)
            kernel[i] = (float)(int8_t)place[i] * scale[i % l->outputs];
        place += count;
        size_t output_rows = (rows + 2 * l->row_padding - l->kernel_rows) / l->row_step + 1;
        size_t output_columns = (columns - 1) / l->column_step + 1;
        int is_last = n == LAYERS - 1;
        float *output = is_last ? chances : halves[n % 2];
        convolve(
            l, bias, kernel, input, rows, columns, output, output_rows, output_columns, !is_last);
        input = output;
        rows = output_rows;
        columns = output_columns;
    }
    free(memory);
    to_chances(chances, columns);
    return 0;
}
