// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Meshes and height fields as bodies: their mass, and their triangles for display.
// Everything is summed in the caller's order, so that the hierarchy does not change a digit.

#include "geom/triangulate.h"
#include "tree/bvh/tree_shape.h"
#include "tree/height_field/height_field_impl.h"
#include "tree/mesh/mesh_impl.h"

#include <float.h>
#include <string.h>

// A volume below this fraction of area times extent is rounding: the body counts as one without.
#define THIN_SHARE (4.0 * DBL_EPSILON)

// Triangles by the caller's index.
typedef struct surface {
    const void* source;
    wkTriangle (*triangle)(const void* source, int32_t index);
    int32_t count;
    wkAabb bounds;
    bool isClosed;
} surface;

// Integrals of 1, x and x x^T over the enclosed volume, relative to an origin.
typedef struct moments {
    double volume;
    wkVec3d first;
    double second[3][3];
} moments;

// Adds the tetrahedron between the origin and a triangle; by the divergence theorem the sum over a closed
// surface is the integral over its interior.
static void addTetrahedron(moments* m, const wkVec3d faceVertices[3])
{
    double sixth =
        wkDot(faceVertices[0], wkCross(faceVertices[1], faceVertices[2])); // six times the volume
    wkVec3d sum = wkAdd(faceVertices[0], wkAdd(faceVertices[1], faceVertices[2]));
    m->volume += sixth / 6.0;
    m->first = wkMulAdd(m->first, sixth / 24.0, sum);
    const double s[3] = {sum.x, sum.y, sum.z};
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            double squares = s[i] * s[k];
            for (int vertex = 0; vertex < 3; ++vertex) {
                squares +=
                    wkAlongAxis(&faceVertices[vertex], i) * wkAlongAxis(&faceVertices[vertex], k);
            }
            m->second[i][k] += sixth / 120.0 * squares;
        }
    }
}

static moments integrate(const surface* s, wkVec3d origin)
{
    moments m;
    memset(&m, 0, sizeof m);
    for (int32_t i = 0; i < s->count; ++i) {
        wkTriangle triangle = s->triangle(s->source, i);
        for (int k = 0; k < 3; ++k) {
            triangle.points[k] = wkSub(triangle.points[k], origin);
        }
        addTetrahedron(&m, triangle.points);
    }
    return m;
}

// Centroid of the area, relative to an origin.
static wkVec3d areaCenter(const surface* s, wkVec3d origin, double* area)
{
    wkVec3d sum = wkVec(0.0, 0.0, 0.0);
    *area = 0.0;
    for (int32_t i = 0; i < s->count; ++i) {
        const wkTriangle triangle = s->triangle(s->source, i);
        wkVec3d a = wkSub(triangle.points[0], origin), b = wkSub(triangle.points[1], origin);
        wkVec3d c = wkSub(triangle.points[2], origin);
        double part = 0.5 * wkLength(wkCross(wkSub(b, a), wkSub(c, a)));
        sum = wkMulAdd(sum, part / 3.0, wkAdd(a, wkAdd(b, c)));
        *area += part;
    }
    return *area > 0.0 ? wkScale(1.0 / *area, sum) : wkVec(0.0, 0.0, 0.0);
}

static wkMass massOf(const surface* s)
{
    wkMass mass;
    memset(&mass, 0, sizeof mass);
    if (s->count == 0) {
        return mass;
    }
    wkVec3d middle = wkMiddle(s->bounds.lower, s->bounds.upper);
    double area;
    mass.centroid = wkAdd(middle, areaCenter(s, middle, &area));
    if (!s->isClosed) {
        return mass;
    }
    // once about the middle for the centroid, then about the centroid, where nothing cancels
    moments rough = integrate(s, middle);
    double extent = wkMaxAbs(wkSub(s->bounds.upper, s->bounds.lower));
    if (!(fabs(rough.volume) > THIN_SHARE * extent * area)) {
        return mass;
    }
    mass.centroid = wkMulAdd(middle, 1.0 / rough.volume, rough.first);
    moments m = integrate(s, mass.centroid);
    double outward = m.volume < 0.0 ? -1.0 : 1.0; // all triangles are inverted
    mass.volume = outward * m.volume;
    double trace = m.second[0][0] + m.second[1][1] + m.second[2][2];
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            mass.inertia[i][k] = outward * ((i == k ? trace : 0.0) - m.second[i][k]);
        }
    }
    return mass;
}

static wkTriangle triangleOfMesh(const void* source, int32_t index)
{
    return wkMesh_Triangle((const wkMesh*)source, index);
}

wkMass wkMeshMass(const wkShape* shape)
{
    const wkMesh* mesh = shape->mesh;
    bool isClosed = mesh->isClosed != 0 || mesh->lidCount > 0;
    surface s = {mesh, triangleOfMesh, mesh->triangleCount, mesh->bounds, isClosed};
    return massOf(&s);
}

static wkTriangle triangleOfField(const void* source, int32_t index)
{
    return wkHeightField_Triangle((const wkHeightField*)source, index);
}

wkMass wkFieldMass(const wkShape* shape)
{
    const wkHeightField* field = shape->heightField;
    surface s = {field, triangleOfField, field->triangleCount, field->bounds, true};
    return massOf(&s);
}

wkResult wkMeshTriangulate(const wkShape* shape, wkTriangulation* out)
{
    const wkMesh* mesh = shape->mesh;
    wkResult result = wkTriangulationReserve(out, mesh->vertexCount, mesh->triangleCount);
    if (result != wk_ok || out->vertices == NULL) {
        return result;
    }
    for (int32_t i = 0; i < mesh->vertexCount; ++i) {
        out->vertices[i] = wkMesh_Vertex(mesh, i);
    }
    for (int32_t i = 0; i < mesh->triangleCount; ++i) {
        wkMesh_TriangleIndices(mesh, i, out->indices + 3 * (size_t)i);
    }
    return wk_ok;
}

// Each triangle has its own vertices.
wkResult wkFieldTriangulate(const wkShape* shape, wkTriangulation* out)
{
    const wkHeightField* field = shape->heightField;
    wkResult result = wkTriangulationReserve(out, 3 * field->triangleCount, field->triangleCount);
    if (result != wk_ok || out->vertices == NULL) {
        return result;
    }
    for (int32_t i = 0; i < field->triangleCount; ++i) {
        wkFieldTriangleVertices(field, i, out->vertices + 3 * (size_t)i);
        for (int32_t k = 0; k < 3; ++k) {
            out->indices[3 * (size_t)i + (size_t)k] = 3 * i + k;
        }
    }
    return wk_ok;
}
