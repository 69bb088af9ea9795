// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Hierarchies of convex shapes of any types: a convex shape against one, and two hierarchies of which at
// least one is made of shapes. Every pair of items within reach is evaluated by the pair table.

#include "base/isa_table.h"
#include "query/tree/box_bounds.h"
#include "query/tree/item_pair.h"
#include "query/tree/leaf_points_kernel.h"
#include "query/tree/tree_pairs.h"

#include <string.h>

WK_DEFINE_LANES(const wkLeafPointLanes, wkLeafPointLanes)

// An item with a sphere around it, at home.
typedef struct loadedItem {
    wkItem item;
    wkItemSphere sphere;
    int32_t index; // -1: not an item but A itself
} loadedItem;

// Evaluates two items, unless spheres around them show that they do not matter.
static wkStep visitPair(const wkBodyQuestion* q, wkBodyAnswer* answer, const loadedItem* a,
                        const loadedItem* b)
{
    double reach = wkReachOf(q, answer) + q->slack;
    if (wkAreItemsFar(&a->sphere, &b->sphere, reach)) {
        return wk_stepOn;
    }
    wkDistanceResult found;
    wkAskItemPair(q, &a->item, &b->item, reach, &found);
    found.partA = a->index;
    found.partB = b->index;
    ++answer->visitCount;
    return wkTakeAnswer(q, &found, answer);
}

static void loadA(const wkBodyQuestion* q, int32_t index, loadedItem* loaded)
{
    wkLoadItem(&q->viewA, q->a, index, &loaded->item);
    loaded->sphere = wkSphereAroundItem(&loaded->item);
    loaded->index = index;
}

static void loadB(const wkBodyQuestion* q, int32_t index, loadedItem* loaded)
{
    wkLoadItemOfB(q, index, &loaded->item);
    loaded->sphere = wkSphereAroundItem(&loaded->item);
    loaded->index = index;
}

typedef struct shapeWalk {
    wkBoxWalk base;
    const wkBodyQuestion* question;
    wkBodyAnswer* answer;
    loadedItem shape; // A
    double radii;     // of the spheres around the core of A and around the items
    const wkLeafPointLanes* lanes;
    wkPointBody body; // the core of A, for points
} shapeWalk;

// Largest bound of a point that may matter.
static float pointLimit(const shapeWalk* walk)
{
    const wkBodyQuestion* q = walk->question;
    double reach = wkReachOf(q, walk->answer) + q->slack;
    return wkRoundUp(reach + (walk->radii + q->viewB.pointRadius) + (double)walk->base.slack);
}

static wkStep visitItem(shapeWalk* walk, int32_t index)
{
    loadedItem item;
    loadB(walk->question, index, &item);
    return visitPair(walk->question, walk->answer, &walk->shape, &item);
}

// Visits the points of a leaf, the nearest first.
static wkStep visitPoints(wkSlotWalk* slots, wkLink link)
{
    shapeWalk* walk = (shapeWalk*)slots;
    const wkBodyQuestion* q = walk->question;
    int32_t first = wkLeafFirst(link);
    _Alignas(32) float bounds[WK_TREE_WIDTH];
    unsigned left = walk->lanes->boundCore(&walk->body, &q->viewB.groups[first / WK_TREE_WIDTH],
                                           pointLimit(walk), bounds);
    left &= (2u << (wkLeafCount(link) - 1)) - 1u;
    if (left == 0) {
        return wk_stepOn;
    }
    while (left != 0) {
        int slot = wkLeastSlot(left, bounds);
        if (bounds[slot] > pointLimit(walk)) {
            break;
        }
        if (visitItem(walk, first + slot) == wk_stepStop) {
            return wk_stepStop;
        }
        left &= ~(1u << slot);
    }
    slots->limit = wkWalkLimit(wkReachOf(q, walk->answer) + walk->radii, walk->base.slack);
    return wk_stepOn;
}

static wkStep visitItems(wkSlotWalk* slots, wkLink link)
{
    shapeWalk* walk = (shapeWalk*)slots;
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    for (int32_t index = first; index < end; ++index) {
        if (visitItem(walk, index) == wk_stepStop) {
            return wk_stepStop;
        }
    }
    slots->limit =
        wkWalkLimit(wkReachOf(walk->question, walk->answer) + walk->radii, walk->base.slack);
    return wk_stepOn;
}

// The core of A for points of B: the box of the walk, or a cylinder, which is tighter.
static wkPointBody makePointBody(const wkBodyQuestion* q, const wkBoxWalk* base)
{
    bool isRound = wkConvexRowOf(q->a)->facts.extent == wk_extentDisc;
    wkPointBodyKind flat = base->isBothSided ? wk_pointsToPlane : wk_pointsToHalfspace;
    wkPointBody body = {.kind = base->isFlat ? flat : isRound ? wk_pointsToRound : wk_pointsToBox};
    wkFloatRotation frame = wkRotationFromFrame(&q->bInA);
    memcpy(body.frame.rotation, frame.rotation, sizeof body.frame.rotation);
    wkVec3d position = wkSub(q->bInA.position, base->center);
    body.frame.position[0] = (float)position.x;
    body.frame.position[1] = (float)position.y;
    body.frame.position[2] = (float)position.z;
    body.half[0] = (float)base->half.x;
    body.half[1] = (float)base->half.y;
    body.half[2] = (float)base->half.z;
    return body;
}

void wkSearchShapeItems(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    shapeWalk walk = {
        .question = q,
        .answer = answer,
        .shape = {.item = {*q->a, {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}}}, .index = -1},
        .radii = wkShapeRadius(q->a) + wkShapeRadius(q->b),
    };
    walk.shape.sphere = wkSphereAroundItem(&walk.shape.item);
    wkPrepareBoxWalk(q, answer, &walk.base);
    walk.base.slots.leaf = visitItems;
    if (q->viewB.groups != NULL) {
        walk.lanes = wkLeafPointLanesOfMachine();
        walk.body = makePointBody(q, &walk.base);
        walk.base.slots.leaf = visitPoints;
    }
    wkWalkTree(&walk.base);
}

typedef struct itemsWalk {
    wkItemSearch base;
    wkLink linkA; // leaf of A that is loaded
    loadedItem itemsA[WK_TREE_WIDTH];
} itemsWalk;

static wkStep visitAlone(wkItemSearch* search, int32_t indexA, int32_t indexB)
{
    loadedItem a, b;
    loadA(search->question, indexA, &a);
    loadB(search->question, indexB, &b);
    return visitPair(search->question, search->answer, &a, &b);
}

static wkStep visitPairs(wkPairWalk* pairs, wkLink linkA, wkLink linkB)
{
    itemsWalk* walk = (itemsWalk*)pairs;
    const wkBodyQuestion* q = walk->base.question;
    int32_t firstA = wkLeafFirst(linkA), countA = wkLeafCount(linkA);
    int32_t firstB = wkLeafFirst(linkB), countB = wkLeafCount(linkB);
    if (linkA != walk->linkA) { // mostly the same as last time
        for (int32_t i = 0; i < countA; ++i) {
            loadA(q, firstA + i, &walk->itemsA[i]);
        }
        walk->linkA = linkA;
    }
    for (int32_t j = 0; j < countB; ++j) {
        loadedItem itemB;
        loadB(q, firstB + j, &itemB);
        for (int32_t i = 0; i < countA; ++i) {
            if (visitPair(q, walk->base.answer, &walk->itemsA[i], &itemB) == wk_stepStop) {
                return wk_stepStop;
            }
        }
    }
    wkLowerLimit(&walk->base);
    return wk_stepOn;
}

void wkSearchTreeItems(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    itemsWalk walk;
    wkBeginItemSearch(q, answer, &walk.base);
    walk.base.visit = visitAlone;
    walk.base.finish = NULL;
    walk.base.walk.pairs.leaf = visitPairs;
    walk.linkA = WK_LINK_EMPTY;
    wkRunItemSearch(&walk.base);
}
