// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Plain double arithmetic on two triangles. See triangle_check.h and mesh_check.h.

#include "mesh/triangle_check.h"

#include "mesh/mesh_check.h"

#include "../tests/scenes/scene_math.h"

static double clampUnit(double value)
{
    return wkSmaller(wkLarger(value, 0.0), 1.0);
}

static double segmentPointSquare(wkVec3d p, wkVec3d from, wkVec3d edge, double edgeSquare)
{
    double t =
        edgeSquare > 0.0 ? clampUnit(wkSceneDot(wkSceneSub(p, from), edge) / edgeSquare) : 0.0;
    wkVec3d gap = wkSceneSub(p, wkSceneAdd(from, wkSceneScale(edge, t)));
    return wkSceneDot(gap, gap);
}

// Closest points of two lines when they fall within both segments; the ends are compared by the
// caller. Infinite otherwise.
static double crossedSquare(wkVec3d a, wkVec3d u, wkVec3d b, wkVec3d v)
{
    wkVec3d w = wkSceneSub(a, b);
    double uu = wkSceneDot(u, u), uv = wkSceneDot(u, v), vv = wkSceneDot(v, v);
    double uw = wkSceneDot(u, w), vw = wkSceneDot(v, w);
    double area = uu * vv - uv * uv;
    if (!(area > 0.0)) {
        return INFINITY;
    }
    double s = (uv * vw - vv * uw) / area;
    double t = (uu * vw - uv * uw) / area;
    if (s < 0.0 || s > 1.0 || t < 0.0 || t > 1.0) {
        return INFINITY;
    }
    wkVec3d gap = wkSceneSub(wkSceneAdd(w, wkSceneScale(u, s)), wkSceneScale(v, t));
    return wkSceneDot(gap, gap);
}

// From a vertex of one to the inside of the other; infinite when it is not above the inside.
static double facePointSquare(wkVec3d p, const wkVec3d* faceVertices, wkVec3d normal)
{
    for (int k = 0; k < 3; k++) {
        wkVec3d edge = wkSceneSub(faceVertices[(k + 1) % 3], faceVertices[k]);
        wkVec3d outward = wkSceneCross(edge, normal);
        if (wkSceneDot(wkSceneSub(p, faceVertices[k]), outward) > 0.0) {
            return INFINITY;
        }
    }
    double square = wkSceneDot(normal, normal);
    double height = wkSceneDot(wkSceneSub(p, faceVertices[0]), normal);
    return square > 0.0 ? height * height / square : INFINITY;
}

static wkVec3d normalOf(const wkVec3d* faceVertices)
{
    return wkSceneCross(wkSceneSub(faceVertices[1], faceVertices[0]),
                        wkSceneSub(faceVertices[2], faceVertices[0]));
}

// Vertices of `b` against the face and the edges of `a`.
static double verticesSquare(const wkVec3d* a, const wkVec3d* b)
{
    wkVec3d normal = normalOf(a);
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        least = wkSmaller(least, facePointSquare(b[i], a, normal));
        for (int k = 0; k < 3; k++) {
            wkVec3d edge = wkSceneSub(a[(k + 1) % 3], a[k]);
            least = wkSmaller(least, segmentPointSquare(b[i], a[k], edge, wkSceneDot(edge, edge)));
        }
    }
    return least;
}

double wkTriangleDistance(const wkVec3d* a, const wkVec3d* b)
{
    double least = wkSmaller(verticesSquare(a, b), verticesSquare(b, a));
    for (int i = 0; i < 3; i++) {
        wkVec3d u = wkSceneSub(a[(i + 1) % 3], a[i]);
        for (int k = 0; k < 3; k++) {
            wkVec3d v = wkSceneSub(b[(k + 1) % 3], b[k]);
            least = wkSmaller(least, crossedSquare(a[i], u, b[k], v));
        }
    }
    return sqrt(least);
}

// Gap of the two along an axis of any length, which side whichever; -infinity for a zero axis.
static double gapAlong(const wkVec3d* a, const wkVec3d* b, wkVec3d axis, double scale)
{
    double length = wkSceneLength(axis);
    if (!(length > 1e-10 * scale)) {
        return -INFINITY;
    }
    double lowA = INFINITY, highA = -INFINITY, lowB = INFINITY, highB = -INFINITY;
    for (int k = 0; k < 3; k++) {
        double onA = wkSceneDot(wkSceneSub(a[k], a[0]), axis);
        double onB = wkSceneDot(wkSceneSub(b[k], a[0]), axis);
        lowA = wkSmaller(lowA, onA);
        highA = wkLarger(highA, onA);
        lowB = wkSmaller(lowB, onB);
        highB = wkLarger(highB, onB);
    }
    return wkLarger(lowB - highA, lowA - highB) / length;
}

double wkTriangleGap(const wkVec3d* a, const wkVec3d* b)
{
    wkVec3d normals[2] = {normalOf(a), normalOf(b)};
    wkVec3d edges[2][3];
    for (int k = 0; k < 3; k++) {
        edges[0][k] = wkSceneSub(a[(k + 1) % 3], a[k]);
        edges[1][k] = wkSceneSub(b[(k + 1) % 3], b[k]);
    }
    double most = wkLarger(gapAlong(a, b, normals[0], 0.0), gapAlong(a, b, normals[1], 0.0));
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            double scale = wkSceneLength(edges[0][i]) * wkSceneLength(edges[1][k]);
            wkVec3d axis = wkSceneCross(edges[0][i], edges[1][k]);
            most = wkLarger(most, gapAlong(a, b, axis, scale));
        }
        // these tell flat pairs in one plane apart
        most = wkLarger(most, gapAlong(a, b, wkSceneCross(normals[0], edges[0][i]), 0.0));
        most = wkLarger(most, gapAlong(a, b, wkSceneCross(normals[1], edges[1][i]), 0.0));
    }
    return most;
}

double wkRayTriangle(const wkRay* ray, const wkVec3d* faceVertices, double slack)
{
    wkVec3d normal = normalOf(faceVertices);
    double slope = wkSceneDot(normal, ray->direction);
    double t = wkSceneDot(normal, wkSceneSub(faceVertices[0], ray->origin)) / slope;
    if (!(t >= 0.0 && t <= ray->maxDistance)) {
        return INFINITY;
    }
    wkVec3d point = wkSceneAdd(ray->origin, wkSceneScale(ray->direction, t));
    for (int k = 0; k < 3; k++) {
        wkVec3d edge = wkSceneSub(faceVertices[(k + 1) % 3], faceVertices[k]);
        wkVec3d outward = wkSceneCross(edge, normal);
        double beyond = wkSceneDot(wkSceneSub(point, faceVertices[k]), outward);
        if (!(beyond <= slack * wkSceneLength(outward))) {
            return INFINITY;
        }
    }
    return t;
}
