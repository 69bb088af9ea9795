// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The position of one point on Hilbert's curve: that which curve_kernel.h computes for many, step for step.

#include "base/compiler.h"

#include <stdint.h>

// Cubes have this many bits along each axis, at most.
#define WK_CURVE_BITS 16

// A grid of cubes around all points, with 2^bits of them along each axis.
typedef struct wkCurveGrid {
    float lower[3];
    float scale; // cubes per metre
    int bits;    // at most WK_CURVE_BITS
} wkCurveGrid;

// The cube of a coordinate. Coordinates that are not finite have some cube, and their points are left out.
WK_FORCE_FN uint16_t wkCurveCube(float coordinate, float lower, float scale, float most)
{
    float cube = (coordinate - lower) * scale;
    cube = cube > 0.0f ? cube : 0.0f;
    return (uint16_t)(int32_t)(cube < most ? cube : most);
}

// Spreads eight bits of a number, two zeros after each.
WK_FORCE_FN uint32_t wkSpreadDigits(uint32_t bits)
{
    bits = (bits | bits << 8) & 0x00f00fu;
    bits = (bits | bits << 4) & 0x0c30c3u;
    return (bits | bits << 2) & 0x249249u;
}

// The digits of eight bits of each axis.
WK_FORCE_FN uint32_t wkJoinDigits(uint32_t x, uint32_t y, uint32_t z)
{
    return wkSpreadDigits(x) << 2 | wkSpreadDigits(y) << 1 | wkSpreadDigits(z);
}

WK_FN uint64_t wkCurvePosition(const wkCurveGrid* grid, const float point[3])
{
    float most = (float)((1 << grid->bits) - 1);
    uint32_t x = wkCurveCube(point[0], grid->lower[0], grid->scale, most);
    uint32_t y = wkCurveCube(point[1], grid->lower[1], grid->scale, most);
    uint32_t z = wkCurveCube(point[2], grid->lower[2], grid->scale, most);
    for (int highest = grid->bits - 1; highest > 0; --highest) {
        uint32_t bit = 1u << highest, below = bit - 1u;
        x ^= (x & bit) != 0 ? below : 0u;
        uint32_t has = (y & bit) != 0 ? below : 0u, change = (x ^ y) & below & ~has;
        x ^= change ^ has;
        y ^= change;
        has = (z & bit) != 0 ? below : 0u;
        change = (x ^ z) & below & ~has;
        x ^= change ^ has;
        z ^= change;
    }
    y ^= x;
    z ^= y;
    uint32_t parity = z;
    parity ^= parity >> 1;
    parity ^= parity >> 2;
    parity ^= parity >> 4;
    parity ^= parity >> 8;
    parity >>= 1;
    x ^= parity;
    y ^= parity;
    z ^= parity;
    uint32_t low = wkJoinDigits(x & 0xffu, y & 0xffu, z & 0xffu);
    uint32_t high = wkJoinDigits(x >> 8, y >> 8, z >> 8);
    return (uint64_t)high << 24 | low;
}
