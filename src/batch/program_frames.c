// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The frames of a program and the operations that place them, from the root outward. With every frame
// goes a bound of what floats will be off by. Errors of a matrix are counted as roots of sums of
// squares of all nine numbers: turning a matrix does not change those, so they grow by a constant
// with each joint.

#include "batch/program_columns.h"
#include "math/angle.h"

static bool isZero(double coordinate)
{
    return fabs(coordinate) <= WK_ZERO_LENGTH;
}

// How a mover hangs on its parent, in the frame that the program has for the parent.
typedef struct joint {
    const wkMover* mover;
    const wkDraftFrame* parent;
    int32_t number;
    wkMat3d turn; // of the joint at zero
    wkVec3d place;
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

static joint jointOf(const wkProgramDraft* draft, int32_t number)
{
    const wkMover* mover = &draft->robot->movers[number];
    const wkDraftFrame* parent = &draft->frames[mover->parent];
    wkFrame origin = wkFrameFromPose(mover->origin);
    wkMat3d toParent = transposed(&parent->turn);
    joint made = {mover, parent, number, timesMatrix(&toParent, &origin.rotation),
                  wkMulMV(&toParent, wkSub(origin.position, parent->place))};
    return made;
}

// Directions across the axis of a joint, as numbers of a plane: along the first of two, and the other.
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

// The angle from one direction to another, between -pi and pi.
static double angleBetween(direction from, direction to)
{
    double x = from.x * to.x + from.y * to.y, y = from.x * to.y - from.y * to.x;
    double arc = wkArc(fabs(x), fabs(y));
    arc = x < 0.0 ? WK_PI - arc : arc;
    return y < 0.0 ? -arc : arc;
}

// Columns it takes to make an axis from those of the parent: none when it is one of them.
static int axisCost(wkVec3d axis)
{
    int count = 0;
    for (int k = 0; k < 3; k++) {
        count += fabs(wkAlongAxis(&axis, k)) > WK_ZERO_FACTOR;
    }
    bool isColumn = count == 1 && axis.x + axis.y + axis.z > 0.0;
    return isColumn ? 0 : count;
}

// The direction that angles of a joint are counted from, such that it and the one a quarter later are
// columns of the parent, or at least made from few.
static direction chooseStart(const joint* j, const plane* p)
{
    direction best = {1.0, 0.0};
    int bestCost = 100;
    wkVec3d first = wkMulMV(&j->turn, p->first), second = wkMulMV(&j->turn, p->second);
    for (int k = 0; k < 3; k++) {
        // across the k-th axis of the parent
        direction d = unitDirection(wkAlongAxis(&second, k), -wkAlongAxis(&first, k));
        for (int quarter = 0; quarter < 4; quarter++, d = quarterLater(d)) {
            int cost = axisCost(wkMulMV(&j->turn, along(p, d))) +
                       axisCost(wkMulMV(&j->turn, along(p, quarterLater(d))));
            if (cost < bestCost) {
                best = d;
                bestCost = cost;
            }
        }
    }
    return best;
}

// A frame that turns with a joint: its x axis, and how far along the axis of the joint it is.
typedef struct choice {
    direction x;
    double slide;
} choice;

// Costs are in columns that are multiplied.
#define OFFSET_COST 0.3
#define CROOKED_AXIS_COST 5

static wkMat3d frameAxes(const joint* j, const plane* p, direction x)
{
    wkMat3d axes = {along(p, x), along(p, quarterLater(x)), j->mover->axis};
    return axes;
}

static int countOf(wkVec3d v)
{
    return !isZero(v.x) + !isZero(v.y) + !isZero(v.z);
}

// What a child of a frame costs: its origin, and its axis when it is not one of the frame.
static double childCost(const wkMover* child, const wkMat3d* axes, wkVec3d place)
{
    wkVec3d axis = wkRotateByQuat(child->origin.rotation, child->axis);
    wkVec3d local = wkMulTMV(axes, wkSub(child->origin.position, place));
    wkVec3d localAxis = wkMulTMV(axes, axis);
    if (axisCost(wkAbs(localAxis)) > 0) {
        return countOf(local) + CROOKED_AXIS_COST;
    }
    // a child that turns may be anywhere along its axis
    bool turns = child->type == wk_jointRevolute || child->type == wk_jointContinuous;
    return countOf(turns ? wkMulSub(local, wkDot(local, localAxis), localAxis) : local);
}

static double costOf(const wkProgramDraft* draft, const joint* j, const plane* p, direction start,
                     choice chosen)
{
    wkMat3d axes = frameAxes(j, p, chosen.x);
    wkVec3d place = wkScale(chosen.slide, j->mover->axis);
    double cost = fabs(angleBetween(start, chosen.x)) > WK_ZERO_FACTOR ? OFFSET_COST : 0.0;
    bool isConstant = draft->columns[j->parent->columns.place].isConstant;
    cost += isConstant ? 0.0 : countOf(wkAdd(j->place, wkMulMV(&j->turn, place)));
    for (int32_t i = 0; i < draft->ballCount; i++) {
        const wkDraftBall* ball = &draft->balls[i];
        cost += ball->mover == j->number ? countOf(wkMulTMV(&axes, wkSub(ball->center, place))) : 0;
    }
    for (int32_t i = j->number + 1; i < draft->robot->moverCount; i++) {
        const wkMover* child = &draft->robot->movers[i];
        cost += child->parent == j->number ? childCost(child, &axes, place) : 0.0;
    }
    return cost;
}

// Keeps the better of two ways: with the frame where the joint is, and where the way to it along its own
// axis is saved.
static void tryDirection(const wkProgramDraft* draft, const joint* j, const plane* p,
                         direction start, direction x, choice* best, double* bestCost)
{
    double slides[2] = {0.0, -wkDot(j->place, wkMulMV(&j->turn, j->mover->axis))};
    for (int k = 0; k < 2; k++) {
        choice one = {x, slides[k]};
        double cost = costOf(draft, j, p, start, one);
        if (cost < *bestCost) {
            *best = one;
            *bestCost = cost;
        }
    }
}

// Directions that are tried: those of balls, and where children are.
#define MOST_DIRECTIONS 24

static choice chooseFrame(const wkProgramDraft* draft, const joint* j, const plane* p,
                          direction start)
{
    choice best = {start, 0.0};
    double bestCost = INFINITY;
    int left = MOST_DIRECTIONS;
    tryDirection(draft, j, p, start, start, &best, &bestCost);
    for (int32_t i = j->number + 1; i < draft->robot->moverCount && left > 0; i++) {
        const wkMover* child = &draft->robot->movers[i];
        if (child->parent == j->number) {
            wkVec3d axis = wkRotateByQuat(child->origin.rotation, child->axis);
            direction d = unitDirection(wkDot(axis, p->first), wkDot(axis, p->second));
            tryDirection(draft, j, p, start, d, &best, &bestCost);
            left--;
        }
    }
    for (int32_t i = 0; i < draft->ballCount && left > 0; i++) {
        const wkDraftBall* ball = &draft->balls[i];
        double x = wkDot(ball->center, p->first), y = wkDot(ball->center, p->second);
        if (ball->mover == j->number && (!isZero(x) || !isZero(y))) {
            direction d = unitDirection(x, y);
            tryDirection(draft, j, p, start, d, &best, &bestCost);
            tryDirection(draft, j, p, start, quarterLater(d), &best, &bestCost);
            left--;
        }
    }
    return best;
}

// What the angle of a turn, and then its sine and cosine, are off by at most.
//
// Lanes take angles a = f * q + s up to WK_LANE_ANGLE, with |s| <= pi, so |f * q| <= WK_LANE_ANGLE + pi,
// however large f or the offset of the robot are. Rounding q to a float adds at most |f * q| * 2^-24,
// which WK_ANGLE_SLACK covers; rounding f and the product add as much each, s adds pi * 2^-24 and the
// sum |a| * 2^-24: four times the first in all. The robot computes f * q + offset in double and rounds
// to the digits of the offset, and whole turns are taken off the offset with that precision.
static double turnError(const wkJointTurn* turn)
{
    double factor = fabs(turn->exactFactor), offset = fabs(turn->exactOffset);
    bool isPlain = factor == 1.0 && turn->offset == 0.0f && offset == 0.0;
    double rounding = isPlain ? 0.0 : 4.0 * (WK_LANE_ANGLE + WK_PI) * WK_FLOAT_ROUNDING;
    return WK_ANGLE_SLACK * wkMaxD(1.0, factor) + rounding + offset * 0x1p-50 + WK_SINE_SLACK;
}

// A frame that turns about the axis of its joint, after its origin has been placed.
static void turnFrame(wkProgramDraft* draft, const joint* j, int32_t variable, double factor,
                      double offset, wkDraftFrame* frame)
{
    plane p;
    wkTangents(j->mover->axis, &p.first, &p.second);
    direction start = chooseStart(j, &p);
    choice chosen = chooseFrame(draft, j, &p, start);
    double shift = angleBetween(start, chosen.x);
    if (fabs(shift) <= WK_ZERO_FACTOR) {
        chosen.x = start;
        shift = 0.0;
    }
    const wkVec3d slide = wkScale(chosen.slide, j->mover->axis);
    wkMoveOrigin(draft, frame, wkAdd(j->place, wkMulMV(&j->turn, slide)));

    wkMat3d from = frameAxes(j, &p, start), made = frameAxes(j, &p, chosen.x);
    // a z axis against a column of the parent is taken along it
    bool isAgainst = axisCost(wkNeg(wkMulMV(&j->turn, made.z))) == 0;
    from.z = made.z = isAgainst ? wkNeg(made.z) : made.z;
    wkTurnAxes(draft, frame, timesMatrix(&j->turn, &from));
    float nearZero = (float)remainder(remainder(offset, 2.0 * WK_PI) + shift, 2.0 * WK_PI);
    wkJointTurn turn = {variable, (float)factor, nearZero, factor, offset, 0.0, 1.0};
    wkSinCos(shift, &turn.shiftSine, &turn.shiftCosine);
    wkAddTurn(draft, frame, &turn);
    frame->turnError += 2.0 * turnError(&turn) + 4.0 * WK_FLOAT_ROUNDING;
    frame->turn = made;
    frame->place = slide;
}

// A frame that goes on with the axes of its parent.
static void keepAxes(const joint* j, wkDraftFrame* frame)
{
    frame->turn = transposed(&j->turn);
    frame->place = wkVec(0.0, 0.0, 0.0);
}

// How large a length may be: its limits with some air, which is for limits that are not checked to the
// last digit.
static double lengthLimit(const wkRobot* robot, int32_t variable)
{
    const wkVariableInfo* info = &robot->variables[variable];
    double limit = wkMaxD(fabs(info->lower), fabs(info->upper)) * 1.01 + 0.001;
    return limit < INFINITY ? limit : WK_LANE_LENGTH;
}

static wkSlide slideAlong(const wkProgramDraft* draft, int32_t variable, wkVec3d way, wkVec3d start)
{
    wkSlide slide = {variable, lengthLimit(draft->robot, variable), way, start};
    return slide;
}

static void placePrismatic(wkProgramDraft* draft, const joint* j, wkDraftFrame* frame)
{
    wkVec3d way = wkMulMV(&j->turn, j->mover->axis);
    wkSlide slide = slideAlong(draft, j->mover->variable, wkScale(j->mover->factor, way),
                               wkMulAdd(j->place, j->mover->offset, way));
    wkSlideOrigin(draft, frame, &slide);
    keepAxes(j, frame);
}

// Slides along the directions of a joint that is free in a plane or in space.
static void slideFreely(wkProgramDraft* draft, const joint* j, int count, wkDraftFrame* frame)
{
    wkVec3d start = wkVec(0.0, 0.0, 0.0);
    for (int k = 0; k < count; k++) {
        wkVec3d way = wkMulTMV(&j->parent->turn, j->mover->slide[k]);
        wkSlide slide = slideAlong(draft, j->mover->variable + k, way, start);
        wkSlideOrigin(draft, frame, &slide);
    }
}

static void placePlanar(wkProgramDraft* draft, const joint* j, wkDraftFrame* frame)
{
    slideFreely(draft, j, 2, frame);
    turnFrame(draft, j, j->mover->variable + 2, 1.0, 0.0, frame);
}

static void placeFloating(wkProgramDraft* draft, const joint* j, wkDraftFrame* frame)
{
    slideFreely(draft, j, 3, frame);
    wkMoveOrigin(draft, frame, j->place);
    wkTurnAxes(draft, frame, j->turn);
    wkAddGiven(draft, frame, j->mover->variable + 3);
    frame->turnError += 24.0 * WK_FLOAT_ROUNDING;
    frame->turn.x = wkVec(1.0, 0.0, 0.0);
    frame->turn.y = wkVec(0.0, 1.0, 0.0);
    frame->turn.z = wkVec(0.0, 0.0, 1.0);
    frame->place = wkVec(0.0, 0.0, 0.0);
}

static void placeRevolute(wkProgramDraft* draft, const joint* j, wkDraftFrame* frame)
{
    turnFrame(draft, j, j->mover->variable, j->mover->factor, j->mover->offset, frame);
}

static void placeFixed(wkProgramDraft* draft, const joint* j, wkDraftFrame* frame)
{
    wkMoveOrigin(draft, frame, j->place);
    keepAxes(j, frame);
}

typedef void placeFcn(wkProgramDraft* draft, const joint* j, wkDraftFrame* frame);

static placeFcn* const placeTable[wk_jointTypeCount] = {
    [wk_jointFixed] = placeFixed,         [wk_jointRevolute] = placeRevolute,
    [wk_jointContinuous] = placeRevolute, [wk_jointPrismatic] = placePrismatic,
    [wk_jointPlanar] = placePlanar,       [wk_jointFloating] = placeFloating,
};

void wkDraftFrames(wkProgramDraft* draft)
{
    wkDraftRoot(draft);
    for (int32_t i = 1; i < draft->robot->moverCount; i++) {
        joint j = jointOf(draft, i);
        wkDraftFrame* frame = &draft->frames[i];
        *frame = *j.parent;
        placeTable[j.mover->type](draft, &j, frame);
    }
}

void wkPlaceDraftBall(const wkProgramDraft* draft, wkDraftBall* ball)
{
    const wkDraftFrame* frame = &draft->frames[ball->mover];
    wkVec3d exact = wkMulTMV(&frame->turn, wkSub(ball->center, frame->place));
    wkVec3d rounded = wkVec(isZero(exact.x) ? 0.0 : (double)(float)exact.x,
                            isZero(exact.y) ? 0.0 : (double)(float)exact.y,
                            isZero(exact.z) ? 0.0 : (double)(float)exact.z);
    double size = wkLength(exact), away = frame->reach + wkLength(frame->middle) + size;
    double error = frame->placeError + frame->turnError * size + wkLength(wkSub(exact, rounded)) +
                   8.0 * WK_FLOAT_ROUNDING * away;
    ball->local = rounded;
    ball->pattern = (rounded.x != 0.0) | (rounded.y != 0.0) << 1 | (rounded.z != 0.0) << 2;
    ball->slack = 1.05 * error + 1e-12;
}
