// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Hierarchies of convex shapes of any types: a convex shape against one, and two hierarchies of which at
// least one is made of shapes. Every pair of items within reach is evaluated by the pair table. Fronts are
// not used.

#include "query/tree/item_pair.h"

typedef struct shapeWalk {
    wkBoxWalk base;
    const wkBodyQuestion* question;
    wkBodyAnswer* answer;
    wkItem shape; // A
    double radii; // of the spheres around the core of A and around the items
} shapeWalk;

// Evaluates two items.
static wkStep visitPair(const wkBodyQuestion* q, wkBodyAnswer* answer, const wkItem* a,
                        const wkItem* b, int32_t indexA, int32_t indexB)
{
    wkDistanceResult found;
    wkAskItemPair(q, a, b, wkReachOf(q, answer) + q->slack, &found);
    found.partA = indexA;
    found.partB = indexB;
    ++answer->visitCount;
    return wkTakeAnswer(q, &found, answer);
}

static wkStep visitItems(wkBoxWalk* base, wkLink link)
{
    shapeWalk* walk = (shapeWalk*)base;
    const wkBodyQuestion* q = walk->question;
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    for (int32_t index = first; index < end; ++index) {
        wkItem item;
        wkLoadItemOfB(q, index, &item);
        if (visitPair(q, walk->answer, &walk->shape, &item, -1, index) == wk_stepStop) {
            return wk_stepStop;
        }
    }
    base->limit = wkWalkLimit(wkReachOf(q, walk->answer) + walk->radii, base->slack);
    return wk_stepOn;
}

void wkSearchShapeItems(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    shapeWalk walk = {
        .question = q,
        .answer = answer,
        .shape = {*q->a, {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}}},
        .radii = wkShapeRadius(q->a) + wkShapeRadius(q->b),
    };
    wkPrepareBoxWalk(q, answer, &walk.base);
    walk.base.leaf = visitItems;
    wkWalkTree(&walk.base);
}

typedef struct itemsWalk {
    wkPairWalk base;
    const wkBodyQuestion* question;
    wkBodyAnswer* answer;
    double radii;
    wkLink linkA; // leaf of A that is loaded
    wkItem itemsA[WK_TREE_WIDTH];
} itemsWalk;

static wkStep visitPairs(wkPairWalk* base, wkLink linkA, wkLink linkB)
{
    itemsWalk* walk = (itemsWalk*)base;
    const wkBodyQuestion* q = walk->question;
    int32_t firstA = wkLeafFirst(linkA), countA = wkLeafCount(linkA);
    int32_t firstB = wkLeafFirst(linkB), countB = wkLeafCount(linkB);
    if (linkA != walk->linkA) { // mostly the same as last time
        for (int32_t i = 0; i < countA; ++i) {
            wkLoadItem(&q->viewA, q->a, firstA + i, &walk->itemsA[i]);
        }
        walk->linkA = linkA;
    }
    for (int32_t j = 0; j < countB; ++j) {
        wkItem itemB;
        wkLoadItemOfB(q, firstB + j, &itemB);
        for (int32_t i = 0; i < countA; ++i) {
            if (visitPair(q, walk->answer, &walk->itemsA[i], &itemB, firstA + i, firstB + j) ==
                wk_stepStop) {
                return wk_stepStop;
            }
        }
    }
    base->limit = wkWalkLimit(wkReachOf(q, walk->answer) + walk->radii, base->slack);
    return wk_stepOn;
}

void wkSearchTreeItems(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    double radiusA = wkShapeRadius(q->a), radiusB = wkShapeRadius(q->b);
    itemsWalk walk;
    walk.question = q;
    walk.answer = answer;
    walk.radii = radiusA + radiusB;
    walk.linkA = WK_LINK_EMPTY;
    wkPairWalk* base = &walk.base;
    base->a = q->viewA.tree;
    base->b = q->viewB.tree;
    base->bInA = q->bInA;
    base->slack = wkWalkSlack(q->viewA.reach + q->viewB.reach + wkMaxAbs(q->bInA.position) +
                              fabs(radiusA) + fabs(radiusB));
    base->limit = wkWalkLimit(wkReachOf(q, answer) + walk.radii, base->slack);
    base->isNearest = q->contacts == NULL && !wkIsVerdict(q);
    base->front = NULL;
    base->leaf = visitPairs;
    wkWalkTrees(base);
}
