// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The options and the resources of `whisker spheres`, and its first step: spheres that are fitted or read.

#include "command.h"
#include "robot_job.h"
#include "spheres.h"

typedef struct wkSphereOptions {
    wkRobotOptions robot;
    const char* output;
    double accuracy;
    int count;
    wkOptionList linkCounts;
    wkOptionList linkAccuracies;
    double grow;
    const char* from;
    bool isBestEffort;
    bool skipsUnknown;
    bool ignoresFrames;
    double tolerance;
    const char* report;
    const char* picture;
    int size;
    const char* q;
} wkSphereOptions;

// All resources of the command.
typedef struct wkSphereJob {
    wkRobotJob robot;
    wkSphereModel* model;
    wkConfigurations configuration;
    int32_t* linkCounts;
    double* linkAccuracies;
    char origin[300];
    wkSphereStudy study;
} wkSphereJob;

// Complains about a failure of the library. Returns true when there is none.
bool wkSphereJob_HasDone(const wkSphereJob* job, wkResult result);

// Fits spheres to the robot, or reads and grows those of a file. False: complained.
bool wkSphereJob_Fit(wkSphereJob* job, const wkSphereOptions* options);
bool wkSphereJob_Load(wkSphereJob* job, const wkSphereOptions* options);
