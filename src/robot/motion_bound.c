// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bounds on how far the bodies of a body set move on a motion. Bounds are rounded up, and include the
// rounding of link poses on the way.

#include "robot/motion.h"

#include <string.h>

// Rounding of the position of a link, relative to the lengths that lead to it: hundreds of times that of a
// chain of a dozen joints. Grows with the angles, whose last digits count too.
#define POSE_ROUNDING 1e-12
// Rounding of the float boxes of bodies.
#define BOX_ROUNDING 1e-6

bool wkOpenMotion(const wkRobotScene* scene, wkRobotState* state, wkPose base,
                  const wkMotionPath* path, wkMotion* motion)
{
    if (scene == NULL || state == NULL || state->robot != scene->robot ||
        !wkIsFreshRobotScene(scene, "robot scene")) {
        return false;
    }
    memset(motion, 0, sizeof *motion);
    motion->path = path;
    motion->scene = scene;
    motion->state = state;
    motion->base = base;
    return true;
}

void wkSetMoving(wkMotion* motion, double largest)
{
    const wkRobot* robot = motion->scene->robot;
    const wkMotionScratch* scratch = &motion->state->motion;
    motion->roundingShare = POSE_ROUNDING * (1.0 + largest);
    scratch->above[0] = 0;
    for (int32_t i = 1; i < robot->rigidGroupCount; ++i) {
        bool isMoving = scratch->rotations[i] > 0.0 || scratch->translations[i] > 0.0;
        scratch->above[i] = isMoving ? i : scratch->above[robot->rigidGroups[i].parent];
    }
}

// Moves the obstacles of a trajectory, in its seconds.
static bool moveObstacles(const wkMotion* motion, double middle, double half)
{
    const wkTrajectory* trajectory = motion->trajectory;
    double from = wkTimeOfTrajectory(trajectory, wkMaxD(middle - half, 0.0));
    double to = wkTimeOfTrajectory(trajectory, wkMinD(middle + half, 1.0));
    return wkMoveShapes(motion->scene, from, wkTimeOfTrajectory(trajectory, middle), to,
                        motion->state->moved);
}

bool wkMoveWithin(wkMotion* motion, double middle, double half)
{
    wkRobotState* state = motion->state;
    const wkRobot* robot = state->robot;
    const wkMotionScratch* scratch = &state->motion;
    motion->path->configure(motion, middle, state->q);
    if (motion->path->setRates != NULL && half > 0.0) {
        motion->path->setRates(motion, middle, half);
    }
    if (wkRobotState_Set(state, motion->base, state->q) != wk_ok) {
        return false;
    }
    motion->largest = 0.0;
    for (int32_t i = 0; i < robot->rigidGroupCount; ++i) {
        motion->largest = wkMaxD(motion->largest, wkMaxAbs(state->rigidGroups[i].position));
        if (scratch->rotations[i] > 0.0) {
            scratch->axes[i] =
                wkRotateByQuat(state->rigidGroups[i].rotation, robot->rigidGroups[i].axis);
        }
    }
    wkPlaceBodySet(motion->scene->bodySet->bodySet, state);
    return !state->hasMoved || moveObstacles(motion, middle, half);
}

bool wkMoveTo(wkMotion* motion, double time)
{
    return wkMoveWithin(motion, time, 0.0);
}

// A sphere around a body at its current pose.
typedef struct bodySphere {
    wkVec3d center;
    double radius;
} bodySphere;

static bodySphere sphereOf(const wkMotion* motion, int32_t body)
{
    const wkBodySet* bodySet = motion->scene->bodySet->bodySet;
    const wkBodyBoxes* placed = &motion->state->placed;
    double middle[3];
    for (int axis = 0; axis < 3; ++axis) {
        middle[axis] =
            0.5 * ((double)placed->lower[axis][body] + (double)placed->upper[axis][body]);
    }
    wkVec3d fromOrigin = wkVec(middle[0], middle[1], middle[2]);
    double radius = wkLength(bodySet->bodies[body].half);
    double slack = (double)bodySet->groups[body / WK_BODY_LANES].slack[body % WK_BODY_LANES];
    bodySphere sphere = {wkAdd(fromOrigin, bodySet->origin),
                         radius + slack + BOX_ROUNDING * (wkSumAbs(fromOrigin) + radius)};
    return sphere;
}

// Returns the metres that a joint moves a sphere on the whole motion while the joints behind it are fixed.
static double wayOfJoint(const wkMotion* motion, int32_t rigidGroup, const bodySphere* sphere)
{
    const wkMotionScratch* scratch = &motion->state->motion;
    double angle = scratch->rotations[rigidGroup];
    if (angle == 0.0) {
        return scratch->translations[rigidGroup];
    }
    wkVec3d arm = wkSub(sphere->center, motion->state->rigidGroups[rigidGroup].position);
    bool isFree = motion->state->robot->rigidGroups[rigidGroup].type == wk_jointFloating;
    double distance = wkLength(isFree ? arm : wkCross(scratch->axes[rigidGroup], arm));
    return angle * (distance + sphere->radius) + scratch->translations[rigidGroup];
}

static double roundingOf(const wkMotion* motion, const bodySphere* sphere)
{
    return motion->roundingShare * (motion->largest + wkMaxAbs(sphere->center) + sphere->radius);
}

// Returns infinity for unbounded bodies that move: their middle is NaN.
static double finish(double way, double interval, double rounding)
{
    double bound = way > 0.0 ? wkRoundedUpBound(way * interval) : way;
    bound += rounding;
    return bound == bound ? bound : INFINITY;
}

static bool hasEnd(const wkMotion* motion, int32_t body)
{
    return wkSumAbs(motion->scene->bodySet->bodySet->bodies[body].half) < INFINITY;
}

double wkBodyBound(const wkMotion* motion, int32_t body, double interval)
{
    const wkRobot* robot = motion->state->robot;
    const int32_t* above = motion->state->motion.above;
    int32_t rigidGroup = above[motion->scene->bodySet->bodySet->bodies[body].rigidGroup];
    if (!hasEnd(motion, body)) {
        return rigidGroup > 0 ? INFINITY : 0.0;
    }
    bodySphere sphere = sphereOf(motion, body);
    double way = 0.0;
    for (; rigidGroup > 0; rigidGroup = above[robot->rigidGroups[rigidGroup].parent]) {
        way += wayOfJoint(motion, rigidGroup, &sphere);
    }
    return finish(way, interval, roundingOf(motion, &sphere));
}

double wkPairBound(const wkMotion* motion, int32_t bodyA, int32_t bodyB, double interval)
{
    const wkRobot* robot = motion->state->robot;
    const wkCollisionBody* bodies = motion->scene->bodySet->bodySet->bodies;
    const int32_t* above = motion->state->motion.above;
    int32_t a = above[bodies[bodyA].rigidGroup], b = above[bodies[bodyB].rigidGroup];
    if (!hasEnd(motion, bodyA) || !hasEnd(motion, bodyB)) {
        return a != b ? INFINITY : 0.0;
    }
    bodySphere sphereA = sphereOf(motion, bodyA), sphereB = sphereOf(motion, bodyB);
    double way = 0.0;
    // joints that carry both change nothing between them
    while (a != b) {
        if (a > b) {
            way += wayOfJoint(motion, a, &sphereA);
            a = above[robot->rigidGroups[a].parent];
        } else {
            way += wayOfJoint(motion, b, &sphereB);
            b = above[robot->rigidGroups[b].parent];
        }
    }
    return finish(way, interval, roundingOf(motion, &sphereA) + roundingOf(motion, &sphereB));
}

void wkSetReach(const wkMotion* motion, double interval)
{
    float* reach = motion->state->motion.reach;
    for (int32_t i = 0; i < motion->scene->bodySet->bodySet->count; ++i) {
        reach[i] = wkFloatAbove(wkBodyBound(motion, i, interval));
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
    for (int32_t i = 0; i < scene->bodySet->bodySet->count; ++i) {
        if (scene->bodySet->bodySet->bodies[i].link == link) {
            bound = wkMaxD(bound, wkBodyBound(&motion, i, 0.5));
        }
    }
    return bound;
}
