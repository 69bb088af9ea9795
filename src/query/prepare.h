// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From a caller's question to a pair in canonical order and the frame of A, and back again. The order
// of the arguments, the world frame, the balls around the cores and rounding are settled here, once.

#include "solve/pair.h"

typedef struct wkPrepared {
    wkPair pair;
    wkFrame worldFromA;
    double radiusA;
    double radiusB;
    double slack;   // metres of rounding, subtracted from every distance
    double ballGap; // lower bound of the cores' distance, from the balls around them
    bool isSwapped; // A and B of the pair are the caller's B and A
    bool isTurned;  // false: worldFromA.rotation is not filled, frame and world have the same axes
} wkPrepared;

// False when a shape or a pose is not valid; nothing else is filled then.
bool wkPreparePair(const wkShape* a, const wkPose* poseA, const wkShape* b, const wkPose* poseB,
                   wkPrepared* prepared);

// Answers the pair with its function from the table.
void wkSolvePrepared(const wkPrepared* prepared, const wkGoal* goal, wkSolution* solution);

// Signed distance of the whole shapes.
WK_FN double wkShapeDistance(const wkPrepared* prepared, double coreDistance)
{
    return coreDistance - (prepared->radiusA + prepared->radiusB) - prepared->slack;
}

// Core distance at which the shapes have the distance `limit`.
WK_FN double wkCoreLimit(const wkPrepared* prepared, double limit)
{
    return limit + (prepared->radiusA + prepared->radiusB) + prepared->slack;
}

WK_FN wkVec3d wkPreparedDirection(const wkPrepared* prepared, wkVec3d direction)
{
    return prepared->isTurned ? wkMulMV(&prepared->worldFromA.rotation, direction) : direction;
}

WK_FN wkVec3d wkPreparedPoint(const wkPrepared* prepared, wkVec3d point)
{
    return wkAdd(wkPreparedDirection(prepared, point), prepared->worldFromA.position);
}
