// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The walks over trees of boxes: one box against the eight of a node at a time.

#include "query/tree/box_kernel.h"
#include "query/tree/box_bounds.h"
#include "query/tree/front.h"

typedef struct treesQuery {
    const wkTreesWalk* walk;
    wkFloatRotation aFromB;
    wkFloatRotation bFromA;
} treesQuery;

WK_FORCE_FN float extent(const wkTree* tree, wkSlot slot)
{
    wkCenteredBox b = wkBoxInSlot(tree, slot);
    return b.half[0] + b.half[1] + b.half[2];
}

WK_FORCE_FN bool opensLargerA(const void* query, wkSlot a, wkSlot b)
{
    const wkPairWalk* walk = &((const treesQuery*)query)->walk->pairs;
    return extent(&walk->a, a) > extent(&walk->b, b);
}

WK_FORCE_FN unsigned boundSlots(const void* query, bool opensA, wkSlot slot, uint32_t node,
                                wkBounds* bounds)
{
    const treesQuery* q = (const treesQuery*)query;
    const wkTree* opened = opensA ? &q->walk->pairs.a : &q->walk->pairs.b;
    const wkTree* closed = opensA ? &q->walk->pairs.b : &q->walk->pairs.a;
    wkCenteredBox single = wkBoxInSlot(closed, slot);
    return wkBoundBoxes(opensA ? &q->aFromB : &q->bFromA, &single, wkTreeBoxes(opened, node),
                        q->walk->pairs.limit, bounds);
}

WK_APART_FN wkStep walkBoxesDown(wkPairWalk* walk, const void* query, wkSlotPair start)
{
    wkPairRule rule = {opensLargerA, boundSlots};
    return wkWalkDown(walk, query, rule, start);
}

WK_APART_FN void walkBoxesFront(wkTreesWalk* walk, const void* query)
{
    wkPairRule rule = {opensLargerA, boundSlots};
    wkWalkFront(walk, query, rule);
}

static void walkTrees(wkTreesWalk* walk)
{
    wkFrame aInB = wkInverseFrame(&walk->bInA);
    treesQuery query = {walk, wkRotationFromFrame(&walk->bInA), wkRotationFromFrame(&aInB)};
    wkPairRule rule = {opensLargerA, boundSlots};
    if (walk->front != NULL) {
        walkBoxesFront(walk, &query);
    } else if (walk->isNearest) {
        wkWalkNearest(&walk->pairs, &query, rule, walkBoxesDown);
    } else {
        walkBoxesDown(&walk->pairs, &query, wkStems);
    }
}

typedef struct treeQuery {
    const wkBoxWalk* walk;
    wkFloatRotation treeFromBox;
    wkCenteredBox single;
} treeQuery;

WK_FORCE_FN unsigned boundNode(const void* query, uint32_t node, wkBounds* bounds)
{
    const treeQuery* q = (const treeQuery*)query;
    return wkBoundBoxes(&q->treeFromBox, &q->single, wkTreeBoxes(&q->walk->slots.tree, node),
                        q->walk->slots.limit, bounds);
}

static void walkTree(wkBoxWalk* walk)
{
    wkFrame boxInTree = wkInverseFrame(&walk->treeInBox);
    treeQuery query = {
        walk,
        wkRotationFromFrame(&boxInTree),
        {{(float)walk->center.x, (float)walk->center.y, (float)walk->center.z},
         {(float)walk->half.x, (float)walk->half.y, (float)walk->half.z}},
    };
    wkSlotRule rule = {boundNode};
    wkWalkSlots(&walk->slots, &query, rule);
}

extern const wkBoxLanes WK_KERNEL(wkBoxLanes);
const wkBoxLanes WK_KERNEL(wkBoxLanes) = {walkTrees, walkTree};
