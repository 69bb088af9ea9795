// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The frames of a program and the operations that compute them, from the root outward. Each frame has a
// bound on the rounding of floats. Errors of a matrix are Frobenius norms: rotating a matrix does not change
// them, so they grow by a constant with each joint.

#include "batch/program_columns.h"
#include "math/angle.h"
#include "math/round.h"

#include "whisker/detail/counts.h"

static bool isZero(double coordinate)
{
    return fabs(coordinate) <= WK_ZERO_LENGTH;
}

// The joint of a rigid group, in the frame that the program has for its parent.
typedef struct joint {
    const wkRigidGroup* rigidGroup;
    const wkBuilderFrame* parent;
    int32_t number;
    wkMat3d axes; // of the joint at value 0
    wkVec3d origin;
} joint;

static wkMat3d timesMatrix(const wkMat3d* a, const wkMat3d* b)
{
    wkMat3d m = {wkMulMV(a, b->x), wkMulMV(a, b->y), wkMulMV(a, b->z)};
    return m;
}

static wkMat3d transposed(const wkMat3d* m)
{
    wkMat3d t = {{m->x.x, m->y.x, m->z.x}, {m->x.y, m->y.y, m->z.y}, {m->x.z, m->y.z, m->z.z}};
    return t;
}

static joint jointOf(const wkProgramBuilder* builder, int32_t number)
{
    const wkRigidGroup* rigidGroup = &builder->robot->rigidGroups[number];
    const wkBuilderFrame* parent = &builder->frames[rigidGroup->parent];
    wkFrame origin = wkFrameFromPose(rigidGroup->origin);
    wkMat3d toParent = transposed(&parent->axes);
    joint made = {rigidGroup, parent, number, timesMatrix(&toParent, &origin.rotation),
                  wkMulMV(&toParent, wkSub(origin.position, parent->origin))};
    return made;
}

// The plane across the axis of a joint: directions are given by two coordinates, along its two vectors.
typedef struct plane {
    wkVec3d first, second;
} plane;

typedef struct direction {
    double x, y;
} direction;

static wkVec3d along(const plane* p, direction d)
{
    return wkAdd(wkScale(d.x, p->first), wkScale(d.y, p->second));
}

static direction quarterLater(direction d)
{
    direction later = {-d.y, d.x};
    return later;
}

static direction unitDirection(double x, double y)
{
    double length = sqrt(x * x + y * y);
    bool isLong = length > WK_ZERO_FACTOR;
    direction d = {isLong ? x / length : 1.0, isLong ? y / length : 0.0};
    return d;
}

// Returns the angle from one direction to another, between -pi and pi.
static double angleBetween(direction from, direction to)
{
    double x = from.x * to.x + from.y * to.y, y = from.x * to.y - from.y * to.x;
    double arc = wkArc(fabs(x), fabs(y));
    arc = x < 0.0 ? WK_PI - arc : arc;
    return y < 0.0 ? -arc : arc;
}

// Returns the number of columns to multiply for an axis from those of the parent: 0 when it is one of them.
static int axisCost(wkVec3d axis)
{
    int count = 0;
    for (int k = 0; k < 3; k++) {
        count += fabs(wkAlongAxis(&axis, k)) > WK_ZERO_FACTOR;
    }
    bool isColumn = count == 1 && axis.x + axis.y + axis.z > 0.0;
    return isColumn ? 0 : count;
}

// Chooses the direction of angle 0 of a joint, such that it and the direction at 90 degrees are
// columns of the parent, or at least computed from few.
static direction chooseStart(const joint* j, const plane* p)
{
    direction best = {1.0, 0.0};
    int bestCost = 100;
    wkVec3d first = wkMulMV(&j->axes, p->first), second = wkMulMV(&j->axes, p->second);
    for (int k = 0; k < 3; k++) {
        // across the k-th axis of the parent
        direction d = unitDirection(wkAlongAxis(&second, k), -wkAlongAxis(&first, k));
        for (int quarter = 0; quarter < 4; quarter++, d = quarterLater(d)) {
            int cost = axisCost(wkMulMV(&j->axes, along(p, d))) +
                       axisCost(wkMulMV(&j->axes, along(p, quarterLater(d))));
            if (cost < bestCost) {
                best = d;
                bestCost = cost;
            }
        }
    }
    return best;
}

// A frame that rotates with a joint: its x axis, and its position along the axis of the joint.
typedef struct choice {
    direction x;
    double translation;
} choice;

// Costs are in multiplications of columns.
#define OFFSET_COST 0.3
#define CROOKED_AXIS_COST 5

static wkMat3d frameAxes(const joint* j, const plane* p, direction x)
{
    wkMat3d axes = {along(p, x), along(p, quarterLater(x)), j->rigidGroup->axis};
    return axes;
}

static int countOf(wkVec3d v)
{
    return !isZero(v.x) + !isZero(v.y) + !isZero(v.z);
}

// Returns the cost of a child of a frame: its origin, and its axis when that is not one of the frame.
static double childCost(const wkRigidGroup* child, const wkMat3d* axes, wkVec3d origin)
{
    wkVec3d axis = wkRotateByQuat(child->origin.rotation, child->axis);
    wkVec3d local = wkMulTMV(axes, wkSub(child->origin.position, origin));
    wkVec3d localAxis = wkMulTMV(axes, axis);
    if (axisCost(wkAbs(localAxis)) > 0) {
        return countOf(local) + CROOKED_AXIS_COST;
    }
    // a revolute child may be anywhere along its axis
    bool rotations = child->type == wk_jointRevolute || child->type == wk_jointContinuous;
    return countOf(rotations ? wkMulSub(local, wkDot(local, localAxis), localAxis) : local);
}

static double costOf(const wkProgramBuilder* builder, const joint* j, const plane* p,
                     direction start, choice chosen)
{
    wkMat3d axes = frameAxes(j, p, chosen.x);
    wkVec3d origin = wkScale(chosen.translation, j->rigidGroup->axis);
    double cost = fabs(angleBetween(start, chosen.x)) > WK_ZERO_FACTOR ? OFFSET_COST : 0.0;
    bool isConstant = builder->columns[j->parent->columns.origin].isConstant;
    cost += isConstant ? 0.0 : countOf(wkAdd(j->origin, wkMulMV(&j->axes, origin)));
    for (int32_t i = 0; i < builder->sphereCount; i++) {
        const wkBuilderSphere* sphere = &builder->spheres[i];
        cost += sphere->rigidGroup == j->number
                    ? countOf(wkMulTMV(&axes, wkSub(sphere->center, origin)))
                    : 0;
    }
    for (int32_t i = j->number + 1; i < builder->robot->rigidGroupCount; i++) {
        const wkRigidGroup* child = &builder->robot->rigidGroups[i];
        cost += child->parent == j->number ? childCost(child, &axes, origin) : 0.0;
    }
    return cost;
}

// Keeps the better of two choices: with the origin of the frame at the joint, and at the position along its
// axis that saves the offset to it.
static void tryDirection(const wkProgramBuilder* builder, const joint* j, const plane* p,
                         direction start, direction x, choice* best, double* bestCost)
{
    double translations[2] = {0.0, -wkDot(j->origin, wkMulMV(&j->axes, j->rigidGroup->axis))};
    for (int k = 0; k < 2; k++) {
        choice one = {x, translations[k]};
        double cost = costOf(builder, j, p, start, one);
        if (cost < *bestCost) {
            *best = one;
            *bestCost = cost;
        }
    }
}

// Maximum number of directions that are tried: those of spheres and of children.
#define MOST_DIRECTIONS 24

static choice chooseFrame(const wkProgramBuilder* builder, const joint* j, const plane* p,
                          direction start)
{
    choice best = {start, 0.0};
    double bestCost = INFINITY;
    int left = MOST_DIRECTIONS;
    tryDirection(builder, j, p, start, start, &best, &bestCost);
    for (int32_t i = j->number + 1; i < builder->robot->rigidGroupCount && left > 0; i++) {
        const wkRigidGroup* child = &builder->robot->rigidGroups[i];
        if (child->parent == j->number) {
            wkVec3d axis = wkRotateByQuat(child->origin.rotation, child->axis);
            direction d = unitDirection(wkDot(axis, p->first), wkDot(axis, p->second));
            tryDirection(builder, j, p, start, d, &best, &bestCost);
            left--;
        }
    }
    for (int32_t i = 0; i < builder->sphereCount && left > 0; i++) {
        const wkBuilderSphere* sphere = &builder->spheres[i];
        double x = wkDot(sphere->center, p->first), y = wkDot(sphere->center, p->second);
        if (sphere->rigidGroup == j->number && (!isZero(x) || !isZero(y))) {
            direction d = unitDirection(x, y);
            tryDirection(builder, j, p, start, d, &best, &bestCost);
            tryDirection(builder, j, p, start, quarterLater(d), &best, &bestCost);
            left--;
        }
    }
    return best;
}

// Bounds the error of the angle of a rotation, and then of its sine and cosine.
//
// Kernels accept angles a = f * q + s up to WK_LANE_ANGLE, with |s| <= pi, so |f * q| <= WK_LANE_ANGLE + pi,
// however large f or the offset of the robot are. Rounding q to a float adds at most |f * q| * 2^-24,
// which WK_ANGLE_SLACK covers; rounding f and the product add as much each, s adds pi * 2^-24 and the
// sum |a| * 2^-24: four times the first in all. The robot computes f * q + offset in double and rounds
// to the digits of the offset, and whole revolutions are subtracted from the offset with that precision.
static double rotationError(const wkJointAngle* axes)
{
    double factor = fabs(axes->exactFactor), offset = fabs(axes->exactOffset);
    bool isPlain = factor == 1.0 && axes->offset == 0.0f && offset == 0.0;
    double rounding = isPlain ? 0.0 : 4.0 * (WK_LANE_ANGLE + WK_PI) * WK_FLOAT_ROUNDING;
    return WK_ANGLE_SLACK * wkMaxD(1.0, factor) + rounding + offset * 0x1p-50 + WK_SINE_SLACK;
}

// Makes a frame that rotates about the axis of its joint, after its origin has been placed.
static void rotateFrame(wkProgramBuilder* builder, const joint* j, int32_t variable, double factor,
                        double offset, wkBuilderFrame* frame)
{
    plane p;
    wkTangents(j->rigidGroup->axis, &p.first, &p.second);
    direction start = chooseStart(j, &p);
    choice chosen = chooseFrame(builder, j, &p, start);
    double shift = angleBetween(start, chosen.x);
    if (fabs(shift) <= WK_ZERO_FACTOR) {
        chosen.x = start;
        shift = 0.0;
    }
    const wkVec3d translation = wkScale(chosen.translation, j->rigidGroup->axis);
    wkMoveOrigin(builder, frame, wkAdd(j->origin, wkMulMV(&j->axes, translation)));

    wkMat3d from = frameAxes(j, &p, start), made = frameAxes(j, &p, chosen.x);
    // a z axis opposite to a column of the parent is reversed to be that column
    bool isAgainst = axisCost(wkNeg(wkMulMV(&j->axes, made.z))) == 0;
    from.z = made.z = isAgainst ? wkNeg(made.z) : made.z;
    wkPackedQuatAxes(builder, frame, timesMatrix(&j->axes, &from));
    float nearZero = (float)remainder(remainder(offset, 2.0 * WK_PI) + shift, 2.0 * WK_PI);
    wkJointAngle axes = {variable, (float)factor, nearZero, factor, offset, 0.0, 1.0};
    wkSinCos(shift, &axes.shiftSine, &axes.shiftCosine);
    wkAddRotation(builder, frame, &axes);
    frame->rotationError += 2.0 * rotationError(&axes) + 4.0 * WK_FLOAT_ROUNDING;
    frame->axes = made;
    frame->origin = translation;
}

// Makes a frame with the axes of its parent.
static void keepAxes(const joint* j, wkBuilderFrame* frame)
{
    frame->axes = transposed(&j->axes);
    frame->origin = wkVec(0.0, 0.0, 0.0);
}

// Returns the maximum of a length: its limits plus a tolerance, as limits are not checked to the last
// digit.
static double lengthLimit(const wkRobot* robot, int32_t variable)
{
    const wkVariableInfo* info = &robot->variables[variable];
    double limit = wkMaxD(fabs(info->lower), fabs(info->upper)) * 1.01 + 0.001;
    return limit < INFINITY ? limit : WK_LANE_LENGTH;
}

static wkTranslation translateAlong(const wkProgramBuilder* builder, int32_t variable, wkVec3d way,
                                    wkVec3d start)
{
    wkTranslation translation = {variable, lengthLimit(builder->robot, variable), way, start};
    return translation;
}

static void placePrismatic(wkProgramBuilder* builder, const joint* j, wkBuilderFrame* frame)
{
    wkVec3d way = wkMulMV(&j->axes, j->rigidGroup->axis);
    wkTranslation translation =
        translateAlong(builder, j->rigidGroup->variable, wkScale(j->rigidGroup->factor, way),
                       wkMulAdd(j->origin, j->rigidGroup->offset, way));
    wkTranslateOrigin(builder, frame, &translation);
    keepAxes(j, frame);
}

// Adds translations along the directions of a planar or floating joint.
static void translateFreely(wkProgramBuilder* builder, const joint* j, int count,
                            wkBuilderFrame* frame)
{
    wkVec3d start = wkVec(0.0, 0.0, 0.0);
    for (int k = 0; k < count; k++) {
        wkVec3d way = wkMulTMV(&j->parent->axes, j->rigidGroup->translation[k]);
        wkTranslation translation =
            translateAlong(builder, j->rigidGroup->variable + k, way, start);
        wkTranslateOrigin(builder, frame, &translation);
    }
}

static void placePlanar(wkProgramBuilder* builder, const joint* j, wkBuilderFrame* frame)
{
    translateFreely(builder, j, 2, frame);
    rotateFrame(builder, j, j->rigidGroup->variable + 2, 1.0, 0.0, frame);
}

static void placeFloating(wkProgramBuilder* builder, const joint* j, wkBuilderFrame* frame)
{
    translateFreely(builder, j, 3, frame);
    wkMoveOrigin(builder, frame, j->origin);
    wkPackedQuatAxes(builder, frame, j->axes);
    wkAddGiven(builder, frame, j->rigidGroup->variable + 3);
    frame->rotationError += 24.0 * WK_FLOAT_ROUNDING;
    frame->axes.x = wkVec(1.0, 0.0, 0.0);
    frame->axes.y = wkVec(0.0, 1.0, 0.0);
    frame->axes.z = wkVec(0.0, 0.0, 1.0);
    frame->origin = wkVec(0.0, 0.0, 0.0);
}

static void placeRevolute(wkProgramBuilder* builder, const joint* j, wkBuilderFrame* frame)
{
    rotateFrame(builder, j, j->rigidGroup->variable, j->rigidGroup->factor, j->rigidGroup->offset,
                frame);
}

static void placeFixed(wkProgramBuilder* builder, const joint* j, wkBuilderFrame* frame)
{
    wkMoveOrigin(builder, frame, j->origin);
    keepAxes(j, frame);
}

typedef void placeFcn(wkProgramBuilder* builder, const joint* j, wkBuilderFrame* frame);

static placeFcn* const placeTable[WK_JOINT_TYPE_COUNT] = {
    [wk_jointFixed] = placeFixed,         [wk_jointRevolute] = placeRevolute,
    [wk_jointContinuous] = placeRevolute, [wk_jointPrismatic] = placePrismatic,
    [wk_jointPlanar] = placePlanar,       [wk_jointFloating] = placeFloating,
};

void wkBuilderFrames(wkProgramBuilder* builder)
{
    wkBuilderRoot(builder);
    for (int32_t i = 1; i < builder->robot->rigidGroupCount; i++) {
        joint j = jointOf(builder, i);
        wkBuilderFrame* frame = &builder->frames[i];
        *frame = *j.parent;
        placeTable[j.rigidGroup->type](builder, &j, frame);
    }
}

wkFramePlacement wkPlacementOf(const wkBuilderFrame* frame)
{
    wkFramePlacement placement = {.axes = frame->axes,
                                  .origin = frame->origin,
                                  .rotationError = frame->rotationError,
                                  .originError = frame->originError,
                                  .away = frame->reach + wkLength(frame->middle)};
    return placement;
}

double wkPlaceInProgram(const wkFramePlacement* placement, wkVec3d point, wkVec3d* rounded)
{
    wkVec3d exact = wkMulTMV(&placement->axes, wkSub(point, placement->origin));
    *rounded = wkVec(isZero(exact.x) ? 0.0 : wkNearestFloat(exact.x),
                     isZero(exact.y) ? 0.0 : wkNearestFloat(exact.y),
                     isZero(exact.z) ? 0.0 : wkNearestFloat(exact.z));
    double size = wkLength(exact);
    double error = placement->originError + placement->rotationError * size +
                   wkLength(wkSub(exact, *rounded)) +
                   8.0 * WK_FLOAT_ROUNDING * (placement->away + size);
    return 1.05 * error + 1e-12;
}

void wkPlaceBuilderSphere(const wkProgramBuilder* builder, wkBuilderSphere* sphere)
{
    wkFramePlacement placement = wkPlacementOf(&builder->frames[sphere->rigidGroup]);
    sphere->slack = wkPlaceInProgram(&placement, sphere->center, &sphere->local);
    wkVec3d local = sphere->local;
    sphere->pattern = (local.x != 0.0) | (local.y != 0.0) << 1 | (local.z != 0.0) << 2;
}
