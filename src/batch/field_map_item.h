// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One sphere against the bits of a map that a field stores. Code of this header is C, C++ and CUDA.

#include "batch/field_map.h"
#include "whisker/robot_scene.h"

// Bits of a row from one to another, both included.
typedef struct wkBitRange {
    int32_t word;  // first word
    int32_t count; // number of words
    uint64_t low;  // bits in the first word
    uint64_t high; // bits in the last word
} wkBitRange;

WK_FN wkBitRange wkMakeBitRange(int32_t from, int32_t to)
{
    wkBitRange range = {from / 64, to / 64 - from / 64 + 1, ~UINT64_C(0) << (from % 64),
                        ~UINT64_C(0) >> (63 - to % 64)};
    return range;
}

WK_FORCE_FN bool wkHasBitsIn(const uint64_t* row, const wkBitRange* range)
{
    const uint64_t* words = &row[range->word];
    if (WK_LIKELY(range->count == 1)) {
        return (words[0] & range->low & range->high) != 0;
    }
    uint64_t any = (words[0] & range->low) | (words[range->count - 1] & range->high);
    WK_KEEP_LOOP
    for (int32_t i = 1; i < range->count - 1; ++i) {
        any |= words[i];
    }
    return any != 0;
}

WK_FN size_t wkFieldMap_RowAt(const wkFieldMap* map, int32_t y, int32_t z)
{
    return ((size_t)z * (size_t)map->count[1] + (size_t)y) * (size_t)map->rowWords;
}

// Returns the distance of a position from a cell along an axis, in cells.
WK_FN double wkBeyondCell(double inCells, int32_t cell)
{
    return wkPositive(wkMaxD((double)cell - inCells, inCells - (double)(cell + 1)));
}

// Finds the cells that a sphere reaches along an axis. @return false when there are none
WK_FN bool wkReachCells(double inCells, double reach, int32_t count, int32_t* first, int32_t* last)
{
    double from = floor(inCells - reach), to = floor(inCells + reach);
    *first = from > 0.0 ? (int32_t)wkMinD(from, (double)count) : 0;
    *last = to < (double)(count - 1) ? (int32_t)wkMaxD(to, -1.0) : count - 1;
    return *first <= *last;
}

// Returns whether a row has a cell within reach.
WK_FN bool wkFieldMap_TouchesRow(const uint64_t* row, double inCells, double square, int32_t count)
{
    int32_t first, last;
    if (!wkReachCells(inCells, sqrt(square), count, &first, &last)) {
        return false;
    }
    wkBitRange range = wkMakeBitRange(first, last);
    return wkHasBitsIn(row, &range);
}

WK_FN bool wkFieldMap_TouchesBits(const wkFieldMap* map, const uint64_t* bits,
                                  const double inCells[3], double reach)
{
    int32_t first[3], last[3];
    for (int axis = 0; axis < 3; ++axis) {
        if (!wkReachCells(inCells[axis], reach, map->count[axis], &first[axis], &last[axis])) {
            return false;
        }
    }
    wkBitRange range = wkMakeBitRange(first[0], last[0]);
    WK_KEEP_LOOP
    for (int32_t z = first[2]; z <= last[2]; ++z) {
        double outZ = wkBeyondCell(inCells[2], z), left = reach * reach - outZ * outZ;
        const uint64_t* row = &bits[wkFieldMap_RowAt(map, first[1], z)];
        WK_KEEP_LOOP
        for (int32_t y = first[1]; y <= last[1]; ++y, row += map->rowWords) {
            if (WK_LIKELY(!wkHasBitsIn(row, &range))) {
                continue;
            }
            double outY = wkBeyondCell(inCells[1], y), square = left - outY * outY;
            if (square >= 0.0 && wkFieldMap_TouchesRow(row, inCells[0], square, map->count[0])) {
                return true;
            }
        }
    }
    return false;
}

// Returns what a sphere touches of a map that has bits: wk_verdictFree, wk_verdictUnknown or wk_verdictWorld. Occupied
// cells take precedence over unknown ones.
// @param bits of all maps
WK_FN wkVerdict wkFieldMap_CheckSphere(const wkFieldMap* map, const uint64_t* bits,
                                       const float center[3], float radius)
{
    wkVec3d point = wkVec((double)center[0], (double)center[1], (double)center[2]);
    wkVec3d local = wkFrameLocal(&map->frame, point);
    const double inCells[3] = {local.x * map->perMetre - (double)map->lower[0],
                               local.y * map->perMetre - (double)map->lower[1],
                               local.z * map->perMetre - (double)map->lower[2]};
    double reach = (double)radius * map->perMetre + map->sphere;
    if (wkFieldMap_TouchesBits(map, bits + map->occupiedAt, inCells, reach)) {
        return wk_verdictWorld;
    }
    return map->unknownAt >= 0 && wkFieldMap_TouchesBits(map, bits + map->unknownAt, inCells, reach)
               ? wk_verdictUnknown
               : wk_verdictFree;
}
