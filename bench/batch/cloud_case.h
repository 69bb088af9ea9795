// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a depth sensor sees around the Panda: points on a table, a shelf and boxes, with noise; and the distance
// of the robot's spheres by looking at all points.

#include "batch/batch_case.h"
#include "batch/sensor_cloud.h"

#include "whisker/cloud_stream.h"

typedef struct wkBatchCloudCase {
    wkBatchBenchCase robot;
    float* points;
    int pointCount;
    double radius; // of all points
    wkCloud* cloud;
    wkCloudStream* stream; // NULL: the cloud is in the scene
    wkRobotState* state;   // of the robot that the frames of the stream show
} wkBatchCloudCase;

// Loads the robot and puts a cloud into its scene. False, with the last error, when there is no such file.
bool wkBatchCloudCase_Open(wkBatchCloudCase* made, int pointCount, int stateCount);
void wkBatchCloudCase_Close(wkBatchCloudCase* made);

// Replaces the cloud in the scene by a new one.
bool wkBatchCloudCase_Renew(wkBatchCloudCase* made);

// Replaces the cloud in the scene by a stream of frames, without the points on the robot in its first configuration, and
// pushes a frame.
bool wkBatchCloudCase_OpenStream(wkBatchCloudCase* made);
bool wkBatchCloudCase_Push(wkBatchCloudCase* made);

// Wrong verdicts: all are compared with those of the robot scene, and some of them, and those that differ,
// with the distance of all spheres from all points.
long wkBatchCloudCase_Wrong(const wkBatchCloudCase* made, const uint8_t* verdicts);
