// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The query and the answer of every pair of shapes, in the world frame and between cores.

#include "geom/convex.h"
#include "whisker/query.h"

// A query about two shapes in the world frame, in canonical order: typeA <= typeB. Limits are distances of
// the whole shapes.
typedef struct wkQuestion {
    const wkShape* a;
    const wkShape* b;
    const wkPose* poseA;
    const wkPose* poseB;
    double radiusA; // of the sphere around each core
    double radiusB;
    double cutoff;      // larger distances need no exact value
    double touching;    // smaller distances need no exact value; -infinity: no such limit
    double tolerance;   // metres that the answer may lie below the exact distance
    bool isSigned;      // false: overlapping cores may be answered with 0 and a common point
    bool wantsPoints;   // false: only the distance and the status are used
    bool wantsFar;      // points are also needed of shapes further apart than the cutoff
    bool isThorough;    // closed forms: false leaves rare cases to a second, thorough query
    wkPairCache* cache; // NULL: cold start
} wkQuestion;

// Answers a query with the signed distance of the cores less radii and rounding, and the closest points of
// the two surfaces. Types and poses are known to be valid, the numbers of the shapes are not: see wkRefuse.
typedef void wkAnswerFcn(const wkQuestion* question, wkDistanceResult* answer);

// Two cores in the frame of A.
typedef struct wkPair {
    const wkShape* a;
    const wkShape* b;
    wkFrame bInA;    // aFromB
    wkVec3d centers; // from the middle of A's sphere to the middle of B's
    double inner;    // sum of the radii of the spheres inside the cores
    double scale;    // largest coordinate that can occur: unit of all rounding
    bool isFine;     // double precision is not sufficient: see gjk_double_double.h
} wkPair;

// Returns true when the spheres inside the cores overlap by a tenth: the depth search can start at once.
WK_FN bool wkIsDeep(const wkPair* pair)
{
    return wkDot(pair->centers, pair->centers) < 0.81 * pair->inner * pair->inner;
}

// A query about two cores, in terms of their own distance.
typedef struct wkGoal {
    double cutoff;
    double touching;
    double tolerance;
    bool wantsDepth;
    wkPairCache* cache;
} wkGoal;

// Closest points of the cores, in the frame of A.
typedef struct wkSolution {
    double distance; // signed, never above the exact distance except for rounding
    wkVec3d pointA;
    wkVec3d pointB;
    wkVec3d normal; // unit, from A to B
    wkStatus status;
    int32_t iterations;
} wkSolution;

typedef void wkSolveFcn(const wkPair* pair, const wkGoal* goal, wkSolution* solution);

// Rounding error of an answer, as a share of the largest length in it: sixteen units in the last place cover
// the relative pose, two supports and a projection. Subtracted once, at the end.
#define WK_ROUNDING 3.6e-15

// A verdict is decided early only this far (share of wkPair.scale) from the limit; nearer, the distance is
// computed in full, so that wkCollide and wkDistance cannot disagree. Larger than any solver's gap.
#define WK_VERDICT_BAND 1e-9

// Fills in the answer for shapes with invalid numbers: the entry points check for NaN.
WK_FN void wkRefuse(wkDistanceResult* out)
{
    out->distance = NAN;
}

// Shapes without triangles.
WK_FN void wkFillNoParts(wkDistanceResult* out)
{
    out->partA = -1;
    out->partB = -1;
}

// The answer that callers get for invalid input.
WK_RARE_FN wkDistanceResult wkInvalidAnswer(void)
{
    wkDistanceResult invalid = {.distance = -INFINITY, .status = wk_statusInvalid};
    invalid.normal = wkVec(0.0, 0.0, 1.0);
    wkFillNoParts(&invalid);
    return invalid;
}

// Fills in an answer from the signed distance of two cores, except points and normal. `scale` is the largest
// length that entered the computation, radii aside.
WK_FN void wkFillDistance(const wkQuestion* q, double coreDistance, double scale,
                          wkDistanceResult* out)
{
    double slack = WK_ROUNDING * (scale + (fabs(q->radiusA) + fabs(q->radiusB)));
    out->distance = coreDistance - (q->radiusA + q->radiusB) - slack;
    out->status = wk_statusExact;
    out->iterations = 0;
    wkFillNoParts(out);
}

// Fills in the rest, from the closest points of the cores in the world frame.
WK_FN void wkFillPoints(const wkQuestion* q, wkVec3d coreA, wkVec3d coreB, wkVec3d normal,
                        wkDistanceResult* out)
{
    out->pointA = wkMulAdd(coreA, q->radiusA, normal);
    out->pointB = wkMulSub(coreB, q->radiusB, normal);
    out->normal = normal;
}

// Decides a verdict by two spheres about the origins of the frames, one around the cores and one inside, with
// `outer` and `inner` the sums of their radii. `scale` as above.
// @return false when the spheres do not decide
WK_FN bool wkIsDecidedBySpheres(const wkQuestion* q, double apart, double outer, double inner,
                                double scale, wkDistanceResult* out)
{
    double radii = q->radiusA + q->radiusB;
    double band = WK_VERDICT_BAND * (scale + fabs(q->radiusA) + fabs(q->radiusB));
    double gap = apart - outer - radii, overlap = apart - inner - radii;
    bool isApart = gap > q->cutoff + band;
    bool isDecided = isApart || overlap <= q->touching - band;
    out->distance = isApart ? gap : overlap;
    out->status = wk_statusBound;
    out->iterations = 0;
    return isDecided;
}

// Unsigned answers: overlapping shapes get one point in both, on the line between the cores' closest points.
// Minima and maxima leave the points of separated shapes unchanged; a branch would be unpredictable.
WK_FN void wkAnswerUnsigned(const wkQuestion* q, wkDistanceResult* r)
{
    bool hasRadii = q->radiusA >= 0.0 && q->radiusB >= 0.0;
    if (!hasRadii && !(r->distance <= 0.0)) {
        return;
    }

    // unbounded surfaces that cross have such a point already
    double cores = r->distance + (q->radiusA + q->radiusB);
    cores = r->status != wk_statusUnbounded ? cores : 0.0;
    double radiusA = wkMaxD(q->radiusA, 0.0), radiusB = wkMaxD(q->radiusB, 0.0);
    double apart = wkMaxD(cores, 0.0);
    double middle = wkClamp(0.5 * (radiusA + apart - radiusB), 0.0, apart);
    double alongA = wkMinD(middle, radiusA), alongB = wkMaxD(middle, apart - radiusB);
    r->pointA = wkMulAdd(r->pointA, alongA - q->radiusA, r->normal);
    r->pointB = wkMulAdd(r->pointB, alongB - (cores - q->radiusB), r->normal);
    r->distance = 0.5 * (r->distance + fabs(r->distance));
}
