// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Mass properties of a hull: volume, centroid, inertia, area and mean width.

#include "geom/hull_builder.h"
#include "geom/hull_impl.h"
#include "geom/steiner.h"

#include <float.h>
#include <string.h>

// A volume below this share of extent times area is rounding error: the body counts as flat.
#define THIN_SHARE (4.0 * DBL_EPSILON)

// Integrals over a solid of 1, x and x x^T, relative to an origin.
typedef struct moments {
    double volume;
    wkVec3d first;
    double second[3][3];
} moments;

// Adds the tetrahedron between the origin and the triangle a, b, c in a plane. Height times area loses far
// fewer digits on needles than the triple product does.
static void addTetrahedron(moments* m, wkVec3d normal, wkVec3d a, wkVec3d b, wkVec3d c)
{
    // six times the volume
    double sixth = wkDot(normal, a) * wkDot(normal, wkCross(wkSub(b, a), wkSub(c, a)));
    wkVec3d sum = wkAdd(a, wkAdd(b, c));
    m->volume += sixth / 6.0;
    m->first = wkMulAdd(m->first, sixth / 24.0, sum);
    const double s[3] = {sum.x, sum.y, sum.z};
    const double vertices[3][3] = {{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}};
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            double squares = s[i] * s[k];
            for (int vertex = 0; vertex < 3; ++vertex) {
                squares += vertices[vertex][i] * vertices[vertex][k];
            }
            m->second[i][k] += sixth / 120.0 * squares;
        }
    }
}

static moments integrate(const wkHull* hull, wkVec3d origin)
{
    moments m;
    memset(&m, 0, sizeof m);
    const int32_t* starts = wkHullFaceStarts(hull);
    const int32_t* vertices = wkHullVertices(hull);
    for (int32_t face = 0; face < hull->faceCount; ++face) {
        wkVec3d normal = wkHullPlanes(hull)[face].normal;
        wkVec3d a = wkSub(wkHullVertex(hull, vertices[starts[face]]), origin);
        for (int32_t i = starts[face] + 1; i + 1 < starts[face + 1]; ++i) {
            wkVec3d b = wkSub(wkHullVertex(hull, vertices[i]), origin);
            wkVec3d c = wkSub(wkHullVertex(hull, vertices[i + 1]), origin);
            addTetrahedron(&m, normal, a, b, c);
        }
    }
    return m;
}

// Returns the area of a face; `center` receives its centroid.
static double faceArea(const wkHull* hull, int32_t face, wkVec3d* center)
{
    wkHullFace f = wkHull_Face(hull, face);
    wkVec3d base = wkHullVertex(hull, f.indices[0]);
    wkVec3d sum = wkVec(0.0, 0.0, 0.0);
    double twice = 0.0;
    for (int32_t i = 1; i + 1 < f.indexCount; ++i) {
        wkVec3d b = wkSub(wkHullVertex(hull, f.indices[i]), base);
        wkVec3d c = wkSub(wkHullVertex(hull, f.indices[i + 1]), base);
        double part = wkDot(f.normal, wkCross(b, c));
        twice += part;
        sum = wkMulAdd(sum, part / 3.0, wkAdd(b, c));
    }
    *center = twice > 0.0 ? wkMulAdd(base, 1.0 / twice, sum) : base;
    return 0.5 * twice;
}

static void measureSolid(wkHull* hull, wkVec3d middle, double extent)
{
    // first about the middle for the centroid, then about the centroid, where no terms cancel
    moments rough = integrate(hull, middle);
    if (!(rough.volume > THIN_SHARE * extent * hull->area)) {
        return;
    }
    wkVec3d centroid = wkMulAdd(middle, 1.0 / rough.volume, rough.first);
    moments m = integrate(hull, centroid);
    hull->mass.volume = m.volume;
    hull->mass.centroid = centroid;
    double trace = m.second[0][0] + m.second[1][1] + m.second[2][2];
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            hull->mass.inertia[i][k] = (i == k ? trace : 0.0) - m.second[i][k];
        }
    }
}

// Computes the area and its centre, which is the centroid of a body without volume.
static void measureFaces(wkHull* hull, wkVec3d middle)
{
    wkVec3d sum = wkVec(0.0, 0.0, 0.0);
    for (int32_t face = 0; face < hull->faceCount; ++face) {
        wkVec3d center;
        double area = faceArea(hull, face, &center);
        hull->area += area;
        sum = wkMulAdd(sum, area, wkSub(center, middle));
    }
    if (hull->area > 0.0) {
        hull->mass.centroid = wkMulAdd(middle, 1.0 / hull->area, sum);
    }
}

// Computes half the sum over all edges of length times exterior angle. Every edge is visited twice.
static void measureEdges(const wkHullBuilder* builder, const wkHullEdges* edges, wkHull* hull)
{
    const wkHullPlane* planes = wkHullPlanes(hull);
    double sum = 0.0;
    for (int32_t i = 0; i < edges->vertexCount; ++i) {
        int32_t next = wkNextVertex(builder, edges->faces[i], i);
        wkVec3d n = planes[edges->faces[i]].normal;
        wkVec3d across = planes[edges->faces[edges->twins[i]]].normal;
        double angle = atan2(wkLength(wkCross(n, across)), wkDot(n, across));
        sum += angle * wkLength(wkSub(wkVertexPoint(builder, next), wkVertexPoint(builder, i)));
    }
    hull->meanWidthIntegral = 0.25 * sum;
}

void wkMeasureHull(const wkHullBuilder* builder, const wkHullEdges* edges, wkHull* hull)
{
    if (hull->faceCount == 0) {
        // all directions across a segment are exterior to it
        wkVec3d a = wkHullVertex(hull, 0), b = wkHullVertex(hull, hull->vertexCount - 1);
        hull->mass.centroid = wkLerp(a, b, 0.5);
        hull->meanWidthIntegral = WK_PI * wkLength(wkSub(b, a));
        return;
    }
    measureFaces(hull, builder->center);
    measureEdges(builder, edges, hull);
    if (hull->faceCount > 2) {
        measureSolid(hull, builder->center, builder->extent);
    }
}
