// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Objects, meshes and rules of a world, added by its reader.

#define _POSIX_C_SOURCE 200809L // newlocale

#include "io/world/world_builder.h"

#include "base/plain_text.h"

#include "whisker/detail/library.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A quaternion whose length is within this of 1 is rounded; beyond, it is an error.
#define QUATERNION_TOLERANCE 1e-3

// Bytes of a warning as `warn` receives it: paths are long.
#define MESSAGE_CAPACITY 1024

// A mesh, and the file that it came from.
typedef struct wkWorldMesh {
    wkMesh* mesh;
    const char* path; // NULL: its triangles were given in the world
    wkVec3d scale;
} wkWorldMesh;

static wkResult failMemory(void)
{
    return wkSetLastError(wk_errorMemory, "no memory for what it describes");
}

void wkWorldBuilder_Warn(wkWorldBuilder* builder, const char* format, ...)
{
    char message[MESSAGE_CAPACITY];
    va_list arguments;
    va_start(arguments, format);
    wkPrintPlain(message, sizeof message, format, arguments);
    va_end(arguments);
    wkWorldData* data = &builder->data;
    if (data->warningCount++ == 0) {
        snprintf(data->warning, sizeof data->warning, "%.*s", WK_WARNING_CAPACITY - 1, message);
    }
    if (builder->options->warn != NULL) {
        builder->options->warn(message, builder->options->warnContext);
    }
}

void wkWorldBuilder_NoteRead(const wkWorldBuilder* builder, const char* path)
{
    if (builder->options->reads != NULL) {
        builder->options->reads(path, builder->options->readsContext);
    }
}

// Returns an array of the arena with capacity for one more element. A full one is copied, and its capacity
// doubles. NULL: no memory.
static void* grow(wkIoArena* arena, void* array, size_t count, size_t* capacity,
                  size_t elementBytes)
{
    if (count < *capacity) {
        return array;
    }
    size_t larger = 2 * *capacity + 8;
    void* elements = wkIoArena_AllocArray(arena, larger, elementBytes);
    if (elements == NULL) {
        return NULL;
    }
    if (count > 0) {
        memcpy(elements, array, count * elementBytes);
    }
    *capacity = larger;
    return elements;
}

wkResult wkWorldBuilder_OpenObject(wkWorldBuilder* builder, const char* name, wkPose pose,
                                   bool isMovable)
{
    wkWorldData* data = &builder->data;
    const char* copy = wkIoArena_CopyText(&builder->arena, name, strlen(name));
    wkWorldObject* objects = grow(&builder->arena, builder->objects, (size_t)data->objectCount,
                                  &builder->objectCapacity, sizeof *objects);
    if (copy == NULL || objects == NULL) {
        return failMemory();
    }
    builder->objects = objects;
    data->objects = objects;
    if (!wkIsValidPose(pose)) {
        return wkSetLastError(wk_errorNotFinite, "its pose is not finite");
    }
    objects[data->objectCount++] =
        (wkWorldObject){.name = copy, .pose = pose, .isMovable = isMovable};
    builder->shapeCapacity = 0;
    return wk_ok;
}

wkResult wkWorldBuilder_AddShape(wkWorldBuilder* builder, wkShape shape, wkPose pose)
{
    wkWorldObject* object = &builder->objects[builder->data.objectCount - 1];
    wkResult result = shape.type != wk_shapeNone ? wkShape_Check(&shape) : wk_errorRange;
    if (result != wk_ok) {
        return result;
    }
    if (!wkIsValidPose(pose)) {
        return wkSetLastError(wk_errorNotFinite, "the pose of a shape is not finite");
    }
    size_t count = (size_t)object->shapeCount, poseCapacity = builder->shapeCapacity;
    wkPose* poses = grow(&builder->arena, builder->poses, count, &poseCapacity, sizeof *poses);
    wkShape* shapes =
        grow(&builder->arena, builder->shapes, count, &builder->shapeCapacity, sizeof *shapes);
    if (poses == NULL || shapes == NULL) {
        return failMemory();
    }
    poses[count] = pose;
    shapes[count] = shape;
    object->poses = builder->poses = poses;
    object->shapes = builder->shapes = shapes;
    object->shapeCount++;
    return wk_ok;
}

void wkWorldBuilder_CloseObject(wkWorldBuilder* builder)
{
    wkWorldData* data = &builder->data;
    const wkWorldObject* object = &data->objects[data->objectCount - 1];
    if (object->shapeCount == 0) {
        wkWorldBuilder_Warn(builder, "%.80s has no collision shapes, and is left out",
                            object->name);
        data->objectCount--;
    }
}

// Adds an entry for a mesh, which Destroy frees from then on.
static wkWorldMesh* addMesh(wkWorldBuilder* builder)
{
    wkWorldMesh* meshes = grow(&builder->arena, builder->meshes, (size_t)builder->meshCount,
                               &builder->meshCapacity, sizeof *meshes);
    if (meshes == NULL) {
        return NULL;
    }
    builder->meshes = meshes;
    wkWorldMesh* mesh = &meshes[builder->meshCount];
    *mesh = (wkWorldMesh){0};
    return mesh;
}

static const wkWorldMesh* findMesh(const wkWorldBuilder* builder, const char* path, wkVec3d scale)
{
    for (int32_t i = 0; i < builder->meshCount; i++) {
        const wkWorldMesh* mesh = &builder->meshes[i];
        if (mesh->path != NULL && strcmp(mesh->path, path) == 0 && mesh->scale.x == scale.x &&
            mesh->scale.y == scale.y && mesh->scale.z == scale.z) {
            return mesh;
        }
    }
    return NULL;
}

// @param path of the file; NULL: its triangles were given in the world
// @param report of loading the file; NULL: none
static void warnOfMesh(wkWorldBuilder* builder, const char* path, const wkLoadInfo* report,
                       const wkMesh* mesh)
{
    const wkWorldData* data = &builder->data;
    const char* name = path != NULL            ? path
                       : data->objectCount > 0 ? data->objects[data->objectCount - 1].name
                                               : "mesh";
    if (report != NULL && report->warning[0] != '\0') {
        wkWorldBuilder_Warn(builder, "%.400s: %s", name, report->warning);
    }
    wkMeshInfo info = wkMesh_Info(mesh);
    if (info.isSolid && info.triangleCount > 0 && !info.isClosed) {
        wkWorldBuilder_Warn(
            builder,
            "%.400s: the mesh is not watertight: what its open edges enclose counts as "
            "solid",
            name);
    } else if (info.isSolid && info.lidCount > 0) {
        wkWorldBuilder_Warn(builder,
                            "%.400s: triangles are there from both sides or face different ways: "
                            "what they enclose counts as solid",
                            name);
    }
    if (info.hullCount > 0) {
        wkWorldBuilder_Warn(builder,
                            "%.400s: triangles contradict each other: parts taken as their convex "
                            "hulls: %d",
                            name, (int)info.hullCount);
    }
    if (info.sewnGap > 0.0) {
        wkWorldBuilder_Warn(builder, "%.400s: gaps of up to %.2g m between open edges are closed",
                            name, info.sewnGap);
    }
}

wkResult wkWorldBuilder_LoadMesh(wkWorldBuilder* builder, const char* uri, wkVec3d scale,
                                 wkShape* shape)
{
    char path[WK_IO_PATH_CAPACITY], words[WK_IO_FINDER_WORDS];
    wkResult result = wkIoFinder_Find(&builder->finder, uri, path, words);
    if (result != wk_ok) {
        return wkSetLastError(result, words);
    }
    const wkWorldMesh* known = findMesh(builder, path, scale);
    if (known != NULL) {
        *shape = wkMakeMesh(known->mesh);
        return wk_ok;
    }
    wkWorldMesh* mesh = addMesh(builder);
    const char* copy = wkIoArena_CopyText(&builder->arena, path, strlen(path));
    if (mesh == NULL || copy == NULL) {
        return failMemory();
    }
    wkLoadInfo report = {0};
    wkLoadDef options = wkDefaultLoadDef();
    options.allowsEmpty = builder->options->allowsEmpty;
    options.scale = scale;
    options.isSolid = !builder->options->isSurface;
    options.ignoresUpAxis = true; // as ROS and Gazebo do
    wkWorldBuilder_NoteRead(builder, path);
    result = wkMesh_Load(path, &options, &report, &mesh->mesh);
    if (result == wk_ok) {
        mesh->path = copy;
        mesh->scale = scale;
        builder->meshCount++;
        *shape = wkMakeMesh(mesh->mesh);
        warnOfMesh(builder, path, &report, mesh->mesh);
    }
    return result;
}

wkResult wkWorldBuilder_BuildMesh(wkWorldBuilder* builder, const wkMeshDef* def, wkShape* shape)
{
    if (def->triangleCount == 0 && !builder->options->allowsEmpty) {
        return wkSetLastError(wk_errorArgument,
                              "the mesh has no triangles, so that nothing would ever touch it; "
                              "allowsEmpty (--allow-empty) takes it as it is");
    }
    wkWorldMesh* mesh = addMesh(builder);
    if (mesh == NULL) {
        return failMemory();
    }
    wkMeshDef own = *def;
    own.isSolid = !builder->options->isSurface;
    wkResult result = wkMesh_Create(&own, &mesh->mesh);
    if (result == wk_ok) {
        builder->meshCount++;
        *shape = wkMakeMesh(mesh->mesh);
        warnOfMesh(builder, NULL, NULL, mesh->mesh);
    }
    return result;
}

wkResult wkWorldBuilder_AddRule(wkWorldBuilder* builder, const char* nameA, const char* nameB,
                                bool isAllowed)
{
    wkWorldData* data = &builder->data;
    const char* a = wkIoArena_CopyText(&builder->arena, nameA, strlen(nameA));
    const char* b = wkIoArena_CopyText(&builder->arena, nameB, strlen(nameB));
    wkWorldRule* rules = grow(&builder->arena, builder->rules, (size_t)data->ruleCount,
                              &builder->ruleCapacity, sizeof *rules);
    if (a == NULL || b == NULL || rules == NULL) {
        return failMemory();
    }
    rules[data->ruleCount++] = (wkWorldRule){a, b, isAllowed};
    builder->rules = rules;
    data->rules = rules;
    return wk_ok;
}

wkResult wkWorldPose(const double position[3], const double quaternion[4], wkPose* pose)
{
    const double* q = quaternion;
    double length = hypot(hypot(q[0], q[1]), hypot(q[2], q[3]));
    if (!(fabs(length - 1.0) <= QUATERNION_TOLERANCE)) {
        return wkSetLastError(wk_errorRange, "the quaternion is not of length 1 within 0.001");
    }
    *pose = (wkPose){{position[0], position[1], position[2]},
                     {q[0] / length, q[1] / length, q[2] / length, q[3] / length}};
    return wk_ok;
}

void wkWorldData_Destroy(wkWorldData* world)
{
    wkWorldBuilder* builder = (wkWorldBuilder*)world;
    if (builder == NULL) {
        return;
    }
    for (int32_t i = 0; i < builder->meshCount; i++) {
        wkMesh_Destroy(builder->meshes[i].mesh);
    }
    wkIoArena_Free(&builder->arena);
    wkRelease(builder, sizeof *builder);
}
