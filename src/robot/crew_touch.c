// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Whether two members touch. The hulls of meshes are looked at first: where these are apart, so are
// the meshes.

#include "robot/crew.h"
#include "whisker/query.h"

// Metres by which hulls have to be further apart, as they are made with rounding; and what large
// coordinates add to it.
#define HULL_SLACK 1e-9
#define COORDINATE_SHARE 1e-14

// A convex shape around the member; NULL when there is none.
static const wkShape* convexAround(const wkCrewMember* member)
{
    if (member->hull.type == wk_shapeHull) {
        return &member->hull;
    }
    return (unsigned)member->shape.type < WK_CONVEX_TYPE_COUNT ? &member->shape : NULL;
}

// Whether hulls may tell: rounding, padding and margin must only widen what is there.
static bool canAskHulls(const wkCrewMember* a, const wkCrewMember* b, double margin)
{
    bool hasHull = a->hull.type == wk_shapeHull || b->hull.type == wk_shapeHull;
    return hasHull && convexAround(a) != NULL && convexAround(b) != NULL && margin >= 0.0 &&
           a->shape.padding >= 0.0 && b->shape.padding >= 0.0;
}

static bool areHullsApart(const wkCrewMember* a, wkPose poseA, const wkCrewMember* b, wkPose poseB,
                          double margin)
{
    wkCollideRequest request = wkDefaultCollideRequest();
    double size = wkMaxAbs(poseA.position) + wkMaxAbs(poseB.position);
    request.margin = margin + HULL_SLACK + COORDINATE_SHARE * size;
    return !wkCollide(convexAround(a), poseA, convexAround(b), poseB, &request).isTouching;
}

bool wkTouchMembers(const wkCrewMember* a, wkPose poseA, const wkCrewMember* b, wkPose poseB,
                    double margin, wkStatus* status)
{
    *status = wk_statusExact;
    if (canAskHulls(a, b, margin) && areHullsApart(a, poseA, b, poseB, margin)) {
        return false;
    }
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = margin;
    wkCollideResult touch = wkCollide(&a->shape, poseA, &b->shape, poseB, &request);
    *status = touch.status;
    return touch.isTouching;
}
