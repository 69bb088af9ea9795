// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A world on its way from its file: what the readers of all formats fill in.

#include "io/file/format.h"
#include "io/robot/finder.h"

// Everything but the meshes lives in the arena. The data comes first: what the user holds is the builder.
typedef struct wkWorldBuilder {
    wkWorldData data;
    wkIoArena arena;
    const wkWorldLoadOptions* options;
    const wkIoSource* source;
    wkIoFinder finder;
    size_t objectCapacity;
    size_t ruleCapacity;
    size_t shapeCapacity; // of the object that is open
    size_t meshCapacity;
    struct wkWorldMesh* meshes;
    int32_t meshCount;
} wkWorldBuilder;

// Readers of the formats.
wkResult wkWorldBuilder_ReadScene(wkWorldBuilder* builder);
wkResult wkWorldBuilder_ReadYaml(wkWorldBuilder* builder);
wkResult wkWorldBuilder_ReadSdf(wkWorldBuilder* builder);

// Counts a warning, keeps the first one for the data and hands each to the caller's function.
void wkWorldBuilder_Warn(wkWorldBuilder* builder, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// Tells the caller about a file that is going to be read.
void wkWorldBuilder_NoteRead(const wkWorldBuilder* builder, const char* path);

// Failures below keep words without the file: readers put the place in front of them.

// Starts an object, to which shapes are then added. The name is copied.
wkResult wkWorldBuilder_OpenObject(wkWorldBuilder* builder, const char* name, wkPose pose);
wkResult wkWorldBuilder_AddShape(wkWorldBuilder* builder, wkShape shape, wkPose pose);

// Drops the object when it has no shapes.
void wkWorldBuilder_CloseObject(wkWorldBuilder* builder);

// A mesh that the world keeps: of a file, which is read once for each scale, or of given triangles.
wkResult wkWorldBuilder_LoadMesh(wkWorldBuilder* builder, const char* uri, wkVec3d scale,
                                 wkShape* shape);
wkResult wkWorldBuilder_BuildMesh(wkWorldBuilder* builder, const wkMeshDef* def, wkShape* shape);

// The names are copied.
wkResult wkWorldBuilder_AddRule(wkWorldBuilder* builder, const char* nameA, const char* nameB,
                                bool isAllowed);

// Rotations of files are quaternions that were rounded: one that is not of unit length is refused.
wkResult wkWorldPose(const double position[3], const double quaternion[4], wkPose* pose);
