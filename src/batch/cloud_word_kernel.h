// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Words of cells: a plane below the distances in a whole cell, and a bound above them. Inline, for SIMD files.
//
// Below: the squared distance from any set, less the square of the position, is the least of linear functions,
// so it is concave, and within a cell it is above what its values at the vertices interpolate to. So a plane P
// that is below the distances at the eight vertices yields a bound for the whole cell: the squared distance is at
// least P^2 less s^2 / 4 times the sum of 1 - g^2 over the axes, with the edge s of the cell and the slopes g
// of the plane. Boxes around points take the place of points at the vertices.
//
// Above: the distance from one point of the cloud, which is near the middle of the cell.

#include "batch/cloud_brick_kernel.h"

// Bounds at the eight vertices of cells.
typedef struct cellVertices {
    wkFloatW values[WK_FIELD_EIGHT]; // x first
} cellVertices;

WK_FORCE_FN cellVertices loadVertices(const float* lower, size_t row, size_t slice)
{
    cellVertices vertices;
    for (int i = 0; i < WK_FIELD_EIGHT; ++i) {
        vertices.values[i] = wkLoadAnyF(lower + (size_t)(i % 2) + (size_t)(i / 2 % 2) * row +
                                        (size_t)(i / 4) * slice);
    }
    return vertices;
}

// Returns the mean slope along an axis, in whole numbers.
WK_FORCE_FN wkFloatW slopeAlong(const cellVertices* vertices, int axis, float size)
{
    wkFloatW sum = wkSplatF(0.0f);
    for (int i = 0; i < WK_FIELD_EIGHT; ++i) {
        bool isUpper = (i >> axis & 1) != 0;
        sum = isUpper ? wkAddF(sum, vertices->values[i]) : wkSubF(sum, vertices->values[i]);
    }
    return wkRoundSlope(wkMulF(sum, wkSplatF((float)(WK_FIELD_STEEPEST + 1) / (4.0f * size))));
}

// Returns the least distance at a vertex over a plane through zero in the middle.
WK_FORCE_FN wkFloatW leastOverPlane(const cellVertices* vertices, wkFloatW x, wkFloatW y,
                                    wkFloatW z)
{
    wkFloatW least = wkSplatF(FLT_MAX);
    for (int i = 0; i < WK_FIELD_EIGHT; ++i) {
        wkFloatW value = vertices->values[i];
        value = i % 2 == 0 ? wkAddF(value, x) : wkSubF(value, x);
        value = i / 2 % 2 == 0 ? wkAddF(value, y) : wkSubF(value, y);
        value = i / 4 == 0 ? wkAddF(value, z) : wkSubF(value, z);
        least = wkMinF(least, value);
    }
    return least;
}

WK_FORCE_FN wkIntW selectInt(wkFloatW a, wkFloatW b, wkIntW chosen, wkIntW other)
{
    return wkBitsOfF(wkSelectGreaterF(a, b, wkFloatOfBitsI(chosen), wkFloatOfBitsI(other)));
}

// Steps below and above a distance, as wkStepsBelow and wkStepsAbove have them.
WK_FORCE_FN wkFloatW limitSteps(wkFloatW steps, int highest)
{
    return wkMinF(wkMaxF(steps, wkSplatF(0.0f)), wkSplatF((float)highest));
}

// Returns what the steepness of a plane along an axis adds to `lowerPlaneInside`.
WK_FORCE_FN wkFloatW steepTerm(wkFloatW along, wkFloatW most, float halfSquare)
{
    wkFloatW square = wkMulF(along, along);
    wkFloatW curved =
        wkDivF(wkMulF(wkMulF(wkSplatF(0.5f), most), square), wkSubF(wkSplatF(halfSquare), square));
    return wkMinF(curved, wkAbsF(along));
}

// Lowers a plane P that is below the distances at the vertices until it is below those in the whole cell, by d.
// Along an axis, u goes from -1 to 1 through the cell, and 2 d P - d^2 has to be at least the sum of
// h^2 (1 - g^2) (1 - u^2), with half the edge h: then (P - d)^2 is below the squared distance. The least of the
// difference is a quadratic function of each u, so for any d up to some D it is enough that 2 d times
// P in the middle - D / 2 - the sum of min(D g^2 / (2 (1 - g^2)), h |g|) is at least the sum of h^2 (1 - g^2).
// @param isKnown above zero where such a d was found
WK_FORCE_FN wkFloatW lowerPlaneInside(wkFloatW middle, wkFloatW lowest, wkFloatW bent, wkFloatW x,
                                      wkFloatW y, wkFloatW z, float half, wkFloatW* isKnown)
{
    wkFloatW zero = wkSplatF(0.0f), tiny = wkSplatF(1e-6f);
    wkFloatW most = wkDivF(bent, wkMaxF(middle, tiny));
    wkFloatW terms = wkAddF(steepTerm(x, most, half * half), steepTerm(y, most, half * half));
    terms = wkAddF(terms, steepTerm(z, most, half * half));
    wkFloatW left = wkSubF(middle, wkAddF(terms, wkMulF(wkSplatF(0.5f), most)));
    wkFloatW down = wkDivF(wkMulF(wkSplatF(0.5f), bent), wkMaxF(left, tiny));
    // all vertices of the plane have to be above zero, and d has to be at most D
    wkFloatW isWithin = wkSubF(wkAddF(left, left), middle);
    *isKnown = wkKeepGreaterF(lowest, zero, isWithin);
    return wkSubF(middle, down);
}

// Makes the words of as many cells as there are lanes.
// @param pointSlopes of the distance from the points of the cells
WK_FORCE_FN wkIntW makeWords(const wkCloudBuild* build, wkIntW pointSlopes, const float* lower,
                             const float* upper)
{
    const wkFieldGrid* grid = build->grid;
    const wkFieldCloud* cloud = build->cloud;
    size_t row = (size_t)grid->count[0], slice = row * (size_t)grid->count[1];
    wkFloatW unit = wkSplatF(0.5f * grid->slope), zero = wkSplatF(0.0f);
    cellVertices vertices = loadVertices(lower, row, slice);
    wkFloatW wholeX = slopeAlong(&vertices, 0, grid->size);
    wkFloatW wholeY = slopeAlong(&vertices, 1, grid->size);
    wkFloatW wholeZ = slopeAlong(&vertices, 2, grid->size);
    wkFloatW x = wkMulF(wholeX, unit), y = wkMulF(wholeY, unit), z = wkMulF(wholeZ, unit);
    wkFloatW least = leastOverPlane(&vertices, x, y, z);
    wkFloatW steep = wkAddF(wkAddF(wkAbsF(x), wkAbsF(y)), wkAbsF(z));

    // the plane at its lowest vertex, and what the bound for the inside of the cell takes off there
    float half = 0.5f * grid->size;
    wkFloatW lowest = wkMaxF(wkSubF(least, steep), zero);
    wkFloatW bent = wkSubF(wkSplatF(3.0f * half * half),
                           wkAddF(wkAddF(wkMulF(x, x), wkMulF(y, y)), wkMulF(z, z)));
    wkFloatW isKnown;
    wkFloatW middle = lowerPlaneInside(least, lowest, bent, x, y, z, half, &isKnown);
    middle = wkSubF(middle, wkSplatF(cloud->sphere + cloud->slack));

    // the plane above
    float wide = half + build->wider;
    wkFloatW away = wkLoadAnyF(upper);
    wkFloatW bentUp = wkDivF(wkSplatF(1.5f * wide * wide), wkMaxF(away, wkSplatF(1e-9f)));
    wkFloatW pointX = wkToFloatI(wkShiftRightSignI(wkShiftLeftI(pointSlopes, 12), 26));
    wkFloatW pointY = wkToFloatI(wkShiftRightSignI(wkShiftLeftI(pointSlopes, 6), 26));
    wkFloatW pointZ = wkToFloatI(wkShiftRightSignI(pointSlopes, 26));
    wkFloatW between = wkAddF(wkAbsF(wkSubF(pointX, wholeX)), wkAbsF(wkSubF(pointY, wholeY)));
    between = wkAddF(between, wkAbsF(wkSubF(pointZ, wholeZ)));
    // the slopes of points are rounded: by half a unit, and one of them by up to one where it is the steepest
    between = wkAddF(between, wkSplatF(2.0f));
    wkFloatW tangent =
        wkAddF(bentUp, wkMulF(between, wkSplatF(wide / (float)(WK_FIELD_STEEPEST + 1))));
    wkFloatW byWay = wkAddF(wkSplatF(WK_CUBE_RADIUS * wide), steep);
    wkFloatW most = wkSubF(away, wkSplatF(cloud->sphere - cloud->slack));
    wkFloatW above = wkAddF(most, wkMinF(tangent, byWay));
    most = wkAddF(most, wkSplatF(WK_CUBE_RADIUS * wide));

    wkFloatW raised = wkSubF(wkSplatF(grid->bias), wkAddF(wkAddF(x, y), z));
    wkFloatW vertex = wkSubF(wkAddF(middle, raised), wkSplatF(build->wider));
    // nothing is known below where the bound of the inside vanishes
    vertex = wkSelectGreaterF(isKnown, zero, vertex, zero);
    wkFloatW steps =
        limitSteps(wkSubF(wkMulF(vertex, wkSplatF(1.0f / grid->step)), wkSplatF(WK_STEP_ROUNDING)),
                   WK_FIELD_FAR);
    wkIntW whole = wkTruncateF(steps);
    wkFloatW gap = wkSubF(wkAddF(wkAddF(above, raised), wkSplatF(build->wider)),
                          wkMulF(wkToFloatI(whole), wkSplatF(grid->step)));
    wkFloatW flat =
        wkAddF(most, wkSplatF(grid->bias + build->wider - (float)build->flatSteps * grid->step));
    wkFloatW chosen = wkSelectGreaterF(vertex, zero, gap, flat);
    wkIntW gaps = wkTruncateF(limitSteps(
        wkAddF(wkMulF(chosen, wkSplatF(1.0f / grid->gapStep)), wkSplatF(1.0f + WK_STEP_ROUNDING)),
        WK_FIELD_NONE));
    wkIntW plane = wkOrI(whole, wkSlopeBits(wholeX, 14));
    plane = wkOrI(plane, wkOrI(wkSlopeBits(wholeY, 20), wkSlopeBits(wholeZ, 26)));
    plane = selectInt(vertex, zero, plane, wkSplatI(build->flatSteps));
    return wkOrI(plane, wkShiftLeftI(gaps, 8));
}

static void wkFillSlice(const wkCloudBuild* build, int32_t z)
{
    const wkFieldGrid* grid = build->grid;
    const uint8_t* bricks =
        &build->isBounded[(z / WK_FIELD_SPLIT) * (grid->count[1] / WK_FIELD_SPLIT) *
                          (grid->count[0] / WK_FIELD_SPLIT)];
    for (int32_t y = 1; y < grid->count[1] - 1; ++y) {
        size_t row = (size_t)grid->count[0] * ((size_t)y + (size_t)grid->count[1] * (size_t)z);
        const uint8_t* isBounded =
            &bricks[(y / WK_FIELD_SPLIT) * (grid->count[0] / WK_FIELD_SPLIT)];
        for (int32_t x = 0; x < grid->count[0]; x += WK_FLOAT_LANES) {
            size_t at = row + (size_t)x;
            uint32_t* into = &build->cloud->words[at];
            int32_t left = grid->count[0] - x;
            int32_t count = left < WK_FLOAT_LANES ? left : WK_FLOAT_LANES;
            int any = 0;
            for (int32_t i = 0; i < count; i += WK_FIELD_SPLIT) {
                any |= isBounded[(x + i) / WK_FIELD_SPLIT];
            }
            wkFloatW slopes;
            _Alignas(64) float part[WK_FLOAT_LANES];
            if (count == WK_FLOAT_LANES) {
                slopes = wkLoadAnyF((const float*)(const void*)into);
            } else {
                memcpy(part, into, (size_t)count * sizeof *part);
                slopes = wkLoadF(part);
            }
            wkIntW words = wkSplatI(WK_FIELD_NONE << 8);
            if (any != 0) {
                words = makeWords(build, wkBitsOfF(slopes), &build->lower[at], &build->upper[at]);
            }
            if (count == WK_FLOAT_LANES) {
                wkStoreAnyF((float*)(void*)into, wkFloatOfBitsI(words));
            } else {
                wkStoreF(part, wkFloatOfBitsI(words));
                memcpy(into, part, (size_t)count * sizeof *part);
            }
        }
    }
}

// A plane of a word.
typedef struct wordPlane {
    wkFloatW steps;
    wkFloatW slope[3];
    wkIntW gap;
} wordPlane;

WK_FORCE_FN wordPlane planeOf(wkIntW word)
{
    wordPlane plane;
    plane.steps = wkToFloatI(wkAndI(word, wkSplatI(0xff)));
    plane.slope[0] = wkToFloatI(wkShiftRightSignI(wkShiftLeftI(word, 12), 26));
    plane.slope[1] = wkToFloatI(wkShiftRightSignI(wkShiftLeftI(word, 6), 26));
    plane.slope[2] = wkToFloatI(wkShiftRightSignI(word, 26));
    plane.gap = wkAndI(wkShiftRightI(word, 8), wkSplatI(WK_FIELD_NONE));
    return plane;
}

// Returns how far a plane is below another one in the whole cell, in metres; negative: it is above somewhere.
WK_FORCE_FN wkFloatW belowOf(const wkFieldGrid* grid, const wordPlane* a, const wordPlane* b)
{
    wkFloatW zero = wkSplatF(0.0f), sum = zero;
    for (int axis = 0; axis < 3; ++axis) {
        sum = wkAddF(sum, wkMinF(wkSubF(b->slope[axis], a->slope[axis]), zero));
    }
    return wkAddF(wkMulF(wkSubF(b->steps, a->steps), wkSplatF(grid->step)),
                  wkMulF(sum, wkSplatF(grid->slope)));
}

// Lowers a plane by a length; its upper bound stays where it is.
WK_FORCE_FN wkIntW lowerPlane(const wkFieldGrid* grid, wkIntW word, const wordPlane* plane,
                              wkFloatW by)
{
    wkFloatW down =
        wkToFloatI(wkTruncateF(wkAddF(wkMulF(by, wkSplatF(1.0f / grid->step)), wkSplatF(1.01f))));
    wkFloatW steps = wkSubF(plane->steps, down), zero = wkSplatF(0.0f);
    wkFloatW gap = wkMulF(wkToFloatI(plane->gap), wkSplatF(grid->gapStep));
    // a plane that ends below zero becomes flat
    wkFloatW rise = zero;
    for (int axis = 0; axis < 3; ++axis) {
        rise = wkAddF(rise, wkMaxF(plane->slope[axis], zero));
    }
    wkFloatW flat = wkAddF(wkAddF(gap, wkMulF(plane->steps, wkSplatF(grid->step))),
                           wkMulF(rise, wkSplatF(grid->slope)));
    wkFloatW sloped = wkAddF(gap, wkMulF(down, wkSplatF(grid->step)));
    wkFloatW wide = wkSelectGreaterF(zero, steps, flat, sloped);
    wkIntW gaps = wkTruncateF(limitSteps(
        wkAddF(wkMulF(wide, wkSplatF(1.0f / grid->gapStep)), wkSplatF(1.0f + WK_STEP_ROUNDING)),
        WK_FIELD_NONE));
    // what had no upper bound has none
    gaps = selectInt(wkToFloatI(plane->gap), wkSplatF((float)WK_FIELD_NONE - 0.5f),
                     wkSplatI(WK_FIELD_NONE), gaps);
    wkIntW slopes = wkAndI(word, wkSplatI((int32_t)0xffffc000u));
    wkIntW lowered = wkOrI(slopes, wkTruncateF(wkMaxF(steps, zero)));
    lowered = selectInt(zero, steps, wkSplatI(0), lowered);
    return wkOrI(lowered, wkShiftLeftI(gaps, 8));
}

// Returns the merged words of as many cells as there are lanes.
WK_FORCE_FN wkIntW mergeWords(const wkFieldGrid* grid, wkIntW a, wkIntW b)
{
    wkFloatW zero = wkSplatF(0.0f);
    wordPlane planeA = planeOf(a), planeB = planeOf(b);
    wkFloatW aBelow = belowOf(grid, &planeA, &planeB);
    wkFloatW bBelow = belowOf(grid, &planeB, &planeA);
    wkIntW lowA = selectInt(zero, aBelow, lowerPlane(grid, a, &planeA, wkSubF(zero, aBelow)), a);
    wkIntW lowB = selectInt(zero, bBelow, lowerPlane(grid, b, &planeB, wkSubF(zero, bBelow)), b);
    // the one that has to be lowered by less
    return selectInt(bBelow, aBelow, lowB, lowA);
}

// The number of cells is a multiple of that of lanes, as there are whole bricks.
static void wkMergeCloudWords(const wkFieldGrid* grid, const uint32_t* words, bool isCertain,
                              int32_t count, uint32_t* into)
{
    wkIntW far = wkSplatI(WK_FIELD_FAR | WK_FIELD_NONE << 8);
    wkIntW more = wkSplatI(isCertain ? 0 : WK_FIELD_NONE << 8);
    for (int32_t i = 0; i < count; i += WK_FLOAT_LANES) {
        wkIntW a = wkLoadI((const int32_t*)&into[i]);
        wkIntW b = wkOrI(wkLoadI((const int32_t*)&words[i]), more);
        // most cells are far from all other objects, or from the cloud
        if (wkEqualBitsI(b, far) == WK_ALL_FLOAT_LANES) {
            continue;
        }
        bool isAlone = wkEqualBitsI(a, far) == WK_ALL_FLOAT_LANES;
        wkStoreI((int32_t*)&into[i], isAlone ? b : mergeWords(grid, a, b));
    }
}
