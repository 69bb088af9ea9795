// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A hierarchy for searches of neighbours: points in the order of Hilbert's curve, and boxes around sixteen of them.
// Cubes of the curve that many points share are divided again, by a curve of their own.

#include "base/compiler.h"
#include "sense/filter/point_set.h"

#include <math.h>
#include <string.h>

#define WIDTH WK_POINT_WIDTH

// Points of one cube of the curve that are sorted again. Searches would visit all points of a cube.
#define CROWD 32

// The grid around points within bounds.
static wkCurveGrid makeGrid(const float lower[3], const float upper[3], int bits)
{
    wkCurveGrid grid = {.bits = bits};
    float extent = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        // coordinates are up to 1e38 apart
        float half = 0.5f * upper[axis] - 0.5f * lower[axis];
        grid.lower[axis] = lower[axis];
        extent = half > extent ? half : extent;
    }
    grid.scale = extent > 1e-30f ? 0.5f * (float)((1 << grid.bits) - 1) / extent : 0.0f;
    return grid;
}

static int mostBits(int indexBits)
{
    int most = (64 - indexBits) / 3;
    return most < WK_CURVE_BITS ? most : WK_CURVE_BITS;
}

wkCurveGrid wkMakePointGrid(const wkPointSet* set)
{
    // with n points of a surface, the root of n cubes along an axis have one point each; the rest is for those
    // that are closer
    int indexBits = wkIndexBits(set->count), most = mostBits(indexBits), wanted = indexBits / 2 + 4;
    return makeGrid(set->lower, set->upper, wanted < most ? wanted : most);
}

// Points that are sorted again, of which `bits` of an entry are the index.
typedef struct crowd {
    const wkPointSet* set;
    uint64_t* entries;
    uint64_t* spare; // as many
    int32_t count;
    int bits;
} crowd;

static int32_t indexOf(const crowd* c, int32_t i)
{
    return (int32_t)(c->entries[i] & ((UINT64_C(1) << c->bits) - 1));
}

static wkCurveGrid gridAround(const crowd* c)
{
    float lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    const float* positions[3] = {c->set->x, c->set->y, c->set->z};
    for (int32_t i = 0; i < c->count; ++i) {
        int32_t index = indexOf(c, i);
        for (int axis = 0; axis < 3; ++axis) {
            float at = positions[axis][index];
            lower[axis] = at < lower[axis] ? at : lower[axis];
            upper[axis] = at > upper[axis] ? at : upper[axis];
        }
    }
    return makeGrid(lower, upper, mostBits(c->bits));
}

// Replaces the keys of entries by positions on the curve of a grid.
static void writePositions(const crowd* c, const wkCurveGrid* grid)
{
    for (int32_t first = 0; first < c->count; first += WK_POINT_BLOCK) {
        wkPointBlock block = {0};
        int32_t left = c->count - first, count = left < WK_POINT_BLOCK ? left : WK_POINT_BLOCK;
        for (int32_t i = 0; i < count; ++i) {
            int32_t index = indexOf(c, first + i);
            block.axes[0][i] = c->set->x[index];
            block.axes[1][i] = c->set->y[index];
            block.axes[2][i] = c->set->z[index];
        }
        uint64_t positions[WK_POINT_BLOCK];
        wkNeighborLanesOfMachine()->curvePositions(grid, block.axes[0], block.axes[1],
                                                   block.axes[2], positions);
        for (int32_t i = 0; i < count; ++i) {
            c->entries[first + i] = positions[i] << c->bits | (uint32_t)indexOf(c, first + i);
        }
    }
}

static void sortCrowds(const crowd* all);

// Sorts points of one cube again, in a grid of their own, which tells them apart unless they are equal: a cube has but a
// small part of what the grid before had.
static void sortCrowd(const crowd* c)
{
    wkCurveGrid grid = gridAround(c);
    if (grid.scale > 0.0f) {
        writePositions(c, &grid);
        const uint64_t* sorted =
            wkSortEntries(c->entries, c->spare, c->count, c->bits, c->bits + 3 * grid.bits);
        if (sorted != c->entries) {
            memcpy(c->entries, sorted, (size_t)c->count * sizeof *sorted);
        }
        sortCrowds(c);
    }
}

// Sorts the points of each cube that has many. One point far away from all others is enough for these to be in one cube.
static void sortCrowds(const crowd* all)
{
    const uint64_t* entries = all->entries;
    int32_t done = 0; // entries before have other keys already
    for (int32_t i = 0; i + CROWD < all->count; i += CROWD) {
        uint64_t key = entries[i] >> all->bits;
        if (entries[i + CROWD] >> all->bits != key) {
            continue;
        }
        int32_t first = i, end = i + CROWD;
        while (first > done && entries[first - 1] >> all->bits == key) {
            --first;
        }
        while (end < all->count && entries[end] >> all->bits == key) {
            ++end;
        }
        crowd c = {all->set, all->entries + first, all->spare + first, end - first, all->bits};
        sortCrowd(&c);
        done = end;
        i = (end - 1) / CROWD * CROWD; // goes on behind these
    }
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
    uint64_t* sorted =
        wkSortEntries(set->entries, set->spare, set->count, indexBits, indexBits + 3 * grid.bits);
    uint64_t* spare = sorted == set->entries ? set->spare : set->entries;
    const crowd all = {set, sorted, spare, set->count, indexBits};
    sortCrowds(&all);
    return sorted;
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
