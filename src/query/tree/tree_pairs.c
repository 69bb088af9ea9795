// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Runs a search over the pairs of items of two hierarchies.

#include "query/tree/tree_pairs.h"

#include "query/tree/front.h"

void wkBeginItemSearch(const wkBodyQuestion* q, wkBodyAnswer* answer, wkItemSearch* search)
{
    double radiusA = wkShapeRadius(q->a), radiusB = wkShapeRadius(q->b);
    search->question = q;
    search->answer = answer;
    search->radiusA = radiusA;
    search->radiusB = radiusB;
    search->isVerdict = q->contacts != NULL || (!q->isCommon && !q->isSigned);
    wkTreesWalk* walk = &search->walk;
    walk->pairs.a = q->viewA.tree;
    walk->pairs.b = q->viewB.tree;
    walk->bInA = q->bInA;
    walk->slack = wkWalkSlack(q->viewA.reach + q->viewB.reach + wkMaxAbs(q->bInA.position) +
                              (fabs(radiusA) + fabs(radiusB)));
    walk->pairs.limit = wkWalkLimit(wkReachOf(q, answer) + (radiusA + radiusB), walk->slack);
    walk->isNearest = !search->isVerdict;
    walk->front = NULL;
    walk->groups = q->viewA.groups;
    walk->pointRadius = walk->groups != NULL ? wkRoundUp(q->viewA.pointRadius) : 0.0f;
}

static void walkAll(wkItemSearch* search)
{
    wkWalkTrees(&search->walk);
    if (search->finish != NULL) {
        search->finish(search);
    }
}

// The pair that decided last time comes first: it may do so again, or it leaves little to search.
// Where two bodies touched and that pair no longer does, another pair most likely does, and is found
// faster without a front.
static void walkFromFront(wkItemSearch* search)
{
    const wkBodyQuestion* q = search->question;
    wkFront* front = q->front;
    wkFrontBegin(front, q->viewA.source, q->viewA.content, q->viewB.source, q->viewB.content,
                 &q->bInA, &q->viewB.bounds);
    bool hasPair = front->itemA >= 0, isEnough = false;
    if (hasPair) {
        isEnough = search->visit(search, front->itemA, front->itemB) == wk_stepStop;
        wkLowerLimit(search);
    }
    if (!isEnough) {
        search->walk.front = hasPair && search->isVerdict ? NULL : front;
        walkAll(search);
        wkFrontEnd(front);
    }
    bool isDecisive = !search->isVerdict || search->answer->closest.distance <= q->enough;
    front->itemA = isDecisive ? wkItemOfPart(search->answer->closest.partA) : -1;
    front->itemB = isDecisive ? wkItemOfPart(search->answer->closest.partB) : -1;
}

void wkRunItemSearch(wkItemSearch* search)
{
    const wkBodyQuestion* q = search->question;
    bool isKnown = q->viewA.content != 0 && q->viewB.content != 0;

    // contacts take longer than the walk to them
    if (q->front != NULL && isKnown && q->contacts == NULL) {
        walkFromFront(search);
    } else {
        walkAll(search);
    }
}
