// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Two moving bodies: their distance at an instant, and lower bounds of it in an interval.

#include "query/cast/motion_row.h"
#include "whisker/cast.h"

// Where a body is along a direction: its origin, and the direction seen from the body.
typedef struct wkTrackSide {
    double start;  // of the origin, at t = 0
    double along;  // how far it goes on a line
    double chord;  // of the arc around a screw's axis
    double across; // of what is across both
    // the direction in the frame of the body is middle + cos(angle) even + sin(angle) odd
    wkVec3d middle, even, odd;
    double reach; // of a body that does not rotate: its support in that direction; else NaN
} wkTrackSide;

typedef struct wkCastTrack {
    wkTrackSide a;
    wkTrackSide b; // along the opposite direction
} wkCastTrack;

// Two moving bodies. When one of them is a half-space or a plane, A is.
typedef struct wkCastPair {
    const wkShape* a;
    const wkShape* b;
    wkPreparedMotion motionA;
    wkPreparedMotion motionB;
    double reachA; // of the core, from the origin of its frame; infinite: unbounded
    double reachB;
    double size;   // of both shapes, where they are bounded: part of the unit of rounding
    double radii;  // of the spheres around the cores
    double margin; // touching means a distance up to it
    double
        proofMargin; // free is proven above it: not below an overlap of bodies that are not convex
    bool isConvex;   // both are
    bool isDirectional; // gaps along a direction count: both are convex, and B is bounded
    bool isFlatA;       // a half-space or a plane: its normal is the only direction
    bool isTwoSidedA;   // a plane: the other body may be on either side
    bool isSwapped;     // the caller's order is the other one
    bool arePolytopes;  // both: warm starts pay
    bool hasTracks;     // gaps along a direction need no poses (cast_track.h)
    double speed;       // of the origin of B relative to that of A, where there are tracks
    wkPairCache* cache;
} wkCastPair;

// The bodies at an instant, and how far they are apart.
typedef struct wkCastSample {
    double t;
    wkPose poseA;
    wkPose poseB;
    wkVec3d apart; // from the origin of A's frame to that of B's
    bool isMeasured;
    bool isTouching;
    double gap;     // lower bound of the signed distance
    double along;   // gap of the cores along the normal; -infinity: no directions
    wkVec3d normal; // unit
    double side;    // of a plane that B is on: 1 or -1
    wkDistanceResult closest;
} wkCastSample;

// Lower bounds of the distance in an interval between two samples: proven free before `free`, and, where the
// second sample is free, from `freeAgain` on. Free everywhere when `free` is the end.
typedef struct wkCastBound {
    double free;
    double freeAgain;
    bool isApproaching; // the gap along the normal falls below the margin at the end
    double root;        // where the line between the gaps at both ends does; infinity: nowhere
} wkCastBound;

// Prepares a pair of valid shapes and motions.
void wkPrepareCastPair(const wkShape* a, const wkBodyMotion* motionA, const wkShape* b,
                       const wkBodyMotion* motionB, const wkCastRequest* request, wkCastPair* pair);

// Moves both bodies to an instant.
// @return false when a pose is not valid
bool wkPlaceSample(const wkCastPair* pair, double t, wkCastSample* sample);

// Whether both samples agree with the speeds that functions promise.
bool wkAreWithinSpeeds(const wkCastPair* pair, const wkCastSample* from, const wkCastSample* to);

// Finds the times at which spheres around both bodies can touch, where there are tracks: everything before and after is free.
// @param last set to no more than it was
// @return false: at no time
bool wkSpheresMeet(const wkCastPair* pair, double* first, double* last);

// Computes the distance of a placed sample.
// @param track where there are tracks: set to that of the normal, unless the bodies touch
// @return false when the query is not valid
bool wkMeasureSample(const wkCastPair* pair, wkCastSample* sample, wkCastTrack* track);

// Computes the gap of a placed sample along the normal that another one has in the frame of the pair: a lower
// bound of the distance, for the price of two support functions.
// @param track of that normal, where there are tracks
void wkCarryNormal(const wkCastPair* pair, const wkCastSample* from, const wkCastTrack* track,
                   wkCastSample* sample);

// Bounds the distance from the first sample on, along its normal: `to` need not be measured.
wkCastBound wkBoundAlongNormal(const wkCastPair* pair, const wkCastSample* from,
                               const wkCastSample* to);

// The same without a sample: until a time.
// @param track of the normal of the first sample
wkCastBound wkBoundOnTrack(const wkCastPair* pair, const wkCastSample* from,
                           const wkCastTrack* track, double until);

// Bounds the distance between two measured samples that are free, along a direction that follows the normal.
wkCastBound wkBoundBetween(const wkCastPair* pair, const wkCastSample* from,
                           const wkCastSample* to);
