// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The objects around a robot that its bodies come near. Bodies are taken by eight: neighbours on a
// robot are neighbours in space, so that one look at the scene serves all eight, and lanes tell them
// apart.

#include "query/map/map_cull.h"
#include "robot/robot_scene_impl.h"

// Boxes of eight bodies, grown by how far each may reach.
typedef struct wkBodyGroup {
    _Alignas(32) float lower[3][WK_BODY_LANES];
    _Alignas(32) float upper[3][WK_BODY_LANES];
} wkBodyGroup;

// A body and an object of the inner scene, by its place, that come near each other.
// @return false to stop
typedef bool wkWorldPairFcn(int32_t body, int32_t slotIndex, void* context);

typedef struct wkWorldSearch {
    wkBodyGroup group; // set on the way: the eight that are looked for
    const wkRobotScene* scene;
    const wkRobotState* state; // its body set is placed
    const uint64_t* bodies;    // only these; NULL: all
    double margin;
    const float* reach; // of each body, >= 0; NULL: none
    wkWorldPairFcn* fcn;
    void* context;
    int32_t first;  // set on the way: of the eight
    unsigned lanes; // set on the way: those of the eight that are looked for
} wkWorldSearch;

// Visits pairs whose boxes are no further apart along each axis than the margin and the reach of the
// body, and that may not touch by the rules.
// @return false when it was stopped
bool wkVisitWorld(wkWorldSearch* search);

// Whether the rules let a body touch an object, and whether somebody is asked about it.
WK_FN bool wkMayTouchSlot(const wkRobotScene* scene, int32_t body, int32_t slotIndex)
{
    int32_t object = scene->slots[slotIndex].object;
    return scene->table.objects[object].hasRules &&
           wkHasBit(wkAllowedSides(scene, object), scene->bodySet->bodySet->bodies[body].side);
}

WK_FN bool wkIsAskedSlot(const wkRobotScene* scene, int32_t body, int32_t slotIndex)
{
    int32_t object = scene->slots[slotIndex].object;
    return scene->table.objects[object].hasRules &&
           wkHasBit(wkAskedSides(scene, object), scene->bodySet->bodySet->bodies[body].side);
}

// Sieves of the maps that were met, kept from pair to pair; all zero at first.
#define WK_CULL_COUNT 2
typedef struct wkWorldSieves {
    wkMapCull sieves[WK_CULL_COUNT];
    int32_t slots[WK_CULL_COUNT];
    int32_t count;
    const wkCubes*
        near; // of the last pair that may be in reach: the cells that are; NULL: not known
} wkWorldSieves;

// False when an object is a map and none of its cells is within reach of a body.
bool wkMayReachSlot(const wkRobotScene* scene, const wkRobotState* state, int32_t body,
                    int32_t slotIndex, double reach, wkWorldSieves* sieves);

// Whether the box of a body, as it is turned, is further than the margin from the sphere around an
// object, or from the box around it as it is turned.
bool wkIsBeyondObject(const wkRobotScene* scene, const wkRobotState* state, int32_t body,
                      int32_t slotIndex, double margin);

// Compiled once per instruction set: a bit for each of eight boxes that a box meets.
typedef unsigned wkMeetGroupFcn(const wkBodyGroup* group, const wkFloatBox* box);
wkMeetGroupFcn* wkMeetGroupOf(wkIsa isa);
wkMeetGroupFcn* wkMeetGroupOfMachine(void);
