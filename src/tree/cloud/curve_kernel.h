// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Coordinates become positions on Hilbert's curve as Skilling has it (Programming the Hilbert curve, 2004): every
// step is the same for all points, so that the compiler makes SIMD code of the loops. Cubes have 16 bits: twice as many
// fit into a register as of 32.

#include "base/compiler.h"
#include "tree/cloud/cloud_kernel.h"

// Transforms cubes to digits of their positions on the curve, in place: bit i of x, y and z are the i-th three
// bits of the position.
WK_FORCE_FN void wkCurveTransform(uint16_t x[WK_POINT_BLOCK], uint16_t y[WK_POINT_BLOCK],
                                  uint16_t z[WK_POINT_BLOCK], int bits)
{
    for (int highest = bits - 1; highest > 0; --highest) {
        uint16_t bit = (uint16_t)(1 << highest), below = (uint16_t)(bit - 1);
        for (int i = 0; i < WK_POINT_BLOCK; ++i) {
            // inverts the lower bits of x where the axis has the bit, exchanges those of x and the axis where not
            uint16_t has = (x[i] & bit) != 0 ? below : 0;
            x[i] ^= has;
            has = (y[i] & bit) != 0 ? below : 0;
            uint16_t change = (x[i] ^ y[i]) & below & ~has;
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
        // inverts a bit of all three for each higher bit of z: Gray's code, decoded
        uint16_t parity = z[i];
        parity ^= (uint16_t)(parity >> 1);
        parity ^= (uint16_t)(parity >> 2);
        parity ^= (uint16_t)(parity >> 4);
        parity ^= (uint16_t)(parity >> 8);
        parity = (uint16_t)(parity >> 1);
        x[i] ^= parity;
        y[i] ^= parity;
        z[i] ^= parity;
    }
}

WK_FORCE_FN void wkCurvePositions(const wkCurveGrid* grid, const wkPointBlock* points,
                                  uint64_t positions[WK_POINT_BLOCK])
{
    float most = (float)((1 << grid->bits) - 1);
    _Alignas(64) uint16_t cubes[3][WK_POINT_BLOCK];
    for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < WK_POINT_BLOCK; ++i) {
            cubes[axis][i] =
                wkCurveCube(points->axes[axis][i], grid->lower[axis], grid->scale, most);
        }
    }
    wkCurveTransform(cubes[0], cubes[1], cubes[2], grid->bits);
    _Alignas(64) uint32_t low[WK_POINT_BLOCK], high[WK_POINT_BLOCK];
    for (int i = 0; i < WK_POINT_BLOCK; ++i) {
        uint32_t x = cubes[0][i], y = cubes[1][i], z = cubes[2][i];
        low[i] = wkJoinDigits(x & 0xff, y & 0xff, z & 0xff);
        high[i] = wkJoinDigits(x >> 8, y >> 8, z >> 8);
    }
    for (int i = 0; i < WK_POINT_BLOCK; ++i) {
        positions[i] = (uint64_t)high[i] << 24 | low[i];
    }
}
