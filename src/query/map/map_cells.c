// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A shape or a hierarchy against the cells of a map. The walk sees it as a box; a cell that may matter
// is queried as a box too: convex shapes by the pair table, hierarchies by a walk. Hierarchies with boxes
// have a walk over both: map_items.c. Beyond the map are six half-spaces, which are as unknown as its
// unknown cells.

#include "query/map/map_items.h"
#include "query/pair/question.h"
#include "query/tree/tree_query.h"

typedef struct cellsWalk cellsWalk;

// Evaluates A against one piece of the map, `walk->piece` at `walk->place`; A comes first in the result.
// Pairs further apart than `reach` do not matter.
typedef void askFcn(const cellsWalk* walk, double reach, wkDistanceResult* found);

struct cellsWalk {
    wkMapWalk base;
    const wkBodyQuestion* question;
    wkBodyAnswer* answer;
    askFcn* ask;
    double radii;    // sum of the sphere radii around both cores
    bool isSolid;    // A is a solid hierarchy, in which cells may be deeper than its box implies
    bool isVerdict;  // only the side of `enough` is requested
    wkCellAsk* cell; // when A has items to compare with cells

    // the rest is set when the first piece is near: many bodies are near none
    bool hasPiece;
    wkShape piece;
    wkPose cellPose;
    const wkPairRow* row; // NULL: not yet chosen
    wkQuestion pair;
    bool isPieceFirst; // in the order of the pair table
};

static void beginPieces(cellsWalk* walk)
{
    const wkShape* map = walk->question->b;
    walk->hasPiece = true;
    walk->piece = wkPartOfType(map, wk_shapeBox);
    walk->cellPose = (wkPose){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    walk->row = NULL;
}

// Chooses the row of the pair table for A and the piece.
static void choosePair(cellsWalk* walk)
{
    const wkBodyQuestion* q = walk->question;
    walk->isPieceFirst = q->a->type > walk->piece.type;
    walk->row = wkConvexPairRowOf(q->a, &walk->piece);
    walk->pair = walk->isPieceFirst
                     ? wkQuestionOfParts(q, &walk->piece, &walk->cellPose, q->a, &q->aPoseInB)
                     : wkQuestionOfParts(q, q->a, &q->aPoseInB, &walk->piece, &walk->cellPose);
    walk->pair.wantsPoints = !walk->isVerdict;
}

static void askConvex(const cellsWalk* walk, double reach, wkDistanceResult* found)
{
    const wkQuestion* known = &walk->pair;
    if (walk->isVerdict && walk->row->gap != NULL) {
        *found = (wkDistanceResult){
            .distance = walk->row->gap(known->a, known->poseA, known->b, known->poseB, reach)};
        return;
    }
    wkQuestion pair = *known;
    pair.cutoff = reach;
    if (walk->question->isCommon) {
        wkAnswerPairUnsigned(walk->row, &pair, found);
    } else {
        wkAnswerPair(walk->row, &pair, found);
    }
    if (walk->isPieceFirst) {
        *found = wkSwapAnswer(*found);
    }
}

static void measureTree(const cellsWalk* walk, double reach, wkDistanceResult* found)
{
    const wkBodyQuestion* q = walk->question;
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.cutoff = wkMaxD(reach, -walk->radii); // depths in solids need a full query
    request.isSigned = !q->isCommon;
    *found = wkDistanceByWalk(q->a, &q->aPoseInB, &walk->piece, &walk->cellPose, &request);
}

// Verdicts are cheaper than distances. Next to the limit, where the last digit decides, the distance is
// used.
static void askTree(const cellsWalk* walk, double reach, wkDistanceResult* found)
{
    const wkBodyQuestion* q = walk->question;
    if (!walk->isVerdict) {
        measureTree(walk, reach, found);
        return;
    }
    double band = 1e-12 * (fabs(reach) + q->slack);
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = reach + band;
    *found = (wkDistanceResult){.distance = INFINITY};
    if (!wkCollideByWalk(q->a, &q->aPoseInB, &walk->piece, &walk->cellPose, &request).isTouching) {
        return;
    }
    request.margin = reach - band;
    if (wkCollideByWalk(q->a, &q->aPoseInB, &walk->piece, &walk->cellPose, &request).isTouching) {
        found->distance = request.margin - q->slack;
        return;
    }
    measureTree(walk, reach + band, found);
}

// Finds the item of A that is closest to a cell.
static void askItems(const cellsWalk* walk, double reach, wkDistanceResult* found)
{
    if (walk->piece.type == wk_shapeBox) {
        wkAskCellItems(walk->cell, walk->question, walk->piece.box.half, walk->cellPose.position,
                       reach, found);
    } else {
        askTree(walk, reach, found);
    }
}

static wkStep visitPiece(cellsWalk* walk, int64_t part, bool isUnknown)
{
    const wkBodyQuestion* q = walk->question;
    if (walk->ask == askConvex && walk->row == NULL) {
        choosePair(walk);
    }
    wkDistanceResult found;
    walk->ask(walk, wkMapReach(q, walk->answer) + q->slack, &found);
    found.partB = part;
    return wkTakeCell(q, &found, isUnknown && q->b->map.unknown == wk_unknownReported,
                      walk->answer);
}

static void aim(cellsWalk* walk)
{
    double reach = wkMapReach(walk->question, walk->answer) + walk->radii + walk->question->slack;
    walk->base.reach = walk->isSolid ? wkPositive(reach) : reach;
}

static wkStep visitCell(wkMapWalk* base, const wkCube* cube)
{
    cellsWalk* walk = (cellsWalk*)base;
    const wkOctree* octree = base->view.octree;
    double half = wkCubeHalf(octree, cube);
    if (!walk->hasPiece) {
        beginPieces(walk);
    }
    walk->piece.box.half = wkVec(half, half, half);
    walk->cellPose.position = wkCubeCenter(octree, cube);
    if (visitPiece(walk, wkCubeId(cube), cube->isUnknown) == wk_stepStop) {
        return wk_stepStop;
    }
    aim(walk);
    return wk_stepOn;
}

void wkSetConvexBody(const wkShape* shape, const wkFrame* frame, wkMapBody* body)
{
    const wkConvexRow* row = wkConvexRowOf(shape);
    body->axes = &frame->rotation;
    body->isFlat = !row->isBounded;
    body->isBothSided = shape->type == wk_shapePlane;
    if (row->isBounded) {
        wkFrame identity = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, {0.0, 0.0, 0.0}};
        wkAabb box = row->bounds(shape, &identity);
        body->center = wkFramePoint(frame, wkMiddle(box.lower, box.upper));
        body->half = wkScale(0.5, wkSub(box.upper, box.lower));
    } else {
        body->center = wkFramePoint(frame, row->project(shape, wkVec(0.0, 0.0, 0.0)).point);
        body->half = wkMulMV(&frame->rotation, shape->halfspace.normal);
    }
}

static bool checkTree(cellsWalk* walk, const wkTreeView* view)
{
    const wkBodyQuestion* q = walk->question;
    wkMapBody* body = &walk->base.body;
    walk->isSolid = view->isSolid;
    body->axes = &q->aInB.rotation;
    body->center = wkFramePoint(&q->aInB, wkMiddle(view->bounds.lower, view->bounds.upper));
    body->half = wkScale(0.5, wkSub(view->bounds.upper, view->bounds.lower));
    return view->itemCount > 0;
}

// Evaluates the space beyond the map, one side after another.
static void visitBeyond(cellsWalk* walk)
{
    beginPieces(walk);
    for (int side = 0; side < 6; ++side) {
        walk->piece = wkBeyondMap(walk->question->b, side);
        walk->row = NULL; // another type than that of cells
        if (visitPiece(walk, -1, true) == wk_stepStop) {
            return;
        }
    }
}

// Sets the volume of A for the walk, and the function that evaluates A.
// @return false when A is empty
static bool checkBody(cellsWalk* walk, wkCellAsk* cell)
{
    const wkBodyQuestion* q = walk->question;
    if (!wkIsTreeType(q->a->type)) {
        walk->ask = askConvex;
        wkSetConvexBody(q->a, &q->aInB, &walk->base.body);
        return true;
    }
    walk->ask = wkHasCellItems(&q->viewA) ? askItems : askTree;
    walk->cell = cell;
    return checkTree(walk, &q->viewA);
}

void wkSearchCells(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    wkCellAsk cell;
    cell.isReady = false;
    cellsWalk walk;
    walk.question = q;
    walk.answer = answer;
    walk.radii = wkShapeRadius(q->a) + wkShapeRadius(q->b);
    walk.isSolid = false;
    walk.isVerdict = wkIsVerdict(q);
    walk.hasPiece = false;
    walk.base.view = q->cellsB;
    walk.base.start = q->nearB;
    walk.base.isVerdict = walk.isVerdict;
    walk.base.body.isFlat = walk.base.body.isBothSided = false;
    walk.base.leaf = visitCell;
    if (!checkBody(&walk, &cell)) {
        return;
    }
    if (walk.ask == askItems && q->contacts == NULL) {
        wkSearchCellItems(q, &cell, answer);
    } else {
        aim(&walk);
        wkWalkMap(&walk.base);
    }
    bool isEnough = answer->closest.distance <= q->enough ||
                    (q->stopsWhenFull && answer->contactCount == q->contactCapacity);
    if (q->cellsB.wantsUnknown && !isEnough) {
        visitBeyond(&walk);
    }
}
