// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A world on its way from its file: what the readers of all formats fill in.

#include "io/finder.h"
#include "io/format.h"

// Everything but the meshes lives in the arena. The data comes first: what the user holds is the draft.
typedef struct wkWorldDraft {
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
} wkWorldDraft;

// Readers of the formats.
wkResult wkWorldDraft_ReadScene(wkWorldDraft* draft);
wkResult wkWorldDraft_ReadYaml(wkWorldDraft* draft);
wkResult wkWorldDraft_ReadSdf(wkWorldDraft* draft);

// Counts a warning, keeps the first one for the data and hands each to the caller's function.
void wkWorldDraft_Warn(wkWorldDraft* draft, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// Tells the caller about a file that is going to be read.
void wkWorldDraft_NoteRead(const wkWorldDraft* draft, const char* path);

// Failures below keep words without the file: readers put the place in front of them.

// Starts an object, to which shapes are then added. The name is copied.
wkResult wkWorldDraft_OpenObject(wkWorldDraft* draft, const char* name, wkPose pose);
wkResult wkWorldDraft_AddShape(wkWorldDraft* draft, wkShape shape, wkPose pose);

// Drops the object when it has no shapes.
void wkWorldDraft_CloseObject(wkWorldDraft* draft);

// A mesh that the world keeps: of a file, which is read once for each scale, or of given triangles.
wkResult wkWorldDraft_LoadMesh(wkWorldDraft* draft, const char* uri, wkVec3d scale, wkShape* shape);
wkResult wkWorldDraft_BuildMesh(wkWorldDraft* draft, const wkMeshDef* def, wkShape* shape);

// The names are copied.
wkResult wkWorldDraft_AddRule(wkWorldDraft* draft, const char* nameA, const char* nameB,
                              bool isAllowed);

// Rotations of files are quaternions that were rounded: one that is not of unit length is refused.
wkResult wkWorldPose(const double position[3], const double quaternion[4], wkPose* pose);
