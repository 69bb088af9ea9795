// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Configurations: where to start, what the limits allow, and the way from one to another.

#include "base/error.h"
#include "math/angle.h"
#include "robot/kinematics.h"

// Zero where the limits allow it. The middle of half a line is its end.
static double defaultOf(const wkVariableInfo* variable)
{
    if (variable->lower <= 0.0 && variable->upper >= 0.0) {
        return 0.0;
    }
    if (variable->upper < INFINITY && variable->lower > -INFINITY) {
        return 0.5 * variable->lower + 0.5 * variable->upper;
    }
    return variable->lower > 0.0 ? variable->lower : variable->upper;
}

// True for the last number of a quaternion, w.
static bool isQuatEnd(const wkRobot* robot, int32_t variable)
{
    const wkVariableInfo* info = &robot->variables[variable];
    bool isRotation = info->kind == wk_variableRotation;
    return isRotation && variable == robot->joints[info->joint].firstVariable + 6;
}

void wkRobot_DefaultConfiguration(const wkRobot* robot, double* q)
{
    for (int32_t i = 0; robot != NULL && i < robot->info.variableCount; i++) {
        q[i] = isQuatEnd(robot, i) ? 1.0 : defaultOf(&robot->variables[i]);
    }
}

wkResult wkRobot_ApplyNamedState(const wkRobot* robot, int32_t state, double* q)
{
    if (robot == NULL || q == NULL || state < 0 || state >= robot->info.stateCount) {
        return wkFail(wk_errorArgument, "robot: there is no named state %d", (int)state);
    }
    const wkNamedStateInfo* named = &robot->states[state];
    for (int32_t i = 0; i < named->count; i++) {
        q[named->variables[i]] = named->values[i];
    }
    return wk_ok;
}
