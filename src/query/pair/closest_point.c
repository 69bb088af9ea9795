// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The closest point of any shape to a point in the world.

#include "geom/check.h"
#include "query/pair/shape_class.h"

wkPointResult wkShape_ClosestPoint(const wkShape* shape, wkPose pose, wkVec3d point, double cutoff)
{
    wkPointResult result = {-INFINITY, point, {0.0, 0.0, 1.0}, wk_statusInvalid, -1};
    if (!wkIsValidShape(shape) || !wkIsValidPose(pose) || !wkIsValidPoint(pose.position) ||
        !wkIsValidPoint(point) || cutoff != cutoff) {
        return result;
    }
    wkFrame frame = wkFrameFromPose(pose);
    wkVec3d local = wkFrameLocal(&frame, point);
    wkShapeClassOf(shape)->closestPoint(shape, local, cutoff, &result);
    result.point = wkFramePoint(&frame, result.point);
    result.normal = wkMulMV(&frame.rotation, result.normal);
    return result;
}
