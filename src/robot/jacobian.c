// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// How a point on a link moves with the variables: one column for each, from the joints between the
// link and the root.

#include "robot/state.h"

#include <string.h>

typedef struct columns {
    double* rows;
    size_t stride;
} columns;

static void addColumn(const columns* to, int32_t column, double factor, wkVec3d move, wkVec3d turn)
{
    const double parts[6] = {move.x, move.y, move.z, turn.x, turn.y, turn.z};
    for (size_t k = 0; k < 6; k++) {
        to->rows[k * to->stride + (size_t)column] += factor * parts[k];
    }
}

static void addTurn(const columns* to, int32_t column, double factor, wkVec3d axis, wkVec3d arm)
{
    addColumn(to, column, factor, wkCross(axis, arm), axis);
}

static void addSlide(const columns* to, int32_t column, double factor, wkVec3d direction)
{
    wkVec3d none = {0.0, 0.0, 0.0};
    addColumn(to, column, factor, direction, none);
}

// Adds what one joint does to the point at the end of `arm`, which starts at the joint.
static void addJoint(const wkRobotState* state, int32_t index, wkVec3d arm, const columns* to)
{
    const wkMover* mover = &state->robot->movers[index];
    wkQuat inWorld = state->movers[index].rotation;
    wkQuat parent = state->movers[mover->parent].rotation;
    int32_t column = mover->variable;
    if (mover->type == wk_jointRevolute || mover->type == wk_jointContinuous) {
        addTurn(to, column, mover->factor, wkRotateByQuat(inWorld, mover->axis), arm);
        return;
    }
    if (mover->type == wk_jointPrismatic) {
        addSlide(to, column, mover->factor, wkRotateByQuat(parent, mover->slide[0]));
        return;
    }
    bool isPlanar = mover->type == wk_jointPlanar;
    int slideCount = isPlanar ? 2 : 3;
    for (int k = 0; k < slideCount; k++) {
        wkVec3d direction = wkRotateByQuat(parent, mover->slide[k]);
        addSlide(to, column + k, 1.0, direction);
        if (!isPlanar) {
            addTurn(to, column + 3 + k, 1.0, direction, arm);
        }
    }
    if (isPlanar) {
        addTurn(to, column + 2, 1.0, wkRotateByQuat(inWorld, mover->axis), arm);
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
    for (int32_t i = robot->links[link].mover; i > 0; i = robot->movers[i].parent) {
        addJoint(state, i, wkSub(point, state->movers[i].position), &to);
    }
}
