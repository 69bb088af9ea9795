// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// From a definition to the block of a mesh.

#include "base/error.h"
#include "base/memory.h"
#include "math/round.h"
#include "tree/bvh.h"
#include "tree/mesh.h"

#define MESH_DEF_COOKIE 0x6d657368u

wkMeshDef wkDefaultMeshDef(void)
{
    wkMeshDef def = {.volume = wk_volumeAabb, .split = wk_splitSah, .cookie = MESH_DEF_COOKIE};
    return def;
}

static wkResult checkDef(const wkMeshDef* def)
{
    if (def == NULL || def->cookie != MESH_DEF_COOKIE) {
        return wkFail(wk_errorArgument, "mesh: the definition does not start from "
                                        "wkDefaultMeshDef()");
    }
    if ((unsigned)def->volume >= (unsigned)wk_volumeKindCount) {
        return wkFail(wk_errorArgument, "mesh: volume is %d, no such kind", (int)def->volume);
    }
    if ((unsigned)def->split >= (unsigned)wk_splitMethodCount) {
        return wkFail(wk_errorArgument, "mesh: split is %d, no such method", (int)def->split);
    }
    if (def->vertexCount < 0 || (def->vertexCount > 0 && def->vertices == NULL)) {
        return wkFail(wk_errorArgument, "mesh: vertexCount is %d, vertices %s",
                      (int)def->vertexCount, def->vertices == NULL ? "NULL" : "given");
    }
    if (def->triangleCount < 0 || (def->triangleCount > 0 && def->triangles == NULL)) {
        return wkFail(wk_errorArgument, "mesh: triangleCount is %d, triangles %s",
                      (int)def->triangleCount, def->triangles == NULL ? "NULL" : "given");
    }
    if (def->triangleCount > WK_TREE_MAX_ITEMS) {
        return wkFail(wk_errorRange, "mesh: %d triangles, at most %d", (int)def->triangleCount,
                      WK_TREE_MAX_ITEMS);
    }
    return wk_ok;
}

static wkResult checkVertices(const wkVec3d* vertices, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        if (wkMaxAbs(vertices[i]) <= WK_MESH_REACH && wkIsFiniteVec(vertices[i])) {
            continue;
        }
        if (!wkIsFiniteVec(vertices[i])) {
            return wkFail(wk_errorNotFinite, "mesh: vertex %d is (%g %g %g), must be finite",
                          (int)i, vertices[i].x, vertices[i].y, vertices[i].z);
        }
        return wkFail(wk_errorRange, "mesh: vertex %d is (%g %g %g), must be within %g metres",
                      (int)i, vertices[i].x, vertices[i].y, vertices[i].z, WK_MESH_REACH);
    }
    return wk_ok;
}

static wkResult checkTriangles(const wkMeshDef* def)
{
    for (int32_t i = 0; i < def->triangleCount; ++i) {
        const int32_t* corners = def->triangles + 3 * (size_t)i;
        for (int k = 0; k < 3; ++k) {
            if ((uint32_t)corners[k] >= (uint32_t)def->vertexCount) {
                return wkFail(wk_errorRange, "mesh: triangle %d has corner %d, must be 0 to %d",
                              (int)i, (int)corners[k], (int)def->vertexCount - 1);
            }
        }
    }
    return wk_ok;
}

// Rounded outward.
static void makeItems(const wkMeshDef* def, wkBvhItem* items)
{
    for (int32_t i = 0; i < def->triangleCount; ++i) {
        const int32_t* corners = def->triangles + 3 * (size_t)i;
        wkVec3d a = def->vertices[corners[0]], b = def->vertices[corners[1]];
        wkVec3d c = def->vertices[corners[2]];
        wkVec3d lower = wkMin(wkMin(a, b), c), upper = wkMax(wkMax(a, b), c);
        items[i].lower =
            wkMakeQuad(wkRoundDown(lower.x), wkRoundDown(lower.y), wkRoundDown(lower.z), 0.0f);
        items[i].upper =
            wkMakeQuad(wkRoundUp(upper.x), wkRoundUp(upper.y), wkRoundUp(upper.z), 0.0f);
        wkSetItemIndex(&items[i], i);
    }
}

static void findBounds(wkMesh* mesh)
{
    wkAabb bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 0; i < mesh->triangleCount; ++i) {
        wkVec3d corners[3];
        wkMeshCorners(mesh, i, corners);
        for (int k = 0; k < 3; ++k) {
            bounds.lower = wkMin(bounds.lower, corners[k]);
            bounds.upper = wkMax(bounds.upper, corners[k]);
        }
    }
    mesh->bounds = bounds;
    if (mesh->triangleCount == 0) {
        mesh->ballCenter = wkVec(0.0, 0.0, 0.0);
        mesh->ballRadius = 0.0;
        return;
    }
    mesh->ballCenter = wkMiddle(bounds.lower, bounds.upper);
    double squared = 0.0;
    for (int32_t i = 0; i < mesh->triangleCount; ++i) {
        wkVec3d corners[3];
        wkMeshCorners(mesh, i, corners);
        for (int k = 0; k < 3; ++k) {
            wkVec3d out = wkSub(corners[k], mesh->ballCenter);
            squared = wkMaxD(squared, wkDot(out, out));
        }
    }
    // a few units in the last place cover the rounding of three squares, a sum and a root
    mesh->ballRadius = sqrt(squared) * (1.0 + 1e-15);
}

// Gives out the next bytes of the block, each array on a cache line of its own.
static uint64_t reserve(uint64_t* byteCount, uint64_t bytes)
{
    uint64_t offset = (*byteCount + 63u) & ~(uint64_t)63u;
    *byteCount = offset + bytes;
    return offset;
}

static wkMesh layOut(const wkMeshDef* def, const wkBvh* bvh)
{
    uint64_t vertexCount = (uint64_t)def->vertexCount;
    uint64_t triangleCount = (uint64_t)def->triangleCount;
    wkMesh mesh;
    memset(&mesh, 0, sizeof mesh);
    mesh.magic = WK_MESH_MAGIC;
    mesh.version = WK_MESH_VERSION;
    mesh.headerBytes = (uint32_t)sizeof mesh;
    mesh.vertexCount = def->vertexCount;
    mesh.triangleCount = def->triangleCount;
    mesh.nodeCount = bvh->nodeCount;
    mesh.depth = bvh->depth;
    mesh.kind = wk_volumeAabb;
    mesh.isSolid = def->isSolid;
    uint64_t byteCount = sizeof mesh;
    mesh.nodeOffset = reserve(&byteCount, (uint64_t)bvh->nodeCount * sizeof(wkBoxNode));
    mesh.triangleOffset = reserve(&byteCount, triangleCount * 3 * sizeof(int32_t));
    mesh.vertexOffset = reserve(&byteCount, vertexCount * sizeof(wkVec3d));
    mesh.idOffset = reserve(&byteCount, triangleCount * sizeof(int32_t));
    mesh.placeOffset = reserve(&byteCount, triangleCount * sizeof(int32_t));
    mesh.componentOffset = reserve(&byteCount, 0);
    mesh.byteCount = byteCount;
    return mesh;
}

static void writeBlock(wkMesh* mesh, const wkMeshDef* def, const wkBvh* bvh)
{
    char* block = (char*)mesh;
    if (def->vertexCount > 0) {
        memcpy(block + mesh->vertexOffset, def->vertices,
               (size_t)def->vertexCount * sizeof(wkVec3d));
    }
    memcpy(block + mesh->nodeOffset, bvh->nodes, (size_t)bvh->nodeCount * sizeof(wkBoxNode));
    int32_t* triangles = (int32_t*)(block + mesh->triangleOffset);
    int32_t* ids = (int32_t*)(block + mesh->idOffset);
    int32_t* places = (int32_t*)(block + mesh->placeOffset);
    for (int32_t i = 0; i < def->triangleCount; ++i) {
        int32_t id = wkItemIndex(&bvh->items[i]);
        ids[i] = id;
        places[id] = i;
        memcpy(triangles + 3 * (size_t)i, def->triangles + 3 * (size_t)id, 3 * sizeof(int32_t));
    }
}

wkResult wkMesh_Create(const wkMeshDef* def, wkMesh** mesh)
{
    *mesh = NULL;
    wkResult result = checkDef(def);
    if (result == wk_ok) {
        result = checkVertices(def->vertices, def->vertexCount);
    }
    if (result == wk_ok) {
        result = checkTriangles(def);
    }
    if (result != wk_ok) {
        return result;
    }
    size_t itemBytes = ((size_t)def->triangleCount + 1) * sizeof(wkBvhItem);
    size_t nodeBytes = (2 + WK_NODE_BOUND(def->triangleCount)) * sizeof(wkBoxNode);
    wkBvh bvh = {wkAlloc(itemBytes), def->triangleCount, wkAlloc(nodeBytes), 0, 0};
    wkBvhRule rule = {.split = wkSplitTable[def->split]};
    size_t codeBytes = 0;
    if (def->split == wk_splitMorton) {
        codeBytes = ((size_t)def->triangleCount + 1) * sizeof(uint64_t);
        rule.codes = wkAlloc(codeBytes);
    }
    result = wk_errorMemory;
    if (bvh.items == NULL || bvh.nodes == NULL) {
        goto cleanup;
    }
    makeItems(def, bvh.items);
    if (rule.codes != NULL && !wkSortByCode(bvh.items, bvh.itemCount, rule.codes)) {
        goto cleanup;
    }
    if (!wkBvhBuild(&bvh, &rule, def->parallel)) {
        goto cleanup;
    }
    wkMesh header = layOut(def, &bvh);
    *mesh = wkAlloc((size_t)header.byteCount);
    if (*mesh == NULL) {
        goto cleanup;
    }
    // gaps between the arrays are zero, so that equal meshes are equal bytes
    memset(*mesh, 0, (size_t)header.byteCount);
    **mesh = header;
    writeBlock(*mesh, def, &bvh);
    findBounds(*mesh);
    result = wk_ok;

cleanup:
    wkFree(rule.codes, codeBytes);
    wkFree(bvh.nodes, nodeBytes);
    wkFree(bvh.items, itemBytes);
    if (result == wk_errorMemory) {
        result =
            wkFail(wk_errorMemory, "mesh: no memory for %d triangles", (int)def->triangleCount);
    }
    return result;
}
