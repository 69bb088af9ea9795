// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// World files: the obstacles of a robot. Whisker's own are JSON, with shapes as in questions of `whisker
// ask`, attached objects and allowed collisions; other formats are read by wkWorldData_Parse. See
// docs/worlds.md.

#include "ask.h"
#include "whisker/robot_scene.h"

// Geometry loaded from a world file, which the scene borrows.
typedef struct wkWorld {
    wkAskObject* objects;
    size_t count;
    size_t capacity;
    wkWorldData* data; // of another format; NULL: none
} wkWorld;

// Reads a file into a scene. `state` has the pose of the robot for attached objects.
// @param options package folders, permissions and callbacks; name, folder and frame are filled in
// @return false with the file and field in `error`; the scene may then hold a part of the file
bool wkWorld_Load(wkWorld* world, const char* path, wkRobotScene* scene, const wkRobotState* state,
                  const wkWorldLoadDef* options, wkAskError* error);

// Warns about a doubtful shape of the object with that name. Returns false when out of memory.
bool wkWorld_WarnOfShape(const char* name, const wkAskObject* object, const wkRobot* robot,
                         const wkWorldLoadDef* options);

// Frees the world, after its scene is destroyed.
void wkWorld_Free(wkWorld* world);
