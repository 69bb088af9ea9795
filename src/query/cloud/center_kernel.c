// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Points of A lie in lanes of several registers, and the points of B pass by one after another: four loads of a point of
// B serve three multiply-adds and a minimum for each register. Compiled once per instruction set.

#include "query/cloud/center_kernel.h"

#include "simd/simd_float.h"

#include <math.h>

// Registers of points of A: with three coordinates and a minimum each, they and a point of B fit into 16 or 32.
#define REGISTERS (WK_FLOAT_LANES >= 16 ? 4 : 2)
#define STEP (REGISTERS * WK_FLOAT_LANES)

static float moveToOrigin(wkCentersB* b, int32_t count, const double origin[3])
{
    float most = 0.0f;
    for (int32_t i = 0; i < count; ++i) {
        float x = (float)(b->x[i] - origin[0]), y = (float)(b->y[i] - origin[1]);
        float z = (float)(b->z[i] - origin[2]);
        float square = (x * x + y * y) + z * z;
        b->localX[i] = x;
        b->localY[i] = y;
        b->localZ[i] = z;
        b->squares[i] = square;
        most = square <= most ? most : square; // NaN stays
    }
    return most;
}

// Bits of the points in a few registers, from `first` on.
WK_FORCE_FN uint64_t findInStep(const wkCentersA* a, int32_t first, const wkCentersB* b,
                                int32_t count, float limit)
{
    wkFloatW x[REGISTERS], y[REGISTERS], z[REGISTERS], least[REGISTERS];
    for (int k = 0; k < REGISTERS; ++k) {
        int32_t at = first + k * WK_FLOAT_LANES;
        x[k] = wkLoadF(&a->x[at]);
        y[k] = wkLoadF(&a->y[at]);
        z[k] = wkLoadF(&a->z[at]);
        least[k] = wkSplatF(INFINITY);
    }
    for (int32_t i = 0; i < count; ++i) {
        wkFloatW bx = wkSplatF(b->localX[i]), by = wkSplatF(b->localY[i]);
        wkFloatW bz = wkSplatF(b->localZ[i]), square = wkSplatF(b->squares[i]);
        for (int k = 0; k < REGISTERS; ++k) {
            wkFloatW sum = wkFusedMulAddF(
                x[k], bx, wkFusedMulAddF(y[k], by, wkFusedMulAddF(z[k], bz, square)));
            least[k] = wkMinF(least[k], sum);
        }
    }
    uint64_t bits = 0;
    for (int k = 0; k < REGISTERS; ++k) {
        wkFloatW square = wkLoadF(&a->squares[first + k * WK_FLOAT_LANES]);
        unsigned near = wkNotAboveBitsF(wkAddF(least[k], square), wkSplatF(limit));
        bits |= (uint64_t)near << (k * WK_FLOAT_LANES);
    }
    return bits;
}

static uint64_t findNear(const wkCentersA* a, int32_t first, const wkCentersB* b, int32_t count,
                         float limit)
{
    uint64_t bits = 0;
    for (int32_t i = 0; i < WK_CENTER_TILE; i += STEP) {
        bits |= findInStep(a, first + i, b, count, limit) << i;
    }
    return bits;
}

extern const wkCenterLanes WK_KERNEL(wkCenterLanes);
const wkCenterLanes WK_KERNEL(wkCenterLanes) = {moveToOrigin, findNear};
