// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Walks from a point toward the root: each joint on the way adds the rates of its variables.

#include "robot/gradient.h"

#include "whisker/detail/counts.h"

// Returns the rate for a rotation about an axis of the world through a center.
static double rateOfRotation(wkVec3d center, wkVec3d axis, wkVec3d point, wkVec3d direction)
{
    return wkDot(direction, wkCross(axis, wkSub(point, center)));
}

static void addJoint(const wkRobotState* state, int32_t number, wkVec3d point, wkVec3d direction,
                     double* rates)
{
    const wkRigidGroup* rigidGroup = &state->robot->rigidGroups[number];
    const wkPose* pose = &state->rigidGroups[number];
    // translations are along directions of the parent frame, and a quaternion rotates about its axes
    wkQuat parent = state->rigidGroups[rigidGroup->parent].rotation;
    double* rate = &rates[rigidGroup->variable];
    static const int translationCounts[WK_JOINT_TYPE_COUNT] = {
        [wk_jointPrismatic] = 1, [wk_jointPlanar] = 2, [wk_jointFloating] = 3};
    for (int i = 0; i < translationCounts[rigidGroup->type]; ++i) {
        wkVec3d way = wkRotateByQuat(parent, rigidGroup->translation[i]);
        rate[i] += rigidGroup->factor * wkDot(direction, way);
        if (rigidGroup->type == wk_jointFloating) {
            rate[3 + i] += rateOfRotation(pose->position, way, point, direction);
        }
    }
    wkVec3d axis = wkRotateByQuat(pose->rotation, rigidGroup->axis);
    if (rigidGroup->type == wk_jointRevolute || rigidGroup->type == wk_jointContinuous) {
        rate[0] += rigidGroup->factor * rateOfRotation(pose->position, axis, point, direction);
    } else if (rigidGroup->type == wk_jointPlanar) {
        rate[2] += rateOfRotation(pose->position, axis, point, direction);
    }
}

void wkAddRates(const wkRobotState* state, int32_t rigidGroup, wkVec3d point, wkVec3d direction,
                double* rates)
{
    for (; rigidGroup > 0; rigidGroup = state->robot->rigidGroups[rigidGroup].parent) {
        addJoint(state, rigidGroup, point, direction, rates);
    }
}
