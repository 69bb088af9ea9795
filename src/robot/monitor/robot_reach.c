// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Where a robot can be after a short time. A configuration within reach is composed of one change of each joint, from
// the tip to the base: as long as joints nearer to the base have not changed, their axes are where they are now. So a
// rotation by an angle moves a point by no more than the chord, 2 sin(angle / 2), times its distance from the axis now plus
// what it has moved before. The sums along the chain bound how far the centre of a sphere moves, and its radius grows
// by as much.

#include "whisker/robot_reach.h"

#include "base/cookie.h"
#include "base/error.h"
#include "base/range.h"
#include "robot/robot_query.h"

// More than the rounding of poses and sums, relative to the lengths.
#define REACH_ROUNDING 1e-9

// The box of a body is cut along each axis into at most this many parts, with a sphere around each.
#define MAX_PARTS 4

// Angles above half a revolution reach no further; limits keep products finite.
#define MAX_DURATION 1e6
#define MAX_RATE 1e9
#define MAX_MARGIN 1e9

wkReachRequest wkDefaultReachRequest(void)
{
    wkReachRequest request = {.cookie = WK_COOKIE(wkReachRequest), .duration = 0.1, .margin = 0.02};
    return request;
}

static wkResult checkRequest(const wkReachRequest* request)
{
    if (!WK_HAS_COOKIE(request, wkReachRequest)) {
        return WK_FAIL_COOKIE(request, wkReachRequest);
    }
    const wkNamedNumber numbers[] = {
        {"duration", request->duration, 0.0, MAX_DURATION},
        {"margin", request->margin, 0.0, MAX_MARGIN},
        {"baseVelocity", request->baseVelocity, 0.0, MAX_RATE},
        {"baseRotation", request->baseRotation, 0.0, MAX_RATE},
    };
    return wkCheckNumbers("reach", numbers, sizeof numbers / sizeof numbers[0]);
}

static double rateOf(const wkRobot* robot, const wkReachRequest* request, int32_t variable)
{
    return request->velocities != NULL ? request->velocities[variable]
                                       : robot->variables[variable].velocity;
}

// Whether the rate of a variable is read: a quaternion has one for its rotation.
static bool isRateRead(const wkRobot* robot, int32_t variable)
{
    bool isFirst = variable == 0 || robot->variables[variable - 1].kind != wk_variableRotation ||
                   robot->variables[variable - 1].joint != robot->variables[variable].joint;
    return robot->variables[variable].kind != wk_variableRotation || isFirst;
}

static wkResult checkRates(const wkRobot* robot, const wkReachRequest* request)
{
    for (int32_t i = 0; i < robot->info.variableCount; ++i) {
        double rate = rateOf(robot, request, i);
        if (isRateRead(robot, i) && !(rate >= 0.0 && rate <= MAX_RATE)) {
            return wkFail(rate == rate ? wk_errorRange : wk_errorNotFinite,
                          "reach: velocity of variable '%s' is %g, must be known and 0 to %g: set "
                          "velocities",
                          robot->variables[i].name, rate, MAX_RATE);
        }
    }
    return wk_ok;
}

typedef struct reachRun {
    const wkRobotScene* scene;
    const wkRobotState* state;
    const wkReachRequest* request;
    wkSphere3d* spheres; // NULL: counts only
    int32_t count;
} reachRun;

// How far a rotation moves a point at a distance from its axis or center.
static double chordOf(double angle, double distance)
{
    const double half = 0.5 * wkMinD(angle, 3.14159265358979);
    return 2.0 * sin(half) * distance;
}

static double distanceFromAxis(wkVec3d point, wkVec3d origin, wkVec3d axis)
{
    return wkLength(wkCross(wkSub(point, origin), axis));
}

// Adds what the joint of a rigid group moves a point that has moved by `moved` before.
static double addJoint(const reachRun* run, const wkRigidGroup* group, wkVec3d point, double moved)
{
    const wkRobot* robot = run->scene->robot;
    double duration = run->request->duration;
    wkPose pose = wkStateLink(run->state, robot->joints[group->joint].childLink);
    wkVec3d axis = wkRotateByQuat(pose.rotation, group->axis);
    double rate = rateOf(robot, run->request, group->variable);
    double fromAxis = distanceFromAxis(point, pose.position, axis) + moved;
    if (group->type == wk_jointPlanar) {
        double along[2] = {rate, rateOf(robot, run->request, group->variable + 1)};
        double angle = duration * rateOf(robot, run->request, group->variable + 2);
        return moved + chordOf(angle, fromAxis) + duration * hypot(along[0], along[1]);
    }
    if (group->type == wk_jointFloating) {
        double square = 0.0;
        for (int32_t i = 0; i < 3; ++i) {
            double along = rateOf(robot, run->request, group->variable + i);
            square += along * along;
        }
        double angle = duration * rateOf(robot, run->request, group->variable + 3);
        double fromCenter = wkLength(wkSub(point, pose.position)) + moved;
        return moved + chordOf(angle, fromCenter) + duration * sqrt(square);
    }
    double change = duration * fabs(group->factor) * rate;
    return group->type == wk_jointPrismatic ? moved + change : moved + chordOf(change, fromAxis);
}

// How far a point of a rigid group can move.
static double reachOf(const reachRun* run, int32_t group, wkVec3d point)
{
    const wkRobot* robot = run->scene->robot;
    double moved = 0.0;
    for (; group > 0; group = robot->rigidGroups[group].parent) {
        moved = addJoint(run, &robot->rigidGroups[group], point, moved);
    }
    wkVec3d root = wkStateLink(run->state, 0).position;
    double fromRoot = wkLength(wkSub(point, root)) + moved;
    double angle = run->request->duration * run->request->baseRotation;
    return moved + chordOf(angle, fromRoot) + run->request->duration * run->request->baseVelocity;
}

static void addSphere(reachRun* run, int32_t group, wkVec3d center, double radius)
{
    if (run->spheres != NULL) {
        double margin = run->request->margin + run->scene->largestSafetyDistance;
        double reach = radius + reachOf(run, group, center) + margin;
        double size = reach + wkMaxAbs(center);
        run->spheres[run->count] = (wkSphere3d){center, reach + REACH_ROUNDING * size};
    }
    ++run->count;
}

// Covers the box of a body with spheres: parts are about as long as the box is thick.
static void addBody(reachRun* run, int32_t index)
{
    const wkBodySet* bodySet = run->scene->bodySet->bodySet;
    const wkCollisionBody* body = &bodySet->bodies[index];
    wkPose pose = wkBodyPose(bodySet, run->state, index);
    double half[3] = {body->half.x, body->half.y, body->half.z};
    double longest = wkMaxD(half[0], wkMaxD(half[1], half[2]));
    double shortest = wkMinD(half[0], wkMinD(half[1], half[2]));
    double wanted = wkMaxD(shortest, longest / MAX_PARTS);
    int parts[3];
    double step[3]; // half the edge of a part
    for (int k = 0; k < 3; ++k) {
        parts[k] = longest > 0.0 ? (int)wkMinD(ceil(half[k] / wanted), MAX_PARTS) : 1;
        parts[k] = parts[k] > 1 ? parts[k] : 1;
        step[k] = half[k] / parts[k];
    }
    double radius = sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]);
    for (int i = 0; i < parts[0] * parts[1] * parts[2]; ++i) {
        int at[3] = {i % parts[0], i / parts[0] % parts[1], i / (parts[0] * parts[1])};
        wkVec3d local = {body->middle.x + (2 * at[0] + 1 - parts[0]) * step[0],
                         body->middle.y + (2 * at[1] + 1 - parts[1]) * step[1],
                         body->middle.z + (2 * at[2] + 1 - parts[2]) * step[2]};
        addSphere(run, body->rigidGroup, wkTransformPoint(pose, local), radius);
    }
}

static wkResult checkBodies(const wkRobotScene* scene)
{
    const wkBodySet* bodySet = scene->bodySet->bodySet;
    for (int32_t i = 0; i < bodySet->count; ++i) {
        const wkCollisionBody* body = &bodySet->bodies[i];
        if (!body->isEmpty && !wkIsFiniteVec(body->half)) {
            return wkFail(wk_errorUnsupported, "reach: a body of link '%s' is unbounded",
                          scene->robot->links[body->link].info.name);
        }
    }
    return wk_ok;
}

static int32_t addBodies(reachRun* run)
{
    const wkBodySet* bodySet = run->scene->bodySet->bodySet;
    run->count = 0;
    for (int32_t i = 0; i < bodySet->count; ++i) {
        if (!bodySet->bodies[i].isEmpty) {
            addBody(run, i);
        }
    }
    return run->count;
}

wkResult wkRobotScene_ReachSpheres(const wkRobotScene* scene, const wkRobotState* state,
                                   const wkReachRequest* request, wkSphere3d* spheres,
                                   int32_t capacity, int32_t* count)
{
    *count = 0;
    wkReachRequest defaults = wkDefaultReachRequest();
    request = request != NULL ? request : &defaults;
    wkResult result = checkRequest(request);
    result = result == wk_ok ? wkCheckUsableState(scene, state, "reach") : result;
    result = result == wk_ok ? checkRates(scene->robot, request) : result;
    result = result == wk_ok ? checkBodies(scene) : result;
    if (result != wk_ok) {
        return result;
    }
    reachRun run = {.scene = scene, .state = state, .request = request};
    *count = addBodies(&run);
    if (spheres == NULL) {
        return wk_ok;
    }
    if (capacity < *count) {
        return wkFail(wk_errorRange, "reach: capacity is %d, must be at least %d", (int)capacity,
                      (int)*count);
    }
    run.spheres = spheres;
    addBodies(&run);
    return wk_ok;
}
