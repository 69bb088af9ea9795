// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Cameras on their way from files, whatever the file looks like.

#include "io/format.h"

// Coefficients of a lens that are read.
#define WK_CAMERA_COEFFICIENTS 8

typedef struct wkCameraDraft {
    wkCamera camera; // cx and cy are NaN when not said
    double scale;
    wkPose pose;
    bool hasModel;    // the lens was named
    bool hasPose;     // the file says where the camera is
    bool maySkipSize; // width and height need not be said, and are 0 then
} wkCameraDraft;

// What a lens is called, by ROS, OpenCV or us. False: no name of one.
bool wkCameraDraft_TakeModel(wkCameraDraft* draft, const char* word, size_t length);
#define WK_CAMERA_MODELS "none, brown, plumb_bob, rational_polynomial, fisheye, equidistant"

// Takes the focal lengths and the centre out of a 3x3 matrix, row by row.
// @return NULL, or what is wrong with the matrix
const char* wkCameraDraft_TakeMatrix(wkCameraDraft* draft, const double matrix[9]);

// Fills in what was not said, and checks everything.
wkResult wkCameraDraft_Finish(wkCameraDraft* draft, const wkIoSource* source);

// True when the content is YAML: a key with a colon, a document mark or a brace comes first.
bool wkIsCameraYaml(const wkIoSource* source);

// Reads what ROS writes about a camera: a calibration file, or a message.
wkResult wkCameraDraft_ReadYaml(wkCameraDraft* draft, const wkIoSource* source);
