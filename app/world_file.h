// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// World files: the objects around a robot. Our own are JSON, with shapes as in questions of `whisker ask`,
// what the robot holds and what may touch; those of others are what wkWorldData_Parse reads. See
// docs/worlds.md.

#include "ask.h"
#include "whisker/robot_scene.h"

// What a world file has brought: geometry that the scene borrows.
typedef struct wkWorld {
    wkAskObject* objects;
    size_t count;
    size_t capacity;
    wkWorldData* data; // of another format; NULL: none
} wkWorld;

// Reads a file into a scene. `state` says where the robot is when objects are attached to it.
// @param options where packages are, what is allowed, and who is told; name, folder and frame are filled in
// @return false with the file and field in `error`; the scene may have a part of it then
bool wkWorld_Load(wkWorld* world, const char* path, wkRobotScene* scene, const wkRobotState* state,
                  const wkWorldLoadOptions* options, wkAskError* error);

// Warns of what is doubtful about a shape of the object with that name.
void wkWorld_WarnOfShape(const char* name, const wkAskObject* object,
                         const wkWorldLoadOptions* options);

// Only after the scene is gone.
void wkWorld_Free(wkWorld* world);
