// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Two boxes: the fifteen axes of the separating axis test (Gottschalk, Lin, Manocha 1996) decide contact and
// give the exact penetration. The distance comes from alternating projections of a point between the boxes;
// GJK handles the few poses where these do not converge soon.

#include "solve/closed_form/closed_form_list.h"
#include "solve/manifold.h"

// Edge directions with a smaller squared sine are parallel: the face normals replace their cross product.
#define WK_EDGE_PARALLEL_SQUARED 1e-16

// Rounds of projection to B and back: of 100 random separated boxes 87 converge after one, 98 after two.
#define WK_PROJECTION_ROUNDS 3

// Bounds of projected points this close (share of wkPair.scale) have converged.
#define WK_PROJECTION_MET 1e-13

// An axis of the test: the gap between the boxes along it, and its direction.
typedef struct axisGap {
    double gap;
    wkVec3d axis; // unit, in the frame of A
} axisGap;

static void keepLarger(axisGap* best, double gap, wkVec3d axis)
{
    if (gap > best->gap) {
        best->gap = gap;
        best->axis = axis;
    }
}

// Tests the faces of A and of B. Stops as soon as a gap exceeds `limit`.
static bool testFaces(const wkPair* pair, const wkMat3d* absolute, double limit, axisGap* best)
{
    static const wkVec3d axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    wkVec3d halfA = pair->a->box.half, halfB = pair->b->box.half, p = pair->bInA.position;
    const wkMat3d* r = &pair->bInA.rotation;

    wkVec3d reachB = wkMulMV(absolute, halfB);
    wkVec3d gapA = wkSub(wkAbs(p), wkAdd(halfA, reachB));
    keepLarger(best, gapA.x, axes[0]);
    keepLarger(best, gapA.y, axes[1]);
    keepLarger(best, gapA.z, axes[2]);
    if (best->gap > limit) {
        return true;
    }
    wkVec3d reachA = wkMulTMV(absolute, halfA);
    wkVec3d gapB = wkSub(wkAbs(wkMulTMV(r, p)), wkAdd(halfB, reachA));
    keepLarger(best, gapB.x, r->x);
    keepLarger(best, gapB.y, r->y);
    keepLarger(best, gapB.z, r->z);
    return best->gap > limit;
}

// Tests the cross products of an edge of A with an edge of B.
static bool testEdges(const wkPair* pair, double limit, axisGap* best)
{
    const wkVec3d edgeB[3] = {pair->bInA.rotation.x, pair->bInA.rotation.y, pair->bInA.rotation.z};
    const double halfB[3] = {pair->b->box.half.x, pair->b->box.half.y, pair->b->box.half.z};
    wkVec3d halfA = pair->a->box.half, p = pair->bInA.position;
    for (int j = 0; j < 3; ++j) {
        wkVec3d e = edgeB[j];
        // cross products of the x, y and z axes with e
        const wkVec3d cross[3] = {{0.0, -e.z, e.y}, {e.z, 0.0, -e.x}, {-e.y, e.x, 0.0}};
        for (int i = 0; i < 3; ++i) {
            wkVec3d axis = cross[i];
            double lengthSquared = wkDot(axis, axis);
            if (lengthSquared < WK_EDGE_PARALLEL_SQUARED) {
                continue;
            }
            double reach = wkDot(halfA, wkAbs(axis)) +
                           halfB[(j + 1) % 3] * fabs(wkDot(axis, edgeB[(j + 1) % 3])) +
                           halfB[(j + 2) % 3] * fabs(wkDot(axis, edgeB[(j + 2) % 3]));
            double gap = fabs(wkDot(axis, p)) - reach;
            // only an axis that beats the best one is worth its square root
            if (gap > 0.0 || gap * gap < best->gap * best->gap * lengthSquared) {
                double scale = 1.0 / sqrt(lengthSquared);
                keepLarger(best, scale * gap, wkScale(scale, axis));
            }
        }
    }
    return best->gap > limit;
}

// Clamps to a box; bit i of `freeAxes` is set where coordinate i was inside.
static wkVec3d clampToBox(wkVec3d point, wkVec3d half, unsigned* freeAxes)
{
    wkVec3d q = wkVec(wkClamp(point.x, -half.x, half.x), wkClamp(point.y, -half.y, half.y),
                      wkClamp(point.z, -half.z, half.z));
    *freeAxes = (unsigned)(q.x == point.x) | (unsigned)(q.y == point.y) << 1 |
                (unsigned)(q.z == point.z) << 2;
    return q;
}

static bool isWellInside(wkVec3d point, wkVec3d half, double band)
{
    wkVec3d spare = wkSub(half, wkAbs(point));
    return wkMinD(wkMinD(spare.x, spare.y), spare.z) > band;
}

// Returns true for a point on an edge: one coordinate is free.
static bool isOnEdge(unsigned freeAxes)
{
    return freeAxes == 1 || freeAxes == 2 || freeAxes == 4;
}

// Returns how far to move along an edge of B to the point where its line is closest to the line of an edge of
// A. The edges are given by the bit of their axis; `v` joins them at a right angle to that of A.
static double wayToMeeting(const wkMat3d* r, unsigned edgeA, unsigned edgeB, wkVec3d v)
{
    static const wkVec3d keptAxes[3] = {{0.0, 1.0, 1.0}, {1.0, 0.0, 1.0}, {1.0, 1.0, 0.0}};
    const wkVec3d edges[3] = {r->x, r->y, r->z};
    wkVec3d across = wkMulVec(keptAxes[edgeA >> 1], edges[edgeB >> 1]);
    double square = wkDot(across, across);
    return square > WK_EDGE_PARALLEL_SQUARED ? -wkDot(v, across) / square : 0.0;
}

typedef enum boxCase {
    boxesUnknown,
    boxesApart,   // the answer is filled in
    boxesOverlap, // `pointA` is in both
} boxCase;

// Projects the middle of B to A, that point to B, and so on. Between most features the points are the closest
// ones after one round. Between two edges, where convergence is slow, the closest points of the lines are
// used. Any v proves a lower bound, its gap as a separating axis, so that the result is verified.
static boxCase projectBackAndForth(const wkPair* pair, wkSolution* out)
{
    static const wkVec3d axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    wkVec3d halfA = pair->a->box.half, halfB = pair->b->box.half, p = pair->bInA.position;
    const wkMat3d* r = &pair->bInA.rotation;
    double band = WK_VERDICT_BAND * pair->scale, met = WK_PROJECTION_MET * pair->scale;
    unsigned freeA, freeB;
    wkVec3d pointA = clampToBox(p, halfA, &freeA);
    for (int round = 0; round < WK_PROJECTION_ROUNDS; ++round) {
        wkVec3d inB = wkMulTMV(r, wkSub(pointA, p));
        if (isWellInside(inB, halfB, band)) {
            out->pointA = pointA;
            return boxesOverlap;
        }
        wkVec3d localB = clampToBox(inB, halfB, &freeB);
        wkVec3d pointB = wkFramePoint(&pair->bInA, localB);
        pointA = clampToBox(pointB, halfA, &freeA);
        if (isOnEdge(freeA) && isOnEdge(freeB)) {
            double way = wayToMeeting(r, freeA, freeB, wkSub(pointB, pointA));
            localB = clampToBox(wkMulAdd(localB, way, axes[freeB >> 1]), halfB, &freeB);
            pointB = wkFramePoint(&pair->bInA, localB);
            pointA = clampToBox(pointB, halfA, &freeA);
        }

        wkVec3d v = wkSub(pointB, pointA);
        double vv = wkDot(v, v);
        double proven = wkDot(v, p) - wkDot(halfA, wkAbs(v)) - wkDot(halfB, wkAbs(wkMulTMV(r, v)));
        double length = sqrt(vv);
        if (length > band && vv - proven <= met * length) {
            out->distance = wkMinD(proven / length, length);
            out->pointA = pointA;
            out->pointB = pointB;
            out->normal = wkScale(1.0 / length, v);
            out->status = wk_statusExact;
            out->iterations = round + 1;
            return boxesApart;
        }
    }
    return boxesUnknown;
}

// Answers for overlapping boxes whose depth is not requested, after `pointA` was found in both.
static void answerCommonPoint(const wkPair* pair, wkSolution* out)
{
    out->distance = 0.0;
    out->pointB = out->pointA;
    out->normal = wkNormalizeOr(pair->centers, wkVec(0.0, 0.0, 1.0));
    out->status = wk_statusExact;
    out->iterations = 0;
}

// Answers for boxes that are apart, or whose depth is not requested.
// @return false when the boxes overlap or touch, and a depth is requested
static bool isAnsweredByPoints(const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    boxCase found = projectBackAndForth(pair, out);
    if (found == boxesOverlap && !goal->wantsDepth) {
        answerCommonPoint(pair, out);
    }
    if (found != boxesUnknown) {
        return found == boxesApart || !goal->wantsDepth;
    }
    wkGoal apart = *goal;
    apart.wantsDepth = false;
    wkGjkBoxBox(pair, &apart, out);
    return !goal->wantsDepth || out->distance > WK_VERDICT_BAND * pair->scale;
}

void wkSolveBoxBox(const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    // without limits the projections likely give the answer, with limits the axes do
    bool isVerdict = goal->touching > -INFINITY;
    bool isLimited = isVerdict || goal->cutoff < INFINITY;
    bool isDeep = goal->wantsDepth && wkIsDeep(pair);
    if (!isLimited && !isDeep && isAnsweredByPoints(pair, goal, out)) {
        return;
    }
    const wkMat3d* r = &pair->bInA.rotation;
    const wkMat3d absolute = {wkAbs(r->x), wkAbs(r->y), wkAbs(r->z)};
    double limit = goal->cutoff + WK_VERDICT_BAND * pair->scale;
    axisGap best = {-INFINITY, {0.0, 0.0, 1.0}};
    bool isBeyond = testFaces(pair, &absolute, limit, &best) || testEdges(pair, limit, &best);

    // apart or touching, or overlapping when the depth is not requested
    bool wantsCommonPoint = !goal->wantsDepth && !isVerdict;
    bool isNear = best.gap > -WK_VERDICT_BAND * pair->scale;
    if (!isBeyond && (isNear || wantsCommonPoint)) {
        boxCase found = projectBackAndForth(pair, out);
        if (found == boxesOverlap && wantsCommonPoint) {
            answerCommonPoint(pair, out);
        } else if (found != boxesApart) {
            wkGjkBoxBox(pair, goal, out);
        }
        return;
    }
    out->iterations = 0;
    out->distance = best.gap;
    out->normal = wkDot(best.axis, pair->bInA.position) < 0.0 ? wkNeg(best.axis) : best.axis;
    out->status = isBeyond ? wk_statusBound : wk_statusExact;
    if (!isVerdict) {
        wkPlaceWitness(pair, out);
    }
}
