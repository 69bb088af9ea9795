// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Exact signed distance of a point to a hull: to the nearest plane from inside, to the nearest of the faces
// that face the point from outside. Simple and robust; the solvers have faster methods.

#include "geom/convex_rows.h"
#include "geom/hull_impl.h"
#include "geom/project.h"

#include <float.h>

// Gaps below this share of the size of the hull have no usable direction.
#define GAP_NOISE (16.0 * DBL_EPSILON)

// Returns the height of a point over the plane of a face, measured from one of its vertices so that no digits
// are lost on hulls far from the origin of their frame.
static double heightOver(const wkHull* hull, int32_t face, wkVec3d point)
{
    int32_t vertex = wkHullVertices(hull)[wkHullFaceStarts(hull)[face]];
    return wkDot(wkHullPlanes(hull)[face].normal, wkSub(point, wkHullVertex(hull, vertex)));
}

// Returns the vector from the closest point of a segment to `point`.
static wkVec3d gapToSegment(wkVec3d a, wkVec3d b, wkVec3d point)
{
    wkVec3d edge = wkSub(b, a), fromA = wkSub(point, a);
    double along = wkDot(fromA, edge), square = wkDot(edge, edge);
    if (!(along > 0.0)) {
        return fromA;
    }
    if (!(along < square)) {
        return wkSub(point, b);
    }

    // twice: the rounding error of a long edge would tilt a short gap
    wkVec3d gap = wkMulSub(fromA, along / square, edge);
    return wkMulSub(gap, wkDot(gap, edge) / square, edge);
}

// Returns the vector from the closest point of a face to `point`, which is `height` over its plane.
static wkVec3d gapToFace(const wkHull* hull, int32_t index, wkVec3d point, double height)
{
    wkHullFace face = wkHull_Face(hull, index);
    wkVec3d best = wkVec(0.0, 0.0, 0.0);
    double bestSquared = INFINITY;
    double noise = GAP_NOISE * (hull->sphereRadius + wkMaxAbs(hull->sphereCenter));
    bool isOutside = false;
    wkVec3d a = wkHullVertex(hull, face.indices[face.indexCount - 1]);
    for (int32_t i = 0; i < face.indexCount; ++i) {
        wkVec3d b = wkHullVertex(hull, face.indices[i]);
        wkVec3d edge = wkSub(b, a), fromA = wkSub(point, a);

        // rounding rotates a short edge: far from it, the side of the point is less certain
        double side = wkDot(wkCross(face.normal, edge), fromA);
        isOutside = isOutside || side < -noise * (wkMaxAbs(edge) + wkMaxAbs(fromA));
        wkVec3d gap = gapToSegment(a, b, point);
        if (wkLengthSquared(gap) < bestSquared) {
            bestSquared = wkLengthSquared(gap);
            best = gap;
        }
        a = b;
    }
    return isOutside ? best : wkScale(height, face.normal);
}

static wkProjection projectOnSegment(const wkHull* hull, wkVec3d point)
{
    wkVec3d a = wkHullVertex(hull, 0), b = wkHullVertex(hull, hull->vertexCount - 1);
    wkVec3d axis = wkNormalizeOr(wkSub(b, a), wkVec(1.0, 0.0, 0.0));
    wkVec3d gap = gapToSegment(a, b, point);
    return wkProjectionOfGap(wkSub(point, gap), gap, wkPerpendicular(axis));
}

static wkProjection projectOnFlat(const wkHull* hull, wkVec3d point)
{
    double height = heightOver(hull, 0, point);
    wkVec3d normal = wkHullPlanes(hull)[0].normal;
    wkVec3d gap = gapToFace(hull, 0, point, height);
    return wkProjectionOfGap(wkSub(point, gap), gap, height < 0.0 ? wkNeg(normal) : normal);
}

static wkProjection projectOutside(const wkHull* hull, wkVec3d point, int32_t highest,
                                   double height)
{
    // a point over the interior of the highest face is done; no other face can be nearer
    wkVec3d best = gapToFace(hull, highest, point, height);
    double bestSquared = wkLengthSquared(best);
    double enough = height * height * (1.0 + GAP_NOISE);
    for (int32_t i = 0; i < hull->faceCount && bestSquared > enough; ++i) {
        double other = heightOver(hull, i, point);
        if (other > 0.0 && other * other < bestSquared && i != highest) {
            wkVec3d gap = gapToFace(hull, i, point, other);
            if (wkLengthSquared(gap) < bestSquared) {
                bestSquared = wkLengthSquared(gap);
                best = gap;
            }
        }
    }

    // a gap of the size of rounding: the face gives the outward direction more reliably
    wkVec3d normal = wkHullPlanes(hull)[highest].normal;
    if (bestSquared <= GAP_NOISE * GAP_NOISE * hull->sphereRadius * hull->sphereRadius) {
        wkProjection projection = {height, wkMulSub(point, height, normal), normal};
        return projection;
    }
    return wkProjectionOfGap(wkSub(point, best), best, normal);
}

wkProjection wkHullProject(const wkShape* shape, wkVec3d point)
{
    const wkHull* hull = shape->hull;
    if (hull->faceCount == 0) {
        return projectOnSegment(hull, point);
    }
    if (hull->faceCount == 2) {
        return projectOnFlat(hull, point);
    }
    int32_t highest = 0;
    double height = -INFINITY;
    for (int32_t i = 0; i < hull->faceCount; ++i) {
        double other = heightOver(hull, i, point);
        if (other > height) {
            height = other;
            highest = i;
        }
    }
    if (height > 0.0) {
        return projectOutside(hull, point, highest, height);
    }
    wkVec3d normal = wkHullPlanes(hull)[highest].normal;
    wkProjection inside = {height, wkMulSub(point, height, normal), normal};
    return inside;
}
