// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Spheres that the cells of a field leave open, compared with the points of a cloud. Inline, for SIMD files.

#include "batch/cloud_octet_kernel.h"

// A sphere, or a point, among the points of a cloud.
typedef struct pointSearch {
    const wkFieldCloud* cloud;
    const float* center;
    float local[3]; // the center in the frame of the cloud
    float reach;    // of the sphere, with that of all points
    float square;   // reach squared, or the least squared distance
} pointSearch;

static pointSearch pointSearchOf(const wkFieldCloud* cloud, const float center[3], float reach)
{
    wkVec3d local =
        wkFrameLocal(&cloud->frame, wkVec((double)center[0], (double)center[1], (double)center[2]));
    pointSearch search = {
        cloud, center, {(float)local.x, (float)local.y, (float)local.z}, reach, reach * reach};
    return search;
}

// Returns the squared distances of the points of a group from the center.
WK_FORCE_FN wkEight groupSquares(const pointSearch* search, uint32_t group)
{
    const wkPointGroup* from = &wkCloudGroups(search->cloud->cloud)[group];
    const float* columns[3] = {from->x, from->y, from->z};
    wkEight sum = wkSplat8(0.0f);
    for (int axis = 0; axis < 3; ++axis) {
        _Alignas(32) float column[WK_OCTET];
        memcpy(column, columns[axis], sizeof column);
        wkEight out = wkSub8(wkLoad8(column), wkSplat8(search->local[axis]));
        sum = wkAdd8(sum, wkMul8(out, out));
    }
    return sum;
}

static bool touchesGroup(const pointSearch* search, uint32_t group)
{
    wkEight squares = groupSquares(search, group);
    if (search->cloud->cloud->radiusOffset == 0) {
        return wkNotAbove8(squares, wkSplat8(search->square)) != 0;
    }
    wkEight reach = wkAdd8(wkGroupRadii(search->cloud, group), wkSplat8(search->reach));
    return wkNotAbove8(squares, wkMul8(reach, reach)) != 0;
}

static bool touchesBoxes(const pointSearch* search, uint32_t octet, int level, unsigned mask)
{
    const wkFieldCloud* cloud = search->cloud;
    wkEight squares = wkOctetBoxSquares(&cloud->octets[octet], search->center);
    unsigned near = wkNotAbove8(squares, wkSplat8(search->square)) & mask;
    for (; near != 0; near &= near - 1) {
        int slot = __builtin_ctz(near);
        bool isTouching = level == 0 ? touchesGroup(search, octet * WK_OCTET + (uint32_t)slot)
                                     : touchesBoxes(search, wkChildOctet(cloud, octet, level, slot),
                                                    level - 1, 0xff);
        if (isTouching) {
            return true;
        }
    }
    return false;
}

static bool wkTouchesCloudPoints(const wkFieldCloud* cloud, int32_t brick, const float center[3],
                                 float radius)
{
    float reach = radius + cloud->sphere + cloud->slack;
    if (reach < 0.0f) {
        return false;
    }
    // NaN touches
    pointSearch search = pointSearchOf(cloud, center, reach);
    for (uint32_t i = cloud->bricks[brick]; i < cloud->bricks[brick + 1]; ++i) {
        const wkCloudEntry* entry = &cloud->entries[i];
        if (touchesBoxes(&search, entry->octet, entry->level, entry->mask)) {
            return true;
        }
    }
    return false;
}

// Lowers the least distance by the points of a group. Boxes cull by its square, so it is kept at 0 or more: points
// with radii of their own may contain the center.
static void nearGroup(pointSearch* search, uint32_t group, float* least)
{
    _Alignas(32) float away[WK_OCTET];
    wkStore8(away,
             wkSub8(wkSqrt8(groupSquares(search, group)), wkGroupRadii(search->cloud, group)));
    for (int i = 0; i < WK_OCTET; ++i) {
        *least = away[i] < *least ? away[i] : *least;
    }
    float positive = *least > 0.0f ? *least : 0.0f;
    search->square = positive * positive;
}

static void nearBoxes(pointSearch* search, uint32_t octet, int level, unsigned mask, float* least)
{
    const wkFieldCloud* cloud = search->cloud;
    _Alignas(32) float squares[WK_OCTET];
    wkEight all = wkOctetBoxSquares(&cloud->octets[octet], search->center);
    wkStore8(squares, all);
    unsigned near = wkNotAbove8(all, wkSplat8(search->square)) & mask;
    for (; near != 0; near &= near - 1) {
        int slot = __builtin_ctz(near);
        if (squares[slot] > search->square) {
            continue;
        }
        if (level == 0) {
            nearGroup(search, octet * WK_OCTET + (uint32_t)slot, least);
        } else {
            nearBoxes(search, wkChildOctet(cloud, octet, level, slot), level - 1, 0xff, least);
        }
    }
}

static float wkCloudPointDistance(const wkFieldCloud* cloud, int32_t brick, const float center[3],
                                  float limit)
{
    float taken = cloud->sphere + cloud->slack, reach = limit + taken;
    if (reach < 0.0f) {
        return limit;
    }
    pointSearch search = pointSearchOf(cloud, center, reach);
    float least = reach;
    for (uint32_t i = cloud->bricks[brick]; i < cloud->bricks[brick + 1]; ++i) {
        const wkCloudEntry* entry = &cloud->entries[i];
        nearBoxes(&search, entry->octet, entry->level, entry->mask, &least);
    }
    return least < reach ? least - taken : limit;
}
