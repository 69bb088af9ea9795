// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Chooses the walk for a pair of trees, and implements the rules for volumes other than boxes: two trees of
// one kind use that kind's functions, others are compared as oriented boxes.

#include "query/tree/distance_walk.h"

#include "base/isa_table.h"
#include "query/tree/box_kernel.h"
#include "query/tree/front.h"
#include "tree/bvh/slot_box.h"

WK_DEFINE_LANES(const wkBoxLanes, wkBoxLanes)

// Stores a bound, rounded down because a bound must not grow.
// @return the bit of the slot when it is not above the limit
static unsigned setBound(wkBounds* bounds, uint32_t slot, double distance, float limit)
{
    bounds->least[slot] = (float)(distance * distance * (1.0 - 1e-6));
    bounds->guesses[slot] = bounds->least[slot];
    return (bounds->least[slot] > limit ? 0u : 1u) << slot;
}

WK_FORCE_FN bool opensLargerBox(const void* query, wkSlot a, wkSlot b)
{
    const wkTreesWalk* walk = (const wkTreesWalk*)query;
    return wkSumAbs(wkSlotBox(&walk->pairs.a, a).half) >
           wkSumAbs(wkSlotBox(&walk->pairs.b, b).half);
}

WK_FORCE_FN unsigned boundAsBoxes(const void* query, bool opensA, wkSlot slot, uint32_t node,
                                  wkBounds* bounds)
{
    const wkTreesWalk* walk = (const wkTreesWalk*)query;
    const wkLink* links = wkTreeLinks(opensA ? &walk->pairs.a : &walk->pairs.b, node);
    wkObb single = wkSlotBox(opensA ? &walk->pairs.b : &walk->pairs.a, slot);
    unsigned mask = 0;
    for (uint32_t i = 0; i < WK_TREE_WIDTH; ++i) {
        if (links[i] != WK_LINK_EMPTY) {
            wkObb box =
                wkSlotBox(opensA ? &walk->pairs.a : &walk->pairs.b, node * WK_TREE_WIDTH + i);
            mask |= setBound(
                bounds, i,
                wkObbDistance(&walk->bInA, opensA ? &box : &single, opensA ? &single : &box),
                walk->pairs.limit);
        }
    }
    return mask;
}

WK_FORCE_FN bool opensLarger(const void* query, wkSlot a, wkSlot b)
{
    const wkTreesWalk* walk = (const wkTreesWalk*)query;
    const wkVolumeRow* row = &wkVolumeTable[walk->pairs.a.kind];
    return row->size(wkTreeVolume(&walk->pairs.a, a)) > row->size(wkTreeVolume(&walk->pairs.b, b));
}

WK_FORCE_FN unsigned boundAlike(const void* query, bool opensA, wkSlot slot, uint32_t node,
                                wkBounds* bounds)
{
    const wkTreesWalk* walk = (const wkTreesWalk*)query;
    const wkVolumeRow* row = &wkVolumeTable[walk->pairs.a.kind];
    const wkTree* opened = opensA ? &walk->pairs.a : &walk->pairs.b;
    const wkLink* links = wkTreeLinks(opened, node);
    const void* single = wkTreeVolume(opensA ? &walk->pairs.b : &walk->pairs.a, slot);
    unsigned mask = 0;
    for (uint32_t i = 0; i < WK_TREE_WIDTH; ++i) {
        if (links[i] != WK_LINK_EMPTY) {
            const void* volume = wkTreeVolume(opened, node * WK_TREE_WIDTH + i);
            mask |= setBound(
                bounds, i,
                row->distance(&walk->bInA, opensA ? volume : single, opensA ? single : volume),
                walk->pairs.limit);
        }
    }
    return mask;
}

WK_APART_FN wkStep walkAlikeDown(wkPairWalk* walk, const void* query, wkSlotPair start)
{
    wkPairRule rule = {opensLarger, boundAlike};
    return wkWalkDown(walk, query, rule, start);
}

WK_APART_FN wkStep walkAsBoxesDown(wkPairWalk* walk, const void* query, wkSlotPair start)
{
    wkPairRule rule = {opensLargerBox, boundAsBoxes};
    return wkWalkDown(walk, query, rule, start);
}

WK_APART_FN void walkAlikeFront(wkTreesWalk* walk)
{
    wkPairRule rule = {opensLarger, boundAlike};
    wkWalkFront(walk, walk, rule);
}

WK_APART_FN void walkAsBoxesFront(wkTreesWalk* walk)
{
    wkPairRule rule = {opensLargerBox, boundAsBoxes};
    wkWalkFront(walk, walk, rule);
}

void wkWalkTrees(wkTreesWalk* walk)
{
    wkPairRule alike = {opensLarger, boundAlike}, asBoxes = {opensLargerBox, boundAsBoxes};
    bool isAlike = walk->pairs.a.kind == walk->pairs.b.kind;
    if (isAlike && walk->pairs.a.kind == wk_volumeAabb) {
        wkBoxLanesOfMachine()->walkTrees(walk);
    } else if (walk->front != NULL && isAlike) {
        walkAlikeFront(walk);
    } else if (walk->front != NULL) {
        walkAsBoxesFront(walk);
    } else if (walk->isNearest && isAlike) {
        wkWalkNearest(&walk->pairs, walk, alike, walkAlikeDown);
    } else if (walk->isNearest) {
        wkWalkNearest(&walk->pairs, walk, asBoxes, walkAsBoxesDown);
    } else {
        (isAlike ? walkAlikeDown : walkAsBoxesDown)(&walk->pairs, walk, wkStems);
    }
}

// Lower bound of the distance of the box in a slot from a single volume.
typedef double gapOfBoxFcn(const void* query, const wkObb* box);

WK_FORCE_FN unsigned boundEach(const wkBoxWalk* walk, const void* query, gapOfBoxFcn* gapOf,
                               uint32_t node, wkBounds* bounds)
{
    const wkLink* links = wkTreeLinks(&walk->slots.tree, node);
    unsigned mask = 0;
    for (uint32_t i = 0; i < WK_TREE_WIDTH; ++i) {
        if (links[i] != WK_LINK_EMPTY) {
            wkObb box = wkSlotBox(&walk->slots.tree, node * WK_TREE_WIDTH + i);
            mask |= setBound(bounds, i, gapOf(query, &box), walk->slots.limit);
        }
    }
    return mask;
}

typedef struct singleQuery {
    const wkBoxWalk* walk;
    wkObb single;
} singleQuery;

WK_FORCE_FN double gapToSingle(const void* query, const wkObb* box)
{
    const singleQuery* q = (const singleQuery*)query;
    return wkObbDistance(&q->walk->treeInBox, &q->single, box);
}

WK_FORCE_FN unsigned boundSingle(const void* query, uint32_t node, wkBounds* bounds)
{
    return boundEach(((const singleQuery*)query)->walk, query, gapToSingle, node, bounds);
}

// A half-space below height `top` along an axis, or the plane there.
typedef struct planeQuery {
    const wkBoxWalk* walk;
    wkVec3d axis; // in the frame of the tree
    double top;
} planeQuery;

WK_FORCE_FN double gapToPlane(const void* query, const wkObb* box)
{
    const planeQuery* q = (const planeQuery*)query;
    wkVec3d local = wkMulTMV(&box->frame.rotation, q->axis);
    double height = wkDot(q->axis, box->frame.position) - q->top;
    double reach = wkDot(wkAbs(local), box->half);
    return wkPositive((q->walk->isBothSided ? fabs(height) : height) - reach);
}

WK_FORCE_FN unsigned boundAbove(const void* query, uint32_t node, wkBounds* bounds)
{
    return boundEach(((const planeQuery*)query)->walk, query, gapToPlane, node, bounds);
}

void wkWalkTree(wkBoxWalk* walk)
{
    if (walk->isFlat) {
        wkVec3d axis = wkMulTMV(&walk->treeInBox.rotation, walk->half);
        double offset = wkDot(walk->half, wkSub(walk->center, walk->treeInBox.position));
        planeQuery query = {walk, axis, offset};
        wkSlotRule rule = {boundAbove};
        wkWalkSlots(&walk->slots, &query, rule);
    } else if (walk->slots.tree.kind == wk_volumeAabb) {
        wkBoxLanesOfMachine()->walkTree(walk);
    } else {
        singleQuery query = {
            walk,
            {{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, walk->center}, walk->half}};
        wkSlotRule rule = {boundSingle};
        wkWalkSlots(&walk->slots, &query, rule);
    }
}
