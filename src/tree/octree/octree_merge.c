// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Merges bricks of a scan into a map: one walk from the root over the sorted bricks.
//
// The children of a cube are changed in a builder, and only then it is decided whether they need a
// block: equal cells with equal changes stay one cube, and blocks that would be freed at once are never
// allocated.

#include "tree/octree/octree_brick.h"

#include <string.h>

typedef struct merge {
    wkOctree* octree;
    const wkBrickList* list;
    double averageWeight;
    int64_t crossedCount;
    int64_t hitCount;
    bool hasFailed;
} merge;

// Children of a cube, before they are in the map.
typedef struct builder {
    float values[8];
    wkOctreeLink links[8];
} builder;

// The cell's probability averaged with 1 or 0; unknown counts as 0.5.
static float averageOf(const merge* m, float value, bool isHit)
{
    double weight = m->averageWeight;
    double before = isnan(value) ? 0.5 : wkProbabilityOf(value);
    double after = before * (1.0 - weight) + (isHit ? weight : 0.0);
    return wkOctreeClamp(m->octree, wkLogOddsOf(after));
}

static float changed(const merge* m, float value, bool isHit)
{
    const wkOctree* octree = m->octree;
    return m->averageWeight > 0.0 ? averageOf(m, value, isHit)
                                  : wkOctreeSum(octree, value, isHit ? octree->hit : octree->miss);
}

// Common properties of eight values.
typedef struct common {
    float highest; // of the known ones; at least one is known unless all are equal
    bool isAlike;
    bool hasUnknown;
} common;

static common compareEight(const float values[8])
{
    float highest = -INFINITY;
    int equalCount = 0, unknownCount = 0;
    for (int i = 0; i < 8; ++i) {
        equalCount += values[i] == values[0];
        unknownCount += values[i] != values[i];
        highest = values[i] > highest ? values[i] : highest;
    }
    common c = {highest, equalCount == 8 || unknownCount == 8, unknownCount > 0};
    return c;
}

static builder openBuilder(const merge* m, wkOctreeChild cube)
{
    builder d;
    if (cube.link != 0) {
        const wkOctreeBlock* block = wkOctreeBlockAt(m->octree, cube.link);
        memcpy(d.values, block->values, sizeof d.values);
        memcpy(d.links, block->links, sizeof d.links);
        return d;
    }
    for (int i = 0; i < 8; ++i) {
        d.values[i] = cube.value;
        d.links[i] = 0;
    }
    return d;
}

// Block of a cube, allocated when it has none. @return the old link when out of memory
static wkOctreeLink needBlock(merge* m, wkOctreeLink link, int depth)
{
    wkOctreeLink needed = link != 0 ? link : wkOctreeTakeBlock(m->octree, depth, NAN);
    m->hasFailed |= needed == 0 || wkOctreeOwnValues(m->octree, needed, depth) == NULL;
    return needed & WK_OCTREE_SLOT;
}

static void dropBlock(merge* m, wkOctreeLink link, int depth)
{
    if (link != 0) {
        wkOctreeDropBlock(m->octree, link, depth);
    }
}

// Writes changed children into the map, and their summary into `cube`.
static void closeBuilder(merge* m, const builder* d, int depth, wkOctreeChild* cube)
{
    wkOctreeLink below = 0;
    for (int i = 0; i < 8; ++i) {
        below |= d->links[i];
    }
    common c = compareEight(d->values);
    if (below == 0 && c.isAlike) {
        dropBlock(m, cube->link, depth);
        cube->value = d->values[0];
        cube->link = 0;
        return;
    }
    wkOctreeLink link = needBlock(m, cube->link, depth);
    if (m->hasFailed) {
        return;
    }
    wkOctreeBlock* block = wkOctreeOwnBlock(m->octree, link);
    memcpy(block->values, d->values, sizeof d->values);
    memcpy(block->links, d->links, sizeof d->links);
    cube->value = c.highest;
    cube->link =
        link | (below & WK_OCTREE_HAS_UNKNOWN) | (c.hasUnknown ? WK_OCTREE_HAS_UNKNOWN : 0);
}

// The same for single cells.
static void closeLeaves(merge* m, const float values[8], wkOctreeChild* cube)
{
    const int depth = WK_OCTREE_DEPTH - 1;
    common c = compareEight(values);
    if (c.isAlike) {
        dropBlock(m, cube->link, depth);
        cube->value = values[0];
        cube->link = 0;
        return;
    }
    wkOctreeLink link = needBlock(m, cube->link, depth);
    if (m->hasFailed) {
        return;
    }
    memcpy(wkOctreeOwnLeaves(m->octree, link)->values, values, 8 * sizeof *values);
    cube->value = c.highest;
    cube->link = link | (c.hasUnknown ? WK_OCTREE_HAS_UNKNOWN : 0);
}

// Merges equal cells with equal changes. @return whether they change
static bool mergeAlike(const merge* m, wkOctreeChild* cube, bool isHit)
{
    float before = cube->value;
    cube->value = changed(m, before, isHit);
    return !wkIsSameLogOdds(cube->value, before);
}

// wkOctreeSum for eight cells by a bit each, without branches.
static void addEight(const wkOctree* octree, const float before[8], unsigned crossed, unsigned hit,
                     float values[8])
{
    static const unsigned bits[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    const float lowest = octree->lowest, highest = octree->highest;
    const float hitChange = octree->hit, missChange = octree->miss;
    for (int i = 0; i < 8; ++i) {
        bool isHit = (hit & bits[i]) != 0, isAny = ((hit | crossed) & bits[i]) != 0;
        float value = before[i];
        float sum = (value == value ? value : 0.0f) + (isHit ? hitChange : missChange);
        sum = sum < lowest ? lowest : sum;
        sum = sum > highest ? highest : sum;
        bool isAtLimit = isHit ? value >= highest : value <= lowest;
        values[i] = (isAny & !isAtLimit) ? sum : value;
    }
}

static void averageEight(const merge* m, const float before[8], unsigned crossed, unsigned hit,
                         float values[8])
{
    for (int i = 0; i < 8; ++i) {
        bool isAny = ((crossed | hit) >> i & 1) != 0;
        values[i] = isAny ? averageOf(m, before[i], (hit >> i & 1) != 0) : before[i];
    }
}

// Merges eight cells by a bit each. @return whether anything changed
static bool mergeLeaves(merge* m, wkOctreeChild* cube, unsigned crossed, unsigned hit)
{
    if (cube->link == 0 && (crossed == 0xff || hit == 0xff)) {
        return mergeAlike(m, cube, hit == 0xff);
    }
    float values[8], before[8];
    if (cube->link != 0) {
        memcpy(before, wkOctreeLeavesAt(m->octree, cube->link)->values, sizeof before);
    } else {
        for (int i = 0; i < 8; ++i) {
            before[i] = cube->value;
        }
    }
    if (m->averageWeight > 0.0) {
        averageEight(m, before, crossed, hit, values);
    } else {
        addEight(m->octree, before, crossed, hit, values);
    }
    if (memcmp(values, before, sizeof values) == 0) {
        return false;
    }
    closeLeaves(m, values, cube);
    return true;
}

// Merges a cube of 4 x 4 x 4 cells.
static bool mergeWord(merge* m, wkOctreeChild* cube, uint64_t crossed, uint64_t hit)
{
    if (cube->link == 0 && (crossed == UINT64_MAX || hit == UINT64_MAX)) {
        return mergeAlike(m, cube, hit == UINT64_MAX);
    }
    builder d = openBuilder(m, *cube);
    bool isChanged = false;
    for (int i = 0; i < 8; ++i) {
        unsigned crossedRow = crossed >> 8 * i & 0xff, hitRow = hit >> 8 * i & 0xff;
        if ((crossedRow | hitRow) != 0) {
            wkOctreeChild child = {d.values[i], d.links[i]};
            isChanged |= mergeLeaves(m, &child, crossedRow, hitRow);
            d.values[i] = child.value;
            d.links[i] = child.link;
        }
    }
    if (isChanged && !m->hasFailed) {
        closeBuilder(m, &d, WK_BRICK_DEPTH + 1, cube);
    }
    return isChanged;
}

static bool mergeBrick(merge* m, wkOctreeChild* cube, int64_t value)
{
    wkScanBrick brick;
    if (!m->list->read(m->list->source, value, &brick)) {
        return false;
    }
    builder d = openBuilder(m, *cube);
    bool isChanged = false;
    for (int i = 0; i < 8; ++i) {
        uint64_t hit = brick.hit[i], crossed = brick.crossed[i] & ~hit;
        if ((crossed | hit) != 0) {
            wkOctreeChild child = {d.values[i], d.links[i]};
            isChanged |= mergeWord(m, &child, crossed, hit);
            d.values[i] = child.value;
            d.links[i] = child.link;
            m->crossedCount += __builtin_popcountll(crossed);
            m->hitCount += __builtin_popcountll(hit);
        }
    }
    if (isChanged && !m->hasFailed) {
        closeBuilder(m, &d, WK_BRICK_DEPTH, cube);
    }
    return isChanged;
}

// End of the bricks from `first` on that are in the same child of a cube at `depth`.
static int32_t endOfChild(const merge* m, int32_t first, int32_t last, int depth)
{
    const wkSortKey* keys = m->list->keys;
    int shift = 3 * (WK_BRICK_DEPTH - 1 - depth);
    uint64_t child = keys[first].key >> shift;
    int32_t end = first + 1;
    // steps that double, then halve: a child often has many bricks
    int32_t step = 1;
    while (end + step <= last && keys[end + step - 1].key >> shift == child) {
        end += step;
        step *= 2;
    }
    for (; step > 0; step /= 2) {
        if (end + step <= last && keys[end + step - 1].key >> shift == child) {
            end += step;
        }
    }
    return end;
}

static bool mergeCube(merge* m, wkOctreeChild* cube, int depth, int32_t first, int32_t last)
{
    if (depth == WK_BRICK_DEPTH) {
        return mergeBrick(m, cube, m->list->keys[first].value);
    }
    builder d = openBuilder(m, *cube);
    bool isChanged = false;
    while (first < last && !m->hasFailed) {
        int32_t end = endOfChild(m, first, last, depth);
        int i = (int)(m->list->keys[first].key >> 3 * (WK_BRICK_DEPTH - 1 - depth) & 7);
        wkOctreeChild child = {d.values[i], d.links[i]};
        isChanged |= mergeCube(m, &child, depth + 1, first, end);
        d.values[i] = child.value;
        d.links[i] = child.link;
        first = end;
    }
    if (isChanged && !m->hasFailed) {
        closeBuilder(m, &d, depth, cube);
    }
    return isChanged;
}

static float faded(float value, double decay)
{
    return (float)((double)value * decay);
}

// Moves the probability of all known cells of a cube toward 0.5.
static bool fadeCube(merge* m, wkOctreeChild* cube, int depth, double decay)
{
    if (cube->link == 0) {
        float value = faded(cube->value, decay);
        bool isSame = wkIsSameLogOdds(value, cube->value);
        cube->value = value;
        return !isSame;
    }
    if (depth == WK_OCTREE_DEPTH - 1) {
        float values[8];
        const float* before = wkOctreeLeavesAt(m->octree, cube->link)->values;
        for (int i = 0; i < 8; ++i) {
            values[i] = faded(before[i], decay);
        }
        bool isChanged = memcmp(values, before, sizeof values) != 0;
        if (isChanged) {
            closeLeaves(m, values, cube);
        }
        return isChanged;
    }
    builder d = openBuilder(m, *cube);
    bool isChanged = false;
    for (int i = 0; i < 8 && !m->hasFailed; ++i) {
        wkOctreeChild child = {d.values[i], d.links[i]};
        isChanged |= fadeCube(m, &child, depth + 1, decay);
        d.values[i] = child.value;
        d.links[i] = child.link;
    }
    if (isChanged && !m->hasFailed) {
        closeBuilder(m, &d, depth, cube);
    }
    return isChanged;
}

bool wkMergeBricks(wkOctree* octree, const wkBrickList* list, const wkMergeRule* rule,
                   int64_t* crossedCount, int64_t* hitCount)
{
    merge m = {.octree = octree, .list = list, .averageWeight = rule->averageWeight};
    wkOctreeChild root = {octree->rootValue, octree->rootLink};
    bool isChanged = rule->decay < 1.0 && fadeCube(&m, &root, 0, rule->decay);
    if (list->count > 0 && !m.hasFailed) {
        isChanged |= mergeCube(&m, &root, 0, 0, list->count);
    }
    if (m.hasFailed) {
        return false;
    }
    octree->rootValue = root.value;
    octree->rootLink = root.link;
    octree->version += isChanged;
    wkOctreeBuildEntryGrid(octree);
    *crossedCount = m.crossedCount;
    *hitCount = m.hitCount;
    return true;
}
