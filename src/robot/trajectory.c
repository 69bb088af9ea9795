// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Configurations of a trajectory and bounds on them. A polynomial lies between its least and its greatest Bezier
// control value; the control values of a part of it are blossoms (Ramshaw 1989), and get as near to the curve as
// the square of the length of the part.

#include "math/angle.h"
#include "math/slerp.h"
#include "robot/trajectory_impl.h"

#include <float.h>
#include <string.h>

// More than the rounding of a value or a blossom, relative to the control values.
#define VALUE_ROUNDING 8e-15
// The same of a position within a segment, which is between 0 and 1.
#define PART_ROUNDING 4e-16
// The same of products of a rate.
#define RATE_ROUNDING 1e-12
// Parts of a segment are not halved further in the search for a limit.
#define LIMIT_DEPTH 48

wkTrajectoryInfo wkTrajectory_Info(const wkTrajectory* trajectory)
{
    wkTrajectoryInfo info;
    memset(&info, 0, sizeof info);
    if (trajectory != NULL) {
        info.robot = trajectory->robot;
        info.start = trajectory->knots[0];
        info.end = trajectory->knots[trajectory->segmentCount];
        info.segmentCount = trajectory->segmentCount;
        info.degree = trajectory->degree;
        info.variableCount = trajectory->robot->info.variableCount;
        info.byteCount = trajectory->byteCount;
    }
    return info;
}

double wkTrajectoryTimeRounding(const wkTrajectory* trajectory)
{
    const double* knots = trajectory->knots;
    double largest = wkMaxD(fabs(knots[0]), fabs(knots[trajectory->segmentCount]));
    return 4.0 * DBL_EPSILON * largest;
}

// Returns the last segment that starts at a time or before it; the first one for earlier times.
static int32_t segmentAt(const wkTrajectory* trajectory, double time)
{
    int32_t first = 0, last = trajectory->segmentCount;
    while (last - first > 1) {
        int32_t middle = first + (last - first) / 2;
        if (trajectory->knots[middle] <= time) {
            first = middle;
        } else {
            last = middle;
        }
    }
    return first;
}

// Returns where a time is within a segment, from 0 to 1.
static double partOf(const wkTrajectory* trajectory, int32_t segment, double time)
{
    const double* knots = &trajectory->knots[segment];
    return wkClamp((time - knots[0]) / (knots[1] - knots[0]), 0.0, 1.0);
}

typedef struct range {
    double lower;
    double upper;
} range;

static range rangeOfControls(const double* controls, int32_t degree)
{
    range r = {controls[0], controls[0]};
    for (int32_t k = 1; k <= degree; ++k) {
        r.lower = wkMinD(r.lower, controls[k]);
        r.upper = wkMaxD(r.upper, controls[k]);
    }
    return r;
}

// Returns control value `index` of the part from `from` to `to` of a curve.
static double blossom(const double* controls, int32_t degree, int32_t index, double from, double to)
{
    double values[WK_MAX_TRAJECTORY_DEGREE + 1] = {0.0};
    memcpy(values, controls, ((size_t)degree + 1) * sizeof *values);
    for (int32_t level = 0; level < degree; ++level) {
        double part = level < index ? to : from;
        for (int32_t k = 0; k < degree - level; ++k) {
            values[k] = (1.0 - part) * values[k] + part * values[k + 1];
        }
    }
    return values[0];
}

static range rangeOfPart(const double* controls, int32_t degree, double from, double to)
{
    range all = rangeOfControls(controls, degree);
    if (all.lower == all.upper || (from <= 0.0 && to >= 1.0)) {
        return all;
    }
    double values[WK_MAX_TRAJECTORY_DEGREE + 1] = {0.0};
    for (int32_t k = 0; k <= degree; ++k) {
        values[k] = blossom(controls, degree, k, from, to);
    }
    range r = rangeOfControls(values, degree);
    double slack = VALUE_ROUNDING * wkMaxD(fabs(all.lower), fabs(all.upper));
    r.lower = wkMaxD(r.lower - slack, all.lower);
    r.upper = wkMinD(r.upper + slack, all.upper);
    return r;
}

static double valueAt(const double* controls, int32_t degree, double part)
{
    range all = rangeOfControls(controls, degree);
    return wkClamp(blossom(controls, degree, 0, part, part), all.lower, all.upper);
}

// Returns a rotation at an end of a segment.
static wkQuat rotationAtEnd(const wkTrajectory* trajectory, int32_t segment, int32_t variable,
                            bool isLast)
{
    double numbers[4];
    for (int32_t i = 0; i < 4; ++i) {
        const double* controls = wkTrajectoryControls(trajectory, segment, variable + i);
        numbers[i] = controls[isLast ? trajectory->degree : 0];
    }
    return (wkQuat){numbers[0], numbers[1], numbers[2], numbers[3]};
}

static wkRotationWay rotationWay(const wkTrajectory* trajectory, int32_t segment, int32_t variable)
{
    return wkWayBetween(rotationAtEnd(trajectory, segment, variable, false),
                        rotationAtEnd(trajectory, segment, variable, true));
}

void wkTrajectory_At(const wkTrajectory* trajectory, double time, double* q)
{
    const wkRobot* robot = trajectory->robot;
    int32_t segment = segmentAt(trajectory, time);
    double part = time == time ? partOf(trajectory, segment, time) : NAN;
    for (int32_t v = 0; v < robot->info.variableCount; ++v) {
        if (part != part) {
            q[v] = NAN;
        } else if (robot->variables[v].kind == wk_variableRotation) {
            wkRotationWay way = rotationWay(trajectory, segment, v);
            wkQuat rotation = wkRotationAt(&way, part);
            q[v] = rotation.x;
            q[v + 1] = rotation.y;
            q[v + 2] = rotation.z;
            q[v + 3] = rotation.w;
            v += 3;
        } else {
            q[v] = valueAt(wkTrajectoryControls(trajectory, segment, v), trajectory->degree, part);
        }
    }
}

// A segment of an interval, and the part of it that is in the interval.
typedef struct segmentPart {
    int32_t segment;
    double from;
    double to;
} segmentPart;

static segmentPart partBetween(const wkTrajectory* trajectory, int32_t segment, double from,
                               double to)
{
    segmentPart part = {segment, partOf(trajectory, segment, from) - PART_ROUNDING,
                        partOf(trajectory, segment, to) + PART_ROUNDING};
    part.from = wkMaxD(part.from, 0.0);
    part.to = wkMinD(part.to, 1.0);
    return part;
}

static void addRange(const wkTrajectory* trajectory, const segmentPart* part, bool isFirst,
                     double* lower, double* upper)
{
    const wkRobot* robot = trajectory->robot;
    for (int32_t v = 0; v < robot->info.variableCount; ++v) {
        if (robot->variables[v].kind != wk_variableRotation) {
            range r = rangeOfPart(wkTrajectoryControls(trajectory, part->segment, v),
                                  trajectory->degree, part->from, part->to);
            lower[v] = isFirst ? r.lower : wkMinD(lower[v], r.lower);
            upper[v] = isFirst ? r.upper : wkMaxD(upper[v], r.upper);
            continue;
        }
        wkRotationWay way = rotationWay(trajectory, part->segment, v);
        double angle = 2.0 * way.halfAngle * (part->to - part->from) * (1.0 + RATE_ROUNDING);
        angle += angle > 0.0 ? VALUE_ROUNDING : 0.0;
        for (int32_t i = 0; i < 4; ++i) {
            upper[v + i] = (isFirst ? 0.0 : upper[v + i]) + angle;
            lower[v + i] = -upper[v + i];
        }
        v += 3;
    }
}

void wkTrajectoryRanges(const wkTrajectory* trajectory, double from, double to, double* lower,
                        double* upper)
{
    int32_t first = segmentAt(trajectory, from), last = segmentAt(trajectory, to);
    for (int32_t segment = first; segment <= last; ++segment) {
        segmentPart part = partBetween(trajectory, segment, from, to);
        addRange(trajectory, &part, segment == first, lower, upper);
    }
}

// Returns a bound on the rate of a variable during a part of a segment.
static double speedIn(const wkTrajectory* trajectory, const segmentPart* part, int32_t variable)
{
    int32_t degree = trajectory->degree;
    const double* knots = &trajectory->knots[part->segment];
    double time = knots[1] - knots[0];
    if (trajectory->robot->variables[variable].kind == wk_variableRotation) {
        int32_t first = variable;
        while (first > 0 && trajectory->robot->variables[first - 1].kind == wk_variableRotation &&
               trajectory->robot->variables[first - 1].joint ==
                   trajectory->robot->variables[variable].joint) {
            --first;
        }
        wkRotationWay way = rotationWay(trajectory, part->segment, first);
        return 2.0 * way.halfAngle / time * (1.0 + RATE_ROUNDING);
    }
    const double* controls = wkTrajectoryControls(trajectory, part->segment, variable);
    double slopes[WK_MAX_TRAJECTORY_DEGREE + 1], largest = 0.0;
    for (int32_t k = 0; k < degree; ++k) {
        slopes[k] = (double)degree * (controls[k + 1] - controls[k]);
        largest = wkMaxD(largest, wkMaxD(fabs(controls[k]), fabs(controls[k + 1])));
    }
    range r = rangeOfPart(slopes, degree - 1, part->from, part->to);
    double slope = wkMaxD(fabs(r.lower), fabs(r.upper));
    slope += slope > 0.0 ? VALUE_ROUNDING * largest : 0.0;
    return slope / time * (1.0 + RATE_ROUNDING);
}

static void setInfinite(int32_t count, double* lower, double* upper, double* speeds)
{
    for (int32_t v = 0; v < count; ++v) {
        if (lower != NULL) {
            lower[v] = -INFINITY;
        }
        if (upper != NULL) {
            upper[v] = INFINITY;
        }
        if (speeds != NULL) {
            speeds[v] = INFINITY;
        }
    }
}

static void setBounds(const wkTrajectory* trajectory, double from, double to, int32_t variable,
                      range* values, double* speed)
{
    bool isRotation = trajectory->robot->variables[variable].kind == wk_variableRotation;
    int32_t first = segmentAt(trajectory, from), last = segmentAt(trajectory, to);
    bool moves = to > trajectory->knots[0] && from < trajectory->knots[trajectory->segmentCount];
    *speed = 0.0;
    for (int32_t segment = first; segment <= last; ++segment) {
        segmentPart part = partBetween(trajectory, segment, from, to);
        range r = rangeOfPart(wkTrajectoryControls(trajectory, segment, variable),
                              trajectory->degree, part.from, part.to);
        values->lower = segment == first ? r.lower : wkMinD(values->lower, r.lower);
        values->upper = segment == first ? r.upper : wkMaxD(values->upper, r.upper);
        *speed = moves ? wkMaxD(*speed, speedIn(trajectory, &part, variable)) : 0.0;
    }
    if (isRotation) {
        values->lower = -1.0;
        values->upper = 1.0;
    }
}

void wkTrajectory_Bounds(const wkTrajectory* trajectory, double from, double to, double* lower,
                         double* upper, double* speeds)
{
    int32_t count = trajectory->robot->info.variableCount;
    if (from != from || to != to) {
        setInfinite(count, lower, upper, speeds);
        return;
    }
    double slack = wkTrajectoryTimeRounding(trajectory);
    double start = wkMinD(from, to) - slack, end = wkMaxD(from, to) + slack;
    for (int32_t v = 0; v < count; ++v) {
        range values = {0.0, 0.0};
        double speed = 0.0;
        setBounds(trajectory, start, end, v, &values, &speed);
        if (lower != NULL) {
            lower[v] = values.lower;
        }
        if (upper != NULL) {
            upper[v] = values.upper;
        }
        if (speeds != NULL) {
            speeds[v] = speed;
        }
    }
}

// Returns the first part of a curve, from `from` to `to`, that is not proven to be within a range: 2 when
// all of it is.
static double leavesAt(const double* controls, int32_t degree, const range* allowed, double from,
                       double to, int32_t depth)
{
    range r = rangeOfPart(controls, degree, from, to);
    if (r.lower >= allowed->lower && r.upper <= allowed->upper) {
        return 2.0;
    }
    double value = valueAt(controls, degree, from), middle = from + 0.5 * (to - from);
    bool isOut = value < allowed->lower || value > allowed->upper;
    if (isOut || depth == LIMIT_DEPTH) {
        return from;
    }
    double left = leavesAt(controls, degree, allowed, from, middle, depth + 1);
    return left <= 1.0 ? left : leavesAt(controls, degree, allowed, middle, to, depth + 1);
}

int32_t wkTrajectory_FindBeyondLimits(const wkTrajectory* trajectory, double slack, double* time)
{
    const wkRobot* robot = trajectory->robot;
    int32_t found = -1;
    double leaving = trajectory->knots[trajectory->segmentCount];
    for (int32_t segment = 0; segment < trajectory->segmentCount && found < 0; ++segment) {
        const double* knots = &trajectory->knots[segment];
        double earliest = 2.0;
        for (int32_t v = 0; v < robot->info.variableCount; ++v) {
            range allowed = {robot->variables[v].lower - slack, robot->variables[v].upper + slack};
            double part = leavesAt(wkTrajectoryControls(trajectory, segment, v), trajectory->degree,
                                   &allowed, 0.0, 1.0, 0);
            if (part < earliest) {
                earliest = part;
                found = v;
            }
        }
        if (found >= 0) {
            leaving = wkMinD(knots[0] + earliest * (knots[1] - knots[0]), knots[1]);
        }
    }
    if (time != NULL) {
        *time = leaving;
    }
    return found;
}
