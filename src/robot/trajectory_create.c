// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Creation of trajectories: what is not valid is refused by its waypoint and variable, and each segment becomes a
// Bezier curve for each variable.

#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/angle.h"
#include "robot/trajectory_impl.h"

#include <string.h>

// A spline's times may be off equal spacing by this share of it.
#define SPACING_TOLERANCE 1e-6
// Times and values of waypoints are below this, so that no product overflows.
#define LARGEST_NUMBER 1e60
// Continuous joints may turn by half a revolution between waypoints, with rounding.
#define HALF_TURN (WK_PI * (1.0 + 1e-12))

#define LEAST_COUNT 2
#define LEAST_SPLINE_COUNT 4

wkTrajectoryDef wkDefaultTrajectoryDef(void)
{
    wkTrajectoryDef def;
    memset(&def, 0, sizeof def);
    def.cookie = WK_COOKIE(wkTrajectoryDef);
    return def;
}

static int32_t columnCountOf(const wkTrajectoryDef* def)
{
    return def->variables != NULL ? def->variableCount : def->robot->info.variableCount;
}

static int32_t variableOf(const wkTrajectoryDef* def, int32_t column)
{
    return def->variables != NULL ? def->variables[column] : column;
}

static int32_t degreeOf(const wkTrajectoryDef* def)
{
    if (def->kind == wk_trajectorySpline) {
        return 3;
    }
    return def->accelerations != NULL ? 5 : (def->velocities != NULL ? 3 : 1);
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
    if (def->positions == NULL && columnCountOf(def) > 0) {
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
        if (fabs(def->times[i]) > LARGEST_NUMBER) {
            return wkFail(wk_errorRange, "trajectory: waypoint %d: time is %g, must be within %g",
                          (int)i, def->times[i], LARGEST_NUMBER);
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
    int32_t columnCount = columnCountOf(def);
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
    int32_t columnCount = columnCountOf(def);
    for (int32_t i = 0; i < def->count && numbers != NULL; ++i) {
        const double* row = &numbers[(size_t)i * (size_t)columnCount];
        for (int32_t k = 0; k < columnCount; ++k) {
            if (fabs(row[k]) <= LARGEST_NUMBER) {
                continue;
            }
            const char* variable = def->robot->variables[variableOf(def, k)].name;
            return isfinite(row[k])
                       ? wkFail(wk_errorRange,
                                "trajectory: waypoint %d: %s of '%s' is %g, must be within %g",
                                (int)i, name, variable, row[k], LARGEST_NUMBER)
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
        if (!(fabs(def->rest[i]) <= LARGEST_NUMBER)) {
            return wkFail(isfinite(def->rest[i]) ? wk_errorRange : wk_errorNotFinite,
                          "trajectory: rest: variable '%s' is %g, must be finite and within %g",
                          def->robot->variables[i].name, def->rest[i], LARGEST_NUMBER);
        }
    }
    return wk_ok;
}

static wkResult checkDef(const wkTrajectoryDef* def)
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

// Allocates a trajectory whose variables rest.
static wkTrajectory* allocate(const wkTrajectoryDef* def)
{
    int32_t degree = degreeOf(def), skipped = def->kind == wk_trajectorySpline ? 3 : 1;
    size_t segmentCount = (size_t)(def->count - skipped);
    size_t variableCount = (size_t)def->robot->info.variableCount;
    size_t controlCount = segmentCount * variableCount * ((size_t)degree + 1);
    size_t byteCount = sizeof(wkTrajectory) + (segmentCount + 1 + controlCount) * sizeof(double);
    wkTrajectory* made = (wkTrajectory*)wkAlloc(byteCount);
    if (made == NULL) {
        return NULL;
    }
    memset(made, 0, byteCount);
    made->robot = def->robot;
    made->byteCount = byteCount;
    made->segmentCount = (int32_t)segmentCount;
    made->degree = degree;
    made->knots = (double*)(made + 1);
    made->controls = made->knots + segmentCount + 1;
    const double* times = def->times + (def->kind == wk_trajectorySpline ? 1 : 0);
    memcpy(made->knots, times, (segmentCount + 1) * sizeof *times);
    return made;
}

static void restAll(const wkTrajectoryDef* def, wkTrajectory* made)
{
    // the first control value of each variable holds the default meanwhile
    if (def->rest == NULL && made->robot->info.variableCount > 0) {
        wkRobot_DefaultConfiguration(made->robot, made->controls);
    }
    for (int32_t v = made->robot->info.variableCount - 1; v >= 0; --v) {
        double value = def->rest != NULL ? def->rest[v] : made->controls[v];
        for (int32_t segment = 0; segment < made->segmentCount; ++segment) {
            double* controls = wkTrajectoryControls(made, segment, v);
            for (int32_t k = 0; k <= made->degree; ++k) {
                controls[k] = value;
            }
        }
    }
}

// The numbers of one variable, waypoint by waypoint. Angles of continuous joints are continuous.
typedef struct columnCursor {
    const wkTrajectoryDef* def;
    int32_t column;
    bool isContinuous;
} columnCursor;

static double numberAt(const columnCursor* cursor, const double* numbers, int32_t waypoint)
{
    size_t columnCount = (size_t)columnCountOf(cursor->def);
    return numbers[(size_t)waypoint * columnCount + (size_t)cursor->column];
}

// Returns the position of a waypoint that is nearest to the one before it: it differs from the number by whole
// revolutions.
static double nearestTo(const columnCursor* cursor, double before, int32_t waypoint)
{
    double value = numberAt(cursor, cursor->def->positions, waypoint);
    if (!cursor->isContinuous || !cursor->def->takesShorterWay) {
        return value;
    }
    double revolutions = rint((before - value) * (0.5 / WK_PI));
    return revolutions != 0.0 ? value + revolutions * (2.0 * WK_PI) : value;
}

static wkResult checkTurn(const columnCursor* cursor, double before, double after, int32_t waypoint)
{
    double change = fabs(after - before);
    if (!cursor->isContinuous || change <= HALF_TURN) {
        return wk_ok;
    }
    const wkTrajectoryDef* def = cursor->def;
    return wkFail(wk_errorArgument,
                  "trajectory: waypoint %d: continuous '%s' turns by %g rad, must be at most pi, "
                  "unless takesShorterWay",
                  (int)waypoint, def->robot->variables[variableOf(def, cursor->column)].name,
                  change);
}

// Bezier control values of the polynomial between two waypoints with the given derivatives.
static void setHermite(const columnCursor* cursor, int32_t segment, double before, double after,
                       int32_t degree, double* controls)
{
    const wkTrajectoryDef* def = cursor->def;
    controls[0] = before;
    controls[degree] = after;
    if (degree == 1) {
        return;
    }
    double time = def->times[segment + 1] - def->times[segment];
    double reach = time / (double)degree;
    double v0 = numberAt(cursor, def->velocities, segment);
    double v1 = numberAt(cursor, def->velocities, segment + 1);
    controls[1] = before + v0 * reach;
    controls[degree - 1] = after - v1 * reach;
    if (degree == 5) {
        double a0 = numberAt(cursor, def->accelerations, segment);
        double a1 = numberAt(cursor, def->accelerations, segment + 1);
        double bend = time * time / 20.0;
        controls[2] = before + 2.0 * v0 * reach + a0 * bend;
        controls[3] = after - 2.0 * v1 * reach + a1 * bend;
    }
}

// The same of a piece of a uniform cubic B-spline with four control points. Equal points give equal values.
static void setSpline(const double points[4], double* controls)
{
    double step = points[2] - points[1];
    controls[0] = points[1] + (points[0] - 2.0 * points[1] + points[2]) / 6.0;
    controls[1] = points[1] + step / 3.0;
    controls[2] = points[2] - step / 3.0;
    controls[3] = points[2] + (points[1] - 2.0 * points[2] + points[3]) / 6.0;
}

static wkResult fillColumn(const columnCursor* cursor, wkTrajectory* made)
{
    const wkTrajectoryDef* def = cursor->def;
    int32_t variable = variableOf(def, cursor->column);
    double points[4] = {0.0, 0.0, 0.0, 0.0};
    for (int32_t i = 0; i < def->count; ++i) {
        double before = points[3];
        memmove(points, points + 1, 3 * sizeof *points);
        points[3] = i > 0 ? nearestTo(cursor, before, i) : numberAt(cursor, def->positions, i);
        wkResult result = i > 0 ? checkTurn(cursor, before, points[3], i) : wk_ok;
        if (result != wk_ok) {
            return result;
        }
        if (def->kind == wk_trajectoryWaypoints && i > 0) {
            setHermite(cursor, i - 1, before, points[3], made->degree,
                       wkTrajectoryControls(made, i - 1, variable));
        } else if (def->kind == wk_trajectorySpline && i >= 3) {
            setSpline(points, wkTrajectoryControls(made, i - 3, variable));
        }
    }
    return wk_ok;
}

// Rotations have no polynomials: apart from linear trajectories they must not change.
static wkResult checkRotation(const columnCursor* cursor, const wkTrajectory* made)
{
    int32_t variable = variableOf(cursor->def, cursor->column);
    double value = *wkTrajectoryControls(made, 0, variable);
    for (int32_t segment = 0; segment < made->segmentCount && made->degree > 1; ++segment) {
        const double* controls = wkTrajectoryControls(made, segment, variable);
        for (int32_t k = 0; k <= made->degree; ++k) {
            if (controls[k] != value) {
                return wkFail(wk_errorUnsupported,
                              "trajectory: waypoint %d: '%s' changes, which rotations can in "
                              "linear trajectories alone",
                              (int)segment + 1, made->robot->variables[variable].name);
            }
        }
    }
    return wk_ok;
}

// Checks that the numbers of a rotation are one at every waypoint.
static wkResult checkQuaternion(const wkTrajectory* made, int32_t variable)
{
    for (int32_t segment = 0; segment < made->segmentCount; ++segment) {
        for (int32_t end = 0; end < 2; ++end) {
            double square = 0.0;
            for (int32_t i = 0; i < 4; ++i) {
                double part = wkTrajectoryControls(made, segment, variable + i)[end * made->degree];
                square += part * part;
            }
            if (!(square > 0.0 && square < INFINITY)) {
                return wkFail(
                    wk_errorRange, "trajectory: waypoint %d: the rotation of '%s' has length %g",
                    (int)(segment + end), made->robot->variables[variable].name, sqrt(square));
            }
        }
    }
    return wk_ok;
}

static wkResult fill(const wkTrajectoryDef* def, wkTrajectory* made)
{
    const wkRobot* robot = def->robot;
    restAll(def, made);
    for (int32_t i = 0; i < columnCountOf(def); ++i) {
        wkVariableKind kind = robot->variables[variableOf(def, i)].kind;
        columnCursor cursor = {def, i, kind == wk_variableContinuous};
        wkResult result = fillColumn(&cursor, made);
        if (result == wk_ok && kind == wk_variableRotation) {
            result = checkRotation(&cursor, made);
        }
        if (result != wk_ok) {
            return result;
        }
    }
    for (int32_t v = 0; v < robot->info.variableCount; ++v) {
        if (robot->variables[v].kind == wk_variableRotation) {
            wkResult result = checkQuaternion(made, v);
            if (result != wk_ok) {
                return result;
            }
            v += 3;
        }
    }
    size_t controlCount =
        (size_t)made->segmentCount * (size_t)robot->info.variableCount * ((size_t)made->degree + 1);
    for (size_t i = 0; i < controlCount; ++i) {
        made->largest = wkMaxD(made->largest, fabs(made->controls[i]));
    }
    bool isFinite = made->largest <= LARGEST_NUMBER;
    return isFinite ? wk_ok
                    : wkFail(wk_errorRange, "trajectory: it goes beyond %g between waypoints",
                             LARGEST_NUMBER);
}

wkResult wkTrajectory_Create(const wkTrajectoryDef* def, wkTrajectory** trajectory)
{
    if (trajectory == NULL) {
        return wkFail(wk_errorArgument, "trajectory: the pointer for it is NULL");
    }
    *trajectory = NULL;
    wkResult result = checkDef(def);
    if (result != wk_ok) {
        return result;
    }
    wkTrajectory* made = allocate(def);
    if (made == NULL) {
        return wkFail(wk_errorMemory, "trajectory: no memory for %d waypoints", (int)def->count);
    }
    result = fill(def, made);
    if (result != wk_ok) {
        wkTrajectory_Destroy(made);
        return result;
    }
    *trajectory = made;
    return wk_ok;
}

void wkTrajectory_Destroy(wkTrajectory* trajectory)
{
    if (trajectory != NULL) {
        wkFree(trajectory, trajectory->byteCount);
    }
}
