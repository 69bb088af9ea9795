// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The concentric spheres around and inside a hull. Queries use the centre as a point of the hull, even where
// the inner radius is zero, so it must never lie outside. The middle of the bounding box often does where a
// hull is slender and oblique, or flat and rotated.

#include "geom/hull_builder.h"
#include "geom/hull_impl.h"

#include <float.h>

// Steps towards the furthest vertex when the outer sphere is fitted (Badoiu and Clarkson 2003): the centre
// comes within about 1/steps of the radius.
#define FIT_STEPS 32

// Rounding error of a depth below a face, as a share of the outer radius.
#define DEPTH_ROUNDING (16.0 * DBL_EPSILON)

// A centre and the distance of the furthest vertex.
typedef struct outerSphere {
    wkVec3d center;
    double radius;
} outerSphere;

static int32_t farthestVertex(const wkHull* hull, wkVec3d point, double* distance)
{
    int32_t best = 0;
    double bestSquared = 0.0;
    for (int32_t i = 0; i < hull->vertexCount; ++i) {
        double squared = wkLengthSquared(wkSub(wkHullVertex(hull, i), point));
        if (squared > bestSquared) {
            bestSquared = squared;
            best = i;
        }
    }
    *distance = sqrt(bestSquared);
    return best;
}

// Returns the best of the centres between `start` and the vertices. From a start inside the hull all of them
// are inside, up to rounding.
static outerSphere fitOuter(const wkHull* hull, wkVec3d start)
{
    outerSphere best = {start, INFINITY};
    wkVec3d center = start;
    for (int step = 0; step <= FIT_STEPS; ++step) {
        double radius;
        int32_t farthest = farthestVertex(hull, center, &radius);
        if (radius < best.radius) {
            best.radius = radius;
            best.center = center;
        }
        wkVec3d way = wkSub(wkHullVertex(hull, farthest), center);
        center = wkMulAdd(center, 1.0 / (2.0 + step), way);
    }
    return best;
}

// Returns a radius about `center` that stays inside the hull, rounded down; not above zero where the centre
// is not proven to be inside. The triangles between the vertices of a face lie above the lowest of these
// vertices, whatever direction heights are measured along, so the planes of faces need not be exact.
static double provenDepth(const wkHull* hull, wkVec3d center, double outerRadius)
{
    const int32_t* starts = wkHullFaceStarts(hull);
    const int32_t* vertices = wkHullVertices(hull);
    const wkHullPlane* planes = wkHullPlanes(hull);
    double depth = hull->faceCount > 2 ? outerRadius : 0.0;
    for (int32_t face = 0; face < hull->faceCount && depth > 0.0; ++face) {
        for (int32_t i = starts[face]; i < starts[face + 1]; ++i) {
            wkVec3d way = wkSub(wkHullVertex(hull, vertices[i]), center);
            depth = wkMinD(depth, wkDot(planes[face].normal, way));
        }
    }
    return depth - DEPTH_ROUNDING * outerRadius;
}

// Returns a point inside the hull, up to rounding; means of means, so that sums do not grow.
static wkVec3d vertexCentroid(const wkHull* hull)
{
    wkVec3d mean = wkHullVertex(hull, 0);
    for (int32_t i = 1; i < hull->vertexCount; ++i) {
        wkVec3d way = wkSub(wkHullVertex(hull, i), mean);
        mean = wkMulAdd(mean, 1.0 / (1.0 + (double)i), way);
    }
    return mean;
}

static outerSphere sphereAbout(const wkHull* hull, wkVec3d center)
{
    outerSphere sphere = {center, 0.0};
    farthestVertex(hull, center, &sphere.radius);
    return sphere;
}

// For hulls without a depth about the middle of the box. The centre of the smallest sphere is in the hull but
// often on its surface. The centroid is a quarter of the width below every face, and the midpoint of both
// keeps half of that.
static outerSphere fitInside(const wkHull* hull, double* depth)
{
    outerSphere sphere = fitOuter(hull, vertexCentroid(hull));
    *depth = provenDepth(hull, sphere.center, sphere.radius);
    if (hull->faceCount <= 2 || *depth > 0.0) {
        return sphere;
    }
    outerSphere halfWay = sphereAbout(hull, wkLerp(sphere.center, hull->mass.centroid, 0.5));
    *depth = provenDepth(hull, halfWay.center, halfWay.radius);
    return *depth > 0.0 ? halfWay : sphere;
}

void wkFitHullSpheres(const wkHullBuilder* builder, wkHull* hull)
{
    // the best centre for symmetric hulls
    outerSphere sphere = fitOuter(hull, builder->center);
    double depth = provenDepth(hull, sphere.center, sphere.radius);
    if (hull->faceCount > 0 && !(depth > 0.0)) {
        sphere = fitInside(hull, &depth);
    }
    hull->sphereCenter = sphere.center;
    hull->innerRadius = wkMaxD(depth, 0.0);

    // distances were rounded, and the sphere must not be too small
    double size = sphere.radius + wkMaxAbs(sphere.center);
    hull->sphereRadius = sphere.radius + 4.0 * DBL_EPSILON * size;
}
