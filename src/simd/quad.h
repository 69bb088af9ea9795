// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Four floats side by side, three coordinates and one more, for builders that treat all of them alike. Every
// supported processor has a register for them; sums, differences and products are operators of the language.

#include "base/compiler.h"

#include <stdint.h>

typedef float wkQuad __attribute__((vector_size(16)));
typedef int32_t wkQuadInt __attribute__((vector_size(16)));

// Four doubles, for sums of many quads. Not every processor has a register for them: functions take pointers to them.
typedef double wkQuadDouble __attribute__((vector_size(32)));
typedef int64_t wkQuadLong __attribute__((vector_size(32)));

WK_FORCE_FN wkQuad wkMakeQuad(float x, float y, float z, float w)
{
    wkQuad quad = {x, y, z, w};
    return quad;
}

WK_FORCE_FN wkQuad wkQuadOf(float all)
{
    return wkMakeQuad(all, all, all, all);
}

#if defined(__AVX__)
#include <immintrin.h>

WK_FORCE_FN void wkWidenQuad(wkQuad quad, wkQuadDouble* wide)
{
    *wide = (wkQuadDouble)_mm256_cvtps_pd((__m128)quad);
}
#else
// Four floats as doubles.
WK_FORCE_FN void wkWidenQuad(wkQuad quad, wkQuadDouble* wide)
{
    *wide = __builtin_convertvector(quad, wkQuadDouble);
}
#endif

// Replaces the bits of the fourth number. Writing that number alone to memory would stall the next load of
// all four.
WK_FORCE_FN wkQuad wkQuadWithBits(wkQuad quad, uint32_t bits)
{
    wkQuadInt whole = (wkQuadInt)quad;
    whole[3] = (int32_t)bits;
    return (wkQuad)whole;
}

#if defined(__SSE2__)
#include <emmintrin.h>

WK_FORCE_FN wkQuad wkMinQuad(wkQuad a, wkQuad b)
{
    return (wkQuad)_mm_min_ps((__m128)a, (__m128)b);
}

WK_FORCE_FN wkQuad wkMaxQuad(wkQuad a, wkQuad b)
{
    return (wkQuad)_mm_max_ps((__m128)a, (__m128)b);
}

// Returns a bit for each lane where the comparison holds.
WK_FORCE_FN unsigned wkQuadMask(wkQuadInt holds)
{
    return (unsigned)_mm_movemask_ps((__m128)holds);
}

// Transposes: collects the first lanes in the first quad, and so on.
WK_FORCE_FN void wkTransposeQuads(wkQuad quads[4])
{
    __m128 a = (__m128)quads[0], b = (__m128)quads[1], c = (__m128)quads[2], d = (__m128)quads[3];
    _MM_TRANSPOSE4_PS(a, b, c, d);
    quads[0] = (wkQuad)a;
    quads[1] = (wkQuad)b;
    quads[2] = (wkQuad)c;
    quads[3] = (wkQuad)d;
}
#else
WK_FORCE_FN float wkMinOf(float a, float b)
{
    return a < b ? a : b;
}

WK_FORCE_FN float wkMaxOf(float a, float b)
{
    return a > b ? a : b;
}

WK_FORCE_FN wkQuad wkMinQuad(wkQuad a, wkQuad b)
{
    return wkMakeQuad(wkMinOf(a[0], b[0]), wkMinOf(a[1], b[1]), wkMinOf(a[2], b[2]),
                      wkMinOf(a[3], b[3]));
}

WK_FORCE_FN wkQuad wkMaxQuad(wkQuad a, wkQuad b)
{
    return wkMakeQuad(wkMaxOf(a[0], b[0]), wkMaxOf(a[1], b[1]), wkMaxOf(a[2], b[2]),
                      wkMaxOf(a[3], b[3]));
}

// Returns a bit for each lane where the comparison holds.
WK_FORCE_FN unsigned wkQuadMask(wkQuadInt holds)
{
    return (unsigned)((holds[0] & 1) | (holds[1] & 2) | (holds[2] & 4) | (holds[3] & 8));
}

// Transposes: collects the first lanes in the first quad, and so on.
WK_FORCE_FN void wkTransposeQuads(wkQuad quads[4])
{
    wkQuad a = quads[0], b = quads[1], c = quads[2], d = quads[3];
    for (int i = 0; i < 4; ++i) {
        quads[i] = wkMakeQuad(a[i], b[i], c[i], d[i]);
    }
}
#endif
