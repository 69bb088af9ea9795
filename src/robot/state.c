// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Creation of a robot state, one block of memory, and its updates: the poses are valid, or the state is
// marked as invalid.

#include "robot/state.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/check.h"
#include "robot/moved_shapes.h"
#include "whisker/robot_scene.h"

#include <string.h>

#define PIECE_ALIGNMENT 64

// Returns the next piece of a block; without a start, only adds up its size.
static void* take(char* start, size_t* used, size_t itemCount, size_t itemSize)
{
    void* piece = start != NULL ? start + *used : NULL;
    *used += (itemCount * itemSize + PIECE_ALIGNMENT - 1) / PIECE_ALIGNMENT * PIECE_ALIGNMENT;
    return piece;
}

static void layOutMotion(const wkRobot* robot, size_t bodyCount, wkMotionScratch* scratch,
                         char* start, size_t* used)
{
    size_t variableCount = (size_t)robot->info.variableCount;
    size_t rigidGroupCount = (size_t)robot->rigidGroupCount;
    scratch->q0 = (double*)take(start, used, variableCount, sizeof(double));
    scratch->q1 = (double*)take(start, used, variableCount, sizeof(double));
    scratch->rotations = (double*)take(start, used, rigidGroupCount, sizeof(double));
    scratch->translations = (double*)take(start, used, rigidGroupCount, sizeof(double));
    scratch->above = (int32_t*)take(start, used, rigidGroupCount, sizeof(int32_t));
    scratch->axes = (wkVec3d*)take(start, used, rigidGroupCount, sizeof(wkVec3d));
    scratch->reach = (float*)take(start, used, bodyCount, sizeof(float));
    scratch->risks = (wkRisk*)take(start, used, WK_RISK_CAPACITY, sizeof(wkRisk));
}

// Sets the pointers into the block of a state.
// @return size of the block
static size_t layOut(const wkRobot* robot, wkRobotState* state, char* start)
{
    size_t used = 0;
    size_t capacity = (size_t)robot->info.bodyCount + WK_MAX_ATTACHED_SHAPES;
    capacity = (capacity + WK_BODY_LANES - 1) / WK_BODY_LANES * WK_BODY_LANES;
    take(start, &used, 1, sizeof *state);
    state->q = (double*)take(start, &used, (size_t)robot->info.variableCount, sizeof(double));
    state->rigidGroups =
        (wkPose*)take(start, &used, (size_t)robot->rigidGroupCount, sizeof(wkPose));
    state->links = (wkPose*)take(start, &used, (size_t)robot->info.linkCount, sizeof(wkPose));
    state->placed.capacity = (int32_t)capacity;
    state->placed.poses = (wkPose*)take(start, &used, capacity, sizeof(wkPose));
    for (int k = 0; k < 3; k++) {
        state->placed.lower[k] = (float*)take(start, &used, capacity, sizeof(float));
        state->placed.upper[k] = (float*)take(start, &used, capacity, sizeof(float));
    }
    layOutMotion(robot, capacity, &state->motion, start, &used);
    state->moved = (wkMovedShapes*)take(start, &used, 1, sizeof *state->moved);
    return used;
}

static void emptyBoxes(wkBodyBoxes* placed)
{
    for (int32_t i = 0; i < placed->capacity; i++) {
        placed->poses[i] = wkIdentityPose();
        for (int k = 0; k < 3; k++) {
            placed->lower[k][i] = INFINITY;
            placed->upper[k][i] = -INFINITY;
        }
    }
}

wkResult wkRobotState_Create(const wkRobot* robot, wkRobotState** state)
{
    if (state == NULL) {
        return wkFail(wk_errorArgument, "robot state: the pointer for it is NULL");
    }
    *state = NULL;
    if (robot == NULL) {
        return wkFail(wk_errorArgument, "robot state: robot is NULL");
    }
    wkRobotState counted;
    memset(&counted, 0, sizeof counted);
    size_t byteCount = layOut(robot, &counted, NULL);
    wkRobotState* made = (wkRobotState*)wkAlloc(byteCount);
    if (made == NULL) {
        return wkFail(wk_errorMemory, "robot state: no memory for %zu bytes", byteCount);
    }
    memset(made, 0, byteCount);
    layOut(robot, made, (char*)made);
    made->robot = robot;
    made->byteCount = byteCount;
    emptyBoxes(&made->placed);
    wkRobot_DefaultConfiguration(robot, made->q);
    wkRobotState_Set(made, wkIdentityPose(), made->q);
    *state = made;
    return wk_ok;
}

void wkRobotState_Destroy(wkRobotState* state)
{
    if (state != NULL) {
        wkFree(state, state->byteCount);
    }
}

// Fails for the first variable that is not finite.
static wkResult checkFinite(const wkRobot* robot, const double* q)
{
    double sum = 0.0;
    for (int32_t i = 0; i < robot->info.variableCount; i++) {
        sum += q[i] * 0.0;
    }
    if (WK_LIKELY(sum == 0.0)) {
        return wk_ok;
    }
    int32_t i = 0;
    while (q[i] * 0.0 == 0.0) {
        i++;
    }
    return wkFail(wk_errorNotFinite, "robot state: variable '%s' is %g, must be finite",
                  robot->variables[i].name, q[i]);
}

// Returns the first pose that is too far away, or whose quaternion is not a rotation, such as zeros.
// @return -1: all are valid
static int32_t findUnsound(const wkPose* poses, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        bool isValid = wkIsValidRotation(poses[i].rotation) && wkIsValidPoint(poses[i].position);
        if (WK_UNLIKELY(!isValid)) {
            return i;
        }
    }
    return -1;
}

static wkResult failRange(const wkRobot* robot, int32_t link)
{
    return wkFail(wk_errorRange, "robot state: link '%s' is beyond %g, or has no rotation",
                  robot->links[link].info.name, WK_MAX_LENGTH);
}

// Checks rigid groups only: the poses of links in them are bounded by the limits of descriptions.
static wkResult checkRigidGroups(const wkRobotState* state)
{
    const wkRobot* robot = state->robot;
    int32_t rigidGroup = findUnsound(state->rigidGroups, robot->rigidGroupCount);
    if (WK_LIKELY(rigidGroup < 0)) {
        return wk_ok;
    }
    int32_t joint = robot->rigidGroups[rigidGroup].joint;
    return failRange(robot, joint >= 0 ? robot->joints[joint].childLink : 0);
}

wkResult wkRobotState_Set(wkRobotState* state, wkPose base, const double* q)
{
    if (state == NULL || (q == NULL && state->robot->info.variableCount > 0)) {
        return wkFail(wk_errorArgument, "robot state: %s is NULL", state == NULL ? "state" : "q");
    }
    const wkRobot* robot = state->robot;
    state->isValid = false;
    state->hasGivenLinks = false;
    state->placed.placedAs = 0;
    state->base = base;
    if (q != state->q && robot->info.variableCount > 0) {
        memcpy(state->q, q, (size_t)robot->info.variableCount * sizeof *q);
    }
    wkPlaceRigidGroups(robot, base, state->q, state->rigidGroups);
    if (!wkIsFiniteVec(base.position) || !(wkQuatLengthSquared(base.rotation) < INFINITY)) {
        return wkFail(wk_errorNotFinite, "robot state: base is not finite");
    }
    wkResult result = checkFinite(robot, state->q);
    if (result == wk_ok) {
        result = checkRigidGroups(state);
    }
    state->isValid = result == wk_ok;
    return result;
}

// Rounding of the length of a product of unit quaternions.
#define UNIT_SLACK 4e-15

// Returns whether a pose can be used without normalizing it.
static bool isUnitPose(const wkPose* pose)
{
    double off = wkQuatLengthSquared(pose->rotation) - 1.0;
    return fabs(off) <= UNIT_SLACK && wkIsValidPoint(pose->position);
}

// Reports the error in link poses that the caller gave.
static wkResult failLinks(const wkRobotState* state, const wkPose* poses)
{
    const wkRobot* robot = state->robot;
    for (int32_t i = 0; i < robot->info.linkCount; i++) {
        bool isFinite =
            wkIsFiniteVec(poses[i].position) && wkQuatLengthSquared(poses[i].rotation) < INFINITY;
        if (!isFinite) {
            return wkFail(wk_errorNotFinite, "robot state: the pose of link '%s' is not finite",
                          robot->links[i].info.name);
        }
    }
    int32_t link = findUnsound(state->links, robot->info.linkCount);
    return failRange(robot, link >= 0 ? link : 0);
}

wkResult wkRobotState_SetLinkPoses(wkRobotState* state, const wkPose* poses)
{
    if (state == NULL || poses == NULL) {
        return wkFail(wk_errorArgument, "robot state: %s is NULL",
                      state == NULL ? "state" : "poses");
    }
    const wkRobot* robot = state->robot;
    state->hasGivenLinks = true;
    state->placed.placedAs = 0;
    bool isValid = true;
    for (int32_t i = 0; i < robot->info.linkCount; i++) {
        wkPose pose = poses[i];
        if (WK_UNLIKELY(!isUnitPose(&pose))) {
            pose.rotation = wkNormalizeQuat(pose.rotation);
            isValid = isValid && isUnitPose(&pose);
        }
        state->links[i] = pose;
        if (robot->links[i].isGroupFrame) {
            state->rigidGroups[robot->links[i].rigidGroup] = pose;
        }
    }
    state->isValid = isValid;
    return WK_LIKELY(isValid) ? wk_ok : failLinks(state, poses);
}

const wkRobot* wkRobotState_Robot(const wkRobotState* state)
{
    return state != NULL ? state->robot : NULL;
}

const double* wkRobotState_Configuration(const wkRobotState* state)
{
    return state != NULL ? state->q : NULL;
}

wkPose wkRobotState_LinkPose(const wkRobotState* state, int32_t link)
{
    bool isOne = state != NULL && link >= 0 && link < state->robot->info.linkCount;
    return isOne ? wkStateLink(state, link) : wkIdentityPose();
}

wkPose wkRobotState_BodyPose(const wkRobotState* state, int32_t body)
{
    if (state == NULL || body < 0 || body >= state->robot->info.bodyCount) {
        return wkIdentityPose();
    }
    const wkRobotBody* placed = &state->robot->bodies[body];
    return state->hasGivenLinks
               ? wkMulPose(state->links[placed->info.link], placed->info.pose)
               : wkMulUnitPose(&state->rigidGroups[placed->rigidGroup], &placed->pose);
}
