// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The walk over a map and a tree of boxes together: pairs of a cube and the box in a slot, of which the
// larger is split into eight.

#include "query/map/cube_gather.h"
#include "query/map/cube_walk.h"
#include "query/tree/box_bounds.h"

typedef struct mapTreeQuery {
    wkMapTreeWalk* walk;
    wkAxes axes;                 // of the tree, in the map
    wkFloatRotation treeFromMap; // for positions relative to the tree's origin
    bool hasRotation;            // the above is set: not needed where nothing is near
    double before;               // reach at the start
    double treeSize;             // for rounding
    double large;                // half edge of cubes above which no bounds are computed
    wkKeyBox keys;
} mapTreeQuery;

// The box in a slot, in the frame of the map.
WK_FORCE_FN wkBoxBody bodyInSlot(const mapTreeQuery* q, wkSlot slot)
{
    wkCenteredBox box = wkBoxInSlot(q->walk->tree, slot);
    wkVec3d middle = wkVec((double)box.center[0], (double)box.center[1], (double)box.center[2]);
    wkBoxBody body = {.axes = &q->axes,
                      .center = wkFramePoint(q->walk->treeInMap, middle),
                      .half = {box.half[0], box.half[1], box.half[2]}};
    wkSetAround(&body);
    return body;
}

// Pushes the children of a cube against the box in a slot.
WK_FORCE_FN int pushCubes(const mapTreeQuery* q, const wkCube* cube, const wkChildren* children,
                          wkSlot slot, wkCubeSlot* below)
{
    const wkMapTreeWalk* walk = q->walk;
    double half = 0.5 * wkCubeHalf(walk->view.octree, cube);
    if (half > q->large) {
        int all = 0;
        for (unsigned mask = children->mask; mask != 0; mask &= mask - 1) {
            unsigned child = (unsigned)__builtin_ctz(mask);
            below[all].cube = wkCubeChild(cube, children->values, children->links, child);
            below[all++].slot = slot;
        }
        return all;
    }
    wkBoxBody body = bodyInSlot(q, slot);
    wkVec3d between = wkSub(wkCubeCenter(walk->view.octree, cube), body.center);
    wkEight eight = wkBoundCubes(&body, between, (float)half);
    _Alignas(32) float bounds[8];
    wkStore8(bounds, eight);
    float limit = wkBoundLimit(walk->reach, half + q->treeSize);
    int order[8] = {0};
    int found = wkSortSlots(children->mask & wkNotAbove8(eight, wkSplat8(limit)), bounds, order);
    for (int i = 0; i < found; ++i) {
        below[i].cube = wkCubeChild(cube, children->values, children->links, (unsigned)order[i]);
        below[i].cube.bound = bounds[order[i]];
        below[i].slot = slot;
    }
    return found;
}

WK_FORCE_FN int openCube(void* query, wkCubeSlot* pair, wkCubeSlot* below)
{
    const mapTreeQuery* q = (const mapTreeQuery*)query;
    wkChildren children = wkOpenCounted(&q->walk->view, &q->keys, &pair->cube);
    return children.mask == 0 ? 0 : pushCubes(q, &pair->cube, &children, pair->slot, below);
}

// Pairs the whole tree with those of a few cubes that are near it. @return their number
WK_FORCE_FN int beginWith(const mapTreeQuery* q, const wkBoxBody* whole, const wkCubes* few,
                          wkCubeSlot* stack)
{
    wkCube nearCubes[WK_FEW_CUBES];
    int count = wkCullFew(whole, q->walk->view.octree, few, q->walk->reach, q->treeSize, nearCubes);
    for (int i = 0; i < count; ++i) {
        stack[i] = (wkCubeSlot){nearCubes[i], 0};
    }
    return count;
}

// Pushes the pairs to start with: the stem and the first cubes. @return their number
WK_FORCE_FN int enterPair(mapTreeQuery* q, wkCubeSlot* stack)
{
    const wkMapTreeWalk* walk = q->walk;
    wkBoxBody whole = bodyInSlot(q, 0);
    double reach = wkPositive(walk->reach) + WK_BOUND_ROUNDING * q->treeSize;
    double size = (double)(whole.half[0] + whole.half[1] + whole.half[2]);
    q->large = wkLargeNextTo(size, walk->reach, walk->isVerdict);
    stack[0].slot = 0;
    if (!wkMapRoot(&walk->view, &stack[0].cube) ||
        !wkKeysAround(walk->view.octree, whole.center, whole.around, reach, &q->keys)) {
        return 0;
    }
    if (walk->start != NULL) {
        return beginWith(q, &whole, walk->start, stack);
    }
    if (walk->isVerdict && !walk->view.wantsUnknown) {
        wkCubes start;
        start.count = wkGatherCubes(&walk->view, q->keys, start.cubes);
        return start.count >= 0 ? beginWith(q, &whole, &start, stack) : 1;
    }
    wkCube vertex;
    wkEntryCubes cubes;
    wkChildren below;
    if (!wkOpenEntryGrid(&walk->view, &q->keys, &vertex, &cubes, &below)) {
        return 1;
    }
    return below.mask == 0 ? 0 : pushCubes(q, &vertex, &below, 0, stack);
}

// Pairs the slots of a node with a cube. Bounds give no depths here.
WK_FORCE_FN int openNode(void* query, const wkCubeSlot* pair, uint32_t node, wkCubeSlot* below)
{
    mapTreeQuery* q = (mapTreeQuery*)query;
    const wkMapTreeWalk* walk = q->walk;
    const wkCube* cube = &pair->cube;
    if (!q->hasRotation) {
        wkFrame back = wkInverseFrame(walk->treeInMap);
        back.position = wkVec(0.0, 0.0, 0.0);
        q->treeFromMap = wkRotationFromFrame(&back);
        q->hasRotation = true;
    }
    double half = wkCubeHalf(walk->view.octree, cube);
    wkVec3d center = wkSub(wkCubeCenter(walk->view.octree, cube), walk->treeInMap->position);
    float h = (float)half;
    wkCenteredBox single = {{(float)center.x, (float)center.y, (float)center.z}, {h, h, h}};
    float limit = wkBoundLimit(wkPositive(walk->reach), 3.0 * half + q->treeSize);
    wkBounds bounds;
    unsigned mask =
        wkBoundBoxes(&q->treeFromMap, &single, wkTreeBoxes(walk->tree, node), limit, &bounds);
    int order[8] = {0};
    int found = wkSortSlots(mask, bounds.guesses, order);
    for (int i = 0; i < found; ++i) {
        below[i].cube = *cube;
        float square = bounds.least[order[i]];
        below[i].cube.bound = square > wkPositive(cube->bound) ? square : cube->bound;
        below[i].slot = node * WK_TREE_WIDTH + (wkSlot)order[i];
    }
    return found;
}

WK_FORCE_FN bool opensCube(void* query, const wkCubeSlot* pair)
{
    const wkMapTreeWalk* walk = ((const mapTreeQuery*)query)->walk;
    wkCenteredBox box = wkBoxInSlot(walk->tree, pair->slot);
    double half = wkCubeHalf(walk->view.octree, &pair->cube);
    return 3.0 * half > (double)(box.half[0] + box.half[1] + box.half[2]);
}

// Pairs on the stack were within reach until a leaf lowers it.
WK_FORCE_FN bool isBeyond(void* query, const wkCubeSlot* pair)
{
    const mapTreeQuery* q = (const mapTreeQuery*)query;
    double reach = q->walk->reach, half = wkCubeHalf(q->walk->view.octree, &pair->cube);
    return reach != q->before && pair->cube.bound > wkBoundLimit(reach, 3.0 * half + q->treeSize);
}

WK_FORCE_FN wkStep visitLeaf(void* query, const wkCubeSlot* pair, wkLink link)
{
    wkMapTreeWalk* walk = ((const mapTreeQuery*)query)->walk;
    return walk->leaf(walk, &pair->cube, link);
}

static void walkMapTree(wkMapTreeWalk* walk)
{
    mapTreeQuery q;
    q.walk = walk;
    q.treeSize = 4.0 * walk->treeReach;
    q.hasRotation = false;
    q.before = walk->reach;
    wkSetAxes(&walk->treeInMap->rotation, &q.axes);
    wkCubeSlot stack[WK_MAP_TREE_STACK];
    int count = enterPair(&q, stack);
    wkCubeSlotRule rule = {isBeyond, opensCube, openCube, openNode, visitLeaf};
    wkWalkCubeSlots(walk->tree, &q, rule, stack, count);
}

extern const wkMapTreeLanes WK_KERNEL(wkMapTreeLanes);
const wkMapTreeLanes WK_KERNEL(wkMapTreeLanes) = {walkMapTree};
