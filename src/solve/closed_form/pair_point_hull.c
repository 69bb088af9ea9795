// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A point, the core of a sphere, and a hull. Inside, the way out is through the face whose plane is nearest.
// Outside, the plane that the point is highest above is usually that of the closest face. The closest point
// of that face is the answer when the hull is below the plane across the gap. Otherwise GJK continues from
// there.

#include "geom/hull_impl.h"
#include "solve/closed_form/closed_form_list.h"

// From this many faces on the general solver is faster than scanning all of them.
#define WK_SCAN_FACE_COUNT 512

// Bounds this close (share of wkPair.scale) have converged.
#define WK_POINT_MET 1e-13

// The closest point of a face.
typedef struct facePoint {
    bool isInside; // the point is over the face
    wkVec3d gap;   // from the closest point of the border otherwise
} facePoint;

static facePoint closestOnBorder(const wkHull* hull, int32_t index, wkVec3d point)
{
    wkHullFace face = wkHull_Face(hull, index);
    facePoint best = {true, {0.0, 0.0, 0.0}};
    double bestSquared = INFINITY;
    wkVec3d from = wkHullVertex(hull, face.indices[face.indexCount - 1]);
    for (int32_t i = 0; i < face.indexCount; ++i) {
        wkVec3d to = wkHullVertex(hull, face.indices[i]);
        wkVec3d edge = wkSub(to, from), way = wkSub(point, from);
        if (wkDot(wkCross(face.normal, edge), way) < 0.0) {
            double along = wkDot(way, edge), square = wkDot(edge, edge);
            double t = along < square ? wkMaxD(along, 0.0) / square : 1.0;
            wkVec3d gap = t < 1.0 ? wkMulSub(way, t, edge) : wkSub(point, to);
            double squared = wkDot(gap, gap);
            best.isInside = false;
            best.gap = squared < bestSquared ? gap : best.gap;
            bestSquared = wkMinD(squared, bestSquared);
        }
        from = to;
    }
    return best;
}

// Fills in the answer for a point `distance` away from the hull along the unit `normal`, both in the hull's
// frame.
static void answer(const wkPair* pair, double distance, wkVec3d gap, wkVec3d normal,
                   wkStatus status, wkSolution* s)
{
    s->distance = distance;
    s->normal = wkNeg(wkMulMV(&pair->bInA.rotation, normal));
    s->pointA = wkVec(0.0, 0.0, 0.0);
    s->pointB = wkNeg(wkMulMV(&pair->bInA.rotation, gap));
    s->status = status;
    s->iterations = 0;
}

// Returns true when the hull is below the plane across the start of `gap`, which ends in `point`.
static bool isAnsweredByGap(const wkPair* pair, wkVec3d point, wkVec3d gap, wkSolution* s)
{
    const wkHull* hull = pair->b->hull;
    double square = wkDot(gap, gap), length = sqrt(square);
    wkVec3d top = wkHullVertex(hull, wkHullSupport(hull, gap, 0));
    double proven = wkDot(gap, wkSub(point, top));
    if (!(length > WK_VERDICT_BAND * pair->scale) ||
        !(square - proven <= WK_POINT_MET * pair->scale * length)) {
        return false;
    }
    double scale = 1.0 / length;
    answer(pair, wkMinD(scale * proven, length), gap, wkScale(scale, gap), wk_statusExact, s);
    return true;
}

void wkSolvePointHull(const wkPair* pair, const wkGoal* goal, wkSolution* s)
{
    // flat hulls have two faces and no inside
    const wkHull* hull = pair->b->hull;
    if (hull->faceCount < 4 || hull->faceCount >= WK_SCAN_FACE_COUNT) {
        wkGjkPointHull(pair, goal, s);
        return;
    }
    wkVec3d point = wkNeg(wkMulTMV(&pair->bInA.rotation, pair->bInA.position));
    wkHullWayOut way = wkHullFindWayOut(hull, point, NULL);
    wkVec3d normal = wkHullPlanes(hull)[way.face].normal;
    double height = -way.depth;
    bool isBeyond = height > goal->cutoff + WK_VERDICT_BAND * pair->scale;
    if (height <= 0.0 || isBeyond) {
        wkStatus status = isBeyond ? wk_statusBound : wk_statusExact;
        answer(pair, height, wkScale(height, normal), normal, status, s);
        return;
    }
    facePoint closest = closestOnBorder(hull, way.face, point);
    if (closest.isInside) {
        answer(pair, height, wkScale(height, normal), normal, wk_statusExact, s);
    } else if (!isAnsweredByGap(pair, point, closest.gap, s)) {
        wkGjkPointHull(pair, goal, s);
    }
}
