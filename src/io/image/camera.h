// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Builder of cameras for all file formats.

#include "io/file/format.h"

// Maximum number of lens coefficients.
#define WK_CAMERA_COEFFICIENTS 8

typedef struct wkCameraBuilder {
    wkCamera camera; // cx and cy are NaN when not given
    double scale;
    wkPose pose;
    bool hasModel;    // the file names the lens model
    bool hasPose;     // the file has the pose of the camera
    bool maySkipSize; // width and height are optional, and 0 when not given
} wkCameraBuilder;

// Sets the lens model by its name in ROS, OpenCV or Whisker. Returns false for unknown names.
bool wkCameraBuilder_TakeModel(wkCameraBuilder* builder, const char* word, size_t length);
#define WK_CAMERA_MODELS "none, brown, plumb_bob, rational_polynomial, fisheye, equidistant"

// Sets the focal lengths and the principal point from a 3x3 matrix in row order.
// @return NULL, or an error message about the matrix
const char* wkCameraBuilder_TakeMatrix(wkCameraBuilder* builder, const double matrix[9]);

// Fills in defaults and checks everything.
wkResult wkCameraBuilder_Finish(wkCameraBuilder* builder, const wkIoSource* source);

// Returns true when the content is YAML: a key with a colon, a document mark or a brace comes first.
bool wkIsCameraYaml(const wkIoSource* source);

// Reads a camera in the formats of ROS: a calibration file, or a message.
wkResult wkCameraBuilder_ReadYaml(wkCameraBuilder* builder, const wkIoSource* source);
