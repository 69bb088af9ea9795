// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Memory layout of a trajectory: polynomials in the form of Bezier curves, whose control values bound them.

#include "robot/robot_impl.h"
#include "whisker/trajectory.h"

#define WK_MAX_TRAJECTORY_DEGREE 5

// Times and values of waypoints are below this, so that no product overflows.
#define WK_LARGEST_TRAJECTORY_NUMBER 1e60

// One block of memory. A segment goes from one knot to the next one.
struct wkTrajectory {
    const wkRobot* robot;
    size_t byteCount;
    int32_t segmentCount;
    int32_t degree;
    double* knots;    // times, one more than segments
    double* controls; // degree + 1 values for each variable of each segment
    double largest;   // largest magnitude of a control value
};

// Returns the control values of a variable during a segment.
WK_FN double* wkTrajectoryControls(const wkTrajectory* trajectory, int32_t segment,
                                   int32_t variable)
{
    size_t row = (size_t)segment * (size_t)trajectory->robot->info.variableCount + (size_t)variable;
    return &trajectory->controls[row * ((size_t)trajectory->degree + 1)];
}

// Bounds the variables during an interval: of a rotation its first number has the bounds minus and plus the angle by
// which it changes.
// @param from not after `to`, and both finite
void wkTrajectoryRanges(const wkTrajectory* trajectory, double from, double to, double* lower,
                        double* upper);

// Returns a bound on the rounding of times, in seconds.
double wkTrajectoryTimeRounding(const wkTrajectory* trajectory);

// Return how many variables the waypoints of a definition have, and which.
WK_FN int32_t wkTrajectoryColumnCount(const wkTrajectoryDef* def)
{
    return def->variables != NULL ? def->variableCount : def->robot->info.variableCount;
}

WK_FN int32_t wkTrajectoryColumn(const wkTrajectoryDef* def, int32_t column)
{
    return def->variables != NULL ? def->variables[column] : column;
}

// Checks all of a definition that is about single numbers.
wkResult wkCheckTrajectoryDef(const wkTrajectoryDef* def);
