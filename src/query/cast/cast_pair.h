// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Two moving bodies: their distance at an instant, and lower bounds of it in an interval.

#include "query/cast/motion_row.h"
#include "whisker/cast.h"

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
} wkCastBound;

// Prepares a pair of valid shapes and motions.
void wkPrepareCastPair(const wkShape* a, const wkBodyMotion* motionA, const wkShape* b,
                       const wkBodyMotion* motionB, const wkCastRequest* request, wkCastPair* pair);

// Moves both bodies to an instant.
// @return false when a pose is not valid
bool wkPlaceSample(const wkCastPair* pair, double t, wkCastSample* sample);

// Whether both samples agree with the speeds that functions promise.
bool wkAreWithinSpeeds(const wkCastPair* pair, const wkCastSample* from, const wkCastSample* to);

// Computes the distance of a placed sample.
// @return false when the query is not valid
bool wkMeasureSample(const wkCastPair* pair, wkCastSample* sample);

// Computes the gap of a placed sample along the normal that another one has in the frame of the pair: a lower
// bound of the distance, for the price of two support functions.
void wkCarryNormal(const wkCastPair* pair, const wkCastSample* from, wkCastSample* sample);

// Bounds the distance from the first sample on, along its normal: `to` need not be measured.
wkCastBound wkBoundAlongNormal(const wkCastPair* pair, const wkCastSample* from,
                               const wkCastSample* to);

// Bounds the distance between two measured samples that are free, along a direction that follows the normal.
wkCastBound wkBoundBetween(const wkCastPair* pair, const wkCastSample* from,
                           const wkCastSample* to);
