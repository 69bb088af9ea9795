// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Maps and clouds from the command line, as objects of the scene named by their paths.

#include "robot_job.h"

// Add the objects of --map and --cloud. Return false after a message on stderr.
bool wkRobotJob_AddMaps(wkRobotJob* job, const wkJobOptions* options);
bool wkRobotJob_AddClouds(wkRobotJob* job, const wkJobOptions* options);

// Warns of clouds of the scene, those of worlds included, that the robot cannot reach: nothing touches them.
void wkRobotJob_WarnOfFarClouds(const wkRobotJob* job);

// Adds an object named by a path; a repeated path gets the number of its file, counted from 0.
bool wkRobotJob_AddShape(wkRobotJob* job, const char* path, int number, const wkShape* shape,
                         wkPose pose);

// Values that are given once for all files, or once for each file.
typedef struct wkFileValues {
    const char* option; // "--map-pose"
    const char* plural; // of its values: "poses"
    const char* files;  // that they are about: "maps"
    const wkOptionList* values;
    int fileCount;
} wkFileValues;

// Checks their number. Returns false after a message.
bool wkFileValues_Check(const wkFileValues* values, const wkRobotJob* job);

// Returns the value of a file; NULL: none is given.
const char* wkFileValues_Find(const wkFileValues* values, int file);

// Reads the pose of a file, which stays as it is if none is given. Returns false after a message.
bool wkFileValues_ReadPose(const wkFileValues* values, const wkRobotJob* job, int file,
                           wkPose* pose);
