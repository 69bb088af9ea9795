// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The set-up of Kaldestad, Hovland and Anisi as generated clouds: an ABB IRB 1600 sampled from its meshes, and what a
// sensor sees of the cell around it: floor, walls, a table with an object, and a second robot. Without the data
// folder both robots are the built-in one.

#include "whisker/whisker.h"

#ifdef __cplusplus
extern "C" {
#endif

// Numbers of points in the paper.
#define WK_WORKCELL_ROBOT 19221
#define WK_WORKCELL_SMALL 192953
#define WK_WORKCELL_LARGE 958021

typedef struct wkWorkcell {
    wkRobot* robot;
    wkRobotState* state;
    float* robotPoints; // x, y, z of WK_WORKCELL_ROBOT points
    float*
        cellPoints; // of WK_WORKCELL_LARGE points; the first WK_WORKCELL_SMALL are a cell of their own
} wkWorkcell;

// False, with a message on stderr, when memory is short.
bool wkWorkcell_Open(wkWorkcell* cell);
void wkWorkcell_Close(wkWorkcell* cell);

// Adds the furniture and the second robot to a scene, as the known world. The scene borrows meshes of the cell.
wkResult wkWorkcell_AddKnown(const wkWorkcell* cell, wkRobotScene* scene);

// A cloud of points; NULL when memory is short.
wkCloud* wkWorkcell_Cloud(const float* points, int count);

#ifdef __cplusplus
}
#endif
