// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Creation of trajectories: each segment becomes a Bezier curve for each variable. Turns of continuous joints and
// rotations are checked on the way.

#include "base/error.h"
#include "base/memory.h"
#include "math/angle.h"
#include "robot/trajectory_impl.h"

#include <string.h>

// Continuous joints may turn by half a revolution between waypoints, with rounding.
#define HALF_TURN (WK_PI * (1.0 + 1e-12))

static int32_t degreeOf(const wkTrajectoryDef* def)
{
    if (def->kind == wk_trajectorySpline) {
        return 3;
    }
    return def->accelerations != NULL ? 5 : (def->velocities != NULL ? 3 : 1);
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
    size_t columnCount = (size_t)wkTrajectoryColumnCount(cursor->def);
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
                  (int)waypoint,
                  def->robot->variables[wkTrajectoryColumn(def, cursor->column)].name, change);
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
    int32_t variable = wkTrajectoryColumn(def, cursor->column);
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
    int32_t variable = wkTrajectoryColumn(cursor->def, cursor->column);
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
    for (int32_t i = 0; i < wkTrajectoryColumnCount(def); ++i) {
        wkVariableKind kind = robot->variables[wkTrajectoryColumn(def, i)].kind;
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
    bool isFinite = made->largest <= WK_LARGEST_TRAJECTORY_NUMBER;
    return isFinite ? wk_ok
                    : wkFail(wk_errorRange, "trajectory: it goes beyond %g between waypoints",
                             WK_LARGEST_TRAJECTORY_NUMBER);
}

wkResult wkTrajectory_Create(const wkTrajectoryDef* def, wkTrajectory** trajectory)
{
    if (trajectory == NULL) {
        return wkFail(wk_errorArgument, "trajectory: the pointer for it is NULL");
    }
    *trajectory = NULL;
    wkResult result = wkCheckTrajectoryDef(def);
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
