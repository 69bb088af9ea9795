// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Interpolation between two configurations: linear for lengths and angles between limits, the
// shorter way round for continuous joints and rotations.

#include "math/angle.h"
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

// The rotation from one quaternion to another: an axis times the sine of half its angle.
typedef struct wayRound {
    wkQuat from;
    wkVec3d axis;     // of unit length
    double halfAngle; // from 0 to pi/2
} wayRound;

static wayRound wayBetween(const double* q0, const double* q1)
{
    wkQuat a = wkNormalizeQuat((wkQuat){q0[0], q0[1], q0[2], q0[3]});
    wkQuat b = wkNormalizeQuat((wkQuat){q1[0], q1[1], q1[2], q1[3]});
    wkQuat rotation = wkRelativeQuat(a, b);
    wkVec3d sine = wkVec(rotation.x, rotation.y, rotation.z);
    sine = rotation.w < 0.0 ? wkNeg(sine) : sine;
    double length = wkLength(sine);
    wkVec3d none = {0.0, 0.0, 0.0};
    wayRound way = {a, length > 0.0 ? wkScale(1.0 / length, sine) : none,
                    wkArc(fabs(rotation.w), length)};
    return way;
}

static void interpolateRotation(const double* q0, const double* q1, double t, double* q)
{
    wayRound way = wayBetween(q0, q1);
    double s = 0.0, c = 1.0;
    wkSinCos(t * way.halfAngle, &s, &c);
    wkQuat rotation = {s * way.axis.x, s * way.axis.y, s * way.axis.z, c};
    wkQuat result = wkNormalizeQuat(wkMulQuat(way.from, rotation));
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
