// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Where the members of a crew are, and which of them are near each other.

#include "bv/float_box.h"
#include "robot/crew.h"

#include <stdlib.h>

static wkPose poseOfMember(const wkCrewMember* member, const wkRobotState* state)
{
    return state->hasGivenLinks ? wkMulPose(state->links[member->link], member->inLink)
                                : wkMulPose(state->movers[member->mover], member->inMover);
}

static void setPlacedBox(const wkCrewMember* member, wkVec3d origin, wkPlaced* placed, int32_t i)
{
    wkFrame frame = wkFrameFromPose(placed->poses[i]);
    wkVec3d middle = wkFramePoint(&frame, member->middle), half = member->half;
    bool isBounded = half.x < INFINITY && half.y < INFINITY && half.z < INFINITY;
    for (int axis = 0; axis < 3; ++axis) {
        double reach = fabs(wkAlongAxis(&frame.rotation.x, axis)) * half.x +
                       fabs(wkAlongAxis(&frame.rotation.y, axis)) * half.y +
                       fabs(wkAlongAxis(&frame.rotation.z, axis)) * half.z;
        double at = wkAlongAxis(&middle, axis) - wkAlongAxis(&origin, axis);
        double slack = 1e-14 * (fabs(wkAlongAxis(&middle, axis)) + reach);
        placed->lower[axis][i] = isBounded ? wkFloatBelow(at - reach - slack) : -INFINITY;
        placed->upper[axis][i] = isBounded ? wkFloatAbove(at + reach + slack) : INFINITY;
        if (member->isEmpty) {
            placed->lower[axis][i] = INFINITY;
            placed->upper[axis][i] = -INFINITY;
        }
    }
}

void wkPlaceCrew(const wkCrew* crew, wkRobotState* state)
{
    for (int32_t i = 0; i < crew->count; ++i) {
        state->placed.poses[i] = poseOfMember(&crew->members[i], state);
        setPlacedBox(&crew->members[i], crew->origin, &state->placed, i);
    }
    state->placed.count = crew->count;
}

static wkFloatBox boxOf(const wkRobotState* state, int32_t i)
{
    wkFloatBox box;
    for (int axis = 0; axis < 3; ++axis) {
        box.lower[axis] = state->placed.lower[axis][i];
        box.upper[axis] = state->placed.upper[axis][i];
    }
    return box;
}

bool wkVisitCrewPairs(const wkCrew* crew, const wkRobotState* state, double margin,
                      const float* reach, wkCrewPairFcn* fcn, void* context)
{
    for (int32_t a = 0; a < crew->count; ++a) {
        wkFloatBox boxA = boxOf(state, a);
        for (int32_t b = a + 1; b < crew->count; ++b) {
            wkFloatBox boxB = boxOf(state, b);
            double limit = margin + (reach != NULL ? (double)reach[a] + (double)reach[b] : 0.0);
            if (wkIsCheckedPair(crew, a, b) && wkFloatBoxGap(&boxA, &boxB) <= limit &&
                !fcn(a, b, context)) {
                return false;
            }
        }
    }
    return true;
}

bool wkVisitNearCrewPairs(const wkCrew* crew, const wkRobotState* state, const double* limit,
                          wkCrewPairFcn* fcn, void* context)
{
    return wkVisitCrewPairs(crew, state, *limit, NULL, fcn, context);
}
