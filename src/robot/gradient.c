// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// From a point toward the root: each joint on the way adds what its variables do to the point.

#include "robot/gradient.h"

// Turning about an axis of the world through a center.
static double rateOfTurn(wkVec3d center, wkVec3d axis, wkVec3d point, wkVec3d direction)
{
    return wkDot(direction, wkCross(axis, wkSub(point, center)));
}

static void addJoint(const wkRobotState* state, int32_t number, wkVec3d point, wkVec3d direction,
                     double* rates)
{
    const wkMover* mover = &state->robot->movers[number];
    const wkPose* pose = &state->movers[number];
    // lengths are laid off in the frame of the parent, and a quaternion turns about its axes
    wkQuat parent = state->movers[mover->parent].rotation;
    double* rate = &rates[mover->variable];
    static const int slideCounts[wk_jointTypeCount] = {
        [wk_jointPrismatic] = 1, [wk_jointPlanar] = 2, [wk_jointFloating] = 3};
    for (int i = 0; i < slideCounts[mover->type]; ++i) {
        wkVec3d way = wkRotateByQuat(parent, mover->slide[i]);
        rate[i] += mover->factor * wkDot(direction, way);
        if (mover->type == wk_jointFloating) {
            rate[3 + i] += rateOfTurn(pose->position, way, point, direction);
        }
    }
    wkVec3d axis = wkRotateByQuat(pose->rotation, mover->axis);
    if (mover->type == wk_jointRevolute || mover->type == wk_jointContinuous) {
        rate[0] += mover->factor * rateOfTurn(pose->position, axis, point, direction);
    } else if (mover->type == wk_jointPlanar) {
        rate[2] += rateOfTurn(pose->position, axis, point, direction);
    }
}

void wkAddRates(const wkRobotState* state, int32_t mover, wkVec3d point, wkVec3d direction,
                double* rates)
{
    for (; mover > 0; mover = state->robot->movers[mover].parent) {
        addJoint(state, mover, point, direction, rates);
    }
}
