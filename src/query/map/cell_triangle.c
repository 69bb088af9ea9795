// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A cell of a map and a triangle: verdicts by separating axes where these decide, the pair table otherwise.

#include "query/map/cell_triangle.h"

#include "query/map/cell_item.h"
#include "query/pair/question.h"

static void prepare(const wkBodyQuestion* q, wkCellAsk* ask)
{
    bool isVerdict = wkIsVerdict(q);
    wkPrepareCellAsk(q, ask);
    ask->item.shape = wkPartOfType(q->a, wk_shapeTriangle);
    ask->item.pose = ask->cell.pose;
    ask->pair =
        wkQuestionOfParts(q, &ask->cell.shape, &ask->cell.pose, &ask->item.shape, &ask->item.pose);
    ask->pair.wantsPoints = !isVerdict;
    // cores that share points are then near enough
    ask->isVerdict = isVerdict && ask->pair.touching + ask->radii >= 0.0;
}

// Whether the cell and the box around the triangle, both relative to the cell's center, are further
// apart than `reach`.
static bool isFar(const wkCellAsk* ask, const wkVec3d faceVertices[3], double reach)
{
    wkVec3d lower = wkMin(wkMin(faceVertices[0], faceVertices[1]), faceVertices[2]);
    wkVec3d upper = wkMax(wkMax(faceVertices[0], faceVertices[1]), faceVertices[2]);
    wkVec3d half = ask->cell.shape.box.half;
    wkVec3d gap = wkMax(wkSub(lower, half), wkSub(wkNeg(half), upper));
    gap = wkMax(gap, wkVec(0.0, 0.0, 0.0));
    double size = half.x + wkMaxAbs(lower) + wkMaxAbs(upper);
    double limit = wkPositive(reach) + 1e-9 * size;
    return wkDot(gap, gap) > limit * limit;
}

// Evaluates both relative to the cell's center.
static bool askTriangle(wkCellAsk* ask, const wkBodyQuestion* q, int32_t index, double reach,
                        wkDistanceResult* found)
{
    wkVec3d middle = ask->cell.pose.position;
    wkVec3d* faceVertices = ask->item.shape.triangle.points;
    wkViewTriangleVertices(&q->viewA, index, faceVertices);
    for (int k = 0; k < 3; ++k) {
        faceVertices[k] = wkSub(wkFramePoint(&q->aInB, faceVertices[k]), middle);
    }
    if (isFar(ask, faceVertices, reach + ask->radii)) {
        return false;
    }
    if (ask->isVerdict) {
        double half = ask->cell.shape.box.half.x;
        wkCellSide side = wkClassifyCell(half, faceVertices, reach + ask->radii);
        *found = (wkDistanceResult){.distance = -ask->radii};
        if (side != wk_cellUnsure) {
            return side == wk_cellOverlaps;
        }
    }
    ask->pair.cutoff = reach;
    ask->cell.pose.position = wkVec(0.0, 0.0, 0.0);
    const wkPairRow* row = &wkPairTable[wk_shapeBox][wk_shapeTriangle];
    if (q->isCommon) {
        wkAnswerPairUnsigned(row, &ask->pair, found);
    } else {
        wkAnswerPair(row, &ask->pair, found);
    }
    ask->cell.pose.position = middle;
    *found = wkSwapAnswer(*found);
    found->pointA = wkAdd(found->pointA, middle);
    found->pointB = wkAdd(found->pointB, middle);
    found->partA = wkPartOf(&q->viewA, index);
    return true;
}

// A box along the longest edge of a triangle and its normal.
static double bodyOfTriangle(wkCellAsk* ask, const wkBodyQuestion* q, int32_t index, wkMat3d* axes,
                             wkMapBody* body)
{
    (void)ask;
    wkVec3d faceVertices[3];
    wkViewTriangleVertices(&q->viewA, index, faceVertices);
    for (int k = 0; k < 3; ++k) {
        faceVertices[k] = wkFramePoint(&q->aInB, faceVertices[k]);
    }
    wkVec3d ab = wkSub(faceVertices[1], faceVertices[0]),
            bc = wkSub(faceVertices[2], faceVertices[1]);
    wkVec3d ca = wkSub(faceVertices[0], faceVertices[2]);
    wkVec3d edge = wkDot(ab, ab) > wkDot(bc, bc) ? ab : bc;
    edge = wkDot(ca, ca) > wkDot(edge, edge) ? ca : edge;
    axes->x = wkNormalizeOr(edge, wkVec(1.0, 0.0, 0.0));
    wkVec3d across = wkPerpendicular(axes->x);
    wkVec3d normal = wkNormalizeOr(wkCross(ab, bc), across);
    normal = wkMulSub(normal, wkDot(normal, axes->x), axes->x);
    axes->z = wkNormalizeOr(normal, across);
    axes->y = wkCross(axes->z, axes->x);
    wkVec3d lower = wkVec(INFINITY, INFINITY, INFINITY), upper = wkNeg(lower);
    for (int k = 0; k < 3; ++k) {
        wkVec3d local = wkMulTMV(axes, faceVertices[k]);
        lower = wkMin(lower, local);
        upper = wkMax(upper, local);
    }
    *body = (wkMapBody){
        .axes = axes,
        .center = wkMulMV(axes, wkMiddle(lower, upper)),
        .half = wkScale(0.5, wkSub(upper, lower)),
    };
    return 0.0;
}

const wkCellItemRow wkCellTriangleRow = {prepare, askTriangle, bodyOfTriangle};
