// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Keys of many points at once: simple loops over numbers of one width, which compilers vectorize.

#include "tree/octree/octree_scan.h"

#include <string.h>

// Adding it rounds to an integer; with the second one, which is positive, that is in the last bits.
#define ROUNDING_SHIFT 0x1.8p52
#define BITS_SHIFT 0x1p52
#define KEY_BITS ((uint64_t)WK_KEY_COUNT - 1)

// Computes keys along one axis in the last bits of doubles. Counts points outside or not finite.
static void keysAlong(double cellsPerMetre, const float* coordinates, int32_t count, double* keys,
                      double* outside)
{
    for (int32_t i = 0; i < count; ++i) {
        double cells = cellsPerMetre * (double)coordinates[i];
        double nearest = (cells + ROUNDING_SHIFT) - ROUNDING_SHIFT;
        double whole = nearest - (nearest > cells ? 1.0 : 0.0);
        bool isHere = (whole >= -WK_KEY_MIDDLE) & (whole < WK_KEY_MIDDLE);
        keys[i] = whole + (BITS_SHIFT + WK_KEY_MIDDLE);
        outside[i] += isHere ? 0.0 : 1.0;
    }
}

// Adds the keys of the next axis, shifted by `shift` bits.
static void addKeys(const double* keys, int32_t count, int shift, wkScanEnd* ends)
{
    uint64_t bits[WK_POINTS_PER_PIECE];
    memcpy(bits, keys, (size_t)count * sizeof *keys);
    for (int32_t i = 0; i < count; ++i) {
        ends[i] |= (bits[i] & KEY_BITS) << shift;
    }
}

void wkPackPiece(const wkGridRaySource* source, const wkPiece* piece, int32_t count,
                 wkScanEnd* ends)
{
    double keys[WK_POINTS_PER_PIECE], outside[WK_POINTS_PER_PIECE];
    const float* const coordinates[3] = {piece->x, piece->y, piece->z};
    memset(ends, 0, (size_t)count * sizeof *ends);
    memset(outside, 0, (size_t)count * sizeof *outside);
    for (int axis = 0; axis < 3; ++axis) {
        keysAlong(source->cellsPerMetre, coordinates[axis], count, keys, outside);
        addKeys(keys, count, 16 * axis, ends);
    }
    for (int32_t i = 0; i < count; ++i) {
        ends[i] |= outside[i] > 0.0 ? WK_END_IS_NOWHERE : 0;
    }
}
