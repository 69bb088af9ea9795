// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The voxel of one point: that which lanes find, too.

#include "base/compiler.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Ranks of points by their distance to the middle of their voxel take this many bits.
#define WK_VOXEL_RANK_BITS 8

#define WK_MAX_VOXEL_RANK ((1 << WK_VOXEL_RANK_BITS) - 1)

// The grid has its voxels where x times `inverse` has the same integer part, rounded down: in floats, as PCL has it.
typedef struct wkVoxelGrid {
    float inverse; // voxels per metre
    float size;
    int32_t lowest[3];  // voxel of the lowest point
    int shifts[3];      // of the voxel's numbers in its key
    float rankScale;    // ranks per square metre
    uint32_t blocks[3]; // of 4 x 4 x 4 voxels, along each axis; 0: voxels are too far from zero
} wkVoxelGrid;

// A point as an entry for sorting, where voxels have keys: the key of its voxel above its rank, above its index.
WK_FN uint64_t wkVoxelEntry(const wkVoxelGrid* grid, const float point[3], int indexBits,
                            uint32_t index)
{
    uint64_t key = 0;
    float squares = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        float voxel = floorf(point[axis] * grid->inverse);
        float middle = (voxel + 0.5f) * grid->size;
        float from = point[axis] - middle;
        key |= (uint64_t)(uint32_t)((int32_t)voxel - grid->lowest[axis]) << grid->shifts[axis];
        squares = squares + from * from;
    }
    float rank = squares * grid->rankScale;
    rank = rank < (float)WK_MAX_VOXEL_RANK ? rank : (float)WK_MAX_VOXEL_RANK;
    return (key << WK_VOXEL_RANK_BITS | (uint64_t)(uint32_t)(int32_t)rank) << indexBits | index;
}

// Adding and subtracting it rounds coordinates so that their sums are exact in whatever order, up to 2^30 voxels from zero.
// In a voxel that is some voxels away from zero along an axis, coordinates are multiples of their last place, and 2^28 of
// them have sums of 53 bits: they stay as they are. Those near zero have smaller last places, and become multiples of
// 2^(n - 50) times the size of a voxel.
// @param indexBits n: there are 2^n points or fewer
// @return 0, which rounds nothing, where voxels are further from zero
WK_FN double wkVoxelShift(const wkVoxelGrid* grid, int indexBits)
{
    double power = (double)grid->size; // the power of two that is no larger
    uint64_t bits;
    memcpy(&bits, &power, sizeof bits);
    bits &= UINT64_C(0x7ff0000000000000);
    memcpy(&power, &bits, sizeof power);
    int exponent = indexBits < 4 ? 4 : indexBits > 28 ? 28 : indexBits;
    double shift = 6.0 * power * (double)(1 << exponent); // 1.5 times 2^52 times that multiple
    return grid->blocks[2] > 0 ? shift : 0.0;
}

WK_FN double wkRoundForSum(double coordinate, double shift)
{
    return (coordinate + shift) - shift;
}

// Coordinate of a centroid.
WK_FN float wkCentroidOf(double sum, double count)
{
    return (float)(sum * (1.0 / count));
}

// Voxel of a point, of any size.
WK_FN void wkFindVoxel(float inverse, float x, float y, float z, float voxel[3])
{
    voxel[0] = floorf(x * inverse);
    voxel[1] = floorf(y * inverse);
    voxel[2] = floorf(z * inverse);
}

// A digest of a voxel, where voxels are too many or too far apart for keys.
WK_FN uint64_t wkMixVoxel(const float voxel[3])
{
    uint64_t mixed = 0;
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t bits;
        float positive = voxel[axis] + 0.0f; // -0 and 0 are one number
        memcpy(&bits, &positive, sizeof bits);
        mixed = (mixed ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
        mixed ^= mixed >> 29;
    }
    return mixed;
}

WK_FN bool wkIsSameVoxel(const float a[3], const float b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}
