// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A hierarchy for searches of neighbours: points in the order of Hilbert's curve, and boxes around sixteen of them.

#include "base/compiler.h"
#include "sense/filter/point_set.h"

#include <math.h>

#define WIDTH WK_POINT_WIDTH

wkCurveGrid wkMakePointGrid(const wkPointSet* set)
{
    // with n points of a surface, the root of n cubes along an axis have one point each; the rest is for those
    // that are closer
    int indexBits = wkIndexBits(set->count), most = (64 - indexBits) / 3,
        wanted = indexBits / 2 + 4;
    wkCurveGrid grid = {.bits = wanted < most ? wanted : most};
    float extent = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        // coordinates are up to 1e38 apart
        float half = 0.5f * set->upper[axis] - 0.5f * set->lower[axis];
        grid.lower[axis] = set->lower[axis];
        extent = half > extent ? half : extent;
    }
    grid.scale = extent > 1e-30f ? 0.5f * (float)((1 << grid.bits) - 1) / extent : 0.0f;
    return grid;
}

static const uint64_t* sortPoints(wkPointSet* set)
{
    const wkNeighborLanes* lanes = wkNeighborLanesOfMachine();
    wkCurveGrid grid = wkMakePointGrid(set);
    int indexBits = wkIndexBits(set->count);
    for (int32_t first = 0; first < set->count; first += WK_POINT_BLOCK) {
        uint64_t positions[WK_POINT_BLOCK];
        lanes->curvePositions(&grid, set->x + first, set->y + first, set->z + first, positions);
        int32_t left = set->count - first, count = left < WK_POINT_BLOCK ? left : WK_POINT_BLOCK;
        for (int32_t i = 0; i < count; ++i) {
            set->entries[first + i] = positions[i] << indexBits | (uint32_t)(first + i);
        }
    }
    return wkSortEntries(set->entries, set->spare, set->count, indexBits,
                         indexBits + 3 * grid.bits);
}

static void storePoints(wkPointSet* set, const uint64_t* sorted)
{
    wkPointTree* tree = &set->tree;
    uint64_t mask = (UINT64_C(1) << wkIndexBits(set->count)) - 1;
    for (int32_t i = 0; i < set->count; ++i) {
        int32_t index = (int32_t)(sorted[i] & mask);
        tree->ids[i] = index;
        tree->x[i] = set->x[index];
        tree->y[i] = set->y[index];
        tree->z[i] = set->z[index];
    }
    for (int32_t i = set->count; i % WIDTH != 0; ++i) {
        tree->x[i] = tree->y[i] = tree->z[i] = NAN;
    }
}

// NaN is neither below nor above, so that what is missing changes no bounds.
static void boundRow(const float* lows, const float* highs, float* lower, float* upper)
{
    float low = INFINITY, high = -INFINITY;
    for (int i = 0; i < WIDTH; ++i) {
        low = lows[i] < low ? lows[i] : low;
        high = highs[i] > high ? highs[i] : high;
    }
    *lower = low;
    *upper = high;
}

// Boxes without points are empty, and reached by nothing.
static void clearNode(wkPointNode* node)
{
    for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < WIDTH; ++i) {
            node->lower[axis][i] = INFINITY;
            node->upper[axis][i] = -INFINITY;
        }
    }
}

// Writes the boxes of a child from those of the level below, or from points.
static void boundChild(const wkPointTree* tree, int32_t level, int32_t child, wkPointNode* node)
{
    const float* points[3] = {tree->x, tree->y, tree->z};
    int slot = child % WIDTH;
    for (int axis = 0; axis < 3; ++axis) {
        const float *lows = points[axis] + (size_t)child * WIDTH, *highs = lows;
        if (level > 0) {
            const wkPointNode* below = &tree->nodes[tree->starts[level - 1] + child];
            lows = below->lower[axis];
            highs = below->upper[axis];
        }
        boundRow(lows, highs, &node->lower[axis][slot], &node->upper[axis][slot]);
    }
}

void wkBuildPointTree(wkPointSet* set)
{
    wkPointTree* tree = &set->tree;
    storePoints(set, sortPoints(set));
    tree->count = set->count;
    int32_t childCount = (set->count + WIDTH - 1) / WIDTH, start = 0;
    tree->levelCount = 0;
    do {
        int32_t nodeCount = (childCount + WIDTH - 1) / WIDTH, level = tree->levelCount++;
        tree->starts[level] = start;
        for (int32_t n = 0; n < nodeCount; ++n) {
            clearNode(&tree->nodes[start + n]);
        }
        for (int32_t child = 0; child < childCount; ++child) {
            boundChild(tree, level, child, &tree->nodes[start + child / WIDTH]);
        }
        start += nodeCount;
        childCount = nodeCount;
    } while (childCount > 1);
}
