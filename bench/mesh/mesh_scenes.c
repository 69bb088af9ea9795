// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Model pairs of the mesh rows. See mesh_scenes.h.

#include "mesh/mesh_scenes.h"

#include "../tests/scenes/rng.h"

#include "whisker/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Furthest step past the first contact, or back, as a share of the smaller model's size.
#define NEAR_SHARE 0.03

// The slide looks for contact at so many places, then halves the step before it.
#define TRANSLATION_STEPS 64
#define HALVINGS 20

// Models from files: folder of the data, scale to metres (or to a like size).
typedef struct modelFile {
    const char* path;
    double scale;
} modelFile;

// What a pair is made of: two files, or a maker for each when the path is NULL.
typedef struct sceneRow {
    const char* name;
    modelFile moving;
    modelFile fixed;
    bool (*makeMoving)(wkModel* model);
    bool (*makeFixed)(wkModel* model);
    double extent;
} sceneRow;

static bool makeKnot(wkModel* model)
{
    return wkModel_AddKnot(model, 0.3, 0.12, 250, 20);
}

static bool makeBlob(wkModel* model)
{
    wkVec3d center = {0.0, 0.0, 0.0};
    return wkModel_AddBlob(model, center, 0.8, 0.15, 158, 158);
}

// clang-format off
static const sceneRow rows[] = {
    // the moving body and the room of FCL's own tests, in millimetres
    {"piano-room",         {"meshes/fcl/rob.obj", 1e-3},
                           {"meshes/fcl/env.obj", 1e-3},                          NULL, NULL, 2.0},
    // two scans, the skull made as large as the man
    {"skull-man",          {"meshes/odedstein/skull_low_resolution.obj", 0.13},
                           {"meshes/odedstein/human_man.obj", 1.0},               NULL, NULL, 1.6},
    // links of robots in what they reach into
    {"hand-shelves",       {"robots/panda/meshes/visual/hand.obj", 1.0},
                           {"meshes/mbm_scenes/table_bars/shelves.stl", 1.0},     NULL, NULL, 1.0},
    {"forearm-wheelchair", {"robots/ur5_robotiq85/meshes/ur5/collision/forearm.stl", 1.0},
                           {"meshes/pr_assets/wheelchair.stl", 1.0},              NULL, NULL, 0.8},
    {"knot10k-knot10k",    {NULL, 0.0}, {NULL, 0.0},                  makeKnot, makeKnot, 1.0},
    {"knot10k-blob50k",    {NULL, 0.0}, {NULL, 0.0},                  makeKnot, makeBlob, 1.3},
};
// clang-format on

int wkMeshSceneCount(void)
{
    return (int)(sizeof rows / sizeof rows[0]);
}

const char* wkMeshSceneName(int index)
{
    return rows[index].name;
}

static bool copyModel(const wkMeshData* data, wkModel* model)
{
    bool isDone = true;
    for (int32_t i = 0; i < data->vertexCount; i++) {
        isDone = isDone && wkModel_AddVertex(model, data->vertices[i]);
    }
    for (int32_t i = 0; i < data->triangleCount; i++) {
        const int32_t* faceVertices = &data->triangles[3 * (size_t)i];
        isDone =
            isDone && wkModel_AddTriangle(model, faceVertices[0], faceVertices[1], faceVertices[2]);
    }
    return isDone;
}

bool wkLoadModel(const char* path, double scale, wkModel* model)
{
    const char* folder = getenv("WHISKER_DATA");
    char name[512];
    wkMeshData* data = NULL;
    memset(model, 0, sizeof *model);
    snprintf(name, sizeof name, "%s/%s", folder != NULL ? folder : WK_DATA_FOLDER, path);
    if (wkMeshData_Load(name, NULL, NULL, &data) != wk_ok) {
        fprintf(stderr, "rows are left out: %s\n", wkGetLastError());
        return false;
    }
    bool isDone = copyModel(data, model);
    wkMeshData_Destroy(data);
    wkModel_Center(model, scale);
    return isDone;
}

static bool fillModel(modelFile file, bool (*make)(wkModel* model), wkModel* model)
{
    if (file.path != NULL) {
        return wkLoadModel(file.path, file.scale, model);
    }
    return make(model);
}

bool wkMeshScene_Load(int index, wkMeshScene* scene)
{
    const sceneRow* row = &rows[index];
    memset(scene, 0, sizeof *scene);
    scene->name = row->name;
    scene->extent = row->extent;
    bool isDone = fillModel(row->moving, row->makeMoving, &scene->moving) &&
                  fillModel(row->fixed, row->makeFixed, &scene->fixed);
    if (!isDone) {
        wkMeshScene_Free(scene);
    }
    return isDone;
}

void wkMeshScene_Free(wkMeshScene* scene)
{
    wkModel_Free(&scene->moving);
    wkModel_Free(&scene->fixed);
}

// A random point of the fixed model: somewhere on a random triangle.
static wkVec3d randomTarget(const wkModel* model, wkRng* rng)
{
    const int32_t* faceVertices =
        &model->indices[3 * (size_t)wkRngBelow(rng, model->triangleCount)];
    double u = wkRngUnit(rng);
    double v = wkRngUnit(rng) * (1.0 - u);
    wkVec3d point = wkSceneScale(model->vertices[faceVertices[0]], 1.0 - u - v);
    point = wkSceneAdd(point, wkSceneScale(model->vertices[faceVertices[1]], u));
    return wkSceneAdd(point, wkSceneScale(model->vertices[faceVertices[2]], v));
}

static wkPose poseAlong(wkPose start, wkVec3d way, double share)
{
    start.position = wkSceneAdd(start.position, wkSceneScale(way, share));
    return start;
}

// One slide; false when it starts in contact or meets nothing.
static bool translation(const wkMeshScene* scene, wkRng* rng, double reach, wkTouchFcn* touches,
                        void* context, wkPose* pose)
{
    double extent = scene->extent;
    wkPose start;
    start.rotation = wkRngRotation(rng);
    start.position.x = wkRngRange(rng, -extent, extent);
    start.position.y = wkRngRange(rng, -extent, extent);
    start.position.z = wkRngRange(rng, -extent, extent);
    wkVec3d way = wkSceneSub(randomTarget(&scene->fixed, rng), start.position);
    double step = wkRngRange(rng, -reach, reach) / wkSceneLength(way);
    if (touches(context, start)) {
        return false;
    }

    double apart = 0.0;
    double touching = 0.0;
    for (int i = 1; i <= TRANSLATION_STEPS && touching <= 0.0; i++) {
        double share = (double)i / TRANSLATION_STEPS;
        if (touches(context, poseAlong(start, way, share))) {
            touching = share;
        } else {
            apart = share;
        }
    }
    if (touching <= 0.0) {
        return false;
    }
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (apart + touching);
        if (touches(context, poseAlong(start, way, middle))) {
            touching = middle;
        } else {
            apart = middle;
        }
    }
    *pose = poseAlong(start, way, apart + step);
    return true;
}

void wkMakeNearPoses(const wkMeshScene* scene, uint64_t seed, wkTouchFcn* touches, void* context,
                     int count, wkPose* poses)
{
    wkRng rng = wkMakeRng(seed);
    double size = 2.0 * fmin(wkModel_Radius(&scene->moving), wkModel_Radius(&scene->fixed));
    for (int i = 0; i < count; i++) {
        while (!translation(scene, &rng, NEAR_SHARE * size, touches, context, &poses[i])) {
        }
    }
}
