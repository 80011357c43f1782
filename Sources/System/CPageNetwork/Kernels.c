#include "CPageNetwork.h"

#include <math.h>
#include <string.h>

// Vectors that the compiler splits into the available registers. Loose ones may be anywhere in
// memory.
typedef float pn_f16 __attribute__((vector_size(64)));
typedef float pn_f8 __attribute__((vector_size(32)));
typedef float pn_loose16 __attribute__((vector_size(64), aligned(4), may_alias));
typedef float pn_loose8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef uint16_t pn_words __attribute__((vector_size(32)));
typedef uint8_t pn_bytes __attribute__((vector_size(16)));
typedef uint8_t pn_loose_bytes __attribute__((vector_size(16), aligned(1), may_alias));

/// Sixteen bytes as floats.
#define PN_FLOATS(bytes) __builtin_convertvector(*(const pn_loose_bytes *)(bytes), pn_f16)

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#define PN(name) pn_avx2_##name
#define PN_NAME "AVX2"
#define PN_TILE 6
#define PN_WINDOW 4
#include "Loops.h"
#pragma clang attribute pop
#endif

#define PN(name) pn_portable_##name
#define PN_NAME "portable"
#if defined(__aarch64__)
#define PN_TILE 6
#define PN_WINDOW 4
#else
#define PN_TILE 2
#define PN_WINDOW 2
#endif
#include "Loops.h"

const pn_kernels *pn_kernels_at(size_t index)
{
    const pn_kernels *found[2];
    size_t count = 0;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        found[count++] = &pn_avx2_kernels;
#endif
    found[count++] = &pn_portable_kernels;
    return index < count ? found[index] : 0;
}

void pn_widen(const uint8_t *halves, size_t count, float *result)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t half = (uint32_t)halves[2 * i] | (uint32_t)halves[2 * i + 1] << 8;
        // The exponent and fraction, shifted into a float's place, have a scale that is wrong by
        // 2^112; the correction also handles subnormal numbers.
        uint32_t bits = (half & 0x7fff) << 13;
        float value;
        memcpy(&value, &bits, 4);
        value *= 0x1p112f;
        if ((half & 0x7c00) == 0x7c00) {
            bits |= 0x7f800000;
            memcpy(&value, &bits, 4);
        }
        result[i] = half & 0x8000 ? -value : value;
    }
}

void pn_probabilities(const float *logits, size_t pixels, float *planes)
{
    for (size_t i = 0; i < pixels; i++)
        for (size_t c = 0; c < 3; c++) planes[c * pixels + i] = 1 / (1 + expf(-logits[8 * i + c]));
}
