// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The two tests that avoid most solver calls, separated spheres around the cores and overlapping spheres
// inside them, and the relative pose for the rest. The spheres are compared in the world frame: most are
// centred at the origins of their frames and need no rotation.

#include "solve/pair_frame.h"

#include "solve/gjk/gjk_double_double.h"

// A sphere smaller than this share of the other has too few digits in the larger one's coordinates.
#define WK_UNEVEN 1e-3

// The spheres of a pair and derived quantities.
typedef struct spheres {
    wkInnerOuterSpheres a;
    wkInnerOuterSpheres b;
    wkVec3d between; // from the origin of A's frame to that of B's, in the world
    double scale;
    double slack; // rounding, subtracted from every distance
} spheres;

WK_FORCE_FN void findSpheres(const wkQuestion* q, spheres* s)
{
    // positions first, so that no digits are lost far from the world's origin
    s->between = wkSub(q->poseB->position, q->poseA->position);
    s->a = wkConvexTable[q->a->type].sphere(q->a);
    s->b = wkConvexTable[q->b->type].sphere(q->b);
    s->scale = wkMaxAbs(s->between) + wkMaxAbs(s->a.center) + wkMaxAbs(s->b.center) + s->a.radius +
               s->b.radius;
    s->slack = WK_ROUNDING * (s->scale + fabs(q->radiusA) + fabs(q->radiusB));
}

// A point does not count as small: it has no digits to lose.
static bool areUneven(const spheres* s)
{
    double smaller = wkMinD(s->a.radius, s->b.radius), larger = wkMaxD(s->a.radius, s->b.radius);
    return smaller < WK_UNEVEN * larger && smaller > 0.0;
}

static void frameSpheres(const wkQuestion* q, const spheres* s, wkPairInFrame* framed)
{
    wkPair* pair = &framed->pair;
    pair->a = q->a;
    pair->b = q->b;
    wkQuat qa = wkTameQuat(q->poseA->rotation), qb = wkTameQuat(q->poseB->rotation);
    double lengthA = wkQuatLengthSquared(qa), lengthB = wkQuatLengthSquared(qb);
    framed->worldFromA = wkMatFromScaledQuat(qa, 2.0 / lengthA);
    pair->bInA.rotation = wkMatFromScaledQuat(wkRelativeQuat(qa, qb), 2.0 / (lengthA * lengthB));
    pair->bInA.position = wkMulTMV(&framed->worldFromA, s->between);

    framed->sphereA = s->a;
    framed->sphereB = s->b;
    pair->centers = wkSub(wkFramePoint(&pair->bInA, s->b.center), s->a.center);
    pair->inner = s->a.innerRadius + s->b.innerRadius;
    pair->scale = s->scale;
    pair->isFine = areUneven(s);
    framed->slack = s->slack;
}

void wkFramePair(const wkQuestion* q, wkPairInFrame* framed)
{
    spheres s;
    findSpheres(q, &s);
    frameSpheres(q, &s, framed);
}

// Returns a sphere's centre, with world axes about the origin of its frame.
WK_FORCE_FN wkVec3d rotatedCenter(const wkInnerOuterSpheres* sphere, const wkPose* pose)
{
    wkVec3d c = sphere->center;
    if (c.x == 0.0 && c.y == 0.0 && c.z == 0.0) {
        return c;
    }
    return wkRotateByQuat(pose->rotation, c);
}

// Answers with the points `alongA` and `alongB` from A's centre on the line to B's centre; `apart` is the
// distance of the centres.
WK_FORCE_FN void answerSpheres(const wkQuestion* q, wkVec3d centerA, wkVec3d centers, double apart,
                               double alongA, double alongB, wkDistanceResult* out)
{
    bool hasWay = apart > 1e-140;
    wkVec3d normal = hasWay ? wkScale(1.0 / apart, centers) : wkVec(0.0, 0.0, 1.0);
    wkVec3d from = wkAdd(q->poseA->position, centerA);
    out->pointA = wkMulAdd(from, alongA + q->radiusA, normal);
    out->pointB = wkMulAdd(from, alongB - q->radiusB, normal);
    out->normal = normal;
}

// Tests the spheres.
// @return false when they do not decide
WK_FORCE_FN bool areSpheresEnough(const wkQuestion* q, const wkGoal* goal, const spheres* s,
                                  double radii, wkDistanceResult* out)
{
    double band = WK_VERDICT_BAND * s->scale;
    wkVec3d centerA = rotatedCenter(&s->a, q->poseA);
    wkVec3d centers = wkSub(wkAdd(s->between, rotatedCenter(&s->b, q->poseB)), centerA);
    double apart = wkLength(centers);
    double gap = apart - (s->a.radius + s->b.radius);
    double overlap = apart - (s->a.innerRadius + s->b.innerRadius);
    out->iterations = 0;
    if (gap > goal->cutoff + band) {
        out->distance = gap - radii;
        out->status = wk_statusBound;
        if (q->wantsFar) {
            answerSpheres(q, centerA, centers, apart, s->a.radius, apart - s->b.radius, out);
        }
        return true;
    }
    bool isTouching = overlap <= goal->touching - band;
    if (isTouching || (!goal->wantsDepth && overlap <= -band)) {
        out->distance = (isTouching ? overlap : 0.0) - radii;
        out->status = wk_statusExact;
        if (q->wantsPoints) {
            double middle = 0.5 * (s->a.innerRadius + apart - s->b.innerRadius);
            double along = wkClamp(middle, 0.0, apart);
            answerSpheres(q, centerA, centers, apart, along, along, out);
        }
        return true;
    }
    return false;
}

// Bodies of very different sizes. Curved cores get the full computation for every query: a verdict by the
// first deciding simplex may be wrong by more than its band where the digits of the smaller body are lost.
// Bounds that the spheres prove for other queries hold for this answer too.
static void solveUneven(const wkPairInFrame* framed, const wkGoal* goal, wkSolveFcn* solve,
                        wkSolution* out)
{
    const wkPair* pair = &framed->pair;
    if (wkConvexTable[pair->a->type].isPolytope && wkConvexTable[pair->b->type].isPolytope) {
        wkSolveFinely(pair, goal, out);
        return;
    }
    wkGoal full = {INFINITY, -INFINITY, goal->tolerance, true, goal->cache};
    solve(pair, &full, out);
    double proven = wkLength(pair->centers) - (framed->sphereA.radius + framed->sphereB.radius);
    out->distance = wkMaxD(out->distance, proven);
    if (!goal->wantsDepth && out->distance <= 0.0) {
        // a common point is requested
        full.wantsDepth = false;
        solve(pair, &full, out);
        out->distance = 0.0;
    }
}

// Two instances: the caller's memory costs the solver a few instructions for each pair.
WK_FORCE_FN void answerInFrame(const wkQuestion* q, wkSolveFcn* solve, wkPairInFrame* framed,
                               wkDistanceResult* out)
{
    if (!wkConvexTable[q->a->type].isValid(q->a) || !wkConvexTable[q->b->type].isValid(q->b)) {
        wkRefuse(out);
        return;
    }
    wkFillNoParts(out);
    spheres s;
    findSpheres(q, &s);
    double radii = q->radiusA + q->radiusB + s.slack;
    double touching = q->touching + radii;

    // a depth is also needed where radii are negative, or where it decides a verdict
    bool isVerdict = touching > -INFINITY;
    bool isDecided = isVerdict && touching < WK_VERDICT_BAND * s.scale;
    bool wantsDepth = q->isSigned || radii < 0.0 || isDecided;
    wkGoal goal = {
        .cutoff = q->cutoff + radii,
        .touching = touching,
        .tolerance = q->tolerance,
        .wantsDepth = wantsDepth,
        .cache = q->cache,
    };
    if (areSpheresEnough(q, &goal, &s, radii, out)) {
        return;
    }

    frameSpheres(q, &s, framed);
    wkSolution solution;
    if (WK_UNLIKELY(framed->pair.isFine)) {
        solveUneven(framed, &goal, solve, &solution);
    } else {
        solve(&framed->pair, &goal, &solution);
    }
    out->distance = solution.distance - radii;
    out->status = solution.status;
    out->iterations = solution.iterations;
    if (q->wantsPoints) {
        wkVec3d pointA = wkMulAdd(solution.pointA, q->radiusA, solution.normal);
        wkVec3d pointB = wkMulSub(solution.pointB, q->radiusB, solution.normal);
        out->pointA = wkAdd(wkMulMV(&framed->worldFromA, pointA), q->poseA->position);
        out->pointB = wkAdd(wkMulMV(&framed->worldFromA, pointB), q->poseA->position);
        out->normal = wkMulMV(&framed->worldFromA, solution.normal);
    }
}

void wkAnswerBySolving(const wkQuestion* q, wkSolveFcn* solve, wkDistanceResult* out)
{
    wkPairInFrame framed;
    answerInFrame(q, solve, &framed, out);
}

void wkAnswerInFrame(const wkQuestion* q, wkSolveFcn* solve, wkPairInFrame* framed,
                     wkDistanceResult* out)
{
    answerInFrame(q, solve, framed, out);
}
