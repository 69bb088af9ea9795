// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The order of points along Hilbert's curve through a grid of cubes around them: consecutive points are
// neighbours in space, without the jumps of interleaved bits, so that leaves of eight of them are small.

#include "base/isa_table.h"
#include "base/memory.h"
#include "math/vec.h"
#include "tree/cloud/cloud_impl.h"
#include "tree/cloud/curve_kernel.h"

#include <string.h>

// A position on the curve above the index of its point, so that eight bytes are moved for each.
typedef uint64_t entry;

#define DIGIT_BITS 11
#define DIGIT_VALUES (1 << DIGIT_BITS)

WK_DEFINE_LANES(const wkCurveLanes, wkCurveLanes)

static int bitsOf(uint32_t number)
{
    return number == 0 ? 0 : 32 - __builtin_clz(number);
}

static wkCurveGrid makeGrid(const wkCloudPoints* points)
{
    const float* from[3] = {points->x, points->y, points->z};
    wkCurveGrid g = {.bits = 0};
    float extent = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        float lower = from[axis][0], upper = from[axis][0];
        for (int32_t i = 1; i < points->count; ++i) {
            lower = from[axis][i] < lower ? from[axis][i] : lower;
            upper = from[axis][i] > upper ? from[axis][i] : upper;
        }
        g.lower[axis] = lower;
        extent = upper - lower > extent ? upper - lower : extent;
    }
    // points of surfaces: with n of them, a grid of the root of n in each direction has one in a cube, and the rest
    // is for those that are closer. What the index does not need is for the position.
    int indexBits = bitsOf((uint32_t)points->count);
    int wanted = indexBits / 2 + 4, most = (64 - indexBits) / 3;
    g.bits = wanted < most ? wanted : most;
    g.scale = extent > 1e-30f ? (float)((1 << g.bits) - 1) / extent : 0.0f;
    return g;
}

static void writeEntries(const wkCloudPoints* points, const wkCurveGrid* g, entry* entries)
{
    const wkCurveLanes* lanes = wkCurveLanesOfMachine();
    int indexBits = bitsOf((uint32_t)points->count);
    for (int32_t first = 0; first < points->count; first += WK_CURVE_BLOCK) {
        int32_t left = points->count - first;
        int32_t count = left < WK_CURVE_BLOCK ? left : WK_CURVE_BLOCK;
        uint64_t positions[WK_CURVE_BLOCK];
        // the arrays of points have space behind their end
        lanes->positions(g, points->x + first, points->y + first, points->z + first, positions);
        for (int32_t i = 0; i < count; ++i) {
            entries[first + i] = positions[i] << indexBits | (uint32_t)(first + i);
        }
    }
}

// Sorts by the bits from `lowest` on, from the lowest digit up.
static entry* sortEntries(entry* from, entry* to, int32_t count, int lowest, int highest)
{
    for (int bit = lowest; bit < highest; bit += DIGIT_BITS) {
        uint32_t starts[DIGIT_VALUES];
        memset(starts, 0, sizeof starts);
        for (int32_t i = 0; i < count; ++i) {
            ++starts[from[i] >> bit & (DIGIT_VALUES - 1)];
        }
        uint32_t sum = 0;
        for (int i = 0; i < DIGIT_VALUES; ++i) {
            uint32_t here = starts[i];
            starts[i] = sum;
            sum += here;
        }
        for (int32_t i = 0; i < count; ++i) {
            to[starts[from[i] >> bit & (DIGIT_VALUES - 1)]++] = from[i];
        }
        entry* other = from;
        from = to;
        to = other;
    }
    return from;
}

bool wkOrderCloudPoints(const wkCloudPoints* points, int32_t* order)
{
    size_t count = (size_t)points->count, byteCount = 2 * (count + 1) * sizeof(entry);
    entry* entries = wkAlloc(byteCount);
    if (entries == NULL) {
        return false;
    }
    if (count > 0) {
        wkCurveGrid g = makeGrid(points);
        int indexBits = bitsOf((uint32_t)count);
        writeEntries(points, &g, entries);
        const entry* sorted =
            sortEntries(entries, entries + count, points->count, indexBits, indexBits + 3 * g.bits);
        entry mask = ((entry)1 << indexBits) - 1;
        for (size_t i = 0; i < count; ++i) {
            order[i] = (int32_t)(sorted[i] & mask);
        }
    }
    wkFree(entries, byteCount);
    return true;
}
