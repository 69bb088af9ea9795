// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// From a point toward the root: each joint on the way adds what its variables do to the point.

#include "robot/gradient.h"

// Turning about an axis through the origin of a mover.
static double rateOfTurn(const wkPose* mover, wkVec3d axis, wkVec3d point, wkVec3d direction)
{
    wkVec3d way = wkSub(point, mover->position);
    return wkDot(direction, wkCross(wkRotateByQuat(mover->rotation, axis), way));
}

static void addJoint(const wkRobotState* state, int32_t number, wkVec3d point, wkVec3d direction,
                     double* rates)
{
    const wkMover* mover = &state->robot->movers[number];
    const wkPose* pose = &state->movers[number];
    // lengths are laid off in the frame of the parent
    wkQuat parent = state->movers[mover->parent].rotation;
    double* rate = &rates[mover->variable];
    static const int slideCounts[wk_jointTypeCount] = {
        [wk_jointPrismatic] = 1, [wk_jointPlanar] = 2, [wk_jointFloating] = 3};
    for (int i = 0; i < slideCounts[mover->type]; ++i) {
        rate[i] += mover->factor * wkDot(direction, wkRotateByQuat(parent, mover->slide[i]));
    }
    if (mover->type == wk_jointRevolute || mover->type == wk_jointContinuous) {
        rate[0] += mover->factor * rateOfTurn(pose, mover->axis, point, direction);
    } else if (mover->type == wk_jointPlanar) {
        rate[2] += rateOfTurn(pose, mover->axis, point, direction);
    } else if (mover->type == wk_jointFloating) {
        rate[3] += rateOfTurn(pose, wkVec(1.0, 0.0, 0.0), point, direction);
        rate[4] += rateOfTurn(pose, wkVec(0.0, 1.0, 0.0), point, direction);
        rate[5] += rateOfTurn(pose, wkVec(0.0, 0.0, 1.0), point, direction);
    }
}

void wkAddRates(const wkRobotState* state, int32_t mover, wkVec3d point, wkVec3d direction,
                double* rates)
{
    for (; mover > 0; mover = state->robot->movers[mover].parent) {
        addJoint(state, mover, point, direction, rates);
    }
}
