// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Default, named and random configurations, and limits.

#include "base/error.h"
#include "base/random.h"
#include "math/angle.h"
#include "robot/kinematics.h"

// Returns zero where the limits allow it, else their middle; with one limit, that limit.
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

static double randomBetween(uint64_t* seed, double lower, double upper)
{
    double share = wkNextShare(seed);
    return wkClamp((1.0 - share) * lower + share * upper, lower, upper);
}

// Draws a value within limits. A missing limit is pi or 1 m from the other one, or from zero.
static double randomVariable(const wkVariableInfo* variable, uint64_t* seed)
{
    double reach = variable->kind == wk_variableLength ? 1.0 : WK_PI;
    double lower = variable->lower, upper = variable->upper;
    if (lower == -INFINITY && upper == INFINITY) {
        return randomBetween(seed, -reach, reach);
    }
    lower = lower == -INFINITY ? wkMinD(-reach, upper - reach) : lower;
    upper = upper == INFINITY ? wkMaxD(reach, lower + reach) : upper;
    return randomBetween(seed, lower, upper);
}

// Draws a uniform rotation: a direction of a sphere in four dimensions.
static void randomRotation(uint64_t* seed, double* q)
{
    double square = 0.0;
    while (!(square > 1e-4 && square <= 1.0)) {
        square = 0.0;
        for (int k = 0; k < 4; k++) {
            q[k] = randomBetween(seed, -1.0, 1.0);
            square += q[k] * q[k];
        }
    }
    double length = sqrt(square);
    for (int k = 0; k < 4; k++) {
        q[k] /= length;
    }
}

void wkRobot_RandomConfiguration(const wkRobot* robot, uint64_t* seed, double* q)
{
    for (int32_t i = 0; robot != NULL && i < robot->info.variableCount; i++) {
        if (robot->variables[i].kind == wk_variableRotation) {
            randomRotation(seed, q + i);
            i += 3;
        } else {
            q[i] = randomVariable(&robot->variables[i], seed);
        }
    }
}

int32_t wkRobot_FindBeyondLimits(const wkRobot* robot, const double* q, double slack)
{
    for (int32_t i = 0; robot != NULL && i < robot->info.variableCount; i++) {
        const wkVariableInfo* variable = &robot->variables[i];
        bool isFinite = q[i] * 0.0 == 0.0;
        if (!isFinite || q[i] < variable->lower - slack || q[i] > variable->upper + slack) {
            return i;
        }
    }
    return -1;
}

// Normalizes a quaternion; zero becomes the identity.
static void clampRotation(double* q)
{
    double largest = 0.0;
    for (int k = 0; k < 4; k++) {
        largest = fabs(q[k]) > largest ? fabs(q[k]) : largest;
    }
    if (largest == 0.0) {
        q[3] = q[3] == 0.0 ? 1.0 : q[3];
        return;
    }
    double square = 0.0;
    for (int k = 0; k < 4; k++) {
        q[k] /= largest;
        square += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++) {
        q[k] /= sqrt(square);
    }
}

static double clampAngle(double angle)
{
    double rotation = wkShortestAngle(angle);
    rotation = rotation > WK_PI ? rotation - 2.0 * WK_PI : rotation;
    return rotation <= -WK_PI ? rotation + 2.0 * WK_PI : rotation;
}

void wkRobot_ClampConfiguration(const wkRobot* robot, double* q)
{
    for (int32_t i = 0; robot != NULL && i < robot->info.variableCount; i++) {
        const wkVariableInfo* variable = &robot->variables[i];
        if (variable->kind == wk_variableRotation) {
            clampRotation(q + i);
            i += 3;
        } else if (variable->kind == wk_variableContinuous) {
            q[i] = clampAngle(q[i]);
        } else {
            q[i] = wkClamp(q[i], variable->lower, variable->upper);
        }
    }
}
