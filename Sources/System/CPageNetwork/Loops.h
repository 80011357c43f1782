// The loops, compiled once for each kind of processor. A file that includes this one defines
//   PN(name), PN_NAME     the names of this copy,
//   PN_TILE, PN_WINDOW    output pixels worked on together: as many as leave all sums in registers.
// Meant to be included more than once.

#define PN_VECTOR pn_f16
#define PN_LOOSE pn_loose16
#define PN_GROUP(name) PN(name##16)
#include "Panel.h"

#define PN_VECTOR pn_f8
#define PN_LOOSE pn_loose8
#define PN_GROUP(name) PN(name##8)
#include "Panel.h"

static void PN(product)(const pn_product *p)
{
    size_t inputs = p->segments * p->segment_length, channel = 0;
    for (; channel + 16 <= p->channels; channel += 16)
        PN(panel16)(p, p->weights + channel * inputs, channel);
    if (channel < p->channels) PN(panel8)(p, p->weights + channel * inputs, channel);
}

static void PN(depthwise)(const pn_depthwise *d)
{
    for (size_t row = 0; row < d->rows; row++) {
        size_t channel = 0;
        for (; channel + 16 <= d->channels; channel += 16) PN(depthwise16)(d, row, channel);
        if (channel < d->channels) PN(depthwise8)(d, row, channel);
    }
}

/// Adds up the source rows of one result row in `scratch`: whole rows in the middle, fractions of
/// the first and the last.
static void PN(mix)(const pn_reduction *r, double from, double to)
{
    size_t first = (size_t)from, last = (size_t)to, x = 0;
    if (last >= r->height) last = r->height - 1;
    float after = (float)(to - (double)last);
    float before = last > first ? (float)((double)(first + 1) - from) : (float)(to - from);
    const uint8_t *top = r->bytes + first * r->row, *bottom = r->bytes + last * r->row;
    // The picture may end with its last pixel's last channel.
    size_t end = (r->width - 1) * r->pixel + r->channels;
    for (; x + 16 <= end; x += 16) {
        pn_f16 sum = PN_FLOATS(top + x) * before;
        if (last > first) sum += PN_FLOATS(bottom + x) * after;
        for (size_t y = first + 1; y < last;) {
            // 257 rows of 255 fill a word.
            size_t stop = last - y > 257 ? y + 257 : last;
            pn_words whole = {0};
            for (; y < stop; y++)
                whole += __builtin_convertvector(
                    *(const pn_loose_bytes *)(r->bytes + y * r->row + x), pn_words);
            sum += __builtin_convertvector(whole, pn_f16);
        }
        *(pn_loose16 *)(r->scratch + x) = sum;
    }
    for (; x < end; x++) {
        float sum = top[x] * before + (last > first ? bottom[x] * after : 0);
        for (size_t y = first + 1; y < last; y++) sum += r->bytes[y * r->row + x];
        r->scratch[x] = sum;
    }
}

static void PN(reduce)(const pn_reduction *r)
{
    double down = (double)r->height / (double)r->side, across = (double)r->width / (double)r->side;
    float scale = (float)(4.0 / 255.0 / (down * across));
    // For each result pixel: its first float, the end of its last one, and the excess of its first
    // and last pixel.
    size_t firsts[PN_MOST_SIDE], ends[PN_MOST_SIDE];
    float before[PN_MOST_SIDE], after[PN_MOST_SIDE];
    for (size_t x = 0; x < r->side; x++) {
        double from = (double)x * across, to = (double)(x + 1) * across;
        size_t first = (size_t)from, last = (size_t)to;
        if (last >= r->width) last = r->width - 1;
        firsts[x] = first * r->pixel;
        ends[x] = (last + 1) * r->pixel;
        before[x] = (float)(from - (double)first);
        after[x] = (float)((double)(last + 1) - to);
    }
    for (size_t y = 0; y < r->side; y++) {
        PN(mix)(r, (double)y * down, (double)(y + 1) * down);
        float *output = r->output + y * r->output_row;
        for (size_t x = 0; x < r->side; x++) {
            for (size_t c = 0; c < r->channels; c++) {
                const float *values = r->scratch + c;
                float sum = 0;
                for (size_t i = firsts[x]; i < ends[x]; i += r->pixel) sum += values[i];
                sum -= before[x] * values[firsts[x]] + after[x] * values[ends[x] - r->pixel];
                *output++ = sum * scale - 2;
            }
        }
    }
}

static const pn_kernels PN(kernels) = {
    .name = PN_NAME, .product = PN(product), .depthwise = PN(depthwise), .reduce = PN(reduce)};

#undef PN
#undef PN_NAME
#undef PN_TILE
#undef PN_WINDOW
