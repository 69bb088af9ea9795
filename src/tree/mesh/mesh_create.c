// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Converts a definition to the block of a mesh: topology, lids that close a solid, hierarchy,
// layout, and only then the memory that stays.

#include "tree/mesh/mesh_create.h"

#include "base/block.h"
#include "base/error.h"
#include "base/memory.h"
#include "geom/hull_impl.h"
#include "tree/bvh/bvh.h"
#include "tree/mesh/lids.h"
#include "tree/mesh/mesh_close.h"
#include "tree/mesh/mesh_hull.h"
#include "tree/mesh/mesh_items.h"

// Data needed before a block can be laid out.
typedef struct builder {
    wkMeshDef def;          // with the lids
    int32_t givenCount;     // its triangles that are not lids
    int32_t loopCount;      // loops closed by the lids
    int32_t hullCount;      // parts bounded by hulls
    double sewnGap;         // gap sewn by the lids
    wkClosedSurface closed; // the triangles of `def`, when lids were added
    const wkMeshExtras* extras;
    wkBvh bvh;
    wkBvhRule rule;
    wkVec3d* centers; // of the triangles, for the caller's own rule
    void* scratch;    // all of the arrays above
    size_t scratchBytes;
    wkTopology topology; // its pieces are in scratch memory too
    wkHull* hull;        // of a convex solid
} builder;

static wkResult noMemory(const builder* d)
{
    return wkFail(wk_errorMemory, "mesh: no memory for %d triangles", (int)d->givenCount);
}

// Computes centers for the caller's own rule.
static void makeCenters(const builder* d)
{
    const wkMeshDef* def = &d->def;
    for (int32_t i = 0; i < def->triangleCount; ++i) {
        const int32_t* faceVertices = def->triangles + 3 * (size_t)i;
        wkVec3d sum = wkAdd(def->vertices[faceVertices[0]], def->vertices[faceVertices[1]]);
        d->centers[i] = wkScale(1.0 / 3.0, wkAdd(sum, def->vertices[faceVertices[2]]));
    }
}

// Bytes of `count` elements, at least one.
static size_t bytesOf(int32_t count, size_t elementBytes)
{
    return ((size_t)count + 1) * elementBytes;
}

static size_t nodeBound(int32_t triangleCount)
{
    return 2 + WK_NODE_BOUND(triangleCount);
}

static bool needsCodes(const wkMeshDef* def)
{
    return def->splitFcn == NULL && def->split == wk_splitMorton;
}

// Takes a part of a block of scratch memory; NULL when the block is not allocated yet.
static void* carve(const builder* d, size_t* byteCount, size_t bytes)
{
    size_t offset = *byteCount;
    *byteCount = offset + ((bytes + 63u) & ~(size_t)63u);
    return d->scratch != NULL ? (char*)d->scratch + offset : NULL;
}

// Lays out all arrays, the topology's before those of the hierarchy, which are used later and may
// overlap data that is no longer needed by then.
// @return total bytes
static size_t placeArrays(builder* d)
{
    const wkMeshDef* def = &d->def;
    int32_t count = def->triangleCount;
    size_t byteCount = 0;
    d->topology.components = carve(d, &byteCount, wkComponentBytes(def));
    size_t topologyEnd = byteCount + wkTopologyBytes(def);
    d->bvh.itemCount = count;
    d->bvh.items = carve(d, &byteCount, bytesOf(count, sizeof(wkBvhItem)));
    d->bvh.nodes = carve(d, &byteCount, nodeBound(count) * sizeof(wkBoxNode));
    if (def->splitFcn != NULL) {
        d->centers = carve(d, &byteCount, bytesOf(count, sizeof(wkVec3d)));
        d->rule.indices = carve(d, &byteCount, bytesOf(count, sizeof(int32_t)));
    }
    if (needsCodes(def)) {
        d->rule.codes = carve(d, &byteCount, bytesOf(count, sizeof(uint64_t)));
    }
    return topologyEnd > byteCount ? topologyEnd : byteCount;
}

// Allocates one block for all: memory freed in the size it was allocated stays with the heap, and the next
// mesh reuses its pages.
static bool allocateBuilder(builder* d)
{
    d->scratchBytes = placeArrays(d);
    d->scratch = wkAlloc(d->scratchBytes);
    placeArrays(d);
    return d->scratch != NULL;
}

static void releaseScratch(builder* d)
{
    wkFree(d->scratch, d->scratchBytes);
    d->scratch = NULL;
    d->scratchBytes = 0;
}

static void releaseBuilder(builder* d)
{
    releaseScratch(d);
    wkFreeClosedSurface(&d->closed);
    wkHull_Destroy(d->hull);
}

// Allocates scratch memory for all steps, and finds the topology of the triangles.
// @return false when out of memory
static bool findTopology(builder* d)
{
    wkGiven given = {d->givenCount, NULL};
    return allocateBuilder(d) &&
           wkFindTopology(&d->def, &given, d->topology.components, d->bvh.items, &d->topology);
}

// Maximum number of triangles including lids.
static int32_t mostTriangles(const builder* d)
{
    int64_t most = (int64_t)d->givenCount + WK_LID_BOUND(d->givenCount);
    return (int32_t)(most < WK_TREE_MAX_ITEMS ? most : WK_TREE_MAX_ITEMS);
}

// Whether lids have to be searched. A mesh that is rebuilt in the memory of an earlier one keeps lids that
// close it, and its triangles unchanged, as with a refit, where there is no capacity for more.
static bool needsLids(const builder* d)
{
    bool hasLids = d->givenCount < d->def.triangleCount;
    bool mayGrow =
        d->extras->triangleCapacity == 0 || d->extras->triangleCapacity >= mostTriangles(d);
    return d->def.isSolid && d->givenCount > 0 &&
           (!d->topology.isBalanced || ((!hasLids || d->hullCount > 0) && mayGrow));
}

// Adds lids to a solid that is not closed, or whose triangles do not all face outward once.
static wkResult closeSurface(builder* d)
{
    bool hadLids = d->givenCount < d->def.triangleCount;
    d->def.triangleCount = d->givenCount; // lids that do not close it are dropped
    wkResult result =
        wkCloseSurface(&d->def, d->topology.firsts, d->topology.sphereRadius, &d->closed);
    if (result != wk_ok || (d->closed.triangles == NULL && !hadLids)) {
        return result;
    }
    if (d->closed.triangles == NULL) {
        d->loopCount = 0;
        d->hullCount = 0;
        d->sewnGap = 0.0;
        releaseScratch(d);
        return findTopology(d) ? wk_ok : noMemory(d);
    }
    releaseScratch(d);
    d->def.triangles = d->closed.triangles;
    d->def.triangleCount = d->closed.count;
    d->loopCount = d->closed.loopCount;
    d->hullCount = d->closed.hullCount;
    d->sewnGap = d->closed.gap;
    if (!findTopology(d)) {
        return noMemory(d);
    }
    if (!d->extras->hasCapacity) {
        wkDropLinearLids(d->def.vertices, &d->closed);
        d->def.triangleCount = d->closed.count;
        d->bvh.itemCount = d->closed.count;
    }
    return wk_ok;
}

// Triangle capacity of the arrays. The lids of a solid whose vertices share positions change when those
// separate, and hulls when their vertices move, so the capacity is the maximum.
static int32_t capacityOf(const builder* d)
{
    if (d->extras->triangleCapacity > 0) {
        return d->extras->triangleCapacity;
    }
    bool mayChange =
        d->extras->hasCapacity && d->def.isSolid && (d->topology.hasTwins || d->hullCount > 0);
    return mayChange ? mostTriangles(d) : d->def.triangleCount;
}

// Makes topology, lids and hierarchy.
static wkResult makeBuilder(builder* d)
{
    const wkMeshDef* def = &d->def;
    wkResult result = findTopology(d) ? wk_ok : noMemory(d);
    if (result == wk_ok && needsLids(d)) {
        result = closeSurface(d);
    }
    if (result == wk_ok && def->triangleCount > capacityOf(d)) {
        result = wkFail(wk_errorRange, "mesh: %d triangles and lids, the capacity is %d",
                        (int)def->triangleCount, (int)capacityOf(d));
    }
    if (result != wk_ok) {
        return result;
    }
    if (!wkMakeMeshHull(def, d->topology.isConvex, &d->hull)) {
        return noMemory(d);
    }
    d->rule.split = wkSplitTable[def->split];
    wkMakeMeshItems(def, d->extras->previous, d->bvh.items);
    if (def->splitFcn != NULL) {
        d->rule.split = wkSplitByOwn;
        d->rule.ownSplit = def->splitFcn;
        d->rule.context = def->ruleContext;
        d->rule.centers = d->centers;
        makeCenters(d);
    }
    if (needsCodes(def) && !wkSortByCode(d->bvh.items, def->triangleCount, d->rule.codes)) {
        return noMemory(d);
    }
    // the caller's rule may not be thread-safe
    bool isBuilt = wkBvhBuild(&d->bvh, &d->rule, def->splitFcn == NULL ? def->parallel : NULL);
    return isBuilt ? wk_ok : noMemory(d);
}

static wkMesh layOut(const builder* d)
{
    const wkMeshDef* def = &d->def;
    uint64_t vertexBytes = (uint64_t)def->vertexCount * sizeof(wkVec3d);
    int32_t triangleCapacity = capacityOf(d);
    uint64_t indexBytes = (uint64_t)triangleCapacity * sizeof(int32_t);
    wkMesh mesh;
    memset(&mesh, 0, sizeof mesh);
    mesh.magic = WK_MESH_MAGIC;
    mesh.version = WK_MESH_VERSION;
    mesh.headerBytes = (uint32_t)sizeof mesh;
    mesh.vertexCount = def->vertexCount;
    mesh.triangleCount = def->triangleCount;
    mesh.lidCount = def->triangleCount - d->givenCount;
    mesh.loopCount = d->loopCount;
    mesh.hullCount = d->hullCount;
    mesh.sewnGap = d->sewnGap;
    mesh.triangleCapacity = triangleCapacity;
    mesh.nodeCount = d->bvh.nodeCount;
    mesh.depth = d->bvh.depth;
    mesh.kind = (int32_t)def->volume;
    mesh.isSolid = def->isSolid;
    mesh.hasPrevious = d->extras->previous != NULL;

    bool hasCapacity = d->extras->hasCapacity;
    uint64_t nodeCapacity = hasCapacity ? nodeBound(triangleCapacity) : (uint64_t)d->bvh.nodeCount;
    uint64_t componentCapacity =
        (uint64_t)(hasCapacity ? triangleCapacity : d->topology.componentCount) * sizeof(int32_t);
    uint64_t byteCount = sizeof mesh;
    mesh.nodeOffset = wkReserve(&byteCount, nodeCapacity * wkNodeBytes(def->volume));
    mesh.triangleOffset = wkReserve(&byteCount, 3 * indexBytes);
    mesh.vertexOffset = wkReserve(&byteCount, vertexBytes);
    if (hasCapacity) {
        mesh.previousOffset = wkReserve(&byteCount, vertexBytes);
    }
    mesh.idOffset = wkReserve(&byteCount, indexBytes);
    mesh.orderOffset = wkReserve(&byteCount, indexBytes);
    mesh.componentOffset = wkReserve(&byteCount, componentCapacity);
    uint64_t ownHullBytes = d->hull != NULL ? d->hull->byteCount : 0;
    uint64_t hullCapacity =
        hasCapacity && def->isSolid ? wkMeshHullScratch(def->vertexCount) : ownHullBytes;
    if (hullCapacity > 0) {
        mesh.hullOffset = wkReserve(&byteCount, hullCapacity);
    }
    mesh.byteCount = byteCount;
    return mesh;
}

static void writeNodes(wkMesh* mesh, const wkBvh* bvh)
{
    char* nodes = (char*)mesh + mesh->nodeOffset;
    uint32_t nodeBytes = wkNodeBytes((wkVolumeKind)mesh->kind);
    if (mesh->kind == wk_volumeAabb) {
        memcpy(nodes, bvh->nodes, (size_t)bvh->nodeCount * nodeBytes);
        return;
    }
    for (int32_t i = 0; i < bvh->nodeCount; ++i) {
        memcpy(nodes + (size_t)i * nodeBytes, bvh->nodes[i].links, sizeof bvh->nodes[i].links);
    }
}

static void writeTriangles(wkMesh* mesh, const builder* d)
{
    int32_t* triangles = (int32_t*)((char*)mesh + mesh->triangleOffset);
    int32_t* ids = (int32_t*)((char*)mesh + mesh->idOffset);
    int32_t* order = (int32_t*)((char*)mesh + mesh->orderOffset);
    for (int32_t i = 0; i < mesh->triangleCount; ++i) {
        int32_t id = wkItemIndex(&d->bvh.items[i]);
        ids[i] = id;
        order[id] = i;
        memcpy(triangles + 3 * (size_t)i, d->def.triangles + 3 * (size_t)id, 3 * sizeof(int32_t));
    }
    for (int32_t i = 0; i < d->topology.componentCount; ++i) {
        d->topology.components[i] = order[d->topology.components[i]];
    }
}

static void writeVertices(wkMesh* mesh, const builder* d)
{
    size_t byteCount = (size_t)mesh->vertexCount * sizeof(wkVec3d);
    if (byteCount > 0) {
        memcpy((char*)mesh + mesh->vertexOffset, d->def.vertices, byteCount);
    }
    if (byteCount > 0 && mesh->hasPrevious) {
        memcpy((char*)mesh + mesh->previousOffset, d->extras->previous, byteCount);
    }
}

void wkWriteShape(wkMesh* mesh, const wkTopology* topology)
{
    mesh->bounds = topology->bounds;
    mesh->sphereCenter = topology->sphereCenter;
    mesh->sphereRadius = topology->sphereRadius;
    mesh->componentCount = topology->componentCount;
    mesh->degenerateCount = topology->degenerateCount;
    mesh->isClosed = topology->isClosed;
    mesh->isConvex = topology->isConvex;
    mesh->volumeInside = topology->volume;
    mesh->area = topology->area;
    mesh->lidArea = topology->lidArea;
    memcpy((char*)mesh + mesh->componentOffset, topology->components,
           (size_t)topology->componentCount * sizeof(int32_t));
}

// Fits volumes other than boxes; boxes are those of the builder.
// @return false when out of memory
static bool fitVolumes(wkMesh* mesh, const wkMeshDef* def)
{
    size_t byteCount = wkRefitBytes(mesh, mesh->hasPrevious != 0);
    void* scratch = byteCount > 0 ? wkAlloc(byteCount) : NULL;
    if (scratch != NULL) {
        wkFitRule rule = {def->fitFcn, def->ruleContext, def->parallel};
        wkRefit(mesh, &rule, scratch);
        wkFree(scratch, byteCount);
    }
    return byteCount == 0 || scratch != NULL;
}

// Zeroes the bytes behind an array, up to the next one.
static void clearGap(wkMesh* mesh, uint64_t offset, uint64_t byteCount)
{
    uint64_t end = offset + byteCount, next = (end + 63u) & ~(uint64_t)63u;
    next = next < mesh->byteCount ? next : mesh->byteCount;
    if (next > end) {
        memset((char*)mesh + end, 0, (size_t)(next - end));
    }
}

// Zeroes all bytes outside arrays, so that equal meshes are equal bytes.
static void clearGaps(wkMesh* mesh, bool hasCapacity)
{
    uint64_t indexBytes = (uint64_t)mesh->triangleCount * sizeof(int32_t);
    uint64_t nodeBytes = (uint64_t)mesh->nodeCount * wkNodeBytes((wkVolumeKind)mesh->kind);
    if (hasCapacity || mesh->kind != wk_volumeAabb || mesh->isSolid) {
        // arrays that are unused, or not filled to their capacity
        memset((char*)mesh + sizeof *mesh, 0, (size_t)mesh->byteCount - sizeof *mesh);
        return;
    }
    clearGap(mesh, 0, sizeof *mesh);
    clearGap(mesh, mesh->nodeOffset, nodeBytes);
    clearGap(mesh, mesh->triangleOffset, 3 * indexBytes);
    clearGap(mesh, mesh->vertexOffset, (uint64_t)mesh->vertexCount * sizeof(wkVec3d));
    clearGap(mesh, mesh->idOffset, indexBytes);
    clearGap(mesh, mesh->orderOffset, indexBytes);
}

// Makes the block of a builder.
// @return NULL when out of memory
static wkMesh* makeBlock(const builder* d)
{
    wkMesh header = layOut(d);
    wkMesh* mesh = wkAlloc((size_t)header.byteCount);
    if (mesh == NULL) {
        return NULL;
    }
    memcpy(mesh, &header, sizeof header);
    clearGaps(mesh, d->extras->hasCapacity);
    writeNodes(mesh, &d->bvh);
    writeTriangles(mesh, d);
    writeVertices(mesh, d);
    wkWriteShape(mesh, &d->topology);
    wkWriteMeshHull(mesh, d->hull);
    if (!fitVolumes(mesh, &d->def)) {
        wkMesh_Destroy(mesh);
        return NULL;
    }
    wkSealMesh(mesh);
    return mesh;
}

wkResult wkCreateMesh(const wkMeshDef* def, const wkMeshExtras* extras, wkMesh** mesh)
{
    *mesh = NULL;
    wkResult result = wkCheckMeshDef(def);
    if (result == wk_ok) {
        result = wkCheckMeshArrays(def);
    }
    if (result != wk_ok) {
        return result;
    }
    builder d = {.def = *def,
                 .givenCount = def->triangleCount - extras->lidCount,
                 .loopCount = extras->loopCount,
                 .hullCount = extras->hullCount,
                 .sewnGap = extras->sewnGap,
                 .extras = extras};
    result = makeBuilder(&d);
    if (result == wk_ok) {
        *mesh = makeBlock(&d);
        result = *mesh != NULL ? wk_ok : noMemory(&d);
    }
    releaseBuilder(&d);
    return result;
}

wkResult wkMesh_Create(const wkMeshDef* def, wkMesh** mesh)
{
    wkMeshExtras none = {.hasCapacity = false};
    return wkCreateMesh(def, &none, mesh);
}
