// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The meshes of a robot: each file is loaded once, in parallel, and represents its bodies as a solid, as a
// surface or as hulls.

#include "io/mesh/mesh_pieces.h"
#include "io/robot/urdf_builder.h"

#include "whisker/detail/counts.h"
#include "whisker/detail/library.h"

#include <stdio.h>
#include <string.h>

// Returns load options; like ROS, the coordinates of a file are used without conversion.
static wkLoadDef optionsOf(const wkBuilderMesh* mesh, bool allowsEmpty)
{
    wkLoadDef options = wkDefaultLoadDef();
    options.scale = mesh->scale;
    options.ignoresUpAxis = true;
    options.allowsEmpty = allowsEmpty;
    return options;
}

static wkResult loadTriangles(wkBuilderMesh* mesh, const wkLoadDef* options, wkLoadInfo* info)
{
    wkLoadDef own = *options;
    own.isSolid = mesh->mode == wk_robotMeshSolid;
    wkResult result = wkMesh_Load(mesh->path, &own, info, &mesh->mesh);
    if (result != wk_ok) {
        return result;
    }
    mesh->triangleCount = wkMesh_Info(mesh->mesh).triangleCount;
    if (mesh->triangleCount == 0) {
        wkMesh_Destroy(mesh->mesh);
        mesh->mesh = NULL;
    }
    return wk_ok;
}

static wkResult loadHulls(wkBuilderMesh* mesh, const wkLoadDef* options, wkLoadInfo* info)
{
    wkMeshData* data = NULL;
    wkResult result = wkMeshData_Load(mesh->path, options, info, &data);
    if (result != wk_ok) {
        return result;
    }
    mesh->triangleCount = data->triangleCount;
    result = wkIoCheckTriangles(mesh->path, options, data->vertexCount, data->triangleCount);
    if (result == wk_ok) {
        result = wkIoMakeHulls(mesh->path, data, mesh->mode == wk_robotMeshPieces, &mesh->hulls,
                               &mesh->hullCount);
    }
    wkMeshData_Destroy(data);
    return result;
}

static wkResult (*const loaders[WK_ROBOT_MESH_MODE_COUNT])(wkBuilderMesh*, const wkLoadDef*,
                                                           wkLoadInfo*) = {
    [wk_robotMeshSolid] = loadTriangles,
    [wk_robotMeshSurface] = loadTriangles,
    [wk_robotMeshHull] = loadHulls,
    [wk_robotMeshPieces] = loadHulls,
};

static void loadMesh(wkBuilderMesh* mesh, bool allowsEmpty)
{
    wkLoadInfo report;
    memset(&report, 0, sizeof report);
    wkLoadDef options = optionsOf(mesh, allowsEmpty);
    mesh->result = loaders[mesh->mode](mesh, &options, &report);
    if (mesh->result != wk_ok) {
        snprintf(mesh->words, sizeof mesh->words, "%s", wkGetLastError());
    }
    memcpy(mesh->warning, report.warning, sizeof mesh->warning);
}

// Returns true for files read by assimp, whose error message is shared by all threads.
static bool needsOwnTime(const wkBuilderMesh* mesh)
{
    const wkIoFormat* format = wkIoFormat_Find(wkIoExtension(mesh->path));
    return format == NULL || format->readMesh == wkIoReadScene;
}

static void loadTask(void* context, int32_t task)
{
    const wkUrdfBuilder* builder = context;
    if (!needsOwnTime(builder->meshes[task])) {
        loadMesh(builder->meshes[task], builder->options->allowsEmpty);
    }
}

wkResult wkUrdfBuilder_LoadMeshes(wkUrdfBuilder* builder)
{
    const wkRobotLoadDef* options = builder->options;
    for (int32_t i = 0; i < builder->meshCount && options->reads != NULL; i++) {
        options->reads(builder->meshes[i]->path, options->readsContext);
    }
    for (int32_t i = 0; i < builder->meshCount; i++) {
        if (needsOwnTime(builder->meshes[i])) {
            loadMesh(builder->meshes[i], options->allowsEmpty);
        }
    }
    wkRunTasks(builder->options->parallel, loadTask, builder, builder->meshCount);
    for (int32_t i = 0; i < builder->meshCount; i++) {
        const wkBuilderMesh* mesh = builder->meshes[i];
        if (mesh->result != wk_ok) {
            return wkXmlFile_Fail(&builder->urdf, mesh->element, mesh->result, "%s", mesh->words);
        }
        wkUrdfBuilder_WarnOfMesh(builder, mesh);
        builder->report.triangleCount += mesh->triangleCount;
    }
    builder->report.meshCount = builder->meshCount;
    return wk_ok;
}

// Lists the meshes and hulls that the robot adopts.
static bool listMeshes(wkUrdfBuilder* builder)
{
    size_t hullCount = 0;
    for (int32_t i = 0; i < builder->meshCount; i++) {
        hullCount += (size_t)builder->meshes[i]->hullCount;
    }
    size_t meshCount = (size_t)builder->meshCount;
    wkMesh** meshes = wkIoArena_AllocArray(&builder->arena, meshCount, sizeof(wkMesh*));
    wkHull** hulls = wkIoArena_AllocArray(&builder->arena, hullCount, sizeof(wkHull*));
    if (meshes == NULL || hulls == NULL) {
        return false;
    }
    for (int32_t i = 0; i < builder->meshCount; i++) {
        const wkBuilderMesh* mesh = builder->meshes[i];
        if (mesh->mesh != NULL) {
            meshes[builder->ownMeshCount++] = mesh->mesh;
        }
        for (int32_t piece = 0; piece < mesh->hullCount; piece++) {
            hulls[builder->ownHullCount++] = mesh->hulls[piece];
        }
    }
    builder->ownMeshes = meshes;
    builder->ownHulls = hulls;
    return true;
}

// Returns the number of shapes of a body.
static int32_t shapesOf(const wkUrdfBuilder* builder, const wkBuilderBody* body)
{
    const wkBuilderMesh* mesh = body->mesh >= 0 ? builder->meshes[body->mesh] : NULL;
    return mesh == NULL ? 1 : mesh->mesh != NULL ? 1 : mesh->hullCount;
}

wkResult wkUrdfBuilder_PlaceBodies(wkUrdfBuilder* builder)
{
    size_t count = 0;
    for (int32_t i = 0; i < builder->bodyCount; i++) {
        count += (size_t)shapesOf(builder, &builder->bodies[i]);
    }
    wkBodyDef* bodies = wkIoArena_AllocArray(&builder->arena, count, sizeof *bodies);
    if (bodies == NULL || !listMeshes(builder)) {
        return wkXmlFile_FailMemory(&builder->urdf);
    }
    for (int32_t i = 0; i < builder->bodyCount; i++) {
        const wkBuilderBody* body = &builder->bodies[i];
        const wkBuilderMesh* mesh = body->mesh >= 0 ? builder->meshes[body->mesh] : NULL;
        for (int32_t piece = 0; piece < shapesOf(builder, body); piece++) {
            wkBodyDef* def = &bodies[builder->def.bodyCount++];
            *def = body->def;
            if (mesh != NULL) {
                def->shape =
                    mesh->mesh != NULL ? wkMakeMesh(mesh->mesh) : wkMakeHull(mesh->hulls[piece]);
                def->shape.padding = body->def.shape.padding;
            }
        }
    }
    builder->def.bodies = bodies;
    return wk_ok;
}

void wkUrdfBuilder_DropMeshes(wkUrdfBuilder* builder, bool isTaken)
{
    for (int32_t i = 0; i < builder->meshCount; i++) {
        wkBuilderMesh* mesh = builder->meshes[i];
        if (isTaken) {
            wkIoForgetHulls(mesh->hulls, mesh->hullCount);
        } else {
            wkMesh_Destroy(mesh->mesh);
            wkIoDropHulls(mesh->hulls, mesh->hullCount);
        }
    }
}
