// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The meshes of a robot: each file is loaded once, on as many threads as there are, and stands for its
// bodies as a solid, as a surface or as hulls.

#include "io/mesh_pieces.h"
#include "io/urdf_draft.h"

#include <stdio.h>
#include <string.h>

// ROS takes the coordinates of a file as they are.
static wkLoadOptions optionsOf(const wkDraftMesh* mesh, bool allowsEmpty, wkLoadReport* report)
{
    wkLoadOptions options = wkDefaultLoadOptions();
    options.scale = mesh->scale;
    options.ignoresUpAxis = true;
    options.allowsEmpty = allowsEmpty;
    options.report = report;
    return options;
}

static wkResult loadTriangles(wkDraftMesh* mesh, const wkLoadOptions* options)
{
    wkLoadOptions own = *options;
    own.isSolid = mesh->mode == wk_robotMeshSolid;
    wkResult result = wkMesh_Load(mesh->path, &own, &mesh->mesh);
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

static wkResult loadHulls(wkDraftMesh* mesh, const wkLoadOptions* options)
{
    wkMeshData* data = NULL;
    wkResult result = wkMeshData_Load(mesh->path, options, &data);
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

static wkResult (*const loaders[wk_robotMeshModeCount])(wkDraftMesh*, const wkLoadOptions*) = {
    [wk_robotMeshSolid] = loadTriangles,
    [wk_robotMeshSurface] = loadTriangles,
    [wk_robotMeshHull] = loadHulls,
    [wk_robotMeshPieces] = loadHulls,
};

static void loadMesh(wkDraftMesh* mesh, bool allowsEmpty)
{
    wkLoadReport report;
    memset(&report, 0, sizeof report);
    wkLoadOptions options = optionsOf(mesh, allowsEmpty, &report);
    mesh->result = loaders[mesh->mode](mesh, &options);
    if (mesh->result != wk_ok) {
        snprintf(mesh->words, sizeof mesh->words, "%s", wkGetLastError());
    }
    memcpy(mesh->warning, report.warning, sizeof mesh->warning);
}

// assimp keeps the words of its last failure where all threads write.
static bool needsOwnTime(const wkDraftMesh* mesh)
{
    const wkIoFormat* format = wkIoFormat_Find(wkIoExtension(mesh->path));
    return format == NULL || format->readMesh == wkIoReadScene;
}

static void loadTask(void* context, int32_t task)
{
    const wkUrdfDraft* draft = context;
    if (!needsOwnTime(draft->meshes[task])) {
        loadMesh(draft->meshes[task], draft->options->allowsEmpty);
    }
}

wkResult wkUrdfDraft_LoadMeshes(wkUrdfDraft* draft)
{
    const wkRobotLoadOptions* options = draft->options;
    for (int32_t i = 0; i < draft->meshCount && options->reads != NULL; i++) {
        options->reads(draft->meshes[i]->path, options->readsContext);
    }
    for (int32_t i = 0; i < draft->meshCount; i++) {
        if (needsOwnTime(draft->meshes[i])) {
            loadMesh(draft->meshes[i], options->allowsEmpty);
        }
    }
    wkRunTasks(draft->options->parallel, loadTask, draft, draft->meshCount);
    for (int32_t i = 0; i < draft->meshCount; i++) {
        const wkDraftMesh* mesh = draft->meshes[i];
        if (mesh->result != wk_ok) {
            return wkXmlFile_Fail(&draft->urdf, mesh->element, mesh->result, "%s", mesh->words);
        }
        wkUrdfDraft_WarnOfMesh(draft, mesh);
        draft->report.triangleCount += mesh->triangleCount;
    }
    draft->report.meshCount = draft->meshCount;
    return wk_ok;
}

// Meshes and hulls that go to the robot.
static bool listMeshes(wkUrdfDraft* draft)
{
    size_t hullCount = 0;
    for (int32_t i = 0; i < draft->meshCount; i++) {
        hullCount += (size_t)draft->meshes[i]->hullCount;
    }
    size_t meshCount = (size_t)draft->meshCount;
    wkMesh** meshes = wkIoArena_TakeArray(&draft->arena, meshCount, sizeof(wkMesh*));
    wkHull** hulls = wkIoArena_TakeArray(&draft->arena, hullCount, sizeof(wkHull*));
    if (meshes == NULL || hulls == NULL) {
        return false;
    }
    for (int32_t i = 0; i < draft->meshCount; i++) {
        const wkDraftMesh* mesh = draft->meshes[i];
        if (mesh->mesh != NULL) {
            meshes[draft->def.meshCount++] = mesh->mesh;
        }
        for (int32_t piece = 0; piece < mesh->hullCount; piece++) {
            hulls[draft->def.hullCount++] = mesh->hulls[piece];
        }
    }
    draft->def.meshes = meshes;
    draft->def.hulls = hulls;
    return true;
}

// Shapes that stand for a body.
static int32_t shapesOf(const wkUrdfDraft* draft, const wkDraftBody* body)
{
    const wkDraftMesh* mesh = body->mesh >= 0 ? draft->meshes[body->mesh] : NULL;
    return mesh == NULL ? 1 : mesh->mesh != NULL ? 1 : mesh->hullCount;
}

wkResult wkUrdfDraft_PlaceBodies(wkUrdfDraft* draft)
{
    size_t count = 0;
    for (int32_t i = 0; i < draft->bodyCount; i++) {
        count += (size_t)shapesOf(draft, &draft->bodies[i]);
    }
    wkBodyDef* bodies = wkIoArena_TakeArray(&draft->arena, count, sizeof *bodies);
    if (bodies == NULL || !listMeshes(draft)) {
        return wkXmlFile_FailMemory(&draft->urdf);
    }
    for (int32_t i = 0; i < draft->bodyCount; i++) {
        const wkDraftBody* body = &draft->bodies[i];
        const wkDraftMesh* mesh = body->mesh >= 0 ? draft->meshes[body->mesh] : NULL;
        for (int32_t piece = 0; piece < shapesOf(draft, body); piece++) {
            wkBodyDef* def = &bodies[draft->def.bodyCount++];
            *def = body->def;
            if (mesh != NULL) {
                def->shape =
                    mesh->mesh != NULL ? wkMakeMesh(mesh->mesh) : wkMakeHull(mesh->hulls[piece]);
                def->shape.padding = body->def.shape.padding;
            }
        }
    }
    draft->def.bodies = bodies;
    return wk_ok;
}

void wkUrdfDraft_DropMeshes(wkUrdfDraft* draft, bool isTaken)
{
    for (int32_t i = 0; i < draft->meshCount; i++) {
        wkDraftMesh* mesh = draft->meshes[i];
        if (isTaken) {
            wkIoForgetHulls(mesh->hulls, mesh->hullCount);
        } else {
            wkMesh_Destroy(mesh->mesh);
            wkIoDropHulls(mesh->hulls, mesh->hullCount);
        }
    }
}
