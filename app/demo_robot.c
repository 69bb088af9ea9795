// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Places a user's robot in the room of the demo: scales the room to its reach, puts it on the floor or on a
// pedestal, and chooses a configuration to show.

#include "demo.h"

#include "vector.h"

#include "whisker/detail/library.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE_COUNT 200
#define ROOM_REACH 1.15 // reach of the robot for which the room has scale 1
#define MIN_SCALE 0.1
#define MAX_SCALE 10.0
#define SHOWN_HEIGHT 1.5   // above it is outside the pictures
#define PEDESTAL_TOP 0.74  // height of the table
#define PEDESTAL_WIDTH 0.3 // at least

// An arm that reaches further below its own base than this share of its reach stands on a pedestal.
#define DEEP_REACH 0.25

static wkAabb unite(wkAabb a, wkAabb b)
{
    return (wkAabb){
        {fmin(a.lower.x, b.lower.x), fmin(a.lower.y, b.lower.y), fmin(a.lower.z, b.lower.z)},
        {fmax(a.upper.x, b.upper.x), fmax(a.upper.y, b.upper.y), fmax(a.upper.z, b.upper.z)}};
}

wkAabb wkDemo_RobotBounds(const wkDemo* demo, const bool* links)
{
    wkAabb all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 0; i < wkRobot_Info(demo->robot).bodyCount; i++) {
        wkBodyInfo body = wkRobot_Body(demo->robot, i);
        wkAabb box = wkShape_Bounds(body.shape, wkRobotState_BodyPose(demo->state, i));
        if ((links == NULL || links[body.link]) && isfinite(box.upper.z - box.lower.z)) {
            all = unite(all, box);
        }
    }
    return all;
}

static bool isSamePose(wkPose a, wkPose b)
{
    return wkVec_Length(wkVec_Sub(a.position, b.position)) < 1e-9 &&
           fabs(fabs(a.rotation.x * b.rotation.x + a.rotation.y * b.rotation.y +
                     a.rotation.z * b.rotation.z + a.rotation.w * b.rotation.w) -
                1.0) < 1e-9;
}

// Extent of a robot over random configurations.
typedef struct extent {
    double reach;  // from the axis of the base
    double lowest; // of any body
} extent;

static void widen(extent* e, wkAabb box)
{
    double x = fmax(fabs(box.lower.x), fabs(box.upper.x));
    double y = fmax(fabs(box.lower.y), fabs(box.upper.y));
    if (box.lower.x <= box.upper.x) {
        e->reach = fmax(e->reach, fmax(x, y));
        e->lowest = fmin(e->lowest, box.lower.z);
    }
}

// Computes the extent, and finds the links that no joint moves.
static extent explore(wkDemo* demo, double* q)
{
    int32_t linkCount = wkRobot_Info(demo->robot).linkCount;
    extent e = {0.0, INFINITY};
    uint64_t seed = 7;
    wkRobot_DefaultConfiguration(demo->robot, q);
    for (int32_t link = 0; link < linkCount; link++) {
        demo->isStatic[link] = true;
    }
    for (int i = 0; i < SAMPLE_COUNT; i++) {
        wkRobotState_Set(demo->state, wkIdentityPose(), q);
        widen(&e, wkDemo_RobotBounds(demo, NULL));
        for (int32_t link = 0; link < linkCount; link++) {
            wkPose pose = wkRobotState_LinkPose(demo->state, link);
            demo->linkPoses[link] = i == 0 ? pose : demo->linkPoses[link];
            demo->isStatic[link] = demo->isStatic[link] && isSamePose(pose, demo->linkPoses[link]);
        }
        wkRobot_RandomConfiguration(demo->robot, &seed, q);
    }
    return e;
}

// Puts the base on the floor or on a pedestal and scales the room to the reach.
static void stand(wkDemo* demo, extent e, double* q)
{
    wkRobot_DefaultConfiguration(demo->robot, q);
    wkRobotState_Set(demo->state, wkIdentityPose(), q);
    wkAabb base = wkDemo_RobotBounds(demo, demo->isStatic);
    bool hasBase = base.lower.x <= base.upper.x;
    double bottom = hasBase ? base.lower.z : 0.0;
    bool needsPedestal = e.lowest < bottom - DEEP_REACH * e.reach;
    demo->scale = fmin(fmax(e.reach / ROOM_REACH, MIN_SCALE), MAX_SCALE);
    demo->pedestal = (wkVec3d){0.0, 0.0, 0.0};
    if (needsPedestal) {
        double wide = hasBase ? base.upper.x - base.lower.x : 0.0;
        double deep = hasBase ? base.upper.y - base.lower.y : 0.0;
        demo->pedestal =
            (wkVec3d){fmax(wide, PEDESTAL_WIDTH * demo->scale),
                      fmax(deep, PEDESTAL_WIDTH * demo->scale), PEDESTAL_TOP * demo->scale};
    }
    demo->base = wkMakePose(0.0, 0.0, demo->pedestal.z - bottom);
}

// Allows pairs of links that touch by default or in every configuration, with a line about each: without an
// SRDF file that disables them, no configuration would be free.
static wkResult allowAlways(wkDemo* demo)
{
    size_t linkCount = (size_t)wkRobot_Info(demo->robot).linkCount;
    wkAllowedReason* reasons = calloc(linkCount * linkCount + 1, sizeof *reasons);
    wkAllowedRequest sampling = wkDefaultAllowedRequest();
    sampling.sampleCount = SAMPLE_COUNT;
    sampling.alwaysShare = 1.0;
    wkAllowed* allowed = NULL;
    wkResult result = reasons != NULL ? wkRobot_SampleAllowed(demo->robot, &sampling, reasons, NULL)
                                      : wkDemo_OutOfMemory();
    if (result == wk_ok) {
        result = wkAllowed_Copy(wkRobotScene_Allowed(demo->scene), &allowed);
    }
    for (size_t i = 0; i < linkCount * linkCount && result == wk_ok; i++) {
        const char* a = wkRobot_Link(demo->robot, (int32_t)(i / linkCount)).name;
        const char* b = wkRobot_Link(demo->robot, (int32_t)(i % linkCount)).name;
        bool isMadeSo = reasons[i] == wk_reasonAlways || reasons[i] == wk_reasonDefault;
        if (i / linkCount < i % linkCount && isMadeSo) {
            fprintf(stderr,
                    "whisker demo: links %.60s and %.60s touch %s; the pair is not checked\n", a, b,
                    reasons[i] == wk_reasonAlways ? "in all configurations"
                                                  : "in the default configuration");
            result = wkAllowed_Set(allowed, a, b, wk_ruleAllowed);
        }
    }
    if (result == wk_ok) {
        result = wkRobotScene_SetAllowed(demo->scene, allowed);
    }
    wkAllowed_Destroy(allowed);
    free(reasons);
    return result;
}

// Returns whether a configuration is free of self-collision and, if `isLow`, low enough for the pictures.
static bool canBeShown(wkDemo* demo, const double* q, bool isLow)
{
    wkRobotState_Set(demo->state, demo->base, q);
    bool isInView = wkDemo_RobotBounds(demo, NULL).upper.z <= SHOWN_HEIGHT * demo->scale;
    return (isInView || !isLow) &&
           wkRobotScene_Check(demo->scene, demo->state, NULL).verdict == wk_verdictFree;
}

// Chooses a named state free of self-collision, the default configuration, or a random one.
static bool chooseReady(wkDemo* demo, double* q, bool isLow)
{
    static const char* const preferred[] = {"ready", "home", "default", "rest"};
    wkRobotInfo info = wkRobot_Info(demo->robot);
    size_t byteCount = (size_t)info.variableCount * sizeof *q;
    uint64_t seed = 11;
    int count = (int)(sizeof preferred / sizeof preferred[0]);
    for (int i = 0; i < count + info.stateCount + 1 + SAMPLE_COUNT; i++) {
        int state = i - count;
        wkRobot_DefaultConfiguration(demo->robot, q);
        if (i < count) {
            wkDemo_ApplyState(demo, preferred[i], q);
        } else if (state < info.stateCount) {
            wkRobot_ApplyNamedState(demo->robot, state, q);
        } else if (state > info.stateCount) {
            wkRobot_RandomConfiguration(demo->robot, &seed, q);
        }
        if (canBeShown(demo, q, isLow)) {
            memcpy(demo->ready, q, byteCount);
            return true;
        }
    }
    wkRobot_DefaultConfiguration(demo->robot, demo->ready);
    return false;
}

wkResult wkDemo_PlaceRobot(wkDemo* demo)
{
    double* q = wkDemo_MakeConfigurations(demo, 1);
    if (q == NULL) {
        return wkDemo_OutOfMemory();
    }
    extent e = explore(demo, q);
    demo->scale = 1.0;
    demo->base = wkIdentityPose();
    wkResult result = wk_ok;
    if (demo->isBuiltIn) {
        wkRobot_DefaultConfiguration(demo->robot, demo->ready);
        wkDemo_ApplyState(demo, "ready", demo->ready);
    } else {
        stand(demo, e, q);
        result = allowAlways(demo);
        if (result == wk_ok && !chooseReady(demo, q, true)) {
            chooseReady(demo, q, false);
        }
    }
    free(q);
    return e.reach > 0.0
               ? wk_ok
               : wkSetLastError(wk_errorArgument,
                                "demo: the robot has no bodies to be seen; --visual takes "
                                "the visual shapes of its links");
}
