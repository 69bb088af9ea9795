// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A configuration of a robot among its obstacles as pictures and a report: what is nearest to what, and the
// points of clouds coloured by their distance from the robot.

#include "picture.h"
#include "robot_job.h"

#define WK_CHECK_PICTURES 2

// A picture with its caption.
typedef struct wkCheckPicture {
    const char* title;
    char words[400];
    wkPicture picture;
} wkCheckPicture;

typedef struct wkCheckStudy {
    const wkRobotJob* job; // its state is that of the configuration
    int index;             // of the configuration
    wkRobotRequest request;
    wkRobotCheckResult check;
    wkRobotClearanceResult nearest; // to the world; of kind none: there is nothing
    wkVec3d onRobot;                // the closest points
    wkVec3d onObject;               // of a cloud: the point itself
    const int64_t* counts;          // of all verdicts
} wkCheckStudy;

// Examines a configuration: checks it again, and finds the nearest pair.
void wkCheckStudy_Examine(wkCheckStudy* study, const wkRobotJob* job, const double* q);

// Draws the robot among its obstacles, and the nearest pair from near by. Returns false when out of memory.
bool wkCheckStudy_Draw(const wkCheckStudy* study, int width,
                       wkCheckPicture pictures[WK_CHECK_PICTURES]);

// Writes a self-contained HTML page.
bool wkCheckStudy_WriteReport(const wkCheckStudy* study, wkCheckPicture pictures[WK_CHECK_PICTURES],
                              const char* path);
