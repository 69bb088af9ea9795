// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Two maps: pairs of cells that may matter are queried as boxes, and the space beyond one map is queried
// against the other map as six half-spaces.

#include "query/map/map_query.h"

#include "query/pair/question.h"
#include "solve/order.h"

typedef struct pairsWalk {
    wkMapsWalk base;
    const wkBodyQuestion* question;
    wkBodyAnswer* answer;
    const wkPairRow* row;
    wkQuestion pair;
    wkShape a;
    wkShape b;
    wkPose poseOfA;
    wkPose poseOfB;
    double radii;
} pairsWalk;

static void aim(pairsWalk* walk)
{
    walk->base.reach =
        wkMapReach(walk->question, walk->answer) + walk->radii + walk->question->slack;
}

static bool isReported(const wkBodyQuestion* q, bool isUnknownA, bool isUnknownB)
{
    return (isUnknownA && q->a->map.unknown == wk_unknownReported) ||
           (isUnknownB && q->b->map.unknown == wk_unknownReported);
}

static void setCell(const wkOctree* octree, const wkCube* cube, wkShape* cell, wkVec3d* center)
{
    double half = wkCubeHalf(octree, cube);
    cell->box.half = wkVec(half, half, half);
    *center = wkCubeCenter(octree, cube);
}

static wkStep visitPair(wkMapsWalk* base, const wkCube* a, const wkCube* b)
{
    pairsWalk* walk = (pairsWalk*)base;
    const wkBodyQuestion* q = walk->question;
    wkVec3d centerA;
    setCell(base->a.octree, a, &walk->a, &centerA);
    setCell(base->b.octree, b, &walk->b, &walk->poseOfB.position);
    walk->poseOfA.position = wkFramePoint(&q->aInB, centerA);
    walk->pair.cutoff = wkMapReach(q, walk->answer) + q->slack;
    wkDistanceResult found;
    if (q->isCommon) {
        wkAnswerPairUnsigned(walk->row, &walk->pair, &found);
    } else {
        wkAnswerPair(walk->row, &walk->pair, &found);
    }
    found.partA = wkCubeId(a);
    found.partB = wkCubeId(b);
    if (wkTakeCell(q, &found, isReported(q, a->isUnknown, b->isUnknown), walk->answer) ==
        wk_stepStop) {
        return wk_stepStop;
    }
    aim(walk);
    return wk_stepOn;
}

static void preparePair(pairsWalk* walk)
{
    const wkBodyQuestion* q = walk->question;
    walk->a = wkPartOfType(q->a, wk_shapeBox);
    walk->b = wkPartOfType(q->b, wk_shapeBox);
    walk->poseOfA = q->aPoseInB;
    walk->poseOfB = (wkPose){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    walk->row = &wkPairTable[wk_shapeBox][wk_shapeBox];
    walk->pair = wkQuestionOfParts(q, &walk->a, &walk->poseOfA, &walk->b, &walk->poseOfB);
    walk->radii = walk->pair.radiusA + walk->pair.radiusB;
}

// Queries the space beyond one map against the occupied cells of the other.
static wkStep visitBeyond(const wkBodyQuestion* q, bool isBeyondA, wkBodyAnswer* answer)
{
    wkPose identity = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    const wkPose* poseBeyond = isBeyondA ? &q->aPoseInB : &identity;
    const wkPose* poseOfCells = isBeyondA ? &identity : &q->aPoseInB;
    const wkShape* beyond = isBeyondA ? q->a : q->b;
    wkShape cells = isBeyondA ? *q->b : *q->a;
    cells.map.unknown = wk_unknownFree;
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.isSigned = !q->isCommon;
    for (int side = 0; side < 6; ++side) {
        wkShape half = wkBeyondMap(beyond, side);
        request.cutoff = wkMapReach(q, answer) + q->slack;
        wkDistanceResult found = wkDistanceByWalk(&half, poseBeyond, &cells, poseOfCells, &request);
        found = isBeyondA ? found : wkSwapAnswer(found);
        if (wkTakeCell(q, &found, isReported(q, isBeyondA, !isBeyondA), answer) == wk_stepStop) {
            return wk_stepStop;
        }
    }
    return wk_stepOn;
}

// The spaces beyond both maps overlap without bound.
static wkStep takeEndless(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    wkDistanceResult endless = {
        .distance = q->isCommon ? 0.0 : WK_UNBOUNDED_DISTANCE,
        .pointA = q->aPoseInB.position,
        .pointB = q->aPoseInB.position,
        .normal = {0.0, 0.0, 1.0},
        .status = wk_statusUnbounded,
        .partA = -1,
        .partB = -1,
    };
    return wkTakeCell(q, &endless, isReported(q, true, true), answer);
}

// Searches the pairs of cells.
static wkStep searchCells(const wkBodyQuestion* q, bool wantsUnknown, wkBodyAnswer* answer)
{
    pairsWalk walk;
    walk.question = q;
    walk.answer = answer;
    preparePair(&walk);
    walk.base.a = q->cellsA;
    walk.base.b = q->cellsB;
    walk.base.a.wantsUnknown = wantsUnknown && q->cellsA.wantsUnknown;
    walk.base.b.wantsUnknown = wantsUnknown && q->cellsB.wantsUnknown;
    walk.base.aInB = q->aInB;
    walk.base.leaf = visitPair;
    aim(&walk);
    wkWalkMaps(&walk.base);
    bool isEnough = answer->closest.distance <= q->enough ||
                    (q->stopsWhenFull && answer->contactCount == q->contactCapacity);
    return isEnough ? wk_stepStop : wk_stepOn;
}

void wkSearchMaps(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    bool isEndless = q->cellsA.wantsUnknown && q->cellsB.wantsUnknown;
    if (searchCells(q, !isEndless, answer) == wk_stepStop) {
        return;
    }
    if (isEndless) {
        takeEndless(q, answer);
    } else if (q->cellsA.wantsUnknown || q->cellsB.wantsUnknown) {
        visitBeyond(q, q->cellsA.wantsUnknown, answer);
    }
}
