// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Loads meshes from untrusted blocks. A checksum detects damage; a forged block can have a valid checksum,
// so every count, offset, index and link is checked before a walk may follow it. Volumes that are too small
// give wrong results, but never an invalid access.

#include "base/checksum.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/saved_block.h"
#include "geom/hull_impl.h"
#include "math/within.h"
#include "tree/bvh/tree_check.h"
#include "tree/mesh/lids.h"
#include "tree/mesh/mesh_hull.h"
#include "tree/mesh/mesh_impl.h"

#include "whisker/detail/counts.h"

#include <string.h>

uint64_t wkMeshChecksum(const wkMesh* mesh)
{
    size_t start = offsetof(wkMesh, checksum) + sizeof mesh->checksum;
    return wkChecksum((const char*)mesh + start, (size_t)mesh->byteCount - start);
}

void wkSealMesh(wkMesh* mesh)
{
    mesh->checksum = wkMeshChecksum(mesh);
}

const void* wkMesh_Block(const wkMesh* mesh)
{
    return mesh;
}

static wkResult refuse(const char* reason)
{
    return wkFail(wk_errorParse, "mesh block: %s", reason);
}

static wkResult checkContent(const void* block);

static const wkSavedKind savedKind = {
    .name = "mesh",
    .article = "a",
    .magic = WK_MESH_MAGIC,
    .version = WK_MESH_VERSION,
    .headerBytes = sizeof(wkMesh),
    .check = checkContent,
};

static bool isFlag(uint8_t value)
{
    return value <= 1;
}

static wkResult checkCounts(const wkMesh* mesh)
{
    if (mesh->vertexCount < 0 || mesh->triangleCount < 0 ||
        mesh->triangleCount > WK_TREE_MAX_ITEMS) {
        return refuse("vertices or triangles out of range");
    }
    if (mesh->lidCount < 0 || mesh->lidCount > mesh->triangleCount || mesh->loopCount < 0 ||
        mesh->loopCount > WK_LID_BOUND(wkMeshGivenCount(mesh)) || mesh->hullCount < 0 ||
        mesh->hullCount > mesh->lidCount || (mesh->lidCount > 0 && !mesh->isSolid)) {
        return refuse("lids or loops out of range");
    }
    if (mesh->triangleCapacity < mesh->triangleCount ||
        mesh->triangleCapacity > WK_TREE_MAX_ITEMS) {
        return refuse("triangle capacity out of range");
    }
    if (mesh->nodeCount < 1 || mesh->nodeCount > WK_TREE_MAX_ITEMS || mesh->depth < 0 ||
        mesh->depth > WK_TREE_MAX_DEPTH) {
        return refuse("nodes or depth out of range");
    }
    if (mesh->componentCount < 0 || mesh->componentCount > mesh->triangleCount ||
        mesh->degenerateCount < 0 || mesh->degenerateCount > wkMeshGivenCount(mesh)) {
        return refuse("pieces out of range");
    }
    if ((uint32_t)mesh->kind >= (uint32_t)WK_VOLUME_KIND_COUNT) {
        return refuse("no such kind of volumes");
    }
    if (!isFlag(mesh->isSolid) || !isFlag(mesh->isClosed) || !isFlag(mesh->isConvex) ||
        !isFlag(mesh->hasPrevious)) {
        return refuse("a flag is neither 0 nor 1");
    }
    bool isFinite = wkIsFiniteVec(mesh->sphereCenter) && mesh->sphereRadius >= 0.0 &&
                    mesh->sewnGap >= 0.0 &&
                    mesh->sphereRadius + fabs(mesh->area) + fabs(mesh->lidArea) +
                            fabs(mesh->volumeInside) + mesh->sewnGap <
                        INFINITY;
    return isFinite ? wk_ok : refuse("a size is not finite");
}

static bool isArray(const wkMesh* mesh, uint64_t offset, int32_t count, uint64_t elementBytes)
{
    return wkIsSavedArray(&savedKind, mesh, offset, (uint64_t)count, elementBytes);
}

static wkResult checkArrays(const wkMesh* mesh)
{
    bool hasCapacity = mesh->previousOffset != 0;
    bool areValid =
        isArray(mesh, mesh->vertexOffset, mesh->vertexCount, sizeof(wkVec3d)) &&
        isArray(mesh, mesh->triangleOffset, mesh->triangleCount, 3 * sizeof(int32_t)) &&
        isArray(mesh, mesh->idOffset, mesh->triangleCount, sizeof(int32_t)) &&
        isArray(mesh, mesh->orderOffset, mesh->triangleCount, sizeof(int32_t)) &&
        isArray(mesh, mesh->componentOffset, mesh->componentCount, sizeof(int32_t)) &&
        isArray(mesh, mesh->nodeOffset, mesh->nodeCount, wkNodeBytes((wkVolumeKind)mesh->kind)) &&
        (!hasCapacity || isArray(mesh, mesh->previousOffset, mesh->vertexCount, sizeof(wkVec3d)));
    if (!areValid) {
        return refuse("an array is outside of the block");
    }
    return mesh->hasPrevious && !hasCapacity ? refuse("previous vertices are missing") : wk_ok;
}

static bool areValidVertices(const wkVec3d* vertices, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        if (!wkIsVecWithin(vertices[i], WK_MESH_REACH)) {
            return false;
        }
    }
    return true;
}

// Whether all of `count` indices are below `limit`.
static bool areIndices(const int32_t* indices, size_t count, int32_t limit)
{
    for (size_t i = 0; i < count; ++i) {
        if ((uint32_t)indices[i] >= (uint32_t)limit) {
            return false;
        }
    }
    return true;
}

static bool areInverse(const int32_t* ids, const int32_t* order, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        if (order[ids[i]] != i) {
            return false;
        }
    }
    return true;
}

static wkResult checkGeometry(const wkMesh* mesh)
{
    size_t count = (size_t)mesh->triangleCount;
    if (!areValidVertices(wkMeshVertices(mesh), mesh->vertexCount) ||
        (mesh->hasPrevious && !areValidVertices(wkMeshPrevious(mesh), mesh->vertexCount))) {
        return refuse("a vertex is out of range");
    }
    if (!areIndices(wkMeshTriangles(mesh), 3 * count, mesh->vertexCount)) {
        return refuse("a triangle has a vertex that is not there");
    }
    if (!areIndices(wkMeshIds(mesh), count, mesh->triangleCount) ||
        !areIndices(wkMeshTriangleOrder(mesh), count, mesh->triangleCount) ||
        !areInverse(wkMeshIds(mesh), wkMeshTriangleOrder(mesh), mesh->triangleCount)) {
        return refuse("the order of the triangles is broken");
    }
    if (!areIndices(wkMeshComponents(mesh), (size_t)mesh->componentCount, mesh->triangleCount)) {
        return refuse("a piece has a triangle that is not there");
    }
    return wk_ok;
}

// Checks that every node is linked once, by a node before it, and that every triangle is in one leaf.
static wkResult checkNodes(const wkMesh* mesh)
{
    wkTree tree = wkMeshTree(mesh);
    bool isValid;
    if (!wkCheckTree(&tree, mesh->triangleCount, mesh->depth, &isValid)) {
        return wkFail(wk_errorMemory, "mesh block: no memory for %d nodes", (int)mesh->nodeCount);
    }
    return isValid ? wk_ok : refuse("the hierarchy is broken");
}

// Rebuilds the hull: no other check of all its content would be as short.
static wkResult checkHull(const wkMesh* mesh)
{
    if (mesh->hullOffset == 0 || mesh->hullBytes == 0) {
        return mesh->hullBytes == 0 ? wk_ok : refuse("a hull without an offset");
    }
    bool isInside = mesh->hullOffset % 64 == 0 && mesh->hullOffset >= sizeof *mesh &&
                    mesh->hullOffset <= mesh->byteCount &&
                    mesh->hullBytes <= mesh->byteCount - mesh->hullOffset;
    if (!isInside || !mesh->isSolid || !mesh->isConvex ||
        mesh->vertexCount > WK_MESH_HULL_VERTICES) {
        return refuse("a hull where none can be");
    }
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = true;
    def.vertices = wkMeshVertices(mesh);
    def.vertexCount = mesh->vertexCount;
    def.triangles = wkMeshTriangles(mesh);
    def.triangleCount = mesh->triangleCount;
    wkHull* hull;
    if (!wkMakeMeshHull(&def, true, &hull)) {
        return wkFail(wk_errorMemory, "mesh block: no memory for a hull");
    }
    bool isSame = hull != NULL && hull->byteCount == mesh->hullBytes &&
                  memcmp(hull, wkMeshHull(mesh), (size_t)mesh->hullBytes) == 0;
    wkHull_Destroy(hull);
    return isSame ? wk_ok : refuse("not the hull of the vertices");
}

static wkResult checkContent(const void* block)
{
    const wkMesh* mesh = (const wkMesh*)block;
    bool isWhole = mesh->checksum == wkMeshChecksum(mesh);
    wkResult result = isWhole ? checkCounts(mesh) : refuse("damaged, by its checksum");
    result = result == wk_ok ? checkArrays(mesh) : result;
    result = result == wk_ok ? checkGeometry(mesh) : result;
    result = result == wk_ok ? checkHull(mesh) : result;
    return result == wk_ok ? checkNodes(mesh) : result;
}

wkResult wkMesh_FromBlock(const void* block, size_t byteCount, wkMesh** mesh)
{
    void* object = NULL;
    wkResult result = wkCopySavedBlock(&savedKind, block, byteCount, &object);
    *mesh = (wkMesh*)object;
    return result;
}

wkResult wkMesh_MapBlock(const void* block, size_t byteCount, const wkMesh** mesh)
{
    wkResult result = wkCheckMappedBlock(&savedKind, block, byteCount);
    *mesh = result == wk_ok ? (const wkMesh*)block : NULL;
    return result;
}
