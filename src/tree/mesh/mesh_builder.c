// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A deforming mesh, as a state machine with five states. Input is collected apart from the mesh, so that
// cancelling it, or a failure, leaves the mesh unchanged.

#include "base/error.h"
#include "base/memory.h"
#include "tree/mesh/mesh_create.h"
#include "tree/mesh/mesh_hull.h"
#include "whisker/hull.h"

#include <string.h>

typedef enum builderState {
    stateEmpty,
    stateBuilding,
    stateBuilt,
    stateReplacing,
    stateUpdating,
} builderState;

static const char* const stateNames[] = {
    [stateEmpty] = "empty",         [stateBuilding] = "building", [stateBuilt] = "built",
    [stateReplacing] = "replacing", [stateUpdating] = "updating",
};

struct wkMeshBuilder {
    wkMeshDef def; // without arrays
    wkParallel parallel;
    builderState state;
    wkMesh* mesh;

    // input collected since Begin
    wkVec3d* vertices;
    int32_t vertexCount;
    int32_t vertexCapacity;
    int32_t* triangles; // three indices each
    int32_t triangleCount;
    int32_t triangleCapacity;
};

// Returns wk_ok when `state` allows a call, otherwise an error with a message.
static wkResult expect(const wkMeshBuilder* builder, const char* call, unsigned states,
                       const char* wanted)
{
    if (builder == NULL) {
        return wkFail(wk_errorArgument, "mesh builder: %s of NULL", call);
    }
    if ((states >> builder->state & 1u) == 0) {
        return wkFail(wk_errorState, "mesh builder: %s needs the state %s, it is %s", call, wanted,
                      stateNames[builder->state]);
    }
    return wk_ok;
}

#define STATE(NAME) (1u << state##NAME)

wkResult wkMeshBuilder_Create(const wkMeshDef* def, wkMeshBuilder** builder)
{
    *builder = NULL;
    wkResult result = wkCheckMeshDef(def);
    if (result != wk_ok) {
        return result;
    }
    wkMeshBuilder* made = wkAlloc(sizeof *made);
    if (made == NULL) {
        return wkFail(wk_errorMemory, "mesh builder: no memory");
    }
    memset(made, 0, sizeof *made);
    made->def = *def;
    made->def.vertices = NULL;
    made->def.triangles = NULL;
    made->def.vertexCount = made->def.triangleCount = 0;
    if (def->parallel != NULL) {
        made->parallel = *def->parallel;
        made->def.parallel = &made->parallel;
    }
    *builder = made;
    return wk_ok;
}

// Discards the collected input.
static void releaseModel(wkMeshBuilder* builder)
{
    wkFree(builder->vertices, (size_t)builder->vertexCapacity * sizeof(wkVec3d));
    wkFree(builder->triangles, (size_t)builder->triangleCapacity * 3 * sizeof(int32_t));
    builder->vertices = NULL;
    builder->triangles = NULL;
    builder->vertexCount = builder->vertexCapacity = 0;
    builder->triangleCount = builder->triangleCapacity = 0;
}

void wkMeshBuilder_Destroy(wkMeshBuilder* builder)
{
    if (builder != NULL) {
        releaseModel(builder);
        wkMesh_Destroy(builder->mesh);
        wkFree(builder, sizeof *builder);
    }
}

const wkMesh* wkMeshBuilder_Mesh(const wkMeshBuilder* builder)
{
    return builder->mesh;
}

const char* wkMeshBuilder_State(const wkMeshBuilder* builder)
{
    return stateNames[builder->state];
}

// Ensures capacity for `needed` elements; existing elements are kept.
// @return the array, moved or not; NULL when out of memory, and the old one is kept
static void* grow(void* array, int32_t* capacity, int64_t needed, size_t elementBytes)
{
    if (needed <= *capacity) {
        return array;
    }
    int64_t larger = 2 * (int64_t)*capacity > needed ? 2 * (int64_t)*capacity : needed;
    larger = larger < INT32_MAX ? larger : INT32_MAX;
    void* grown = needed <= INT32_MAX ? wkAlloc((size_t)larger * elementBytes) : NULL;
    if (grown == NULL) {
        return NULL;
    }
    if (array != NULL) {
        memcpy(grown, array, (size_t)*capacity * elementBytes);
        wkFree(array, (size_t)*capacity * elementBytes);
    }
    *capacity = (int32_t)larger;
    return grown;
}

static wkResult reserveVertices(wkMeshBuilder* builder, int64_t count)
{
    wkVec3d* grown = grow(builder->vertices, &builder->vertexCapacity, count, sizeof(wkVec3d));
    if (grown == NULL && count > 0) {
        return wkFail(wk_errorMemory, "mesh builder: no memory for %lld vertices",
                      (long long)count);
    }
    builder->vertices = grown;
    return wk_ok;
}

static wkResult reserveTriangles(wkMeshBuilder* builder, int64_t count)
{
    int32_t* grown =
        grow(builder->triangles, &builder->triangleCapacity, count, 3 * sizeof(int32_t));
    if (grown == NULL && count > 0) {
        return wkFail(wk_errorMemory, "mesh builder: no memory for %lld triangles",
                      (long long)count);
    }
    builder->triangles = grown;
    return wk_ok;
}

wkResult wkMeshBuilder_BeginModel(wkMeshBuilder* builder, int32_t vertexCapacity,
                                  int32_t triangleCapacity)
{
    wkResult result = expect(builder, "BeginModel", STATE(Empty) | STATE(Built), "empty or built");
    if (result != wk_ok) {
        return result;
    }
    if (vertexCapacity < 0 || triangleCapacity < 0) {
        return wkFail(wk_errorArgument, "mesh builder: a capacity is negative");
    }
    result = reserveVertices(builder, vertexCapacity);
    result = result == wk_ok ? reserveTriangles(builder, triangleCapacity) : result;
    if (result != wk_ok) {
        releaseModel(builder);
        return result;
    }
    builder->state = stateBuilding;
    return wk_ok;
}

static wkResult expectArray(const char* call, const void* array, int32_t count)
{
    bool isValid = count >= 0 && (array != NULL || count == 0);
    return isValid ? wk_ok
                   : wkFail(wk_errorArgument, "mesh builder: %s with %d elements at %s", call,
                            (int)count, array == NULL ? "NULL" : "a valid address");
}

// Appends vertices; capacity has been ensured.
static void appendVertices(wkMeshBuilder* builder, const wkVec3d* vertices, int32_t count)
{
    if (count > 0) {
        memcpy(builder->vertices + builder->vertexCount, vertices,
               (size_t)count * sizeof *vertices);
    }
    builder->vertexCount += count;
}

static void appendTriangles(wkMeshBuilder* builder, const int32_t* indices, int32_t count,
                            int32_t shift)
{
    size_t end = 3 * (size_t)builder->triangleCount; // the array is NULL while this is 0
    for (size_t i = 0; i < 3 * (size_t)count; ++i) {
        builder->triangles[end + i] = indices[i] + shift;
    }
    builder->triangleCount += count;
}

wkResult wkMeshBuilder_AddVertices(wkMeshBuilder* builder, const wkVec3d* vertices, int32_t count)
{
    wkResult result = expect(builder, "AddVertices", STATE(Building), "building");
    result = result == wk_ok ? expectArray("AddVertices", vertices, count) : result;
    result = result == wk_ok ? wkCheckVertices(vertices, count, builder->vertexCount) : result;
    result =
        result == wk_ok ? reserveVertices(builder, (int64_t)builder->vertexCount + count) : result;
    if (result == wk_ok) {
        appendVertices(builder, vertices, count);
    }
    return result;
}

wkResult wkMeshBuilder_AddTriangles(wkMeshBuilder* builder, const int32_t* indices, int32_t count)
{
    wkResult result = expect(builder, "AddTriangles", STATE(Building), "building");
    result = result == wk_ok ? expectArray("AddTriangles", indices, count) : result;
    result = result == wk_ok ? reserveTriangles(builder, (int64_t)builder->triangleCount + count)
                             : result;
    if (result == wk_ok) {
        appendTriangles(builder, indices, count, 0);
    }
    return result;
}

// Indices of a part refer to its own vertices.
static wkResult checkPart(const int32_t* indices, int32_t triangleCount, int32_t vertexCount)
{
    for (size_t i = 0; i < 3 * (size_t)triangleCount; ++i) {
        if ((uint32_t)indices[i] >= (uint32_t)vertexCount) {
            return wkFail(wk_errorRange,
                          "mesh builder: triangle %d of a part has vertex %d, must be 0 to %d",
                          (int)(i / 3), (int)indices[i], (int)vertexCount - 1);
        }
    }
    return wk_ok;
}

wkResult wkMeshBuilder_AddPart(wkMeshBuilder* builder, const wkVec3d* vertices, int32_t vertexCount,
                               const int32_t* indices, int32_t triangleCount)
{
    wkResult result = expect(builder, "AddPart", STATE(Building), "building");
    result = result == wk_ok ? expectArray("AddPart", vertices, vertexCount) : result;
    result = result == wk_ok ? expectArray("AddPart", indices, triangleCount) : result;
    result = result == wk_ok ? checkPart(indices, triangleCount, vertexCount) : result;
    result =
        result == wk_ok ? wkCheckVertices(vertices, vertexCount, builder->vertexCount) : result;
    result = result == wk_ok ? reserveVertices(builder, (int64_t)builder->vertexCount + vertexCount)
                             : result;
    result = result == wk_ok
                 ? reserveTriangles(builder, (int64_t)builder->triangleCount + triangleCount)
                 : result;
    if (result == wk_ok) {
        appendTriangles(builder, indices, triangleCount, builder->vertexCount);
        appendVertices(builder, vertices, vertexCount);
    }
    return result;
}

wkResult wkMeshBuilder_EndModel(wkMeshBuilder* builder)
{
    wkResult result = expect(builder, "EndModel", STATE(Building), "building");
    if (result != wk_ok) {
        return result;
    }
    wkMeshDef def = builder->def;
    def.vertices = builder->vertices;
    def.vertexCount = builder->vertexCount;
    def.triangles = builder->triangles;
    def.triangleCount = builder->triangleCount;
    wkMeshExtras extras = {.hasCapacity = true};
    wkMesh* mesh;
    result = wkCreateMesh(&def, &extras, &mesh);
    if (result != wk_ok) {
        return result;
    }
    wkMesh_Destroy(builder->mesh);
    builder->mesh = mesh;
    releaseModel(builder);
    builder->state = stateBuilt;
    return wk_ok;
}

// Starts from the current positions.
static wkResult beginMove(wkMeshBuilder* builder, const char* call, builderState next)
{
    wkResult result = expect(builder, call, STATE(Built), "built");
    result = result == wk_ok ? reserveVertices(builder, builder->mesh->vertexCount) : result;
    if (result == wk_ok) {
        appendVertices(builder, wkMeshVertices(builder->mesh), builder->mesh->vertexCount);
        builder->state = next;
    }
    return result;
}

wkResult wkMeshBuilder_BeginReplace(wkMeshBuilder* builder)
{
    return beginMove(builder, "BeginReplace", stateReplacing);
}

wkResult wkMeshBuilder_BeginUpdate(wkMeshBuilder* builder)
{
    return beginMove(builder, "BeginUpdate", stateUpdating);
}

static wkResult moveVertices(wkMeshBuilder* builder, const char* call, int32_t first,
                             const wkVec3d* vertices, int32_t count)
{
    wkResult result = expectArray(call, vertices, count);
    if (result == wk_ok && (first < 0 || first > builder->vertexCount - count)) {
        result = wkFail(wk_errorRange, "mesh builder: %s of vertices %d to %lld, there are %d",
                        call, (int)first, (long long)first + count - 1, (int)builder->vertexCount);
    }
    result = result == wk_ok ? wkCheckVertices(vertices, count, first) : result;
    if (result == wk_ok && count > 0) {
        memcpy(builder->vertices + first, vertices, (size_t)count * sizeof *vertices);
    }
    return result;
}

wkResult wkMeshBuilder_ReplaceVertices(wkMeshBuilder* builder, int32_t first,
                                       const wkVec3d* vertices, int32_t count)
{
    wkResult result = expect(builder, "ReplaceVertices", STATE(Replacing), "replacing");
    return result == wk_ok ? moveVertices(builder, "ReplaceVertices", first, vertices, count)
                           : result;
}

wkResult wkMeshBuilder_UpdateVertices(wkMeshBuilder* builder, int32_t first,
                                      const wkVec3d* vertices, int32_t count)
{
    wkResult result = expect(builder, "UpdateVertices", STATE(Updating), "updating");
    return result == wk_ok ? moveVertices(builder, "UpdateVertices", first, vertices, count)
                           : result;
}

// Builds a new hierarchy in a new block with the same layout, and moves it into the old one.
static wkResult rebuild(wkMeshBuilder* builder, const wkVec3d* previous)
{
    wkMesh* mesh = builder->mesh;
    wkResult result = reserveTriangles(builder, mesh->triangleCount);
    if (result != wk_ok) {
        return result;
    }
    for (int32_t i = 0; i < mesh->triangleCount; ++i) {
        wkMesh_TriangleIndices(mesh, i, builder->triangles + 3 * (size_t)i);
    }
    wkMeshDef def = builder->def;
    def.vertices = builder->vertices;
    def.vertexCount = mesh->vertexCount;
    def.triangles = builder->triangles;
    def.triangleCount = mesh->triangleCount;
    wkMeshExtras extras = {.hasCapacity = true,
                           .previous = previous,
                           .lidCount = mesh->lidCount,
                           .loopCount = mesh->loopCount,
                           .hullCount = mesh->hullCount,
                           .sewnGap = mesh->sewnGap,
                           .triangleCapacity = mesh->triangleCapacity};
    wkMesh* fresh;
    result = wkCreateMesh(&def, &extras, &fresh);
    if (result == wk_ok) {
        memcpy(mesh, fresh, (size_t)mesh->byteCount);
        wkMesh_Destroy(fresh);
    }
    return result;
}

// Refits the hierarchy to other positions; lids move with their vertices. Where vertices that shared a
// position have separated, the lids of a solid no longer close it, and moved hulls are no hulls: it is rebuilt.
// All memory is allocated
// before anything changes.
static wkResult refit(wkMeshBuilder* builder, const wkVec3d* previous)
{
    wkMesh* mesh = builder->mesh;
    wkMeshDef def = builder->def;
    def.vertices = builder->vertices;
    def.vertexCount = mesh->vertexCount;
    def.triangles = wkMeshTriangles(mesh);
    def.triangleCount = mesh->triangleCount;
    wkTopology topology;
    size_t componentBytes = wkComponentBytes(&def), topologyBytes = wkTopologyBytes(&def);
    size_t refitBytes = wkRefitBytes(mesh, previous != NULL);
    int32_t* components = wkAlloc(componentBytes);
    size_t scratchBytes = topologyBytes > refitBytes ? topologyBytes : refitBytes;
    void* scratch = wkAlloc(scratchBytes);
    wkHull* hull = NULL;
    wkGiven given = {wkMeshGivenCount(mesh), wkMeshIds(mesh)};
    bool hasMemory = components != NULL && scratch != NULL &&
                     wkFindTopology(&def, &given, components, scratch, &topology) &&
                     wkMakeMeshHull(&def, topology.isConvex, &hull);
    bool isTorn = hasMemory && mesh->isSolid && (!topology.isBalanced || mesh->hullCount > 0);
    if (hasMemory && !isTorn) {
        size_t vertexBytes = (size_t)mesh->vertexCount * sizeof(wkVec3d);
        if (previous != NULL && vertexBytes > 0) {
            memcpy((char*)mesh + mesh->previousOffset, previous, vertexBytes);
        }
        if (vertexBytes > 0) {
            memcpy((char*)mesh + mesh->vertexOffset, builder->vertices, vertexBytes);
        }
        mesh->hasPrevious = previous != NULL;
        wkWriteShape(mesh, &topology);
        wkWriteMeshHull(mesh, hull);
        wkFitRule rule = {def.fitFcn, def.ruleContext, def.parallel};
        wkRefit(mesh, &rule, scratch);
        wkSealMesh(mesh);
    }
    wkHull_Destroy(hull);
    wkFree(components, componentBytes);
    wkFree(scratch, scratchBytes);
    if (isTorn) {
        return rebuild(builder, previous);
    }
    return hasMemory ? wk_ok
                     : wkFail(wk_errorMemory, "mesh builder: no memory for %d triangles",
                              (int)mesh->triangleCount);
}

static wkResult endMove(wkMeshBuilder* builder, const wkVec3d* previous, bool rebuilds)
{
    wkResult result = rebuilds ? rebuild(builder, previous) : refit(builder, previous);
    if (result == wk_ok) {
        releaseModel(builder);
        builder->state = stateBuilt;
    }
    return result;
}

wkResult wkMeshBuilder_EndReplace(wkMeshBuilder* builder, bool rebuilds)
{
    wkResult result = expect(builder, "EndReplace", STATE(Replacing), "replacing");
    return result == wk_ok ? endMove(builder, NULL, rebuilds) : result;
}

wkResult wkMeshBuilder_EndUpdate(wkMeshBuilder* builder, bool rebuilds)
{
    wkResult result = expect(builder, "EndUpdate", STATE(Updating), "updating");
    return result == wk_ok ? endMove(builder, wkMeshVertices(builder->mesh), rebuilds) : result;
}

wkResult wkMeshBuilder_Cancel(wkMeshBuilder* builder)
{
    wkResult result =
        expect(builder, "Cancel", STATE(Building) | STATE(Replacing) | STATE(Updating),
               "building, replacing or updating");
    if (result == wk_ok) {
        releaseModel(builder);
        builder->state = builder->mesh != NULL ? stateBuilt : stateEmpty;
    }
    return result;
}
