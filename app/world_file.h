// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// World files: JSON with the objects around a robot, as in questions of `whisker ask`, what it holds
// and what may touch. See docs/worlds.md.

#include "ask.h"
#include "whisker/robot_scene.h"

// What a world file has brought: geometry that the scene borrows.
typedef struct wkWorld {
    wkAskObject* objects;
    size_t count;
    size_t capacity;
} wkWorld;

// Reads a file into a scene. `state` says where the robot is when objects are attached to it.
// @return false with the file and field in `error`; the scene may have a part of it then
bool wkWorld_Load(wkWorld* world, const char* path, wkRobotScene* scene, const wkRobotState* state,
                  wkAskError* error);

// Only after the scene is gone.
void wkWorld_Free(wkWorld* world);
