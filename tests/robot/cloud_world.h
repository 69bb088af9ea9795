// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A robot between two point clouds, and the plain way to find the nearest point: every body, every point, each a
// sphere.

#include "../kit.h"
#include "plain.h"

#define POINT_COUNT 160
#define CLOUD_COUNT 2

extern const char* const cloudNames[CLOUD_COUNT];
extern const char* const cloudCategories[CLOUD_COUNT];
extern const double cloudSafetyDistances[CLOUD_COUNT];
extern const double cloudRadii[CLOUD_COUNT];

// A robot between two clouds, and their points in the world.
typedef struct cloudWorld {
    wkRobot* robot;
    wkRobotScene* scene;
    wkRobotState* state;
    wkCloud* clouds[CLOUD_COUNT];
    wkVec3d points[CLOUD_COUNT][POINT_COUNT];
    wkRng rng;
} cloudWorld;

// The nearest point of all clouds, each a sphere.
typedef struct nearest {
    double distance; // less the safety distance
    int cloud;
    int point;
    int link;
} nearest;

// A cloud of POINT_COUNT points of one radius.
wkCloud* makeCloud(const wkVec3d* points, double radius);

// Adds a cloud to a scene as an object with a category.
void addCloud(wkRobotScene* scene, const char* name, const char* category, const wkCloud* cloud,
              wkPose pose);

// Points in a box beside the robot, so that some configurations touch them and some do not.
void makeWorld(uint64_t seed, cloudWorld* world);

void freeWorld(cloudWorld* world);

// Compares a shape that a link carries with all points that are checked against that link.
void tryShape(const cloudWorld* world, const wkShape* shape, wkPose pose, int link, nearest* found);

// Looks at every body and every point.
nearest findNearest(const cloudWorld* world);

// Asks about the surroundings only: neither about the robot itself nor about its limits.
wkRobotRequest worldRequest(void);

// Sets the state to a random configuration.
void placeAtRandom(cloudWorld* world);
