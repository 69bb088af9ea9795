// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Random surroundings for the built-in robot, and the plain way to ask about them: every shape of the
// robot with every other one, through public functions alone.

#include "scenes/shapes.h"
#include "whisker/cloud.h"
#include "whisker/mesh.h"
#include "whisker/octree.h"
#include "whisker/robot_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define PLAIN_CAPACITY 512

// A robot among random things, and everything they borrow.
typedef struct wkSurroundings {
    wkRobot* robot;
    wkRobotScene* scene;
    wkRobotState* state;
    wkOctree* map;
    wkShapeBank bank;
    wkMesh* meshes[64]; // of objects
    int meshCount;
    wkCloud* clouds[64]; // of objects
    int cloudCount;
    double paddings[64]; // of the links, as given to the scene
    bool hasCategories;
    wkRng rng;
} wkSurroundings;

// What is around the robot.
typedef struct wkSurroundingsKind {
    const char* name;
    int objectCount;
    double size; // of the objects
    bool hasMap;
    wkUnknownRule unknown; // of the map
    bool hasFloor;         // a half-space and a plane
    bool isHolding;        // objects are attached
    bool hasCategories;
    bool hasPadding;
    bool hasRules; // some pairs may touch
    bool isCloudy; // objects are clouds of points on their surfaces
    bool isMeshed; // the robot has a mesh on each link, of all its bodies; objects are meshes
} wkSurroundingsKind;

#define WK_SURROUNDINGS_COUNT 8
extern const wkSurroundingsKind wkSurroundingsKinds[WK_SURROUNDINGS_COUNT];

void wkMakeSurroundings(const wkSurroundingsKind* kind, uint64_t seed, wkSurroundings* all);
void wkFreeSurroundings(wkSurroundings* all);

// A random configuration, with the base somewhere near.
void wkPlaceAtRandom(wkSurroundings* all);

// A sphere with a name among the objects.
wkResult wkAddSphere(wkRobotScene* scene, const char* name, double radius, wkPose pose);

// A shape of the robot or around it.
typedef struct wkPlainItem {
    wkShape shape; // with padding and safety distance
    wkPose pose;
    wkRobotSide side;
    int32_t link; // that carries it; -1: it is around the robot
} wkPlainItem;

typedef struct wkPlainItems {
    wkPlainItem items[PLAIN_CAPACITY];
    int count;
} wkPlainItems;

void wkListItems(const wkSurroundings* all, wkPlainItems* list);

// Whether a pair is looked at: the rules, links that hold, and the group.
bool wkIsPlainPair(const wkSurroundings* all, const wkPlainItem* a, const wkPlainItem* b,
                   const wkRobotRequest* request);

// Touch links of what is held; the link itself may touch too.
extern const char* const wkTouchLinks[2];
