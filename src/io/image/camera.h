// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Cameras on their way from files, whatever the file looks like.

#include "io/file/format.h"

// Coefficients of a lens that are read.
#define WK_CAMERA_COEFFICIENTS 8

typedef struct wkCameraBuilder {
    wkCamera camera; // cx and cy are NaN when not said
    double scale;
    wkPose pose;
    bool hasModel;    // the lens was named
    bool hasPose;     // the file says where the camera is
    bool maySkipSize; // width and height need not be said, and are 0 then
} wkCameraBuilder;

// What a lens is called, by ROS, OpenCV or us. False: no name of one.
bool wkCameraBuilder_TakeModel(wkCameraBuilder* builder, const char* word, size_t length);
#define WK_CAMERA_MODELS "none, brown, plumb_bob, rational_polynomial, fisheye, equidistant"

// Takes the focal lengths and the centre out of a 3x3 matrix, row by row.
// @return NULL, or what is wrong with the matrix
const char* wkCameraBuilder_TakeMatrix(wkCameraBuilder* builder, const double matrix[9]);

// Fills in what was not said, and checks everything.
wkResult wkCameraBuilder_Finish(wkCameraBuilder* builder, const wkIoSource* source);

// True when the content is YAML: a key with a colon, a document mark or a brace comes first.
bool wkIsCameraYaml(const wkIoSource* source);

// Reads what ROS writes about a camera: a calibration file, or a message.
wkResult wkCameraBuilder_ReadYaml(wkCameraBuilder* builder, const wkIoSource* source);
