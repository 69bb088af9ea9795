// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Places a shape in space for the reference solver, and its support function.

#include "reference_body.h"

#include "whisker/detail/counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static wkVec3r fromDouble(wkVec3d v)
{
    return wkRefVec(v.x, v.y, v.z);
}

static wkVec3r toWorld(const wkRefBody* body, wkVec3r local)
{
    wkVec3r world = wkRefAdd(body->position, wkRefScale(body->axes[0], local.x));
    world = wkRefAdd(world, wkRefScale(body->axes[1], local.y));
    return wkRefAdd(world, wkRefScale(body->axes[2], local.z));
}

// Rows of the rotation matrix come from the definition q v q*, divided by |q|^2.
static void setFrame(wkRefBody* body, wkPose pose, wkVec3d origin)
{
    wkReal x = pose.rotation.x, y = pose.rotation.y, z = pose.rotation.z, w = pose.rotation.w;
    wkReal n = x * x + y * y + z * z + w * w;
    body->axes[0] = wkRefVec((w * w + x * x - y * y - z * z) / n, 2.0L * (x * y + w * z) / n,
                             2.0L * (x * z - w * y) / n);
    body->axes[1] = wkRefVec(2.0L * (x * y - w * z) / n, (w * w - x * x + y * y - z * z) / n,
                             2.0L * (y * z + w * x) / n);
    body->axes[2] = wkRefVec(2.0L * (x * z + w * y) / n, 2.0L * (y * z - w * x) / n,
                             (w * w - x * x - y * y + z * z) / n);
    body->position = wkRefSub(fromDouble(pose.position), fromDouble(origin));
}

static void* allocate(int count, size_t size)
{
    void* memory = calloc(count > 0 ? (size_t)count : 1u, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static void setPoints(wkRefBody* body, const wkVec3d* points, int count)
{
    body->kind = wk_corePoints;
    body->points = (wkVec3r*)allocate(count, sizeof(wkVec3r));
    body->pointCount = count;
    for (int i = 0; i < count; i++) {
        wkVec3r local = fromDouble(points[i]);
        body->points[i] = toWorld(body, local);
        body->reach = fmaxl(body->reach, wkRefLength(local));
    }
}

static void setEdges(wkRefBody* body, const wkEdge* edges, int count)
{
    body->edges = (wkEdge*)allocate(count, sizeof(wkEdge));
    body->edgeCount = count;
    memcpy(body->edges, edges, (size_t)count * sizeof(wkEdge));
}

static void setTriangles(wkRefBody* body, const wkVertices* triangles, int count)
{
    body->triangles = (wkVertices*)allocate(count, sizeof(wkVertices));
    body->triangleCount = count;
    memcpy(body->triangles, triangles, (size_t)count * sizeof(wkVertices));
}

static void setSegment(wkRefBody* body, double halfLength)
{
    wkVec3d points[2] = {{0.0, 0.0, -halfLength}, {0.0, 0.0, halfLength}};
    wkEdge edge = {0, 1};
    setPoints(body, points, 2);
    setEdges(body, &edge, 1);
}

static void setBox(wkRefBody* body, wkVec3d half)
{
    wkVec3d points[8];
    wkEdge edges[12];
    int edgeCount = 0;
    for (int i = 0; i < 8; i++) {
        points[i].x = i & 1 ? half.x : -half.x;
        points[i].y = i & 2 ? half.y : -half.y;
        points[i].z = i & 4 ? half.z : -half.z;
        for (int bit = 1; bit < 8; bit *= 2) {
            if ((i & bit) == 0) {
                edges[edgeCount++] = (wkEdge){i, i | bit};
            }
        }
    }
    setPoints(body, points, 8);
    setEdges(body, edges, 12);

    static const wkVertices triangles[12] = {
        {{0, 2, 1}}, {{1, 2, 3}}, {{4, 5, 6}}, {{5, 7, 6}}, {{0, 1, 4}}, {{1, 5, 4}},
        {{2, 6, 3}}, {{3, 6, 7}}, {{0, 4, 2}}, {{2, 4, 6}}, {{1, 3, 5}}, {{3, 7, 5}},
    };
    setTriangles(body, triangles, 12);
}

static void setTriangle(wkRefBody* body, const wkVec3d* vertices)
{
    wkEdge edges[3] = {{0, 1}, {1, 2}, {2, 0}};
    setPoints(body, vertices, 3);
    setEdges(body, edges, 3);
    wkVertices whole = {{0, 1, 2}};
    setTriangles(body, &whole, 1);
}

static void setHull(wkRefBody* body, const wkHull* hull)
{
    int count = wkHull_Info(hull).vertexCount;
    wkVec3d* points = (wkVec3d*)allocate(count, sizeof(wkVec3d));
    for (int i = 0; i < count; i++) {
        points[i] = wkHull_Vertex(hull, i);
    }
    setPoints(body, points, count);
    free(points);

    // each edge belongs to two faces and is written by the one that walks it upward
    int faceCount = wkHull_Info(hull).faceCount;
    int vertexCount = count;
    for (int i = 0; i < faceCount; i++) {
        vertexCount += wkHull_Face(hull, i).indexCount;
    }
    body->edges = (wkEdge*)allocate(vertexCount, sizeof(wkEdge));
    body->triangles = (wkVertices*)allocate(vertexCount, sizeof(wkVertices));
    for (int i = 0; i < faceCount; i++) {
        wkHullFace face = wkHull_Face(hull, i);
        for (int32_t k = 0; k < face.indexCount; k++) {
            wkEdge edge = {face.indices[k], face.indices[(k + 1) % face.indexCount]};
            if (edge.from < edge.to) {
                body->edges[body->edgeCount++] = edge;
            }
        }
        for (int32_t k = 1; k + 1 < face.indexCount; k++) {
            wkVertices fan = {{face.indices[0], face.indices[k], face.indices[k + 1]}};
            body->triangles[body->triangleCount++] = fan;
        }
    }
    for (int i = 1; faceCount == 0 && i < count; i++) {
        body->edges[body->edgeCount++] = (wkEdge){i - 1, i};
    }
}

static void setPlane(wkRefBody* body, wkCoreKind kind, wkVec3d normal, double offset)
{
    body->kind = kind;
    wkVec3r local = fromDouble(normal);
    wkReal length = wkRefLength(local);
    wkVec3r position = body->position;
    body->position = wkRefVec(0.0L, 0.0L, 0.0L);
    body->normal = toWorld(body, wkRefScale(local, 1.0L / length));
    body->position = position;
    body->offset = offset / length + wkRefDot(body->normal, position);
}

// Sets the core of a placed body from the shape's own fields.
typedef void setCoreFcn(wkRefBody* body, const wkShape* shape);

static void setFromSphere(wkRefBody* body, const wkShape* shape)
{
    wkVec3d center = {0.0, 0.0, 0.0};
    body->radius += shape->sphere.radius;
    setPoints(body, &center, 1);
}

static void setFromCapsule(wkRefBody* body, const wkShape* shape)
{
    body->radius += shape->capsule.radius;
    setSegment(body, shape->capsule.halfLength);
}

static void setFromBox(wkRefBody* body, const wkShape* shape)
{
    setBox(body, shape->box.half);
}

// Cylinder and cone have the same members.
static void setFromRound(wkRefBody* body, const wkShape* shape)
{
    body->kind = shape->type == wk_shapeCone ? wk_coreCone : wk_coreCylinder;
    body->sizes[0] = shape->cylinder.radius;
    body->sizes[1] = shape->cylinder.halfLength;
    body->reach = hypotl(body->sizes[0], body->sizes[1]);
}

static void setFromEllipsoid(wkRefBody* body, const wkShape* shape)
{
    body->kind = wk_coreEllipsoid;
    body->sizes[0] = shape->ellipsoid.radii.x;
    body->sizes[1] = shape->ellipsoid.radii.y;
    body->sizes[2] = shape->ellipsoid.radii.z;
    body->reach = fmaxl(body->sizes[0], fmaxl(body->sizes[1], body->sizes[2]));
}

static void setFromTriangle(wkRefBody* body, const wkShape* shape)
{
    setTriangle(body, shape->triangle.points);
}

static void setFromHull(wkRefBody* body, const wkShape* shape)
{
    setHull(body, shape->hull);
}

static void setFromHalfspace(wkRefBody* body, const wkShape* shape)
{
    setPlane(body, wk_coreHalfspace, shape->halfspace.normal, shape->halfspace.offset);
}

static void setFromPlane(wkRefBody* body, const wkShape* shape)
{
    setPlane(body, wk_corePlane, shape->plane.normal, shape->plane.offset);
}

// clang-format off
static setCoreFcn* const setCore[WK_CONVEX_TYPE_COUNT] = {
    [wk_shapeSphere]    = setFromSphere,
    [wk_shapeCapsule]   = setFromCapsule,
    [wk_shapeBox]       = setFromBox,
    [wk_shapeCylinder]  = setFromRound,
    [wk_shapeCone]      = setFromRound,
    [wk_shapeEllipsoid] = setFromEllipsoid,
    [wk_shapeTriangle]  = setFromTriangle,
    [wk_shapeHull]      = setFromHull,
    [wk_shapeHalfspace] = setFromHalfspace,
    [wk_shapePlane]     = setFromPlane,
};
// clang-format on

void wkRefBody_Create(wkRefBody* body, const wkShape* shape, wkPose pose, wkVec3d origin)
{
    memset(body, 0, sizeof *body);
    body->radius = (wkReal)shape->rounding + shape->padding;
    setFrame(body, pose, origin);
    setCore[shape->type](body, shape);
}

void wkRefBody_Destroy(wkRefBody* body)
{
    free(body->points);
    free(body->edges);
    free(body->triangles);
    memset(body, 0, sizeof *body);
}

static wkVec3r supportPoints(const wkRefBody* body, wkVec3r direction)
{
    wkVec3r best = body->points[0];
    wkReal most = wkRefDot(best, direction);
    for (int i = 1; i < body->pointCount; i++) {
        wkReal value = wkRefDot(body->points[i], direction);
        if (value > most) {
            most = value;
            best = body->points[i];
        }
    }
    return best;
}

// Furthest point of a curved core, in its own frame.
static wkVec3r supportRound(const wkRefBody* body, wkVec3r d)
{
    const wkReal* s = body->sizes;
    if (body->kind == wk_coreEllipsoid) {
        wkVec3r w = wkRefVec(s[0] * d.x, s[1] * d.y, s[2] * d.z);
        wkReal length = wkRefLength(w);
        wkReal scale = length > 0.0L ? 1.0L / length : 0.0L;
        return wkRefVec(s[0] * w.x * scale, s[1] * w.y * scale, s[2] * w.z * scale);
    }
    wkReal across = __builtin_sqrtl(d.x * d.x + d.y * d.y);
    wkReal scale = across > 0.0L ? s[0] / across : 0.0L;
    if (body->kind == wk_coreCylinder) {
        return wkRefVec(scale * d.x, scale * d.y, d.z >= 0.0L ? s[1] : -s[1]);
    }
    // the cone: apex or rim
    if (s[1] * d.z >= s[0] * across - s[1] * d.z) {
        return wkRefVec(0.0L, 0.0L, s[1]);
    }
    return wkRefVec(scale * d.x, scale * d.y, -s[1]);
}

wkVec3r wkRefSupport(const wkRefBody* body, wkVec3r direction)
{
    if (body->kind == wk_corePoints) {
        return supportPoints(body, direction);
    }
    wkVec3r local = wkRefVec(wkRefDot(body->axes[0], direction), wkRefDot(body->axes[1], direction),
                             wkRefDot(body->axes[2], direction));
    return toWorld(body, supportRound(body, local));
}
