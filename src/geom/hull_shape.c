// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The row of hulls in wkConvexTable, except projection and ray cast, which have files of their own.

#include "base/error.h"
#include "geom/check.h"
#include "geom/convex_rows.h"
#include "geom/face.h"
#include "geom/hull_impl.h"
#include "geom/steiner.h"
#include "geom/triangulate.h"

bool wkHullIsValid(const wkShape* shape)
{
    // the hull itself was checked when it was built
    return shape->hull != NULL && wkHasValidMargins(shape, 0.0);
}

wkResult wkHullCheck(const wkShape* shape)
{
    if (shape->hull == NULL) {
        return wkFail(wk_errorArgument, "convex: hull is NULL");
    }
    return wkCheckMargins("convex", shape);
}

wkVec3d wkHullCoreSupport(const wkShape* shape, wkVec3d direction)
{
    return wkHullVertex(shape->hull, wkHullSupport(shape->hull, direction, 0));
}

wkAabb wkHullBounds(const wkShape* shape, const wkFrame* frame)
{
    const wkMat3d* m = &frame->rotation;
    const wkVec3d rows[3] = {
        {m->x.x, m->y.x, m->z.x}, {m->x.y, m->y.y, m->z.y}, {m->x.z, m->y.z, m->z.z}};
    const double position[3] = {frame->position.x, frame->position.y, frame->position.z};
    double lower[3], upper[3];
    for (int axis = 0; axis < 3; ++axis) {
        wkVec3d low = wkHullCoreSupport(shape, wkNeg(rows[axis]));
        wkVec3d high = wkHullCoreSupport(shape, rows[axis]);
        lower[axis] = wkDot(rows[axis], low) + position[axis];
        upper[axis] = wkDot(rows[axis], high) + position[axis];
    }
    wkAabb box = {wkVec(lower[0], lower[1], lower[2]), wkVec(upper[0], upper[1], upper[2])};
    return box;
}

wkInnerOuterSpheres wkHullSpheres(const wkShape* shape)
{
    wkInnerOuterSpheres sphere = {shape->hull->sphereCenter, shape->hull->sphereRadius,
                                  shape->hull->innerRadius};
    return sphere;
}

wkMass wkHullMass(const wkShape* shape)
{
    const wkHull* hull = shape->hull;
    wkMass mass = hull->mass;
    mass.volume =
        wkSteinerVolume(mass.volume, hull->area, hull->meanWidthIntegral, shape->rounding);
    return mass;
}

static double areaOf(const wkHull* hull, int32_t index)
{
    wkHullFace face = wkHull_Face(hull, index);
    wkVec3d base = wkHullVertex(hull, face.indices[0]);
    wkVec3d sum = wkVec(0.0, 0.0, 0.0);
    for (int32_t i = 1; i + 1 < face.indexCount; ++i) {
        sum = wkAdd(sum, wkCross(wkSub(wkHullVertex(hull, face.indices[i]), base),
                                 wkSub(wkHullVertex(hull, face.indices[i + 1]), base)));
    }
    return 0.5 * wkLength(sum);
}

// Returns the largest face within `cosine` of `direction`, or -1.
static int32_t findFace(const wkHull* hull, wkVec3d direction, double cosine)
{
    const wkHullPlane* planes = wkHullPlanes(hull);
    int32_t best = -1;
    double bestArea = -1.0;
    for (int32_t i = 0; i < hull->faceCount; ++i) {
        if (wkDot(planes[i].normal, direction) >= cosine) {
            double area = areaOf(hull, i);
            if (area > bestArea) {
                bestArea = area;
                best = i;
            }
        }
    }
    return best;
}

// Returns the neighbour of `vertex` over the edge most nearly perpendicular to `direction`, or -1.
static int32_t findEdge(const wkHull* hull, int32_t vertex, wkVec3d direction, double sine)
{
    const int32_t* starts = wkHullLinkStarts(hull);
    int32_t best = -1;
    double bestLean = sine;
    for (int32_t k = starts[vertex]; k < starts[vertex + 1]; ++k) {
        int32_t other = wkHullLinks(hull)[k];
        wkVec3d edge = wkSub(wkHullVertex(hull, other), wkHullVertex(hull, vertex));
        double lean = fabs(wkDot(edge, direction)) / wkLength(edge);
        if (lean <= bestLean) {
            bestLean = lean;
            best = other;
        }
    }
    return best;
}

void wkHullFaceAt(const wkShape* shape, wkVec3d direction, double cosine, wkFace* face)
{
    const wkHull* hull = shape->hull;
    int32_t index = findFace(hull, direction, cosine);
    if (index >= 0) {
        // more vertices than the capacity: keep an even selection
        wkHullFace found = wkHull_Face(hull, index);
        bool fits = found.indexCount <= WK_FACE_CAPACITY;
        face->count = fits ? (int)found.indexCount : WK_FACE_CAPACITY;
        for (int i = 0; i < face->count; ++i) {
            int64_t vertex = (int64_t)i * found.indexCount / face->count;
            face->points[i] = wkHullVertex(hull, found.indices[vertex]);
        }
        return;
    }

    int32_t vertex = wkHullSupport(hull, direction, 0);
    int32_t other = findEdge(hull, vertex, direction, wkSineOf(cosine));
    if (other >= 0) {
        wkFaceEdge(face, wkHullVertex(hull, vertex), wkHullVertex(hull, other));
    } else {
        wkFacePoint(face, wkHullVertex(hull, vertex));
    }
}

// Writes triangle fans over the hull's own faces.
static wkResult triangulateFaces(const wkHull* hull, wkTriangulation* out)
{
    const int32_t* starts = wkHullFaceStarts(hull);
    const int32_t* vertices = wkHullVertices(hull);
    int32_t triangleCount = starts[hull->faceCount] - 2 * hull->faceCount;
    wkResult result = wkTriangulationReserve(out, hull->vertexCount, triangleCount);
    if (result != wk_ok || out->vertices == NULL) {
        return result;
    }
    for (int32_t i = 0; i < hull->vertexCount; ++i) {
        out->vertices[i] = wkHullVertex(hull, i);
    }
    int32_t* indices = out->indices;
    for (int32_t face = 0; face < hull->faceCount; ++face) {
        for (int32_t i = starts[face] + 1; i + 1 < starts[face + 1]; ++i) {
            *indices++ = vertices[starts[face]];
            *indices++ = vertices[i];
            *indices++ = vertices[i + 1];
        }
    }
    return wk_ok;
}

typedef struct roundedHull {
    const wkHull* hull;
    double radius;
    int segments;
} roundedHull;

// Returns the point of the rounded surface whose normal has these angles, in steps of the segments; latitude
// from the bottom.
static wkVec3d roundedPoint(const roundedHull* rounded, int latitude, int longitude)
{
    double step = 2.0 * WK_PI / rounded->segments;
    double up = step * latitude - 0.5 * WK_PI, around = step * longitude;
    wkVec3d n = wkVec(cos(up) * cos(around), cos(up) * sin(around), sin(up));
    wkVec3d vertex = wkHullVertex(rounded->hull, wkHullSupport(rounded->hull, n, 0));
    return wkMulAdd(vertex, rounded->radius, n);
}

static wkVec3d roundedRing(const void* context, int ring, int column)
{
    return roundedPoint(context, ring + 1, column);
}

static wkVec3d roundedPole(const void* context, bool isTop, int vertex)
{
    (void)vertex;
    const roundedHull* rounded = context;
    wkVec3d n = wkVec(0.0, 0.0, isTop ? 1.0 : -1.0);
    wkVec3d end = wkHullVertex(rounded->hull, wkHullSupport(rounded->hull, n, 0));
    return wkMulAdd(end, rounded->radius, n);
}

static int poleVertex(const void* context, int column)
{
    (void)context;
    (void)column;
    return 0;
}

wkResult wkHullTriangulate(const wkShape* shape, int segments, double extent, wkTriangulation* out)
{
    (void)extent;
    double radius = wkShapeRadius(shape);
    if (!(radius > 0.0)) {
        return triangulateFaces(shape->hull, out);
    }

    // a globe of normals, each placed at its point of the rounded surface
    roundedHull rounded = {shape->hull, radius, segments};
    wkLoft globe = {.context = &rounded,
                    .ringCount = (segments + 1) / 2 - 1,
                    .columnCount = segments,
                    .capCount = 1,
                    .ring = roundedRing,
                    .cap = roundedPole,
                    .vertex = poleVertex};
    return wkTriangulateLoft(&globe, out);
}

void wkHullDigest(wkDigestBuilder* builder, const wkShape* shape)
{
    const wkHull* hull = shape->hull;
    wkDigestBuilder_AddInteger(builder, hull->vertexCount);
    for (int32_t i = 0; i < hull->vertexCount; ++i) {
        wkVec3d vertex = wkHullVertex(hull, i);
        wkDigestBuilder_AddNumbers(builder, &vertex.x, 3);
    }
}
