// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Iterates over the cells of a map in the order of their names.

#include "base/assert.h"
#include "base/cookie.h"
#include "math/vec.h"
#include "tree/octree/octree_impl.h"

// Path entries: the link of an open cube, and above it the index of its next child. The first entry holds
// the root alone; the children of entry d are cubes of depth d.
#define CHILD_SHIFT 32
#define FINISHED (-1)

wkCellRequest wkDefaultCellRequest(void)
{
    wkCellRequest filter = {
        .box = {wkVec(-INFINITY, -INFINITY, -INFINITY), wkVec(INFINITY, INFINITY, INFINITY)},
        .wantsFree = true,
        .wantsOccupied = true,
        .maxDepth = WK_OCTREE_DEPTH,
        .cookie = WK_COOKIE(wkCellRequest),
    };
    return filter;
}

wkCellIterator wkOctree_Cells(const wkOctree* octree, const wkCellRequest* request)
{
    bool isUsable = WK_HAS_COOKIE(request, wkCellRequest);
    if (request != NULL && !isUsable) {
        WK_ASSERT(isUsable);
        WK_FAIL_COOKIE(request, wkCellRequest);
    }
    wkCellRequest wanted = isUsable ? *request : wkDefaultCellRequest();
    double probability = wanted.occupiedProbability;
    bool isGiven = probability > 0.0 && probability < 1.0;
    wkCellKey lowest, highest;
    bool hasCells = wkOctreeKeyRange(octree, wanted.box, &lowest, &highest);
    wkCellIterator iterator = {
        .octree = octree,
        .depth = hasCells ? 0 : FINISHED,
        .maxDepth = wanted.maxDepth,
        .mix = (int32_t)wanted.mix,
        .threshold = isGiven ? wkLogOddsOf(probability) : octree->occupied,
        .lowest = {lowest.x, lowest.y, lowest.z},
        .highest = {highest.x, highest.y, highest.z},
        .wantsUnknown = wanted.wantsUnknown,
        .wantsFree = wanted.wantsFree,
        .wantsOccupied = wanted.wantsOccupied,
    };
    return iterator;
}

static bool isWholeMap(const wkCellIterator* it)
{
    return (it->lowest[0] | it->lowest[1] | it->lowest[2]) == 0 &&
           (it->highest[0] & it->highest[1] & it->highest[2]) == UINT16_MAX;
}

static bool isInBox(const wkCellIterator* it, int depth)
{
    if (isWholeMap(it)) {
        return true;
    }
    wkCellKey key = wkKeyOfMorton(it->morton);
    int32_t last = (1 << (WK_OCTREE_DEPTH - depth)) - 1;
    return key.x <= it->highest[0] && key.x + last >= it->lowest[0] && key.y <= it->highest[1] &&
           key.y + last >= it->lowest[1] && key.z <= it->highest[2] &&
           key.z + last >= it->lowest[2];
}

// Whether the iterator wants a cube that is visited as one.
static bool isWanted(const wkCellIterator* it, float value)
{
    if (isnan(value)) {
        return it->wantsUnknown;
    }
    return value >= it->threshold ? it->wantsOccupied : it->wantsFree;
}

// Whether a wanted cell may be below a cube with a block: its value is the highest there.
static bool mayHoldWanted(const wkCellIterator* it, wkOctreeChild cube)
{
    return it->wantsFree || (it->wantsOccupied && cube.value >= it->threshold) ||
           (it->wantsUnknown && (cube.link & WK_OCTREE_HAS_UNKNOWN) != 0);
}

// Returns the next child of the innermost open cube, and sets `morton` to its name.
// @return false when it has no more
static bool nextChild(wkCellIterator* it, wkOctreeChild* child)
{
    int depth = it->depth;
    int i = (int)(it->path[depth] >> CHILD_SHIFT);
    if (i == (depth == 0 ? 1 : 8)) {
        return false;
    }
    it->path[depth] += (uint64_t)1 << CHILD_SHIFT;
    if (depth == 0) {
        child->value = it->octree->rootValue;
        child->link = it->octree->rootLink;
        it->morton = 0;
        return true;
    }
    int shift = 3 * (WK_OCTREE_DEPTH - depth);
    it->morton = (it->morton >> shift >> 3 << 3 | (uint64_t)i) << shift;
    *child = wkOctreeChildAt(it->octree, (wkOctreeLink)it->path[depth], depth - 1, i);
    return true;
}

// Takes a cube that is visited as one, if it is wanted.
static bool takeCube(const wkCellIterator* it, int depth, wkOctreeChild cube, wkCell* cell)
{
    float value = wkOctreeMixedValue(cube, it->threshold, (wkMixRule)it->mix);
    if (!isWanted(it, value)) {
        return false;
    }
    *cell = wkOctreeMakeCell(it->octree, it->morton, depth, value, it->threshold);
    return true;
}

bool wkCellIterator_Next(wkCellIterator* iterator, wkCell* cell)
{
    while (iterator->depth != FINISHED) {
        int depth = iterator->depth;
        wkOctreeChild child = {0.0f, 0};
        if (!nextChild(iterator, &child)) {
            --iterator->depth;
        } else if (!isInBox(iterator, depth)) {
            continue;
        } else if (child.link != 0 && depth < iterator->maxDepth) {
            if (mayHoldWanted(iterator, child)) {
                iterator->path[++iterator->depth] = child.link;
            }
        } else if (takeCube(iterator, depth, child, cell)) {
            return true;
        }
    }
    return false;
}
