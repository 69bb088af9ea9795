// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The steps of `whisker cloud`, from the words of the command line.

#include "robot_job.h"
#include "whisker/cloud_filter.h"

typedef struct wkFilterOptions {
    const char* range;       // MIN,MAX
    const char* sensor;      // X,Y,Z
    const char* box;         // six numbers
    const char* boxPose;     // of the box
    bool keepsOutside;       // of the box
    double voxel;            // NAN, as the others: not given
    const char* statistical; // COUNT,SIGMAS
    const char* sparse;      // RADIUS,COUNT
    wkRobotOptions robotOptions;
    const char* robot;
    const char* q;
    double self; // padding
    double near;
} wkFilterOptions;

typedef struct wkCloudSteps {
    wkFilterStep steps[WK_MAX_FILTER_STEPS];
    int32_t count;
    wkRobotJob job;          // of the robot, if there is one
    wkRobotState* state;     // in its configuration
    wkFilterBody* bodies;    // of the robot there
    wkConfigurations values; // the configuration
} wkCloudSteps;

// Reads the steps. Free them also when this fails, after a message on stderr.
// @param sensor of the file, for a range without --sensor
bool wkCloudSteps_Read(wkCloudSteps* steps, const wkFilterOptions* options, wkVec3d sensor);
void wkCloudSteps_Free(wkCloudSteps* steps);
