// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Tessellates bodies, and prepares solids for distance queries.

#include "fit/fit_surface.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/project_triangle.h"
#include "query/pair/shape_class.h"
#include "tree/mesh/crossing.h"

#include <string.h>

// Error bound of shape distances, as a share of the largest coordinate: see docs/precision.md.
#define DISTANCE_ROUNDING 1e-9

#define FIRST_CAPACITY 256

// Collects the triangles of a body into a surface.
typedef struct surfaceSink {
    wkTessellationSink base;
    wkFitSurface* surface;
    wkPose pose;
} surfaceSink;

static bool growPieces(wkFitSurface* surface)
{
    int32_t capacity = surface->pieceCapacity > 0 ? 2 * surface->pieceCapacity : FIRST_CAPACITY;
    wkSurfacePiece* pieces = wkAlloc((size_t)capacity * sizeof *pieces);
    if (pieces == NULL) {
        return false;
    }
    if (surface->pieceCount > 0) {
        memcpy(pieces, surface->pieces, (size_t)surface->pieceCount * sizeof *pieces);
    }
    wkFree(surface->pieces, (size_t)surface->pieceCapacity * sizeof *pieces);
    surface->pieces = pieces;
    surface->pieceCapacity = capacity;
    return true;
}

static bool addPiece(wkTessellationSink* base, wkVec3d a, wkVec3d b, wkVec3d c, double slack)
{
    surfaceSink* sink = (surfaceSink*)base;
    wkFitSurface* surface = sink->surface;
    if (surface->pieceCount == surface->pieceCapacity && !growPieces(surface)) {
        return false;
    }
    wkSurfacePiece* piece = &surface->pieces[surface->pieceCount++];
    piece->faceVertices[0] = wkTransformPoint(sink->pose, a);
    piece->faceVertices[1] = wkTransformPoint(sink->pose, b);
    piece->faceVertices[2] = wkTransformPoint(sink->pose, c);
    piece->slack = slack;
    piece->solid = surface->solidCount;
    return true;
}

// Returns a bounding sphere of the pieces of a body, from `first` on.
static wkSphere3d aroundPieces(const wkFitSurface* surface, int32_t first)
{
    wkAabb bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 3 * first; i < 3 * surface->pieceCount; ++i) {
        wkVec3d vertex = surface->pieces[i / 3].faceVertices[i % 3];
        bounds.lower = wkMin(bounds.lower, vertex);
        bounds.upper = wkMax(bounds.upper, vertex);
    }
    wkSphere3d sphere = {wkMiddle(bounds.lower, bounds.upper), 0.0};
    for (int32_t i = 3 * first; i < 3 * surface->pieceCount; ++i) {
        const wkSurfacePiece* piece = &surface->pieces[i / 3];
        double reach = wkLength(wkSub(piece->faceVertices[i % 3], sphere.center)) + piece->slack;
        sphere.radius = wkMaxD(sphere.radius, reach);
    }
    return sphere;
}

// Returns true when a body cannot be nearer than the distance found so far, nor contain the point deeper.
static bool isFurther(const wkSurfaceSolid* solid, wkVec3d point, double distance)
{
    double least = wkLength(wkSub(point, solid->around.center)) - solid->around.radius;
    return least >= distance;
}

static void measureSurface(wkFitSurface* surface)
{
    surface->bounds.lower = wkVec(INFINITY, INFINITY, INFINITY);
    surface->bounds.upper = wkNeg(surface->bounds.lower);
    for (int32_t i = 0; i < surface->pieceCount; ++i) {
        const wkSurfacePiece* p = &surface->pieces[i];
        for (int k = 0; k < 3; ++k) {
            surface->bounds.lower = wkMin(surface->bounds.lower, p->faceVertices[k]);
            surface->bounds.upper = wkMax(surface->bounds.upper, p->faceVertices[k]);
        }
        surface->slack = wkMaxD(surface->slack, p->slack);
        surface->area += 0.5 * wkLength(wkCross(wkSub(p->faceVertices[1], p->faceVertices[0]),
                                                wkSub(p->faceVertices[2], p->faceVertices[0])));
    }
    if (surface->pieceCount > 0) {
        surface->reach = wkMaxD(wkMaxAbs(surface->bounds.lower), wkMaxAbs(surface->bounds.upper)) +
                         surface->slack;
        surface->extent =
            wkLength(wkSub(surface->bounds.upper, surface->bounds.lower)) + 2.0 * surface->slack;
    }
    surface->rounding = DISTANCE_ROUNDING * surface->reach;
}

// Copies a mesh as a solid.
static wkResult copyAsSolid(const wkMesh* mesh, wkMesh** solid)
{
    wkMeshDef def = wkDefaultMeshDef();
    wkMeshInfo info = wkMesh_Info(mesh);
    def.vertices = wkMeshVertices(mesh);
    def.vertexCount = info.vertexCount;
    def.triangles = wkMeshTriangles(mesh);
    def.triangleCount = info.triangleCount;
    def.isSolid = true;
    return wkMesh_Create(&def, solid);
}

// Fills the SIMD search with the triangles of a mesh, in hierarchy order so that a bunch holds neighbours.
static bool fillTriangles(wkSurfaceSolid* solid)
{
    const wkMesh* mesh = solid->shape.mesh;
    int32_t count = mesh->triangleCount; // triangles that close holes included
    if (count == 0 || count > WK_BUNCH * WK_CROWD * WK_MAX_CROWDS) {
        return true;
    }
    if (!wkTriangleSet_Create(count, &solid->triangles)) {
        return false;
    }
    for (int32_t i = 0; i < count; ++i) {
        wkVec3d faceVertices[3];
        wkMeshTriangleVertices(mesh, i, faceVertices);
        for (int k = 0; k < 3; ++k) {
            faceVertices[k] = wkTransformPoint(solid->pose, faceVertices[k]);
        }
        wkTriangleSet_SetTriangle(&solid->triangles, i, faceVertices);
    }
    return true;
}

// Tessellates the surface of a valid shape, padding and rounding included.
static wkResult tessellate(const wkShape* shape, wkTessellationSink* sink)
{
    const wkShapeFacts* facts = wkShapeFactsOf(shape);
    if (facts->tessellate == NULL) {
        return wkFail(wk_errorUnsupported, "fit: a %s cannot be covered with spheres",
                      wkShapeTypeName(shape->type));
    }
    return facts->tessellate(shape, shape->rounding + shape->padding, sink)
               ? wk_ok
               : wkFail(wk_errorMemory, "fit: out of memory");
}

static wkResult addSolid(const wkShape* shape, wkPose pose, wkSphere3d around,
                         wkFitSurface* surface)
{
    wkSurfaceSolid* solid = &surface->solids[surface->solidCount];
    *solid = (wkSurfaceSolid){.shape = *shape, .pose = pose, .around = around};
    if (shape->type == wk_shapeMesh) {
        wkMeshInfo info = wkMesh_Info(shape->mesh);
        if (!info.isSolid) {
            wkResult result = copyAsSolid(shape->mesh, &solid->own);
            if (result != wk_ok) {
                return result;
            }
            solid->shape.mesh = solid->own;
        }
        surface->solidCount++;
        return fillTriangles(solid) ? wk_ok : wkFail(wk_errorMemory, "fit: out of memory");
    }
    surface->solidCount++;
    return wk_ok;
}

static wkResult addBody(const wkFitBody* body, wkFitSurface* surface)
{
    wkResult result = wkShape_Check(body->shape);
    if (result != wk_ok) {
        return result;
    }
    const wkShape* shape = body->shape;
    surfaceSink sink = {{addPiece}, surface, body->pose};
    int32_t first = surface->pieceCount;
    result = tessellate(shape, &sink.base);
    if (result != wk_ok || surface->pieceCount == first) {
        return result;
    }
    return addSolid(shape, body->pose, aroundPieces(surface, first), surface);
}

// Returns a triangle of a bunch as a shape.
static wkShape triangleOf(const wkTriangleSet* triangles, int32_t index)
{
    const wkBunch* b = &triangles->bunches[index / WK_BUNCH];
    int i = index % WK_BUNCH;
    wkShape triangle = {.type = wk_shapeTriangle};
    triangle.triangle.points[0] = wkVec(b->a[0][i], b->a[1][i], b->a[2][i]);
    triangle.triangle.points[1] = wkVec(b->b[0][i], b->b[1][i], b->b[2][i]);
    triangle.triangle.points[2] = wkVec(b->c[0][i], b->c[1][i], b->c[2][i]);
    return triangle;
}

static bool isInside(const wkSurfaceSolid* solid, wkVec3d point)
{
    wkVec3d local = wkTransformPoint(wkInvPose(solid->pose), point);
    return wkMeshContains(solid->shape.mesh, local);
}

static wkClosestOnSurface quickClosest(const wkSurfaceSolid* solid, wkVec3d point)
{
    wkShape triangle =
        triangleOf(&solid->triangles, wkFindNearestTriangleOfMachine()(&solid->triangles, point));
    wkProjection projection = wkProjectTriangle(&triangle, point);
    double side = isInside(solid, point) ? -1.0 : 1.0;
    double radius = solid->shape.rounding + solid->shape.padding;
    wkVec3d normal = wkScale(side, projection.normal);
    wkClosestOnSurface closest = {side * projection.distance - radius,
                                  wkMulAdd(projection.point, radius, normal), normal};
    return closest;
}

wkResult wkFitSurface_Create(const wkFitBody* bodies, int32_t count, wkFitSurface* surface)
{
    memset(surface, 0, sizeof *surface);
    surface->solidCapacity = count + 1; // never an empty allocation
    surface->solids = wkAlloc((size_t)surface->solidCapacity * sizeof *surface->solids);
    if (surface->solids == NULL) {
        return wkFail(wk_errorMemory, "fit: out of memory");
    }
    for (int32_t i = 0; i < count; ++i) {
        wkResult result = addBody(&bodies[i], surface);
        if (result != wk_ok) {
            wkFitSurface_Destroy(surface);
            return result;
        }
    }
    measureSurface(surface);
    return wk_ok;
}

void wkFitSurface_Destroy(wkFitSurface* surface)
{
    for (int32_t i = 0; i < surface->solidCount; ++i) {
        wkTriangleSet_Destroy(&surface->solids[i].triangles);
        wkMesh_Destroy(surface->solids[i].own);
    }
    wkFree(surface->solids, (size_t)surface->solidCapacity * sizeof *surface->solids);
    wkFree(surface->pieces, (size_t)surface->pieceCapacity * sizeof *surface->pieces);
    memset(surface, 0, sizeof *surface);
}

wkClosestOnSurface wkFitSurface_Closest(const wkFitSurface* surface, wkVec3d point)
{
    wkClosestOnSurface closest = {INFINITY, point, {0.0, 0.0, 1.0}};
    for (int32_t i = 0; i < surface->solidCount; ++i) {
        const wkSurfaceSolid* solid = &surface->solids[i];
        if (isFurther(solid, point, closest.distance)) {
            continue;
        }
        wkPointResult one = wkShape_ClosestPoint(&solid->shape, solid->pose, point, INFINITY);
        if (one.distance < closest.distance) {
            closest = (wkClosestOnSurface){one.distance, one.point, one.normal};
        }
    }
    closest.distance += surface->rounding + DISTANCE_ROUNDING * wkMaxAbs(point);
    return closest;
}

wkClosestOnSurface wkFitSurface_QuickClosest(const wkFitSurface* surface, wkVec3d point)
{
    wkClosestOnSurface closest = {INFINITY, point, {0.0, 0.0, 1.0}};
    for (int32_t i = 0; i < surface->solidCount; ++i) {
        const wkSurfaceSolid* solid = &surface->solids[i];
        if (isFurther(solid, point, closest.distance)) {
            continue;
        }
        wkClosestOnSurface one;
        if (solid->triangles.triangleCount > 0) {
            one = quickClosest(solid, point);
        } else {
            wkPointResult slow = wkShape_ClosestPoint(&solid->shape, solid->pose, point, INFINITY);
            one = (wkClosestOnSurface){slow.distance, slow.point, slow.normal};
        }
        closest = one.distance < closest.distance ? one : closest;
    }
    return closest;
}

double wkFitSurface_Distance(const wkFitSurface* surface, wkVec3d point)
{
    return wkFitSurface_Closest(surface, point).distance;
}
