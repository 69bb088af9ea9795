// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The objects around a robot that its members come near. Members are taken by eight: neighbours on a
// robot are neighbours in space, so that one look at the scene serves all eight, and lanes tell them
// apart.

#include "query/map_sieve.h"
#include "robot/robot_scene.h"

// Boxes of eight members, grown by how far each may reach.
typedef struct wkMemberGroup {
    _Alignas(32) float lower[3][WK_BODY_LANES];
    _Alignas(32) float upper[3][WK_BODY_LANES];
} wkMemberGroup;

// A member and an object of the inner scene, by its place, that come near each other.
// @return false to stop
typedef bool wkWorldPairFcn(int32_t member, int32_t place, void* context);

typedef struct wkWorldSearch {
    wkMemberGroup group; // set on the way: the eight that are looked for
    const wkRobotScene* scene;
    const wkRobotState* state; // its crew is placed
    const uint64_t* members;   // only these; NULL: all
    double margin;
    const float* reach; // of each member, >= 0; NULL: none
    wkWorldPairFcn* fcn;
    void* context;
    int32_t first;  // set on the way: of the eight
    unsigned lanes; // set on the way: those of the eight that are looked for
} wkWorldSearch;

// Visits pairs whose boxes are no further apart along each axis than the margin and the reach of the
// member, and that may not touch by the rules.
// @return false when it was stopped
bool wkVisitWorld(wkWorldSearch* search);

// Whether the rules let a member touch an object, and whether somebody is asked about it.
WK_FN bool wkMayTouchPlace(const wkRobotScene* scene, int32_t member, int32_t place)
{
    int32_t object = scene->places[place].object;
    return scene->table.objects[object].hasRules &&
           wkHasBit(wkAllowedSides(scene, object), scene->crew->crew->members[member].side);
}

WK_FN bool wkIsAskedPlace(const wkRobotScene* scene, int32_t member, int32_t place)
{
    int32_t object = scene->places[place].object;
    return scene->table.objects[object].hasRules &&
           wkHasBit(wkAskedSides(scene, object), scene->crew->crew->members[member].side);
}

// Sieves of the maps that were met, kept from pair to pair; all zero at first.
#define WK_SIEVE_COUNT 2
typedef struct wkWorldSieves {
    wkMapSieve sieves[WK_SIEVE_COUNT];
    int32_t places[WK_SIEVE_COUNT];
    int32_t count;
    const wkCubes*
        near; // of the last pair that may be in reach: the cells that are; NULL: not known
} wkWorldSieves;

// False when an object is a map and none of its cells is within reach of a member.
bool wkMayReachPlace(const wkRobotScene* scene, const wkRobotState* state, int32_t member,
                     int32_t place, double reach, wkWorldSieves* sieves);

// Whether the box of a member, as it is turned, is further than the margin from the ball around an
// object, or from the box around it as it is turned.
bool wkIsBeyondObject(const wkRobotScene* scene, const wkRobotState* state, int32_t member,
                      int32_t place, double margin);

// Compiled once per instruction set: a bit for each of eight boxes that a box meets.
typedef unsigned wkMeetGroupFcn(const wkMemberGroup* group, const wkFloatBox* box);
wkMeetGroupFcn* wkMeetGroupOf(wkIsa isa);
wkMeetGroupFcn* wkMeetGroupOfMachine(void);
