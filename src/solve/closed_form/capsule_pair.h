// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A capsule against another core, without iterating over both: a capsule's core is a segment, and few of its
// features matter in the frame of the other core.
//
// Along the segment the signed distance to a convex core is a convex function with slope axis . normal. An
// end where the distance increases towards the other end is therefore the answer. This holds inside the core
// too: a sphere about that end then fits into the core, so the segment cannot leave by less. All other
// answers have normals across the axis, that is between the point that the segment's line projects to and the
// shadow of the core along that line, or lie where ways out of the core meet.

#include "geom/check.h"
#include "solve/closed_form/closed_form_list.h"
#include "solve/pair_frame.h"

// The core of a capsule in the frame of the other core.
typedef struct wkSegment {
    wkVec3d center;
    wkVec3d axis; // unit
    double half;
} wkSegment;

// A query about a segment and a core, in terms of their own distance.
typedef struct wkSegmentGoal {
    double free;     // distances above this need not be exact
    double touching; // distances below this need not be exact
    double scale;    // largest coordinate that can occur
    bool wantsDepth; // false: zero and a common point suffice for an overlap
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

    // returns false when rounding leaves no valid answer
    bool (*solve)(const wkShape* shape, const wkSegment* s, const wkSegmentGoal* goal,
                  wkSegmentGap* gap);

    // used when `solve` returns false
    wkSolveFcn* general;
} wkSegmentRule;

WK_FN wkVec3d wkSegmentPoint(const wkSegment* s, double along)
{
    return wkMulAdd(s->center, along, s->axis);
}

// Returns the position along the segment that is furthest against `normal`.
WK_FN double wkSegmentBack(const wkSegment* s, wkVec3d normal)
{
    return wkDot(s->axis, normal) < 0.0 ? s->half : -s->half;
}

// Returns true when one end of the segment is the answer, as described above. Bounds suffice for a verdict,
// and a point inside for an overlap without a depth.
WK_FORCE_FN bool wkIsAnsweredByEnd(wkProjection project(const wkShape*, wkVec3d),
                                   const wkShape* shape, const wkSegment* s,
                                   const wkSegmentGoal* goal, double end, wkSegmentGap* gap)
{
    wkVec3d point = wkSegmentPoint(s, end);
    wkProjection p = project(shape, point);
    double slope = wkDot(p.normal, s->axis);
    double reach = -2.0 * end * slope; // how much further the other end reaches along the normal
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

// Tests both ends, the one nearer the middle of the core first.
WK_FORCE_FN bool wkIsAnsweredByEnds(wkProjection project(const wkShape*, wkVec3d),
                                    const wkShape* shape, const wkSegment* s,
                                    const wkSegmentGoal* goal, wkSegmentGap* gap)
{
    double nearer = wkDot(s->center, s->axis) > 0.0 ? -s->half : s->half;
    return wkIsAnsweredByEnd(project, shape, s, goal, nearer, gap) ||
           wkIsAnsweredByEnd(project, shape, s, goal, -nearer, gap);
}

// Points of an answer may be off by this share of the scale; mostly by rounding.
#define WK_SEGMENT_OFF 1e-10

// Returns false when rounding made points, normal and distance inconsistent.
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

// Answers for a capsule as shape A of the query against a core in its own frame.
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
