// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Differences between two maps, most often between a map and an earlier copy of it, and their order.

#include "base/error.h"
#include "tree/octree/octree_impl.h"

typedef struct comparison {
    const wkOctree* before;
    const wkOctree* after;
    bool canSkip; // shared blocks are in the same states
    wkCellChangeFcn* fcn;
    void* context;
} comparison;

// Whether a block is in a page of both maps: a change below it would have made the page unshared first.
static bool isShared(const wkOctree* a, wkOctreeLink linkA, const wkOctree* b, wkOctreeLink linkB,
                     int depth)
{
    return linkA != 0 && linkA == linkB &&
           wkOctreeValues(a, linkA, depth) == wkOctreeValues(b, linkB, depth);
}

static wkOctreeChild partOf(const wkOctree* octree, wkOctreeChild content, int depth, int i)
{
    return content.link != 0 ? wkOctreeChildAt(octree, content.link, depth, i) : content;
}

static wkCellState stateOf(const wkOctree* octree, float value)
{
    return isnan(value) ? wk_cellUnknown
                        : (value >= octree->occupied ? wk_cellOccupied : wk_cellFree);
}

static bool visitCube(const comparison* c, uint64_t morton, int depth, float before, float after)
{
    if (stateOf(c->before, before) == stateOf(c->after, after)) {
        return true;
    }
    wkCellChange change = {
        .before = wkOctreeMakeCell(c->before, morton, depth, before, c->before->occupied),
        .after = wkOctreeMakeCell(c->after, morton, depth, after, c->after->occupied),
    };
    return c->fcn(&change, c->context);
}

// @return false when the caller stops
static bool compareCube(const comparison* c, uint64_t morton, int depth, wkOctreeChild before,
                        wkOctreeChild after)
{
    if (c->canSkip && isShared(c->before, before.link, c->after, after.link, depth)) {
        return true;
    }
    if (before.link == 0 && after.link == 0) {
        return visitCube(c, morton, depth, before.value, after.value);
    }
    bool goesOn = true;
    for (int i = 0; i < 8 && goesOn; ++i) {
        uint64_t bits = (uint64_t)i << 3 * (WK_OCTREE_DEPTH - 1 - depth);
        goesOn = compareCube(c, morton | bits, depth + 1, partOf(c->before, before, depth, i),
                             partOf(c->after, after, depth, i));
    }
    return goesOn;
}

wkResult wkOctree_Compare(const wkOctree* before, const wkOctree* after, wkCellChangeFcn* fcn,
                          void* context)
{
    if (before == NULL || after == NULL || fcn == NULL) {
        return wkFail(wk_errorArgument, "octree: a map or the function for changes is NULL");
    }
    if (before->def.resolution != after->def.resolution) {
        return wkFail(wk_errorArgument, "octree: resolutions are %g and %g, must be the same",
                      before->def.resolution, after->def.resolution);
    }
    comparison c = {
        .before = before,
        .after = after,
        .canSkip = before->occupied == after->occupied,
        .fcn = fcn,
        .context = context,
    };
    wkOctreeChild rootBefore = {before->rootValue, before->rootLink};
    wkOctreeChild rootAfter = {after->rootValue, after->rootLink};
    compareCube(&c, 0, 0, rootBefore, rootAfter);
    return wk_ok;
}

// Unknown comes first.
static int orderValues(float a, float b)
{
    return isnan(a) || isnan(b) ? isnan(b) - isnan(a) : (a > b) - (a < b);
}

static int orderCubes(const wkOctree* a, wkOctreeChild cubeA, const wkOctree* b,
                      wkOctreeChild cubeB, int depth)
{
    int order = orderValues(cubeA.value, cubeB.value);
    bool isDecided = order != 0 || (cubeA.link == 0 && cubeB.link == 0);
    if (isDecided || isShared(a, cubeA.link, b, cubeB.link, depth)) {
        return order;
    }
    for (int i = 0; i < 8 && order == 0; ++i) {
        order = orderCubes(a, partOf(a, cubeA, depth, i), b, partOf(b, cubeB, depth, i), depth + 1);
    }
    return order;
}

int wkOctreeOrder(const wkOctree* a, const wkOctree* b)
{
    double sizeA = a->def.resolution, sizeB = b->def.resolution;
    if (a == b || sizeA != sizeB) {
        return (sizeA > sizeB) - (sizeA < sizeB);
    }
    wkOctreeChild rootA = {a->rootValue, a->rootLink}, rootB = {b->rootValue, b->rootLink};
    return orderCubes(a, rootA, b, rootB, 0);
}
