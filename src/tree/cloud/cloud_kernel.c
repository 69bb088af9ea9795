// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The passes over all points of a cloud. Points are read in blocks, coordinate by coordinate, so that the compiler
// makes SIMD code of the loops over a block. Compiled once per instruction set.

#include "tree/cloud/cloud_kernel.h"

#include "simd/eight.h"
#include "simd/point_lanes.h"
#include "tree/cloud/bucket_kernel.h"
#include "tree/cloud/curve_kernel.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A difference of two doubles is exact to this share of the larger.
#define SHARE_OF_ROUNDING 0x1p-53

// Independent bounds, which are joined at the end: no bound waits for the one before.
#define BOUND_LANES 16

// Reads floats as they are.
WK_FORCE_FN void readFloats(const wkCloudSource* source, int64_t first, int count,
                            wkPointBlock* block)
{
    for (int i = 0; i < count; ++i) {
        int64_t offset = (first + i) * source->stride; // none is computed behind the last point
        block->axes[0][i] = wkFloatAt(source->axes[0] + offset);
        block->axes[1][i] = wkFloatAt(source->axes[1] + offset);
        block->axes[2][i] = wkFloatAt(source->axes[2] + offset);
    }
}

// Whether a block of floats can be read point by point: each is three floats side by side, and behind the last there
// is another point.
WK_FORCE_FN bool isPacked(const wkCloudSource* source, int64_t first)
{
    return source->axes[1] == source->axes[0] + sizeof(float) &&
           source->axes[2] == source->axes[0] + 2 * sizeof(float) &&
           source->stride >= 3 * (int64_t)sizeof(float) && first + WK_POINT_BLOCK < source->count;
}

WK_FORCE_FN void readPacked(const wkCloudSource* source, int64_t first, wkPointBlock* block)
{
    const char* bytes = source->axes[0] + first * source->stride;
    for (int i = 0; i < WK_POINT_BLOCK; i += WK_FLOAT_LANES) {
        wkFloatW point[3];
        wkLoadPointsF(bytes + i * source->stride, source->stride, point);
        for (int axis = 0; axis < 3; ++axis) {
            wkStoreF(&block->axes[axis][i], point[axis]);
        }
    }
}

// Reads numbers relative to the origin; NaN where they are not finite.
// @param errors those of the coordinates of each point, the largest
WK_FORCE_FN void readRelative(const wkCloudSource* source, int64_t first, int count,
                              wkPointBlock* block, double errors[WK_POINT_BLOCK])
{
    for (int axis = 0; axis < 3; ++axis) {
        double origin = source->origin[axis], share = origin != 0.0 ? SHARE_OF_ROUNDING : 0.0;
        for (int i = 0; i < count; ++i) {
            double given = wkSourceCoordinate(source, axis, first + i);
            float rounded = wkRelativeCoordinate(given, origin);
            double error = fabs((given - origin) - (double)rounded) + share * fabs(given);
            errors[i] = axis == 0 || error > errors[i] ? error : errors[i];
            block->axes[axis][i] = given - given == 0.0 ? rounded : NAN;
        }
    }
}

// A coordinate that is not finite makes the sum NaN.
WK_FORCE_FN bool isFiniteSlot(const wkPointBlock* block, int i)
{
    float x = block->axes[0][i], y = block->axes[1][i], z = block->axes[2][i];
    return (x - x) + (y - y) + (z - z) == 0.0f;
}

// Reads up to a block of points. Slots behind them are NaN.
// @return the largest error of a coordinate of a finite point
WK_FORCE_FN double readBlock(const wkCloudSource* source, int64_t first, int64_t left,
                             wkPointBlock* block)
{
    int count = left < WK_POINT_BLOCK ? (int)left : WK_POINT_BLOCK;
    for (int i = count; i < WK_POINT_BLOCK; ++i) {
        block->axes[0][i] = NAN;
    }
    double largest = 0.0;
    if (!source->isExact) {
        double errors[WK_POINT_BLOCK];
        readRelative(source, first, count, block, errors);
        for (int i = 0; i < count; ++i) {
            largest = isFiniteSlot(block, i) && errors[i] > largest ? errors[i] : largest;
        }
    } else if (count == WK_POINT_BLOCK && isPacked(source, first)) {
        readPacked(source, first, block);
    } else {
        readFloats(source, first, count, block);
    }
    return largest;
}

typedef struct bounds {
    _Alignas(64) float lower[3][BOUND_LANES];
    _Alignas(64) float upper[3][BOUND_LANES];
    _Alignas(64) int32_t finite[BOUND_LANES];
} bounds;

WK_FORCE_FN void addBlock(const wkPointBlock* block, bounds* b)
{
    for (int first = 0; first < WK_POINT_BLOCK; first += BOUND_LANES) {
        for (int lane = 0; lane < BOUND_LANES; ++lane) {
            bool isFinite = isFiniteSlot(block, first + lane);
            b->finite[lane] += isFinite ? 1 : 0;
            for (int axis = 0; axis < 3; ++axis) {
                float value = block->axes[axis][first + lane];
                float low = isFinite ? value : FLT_MAX, high = isFinite ? value : -FLT_MAX;
                b->lower[axis][lane] = low < b->lower[axis][lane] ? low : b->lower[axis][lane];
                b->upper[axis][lane] = high > b->upper[axis][lane] ? high : b->upper[axis][lane];
            }
        }
    }
}

static void joinLanes(const bounds* b, wkPointExtent* extent)
{
    for (int lane = 0; lane < BOUND_LANES; ++lane) {
        extent->finiteCount += b->finite[lane];
        for (int axis = 0; axis < 3; ++axis) {
            float low = b->lower[axis][lane], high = b->upper[axis][lane];
            extent->lower[axis] = low < extent->lower[axis] ? low : extent->lower[axis];
            extent->upper[axis] = high > extent->upper[axis] ? high : extent->upper[axis];
        }
    }
}

static void measure(const wkCloudSource* source, int64_t first, int64_t count,
                    wkPointExtent* extent)
{
    *extent = (wkPointExtent){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}, 0.0, 0};
    bounds b;
    for (int lane = 0; lane < BOUND_LANES; ++lane) {
        b.finite[lane] = 0;
        for (int axis = 0; axis < 3; ++axis) {
            b.lower[axis][lane] = FLT_MAX;
            b.upper[axis][lane] = -FLT_MAX;
        }
    }
    for (int64_t i = 0; i < count; i += WK_POINT_BLOCK) {
        wkPointBlock block;
        double error = readBlock(source, first + i, count - i, &block);
        extent->error = error > extent->error ? error : extent->error;
        addBlock(&block, &b);
    }
    joinLanes(&b, extent);
}

// A bit for each of eight points that is not finite.
WK_FORCE_FN unsigned findNotFinite(const wkPointBlock* block, int first)
{
    wkEight sum = wkSplat8(0.0f);
    for (int axis = 0; axis < 3; ++axis) {
        wkEight values = wkLoad8(&block->axes[axis][first]);
        sum = wkAdd8(sum, wkSub8(values, values));
    }
    return wkNotAbove8(sum, wkSplat8(-1.0f));
}

// Moves the entries of finite points to the front and returns their number.
WK_FORCE_FN int dropEntries(const wkPointBlock* block, wkCurveEntry entries[WK_POINT_BLOCK])
{
    int count = 0;
    for (int first = 0; first < WK_POINT_BLOCK; first += 8) {
        unsigned dropped = findNotFinite(block, first);
        if (dropped == 0) { // mostly
            memmove(&entries[count], &entries[first], 8 * sizeof *entries);
            count += 8;
            continue;
        }
        for (int i = 0; i < 8; ++i) {
            entries[count] = entries[first + i];
            count += (int)(~dropped >> i & 1u);
        }
    }
    return count;
}

static void writeEntries(const wkCloudSource* source, const wkCurvePlan* plan, int64_t first,
                         int64_t count, wkCurveEntry* entries, uint32_t* tops)
{
    wkCurveEntry* end = entries;
    for (int64_t i = 0; i < count; i += WK_POINT_BLOCK) {
        wkPointBlock block;
        _Alignas(64) uint64_t own[WK_POINT_BLOCK];
        readBlock(source, first + i, count - i, &block);
        wkCurvePositions(&plan->grid, &block, own);
        for (int k = 0; k < WK_POINT_BLOCK; ++k) {
            own[k] = own[k] << plan->indexBits | (uint64_t)(first + i + k);
        }
        int kept = dropEntries(&block, own);
        memcpy(end, own, (size_t)kept * sizeof *own);
        end += kept;
    }
    wkCountDigits(entries, (uint32_t)(end - entries), plan->topShift, UINT32_MAX, tops);
}

WK_FORCE_FN wkQuad loadQuad(const float* memory)
{
    wkQuad quad;
    memcpy(&quad, memory, sizeof quad);
    return quad;
}

// The least of eight numbers, for each of four rows of them.
WK_FORCE_FN wkQuad leastOfRows(const wkBoxEnds boxes[4], int axis)
{
    wkQuad quads[4];
    for (int i = 0; i < 4; ++i) {
        const float* row = boxes[i][axis];
        quads[i] = wkMinQuad(loadQuad(row), loadQuad(row + 4));
    }
    wkTransposeQuads(quads);
    return wkMinQuad(wkMinQuad(quads[0], quads[1]), wkMinQuad(quads[2], quads[3]));
}

WK_FORCE_FN wkQuad largestOfRows(const wkBoxEnds boxes[4], int axis)
{
    wkQuad quads[4];
    for (int i = 0; i < 4; ++i) {
        const float* row = boxes[i][axis];
        quads[i] = wkMaxQuad(loadQuad(row), loadQuad(row + 4));
    }
    wkTransposeQuads(quads);
    return wkMaxQuad(wkMaxQuad(quads[0], quads[1]), wkMaxQuad(quads[2], quads[3]));
}

static void joinBoxes(const wkBoxEnds lower[WK_TREE_WIDTH], const wkBoxEnds upper[WK_TREE_WIDTH],
                      const float radii[WK_TREE_WIDTH], wkBoxNode* node)
{
    wkEight radius = wkLoad8(radii);
    // a sum is rounded by up to half a unit in the last place, and so is the next one, which moves it by a whole one
    wkEight share = wkPickGreater8(radius, wkSplat8(0.0f), wkSplat8(FLT_EPSILON), wkSplat8(0.0f));
    for (int axis = 0; axis < 3; ++axis) {
        const wkQuad lows[2] = {leastOfRows(lower, axis), leastOfRows(lower + 4, axis)};
        const wkQuad highs[2] = {largestOfRows(upper, axis), largestOfRows(upper + 4, axis)};
        memcpy(node->lower[axis], lows, sizeof lows);
        memcpy(node->upper[axis], highs, sizeof highs);
    }
    for (int axis = 0; axis < 3; ++axis) {
        wkEight low = wkSub8(wkLoad8(node->lower[axis]), radius);
        wkEight high = wkAdd8(wkLoad8(node->upper[axis]), radius);
        wkStore8(node->lower[axis], wkSub8(low, wkMul8(share, wkAbs8(low))));
        wkStore8(node->upper[axis], wkAdd8(high, wkMul8(share, wkAbs8(high))));
    }
}

extern const wkCloudLanes WK_KERNEL(wkCloudLanes);
const wkCloudLanes WK_KERNEL(wkCloudLanes) = {measure, writeEntries, sortBucket, joinBoxes};
