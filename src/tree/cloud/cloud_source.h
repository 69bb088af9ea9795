// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where the points of a cloud come from: the caller's memory as it is, or arrays of points that were thinned.

#include "tree/cloud/cloud_view.h"

typedef struct wkCloudSource {
    const char* axes[3]; // x, y and z of the first point
    int64_t stride;      // bytes from one point to the next
    int64_t count;
    double origin[3]; // of the cloud, subtracted from coordinates
    bool isDouble;
    bool isExact;       // coordinates are floats, and the origin is 0
    const char* radii;  // of the first point, a float; NULL: none. Same stride
    double addedRadius; // to those, and of points without
    const int32_t* ids; // the caller's index of each point; NULL: the same
} wkCloudSource;

WK_FN double wkSourceCoordinate(const wkCloudSource* source, int axis, int64_t index)
{
    const char* bytes = source->axes[axis] + index * source->stride;
    return source->isDouble ? wkDoubleAt(bytes) : (double)wkFloatAt(bytes);
}

// A coordinate in the frame of the cloud. Those that no float can hold stay finite, and out of range.
WK_FN float wkRelativeCoordinate(double given, double origin)
{
    double relative = given - origin;
    relative = relative < 3e38 ? relative : 3e38;
    return (float)(relative > -3e38 ? relative : -3e38);
}

// The position of a finite point in the frame of the cloud.
WK_FORCE_FN void wkReadSourcePoint(const wkCloudSource* source, int64_t index, float position[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        position[axis] = source->isExact
                             ? wkFloatAt(source->axes[axis] + index * source->stride)
                             : wkRelativeCoordinate(wkSourceCoordinate(source, axis, index),
                                                    source->origin[axis]);
    }
}
