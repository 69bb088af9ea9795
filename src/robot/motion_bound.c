// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// How far the members of a crew go on a motion. Bounds are rounded up, and what rounding does to the
// places of links on the way is part of them.

#include "math/angle.h"
#include "robot/motion.h"

#include <string.h>

// More than the sums and products of a bound can be off by, as a share of it.
#define BOUND_ROUNDING 1e-12
// What rounding can do to the place of a link, as a share of the lengths that lead to it: hundreds of
// times what a chain of a dozen joints has. Grows with the angles, whose last digits count too.
#define PLACE_ROUNDING 1e-12
// Boxes of members are made of floats.
#define BOX_ROUNDING 1e-6

static double roundedUp(double length)
{
    return length * (1.0 + BOUND_ROUNDING);
}

// A way from one configuration to another.
typedef struct wayBetween {
    const wkRobot* robot;
    const double* q0;
    const double* q1;
} wayBetween;

// Change of a variable on the way.
static double changeOf(const wayBetween* way, int32_t variable)
{
    const wkRobot* robot = way->robot;
    double change = way->q1[variable] - way->q0[variable];
    bool isTurn = robot->variables[variable].kind == wk_variableTurn;
    return fabs(isTurn ? wkShortestTurn(change) : change);
}

// Length of the way of some variables together.
static double lengthOf(const wayBetween* way, int32_t first, int count)
{
    double square = 0.0;
    for (int i = 0; i < count; ++i) {
        double change = changeOf(way, first + i);
        square += change * change;
    }
    return sqrt(square);
}

// Angle between two quaternions, the shorter way.
static double angleOf(const double* q0, const double* q1)
{
    wkQuat a = wkNormalizeQuat((wkQuat){q0[0], q0[1], q0[2], q0[3]});
    wkQuat b = wkNormalizeQuat((wkQuat){q1[0], q1[1], q1[2], q1[3]});
    wkQuat turn = wkRelativeQuat(a, b);
    return 2.0 * wkArc(fabs(turn.w), wkLength(wkVec(turn.x, turn.y, turn.z)));
}

// What a joint does on the way.
static void setRates(const wayBetween* way, const wkMover* mover, double* turns, double* slides)
{
    int32_t v = mover->variable;
    double turn = 0.0, slide = 0.0;
    if (mover->type == wk_jointPlanar) {
        slide = lengthOf(way, v, 2);
        turn = changeOf(way, v + 2);
    } else if (mover->type == wk_jointFloating) {
        slide = lengthOf(way, v, 3);
        turn = angleOf(&way->q0[v + 3], &way->q1[v + 3]);
    } else {
        double change = fabs(mover->factor) * changeOf(way, v);
        bool isSlide = mover->type == wk_jointPrismatic;
        slide = isSlide ? change : 0.0;
        turn = isSlide ? 0.0 : change;
    }
    *turns = roundedUp(turn);
    *slides = roundedUp(slide);
}

void wkSetMoverRates(const wkRobot* robot, const double* q0, const double* q1, double* turns,
                     double* slides)
{
    wayBetween way = {robot, q0, q1};
    turns[0] = 0.0;
    slides[0] = 0.0;
    for (int32_t i = 1; i < robot->moverCount; ++i) {
        setRates(&way, &robot->movers[i], &turns[i], &slides[i]);
    }
}

// Infinite when one of them is none.
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
    if (scene == NULL || state == NULL || state->robot != scene->robot ||
        !wkIsFreshRobotScene(scene, "robot scene")) {
        return false;
    }
    const wkRobot* robot = scene->robot;
    const wkMotionRoom* room = &state->motion;
    if (robot->info.variableCount > 0) {
        if (q0 == NULL || q1 == NULL) {
            return false;
        }
        memcpy(room->q0, q0, (size_t)robot->info.variableCount * sizeof *q0);
        memcpy(room->q1, q1, (size_t)robot->info.variableCount * sizeof *q1);
    }
    double largest = wkMaxD(largestNumber(room->q0, robot->info.variableCount),
                            largestNumber(room->q1, robot->info.variableCount));
    if (!(largest < INFINITY)) {
        return false;
    }
    motion->scene = scene;
    motion->state = state;
    motion->base = base;
    motion->roundingShare = PLACE_ROUNDING * (1.0 + largest);
    motion->largest = 0.0;
    wkSetMoverRates(robot, room->q0, room->q1, room->turns, room->slides);
    room->above[0] = 0;
    for (int32_t i = 1; i < robot->moverCount; ++i) {
        bool isMoving = room->turns[i] > 0.0 || room->slides[i] > 0.0;
        room->above[i] = isMoving ? i : room->above[robot->movers[i].parent];
    }
    return true;
}

bool wkMoveTo(wkMotion* motion, double time)
{
    wkRobotState* state = motion->state;
    const wkRobot* robot = state->robot;
    const wkMotionRoom* room = &state->motion;
    wkRobot_Interpolate(robot, room->q0, room->q1, time, state->q);
    if (wkRobotState_Set(state, motion->base, state->q) != wk_ok) {
        return false;
    }
    motion->largest = 0.0;
    for (int32_t i = 0; i < robot->moverCount; ++i) {
        motion->largest = wkMaxD(motion->largest, wkMaxAbs(state->movers[i].position));
        if (room->turns[i] > 0.0) {
            room->axes[i] = wkRotateByQuat(state->movers[i].rotation, robot->movers[i].axis);
        }
    }
    wkPlaceCrew(motion->scene->crew->crew, state);
    return true;
}

// A ball around a member where it is now.
typedef struct memberBall {
    wkVec3d center;
    double radius;
} memberBall;

static memberBall ballOf(const wkMotion* motion, int32_t member)
{
    const wkCrew* crew = motion->scene->crew->crew;
    const wkPlaced* placed = &motion->state->placed;
    double middle[3];
    for (int axis = 0; axis < 3; ++axis) {
        middle[axis] =
            0.5 * ((double)placed->lower[axis][member] + (double)placed->upper[axis][member]);
    }
    wkVec3d fromOrigin = wkVec(middle[0], middle[1], middle[2]);
    double radius = wkLength(crew->members[member].half);
    double slack = (double)crew->groups[member / WK_BODY_LANES].slack[member % WK_BODY_LANES];
    memberBall ball = {wkAdd(fromOrigin, crew->origin),
                       radius + slack + BOX_ROUNDING * (wkSumAbs(fromOrigin) + radius)};
    return ball;
}

// Metres that a ball goes for a joint, on the whole way, as long as the joints behind it stand still.
static double wayOfJoint(const wkMotion* motion, int32_t mover, const memberBall* ball)
{
    const wkMotionRoom* room = &motion->state->motion;
    double turn = room->turns[mover];
    if (turn == 0.0) {
        return room->slides[mover];
    }
    wkVec3d arm = wkSub(ball->center, motion->state->movers[mover].position);
    bool isFree = motion->state->robot->movers[mover].type == wk_jointFloating;
    double distance = wkLength(isFree ? arm : wkCross(room->axes[mover], arm));
    return turn * (distance + ball->radius) + room->slides[mover];
}

static double roundingOf(const wkMotion* motion, const memberBall* ball)
{
    return motion->roundingShare * (motion->largest + wkMaxAbs(ball->center) + ball->radius);
}

// Infinite for members without end that move, whose middle is nowhere.
static double finish(double way, double span, double rounding)
{
    double bound = way > 0.0 ? roundedUp(way * span) : way;
    bound += rounding;
    return bound == bound ? bound : INFINITY;
}

static bool hasEnd(const wkMotion* motion, int32_t member)
{
    return wkSumAbs(motion->scene->crew->crew->members[member].half) < INFINITY;
}

double wkMemberBound(const wkMotion* motion, int32_t member, double span)
{
    const wkRobot* robot = motion->state->robot;
    const int32_t* above = motion->state->motion.above;
    int32_t mover = above[motion->scene->crew->crew->members[member].mover];
    if (!hasEnd(motion, member)) {
        return mover > 0 ? INFINITY : 0.0;
    }
    memberBall ball = ballOf(motion, member);
    double way = 0.0;
    for (; mover > 0; mover = above[robot->movers[mover].parent]) {
        way += wayOfJoint(motion, mover, &ball);
    }
    return finish(way, span, roundingOf(motion, &ball));
}

double wkPairBound(const wkMotion* motion, int32_t memberA, int32_t memberB, double span)
{
    const wkRobot* robot = motion->state->robot;
    const wkCrewMember* members = motion->scene->crew->crew->members;
    const int32_t* above = motion->state->motion.above;
    int32_t a = above[members[memberA].mover], b = above[members[memberB].mover];
    if (!hasEnd(motion, memberA) || !hasEnd(motion, memberB)) {
        return a != b ? INFINITY : 0.0;
    }
    memberBall ballA = ballOf(motion, memberA), ballB = ballOf(motion, memberB);
    double way = 0.0;
    // joints that carry both change nothing between them
    while (a != b) {
        if (a > b) {
            way += wayOfJoint(motion, a, &ballA);
            a = above[robot->movers[a].parent];
        } else {
            way += wayOfJoint(motion, b, &ballB);
            b = above[robot->movers[b].parent];
        }
    }
    return finish(way, span, roundingOf(motion, &ballA) + roundingOf(motion, &ballB));
}

void wkSetReach(const wkMotion* motion, double span)
{
    float* reach = motion->state->motion.reach;
    for (int32_t i = 0; i < motion->scene->crew->crew->count; ++i) {
        reach[i] = wkFloatAbove(wkMemberBound(motion, i, span));
    }
}

double wkRobotScene_MotionBound(const wkRobotScene* scene, wkRobotState* state, const double* q0,
                                const double* q1, int32_t link)
{
    wkMotion motion;
    bool isValid = scene != NULL && link >= 0 && link < scene->robot->info.linkCount &&
                   wkBeginMotion(scene, state, wkIdentityPose(), q0, q1, &motion) &&
                   wkMoveTo(&motion, 0.5);
    if (!isValid) {
        return INFINITY;
    }
    double bound = 0.0;
    for (int32_t i = 0; i < scene->crew->crew->count; ++i) {
        if (scene->crew->crew->members[i].link == link) {
            bound = wkMaxD(bound, wkMemberBound(&motion, i, 0.5));
        }
    }
    return bound;
}
