// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Tests of blocks of points against ranges, boxes and unions of spheres. Compiled once per instruction set.

#include "sense/filter/filter_kernel.h"

#include "simd/box_lanes.h"
#include "simd/pack.h"
#include "simd/simd_int.h"

static uint64_t findFinite(const wkFilterBlock* block)
{
    uint64_t finite = 0;
    for (int i = 0; i < WK_FILTER_BLOCK; i += WK_FLOAT_LANES) {
        // zero times a number that is not finite is NaN, which is above nothing
        wkFloatW zero = wkSplatF(0.0f);
        wkFloatW sum =
            wkAddF(wkAddF(wkMulF(wkLoadF(block->x + i), zero), wkMulF(wkLoadF(block->y + i), zero)),
                   wkMulF(wkLoadF(block->z + i), zero));
        finite |= (uint64_t)wkGreaterBitsF(sum, wkSplatF(-1.0f)) << i;
    }
    return finite;
}

static void packIndices(int32_t first, uint64_t bits, int32_t* indices)
{
    _Alignas(64) int32_t ascending[WK_FLOAT_LANES];
    for (int lane = 0; lane < WK_FLOAT_LANES; ++lane) {
        ascending[lane] = lane;
    }
    wkIntW numbers = wkAddI(wkLoadI(ascending), wkSplatI(first));
    for (int i = 0; i < WK_FILTER_BLOCK; i += WK_FLOAT_LANES) {
        unsigned here = (unsigned)(bits >> i) & WK_ALL_FLOAT_LANES;
        wkPackF((float*)(void*)indices, wkFloatOfBitsI(numbers), here);
        indices += __builtin_popcount(here);
        numbers = wkAddI(numbers, wkSplatI(WK_FLOAT_LANES));
    }
}

WK_FORCE_FN wkFloatW sumOf(wkFloatW a, wkFloatW b, wkFloatW c)
{
    return wkAddF(wkAddF(a, b), c);
}

WK_FORCE_FN wkFloatW squareOf(wkFloatW a, wkFloatW b, wkFloatW c)
{
    return sumOf(wkMulF(a, a), wkMulF(b, b), wkMulF(c, c));
}

WK_FORCE_FN wkFloatW fromCenter(const float* coordinates, float center)
{
    return wkSubF(wkLoadF(coordinates), wkSplatF(center));
}

static uint64_t testRange(const wkRangeTest* test, const wkFilterBlock* block, uint64_t asked,
                          uint64_t* unsure)
{
    uint64_t inside = 0, outside = 0;
    for (int i = 0; i < WK_FILTER_BLOCK; i += WK_FLOAT_LANES) {
        wkFloatW square = squareOf(fromCenter(block->x + i, test->center[0]),
                                   fromCenter(block->y + i, test->center[1]),
                                   fromCenter(block->z + i, test->center[2]));
        unsigned out = wkGreaterBitsF(wkSplatF(test->minOutside), square) |
                       wkGreaterBitsF(square, wkSplatF(test->maxOutside));
        unsigned in = wkNotAboveBitsF(wkSplatF(test->minInside), square) &
                      wkNotAboveBitsF(square, wkSplatF(test->maxInside));
        outside |= (uint64_t)out << i;
        inside |= (uint64_t)in << i;
    }
    *unsure = asked & ~(inside | outside);
    return asked & inside;
}

// How far points are outside of two parallel sides of a box; negative inside.
WK_FORCE_FN wkFloatW pastSides(const wkBoxTest* test, int axis, const wkFloatW from[3])
{
    const float* row = test->rows[axis];
    wkFloatW along = sumOf(wkMulF(from[0], wkSplatF(row[0])), wkMulF(from[1], wkSplatF(row[1])),
                           wkMulF(from[2], wkSplatF(row[2])));
    return wkMaxF(wkSubF(wkSplatF(test->lower[axis]), along),
                  wkSubF(along, wkSplatF(test->upper[axis])));
}

static uint64_t testAligned(const wkBoxTest* test, const wkFilterBlock* block, uint64_t asked)
{
    uint64_t inside = 0;
    for (int i = 0; i < WK_FILTER_BLOCK; i += WK_FLOAT_LANES) {
        const wkFloatW p[3] = {wkLoadF(block->x + i), wkLoadF(block->y + i), wkLoadF(block->z + i)};
        inside |= (uint64_t)wkInBoxBitsF(p, test->exact) << i;
    }
    return asked & inside;
}

static uint64_t testBox(const wkBoxTest* test, const wkFilterBlock* block, uint64_t asked,
                        uint64_t* unsure)
{
    if (test->isAligned) {
        *unsure = 0;
        return testAligned(test, block, asked);
    }
    uint64_t inside = 0, outside = 0;
    for (int i = 0; i < WK_FILTER_BLOCK; i += WK_FLOAT_LANES) {
        wkFloatW from[3] = {fromCenter(block->x + i, test->center[0]),
                            fromCenter(block->y + i, test->center[1]),
                            fromCenter(block->z + i, test->center[2])};
        wkFloatW past = wkMaxF(wkMaxF(pastSides(test, 0, from), pastSides(test, 1, from)),
                               pastSides(test, 2, from));
        wkFloatW lengths = sumOf(wkAbsF(from[0]), wkAbsF(from[1]), wkAbsF(from[2]));
        wkFloatW slack =
            wkMulF(wkAddF(lengths, wkSplatF(test->reach)), wkSplatF(WK_FILTER_ROUNDING));
        outside |= (uint64_t)wkGreaterBitsF(past, slack) << i;
        inside |= (uint64_t)wkGreaterBitsF(wkSubF(wkSplatF(0.0f), slack), past) << i;
    }
    *unsure = asked & ~(inside | outside);
    return asked & inside;
}

// The verdict of a list of spheres about a point.
WK_FORCE_FN wkSphereCell testList(const wkSphereTest* test, wkSphereList list, float x, float y,
                                  float z)
{
    unsigned near = 0;
    for (int32_t g = list.first; g < list.first + list.count; ++g) {
        const wkSphereGroup* group = &test->groups[g];
        for (int i = 0; i < WK_SPHERE_GROUP; i += WK_FLOAT_LANES) {
            wkFloatW square = squareOf(wkSubF(wkLoadF(group->x + i), wkSplatF(x)),
                                       wkSubF(wkLoadF(group->y + i), wkSplatF(y)),
                                       wkSubF(wkLoadF(group->z + i), wkSplatF(z)));
            if (wkNotAboveBitsF(square, wkLoadF(group->inner + i)) != 0) {
                return wk_cellInside;
            }
            near |= wkNotAboveBitsF(square, wkLoadF(group->outer + i));
        }
    }
    return near != 0 ? wk_cellMixed : wk_cellOutside;
}

// Distance into the grid along an axis; negative outside of it.
WK_FORCE_FN wkFloatW intoGrid(const wkSphereTest* test, int axis, wkFloatW position)
{
    return wkMinF(wkSubF(position, wkSplatF(test->lower[axis])),
                  wkSubF(wkSplatF(test->upper[axis]), position));
}

// Number of the cell along an axis. Positions outside of the grid get one of its cells, NaN any number.
WK_FORCE_FN wkIntW cellOf(const wkSphereTest* test, int axis, wkFloatW position)
{
    wkFloatW cell =
        wkMulF(wkSubF(position, wkSplatF(test->lower[axis])), wkSplatF(test->scale[axis]));
    cell = wkMaxF(wkMinF(cell, wkSplatF(WK_SPHERE_CELLS - 1)), wkSplatF(0.0f));
    return wkAndI(wkTruncateF(cell), wkSplatI(WK_SPHERE_CELLS - 1));
}

static uint64_t testSpheres(const wkSphereTest* test, const wkFilterBlock* block, uint64_t asked,
                            uint64_t* unsure)
{
    uint64_t inside = 0;
    *unsure = 0;
    for (int i = 0; i < WK_FILTER_BLOCK; i += WK_FLOAT_LANES) {
        wkFloatW x = wkLoadF(block->x + i), y = wkLoadF(block->y + i), z = wkLoadF(block->z + i);
        wkFloatW into =
            wkMinF(wkMinF(intoGrid(test, 0, x), intoGrid(test, 1, y)), intoGrid(test, 2, z));
        unsigned in = wkGreaterBitsF(into, wkSplatF(0.0f)) & (unsigned)(asked >> i);
        if (in == 0) {
            continue;
        }
        wkIntW row =
            wkAddI(cellOf(test, 1, y), wkMulI(cellOf(test, 2, z), wkSplatI(WK_SPHERE_CELLS)));
        wkIntW index = wkAddI(cellOf(test, 0, x), wkMulI(row, wkSplatI(WK_SPHERE_CELLS)));
        wkIntW cells = wkGatherI(test->cells, index);
        inside |= (uint64_t)(in & wkEqualBitsI(cells, wkSplatI(wk_cellInside))) << i;
        unsigned mixed = in & wkGreaterBitsI(cells, wkSplatI(wk_cellMixed - 1));
        if (mixed == 0) {
            continue;
        }
        _Alignas(64) int32_t found[WK_FLOAT_LANES];
        wkStoreI(found, cells);
        for (; mixed != 0; mixed &= mixed - 1) {
            int lane = __builtin_ctz(mixed), k = i + lane;
            wkSphereList list = test->lists[found[lane] - wk_cellMixed];
            wkSphereCell verdict = testList(test, list, block->x[k], block->y[k], block->z[k]);
            inside |= (uint64_t)(verdict == wk_cellInside) << k;
            *unsure |= (uint64_t)(verdict == wk_cellMixed) << k;
        }
    }
    return inside;
}

// A point is in the shadow where the nearest point to the center, on the line from the sensor to it, is between both
// and in the sphere: with d the point and c the center, 0 < d.c < d.d and (c.c - r r) d.d <= (d.c)^2.
static uint64_t testShadows(const wkShadowTest* test, const wkFilterBlock* block, uint64_t asked,
                            uint64_t* unsure)
{
    uint64_t inside = 0;
    *unsure = 0;
    for (int i = 0; i < WK_FILTER_BLOCK; i += WK_FLOAT_LANES) {
        unsigned left = (unsigned)(asked >> i) & WK_ALL_FLOAT_LANES, in = 0, maybe = 0;
        wkFloatW x = fromCenter(block->x + i, test->sensor[0]);
        wkFloatW y = fromCenter(block->y + i, test->sensor[1]);
        wkFloatW z = fromCenter(block->z + i, test->sensor[2]);
        wkFloatW square = squareOf(x, y, z);
        unsigned near = wkGreaterBitsF(wkSplatF(test->leastSquare), square);
        for (int32_t k = 0; k < test->count && (left & ~in) != 0; ++k) {
            const wkShadowSphere* s = &test->spheres[k];
            wkFloatW along =
                sumOf(wkMulF(x, wkSplatF(s->center[0])), wkMulF(y, wkSplatF(s->center[1])),
                      wkMulF(z, wkSplatF(s->center[2])));
            wkFloatW forward = wkMaxF(along, wkSplatF(0.0f));
            wkFloatW past = wkSubF(wkMulF(square, wkSplatF(s->apart)), wkMulF(forward, forward));
            wkFloatW slack = wkMulF(square, wkSplatF(s->tolerance));
            wkFloatW behind = wkSubF(along, square);
            wkFloatW behindSlack = wkMulF(wkAddF(square, wkSplatF(s->squared)),
                                          wkSplatF((float)(16.0 * WK_FILTER_ROUNDING)));
            // a point before the nearest one of its line is not behind the sphere, unless it is in it: that is
            // possible where the sphere is that around a body
            wkFloatW end = wkAddF(wkSubF(square, wkAddF(along, along)), wkSplatF(s->apart));
            unsigned before = wkGreaterBitsF(behind, behindSlack);
            before &= s->isBound ? wkGreaterBitsF(end, behindSlack) : WK_ALL_FLOAT_LANES;
            unsigned misses = (wkGreaterBitsF(past, slack) | before) & ~near;
            misses &= s->apart > 0.0f ? WK_ALL_FLOAT_LANES : 0;
            unsigned hits = wkGreaterBitsF(wkSubF(wkSplatF(0.0f), slack), past) &
                            wkGreaterBitsF(wkSubF(wkSplatF(0.0f), behindSlack), behind) & ~near;
            hits &= s->isBound || s->apart <= 0.0f ? 0 : WK_ALL_FLOAT_LANES;
            in |= hits & left;
            maybe |= ~(hits | misses) & left;
        }
        inside |= (uint64_t)in << i;
        *unsure |= (uint64_t)(maybe & ~in) << i;
    }
    return inside;
}

static uint64_t findBoxed(const wkBoxListTest* test, const wkFilterBlock* block, uint64_t asked)
{
    uint64_t found = 0;
    for (int i = 0; i < WK_FILTER_BLOCK; i += WK_FLOAT_LANES) {
        const wkFloatW p[3] = {wkLoadF(block->x + i), wkLoadF(block->y + i), wkLoadF(block->z + i)};
        unsigned left = wkInBoxBitsF(p, test->all) & (unsigned)(asked >> i) & WK_ALL_FLOAT_LANES;
        unsigned in = 0;
        for (int32_t k = 0; k < test->count && (left & ~in) != 0; ++k) {
            in |= wkInBoxBitsF(p, test->boxes[k]) & left;
        }
        found |= (uint64_t)in << i;
    }
    return found;
}

extern const wkFilterLanes WK_KERNEL(wkFilterLanes);
const wkFilterLanes WK_KERNEL(wkFilterLanes) = {
    .findFinite = findFinite,
    .packIndices = packIndices,
    .testRange = testRange,
    .testBox = testBox,
    .testSpheres = testSpheres,
    .testShadows = testShadows,
    .findBoxed = findBoxed,
};
