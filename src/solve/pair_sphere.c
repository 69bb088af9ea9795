// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A sphere's core is a point: its distance to anything is the projection of that point, in
// the frame of the other shape.

#include "geom/check.h"
#include "geom/project_triangle.h"
#include "solve/pairs.h"

WK_FORCE_FN void answerSphereSphere(const wkQuestion* q, wkDistanceResult* out)
{
    if (!wkIsSoundSphere(q->a) || !wkIsSoundSphere(q->b)) {
        wkRefuse(out);
        return;
    }
    wkVec3d between = wkSub(q->poseB->position, q->poseA->position);
    wkProjection p = wkProjectPoint(q->b, between);
    wkFillDistance(q, p.distance, p.distance, out);
    if (q->wantsPoints) {
        wkFillPoints(q, q->poseA->position, q->poseB->position, p.normal, out);
    }
}

// Gaps shorter than this share of the largest length lean by more than rounding.
#define WK_SHORT_GAP 1e-3

// Normal of a short gap between a point and a segment, the point `along` from its middle.
static wkVec3d straightenGap(wkVec3d gap, wkVec3d axis, double along, double half, double noise)
{
    if (fabs(along) >= half) {
        return wkNormalizeOr(gap, wkScale(copysign(1.0, -along), axis));
    }

    // what rounding left of the axis leans the gap; when nothing else is left any way out will do
    wkVec3d across = wkMulSub(gap, wkDot(gap, axis), axis);
    wkVec3d out = wkPerpendicular(axis);
    return wkLength(gap) > noise ? wkNormalizeOr(across, out) : out;
}

// In the world: the segment's direction is all that is needed of B's frame.
WK_FORCE_FN void answerSphereCapsule(const wkQuestion* q, wkDistanceResult* out)
{
    if (!wkIsSoundSphere(q->a) || !wkIsSoundCapsule(q->b)) {
        wkRefuse(out);
        return;
    }
    double half = q->b->capsule.halfLength;
    wkVec3d axis = wkAxisZFromQuat(q->poseB->rotation);
    wkVec3d between = wkSub(q->poseB->position, q->poseA->position);
    double along = wkClamp(-wkDot(axis, between), -half, half);
    wkVec3d gap = wkMulAdd(between, along, axis);
    double distance = wkLength(gap);
    double scale = wkMaxAbs(between) + half;
    wkFillDistance(q, distance, scale, out);
    if (q->wantsPoints) {
        wkVec3d normal = WK_LIKELY(distance > WK_SHORT_GAP * scale)
                             ? wkScale(1.0 / distance, gap)
                             : straightenGap(gap, axis, along, half, WK_ROUNDING * scale);
        wkVec3d onB = wkMulAdd(q->poseB->position, along, axis);
        wkFillPoints(q, q->poseA->position, onB, normal, out);
    }
}

// `size` is the largest coordinate of B's core.
WK_FORCE_FN void answerPoint(wkProjection project(const wkShape*, wkVec3d), double size,
                             const wkQuestion* q, wkDistanceResult* out)
{
    wkMat3d rotation = wkMatFromQuat(q->poseB->rotation);
    wkVec3d fromB = wkSub(q->poseA->position, q->poseB->position);
    wkProjection p = project(q->b, wkMulTMV(&rotation, fromB));
    wkFillDistance(q, p.distance, wkMaxAbs(fromB) + size, out);
    if (q->wantsPoints) {
        wkVec3d onB = wkAdd(wkMulMV(&rotation, p.point), q->poseB->position);
        wkVec3d normal = wkNeg(wkMulMV(&rotation, p.normal));
        wkFillPoints(q, q->poseA->position, onB, normal, out);
    }
}

WK_FORCE_FN void answerSphereBox(const wkQuestion* q, wkDistanceResult* out)
{
    if (!wkIsSoundSphere(q->a) || !wkIsSoundBox(q->b)) {
        wkRefuse(out);
        return;
    }
    answerPoint(wkProjectBox, wkMaxAbs(q->b->box.half), q, out);
}

WK_FORCE_FN void answerSphereCylinder(const wkQuestion* q, wkDistanceResult* out)
{
    if (!wkIsSoundSphere(q->a) || !wkIsSoundCylinder(q->b)) {
        wkRefuse(out);
        return;
    }
    answerPoint(wkProjectCylinder, q->b->cylinder.radius + q->b->cylinder.halfLength, q, out);
}

WK_FORCE_FN void answerSphereCone(const wkQuestion* q, wkDistanceResult* out)
{
    if (!wkIsSoundSphere(q->a) || !wkIsSoundCone(q->b)) {
        wkRefuse(out);
        return;
    }
    answerPoint(wkProjectCone, q->b->cone.radius + q->b->cone.halfLength, q, out);
}

// Balls decide what they can: the projections below take several times as long.
static bool isDecidedByBalls(const wkQuestion* q, double outer, double inner, wkDistanceResult* out)
{
    wkVec3d between = wkSub(q->poseB->position, q->poseA->position);
    double scale = wkMaxAbs(between) + outer;
    return !q->wantsPoints && wkIsDecidedByBalls(q, wkLength(between), outer, inner, scale, out);
}

static void answerSphereEllipsoid(const wkQuestion* q, wkDistanceResult* out)
{
    if (!wkIsSoundSphere(q->a) || !wkIsSoundEllipsoid(q->b)) {
        wkRefuse(out);
        return;
    }
    wkVec3d radii = q->b->ellipsoid.radii;
    double outer = wkMaxAbs(radii), inner = wkMinD(radii.x, wkMinD(radii.y, radii.z));
    if (!isDecidedByBalls(q, outer, inner, out)) {
        answerPoint(wkProjectEllipsoid, outer, q, out);
    }
}

static void answerSphereTriangle(const wkQuestion* q, wkDistanceResult* out)
{
    if (!wkIsSoundSphere(q->a) || !wkIsSoundTriangle(q->b)) {
        wkRefuse(out);
        return;
    }
    const wkVec3d* corners = q->b->triangle.points;
    double outer =
        sqrt(wkMaxD(wkDot(corners[0], corners[0]),
                    wkMaxD(wkDot(corners[1], corners[1]), wkDot(corners[2], corners[2]))));
    if (!isDecidedByBalls(q, outer, -outer, out)) {
        answerPoint(wkProjectTriangle, outer, q, out);
    }
}

WK_DEFINE_NEAR(SphereSphere)
WK_DEFINE_NEAR(SphereCapsule)
WK_DEFINE_NEAR(SphereBox)
WK_DEFINE_NEAR(SphereCylinder)
WK_DEFINE_NEAR(SphereCone)
WK_DEFINE_NEAR(SphereEllipsoid)
WK_DEFINE_NEAR(SphereTriangle)

WK_DEFINE_GAP(SphereSphere)
WK_DEFINE_GAP(SphereCapsule)
WK_DEFINE_GAP(SphereBox)
WK_DEFINE_GAP(SphereCylinder)
WK_DEFINE_GAP(SphereCone)
WK_DEFINE_GAP(SphereEllipsoid)
WK_DEFINE_GAP(SphereTriangle)
