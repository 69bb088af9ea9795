// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The Jacobian of a point on a link: one column for each variable, from the joints between the
// link and the root.

#include "robot/state.h"

#include <string.h>

typedef struct columns {
    double* rows;
    size_t stride;
} columns;

static void addColumn(const columns* to, int32_t column, double factor, wkVec3d move,
                      wkVec3d angular)
{
    const double parts[6] = {move.x, move.y, move.z, angular.x, angular.y, angular.z};
    for (size_t k = 0; k < 6; k++) {
        to->rows[k * to->stride + (size_t)column] += factor * parts[k];
    }
}

static void addRotation(const columns* to, int32_t column, double factor, wkVec3d axis, wkVec3d arm)
{
    addColumn(to, column, factor, wkCross(axis, arm), axis);
}

static void addTranslation(const columns* to, int32_t column, double factor, wkVec3d direction)
{
    wkVec3d none = {0.0, 0.0, 0.0};
    addColumn(to, column, factor, direction, none);
}

// Adds the columns of one joint for the point at the end of `arm`, which starts at the joint.
static void addJoint(const wkRobotState* state, int32_t index, wkVec3d arm, const columns* to)
{
    const wkRigidGroup* rigidGroup = &state->robot->rigidGroups[index];
    wkQuat inWorld = state->rigidGroups[index].rotation;
    wkQuat parent = state->rigidGroups[rigidGroup->parent].rotation;
    int32_t column = rigidGroup->variable;
    if (rigidGroup->type == wk_jointRevolute || rigidGroup->type == wk_jointContinuous) {
        addRotation(to, column, rigidGroup->factor, wkRotateByQuat(inWorld, rigidGroup->axis), arm);
        return;
    }
    if (rigidGroup->type == wk_jointPrismatic) {
        addTranslation(to, column, rigidGroup->factor,
                       wkRotateByQuat(parent, rigidGroup->translation[0]));
        return;
    }
    bool isPlanar = rigidGroup->type == wk_jointPlanar;
    int translationCount = isPlanar ? 2 : 3;
    for (int k = 0; k < translationCount; k++) {
        wkVec3d direction = wkRotateByQuat(parent, rigidGroup->translation[k]);
        addTranslation(to, column + k, 1.0, direction);
        if (!isPlanar) {
            addRotation(to, column + 3 + k, 1.0, direction, arm);
        }
    }
    if (isPlanar) {
        addRotation(to, column + 2, 1.0, wkRotateByQuat(inWorld, rigidGroup->axis), arm);
    }
}

void wkRobotState_Jacobian(const wkRobotState* state, int32_t link, wkVec3d point, double* jacobian)
{
    if (state == NULL || jacobian == NULL) {
        return;
    }
    const wkRobot* robot = state->robot;
    columns to = {jacobian, (size_t)robot->info.variableCount};
    memset(jacobian, 0, 6 * to.stride * sizeof *jacobian);
    if (link < 0 || link >= robot->info.linkCount) {
        return;
    }
    for (int32_t i = robot->links[link].rigidGroup; i > 0; i = robot->rigidGroups[i].parent) {
        addJoint(state, i, wkSub(point, state->rigidGroups[i].position), &to);
    }
}
