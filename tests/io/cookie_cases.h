// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What io.cookies goes through: each struct that starts from a wkDefault function, with a call that must refuse it.

#include "io_kit.h"

#include "whisker/io.h"
#include "whisker/whisker.h"

// A robot, a scene and a map, for structs that are given together with these.
typedef struct stage {
    wkRobot* robot;
    wkRobotState* state;
    wkRobotScene* scene;
    wkScene* objects;
    wkOctree* octree;
    wkShape sphere;
} stage;

// Passes a struct whose cookie is changed by `bits` to a function that must refuse it, and returns whether
// the answer is the one for bad arguments.
typedef bool tryFcn(const stage* s, uint32_t bits);

typedef struct cookieCase {
    const char* type;
    tryFcn* isRefused;
} cookieCase;

typedef struct cookieCases {
    const cookieCase* cases;
    int count;
} cookieCases;

// Structs of shapes, queries, maps, scenes and sensors.
cookieCases cookiesOfShapes(void);

// Structs of robots, what is around them, batches, and files of robots and worlds.
cookieCases cookiesOfRobots(void);
