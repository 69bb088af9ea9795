// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A robot in random configurations among random obstacles, for the rows about robots, and the truth
// about them by looking at all triangles.

#include "whisker/whisker.h"

#ifdef __cplusplus
extern "C" {
#endif

// What is around a robot.
typedef enum wkObstacleKind {
    wk_obstacleBox,
    wk_obstacleSphere,
    wk_obstacleCylinder,
    wk_obstacleMesh,
    wk_obstacleMixed, // one after the other
} wkObstacleKind;

typedef struct wkSurround {
    wkObstacleKind kind;
    int count;
    double width;  // x and y of their middles are within this distance from the robot
    double height; // z is between 0 and this
    double keep;   // none is nearer to the z axis
} wkSurround;

typedef struct wkRobotCase {
    wkRobot* robot;
    wkAllowed* allowed; // rules of the robot about itself
    bool* isChecked;    // body times body: pairs that are looked at
    int linkCount;
    int bodyCount;
    int variableCount;

    int count;
    double* configurations;
    double* goals; // where motions lead to from there, a part of the way to the next configuration
    wkPose* linkPoses;
    wkPose* bodyPoses;

    int obstacleCount;
    wkShape* obstacles;
    wkPose* obstaclePoses;
    wkMesh** meshes; // that obstacles borrow; NULL where they do not
} wkRobotCase;

// Path of a file in the data folder.
void wkRobotDataPath(const char* name, char* path, int capacity);

// Loads a robot of the data folder with the pairs that its SRDF leaves out; the PR2 is our own robot of
// 88 links where there is no such folder.
bool wkRobotCase_Open(wkRobotCase* made, const char* name, int count);

// The same for a robot that is at hand, which belongs to the case from then on, in configurations that
// the caller is to fill in. False when memory is short.
bool wkRobotCase_Wrap(wkRobotCase* made, wkRobot* robot, int count);

// Where links and bodies are in all configurations, and where motions lead to.
void wkRobotCase_Place(wkRobotCase* made);

// Other obstacles. False when memory is short.
bool wkRobotCase_Surround(wkRobotCase* made, const wkSurround* surround);

void wkRobotCase_Close(wkRobotCase* made);

// What is asked of each configuration.
typedef enum wkRobotTask {
    wk_robotFirst,     // does a body touch an obstacle? 1 or 0. Links are placed by their poses
    wk_robotAll,       // how many pairs touch? Links are placed in the same way
    wk_robotSelf,      // does the robot touch itself? 1 or 0
    wk_robotValid,     // does it touch itself or an obstacle? 1 or 0
    wk_robotFk,        // where are the links?
    wk_robotClearance, // how far is what is nearest?
    wk_robotMotion,    // may it move to its goal? The verdict
    wk_robotSteps,     // the same, at small steps alone
} wkRobotTask;

// The answer to one of the first four by looking at all pairs and all triangles.
double wkRobotTruth(const wkRobotCase* made, wkRobotTask task, int configuration);

// The distance of the nearest pair, by asking for the distances of all.
double wkRobotNearest(const wkRobotCase* made, int configuration);

#ifdef __cplusplus
}
#endif
