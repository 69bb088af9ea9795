// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Everything against half-spaces and planes: one or two supports along the normal. Two unbounded
// shapes are apart only when their surfaces are parallel.

#include "geom/check.h"
#include "solve/core_support.h"
#include "solve/pairs.h"

// Surfaces count as parallel below this sine: they would meet further away than any world reaches.
#define WK_PARALLEL_SINE 1e-12

// The plane of a half-space or a plane, which keep theirs in the same place, with world axes
// about its own frame's origin.
typedef struct surface {
    wkVec3d normal;
    double offset;
} surface;

WK_FORCE_FN surface surfaceOf(const wkShape* shape, const wkPose* pose)
{
    surface s = {wkRotateByQuat(pose->rotation, shape->halfspace.normal), shape->halfspace.offset};
    return s;
}

// True when an overlap is answered with a common point instead of a depth.
static bool wantsCommonPoint(const wkQuestion* q)
{
    return q->wantsPoints && !q->isSigned && q->radiusA + q->radiusB >= 0.0;
}

// A bounded shape beside the surface of B, in the frame of A.
typedef struct beside {
    wkVec3d worldNormal;
    wkVec3d normal;
    double offset;
    double scale;
    wkSupportFcn* support;
    int32_t hint; // last support vertex of a hull
} beside;

static bool isSoundBeside(const wkQuestion* q)
{
    return wkConvexTable[q->a->type].isSound(q->a) && wkIsSoundSurface(q->b);
}

WK_FORCE_FN beside placeBeside(const wkQuestion* q)
{
    surface b = surfaceOf(q->b, q->poseB);
    wkVec3d between = wkSub(q->poseB->position, q->poseA->position);
    wkBall ball = wkConvexTable[q->a->type].ball(q->a);
    beside s;
    s.worldNormal = b.normal;
    s.normal = wkRotateBackByQuat(q->poseA->rotation, b.normal);
    s.offset = b.offset + wkDot(b.normal, between);
    s.scale = wkMaxAbs(between) + fabs(b.offset) + wkMaxAbs(ball.center) + ball.radius;
    s.support = wkCoreSupportTable[q->a->type];
    s.hint = 0;
    return s;
}

WK_FORCE_FN wkVec3d supportOfA(const wkQuestion* q, beside* s, wkVec3d direction)
{
    return s->support(q->a, direction, &s->hint);
}

// `point` of A is nearest to the surface, `distance` away along `side` times the normal.
WK_FORCE_FN void answerBeside(const wkQuestion* q, const beside* s, wkVec3d point, double distance,
                              double side, wkDistanceResult* out)
{
    wkFillDistance(q, distance, s->scale, out);
    if (q->wantsPoints) {
        wkVec3d normal = wkScale(side, s->worldNormal);
        wkVec3d pointA = wkAdd(wkRotateByQuat(q->poseA->rotation, point), q->poseA->position);
        wkFillPoints(q, pointA, wkMulAdd(pointA, distance, normal), normal, out);
    }
}

WK_FORCE_FN void answerAnyHalfspace(const wkQuestion* q, wkDistanceResult* out)
{
    if (!isSoundBeside(q)) {
        wkRefuse(out);
        return;
    }
    beside s = placeBeside(q);
    wkVec3d lowest = supportOfA(q, &s, wkNeg(s.normal));
    answerBeside(q, &s, lowest, wkDot(s.normal, lowest) - s.offset, -1.0, out);
}

WK_FORCE_FN void answerAnyPlane(const wkQuestion* q, wkDistanceResult* out)
{
    if (!isSoundBeside(q)) {
        wkRefuse(out);
        return;
    }
    beside s = placeBeside(q);
    wkVec3d lowest = supportOfA(q, &s, wkNeg(s.normal)), highest = supportOfA(q, &s, s.normal);
    double low = wkDot(s.normal, lowest) - s.offset, high = wkDot(s.normal, highest) - s.offset;

    // A on both sides: a point of A in the plane is all that an unsigned answer needs
    bool isThrough = low <= 0.0 && high >= 0.0;
    if (isThrough && wantsCommonPoint(q)) {
        wkVec3d point = wkLerp(lowest, highest, high > low ? -low / (high - low) : 0.0);
        answerBeside(q, &s, point, 0.0, 1.0, out);
        return;
    }

    // the way out is to the side where less of A lies
    if (low >= -high) {
        answerBeside(q, &s, lowest, low, -1.0, out);
    } else {
        answerBeside(q, &s, highest, -high, 1.0, out);
    }
}

WK_DEFINE_NEAR(AnyHalfspace)
WK_DEFINE_GAP(AnyHalfspace)
WK_DEFINE_NEAR(AnyPlane)
WK_DEFINE_GAP(AnyPlane)

// Two surfaces: `cosine` is 1 or -1 when they are parallel, else 0.
typedef struct surfaces {
    wkVec3d normal; // of A
    wkVec3d pointA; // of A's surface, below the point of B's surface that is nearest B's origin
    double gap;     // from A's surface to B's along A's normal
    double cosine;
    double scale;
} surfaces;

static surfaces placeSurfaces(const wkQuestion* q)
{
    surface a = surfaceOf(q->a, q->poseA), b = surfaceOf(q->b, q->poseB);
    wkVec3d between = wkSub(q->poseB->position, q->poseA->position);
    wkVec3d onB = wkMulAdd(between, b.offset, b.normal);
    wkVec3d across = wkCross(a.normal, b.normal);
    bool isParallel = wkDot(across, across) <= WK_PARALLEL_SINE * WK_PARALLEL_SINE;
    double gap = wkDot(a.normal, onB) - a.offset;
    surfaces s = {a.normal, wkAdd(wkMulSub(onB, gap, a.normal), q->poseA->position), gap,
                  isParallel ? copysign(1.0, wkDot(a.normal, b.normal)) : 0.0,
                  wkMaxAbs(between) + fabs(a.offset) + fabs(b.offset)};
    return s;
}

static void answerSurfaces(const wkQuestion* q, const surfaces* s, double distance, wkVec3d normal,
                           wkDistanceResult* out)
{
    wkFillDistance(q, distance, s->scale, out);
    wkFillPoints(q, s->pointA, wkMulAdd(s->pointA, distance, normal), normal, out);
}

static void answerUnbounded(const wkQuestion* q, const surfaces* s, wkDistanceResult* out)
{
    answerSurfaces(q, s, 0.0, s->normal, out);
    out->distance = WK_UNBOUNDED_DISTANCE;
    out->status = wk_statusUnbounded;
}

static void answerHalfspaceHalfspace(const wkQuestion* q, wkDistanceResult* out)
{
    if (!wkIsSoundSurface(q->a) || !wkIsSoundSurface(q->b)) {
        wkRefuse(out);
        return;
    }
    surfaces s = placeSurfaces(q);
    if (s.cosine < 0.0) {
        answerSurfaces(q, &s, s.gap, s.normal, out);
    } else {
        answerUnbounded(q, &s, out);
    }
}

static void answerHalfspacePlane(const wkQuestion* q, wkDistanceResult* out)
{
    if (!wkIsSoundSurface(q->a) || !wkIsSoundSurface(q->b)) {
        wkRefuse(out);
        return;
    }
    surfaces s = placeSurfaces(q);
    if (s.cosine != 0.0 && s.gap <= 0.0 && wantsCommonPoint(q)) {
        // the plane runs inside: every point of it is common
        s.pointA = wkMulAdd(s.pointA, s.gap, s.normal);
        answerSurfaces(q, &s, 0.0, s.normal, out);
    } else if (s.cosine != 0.0) {
        answerSurfaces(q, &s, s.gap, s.normal, out);
    } else {
        answerUnbounded(q, &s, out);
    }
}

static void answerPlanePlane(const wkQuestion* q, wkDistanceResult* out)
{
    if (!wkIsSoundSurface(q->a) || !wkIsSoundSurface(q->b)) {
        wkRefuse(out);
        return;
    }
    surfaces s = placeSurfaces(q);
    if (s.cosine != 0.0) {
        answerSurfaces(q, &s, fabs(s.gap), s.gap < 0.0 ? wkNeg(s.normal) : s.normal, out);
    } else {
        answerUnbounded(q, &s, out);
    }
}

WK_DEFINE_NEAR(HalfspaceHalfspace)
WK_DEFINE_NEAR(HalfspacePlane)
WK_DEFINE_NEAR(PlanePlane)
