// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Interpolation between two configurations: linear for lengths and angles between limits, the
// shorter way round for continuous joints and rotations.

#include "math/slerp.h"
#include "robot/kinematics.h"

// Interpolates without leaving the interval of the two values, and returns `b` exactly at t = 1: limits that
// both values respect are respected in between. Which value is larger is unpredictable, so nothing branches.
static double between(double a, double b, double t)
{
    double value = a + t * (b - a);
    double kept = wkClamp(value, wkMinD(a, b), wkMaxD(a, b));
    value = t >= 0.0 && t < 1.0 ? kept : value;
    return t == 1.0 ? b : value;
}

// Returns the end of the shorter rotation from `a` to `b`: it differs from `b` by whole revolutions.
static double nearestAngle(double a, double b)
{
    double change = b - a, rotation = wkShortestAngle(change);
    return rotation == change ? b : a + rotation;
}

static wkRotationWay wayBetween(const double* q0, const double* q1)
{
    return wkWayBetween((wkQuat){q0[0], q0[1], q0[2], q0[3]}, (wkQuat){q1[0], q1[1], q1[2], q1[3]});
}

static void interpolateRotation(const double* q0, const double* q1, double t, double* q)
{
    wkRotationWay way = wayBetween(q0, q1);
    wkQuat result = wkRotationAt(&way, t);
    q[0] = result.x;
    q[1] = result.y;
    q[2] = result.z;
    q[3] = result.w;
}

void wkRobot_Interpolate(const wkRobot* robot, const double* q0, const double* q1, double t,
                         double* q)
{
    for (int32_t i = 0; robot != NULL && i < robot->info.variableCount; i++) {
        wkVariableKind kind = robot->variables[i].kind;
        if (kind == wk_variableRotation) {
            interpolateRotation(q0 + i, q1 + i, t, q + i);
            i += 3;
        } else {
            double target = kind == wk_variableContinuous ? nearestAngle(q0[i], q1[i]) : q1[i];
            q[i] = between(q0[i], target, t);
        }
    }
}

double wkRobot_ConfigurationDistance(const wkRobot* robot, const double* q0, const double* q1)
{
    double largest = 0.0;
    for (int32_t i = 0; robot != NULL && i < robot->info.variableCount; i++) {
        wkVariableKind kind = robot->variables[i].kind;
        double change = q1[i] - q0[i];
        if (kind == wk_variableRotation) {
            change = 2.0 * wayBetween(q0 + i, q1 + i).halfAngle;
            i += 3;
        } else if (kind == wk_variableContinuous) {
            change = wkShortestAngle(change);
        }
        // NaN is kept
        largest = fabs(change) > largest || change != change ? fabs(change) : largest;
    }
    return largest;
}
