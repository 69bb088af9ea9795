// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Changes of single cubes: all blocks on the path are owned and new ones allocated before anything is
// changed, so that a change completes or leaves the map as it was.

#include "base/error.h"
#include "tree/octree/octree_impl.h"

#include <string.h>

// The path from the root to a cube, as far as there are blocks.
typedef struct way {
    wkOctreeLink links[WK_OCTREE_DEPTH]; // of its ancestors, from the root
    int depth;                           // of the last cube
    wkOctreeChild last;                  // uniform, or the requested cube
} way;

static way findWay(const wkOctree* octree, uint64_t morton, int depth)
{
    way w = {.last = {octree->rootValue, octree->rootLink}};
    while (w.depth < depth && w.last.link != 0) {
        w.links[w.depth] = w.last.link;
        int i = wkOctreeChildIndex(morton, w.depth);
        w.last = wkOctreeChildAt(octree, w.last.link, w.depth, i);
        ++w.depth;
    }
    return w;
}

static bool ownWay(wkOctree* octree, const way* w)
{
    for (int i = 0; i < w->depth; ++i) {
        if (wkOctreeOwnValues(octree, w->links[i], i) == NULL) {
            return false;
        }
    }
    return true;
}

// Allocates blocks down to the cube where there are none yet, not linked to each other.
static bool growWay(wkOctree* octree, way* w, int depth)
{
    for (int i = w->depth; i < depth; ++i) {
        w->links[i] = wkOctreeTakeBlock(octree, i, w->last.value);
        if (w->links[i] == 0) {
            while (--i >= w->depth) {
                wkOctreeDropBlock(octree, w->links[i], i);
            }
            return false;
        }
    }
    return true;
}

void wkOctreeSetChild(wkOctree* octree, wkOctreeLink link, int depth, int i, wkOctreeChild child)
{
    if (depth == WK_OCTREE_DEPTH - 1) {
        wkOctreeOwnLeaves(octree, link)->values[i] = child.value;
    } else {
        wkOctreeBlock* block = wkOctreeOwnBlock(octree, link);
        block->values[i] = child.value;
        block->links[i] = child.link;
    }
}

static float larger(float a, float b)
{
    return a > b || isnan(b) ? a : b;
}

wkOctreeChild wkOctreeFold(wkOctree* octree, wkOctreeLink link, int depth)
{
    const float* v = wkOctreeValues(octree, link, depth);
    const wkOctreeLink* links = wkOctreeLinks(octree, link, depth);
    wkOctreeLink below = 0;
    for (int i = 0; links != NULL && i < 8; ++i) {
        below |= links[i];
    }
    int unknownCount = 0, equalCount = 0;
    for (int i = 0; i < 8; ++i) {
        unknownCount += v[i] != v[i];
        equalCount += v[i] == v[0];
    }
    wkOctreeChild child = {v[0], 0};
    if (below == 0 && (equalCount == 8 || unknownCount == 8)) {
        wkOctreeDropBlock(octree, link, depth);
        return child;
    }
    child.value = larger(larger(larger(v[0], v[1]), larger(v[2], v[3])),
                         larger(larger(v[4], v[5]), larger(v[6], v[7])));
    child.link = (link & WK_OCTREE_SLOT) | (below & WK_OCTREE_HAS_UNKNOWN);
    child.link |= unknownCount > 0 ? WK_OCTREE_HAS_UNKNOWN : 0;
    return child;
}

static bool isSameChild(wkOctreeChild a, wkOctreeChild b)
{
    return a.link == b.link && wkIsSameLogOdds(a.value, b.value);
}

// Writes the cube into the blocks above it, up to where nothing changes. Records what the entry grid needs.
static void linkWay(wkOctree* octree, const way* w, int depth, wkCubeWrite* write)
{
    const int entryDepth = octree->entryGrid.depth;
    wkOctreeChild child = {write->value, 0};
    int uniformDepth = depth;
    int i = depth - 1;
    for (; i >= 0; --i) {
        int index = wkOctreeChildIndex(write->morton, i);
        if (i < w->depth && isSameChild(wkOctreeChildAt(octree, w->links[i], i, index), child)) {
            break;
        }
        if (i + 1 == entryDepth) {
            write->entry = child;
        }
        wkOctreeSetChild(octree, w->links[i], i, index, child);
        child = wkOctreeFold(octree, w->links[i], i);
        if (child.link == 0) {
            uniformDepth = i;
        }
    }
    write->uniformDepth = uniformDepth;
    write->changedDepth = i < 0 ? 0 : i + 2;
    if (i < 0) {
        write->entry = entryDepth == 0 ? child : write->entry;
        octree->rootValue = child.value;
        octree->rootLink = child.link;
    }
}

static bool setWay(wkOctree* octree, way* w, uint64_t morton, int depth, float value)
{
    if (w->last.link == 0 && wkIsSameLogOdds(w->last.value, value)) {
        return true;
    }
    if (!ownWay(octree, w) || !growWay(octree, w, depth)) {
        return false;
    }
    wkOctreeDropTree(octree, w->last.link, depth);
    wkCubeWrite write = {
        .morton = morton, .value = value, .found = w->last, .foundDepth = w->depth};
    linkWay(octree, w, depth, &write);
    if (wkIsInEntryGrid(octree, &write)) {
        wkOctreeUpdateEntryGrid(octree, &write);
    }
    ++octree->version;
    return true;
}

bool wkOctreeSetCube(wkOctree* octree, uint64_t morton, int depth, float value)
{
    way w = findWay(octree, morton, depth);
    return setWay(octree, &w, morton, depth, value);
}

static wkResult report(bool isDone)
{
    return isDone ? wk_ok : wkFail(wk_errorMemory, "octree: no memory for more cells");
}

wkResult wkOctree_AddLogOdds(wkOctree* octree, wkCellKey key, float change)
{
    if (octree == NULL) {
        return wkFail(wk_errorArgument, "octree: the map is NULL");
    }
    if (isnan(change)) {
        return wkFail(wk_errorNotFinite, "octree: change is NaN");
    }
    uint64_t morton = wkMortonOfKey(key);
    way w = findWay(octree, morton, WK_OCTREE_DEPTH);
    float value = wkOctreeSum(octree, w.last.value, change);
    return report(setWay(octree, &w, morton, WK_OCTREE_DEPTH, value));
}

wkResult wkOctree_Observe(wkOctree* octree, wkCellKey key, bool isHit)
{
    if (octree == NULL) {
        return wkFail(wk_errorArgument, "octree: the map is NULL");
    }
    return wkOctree_AddLogOdds(octree, key, isHit ? octree->hit : octree->miss);
}

wkResult wkOctree_SetLogOdds(wkOctree* octree, wkCellKey key, int32_t depth, float logOdds)
{
    if (octree == NULL) {
        return wkFail(wk_errorArgument, "octree: the map is NULL");
    }
    if (depth < 0 || depth > WK_OCTREE_DEPTH) {
        return wkFail(wk_errorRange, "octree: depth is %d, must be 0 to %d", (int)depth,
                      WK_OCTREE_DEPTH);
    }
    float value = wkOctreeClamp(octree, logOdds);
    return report(wkOctreeSetCube(octree, wkMortonOfKey(key), depth, value));
}
