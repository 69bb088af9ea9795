// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A map against a hierarchy with boxes. The closest pair of a cell and an item is searched in both
// hierarchies at once; where contacts are requested, each cell searches for the item closest to it.
// Either way a cell and an item are evaluated by the row of the items, in the frame of the map.

#include "query/map/map_items.h"

#include "query/tree/tree_query.h"

typedef struct itemsWalk {
    wkMapTreeWalk base;
    const wkBodyQuestion* question;
    wkBodyAnswer* answer;
    const wkCellItemRow* row;
    wkCellAsk* ask;
    double radii; // sum of the sphere radii around all cells and all items
} itemsWalk;

static wkStep visitItem(itemsWalk* walk, const wkCube* cube, int32_t index)
{
    const wkBodyQuestion* q = walk->question;
    wkCellAsk* ask = walk->ask;
    if (!ask->isReady) {
        walk->row->prepare(q, ask);
    }
    double half = wkCubeHalf(walk->base.view.octree, cube);
    ask->cell.shape.box.half = wkVec(half, half, half);
    ask->cell.pose.position = wkCubeCenter(walk->base.view.octree, cube);
    wkDistanceResult found;
    if (!walk->row->ask(ask, q, index, wkMapReach(q, walk->answer) + q->slack, &found)) {
        return wk_stepOn;
    }
    found.partB = wkCubeId(cube);
    bool isReported = cube->isUnknown && q->b->map.unknown == wk_unknownReported;
    wkStep step = wkTakeCell(q, &found, isReported, walk->answer);
    walk->base.reach = wkMapReach(q, walk->answer) + walk->radii + q->slack;
    return step;
}

// A walk of one item against a cube of cells: as a box, whose bounds are tight.
typedef struct itemWalk {
    wkMapWalk base;
    itemsWalk* items;
    int32_t index;
    double radius; // of the sphere around the core of the item, less the margins of A
    wkMat3d axes;
} itemWalk;

static wkStep visitCell(wkMapWalk* base, const wkCube* cube)
{
    itemWalk* walk = (itemWalk*)base;
    wkStep step = visitItem(walk->items, cube, walk->index);
    base->reach = walk->items->base.reach + walk->radius;
    return step;
}

// Evaluates all cells of a cube that may be smaller than the item.
static void walkBelow(itemsWalk* walk, const wkCube* cube, int32_t index)
{
    if (!walk->ask->isReady) {
        walk->row->prepare(walk->question, walk->ask);
    }
    wkCubes start;
    start.count = 1;
    start.cubes[0] = *cube;
    start.cubes[0].bound = -INFINITY; // rounded for the whole tree, not for this item
    itemWalk below = {.items = walk, .index = index};
    below.radius = walk->row->body(walk->ask, walk->question, index, &below.axes, &below.base.body);
    below.base.view = walk->base.view;
    below.base.start = &start;
    below.base.reach = walk->base.reach + below.radius;
    below.base.leaf = visitCell;
    wkWalkMap(&below.base);
}

static wkStep visitLeaf(wkMapTreeWalk* base, const wkCube* cube, wkLink link)
{
    itemsWalk* walk = (itemsWalk*)base;
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    for (int32_t index = first; index < end; ++index) {
        if (cube->link == 0) {
            visitItem(walk, cube, index);
        } else {
            walkBelow(walk, cube, index);
        }
        if (walk->answer->closest.distance <= walk->question->enough) {
            return wk_stepStop;
        }
    }
    return wk_stepOn;
}

void wkSearchCellItems(const wkBodyQuestion* q, wkCellAsk* ask, wkBodyAnswer* answer)
{
    itemsWalk walk = {.question = q, .answer = answer, .ask = ask};
    walk.row = wkCellItemRowOf(&q->viewA);
    walk.radii = wkShapeRadius(q->a) + wkShapeRadius(q->b);
    walk.base.view = q->cellsB;
    walk.base.tree = &q->viewA.tree;
    walk.base.treeInMap = &q->aInB;
    walk.base.treeReach = q->viewA.reach;
    walk.base.start = q->nearB;
    walk.base.isVerdict = wkIsVerdict(q);
    walk.base.reach = wkMapReach(q, answer) + walk.radii + q->slack;
    walk.base.leaf = visitLeaf;
    wkWalkMapTree(&walk.base);
}

// A walk for the item closest to one cell.
typedef struct cellWalk {
    wkBoxWalk base;
    const wkBodyQuestion* question;
    const wkCellItemRow* row;
    wkCellAsk* ask;
    double reach;
    wkDistanceResult* found;
} cellWalk;

static wkStep visitItems(wkSlotWalk* slots, wkLink link)
{
    cellWalk* walk = (cellWalk*)slots;
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    for (int32_t index = first; index < end; ++index) {
        wkDistanceResult next;
        double reach = wkMinD(walk->reach, walk->found->distance);
        if (walk->row->ask(walk->ask, walk->question, index, reach, &next) &&
            next.distance < walk->found->distance) {
            *walk->found = next;
        }
    }
    double reach = wkMinD(walk->reach, walk->found->distance) + walk->ask->radii;
    slots->limit = wkWalkLimit(reach, walk->base.slack);
    return wk_stepOn;
}

void wkAskCellItems(wkCellAsk* ask, const wkBodyQuestion* q, wkVec3d half, wkVec3d center,
                    double reach, wkDistanceResult* found)
{
    const wkCellItemRow* row = wkCellItemRowOf(&q->viewA);
    if (!ask->isReady) {
        row->prepare(q, ask);
    }
    ask->cell.shape.box.half = half;
    ask->cell.pose.position = center;
    cellWalk walk = {.question = q, .row = row, .ask = ask, .reach = reach, .found = found};
    *found = (wkDistanceResult){.distance = INFINITY};
    double radii = fabs(wkShapeRadius(q->a)) + fabs(wkShapeRadius(q->b));
    walk.base.slots.tree = q->viewA.tree;
    walk.base.treeInBox = q->aInB; // the box is in the frame of the map
    walk.base.center = center;
    walk.base.half = half;
    walk.base.slack = wkWalkSlack(q->viewA.reach + wkMaxAbs(q->aInB.position) + wkMaxAbs(center) +
                                  half.x + radii);
    walk.base.slots.limit = wkWalkLimit(reach + ask->radii, walk.base.slack);
    walk.base.slots.leaf = visitItems;
    wkWalkTree(&walk.base);
}
