// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bodies become triangles, and solids that can be asked how far a point is.

#include "fit/skin.h"

#include "base/error.h"
#include "base/memory.h"
#include "fit/tiles.h"
#include "geom/project_triangle.h"
#include "tree/crossing.h"

#include <string.h>

// What distances of shapes may be off by, as a share of the largest coordinate: see docs/precision.md.
#define DISTANCE_ROUNDING 1e-9

#define FIRST_CAPACITY 256

// Triangles of a body on their way into a skin.
typedef struct skinSink {
    wkTileSink base;
    wkSkin* skin;
    wkPose pose;
} skinSink;

static bool growPieces(wkSkin* skin)
{
    int32_t capacity = skin->pieceCapacity > 0 ? 2 * skin->pieceCapacity : FIRST_CAPACITY;
    wkSkinPiece* pieces = wkAlloc((size_t)capacity * sizeof *pieces);
    if (pieces == NULL) {
        return false;
    }
    if (skin->pieceCount > 0) {
        memcpy(pieces, skin->pieces, (size_t)skin->pieceCount * sizeof *pieces);
    }
    wkFree(skin->pieces, (size_t)skin->pieceCapacity * sizeof *pieces);
    skin->pieces = pieces;
    skin->pieceCapacity = capacity;
    return true;
}

static bool addPiece(wkTileSink* base, wkVec3d a, wkVec3d b, wkVec3d c, double slack)
{
    skinSink* sink = (skinSink*)base;
    wkSkin* skin = sink->skin;
    if (skin->pieceCount == skin->pieceCapacity && !growPieces(skin)) {
        return false;
    }
    wkSkinPiece* piece = &skin->pieces[skin->pieceCount++];
    piece->corners[0] = wkTransformPoint(sink->pose, a);
    piece->corners[1] = wkTransformPoint(sink->pose, b);
    piece->corners[2] = wkTransformPoint(sink->pose, c);
    piece->slack = slack;
    piece->solid = skin->solidCount;
    return true;
}

// A ball around the pieces of a body, from the first one on.
static wkBall aroundPieces(const wkSkin* skin, int32_t first)
{
    wkAabb bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 3 * first; i < 3 * skin->pieceCount; ++i) {
        wkVec3d corner = skin->pieces[i / 3].corners[i % 3];
        bounds.lower = wkMin(bounds.lower, corner);
        bounds.upper = wkMax(bounds.upper, corner);
    }
    wkBall ball = {wkMiddle(bounds.lower, bounds.upper), 0.0};
    for (int32_t i = 3 * first; i < 3 * skin->pieceCount; ++i) {
        const wkSkinPiece* piece = &skin->pieces[i / 3];
        double reach = wkLength(wkSub(piece->corners[i % 3], ball.center)) + piece->slack;
        ball.radius = wkMaxD(ball.radius, reach);
    }
    return ball;
}

// True when no point of a body can be nearer than something that was found, or deeper inside.
static bool isFurther(const wkSkinSolid* solid, wkVec3d point, double distance)
{
    double least = wkLength(wkSub(point, solid->around.center)) - solid->around.radius;
    return least >= distance;
}

static void measureSkin(wkSkin* skin)
{
    skin->bounds.lower = wkVec(INFINITY, INFINITY, INFINITY);
    skin->bounds.upper = wkNeg(skin->bounds.lower);
    for (int32_t i = 0; i < skin->pieceCount; ++i) {
        const wkSkinPiece* p = &skin->pieces[i];
        for (int k = 0; k < 3; ++k) {
            skin->bounds.lower = wkMin(skin->bounds.lower, p->corners[k]);
            skin->bounds.upper = wkMax(skin->bounds.upper, p->corners[k]);
        }
        skin->slack = wkMaxD(skin->slack, p->slack);
        skin->area += 0.5 * wkLength(wkCross(wkSub(p->corners[1], p->corners[0]),
                                             wkSub(p->corners[2], p->corners[0])));
    }
    if (skin->pieceCount > 0) {
        skin->reach =
            wkMaxD(wkMaxAbs(skin->bounds.lower), wkMaxAbs(skin->bounds.upper)) + skin->slack;
        skin->extent = wkLength(wkSub(skin->bounds.upper, skin->bounds.lower)) + 2.0 * skin->slack;
    }
    skin->rounding = DISTANCE_ROUNDING * skin->reach;
}

// A copy of a mesh that knows what is inside.
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

// Triangles of a mesh where lanes find them, in the order of its hierarchy: neighbours are in a bunch.
static bool fillNear(wkSkinSolid* solid)
{
    const wkMesh* mesh = solid->shape.mesh;
    int32_t count = mesh->triangleCount; // with the lids
    if (count == 0 || count > WK_BUNCH * WK_CROWD * WK_MAX_CROWDS) {
        return true;
    }
    if (!wkNearSet_Create(count, &solid->near)) {
        return false;
    }
    for (int32_t i = 0; i < count; ++i) {
        wkVec3d corners[3];
        wkMeshCorners(mesh, i, corners);
        for (int k = 0; k < 3; ++k) {
            corners[k] = wkTransformPoint(solid->pose, corners[k]);
        }
        wkNearSet_SetTriangle(&solid->near, i, corners);
    }
    return true;
}

static wkResult addSolid(const wkShape* shape, wkPose pose, wkBall around, wkSkin* skin)
{
    wkSkinSolid* solid = &skin->solids[skin->solidCount];
    *solid = (wkSkinSolid){.shape = *shape, .pose = pose, .around = around};
    if (shape->type == wk_shapeMesh) {
        wkMeshInfo info = wkMesh_Info(shape->mesh);
        if (!info.isSolid) {
            wkResult result = copyAsSolid(shape->mesh, &solid->own);
            if (result != wk_ok) {
                return result;
            }
            solid->shape.mesh = solid->own;
        }
        skin->solidCount++;
        return fillNear(solid) ? wk_ok : wkFail(wk_errorMemory, "fit: out of memory");
    }
    skin->solidCount++;
    return wk_ok;
}

static wkResult addBody(const wkFitBody* body, wkSkin* skin)
{
    wkResult result = wkShape_Check(body->shape);
    if (result != wk_ok) {
        return result;
    }
    const wkShape* shape = body->shape;
    skinSink sink = {{addPiece}, skin, body->pose};
    int32_t first = skin->pieceCount;
    result = wkTileShape(shape, &sink.base);
    if (result != wk_ok || skin->pieceCount == first) {
        return result;
    }
    return addSolid(shape, body->pose, aroundPieces(skin, first), skin);
}

// The corners of a triangle of a bunch.
static wkShape triangleOf(const wkNearSet* near, int32_t index)
{
    const wkBunch* b = &near->bunches[index / WK_BUNCH];
    int i = index % WK_BUNCH;
    wkShape triangle = {.type = wk_shapeTriangle};
    triangle.triangle.points[0] = wkVec(b->a[0][i], b->a[1][i], b->a[2][i]);
    triangle.triangle.points[1] = wkVec(b->b[0][i], b->b[1][i], b->b[2][i]);
    triangle.triangle.points[2] = wkVec(b->c[0][i], b->c[1][i], b->c[2][i]);
    return triangle;
}

static bool isInside(const wkSkinSolid* solid, wkVec3d point)
{
    wkVec3d local = wkTransformPoint(wkInvPose(solid->pose), point);
    return wkMeshContains(solid->shape.mesh, local);
}

static wkSkinNear quickNear(const wkSkinSolid* solid, wkVec3d point)
{
    wkShape triangle = triangleOf(&solid->near, wkFindNearOfMachine()(&solid->near, point));
    wkProjection projection = wkProjectTriangle(&triangle, point);
    double side = isInside(solid, point) ? -1.0 : 1.0;
    double radius = solid->shape.rounding + solid->shape.padding;
    wkVec3d normal = wkScale(side, projection.normal);
    wkSkinNear near = {side * projection.distance - radius,
                       wkMulAdd(projection.point, radius, normal), normal};
    return near;
}

wkResult wkSkin_Create(const wkFitBody* bodies, int32_t count, wkSkin* skin)
{
    memset(skin, 0, sizeof *skin);
    skin->solidCapacity = count + 1; // room for none, too
    skin->solids = wkAlloc((size_t)skin->solidCapacity * sizeof *skin->solids);
    if (skin->solids == NULL) {
        return wkFail(wk_errorMemory, "fit: out of memory");
    }
    for (int32_t i = 0; i < count; ++i) {
        wkResult result = addBody(&bodies[i], skin);
        if (result != wk_ok) {
            wkSkin_Destroy(skin);
            return result;
        }
    }
    measureSkin(skin);
    return wk_ok;
}

void wkSkin_Destroy(wkSkin* skin)
{
    for (int32_t i = 0; i < skin->solidCount; ++i) {
        wkNearSet_Destroy(&skin->solids[i].near);
        wkMesh_Destroy(skin->solids[i].own);
    }
    wkFree(skin->solids, (size_t)skin->solidCapacity * sizeof *skin->solids);
    wkFree(skin->pieces, (size_t)skin->pieceCapacity * sizeof *skin->pieces);
    memset(skin, 0, sizeof *skin);
}

wkSkinNear wkSkin_Near(const wkSkin* skin, wkVec3d point)
{
    wkSkinNear near = {INFINITY, point, {0.0, 0.0, 1.0}};
    for (int32_t i = 0; i < skin->solidCount; ++i) {
        const wkSkinSolid* solid = &skin->solids[i];
        if (isFurther(solid, point, near.distance)) {
            continue;
        }
        wkPointResult one = wkClosestPoint(&solid->shape, solid->pose, point, INFINITY);
        if (one.distance < near.distance) {
            near = (wkSkinNear){one.distance, one.point, one.normal};
        }
    }
    near.distance += skin->rounding + DISTANCE_ROUNDING * wkMaxAbs(point);
    return near;
}

wkSkinNear wkSkin_Quick(const wkSkin* skin, wkVec3d point)
{
    wkSkinNear near = {INFINITY, point, {0.0, 0.0, 1.0}};
    for (int32_t i = 0; i < skin->solidCount; ++i) {
        const wkSkinSolid* solid = &skin->solids[i];
        if (isFurther(solid, point, near.distance)) {
            continue;
        }
        wkSkinNear one;
        if (solid->near.triangleCount > 0) {
            one = quickNear(solid, point);
        } else {
            wkPointResult slow = wkClosestPoint(&solid->shape, solid->pose, point, INFINITY);
            one = (wkSkinNear){slow.distance, slow.point, slow.normal};
        }
        near = one.distance < near.distance ? one : near;
    }
    return near;
}

double wkSkin_Distance(const wkSkin* skin, wkVec3d point)
{
    return wkSkin_Near(skin, point).distance;
}
