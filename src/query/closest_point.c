// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The closest point of any shape to a point in the world.

#include "query/point.h"
#include "query/tree_ray.h"

static void nearConvex(const wkShape* shape, wkVec3d local, wkPointResult* result)
{
    wkProjection projection = wkPointDistance(shape, local);
    result->distance = projection.distance;
    result->point = wkMulAdd(projection.point, wkShapeRadius(shape), projection.normal);
    result->normal = projection.normal;
    result->status = wk_statusExact;
}

static bool isSoundShape(const wkShape* shape)
{
    const wkTreeShapeRow* row = wkTreeShapeRowOf(shape);
    return row != NULL ? row->isSound(shape) : wkConvexRowOf(shape)->isSound(shape);
}

wkPointResult wkClosestPoint(const wkShape* shape, wkPose pose, wkVec3d point, double cutoff)
{
    wkPointResult result = {-INFINITY, point, {0.0, 0.0, 1.0}, wk_statusInvalid, -1};
    if (!isSoundShape(shape) || !wkIsValidPose(pose) || !wkIsSoundPoint(pose.position) ||
        !wkIsSoundPoint(point) || cutoff != cutoff) {
        return result;
    }
    wkFrame frame = wkFrameFromPose(pose);
    wkVec3d local = wkFrameLocal(&frame, point);
    if (wkIsTreeType(shape->type)) {
        wkNearTree(shape, local, cutoff, &result);
    } else {
        nearConvex(shape, local, &result);
    }
    result.point = wkFramePoint(&frame, result.point);
    result.normal = wkMulMV(&frame.rotation, result.normal);
    return result;
}
