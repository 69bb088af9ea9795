// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Builder of a world, filled by the readers of all formats.

#include "io/file/format.h"
#include "io/robot/finder.h"

// All but the meshes lives in the arena. `data` comes first: the user's pointer is the builder.
typedef struct wkWorldBuilder {
    wkWorldData data;
    wkIoArena arena;
    const wkWorldLoadDef* options;
    const wkIoSource* source;
    wkIoFinder finder;
    wkWorldObject* objects; // those of `data`, to be written
    size_t objectCapacity;
    wkWorldRule* rules; // those of `data`, to be written
    size_t ruleCapacity;
    wkShape* shapes; // of the open object
    wkPose* poses;   // of these shapes
    size_t shapeCapacity;
    size_t meshCapacity;
    struct wkWorldMesh* meshes;
    int32_t meshCount;
} wkWorldBuilder;

// Readers of the formats.
wkResult wkWorldBuilder_ReadScene(wkWorldBuilder* builder);
wkResult wkWorldBuilder_ReadYaml(wkWorldBuilder* builder);
wkResult wkWorldBuilder_ReadSdf(wkWorldBuilder* builder);

// Counts a warning, keeps the first one for the data and passes each to the caller's function.
void wkWorldBuilder_Warn(wkWorldBuilder* builder, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// Notifies the caller of a file that is about to be read.
void wkWorldBuilder_NoteRead(const wkWorldBuilder* builder, const char* path);

// The functions below set errors without the file: readers add the location.

// Starts an object, to which shapes are then added. The name is copied.
wkResult wkWorldBuilder_OpenObject(wkWorldBuilder* builder, const char* name, wkPose pose,
                                   bool isMovable);
wkResult wkWorldBuilder_AddShape(wkWorldBuilder* builder, wkShape shape, wkPose pose);

// Ends the object; drops it when it has no shapes.
void wkWorldBuilder_CloseObject(wkWorldBuilder* builder);

// Make a mesh that the world owns: from a file, read once for each scale, or from given triangles.
wkResult wkWorldBuilder_LoadMesh(wkWorldBuilder* builder, const char* uri, wkVec3d scale,
                                 wkShape* shape);
wkResult wkWorldBuilder_BuildMesh(wkWorldBuilder* builder, const wkMeshDef* def, wkShape* shape);

// Adds a rule; the names are copied.
wkResult wkWorldBuilder_AddRule(wkWorldBuilder* builder, const char* nameA, const char* nameB,
                                bool isAllowed);

// Makes a pose. Quaternions in files are rounded: one that is far from unit length is refused.
wkResult wkWorldPose(const double position[3], const double quaternion[4], wkPose* pose);
