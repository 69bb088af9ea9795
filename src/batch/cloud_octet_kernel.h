// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Octets: eight boxes of the hierarchy of a cloud, or the eight points of a group, in the frame of a field. Inline,
// for SIMD files.

#include "batch/field_cloud_kernel.h"
#include "simd/pack.h"
#include "simd/simd_int.h"
#include "tree/cloud/cloud_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

_Static_assert(WK_OCTET == WK_TREE_WIDTH, "a group of points is an octet");

// Returns the squared distances between a point and eight boxes.
WK_FORCE_FN wkEight wkOctetBoxSquares(const wkCloudOctet* octet, const float center[3])
{
    wkEight zero = wkSplat8(0.0f), sum = zero;
    for (int axis = 0; axis < 3; ++axis) {
        wkEight at = wkSplat8(center[axis]);
        wkEight out = wkMax8(wkSub8(wkLoad8(octet->lower[axis]), at),
                             wkSub8(at, wkLoad8(octet->upper[axis])));
        out = wkMax8(out, zero);
        sum = wkAdd8(sum, wkMul8(out, out));
    }
    return sum;
}

// Returns the squared distances between a point and the points of eight boxes.
WK_FORCE_FN wkEight wkOctetPointSquares(const wkOctetPoints* points, const float center[3])
{
    wkEight sum = wkSplat8(0.0f);
    for (int axis = 0; axis < 3; ++axis) {
        wkEight out = wkSub8(wkLoad8(points->at[axis]), wkSplat8(center[axis]));
        sum = wkAdd8(sum, wkMul8(out, out));
    }
    return sum;
}

// Returns the slot with the least of eight values that are not negative. Its number takes the place of their last
// bits, so the least may come out too small or too large by a millionth of it, and a slot whose value is larger by as
// much may be returned. Both are harmless: users keep a reserve of WK_SQUARE_ROUNDING, 1e-4.
static int leastOfAll(const float* all, float* least)
{
    const wkQuadInt kept = {~7, ~7, ~7, ~7}, low = {0, 1, 2, 3}, high = {4, 5, 6, 7};
    wkQuadInt first, second;
    memcpy(&first, all, sizeof first);
    memcpy(&second, all + 4, sizeof second);
    wkQuad both = wkMinQuad((wkQuad)((first & kept) | low), (wkQuad)((second & kept) | high));
    float a = both[0] < both[1] ? both[0] : both[1], b = both[2] < both[3] ? both[2] : both[3];
    *least = a < b ? a : b;
    uint32_t bits;
    memcpy(&bits, least, sizeof bits);
    return (int)(bits & 7u);
}

// Returns the slot with the least value among those of a mask.
static int wkLeastOfOctet(wkEight values, unsigned mask, float* least)
{
    _Alignas(32) float all[WK_OCTET];
    wkStore8(all, values);
    if (WK_LIKELY(mask == 0xffu)) {
        return leastOfAll(all, least);
    }
    int best = -1;
    for (; mask != 0; mask &= mask - 1) {
        int slot = __builtin_ctz(mask);
        if (best < 0 || all[slot] < *least) {
            *least = all[slot];
            best = slot;
        }
    }
    return best;
}

WK_FORCE_FN uint32_t wkChildOctet(const wkFieldCloud* cloud, uint32_t octet, int level, int slot)
{
    return (uint32_t)cloud->firsts[level - 1] +
           (octet - (uint32_t)cloud->firsts[level]) * WK_OCTET + (uint32_t)slot;
}

WK_FORCE_FN int wkOctetLevel(const wkFieldCloud* cloud, uint32_t octet)
{
    int level = 0;
    while (octet >= (uint32_t)cloud->firsts[level + 1]) {
        ++level;
    }
    return level;
}

// Moves eight points of the cloud into the frame of the field.
WK_FORCE_FN void placeGroup(const wkFieldCloud* cloud, uint32_t group, wkEight placed[3])
{
    const wkPointGroup* from = &wkCloudGroups(cloud->cloud)[group];
    const wkFrame* frame = &cloud->frame;
    const float position[3] = {(float)frame->position.x, (float)frame->position.y,
                               (float)frame->position.z};
    const wkEight local[3] = {wkLoad8(from->x), wkLoad8(from->y), wkLoad8(from->z)};
    if (cloud->isStraight) {
        for (int axis = 0; axis < 3; ++axis) {
            placed[axis] = wkAdd8(local[axis], wkSplat8(position[axis]));
        }
        return;
    }
    const wkMat3d* m = &frame->rotation;
    const float rows[3][3] = {{(float)m->x.x, (float)m->y.x, (float)m->z.x},
                              {(float)m->x.y, (float)m->y.y, (float)m->z.y},
                              {(float)m->x.z, (float)m->y.z, (float)m->z.z}};
    for (int axis = 0; axis < 3; ++axis) {
        wkEight sum = wkMul8(local[0], wkSplat8(rows[axis][0]));
        sum = wkAdd8(sum, wkMul8(local[1], wkSplat8(rows[axis][1])));
        sum = wkAdd8(sum, wkMul8(local[2], wkSplat8(rows[axis][2])));
        placed[axis] = wkAdd8(sum, wkSplat8(position[axis]));
    }
}

// Radii of the points of a group; zero where the cloud has none.
static wkEight wkGroupRadii(const wkFieldCloud* cloud, uint32_t group)
{
    const float* radii = wkCloudFloats(cloud->cloud, cloud->cloud->radiusOffset);
    if (radii == NULL) {
        return wkSplat8(0.0f);
    }
    _Alignas(32) float here[WK_OCTET];
    int32_t last = cloud->cloud->pointCount - 1;
    for (int i = 0; i < WK_OCTET; ++i) {
        int32_t rank = (int32_t)group * WK_OCTET + i;
        here[i] = radii[rank < last ? rank : last];
    }
    return wkLoad8(here);
}

// Makes an octet of the points of a group: boxes are their spheres, or points.
static void wkOctetOfGroup(const wkFieldCloud* cloud, uint32_t group, wkCloudOctet* octet,
                           wkOctetPoints* points)
{
    wkEight placed[3];
    placeGroup(cloud, group, placed);
    wkEight radii = wkAdd8(wkGroupRadii(cloud, group), wkSplat8(cloud->slack));
    for (int axis = 0; axis < 3; ++axis) {
        wkStore8(octet->lower[axis], wkSub8(placed[axis], radii));
        wkStore8(octet->upper[axis], wkAdd8(placed[axis], radii));
        wkStore8(points->at[axis], placed[axis]);
    }
}

static float leastOf(const float* values)
{
    wkQuad low, high;
    memcpy(&low, values, sizeof low);
    memcpy(&high, values + 4, sizeof high);
    wkQuad both = wkMinQuad(low, high);
    float first = both[0] < both[1] ? both[0] : both[1];
    float second = both[2] < both[3] ? both[2] : both[3];
    return first < second ? first : second;
}

static float mostOf(const float* values)
{
    wkQuad low, high;
    memcpy(&low, values, sizeof low);
    memcpy(&high, values + 4, sizeof high);
    wkQuad both = wkMaxQuad(low, high);
    float first = both[0] > both[1] ? both[0] : both[1];
    float second = both[2] > both[3] ? both[2] : both[3];
    return first > second ? first : second;
}

static void wkPlaceOctet(const wkFieldCloud* cloud, int32_t octet, wkCloudOctet* boxes,
                         wkOctetPoints* points)
{
    uint32_t groupCount = (uint32_t)WK_GROUP_COUNT(cloud->cloud->pointCount);
    for (int slot = 0; slot < WK_OCTET; ++slot) {
        uint32_t group = (uint32_t)octet * WK_OCTET + (uint32_t)slot;
        if (group >= groupCount) {
            for (int axis = 0; axis < 3; ++axis) {
                boxes->lower[axis][slot] = boxes->upper[axis][slot] = points->at[axis][slot] =
                    WK_FAR_AWAY;
            }
            continue;
        }
        wkCloudOctet each;
        wkOctetPoints placed;
        wkOctetOfGroup(cloud, group, &each, &placed);
        for (int axis = 0; axis < 3; ++axis) {
            boxes->lower[axis][slot] = leastOf(each.lower[axis]);
            boxes->upper[axis][slot] = mostOf(each.upper[axis]);
            points->at[axis][slot] = placed.at[axis][WK_OCTET / 2];
        }
    }
}
