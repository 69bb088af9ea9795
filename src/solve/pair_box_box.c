// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Two boxes: the fifteen axes of the separating axis test (Gottschalk, Lin, Manocha
// 1996) decide contact and give the exact penetration; only boxes that are apart go
// on to GJK for their distance.

#include "solve/manifold.h"
#include "solve/pairs.h"

// Edge directions with a smaller squared sine are parallel: the faces' normals
// stand for their cross product.
#define WK_EDGE_PARALLEL_SQUARED 1e-16

// An axis of the test: how far the boxes are apart along it, and its direction.
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

// Faces of A and of B. Stops as soon as a gap exceeds `limit`.
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

// Cross products of an edge of A with an edge of B.
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

// A distance without limits is GJK's business; true unless the boxes turn out to overlap or to touch,
// and a depth is wanted.
static bool isAnsweredByGjk(const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    bool isLimited = goal->touching > -INFINITY || goal->cutoff < INFINITY;
    if (isLimited || (goal->wantsDepth && wkIsDeep(pair))) {
        return false;
    }
    wkGoal apart = *goal;
    apart.wantsDepth = false;
    wkGjkBoxBox(pair, &apart, out);
    return !goal->wantsDepth || out->distance > WK_VERDICT_BAND * pair->scale;
}

void wkSolveBoxBox(const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    if (isAnsweredByGjk(pair, goal, out)) {
        return;
    }
    const wkMat3d* r = &pair->bInA.rotation;
    const wkMat3d absolute = {wkAbs(r->x), wkAbs(r->y), wkAbs(r->z)};
    double limit = goal->cutoff + WK_VERDICT_BAND * pair->scale;
    axisGap best = {-INFINITY, {0.0, 0.0, 1.0}};
    bool isBeyond = testFaces(pair, &absolute, limit, &best) || testEdges(pair, limit, &best);

    // apart or touching, or overlapping without a wish for the depth: GJK has the points
    bool isVerdict = goal->touching > -INFINITY;
    bool wantsCommonPoint = !goal->wantsDepth && !isVerdict;
    bool isNear = best.gap > -WK_VERDICT_BAND * pair->scale;
    if (!isBeyond && (isNear || wantsCommonPoint)) {
        wkGjkBoxBox(pair, goal, out);
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
