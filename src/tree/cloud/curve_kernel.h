// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Coordinates become positions on Hilbert's curve as Skilling has it (Programming the Hilbert curve, 2004): every
// step is the same for all points, so that the compiler makes SIMD code of the loops.

#include "base/compiler.h"
#include "tree/cloud/cloud_kernel.h"

// The cube of a coordinate. Coordinates that are not finite have some cube, and their points are left out.
WK_FORCE_FN uint32_t wkCurveCube(float coordinate, float lower, float scale, float most)
{
    float cube = (coordinate - lower) * scale;
    cube = cube > 0.0f ? cube : 0.0f;
    return (uint32_t)(int32_t)(cube < most ? cube : most);
}

// Transforms cubes to digits of their positions on the curve, in place: bit i of x, y and z are the i-th three
// bits of the position.
WK_FORCE_FN void wkCurveTransform(uint32_t x[WK_POINT_BLOCK], uint32_t y[WK_POINT_BLOCK],
                                  uint32_t z[WK_POINT_BLOCK], int bits)
{
    for (uint32_t bit = 1u << (bits - 1); bit > 1; bit >>= 1) {
        uint32_t below = bit - 1;
        for (int i = 0; i < WK_POINT_BLOCK; ++i) {
            // inverts the lower bits of x where the axis has the bit, exchanges those of x and the axis where not
            uint32_t has = (x[i] & bit) != 0 ? below : 0;
            x[i] ^= has;
            has = (y[i] & bit) != 0 ? below : 0;
            uint32_t change = (x[i] ^ y[i]) & below & ~has;
            x[i] ^= change ^ has;
            y[i] ^= change;
            has = (z[i] & bit) != 0 ? below : 0;
            change = (x[i] ^ z[i]) & below & ~has;
            x[i] ^= change ^ has;
            z[i] ^= change;
        }
    }
    for (int i = 0; i < WK_POINT_BLOCK; ++i) {
        y[i] ^= x[i];
        z[i] ^= y[i];
    }
    for (int i = 0; i < WK_POINT_BLOCK; ++i) {
        // inverts a bit of all three for each higher bit of z: Gray's code, decoded
        uint32_t parity = z[i];
        parity ^= parity >> 1;
        parity ^= parity >> 2;
        parity ^= parity >> 4;
        parity ^= parity >> 8;
        parity ^= parity >> 16;
        parity >>= 1;
        x[i] ^= parity;
        y[i] ^= parity;
        z[i] ^= parity;
    }
}

// Spreads the bits of a number, two zeros after each.
WK_FORCE_FN uint64_t wkSpreadBits(uint64_t bits)
{
    bits = (bits | bits << 32) & 0x001f00000000ffffu;
    bits = (bits | bits << 16) & 0x001f0000ff0000ffu;
    bits = (bits | bits << 8) & 0x100f00f00f00f00fu;
    bits = (bits | bits << 4) & 0x10c30c30c30c30c3u;
    return (bits | bits << 2) & 0x1249249249249249u;
}

WK_FORCE_FN void wkCurvePositions(const wkCurveGrid* grid, const wkPointBlock* points,
                                  uint64_t positions[WK_POINT_BLOCK])
{
    float most = (float)((1 << grid->bits) - 1);
    uint32_t cubes[3][WK_POINT_BLOCK];
    for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < WK_POINT_BLOCK; ++i) {
            cubes[axis][i] =
                wkCurveCube(points->axes[axis][i], grid->lower[axis], grid->scale, most);
        }
    }
    wkCurveTransform(cubes[0], cubes[1], cubes[2], grid->bits);
    for (int i = 0; i < WK_POINT_BLOCK; ++i) {
        positions[i] = wkSpreadBits(cubes[0][i]) << 2 | wkSpreadBits(cubes[1][i]) << 1 |
                       wkSpreadBits(cubes[2][i]);
    }
}
