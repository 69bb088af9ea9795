// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The scratch of a program: vectors of lanes by number, and columns of three. Lanes hold configurations. Inline,
// for SIMD files.

#include "batch/program_builder.h"
#include "simd/simd_int.h"

// Three vectors of lanes: a column, or centers.
typedef struct wkVecW {
    wkFloatW x, y, z;
} wkVecW;

WK_FORCE_FN wkFloatW wkScratchAt(const float* scratch, int32_t at)
{
    return wkLoadF(scratch + (ptrdiff_t)at * WK_FLOAT_LANES);
}

WK_FORCE_FN void wkSetScratchAt(float* scratch, int32_t at, wkFloatW a)
{
    wkStoreF(scratch + (ptrdiff_t)at * WK_FLOAT_LANES, a);
}

WK_FORCE_FN wkVecW wkScratchVec(const float* scratch, int32_t at)
{
    wkVecW v = {wkScratchAt(scratch, at), wkScratchAt(scratch, at + 1),
                wkScratchAt(scratch, at + 2)};
    return v;
}

WK_FORCE_FN void wkSetScratchVec(float* scratch, int32_t at, wkVecW v)
{
    wkSetScratchAt(scratch, at, v.x);
    wkSetScratchAt(scratch, at + 1, v.y);
    wkSetScratchAt(scratch, at + 2, v.z);
}

WK_FORCE_FN wkVecW wkMulVecF(wkVecW v, wkFloatW factor)
{
    wkVecW product = {wkMulF(v.x, factor), wkMulF(v.y, factor), wkMulF(v.z, factor)};
    return product;
}

WK_FORCE_FN wkVecW wkAddVecF(wkVecW a, wkVecW b)
{
    wkVecW sum = {wkAddF(a.x, b.x), wkAddF(a.y, b.y), wkAddF(a.z, b.z)};
    return sum;
}

WK_FORCE_FN wkVecW wkSubVecF(wkVecW a, wkVecW b)
{
    wkVecW difference = {wkSubF(a.x, b.x), wkSubF(a.y, b.y), wkSubF(a.z, b.z)};
    return difference;
}

// Rotations and columns that are the same in all blocks, and the scratch in which they have been computed.
typedef struct wkInvariantW {
    const bool* rotations;
    const bool* columns;
    const float* scratch;
} wkInvariantW;

// Copies `count` vectors from the scratch in which they have been computed.
WK_FORCE_FN void wkCopyInvariant(const wkInvariantW* invariant, int32_t at, int count,
                                 float* scratch)
{
    for (int i = 0; i < count; ++i) {
        wkSetScratchAt(scratch, at + i, wkScratchAt(invariant->scratch, at + i));
    }
}

// Writes the constant columns: once for each scratch.
static inline void wkStartScratch(const wkProgram* program, float* scratch)
{
    for (int32_t i = 0; i < 3 * program->constantCount; ++i) {
        wkSetScratchAt(scratch, i, wkSplatF(program->constants[i]));
    }
}
