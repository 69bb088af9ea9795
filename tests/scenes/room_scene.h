// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A furnished room, and what a depth camera sees of it: scans for occupancy maps.

#include "rng.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WK_ROOM_BOXES 24
#define WK_ROOM_SPHERES 12

// A box that stands on the floor.
typedef struct wkRoomBox {
    double cosine; // of its turn about z
    double sine;
    wkVec3d center;
    wkVec3d half;
} wkRoomBox;

typedef struct wkRoomSphere {
    wkVec3d center;
    double radius;
} wkRoomSphere;

typedef struct wkRoomScene {
    wkVec3d lower;
    wkVec3d upper;
    wkRoomBox boxes[WK_ROOM_BOXES];
    wkRoomSphere spheres[WK_ROOM_SPHERES];
} wkRoomScene;

// Where a camera is and where it looks.
typedef struct wkRoomView {
    wkVec3d eye;
    double yaw; // about z, from x
    int width;  // pixels, at the angles of 640 x 480
    int height;
    double noise;  // standard deviation of ranges
    uint64_t seed; // of the noise
} wkRoomView;

wkRoomScene wkMakeRoom(void);

// From the wall, along x, 640 x 480 pixels.
wkRoomView wkMakeRoomView(void);

// How far the room reaches from a place along a unit direction.
double wkRoom_Cast(const wkRoomScene* room, wkVec3d from, wkVec3d direction);

// Points that a camera sees, in the room: x, y, z of each pixel.
void wkRoom_See(const wkRoomScene* room, const wkRoomView* view, float* points);

#ifdef __cplusplus
}
#endif
