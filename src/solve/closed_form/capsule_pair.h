// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A capsule against another core, without iterations over both: a capsule's core is a segment, and
// little of it matters in the frame of the other core.
//
// Along the segment the signed distance to a convex core is a convex function whose slope is
// axis . normal. So an end where it slopes up towards the other end is the answer, inside the core
// as well: a sphere about that end then fits into the core that the segment cannot leave by less.
// Everything else happens at normals across the axis, that is to the point that the segment's
// line makes and the shadow that the core throws along it, or where ways out of the core meet.

#include "geom/check.h"
#include "solve/closed_form/closed_form_list.h"
#include "solve/pair_frame.h"

// The core of a capsule in the frame of the other core.
typedef struct wkSegment {
    wkVec3d center;
    wkVec3d axis; // unit
    double half;
} wkSegment;

// What is asked about a segment and a core, in terms of their own distance.
typedef struct wkSegmentGoal {
    double free;     // larger distances need not be exact
    double touching; // smaller ones neither
    double scale;    // largest coordinate that can occur
    bool wantsDepth; // false: zero and a common point will do for an overlap
} wkSegmentGoal;

// Where a segment and a core are closest, in the frame of the core.
typedef struct wkSegmentGap {
    double distance; // signed
    double along;    // of the segment's point, from its centre
    wkVec3d point;   // of the core
    wkVec3d normal;  // unit, outward
} wkSegmentGap;

// Spheres about the origin of the other core's frame, around it and inside.
typedef struct wkSegmentSpheres {
    double outer;
    double inner;
} wkSegmentSpheres;

typedef struct wkSegmentRule {
    bool (*isValid)(const wkShape* shape);
    wkSegmentSpheres (*spheres)(const wkShape* shape);

    // false when rounding leaves no answer
    bool (*solve)(const wkShape* shape, const wkSegment* s, const wkSegmentGoal* goal,
                  wkSegmentGap* gap);

    // answers then
    wkSolveFcn* general;
} wkSegmentRule;

WK_FN wkVec3d wkSegmentPoint(const wkSegment* s, double along)
{
    return wkMulAdd(s->center, along, s->axis);
}

// Where along the segment it reaches furthest back along `normal`.
WK_FN double wkSegmentBack(const wkSegment* s, wkVec3d normal)
{
    return wkDot(s->axis, normal) < 0.0 ? s->half : -s->half;
}

// The answer of one end of the segment, if it is one: see above. Bounds are enough for a verdict,
// and a point inside for an overlap without a depth.
WK_FORCE_FN bool wkIsAnsweredByEnd(wkProjection project(const wkShape*, wkVec3d),
                                   const wkShape* shape, const wkSegment* s,
                                   const wkSegmentGoal* goal, double end, wkSegmentGap* gap)
{
    wkVec3d point = wkSegmentPoint(s, end);
    wkProjection p = project(shape, point);
    double slope = wkDot(p.normal, s->axis);
    double reach = -2.0 * end * slope; // how far the other end is ahead along the normal
    bool isCommon = !goal->wantsDepth && p.distance <= 0.0;
    gap->distance = isCommon ? 0.0 : wkMinD(p.distance, p.distance + reach);
    gap->along = end;
    gap->point = isCommon ? point : p.point;
    gap->normal = p.normal;
    if (p.distance <= goal->touching) {
        gap->distance = p.distance;
    }
    return reach >= 0.0 || isCommon || p.distance <= goal->touching || gap->distance > goal->free;
}

// Both ends, the one nearer the middle of the core first.
WK_FORCE_FN bool wkIsAnsweredByEnds(wkProjection project(const wkShape*, wkVec3d),
                                    const wkShape* shape, const wkSegment* s,
                                    const wkSegmentGoal* goal, wkSegmentGap* gap)
{
    double nearer = wkDot(s->center, s->axis) > 0.0 ? -s->half : s->half;
    return wkIsAnsweredByEnd(project, shape, s, goal, nearer, gap) ||
           wkIsAnsweredByEnd(project, shape, s, goal, -nearer, gap);
}

// Points of an answer may be off by this share of the scale; mostly it is rounding.
#define WK_SEGMENT_OFF 1e-10

// False when rounding took points, normal and distance apart.
WK_FN bool wkIsValidGap(const wkSegment* s, const wkSegmentGoal* goal, const wkSegmentGap* gap)
{
    wkVec3d between = wkSub(wkSegmentPoint(s, gap->along), gap->point);
    wkVec3d off = wkMulSub(between, gap->distance, gap->normal);
    return wkMaxAbs(off) <= WK_SEGMENT_OFF * goal->scale;
}

WK_FN wkSegmentGoal wkMakeSegmentGoal(const wkQuestion* q, double scale)
{
    double radii = q->radiusA + q->radiusB;
    double size = scale + fabs(q->radiusA) + fabs(q->radiusB);
    double slack = WK_ROUNDING * size, band = WK_VERDICT_BAND * size;
    double touching = q->touching + radii + slack;

    // a depth is also needed where radii are negative, or where it decides a verdict
    bool isDecided = touching > -INFINITY && touching < 2.0 * band;
    wkSegmentGoal goal = {.free = q->cutoff + radii + slack + band,
                          .touching = touching - band,
                          .scale = scale,
                          .wantsDepth = q->isSigned || radii < 0.0 || isDecided};
    return goal;
}

// A capsule in the question's place of A against a core in its own frame.
WK_FORCE_FN void wkAnswerSegment(wkSegmentRule rule, const wkQuestion* q, wkDistanceResult* out)
{
    if (!wkIsValidCapsule(q->a) || !rule.isValid(q->b)) {
        wkRefuse(out);
        return;
    }
    wkSegmentSpheres spheres = rule.spheres(q->b);
    wkSegment s = {.half = q->a->capsule.halfLength};
    wkVec3d fromB = wkSub(q->poseA->position, q->poseB->position);
    double scale = wkMaxAbs(fromB) + s.half + spheres.outer;
    if (!q->wantsPoints && wkIsDecidedBySpheres(q, wkLength(fromB), s.half + spheres.outer,
                                                spheres.inner, scale, out)) {
        return;
    }
    wkVec3d axis = wkAxisZFromQuat(q->poseA->rotation);
    wkMat3d rotation = wkMatFromQuat(q->poseB->rotation);
    s.center = wkMulTMV(&rotation, fromB);
    s.axis = wkMulTMV(&rotation, axis);

    wkSegmentGoal goal = wkMakeSegmentGoal(q, scale);
    wkSegmentGap gap;
    if (WK_UNLIKELY(!rule.solve(q->b, &s, &goal, &gap))) {
        wkAnswerBySolving(q, rule.general, out);
        return;
    }
    wkFillDistance(q, gap.distance, scale, out);
    if (q->wantsPoints) {
        wkVec3d onA = wkMulAdd(q->poseA->position, gap.along, axis);
        wkVec3d onB = wkAdd(wkMulMV(&rotation, gap.point), q->poseB->position);
        wkFillPoints(q, onA, onB, wkNeg(wkMulMV(&rotation, gap.normal)), out);
    }
}
