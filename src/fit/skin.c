// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bodies become triangles, and solids that can be asked how far a point is.

#include "fit/skin.h"

#include "base/error.h"
#include "base/memory.h"
#include "fit/tiles.h"
#include "math/vec.h"
#include "tree/mesh.h"

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

static void measureSkin(wkSkin* skin)
{
    skin->bounds.lower = wkVec(INFINITY, INFINITY, INFINITY);
    skin->bounds.upper = wkNeg(skin->bounds.lower);
    double slack = 0.0;
    for (int32_t i = 0; i < skin->pieceCount; ++i) {
        const wkSkinPiece* p = &skin->pieces[i];
        for (int k = 0; k < 3; ++k) {
            skin->bounds.lower = wkMin(skin->bounds.lower, p->corners[k]);
            skin->bounds.upper = wkMax(skin->bounds.upper, p->corners[k]);
        }
        slack = wkMaxD(slack, p->slack);
        skin->area += 0.5 * wkLength(wkCross(wkSub(p->corners[1], p->corners[0]),
                                             wkSub(p->corners[2], p->corners[0])));
    }
    if (skin->pieceCount > 0) {
        skin->reach = wkMaxD(wkMaxAbs(skin->bounds.lower), wkMaxAbs(skin->bounds.upper)) + slack;
        skin->extent = wkLength(wkSub(skin->bounds.upper, skin->bounds.lower)) + 2.0 * slack;
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

static wkResult addSolid(const wkFitBody* body, wkSkin* skin)
{
    wkSkinSolid* solid = &skin->solids[skin->solidCount];
    *solid = (wkSkinSolid){*body->shape, body->pose, NULL};
    if (body->shape->type == wk_shapeMesh) {
        wkMeshInfo info = wkMesh_Info(body->shape->mesh);
        skin->isLeaky |= !info.isClosed;
        if (!info.isSolid) {
            wkResult result = copyAsSolid(body->shape->mesh, &solid->own);
            if (result != wk_ok) {
                return result;
            }
            solid->shape.mesh = solid->own;
        }
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
    skinSink sink = {{addPiece}, skin, body->pose};
    result = wkTileShape(body->shape, &sink.base);
    return result == wk_ok ? addSolid(body, skin) : result;
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
        wkPointResult one = wkClosestPoint(&solid->shape, solid->pose, point, INFINITY);
        if (one.distance < near.distance) {
            near = (wkSkinNear){one.distance, one.point, one.normal};
        }
    }
    near.distance += skin->rounding + DISTANCE_ROUNDING * wkMaxAbs(point);
    return near;
}

double wkSkin_Distance(const wkSkin* skin, wkVec3d point)
{
    return wkSkin_Near(skin, point).distance;
}
