// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Points of collision bodies. The hull of what a box has of the surface of a solid contains what it has of the
// solid, too, except near vertices of the box: an extreme point of that part of the solid is on the
// surface or is a vertex of the box. So vertices of the box that are inside the solid are added. Lids of a
// solid are triangles like the others.

#include "batch/self_piece_points.h"

#include "base/memory.h"
#include "geom/convex.h"
#include "math/angle.h"
#include "tree/mesh/mesh_impl.h"
#include "whisker/detail/counts.h"
#include "whisker/hull.h"

#include <string.h>

// Metres by which a box is larger on each side, and vertices of boxes outside a solid count as inside.
#define BOX_SLACK 1e-6
#define VERTEX_SLACK 1e-5
// Vertices of the polygon around a cylinder.
#define CYLINDER_VERTICES 16

bool wkHasPieces(const wkCollisionBody* body)
{
    const wkShape* shape = &body->shape;
    bool isKnown = shape->type == wk_shapeMesh || (unsigned)shape->type < WK_CONVEX_TYPE_COUNT;
    return isKnown && shape->padding >= 0.0 && wkSumAbs(body->half) < INFINITY;
}

void wkPiecePoints_Free(wkPiecePoints* points)
{
    wkFree(points->points, (size_t)points->capacity * sizeof *points->points);
    memset(points, 0, sizeof *points);
}

// Makes the capacity for `more` points.
static bool reserve(wkPiecePoints* points, int32_t more)
{
    if (more <= points->capacity - points->count) {
        return true;
    }
    int32_t capacity = 2 * points->count + more;
    wkVec3d* moved = (wkVec3d*)wkAlloc((size_t)capacity * sizeof *moved);
    if (moved == NULL) {
        return false;
    }
    if (points->count > 0) {
        memcpy(moved, points->points, (size_t)points->count * sizeof *moved);
    }
    wkFree(points->points, (size_t)points->capacity * sizeof *moved);
    points->points = moved;
    points->capacity = capacity;
    return true;
}

static void add(wkPiecePoints* points, const wkCollisionBody* body, wkVec3d point)
{
    points->points[points->count++] = wkTransformPoint(body->inRigidGroup, point);
}

// Cuts a polygon by a plane: keeps what is above (sign 1) or below (sign -1) an offset along an axis.
static int32_t cutPolygon(const wkVec3d* polygon, int32_t count, int axis, double sign,
                          double offset, wkVec3d* cut)
{
    int32_t cutCount = 0;
    for (int32_t i = 0; i < count; ++i) {
        wkVec3d from = polygon[i], to = polygon[(i + 1) % count];
        double a = sign * (wkAlongAxis(&from, axis) - offset);
        double b = sign * (wkAlongAxis(&to, axis) - offset);
        if (a >= 0.0) {
            cut[cutCount++] = from;
        }
        if ((a < 0.0) != (b < 0.0)) {
            cut[cutCount++] = wkMulAdd(from, a / (a - b), wkSub(to, from));
        }
    }
    return cutCount;
}

int32_t wkCutTriangle(const wkVec3d triangle[3], const wkAabb* box, wkVec3d cut[WK_CUT_VERTICES])
{
    // a convex polygon gets one more vertex by each of six planes at most
    wkVec3d polygons[2][WK_CUT_VERTICES + 1];
    int32_t count = 3, current = 0;
    memcpy(polygons[0], triangle, 3 * sizeof *triangle);
    for (int plane = 0; plane < 6 && count > 0; ++plane) {
        int axis = plane / 2;
        bool isUpper = plane % 2 != 0;
        double offset = wkAlongAxis(isUpper ? &box->upper : &box->lower, axis);
        count = cutPolygon(polygons[current], count, axis, isUpper ? -1.0 : 1.0, offset,
                           polygons[1 - current]);
        current = 1 - current;
    }
    memcpy(cut, polygons[current], (size_t)count * sizeof *cut);
    return count;
}

static wkVec3d vertexOf(const wkAabb* box, int number)
{
    return wkVec(number & 1 ? box->upper.x : box->lower.x, number & 2 ? box->upper.y : box->lower.y,
                 number & 4 ? box->upper.z : box->lower.z);
}

static bool isInside(const wkAabb* box, wkVec3d point)
{
    return point.x >= box->lower.x && point.x <= box->upper.x && point.y >= box->lower.y &&
           point.y <= box->upper.y && point.z >= box->lower.z && point.z <= box->upper.z;
}

// Adds the vertices of a mesh that are in a box, and those of triangles that the box cuts.
static bool addSurface(const wkCollisionBody* body, const wkAabb* box, wkPiecePoints* points)
{
    const wkMesh* mesh = body->shape.mesh;
    const wkVec3d* vertices = wkMeshVertices(mesh);
    if (!reserve(points, mesh->vertexCount)) {
        return false;
    }
    for (int32_t i = 0; i < mesh->vertexCount; ++i) {
        if (isInside(box, vertices[i])) {
            add(points, body, vertices[i]);
        }
    }
    for (int32_t i = 0; i < mesh->triangleCount; ++i) {
        wkVec3d triangle[3], cut[WK_CUT_VERTICES];
        wkMeshTriangleVertices(mesh, i, triangle);
        if (isInside(box, triangle[0]) && isInside(box, triangle[1]) &&
            isInside(box, triangle[2])) {
            continue;
        }
        int32_t count = wkCutTriangle(triangle, box, cut);
        if (!reserve(points, count)) {
            return false;
        }
        for (int32_t k = 0; k < count; ++k) {
            add(points, body, cut[k]);
        }
    }
    return true;
}

// Adds what a box has of the surface of a mesh, and the vertices of the box that are inside.
static bool addMesh(const wkCollisionBody* body, const wkAabb* box, wkPiecePoints* points)
{
    const wkMesh* mesh = body->shape.mesh;
    wkVec3d slack = wkVec(BOX_SLACK, BOX_SLACK, BOX_SLACK);
    wkAabb larger = {wkSub(box->lower, slack), wkAdd(box->upper, slack)};
    if (!addSurface(body, &larger, points) || !reserve(points, 8)) {
        return false;
    }
    wkShape solid = wkMakeMesh(mesh);
    for (int i = 0; i < 8 && mesh->isSolid != 0; ++i) {
        wkVec3d vertex = vertexOf(&larger, i);
        if (!(wkShape_PointDistance(&solid, wkIdentityPose(), vertex) > VERTEX_SLACK)) {
            add(points, body, vertex);
        }
    }
    return true;
}

// Adds the points of a shape that is not a mesh.
typedef void addFcn(const wkCollisionBody* body, wkPiecePoints* points);

// The box of a body contains its radius, too.
static void addBox(const wkCollisionBody* body, wkPiecePoints* points)
{
    points->radius = 0.0;
    for (int i = 0; i < 8; ++i) {
        wkVec3d sign = wkVec(i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0);
        add(points, body, wkAdd(body->middle, wkMulVec(sign, body->half)));
    }
}

static void addSphere(const wkCollisionBody* body, wkPiecePoints* points)
{
    add(points, body, wkVec(0.0, 0.0, 0.0));
}

static void addCapsule(const wkCollisionBody* body, wkPiecePoints* points)
{
    add(points, body, wkVec(0.0, 0.0, body->shape.capsule.halfLength));
    add(points, body, wkVec(0.0, 0.0, -body->shape.capsule.halfLength));
}

static void addCylinder(const wkCollisionBody* body, wkPiecePoints* points)
{
    const wkCylinder* cylinder = &body->shape.cylinder;
    double sine, cosine;
    wkSinCos(WK_PI / CYLINDER_VERTICES, &sine, &cosine);
    double radius = cylinder->radius / cosine;
    for (int i = 0; i < CYLINDER_VERTICES; ++i) {
        wkSinCos(2.0 * WK_PI * i / CYLINDER_VERTICES, &sine, &cosine);
        wkVec3d edge = wkVec(radius * cosine, radius * sine, cylinder->halfLength);
        add(points, body, edge);
        edge.z = -edge.z;
        add(points, body, edge);
    }
}

static void addHull(const wkCollisionBody* body, wkPiecePoints* points)
{
    int32_t vertexCount = wkHull_Info(body->shape.hull).vertexCount;
    for (int32_t i = 0; i < vertexCount; ++i) {
        add(points, body, wkHull_Vertex(body->shape.hull, i));
    }
}

// NULL: by the box of the body.
static addFcn* const addTable[WK_CONVEX_TYPE_COUNT] = {
    [wk_shapeSphere] = addSphere,
    [wk_shapeCapsule] = addCapsule,
    [wk_shapeCylinder] = addCylinder,
    [wk_shapeHull] = addHull,
};

static bool addShape(const wkCollisionBody* body, wkPiecePoints* points)
{
    const wkShape* shape = &body->shape;
    int32_t vertexCount = shape->type == wk_shapeHull ? wkHull_Info(shape->hull).vertexCount : 0;
    if (!reserve(points, vertexCount + 2 * CYLINDER_VERTICES)) {
        return false;
    }
    points->radius = wkShapeRadius(shape);
    addFcn* fcn = addTable[shape->type] != NULL ? addTable[shape->type] : addBox;
    fcn(body, points);
    return true;
}

bool wkFindPiecePoints(const wkCollisionBody* body, const wkAabb* box, wkPiecePoints* points)
{
    points->count = 0;
    if (body->shape.type != wk_shapeMesh) {
        return addShape(body, points);
    }
    points->radius = wkShapeRadius(&body->shape) + body->shape.mesh->sewnGap;
    return addMesh(body, box, points);
}
