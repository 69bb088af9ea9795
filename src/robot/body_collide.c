// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks whether two bodies touch. The hulls of meshes are checked first: where they are apart, so are
// the meshes.

#include "robot/body_set.h"
#include "whisker/detail/counts.h"
#include "whisker/query.h"

// Metres by which hulls have to be further apart, because building them rounds; and the share of large
// coordinates that adds to it.
#define HULL_SLACK 1e-9
#define COORDINATE_SHARE 1e-14
// Margin in metres above which meshes take much longer than hulls to be proven apart.
#define WIDE_MARGIN 0.005

// Returns a convex shape around the body; NULL when there is none.
static const wkShape* convexAround(const wkCollisionBody* body)
{
    if (body->hull.type == wk_shapeHull) {
        return &body->hull;
    }
    return (unsigned)body->shape.type < WK_CONVEX_TYPE_COUNT ? &body->shape : NULL;
}

const wkShape* wkConvexAround(const wkCollisionBody* body)
{
    return body->looseHull.type == wk_shapeHull ? &body->looseHull : convexAround(body);
}

bool wkAreHullsApart(const wkShape* hullA, wkPose poseA, const wkShape* hullB, wkPose poseB,
                     double margin)
{
    // rounding, padding and margin must only enlarge the shapes
    if (!(margin >= 0.0 && hullA->padding >= 0.0 && hullB->padding >= 0.0)) {
        return false;
    }
    wkCollideRequest request = wkDefaultCollideRequest();
    double size = wkMaxAbs(poseA.position) + wkMaxAbs(poseB.position);
    request.margin = margin + HULL_SLACK + COORDINATE_SHARE * size;
    return !wkCollide(hullA, poseA, hullB, poseB, &request).isTouching;
}

// Returns whether the hulls of two bodies are apart. Uses any hull for a wide margin, otherwise those that
// their meshes fill.
static bool areHullsApart(const wkCollisionBody* a, wkPose poseA, const wkCollisionBody* b,
                          wkPose poseB, double margin)
{
    bool isWide = margin > WIDE_MARGIN;
    const wkShape* hullA = isWide ? wkConvexAround(a) : convexAround(a);
    const wkShape* hullB = isWide ? wkConvexAround(b) : convexAround(b);
    bool hasHull = hullA != &a->shape || hullB != &b->shape;
    return hullA != NULL && hullB != NULL && hasHull &&
           wkAreHullsApart(hullA, poseA, hullB, poseB, margin);
}

// Returns half the length of a box with these half edges along a direction.
static double halfAlong(wkVec3d half, wkVec3d direction)
{
    return wkDot(half, wkAbs(direction));
}

wkOrientedBox wkOrientedBoxOf(const wkCollisionBody* body, const wkPose* pose)
{
    wkOrientedBox box = {.axes = wkMatFromScaledQuat(pose->rotation, 2.0), .half = body->half};
    box.middle = wkAdd(pose->position, wkMulMV(&box.axes, body->middle));
    return box;
}

bool wkAreBoxesApart(const wkOrientedBox* a, const wkOrientedBox* b, double margin, double size)
{
    size += wkSumAbs(a->half) + wkSumAbs(b->half);
    double reach = wkPositive(margin) + HULL_SLACK + COORDINATE_SHARE * size;
    wkVec3d way = wkSub(b->middle, a->middle);
    // the axes of A in the frame of B
    wkVec3d x = wkMulTMV(&b->axes, a->axes.x), y = wkMulTMV(&b->axes, a->axes.y);
    wkVec3d z = wkMulTMV(&b->axes, a->axes.z);
    wkVec3d wayInA = wkAbs(wkMulTMV(&a->axes, way)), wayInB = wkAbs(wkMulTMV(&b->axes, way));
    wkVec3d alongA = wkVec(halfAlong(b->half, x), halfAlong(b->half, y), halfAlong(b->half, z));
    wkVec3d alongB =
        wkMulAdd(wkMulAdd(wkScale(a->half.x, wkAbs(x)), a->half.y, wkAbs(y)), a->half.z, wkAbs(z));
    wkVec3d gapA = wkSub(wkSub(wayInA, a->half), alongA);
    wkVec3d gapB = wkSub(wkSub(wayInB, b->half), alongB);
    // for unbounded boxes the gaps are negative or NaN, and every comparison is false
    return (gapA.x > reach) | (gapA.y > reach) | (gapA.z > reach) | (gapB.x > reach) |
           (gapB.y > reach) | (gapB.z > reach);
}

static bool areBoxesApart(const wkCollisionBody* a, const wkPose* poseA, const wkCollisionBody* b,
                          const wkPose* poseB, double margin)
{
    wkOrientedBox boxA = wkOrientedBoxOf(a, poseA), boxB = wkOrientedBoxOf(b, poseB);
    double size = wkSumAbs(poseA->position) + wkSumAbs(poseB->position) + wkSumAbs(a->middle) +
                  wkSumAbs(b->middle);
    return wkAreBoxesApart(&boxA, &boxB, margin, size);
}

bool wkCollideBodies(const wkCollisionBody* a, wkPose poseA, const wkCollisionBody* b, wkPose poseB,
                     double margin, wkStatus* status)
{
    *status = wk_statusExact;
    if (areBoxesApart(a, &poseA, b, &poseB, margin) || areHullsApart(a, poseA, b, poseB, margin)) {
        return false;
    }
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = margin;
    wkCollideResult touch = wkCollide(&a->shape, poseA, &b->shape, poseB, &request);
    *status = touch.status;
    return touch.isTouching;
}
