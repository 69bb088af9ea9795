// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The room of `whisker demo`: floor, walls, a table with things on it, a shelf, a hanging lamp.

#include "picture.h"
#include "whisker/scene.h"

typedef struct wkRoomThing {
    const char* name;
    wkShape shape;
    wkPose pose;
    wkColor color;
    bool isDrawn; // false for walls between the viewpoint and the room
} wkRoomThing;

#define WK_ROOM_CAPACITY 96

typedef struct wkRoom {
    wkRoomThing things[WK_ROOM_CAPACITY];
    int count;
    double scale;
    wkHull* gem; // geometry borrowed by things
    wkMesh* mug;
    wkMesh* bowl;
    wkScene* scene; // of all things, each with its wkRoomThing in `user`
} wkRoom;

// @param scale of all lengths
// @param pedestal edges of a box at the origin, for a robot to stand on; height zero: none
wkResult wkRoom_Create(wkRoom* room, double scale, wkVec3d pedestal);
void wkRoom_Destroy(wkRoom* room);
