// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Points of a furnished room as a depth camera sees them, in the order of its pixels.

#include "whisker/whisker.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wkRoomPoints {
    float* points; // x, y and z of each, all finite
    int32_t count;
} wkRoomPoints;

// That many points, off by a noise of 2 mm along the ray of each; NULL when memory is short.
wkRoomPoints wkMakeRoomPoints(int32_t count);

// The same without noise.
wkRoomPoints wkMakeCleanRoomPoints(int32_t count);
void wkRoomPoints_Free(wkRoomPoints* room);

// A point of a PointCloud2 message as drivers of depth cameras send it.
typedef struct wkFramePoint {
    float x;
    float y;
    float z;
    float unused;
    float rgb;
    float alsoUnused[3];
} wkFramePoint;

// A frame of 640 x 480 points, of which some are NaN: pixels without depth, alone and in regions. To be freed
// with free(); NULL when memory is short.
wkFramePoint* wkMakeRoomFrame(int32_t* count);

// The view of a frame.
wkCloudView wkViewOfFrame(const wkFramePoint* frame, int32_t count);

// A cloud of points with a radius; NULL when memory is short.
wkCloud* wkMakeRoomCloud(const wkRoomPoints* room, double radius);

// Distance of the nearest point to a position, of all of them.
double wkRoomPoints_Nearest(const wkRoomPoints* room, wkVec3d position);

#ifdef __cplusplus
}
#endif
