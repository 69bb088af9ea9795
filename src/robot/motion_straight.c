// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The motion from one configuration to another, which wkRobot_Interpolate defines: its rates are the same at all
// times.

#include "math/angle.h"
#include "robot/motion.h"

#include <string.h>

// A motion from one configuration to another.
typedef struct wayBetween {
    const wkRobot* robot;
    const double* q0;
    const double* q1;
} wayBetween;

// Returns the change of a variable on the way.
static double changeOf(const wayBetween* way, int32_t variable)
{
    const wkRobot* robot = way->robot;
    double change = way->q1[variable] - way->q0[variable];
    bool isRevolute = robot->variables[variable].kind == wk_variableContinuous;
    return fabs(isRevolute ? wkShortestAngle(change) : change);
}

// Returns the angle between two quaternions, the shorter way round.
static double angleOf(const double* q0, const double* q1)
{
    wkQuat a = wkNormalizeQuat((wkQuat){q0[0], q0[1], q0[2], q0[3]});
    wkQuat b = wkNormalizeQuat((wkQuat){q1[0], q1[1], q1[2], q1[3]});
    wkQuat angle = wkRelativeQuat(a, b);
    return 2.0 * wkArc(fabs(angle.w), wkLength(wkVec(angle.x, angle.y, angle.z)));
}

void wkSetRigidGroupRates(const wkRobot* robot, const double* q0, const double* q1,
                          double* rotations, double* translations)
{
    wayBetween way = {robot, q0, q1};
    rotations[0] = 0.0;
    translations[0] = 0.0;
    for (int32_t i = 1; i < robot->rigidGroupCount; ++i) {
        const wkRigidGroup* rigidGroup = &robot->rigidGroups[i];
        int32_t v = rigidGroup->variable;
        double changes[4] = {changeOf(&way, v), 0.0, 0.0, 0.0};
        bool isFloating = rigidGroup->type == wk_jointFloating;
        if (isFloating || rigidGroup->type == wk_jointPlanar) {
            changes[1] = changeOf(&way, v + 1);
            changes[2] = changeOf(&way, v + 2);
            changes[3] = isFloating ? angleOf(&q0[v + 3], &q1[v + 3]) : 0.0;
        }
        wkSetJointRates(rigidGroup, changes, &rotations[i], &translations[i]);
    }
}

static void configureStraight(const wkMotion* motion, double time, double* q)
{
    const wkMotionScratch* scratch = &motion->state->motion;
    wkRobot_Interpolate(motion->scene->robot, scratch->q0, scratch->q1, time, q);
}

static double lengthOfStraight(const wkMotion* motion)
{
    const wkMotionScratch* scratch = &motion->state->motion;
    return wkRobot_ConfigurationDistance(motion->scene->robot, scratch->q0, scratch->q1);
}

static const wkMotionPath straightPath = {configureStraight, NULL, lengthOfStraight};

// Returns the largest magnitude; infinite when a value is NaN.
static double largestNumber(const double* q, int32_t count)
{
    double largest = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        largest = wkMaxD(largest, isfinite(q[i]) ? fabs(q[i]) : INFINITY);
    }
    return largest;
}

bool wkBeginMotion(const wkRobotScene* scene, wkRobotState* state, wkPose base, const double* q0,
                   const double* q1, wkMotion* motion)
{
    if (!wkOpenMotion(scene, state, base, &straightPath, motion)) {
        return false;
    }
    const wkRobot* robot = scene->robot;
    const wkMotionScratch* scratch = &state->motion;
    if (robot->info.variableCount > 0) {
        if (q0 == NULL || q1 == NULL) {
            return false;
        }
        memcpy(scratch->q0, q0, (size_t)robot->info.variableCount * sizeof *q0);
        memcpy(scratch->q1, q1, (size_t)robot->info.variableCount * sizeof *q1);
    }
    double largest = wkMaxD(largestNumber(scratch->q0, robot->info.variableCount),
                            largestNumber(scratch->q1, robot->info.variableCount));
    if (!(largest < INFINITY)) {
        return false;
    }
    wkSetRigidGroupRates(robot, scratch->q0, scratch->q1, scratch->rotations,
                         scratch->translations);
    wkSetMoving(motion, largest);
    return true;
}
