// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Finds objects around a robot that are near its bodies. Bodies are taken eight at a time: bodies with close
// indices are close in space, so one traversal of the scene serves all eight, and SIMD lanes test each
// body separately.

#include "query/pair/content_cull.h"
#include "robot/robot_scene_impl.h"

// Called for a body and an object of the inner scene, by slot index, that are near each other.
// @return false to stop
typedef bool wkWorldPairFcn(int32_t body, int32_t slotIndex, void* context);

typedef struct wkWorldSearch {
    wkEightBoxes
        group; // set during the search: boxes of the current eight bodies, each grown by its reach
    const wkRobotScene* scene;
    const wkRobotState* state; // its body set is placed
    const uint64_t* bodies;    // only these; NULL: all
    double margin;
    const float* reach; // of each body, >= 0; NULL: none
    wkWorldPairFcn* fcn;
    void* context;
    int32_t first;  // set during the search: first of the eight bodies
    unsigned lanes; // set during the search: bit mask of the bodies to test
    int32_t
        culled; // set during the search: slot index of the object that `cull` is placed for; -1: none
    wkGroupCull cull;
} wkWorldSearch;

// Visits pairs whose boxes are no further apart along each axis than the margin plus the reach of the
// body, and that the rules do not allow to touch. Bodies with no content of an object that near are left out.
// @return false when it was stopped
bool wkVisitWorld(wkWorldSearch* search);

// Return whether the rules let a body touch an object, and whether a contact callback decides about it.
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

// Culls by the content of objects that were met, kept between pairs; all zero initially.
#define WK_CULL_COUNT 2
typedef struct wkWorldCulls {
    wkBoxCull culls[WK_CULL_COUNT];
    int32_t slots[WK_CULL_COUNT];
    int32_t count;
    const wkBoxCull* passed; // that passed the last pair that may be in reach; NULL: none
} wkWorldCulls;

// Returns false when an object culls by its content and none of that is within reach of a body.
bool wkMayReachSlot(const wkRobotScene* scene, const wkRobotState* state, int32_t body,
                    int32_t slotIndex, double reach, wkWorldCulls* culls);

// Returns whether the oriented box of a body is further than the margin from the bounding sphere of an
// object, or from its oriented box.
bool wkIsBeyondObject(const wkRobotScene* scene, const wkRobotState* state, int32_t body,
                      int32_t slotIndex, double margin);

// Compiled once per instruction set: returns a bit for each of the eight boxes that `box` meets.
typedef unsigned wkMeetGroupFcn(const wkEightBoxes* group, const wkFloatBox* box);
wkMeetGroupFcn* wkMeetGroupOf(wkIsa isa);
wkMeetGroupFcn* wkMeetGroupOfMachine(void);
