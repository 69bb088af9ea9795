// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Boxes around points that may hold the nearest point to some position in a cube or a brick of cells. Inline, for
// SIMD files.

#include "batch/cloud_octet_kernel.h"

// Half the diagonal of a cube of edge 2, rounded up.
#define WK_CUBE_RADIUS 1.7320509f

// Boxes are refined until their edges are below this share of a cell, or of the distance.
#define WK_FINE_CELLS 3.5f
#define WK_FINE_SHARE 0.4f

// The number of a box takes the place of the last bits of a squared distance.
#define WK_BOX_NUMBER_BITS (WK_NEAR_BOXES - 1)

static const _Alignas(64) int32_t wkLaneNumbers[16] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                       8, 9, 10, 11, 12, 13, 14, 15};

// Rounding of squared distances as a share of these and of the squared size of a cube, with a reserve.
#define WK_SQUARE_ROUNDING 1e-4f

// A cube of cells, and the point that is the nearest to its center so far.
typedef struct wkCubeSearch {
    const wkFieldCloud* cloud;
    wkNearBoxes* boxes;
    float center[3];
    float half;     // half the edge of the cube
    float fine;     // edges of boxes that are not refined
    float furthest; // distance from the center beyond which nothing matters
    float nearest[3];
    float square; // squared distance of that point
} wkCubeSearch;

// Takes a point as the nearest if it is.
static void improve(wkCubeSearch* search, const wkOctetPoints* points, unsigned mask, int* best)
{
    float least = search->square;
    int slot = wkLeastOfOctet(wkOctetPointSquares(points, search->center), mask, &least);
    *best = slot;
    if (slot >= 0 && least < search->square) {
        search->square = least;
        for (int axis = 0; axis < 3; ++axis) {
            search->nearest[axis] = points->at[axis][slot];
        }
    }
}

// Descends to the points that seem to be the nearest to the center.
static void wkDescendToNearest(wkCubeSearch* search, uint32_t octet, int level, unsigned mask)
{
    const wkFieldCloud* cloud = search->cloud;
    int best = -1;
    for (;;) {
        improve(search, &cloud->points[octet], mask, &best);
        if (level == 0) {
            break;
        }
        octet = wkChildOctet(cloud, octet, level, best);
        --level;
        mask = 0xff;
    }
    wkCloudOctet boxes;
    wkOctetPoints points;
    wkOctetOfGroup(cloud, octet * WK_OCTET + (uint32_t)best, &boxes, &points);
    improve(search, &points, 0xff, &best);
}

// Returns the limit of the sum over the axes of `leastAlong`. No point p of a box is the nearest where the plane
// half way to the nearest point q separates it from a cube with the center c and half the edge h: where
// |c - p|^2 - 2 h |p - q|, with the sum over the axes for the latter, is above |c - q|^2.
static float limitOf(const wkCubeSearch* search)
{
    return search->square + WK_SQUARE_ROUNDING * (search->square + search->half * search->half);
}

// Returns the least of (c - p)^2 - 2 h |p - q| for coordinates p of an interval: at c + h or c - h, or at the end
// that is the nearest to it.
WK_FORCE_FN wkEight leastAlong8(const wkCubeSearch* search, int axis, wkEight lower, wkEight upper)
{
    wkEight center = wkSplat8(search->center[axis]), to = wkSplat8(search->nearest[axis]);
    wkEight half = wkSplat8(search->half), edge = wkSplat8(2.0f * search->half);
    wkEight low = wkMin8(wkMax8(wkSub8(center, half), lower), upper);
    wkEight high = wkMin8(wkMax8(wkAdd8(center, half), lower), upper);
    wkEight outLow = wkSub8(low, center), outHigh = wkSub8(high, center);
    return wkMin8(wkSub8(wkMul8(outLow, outLow), wkMul8(edge, wkAbs8(wkSub8(low, to)))),
                  wkSub8(wkMul8(outHigh, outHigh), wkMul8(edge, wkAbs8(wkSub8(high, to)))));
}

// Returns the boxes that may hold the nearest point to some point of the cube, and those of them that need no
// refinement.
WK_FORCE_FN unsigned selectBoxes(const wkCubeSearch* search, const wkCloudOctet* octet,
                                 unsigned mask, unsigned* fine)
{
    wkEight least = wkSplat8(0.0f), size = least;
    for (int axis = 0; axis < 3; ++axis) {
        wkEight lower = wkLoad8(octet->lower[axis]), upper = wkLoad8(octet->upper[axis]);
        least = wkAdd8(least, leastAlong8(search, axis, lower, upper));
        size = wkMax8(size, wkSub8(upper, lower));
    }
    wkEight away = wkSqrt8(wkOctetBoxSquares(octet, search->center));
    unsigned near = wkNotAbove8(least, wkSplat8(limitOf(search))) &
                    wkNotAbove8(away, wkSplat8(search->furthest)) & mask;
    wkEight fineSize =
        wkMax8(wkSplat8(search->fine), wkMul8(wkSub8(away, wkSplat8(WK_CUBE_RADIUS * search->half)),
                                              wkSplat8(WK_FINE_SHARE)));
    *fine = wkNotAbove8(size, fineSize) & near;
    return near;
}

// Numbers of eight boxes: those of the slots of an octet, or the same for all points of a group.
typedef struct boxNumbers {
    uint32_t first;
    const uint32_t* more;
} boxNumbers;

static const uint32_t slotNumbers[WK_OCTET] = {0, 1, 2, 3, 4, 5, 6, 7};
static const uint32_t sameNumbers[WK_OCTET] = {0};

// Adds boxes of an octet to the list of the cube.
static void addBoxes(wkNearBoxes* list, const wkCloudOctet* boxes, const wkOctetPoints* points,
                     unsigned mask, boxNumbers ids, boxNumbers owners)
{
    int32_t at = list->count;
    for (int axis = 0; axis < 3; ++axis) {
        wkPack8(&list->lower[axis][at], wkLoad8(boxes->lower[axis]), mask);
        wkPack8(&list->upper[axis][at], wkLoad8(boxes->upper[axis]), mask);
        wkPack8(&list->point[axis][at], wkLoad8(points->at[axis]), mask);
    }
    wkPackLanes8(mask, ids.more, ids.first, &list->ids[at]);
    wkPackLanes8(mask, owners.more, owners.first, &list->owners[at]);
    list->count += __builtin_popcount(mask);
}

// Adds the boxes of an octet that matter in the cube, refined until they are small; points take the place of the
// boxes of the lowest level that are not.
// @param owner of the boxes below the level of entries
static void wkVisitNearBoxes(wkCubeSearch* search, uint32_t octet, int level, unsigned mask,
                             uint32_t owner)
{
    const wkFieldCloud* cloud = search->cloud;
    const wkCloudOctet* boxes = &cloud->octets[octet];
    const wkOctetPoints* points = &cloud->points[octet];
    boxNumbers ids = {octet * WK_OCTET, slotNumbers}, owners = {owner, sameNumbers};
    if (level >= cloud->entryLevel) {
        owners = ids;
    }
    unsigned fine, near = selectBoxes(search, boxes, mask, &fine);
    if (fine != 0) {
        addBoxes(search->boxes, boxes, points, fine, ids, owners);
    }
    for (unsigned left = near & ~fine; left != 0; left &= left - 1) {
        int slot = __builtin_ctz(left);
        uint32_t own = octet * WK_OCTET + (uint32_t)slot;
        uint32_t ownerBelow = level >= cloud->entryLevel ? own : owner;
        // boxes that wait to be refined keep a place for themselves
        if (search->boxes->count + WK_OCTET * (WK_CLOUD_LEVELS + WK_OCTET) > WK_NEAR_BOXES) {
            addBoxes(search->boxes, boxes, points, 1u << slot, ids, owners);
        } else if (level > 0) {
            wkVisitNearBoxes(search, wkChildOctet(cloud, octet, level, slot), level - 1, 0xff,
                             ownerBelow);
        } else {
            wkCloudOctet eachBox;
            wkOctetPoints each;
            wkOctetOfGroup(cloud, own, &eachBox, &each);
            unsigned any, nearPoints = selectBoxes(search, &eachBox, 0xff, &any);
            boxNumbers group = {own, sameNumbers}, ownerOfGroup = {ownerBelow, sameNumbers};
            addBoxes(search->boxes, &eachBox, &each, nearPoints, group, ownerOfGroup);
        }
    }
}

// Fills the last vector of boxes with some that are far away.
static void wkPadBoxes(wkNearBoxes* list)
{
    for (int32_t i = list->count; i < list->count + WK_FLOAT_LANES; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            list->lower[axis][i] = list->upper[axis][i] = list->point[axis][i] = WK_FAR_AWAY;
        }
    }
}

// Sets up the search for a cube of cells.
static wkCubeSearch wkCubeSearchOf(const wkCloudBuild* build, const int32_t cell[3], int32_t cells)
{
    const wkFieldGrid* grid = build->grid;
    wkCubeSearch search;
    search.cloud = build->cloud;
    search.boxes = NULL;
    search.half = 0.5f * grid->size * (float)cells + build->wider;
    search.fine = WK_FINE_CELLS * grid->size;
    search.furthest =
        build->reach + build->cloud->sphere + build->cloud->slack + WK_CUBE_RADIUS * search.half;
    search.square = FLT_MAX;
    for (int axis = 0; axis < 3; ++axis) {
        search.center[axis] =
            grid->lower[axis] + grid->size * ((float)cell[axis] + 0.5f * (float)cells);
        search.nearest[axis] = 0.0f;
    }
    return search;
}

// Finds the point of the boxes of the cube that is the nearest to the center of a brick.
static void wkFindNearestPoint(wkCubeSearch* search, const wkNearBoxes* boxes)
{
    _Alignas(64) float least[WK_FLOAT_LANES];
    wkFloatW squares = wkSplatF(FLT_MAX);
    wkIntW kept = wkSplatI(~WK_BOX_NUMBER_BITS);
    for (int32_t i = 0; i < boxes->count; i += WK_FLOAT_LANES) {
        wkFloatW sum = wkSplatF(0.0f);
        for (int axis = 0; axis < 3; ++axis) {
            wkFloatW out = wkSubF(wkLoadF(&boxes->point[axis][i]), wkSplatF(search->center[axis]));
            sum = wkAddF(sum, wkMulF(out, out));
        }
        wkIntW number = wkAddI(wkLoadI(wkLaneNumbers), wkSplatI(i));
        sum = wkFloatOfBitsI(wkOrI(wkAndI(wkBitsOfF(sum), kept), number));
        squares = wkMinF(squares, sum);
    }
    wkStoreF(least, squares);
    float best = least[0];
    for (int i = 1; i < WK_FLOAT_LANES; ++i) {
        best = least[i] < best ? least[i] : best;
    }
    uint32_t bits;
    memcpy(&bits, &best, sizeof bits);
    int32_t number = (int32_t)(bits & WK_BOX_NUMBER_BITS);
    search->square = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        search->nearest[axis] = boxes->point[axis][number];
        float out = search->nearest[axis] - search->center[axis];
        search->square += out * out;
    }
    uint32_t octet = boxes->ids[number] / WK_OCTET;
    wkDescendToNearest(search, octet, wkOctetLevel(search->cloud, octet),
                       1u << boxes->ids[number] % WK_OCTET);
}

// The same as leastAlong8 for as many boxes as there are lanes.
WK_FORCE_FN wkFloatW leastAlong(const wkCubeSearch* search, int axis, wkFloatW lower,
                                wkFloatW upper)
{
    wkFloatW center = wkSplatF(search->center[axis]), to = wkSplatF(search->nearest[axis]);
    wkFloatW half = wkSplatF(search->half), edge = wkSplatF(2.0f * search->half);
    wkFloatW low = wkMinF(wkMaxF(wkSubF(center, half), lower), upper);
    wkFloatW high = wkMinF(wkMaxF(wkAddF(center, half), lower), upper);
    wkFloatW outLow = wkSubF(low, center), outHigh = wkSubF(high, center);
    return wkMinF(wkSubF(wkMulF(outLow, outLow), wkMulF(edge, wkAbsF(wkSubF(low, to)))),
                  wkSubF(wkMulF(outHigh, outHigh), wkMulF(edge, wkAbsF(wkSubF(high, to)))));
}

// Lists the boxes of the cube that matter in a brick, as selectBoxes does. @return their count
static int32_t wkSelectNearBoxes(const wkCubeSearch* search, const wkNearBoxes* boxes,
                                 uint16_t* list)
{
    int32_t count = 0;
    wkFloatW limit = wkSplatF(limitOf(search));
    for (int32_t i = 0; i < boxes->count; i += WK_FLOAT_LANES) {
        wkFloatW least = wkSplatF(0.0f);
        for (int axis = 0; axis < 3; ++axis) {
            least = wkAddF(least, leastAlong(search, axis, wkLoadF(&boxes->lower[axis][i]),
                                             wkLoadF(&boxes->upper[axis][i])));
        }
        for (unsigned near = wkNotAboveBitsF(least, limit); near != 0; near &= near - 1) {
            list[count++] = (uint16_t)(i + __builtin_ctz(near));
        }
    }
    return count;
}

// Makes entries of the boxes of a brick: those of an octet follow each other.
static uint32_t wkMakeCloudEntries(const wkFieldCloud* cloud, const wkNearBoxes* boxes,
                                   const uint16_t* list, int32_t count, wkCloudEntry* entries)
{
    uint32_t entryCount = 0;
    for (int32_t i = 0; i < count; ++i) {
        uint32_t owner = boxes->owners[list[i]], octet = owner / WK_OCTET;
        if (entryCount == 0 || octet != entries[entryCount - 1].octet) {
            entries[entryCount++] = (wkCloudEntry){octet, 0, (uint16_t)wkOctetLevel(cloud, octet)};
        }
        entries[entryCount - 1].mask |= (uint16_t)(1u << owner % WK_OCTET);
    }
    return entryCount;
}
