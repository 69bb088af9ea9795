// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The points of several files in one frame.

#include "options.h"
#include "whisker/io.h"

typedef struct wkJoinedPoints {
    double* coordinates; // x, y, z of each point, in the world
    int32_t count;
    int32_t width; // of an image, where there is one file; else 0
    int32_t height;
    bool hasSensor; // of the only file
    wkPose sensor;  // in the world
} wkJoinedPoints;

// Reads files and joins their points. Free the points also when this fails, which wkGetLastError() explains.
// @param poses of the files in the world
wkResult wkJoinedPoints_Load(wkJoinedPoints* points, char** paths, const wkPose* poses, int count);
void wkJoinedPoints_Free(wkJoinedPoints* points);

// Writes points to a file in the format of its extension, relative to an origin where they are far away.
// @param kept indices of the points; NULL: all, with rows and sensor as they were read
wkResult wkJoinedPoints_Save(const wkJoinedPoints* points, const int32_t* kept, int32_t keptCount,
                             const char* path);
