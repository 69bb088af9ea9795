// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The passes over all points of a cloud. Points are read in blocks, coordinate by coordinate, so that the compiler
// makes SIMD code of the loops over a block. Compiled once per instruction set.

#include "tree/cloud/cloud_kernel.h"

#include "simd/eight.h"
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
    const char *x = source->axes[0] + first * source->stride,
               *y = source->axes[1] + first * source->stride,
               *z = source->axes[2] + first * source->stride;
    for (int i = 0; i < count; ++i) {
        block->axes[0][i] = wkFloatAt(x);
        block->axes[1][i] = wkFloatAt(y);
        block->axes[2][i] = wkFloatAt(z);
        x += source->stride;
        y += source->stride;
        z += source->stride;
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
    } else if (count == WK_POINT_BLOCK) {
        readFloats(source, first, WK_POINT_BLOCK, block);
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

WK_FORCE_FN bool areAllFinite(const wkPointBlock* block)
{
    int32_t sum = 0;
    for (int i = 0; i < WK_POINT_BLOCK; ++i) {
        sum += isFiniteSlot(block, i) ? 1 : 0;
    }
    return sum == WK_POINT_BLOCK;
}

// Moves the entries of finite points to the front and returns their number.
static int dropEntries(const wkPointBlock* block, uint64_t entries[WK_POINT_BLOCK])
{
    int count = 0;
    for (int i = 0; i < WK_POINT_BLOCK; ++i) {
        entries[count] = entries[i];
        count += isFiniteSlot(block, i) ? 1 : 0;
    }
    return count;
}

static void writeEntries(const wkCloudSource* source, const wkCurvePlan* plan, int64_t first,
                         int64_t count, wkCurveEntry* entries, uint32_t* tops)
{
    for (int64_t i = 0; i < count; i += WK_POINT_BLOCK) {
        wkPointBlock block;
        _Alignas(64) uint64_t own[WK_POINT_BLOCK];
        readBlock(source, first + i, count - i, &block);
        wkCurvePositions(&plan->grid, &block, own);
        for (int k = 0; k < WK_POINT_BLOCK; ++k) {
            own[k] = own[k] << plan->indexBits | (uint64_t)(first + i + k);
        }
        int kept = areAllFinite(&block) ? WK_POINT_BLOCK : dropEntries(&block, own);
        memcpy(entries, own, (size_t)kept * sizeof *own);
        entries += kept;
        for (int k = 0; k < kept; ++k) {
            ++tops[own[k] >> plan->topShift];
        }
    }
}

static void joinBoxes(const wkPartEnds* lower, const wkPartEnds* upper,
                      const float radii[WK_TREE_WIDTH], wkBoxNode* node)
{
    wkEight radius = wkLoad8(radii);
    // a sum is rounded by up to half a unit in the last place, and so is the next one, which moves it by a whole one
    wkEight share = wkPickGreater8(radius, wkSplat8(0.0f), wkSplat8(FLT_EPSILON), wkSplat8(0.0f));
    for (int axis = 0; axis < 3; ++axis) {
        wkEight low = wkLoad8(lower->axes[axis][0]), high = wkLoad8(upper->axes[axis][0]);
        for (int i = 1; i < WK_TREE_WIDTH; ++i) {
            low = wkMin8(low, wkLoad8(lower->axes[axis][i]));
            high = wkMax8(high, wkLoad8(upper->axes[axis][i]));
        }
        low = wkSub8(low, radius);
        high = wkAdd8(high, radius);
        wkStore8(node->lower[axis], wkSub8(low, wkMul8(share, wkAbs8(low))));
        wkStore8(node->upper[axis], wkAdd8(high, wkMul8(share, wkAbs8(high))));
    }
}

extern const wkCloudLanes WK_KERNEL(wkCloudLanes);
const wkCloudLanes WK_KERNEL(wkCloudLanes) = {measure, writeEntries, joinBoxes};
