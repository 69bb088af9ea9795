// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Validation of definitions of trajectories: what is wrong is named by its waypoint and variable.

#include "base/cookie.h"
#include "base/error.h"
#include "robot/trajectory_impl.h"

#include <string.h>

// A spline's times may be off equal spacing by this share of it.
#define SPACING_TOLERANCE 1e-6
#define LEAST_COUNT 2
#define LEAST_SPLINE_COUNT 4

wkTrajectoryDef wkDefaultTrajectoryDef(void)
{
    wkTrajectoryDef def;
    memset(&def, 0, sizeof def);
    def.cookie = WK_COOKIE(wkTrajectoryDef);
    return def;
}

static wkResult checkArrays(const wkTrajectoryDef* def)
{
    if (def->robot == NULL || def->times == NULL) {
        return wkFail(wk_errorArgument, "trajectory: %s is NULL",
                      def->robot == NULL ? "robot" : "times");
    }
    bool isSpline = def->kind == wk_trajectorySpline;
    if (!isSpline && def->kind != wk_trajectoryWaypoints) {
        return wkFail(wk_errorArgument, "trajectory: kind is %d, which is none", (int)def->kind);
    }
    int32_t least = isSpline ? LEAST_SPLINE_COUNT : LEAST_COUNT;
    if (def->count < least) {
        return wkFail(wk_errorRange, "trajectory: %d waypoints, must be at least %d",
                      (int)def->count, (int)least);
    }
    if (def->variables != NULL &&
        (def->variableCount < 0 || def->variableCount > def->robot->info.variableCount)) {
        return wkFail(wk_errorRange, "trajectory: variableCount is %d, the robot has %d variables",
                      (int)def->variableCount, (int)def->robot->info.variableCount);
    }
    if (def->positions == NULL && wkTrajectoryColumnCount(def) > 0) {
        return wkFail(wk_errorArgument, "trajectory: positions is NULL");
    }
    if (def->accelerations != NULL && def->velocities == NULL) {
        return wkFail(wk_errorArgument, "trajectory: accelerations need velocities");
    }
    if (isSpline && def->velocities != NULL) {
        return wkFail(wk_errorArgument, "trajectory: a spline has no velocities of its own");
    }
    return wk_ok;
}

static wkResult checkTimes(const wkTrajectoryDef* def)
{
    for (int32_t i = 0; i < def->count; ++i) {
        if (!isfinite(def->times[i])) {
            return wkFail(wk_errorNotFinite, "trajectory: waypoint %d: time is %g, must be finite",
                          (int)i, def->times[i]);
        }
        if (fabs(def->times[i]) > WK_LARGEST_TRAJECTORY_NUMBER) {
            return wkFail(wk_errorRange, "trajectory: waypoint %d: time is %g, must be within %g",
                          (int)i, def->times[i], WK_LARGEST_TRAJECTORY_NUMBER);
        }
        if (i > 0 && !(def->times[i] > def->times[i - 1])) {
            return wkFail(wk_errorRange,
                          "trajectory: waypoint %d: time is %.17g, must be above %.17g of the "
                          "waypoint before it",
                          (int)i, def->times[i], def->times[i - 1]);
        }
    }
    double spacing = (def->times[def->count - 1] - def->times[0]) / (double)(def->count - 1);
    for (int32_t i = 1; i < def->count && def->kind == wk_trajectorySpline; ++i) {
        double step = def->times[i] - def->times[i - 1];
        if (!(fabs(step - spacing) <= SPACING_TOLERANCE * spacing)) {
            return wkFail(wk_errorRange,
                          "trajectory: waypoint %d: %g s after the one before it, must be %g as "
                          "between all control points of a spline",
                          (int)i, step, spacing);
        }
    }
    return wk_ok;
}

// Checks that variables exist, that none is there twice, and that rotations have all four numbers.
static wkResult checkVariables(const wkTrajectoryDef* def)
{
    const wkRobot* robot = def->robot;
    int32_t columnCount = wkTrajectoryColumnCount(def);
    for (int32_t i = 0; i < columnCount && def->variables != NULL; ++i) {
        int32_t variable = def->variables[i];
        if (variable < 0 || variable >= robot->info.variableCount) {
            return wkFail(wk_errorRange, "trajectory: variables[%d] is %d, the robot has %d",
                          (int)i, (int)variable, (int)robot->info.variableCount);
        }
        int32_t sameCount = 0, siblingCount = 0;
        for (int32_t k = 0; k < columnCount; ++k) {
            int32_t other = def->variables[k];
            sameCount += other == variable ? 1 : 0;
            bool isSibling = other >= 0 && other < robot->info.variableCount &&
                             robot->variables[other].kind == wk_variableRotation &&
                             robot->variables[other].joint == robot->variables[variable].joint;
            siblingCount += isSibling ? 1 : 0;
        }
        if (sameCount > 1) {
            return wkFail(wk_errorArgument, "trajectory: variable '%s' is there twice",
                          robot->variables[variable].name);
        }
        if (robot->variables[variable].kind == wk_variableRotation && siblingCount != 4) {
            return wkFail(wk_errorArgument,
                          "trajectory: variable '%s' is there without the other three numbers of "
                          "its rotation",
                          robot->variables[variable].name);
        }
    }
    return wk_ok;
}

static wkResult checkNumbers(const wkTrajectoryDef* def, const char* name, const double* numbers)
{
    int32_t columnCount = wkTrajectoryColumnCount(def);
    for (int32_t i = 0; i < def->count && numbers != NULL; ++i) {
        const double* row = &numbers[(size_t)i * (size_t)columnCount];
        for (int32_t k = 0; k < columnCount; ++k) {
            if (fabs(row[k]) <= WK_LARGEST_TRAJECTORY_NUMBER) {
                continue;
            }
            const char* variable = def->robot->variables[wkTrajectoryColumn(def, k)].name;
            return isfinite(row[k])
                       ? wkFail(wk_errorRange,
                                "trajectory: waypoint %d: %s of '%s' is %g, must be within %g",
                                (int)i, name, variable, row[k], WK_LARGEST_TRAJECTORY_NUMBER)
                       : wkFail(wk_errorNotFinite,
                                "trajectory: waypoint %d: %s of '%s' is %g, must be finite", (int)i,
                                name, variable, row[k]);
        }
    }
    return wk_ok;
}

static wkResult checkRest(const wkTrajectoryDef* def)
{
    for (int32_t i = 0; i < def->robot->info.variableCount && def->rest != NULL; ++i) {
        if (!(fabs(def->rest[i]) <= WK_LARGEST_TRAJECTORY_NUMBER)) {
            return wkFail(isfinite(def->rest[i]) ? wk_errorRange : wk_errorNotFinite,
                          "trajectory: rest: variable '%s' is %g, must be finite and within %g",
                          def->robot->variables[i].name, def->rest[i],
                          WK_LARGEST_TRAJECTORY_NUMBER);
        }
    }
    return wk_ok;
}

wkResult wkCheckTrajectoryDef(const wkTrajectoryDef* def)
{
    if (!WK_HAS_COOKIE(def, wkTrajectoryDef)) {
        return WK_FAIL_COOKIE(def, wkTrajectoryDef);
    }
    wkResult result = checkArrays(def);
    result = result == wk_ok ? checkTimes(def) : result;
    result = result == wk_ok ? checkVariables(def) : result;
    result = result == wk_ok ? checkNumbers(def, "position", def->positions) : result;
    result = result == wk_ok ? checkNumbers(def, "velocity", def->velocities) : result;
    result = result == wk_ok ? checkNumbers(def, "acceleration", def->accelerations) : result;
    return result == wk_ok ? checkRest(def) : result;
}
