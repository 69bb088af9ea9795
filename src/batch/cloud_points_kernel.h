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
    wkEight x = wkSub8(wkLoad8(from->x), wkSplat8(search->local[0]));
    wkEight y = wkSub8(wkLoad8(from->y), wkSplat8(search->local[1]));
    wkEight z = wkSub8(wkLoad8(from->z), wkSplat8(search->local[2]));
    return wkAdd8(wkAdd8(wkMul8(x, x), wkMul8(y, y)), wkMul8(z, z));
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

// Returns the boxes of an octet that the sphere meets.
WK_FORCE_FN unsigned meetsBoxes(const pointSearch* search, uint32_t octet)
{
    wkEight squares = wkOctetBoxSquares(&search->cloud->octets[octet], search->center);
    return wkNotAbove8(squares, wkSplat8(search->square));
}

static bool touchesBoxes(const pointSearch* search, uint32_t octet, int level, unsigned near)
{
    for (; near != 0; near &= near - 1) {
        int slot = __builtin_ctz(near);
        if (level == 0) {
            if (touchesGroup(search, octet * WK_OCTET + (uint32_t)slot)) {
                return true;
            }
            continue;
        }
        uint32_t child = wkChildOctet(search->cloud, octet, level, slot);
        unsigned below = meetsBoxes(search, child);
        if (below != 0 && touchesBoxes(search, child, level - 1, below)) {
            return true;
        }
    }
    return false;
}

// Entries whose boxes are all compared with a sphere before any of them is descended into: what is met is not
// predictable, and each wrong guess takes as long as an entry.
#define WK_ENTRIES_AT_ONCE 4

static bool wkTouchesCloudPoints(const wkFieldCloud* cloud, int32_t brick, const float center[3],
                                 float radius)
{
    float reach = radius + cloud->sphere + cloud->slack;
    if (reach < 0.0f) {
        return false;
    }
    // NaN touches
    pointSearch search = pointSearchOf(cloud, center, reach);
    uint32_t end = cloud->bricks[brick + 1];
    for (uint32_t first = cloud->bricks[brick]; first < end; first += WK_ENTRIES_AT_ONCE) {
        uint32_t count = end - first < WK_ENTRIES_AT_ONCE ? end - first : WK_ENTRIES_AT_ONCE;
        const wkCloudEntry* entries = &cloud->entries[first];
        unsigned near[WK_ENTRIES_AT_ONCE], any = 0;
        for (uint32_t i = 0; i < count; ++i) {
            near[i] = meetsBoxes(&search, entries[i].octet) & entries[i].mask;
            any |= near[i];
        }
        for (uint32_t i = 0; i < count && any != 0; ++i) {
            if (touchesBoxes(&search, entries[i].octet, entries[i].level, near[i])) {
                return true;
            }
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
