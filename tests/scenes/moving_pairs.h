// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Two bodies that move past or into each other, with motions of every kind.

#include "rng.h"
#include "shapes.h"
#include "whisker/cast.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WK_SCENE_MOTION_COUNT 6
#define WK_SCENE_POSES 6

// A motion with the arrays that it borrows: it must not be copied.
typedef struct wkSceneMotion {
    wkBodyMotion motion;
    wkSplineControl controls[WK_SCENE_POSES];
    wkMotionSample samples[WK_SCENE_POSES];
    wkEndPoses swing; // of the function: to the second pose and back
    double swings;
} wkSceneMotion;

// How far a random motion goes.
typedef struct wkSceneTravel {
    wkVec3d from;
    wkVec3d to;
    double angle; // of its rotations, at most
} wkSceneTravel;

// Makes a motion of a kind (a wkBodyMotionKind from 1 to WK_SCENE_MOTION_COUNT) about the way of the travel.
void wkMakeSceneMotion(wkRng* rng, wkBodyMotionKind kind, const wkSceneTravel* travel,
                       wkSceneMotion* motion);

typedef struct wkMovingPair {
    wkShape a;
    wkShape b;
    wkSceneMotion motionA;
    wkSceneMotion motionB;
    double margin;
} wkMovingPair;

// Makes a pair of shapes of ordinary size that start apart, mostly, and pass each other or collide.
void wkMakeMovingPair(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b,
                      wkMovingPair* pair);

// Makes a pair of shapes of any size and proportion that pass close by each other and rotate by up to half a turn.
void wkMakeCloseMovingPair(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b,
                           wkMovingPair* pair);

// Signed distance of the pair at a time.
wkDistanceResult wkMovingPair_DistanceAt(const wkMovingPair* pair, double t);

// Whether the pair touches at a time, with its margin.
bool wkMovingPair_TouchesAt(const wkMovingPair* pair, double t);

#ifdef __cplusplus
}
#endif
