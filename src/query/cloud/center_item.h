// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One pair of points of two clouds: what the CPU and other devices compute alike, so that their answers have the same
// bits. Code of this header is C, C++ and CUDA.

#include "math/frame.h"
#include "tree/bvh/point_group.h"

// Points of A that the exhaustive search compares together, one bit of a result each.
#define WK_CENTER_TILE 64

// Points of its blocks. Those of B stay in the first cache; those of A share the work of moving B to their origin.
#define WK_CENTERS_A (12 * WK_CENTER_TILE)
#define WK_CENTERS_B 256

// Below it squares may underflow in single precision.
#define WK_CENTER_LEAST 1e-36

// A pair of points.
typedef struct wkCenterPair {
    double square; // of its distance; of the cutoff where there is no pair
    int32_t rankA; // -1: none
    int32_t rankB;
} wkCenterPair;

// The squared distance that decides.
WK_FN double wkCenterSquare(wkVec3d a, wkVec3d b)
{
    double x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    return (x * x + y * y) + z * z;
}

// Whether the exhaustive search reports a pair rather than another one. Of pairs at the same distance it reports that
// with the lowest ranks. At distance 0 it ends with the block in which it finds one.
WK_FN bool wkAreCentersBefore(wkCenterPair a, wkCenterPair b)
{
    if (a.square != b.square) {
        return a.square < b.square;
    }
    if (a.square == 0.0) {
        int32_t blockA = a.rankA / WK_CENTERS_A, blockB = b.rankA / WK_CENTERS_A;
        if (blockA != blockB) {
            return blockA < blockB;
        }
        blockA = a.rankB / WK_CENTERS_B;
        blockB = b.rankB / WK_CENTERS_B;
        if (blockA != blockB) {
            return blockA < blockB;
        }
    }
    return a.rankA != b.rankA ? a.rankA < b.rankA : a.rankB < b.rankB;
}
