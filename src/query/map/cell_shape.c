// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A cell of a map and an item that is any convex shape, by the pair table.

#include "query/map/cell_item.h"

static void prepare(const wkBodyQuestion* q, wkCellAsk* ask)
{
    wkPrepareCellAsk(q, ask);
    ask->isVerdict = wkIsVerdict(q);
    ask->index = -1;
}

// Loads an item into the frame of the map. Several cells in a row are compared with the same one.
static void loadShape(wkCellAsk* ask, const wkBodyQuestion* q, int32_t index)
{
    if (index == ask->index) {
        return;
    }
    wkLoadItem(&q->viewA, q->a, index, &ask->item);
    wkTransformItem(&q->aPoseInB, &ask->item);
    ask->sphere = wkSphereAroundItem(&ask->item);
    ask->index = index;
}

// Whether the cell and the sphere around the item are further apart than `reach`.
static bool isFar(const wkCellAsk* ask, double reach)
{
    wkVec3d half = ask->cell.shape.box.half;
    wkVec3d apart = wkAbs(wkSub(ask->sphere.center, ask->cell.pose.position));
    wkVec3d gap = wkMax(wkSub(apart, half), wkVec(0.0, 0.0, 0.0));
    double limit = wkPositive(reach + ask->sphere.radius + wkShapeRadius(&ask->cell.shape));
    limit += 1e-9 * (half.x + wkMaxAbs(apart) + fabs(ask->sphere.radius));
    return wkDot(gap, gap) > limit * limit;
}

static bool askShape(wkCellAsk* ask, const wkBodyQuestion* q, int32_t index, double reach,
                     wkDistanceResult* found)
{
    loadShape(ask, q, index);
    if (isFar(ask, reach)) {
        return false;
    }
    wkAskItemPair(q, &ask->item, &ask->cell, reach, found);
    found->partA = wkPartOf(&q->viewA, index);
    return !(ask->isVerdict && found->distance > reach);
}

static double bodyOfShape(wkCellAsk* ask, const wkBodyQuestion* q, int32_t index, wkMat3d* axes,
                          wkMapBody* body)
{
    loadShape(ask, q, index);
    wkFrame frame = wkFrameFromPose(ask->item.pose);
    wkSetConvexBody(&ask->item.shape, &frame, body);
    *axes = frame.rotation;
    body->axes = axes;
    return wkShapeRadius(&ask->item.shape) - wkShapeRadius(q->a);
}

const wkCellItemRow wkCellShapeRow = {prepare, askShape, bodyOfShape};
