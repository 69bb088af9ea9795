// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Alarms: the samples of each link against the objects of a scene, coarse ones first. The spheres of samples cover the
// surface of the link, so their distance is a lower bound at every level, and a pair that is far enough at a coarse level
// needs no finer one (the resolution-change distance of Kaldestad et al.). Samples say nothing about the inside of a
// link: an object within it is found by the bodies themselves.

#include "robot/monitor/robot_cloud_impl.h"

#include "base/assert.h"
#include "base/cookie.h"
#include "base/error.h"
#include "robot/robot_query.h"

#include "whisker/detail/library.h"

#include <float.h>
#include <string.h>

wkAlarmRequest wkDefaultAlarmRequest(void)
{
    wkAlarmRequest request = {
        .cookie = WK_COOKIE(wkAlarmRequest), .warningMargin = 0.1, .cutoff = INFINITY};
    return request;
}

const char* wkAlarmName(wkAlarm alarm)
{
    static const char* const names[] = {"unchecked", "clear", "warning", "collision", "invalid"};
    return (unsigned)alarm < sizeof names / sizeof names[0] ? names[alarm] : "none";
}

// More than the rounding of a distance of centres, relative to the positions.
#define CENTER_ROUNDING 1e-12

// Links that threads share at a time.
#define SHARED_LINKS 64

// The check of one link.
typedef struct alarmRun {
    const wkRobotCloud* cloud;
    const wkRobotScene* scene;
    const wkRobotState* state;
    const wkAlarmRequest* request;
    int64_t pairCount;
} alarmRun;

// What threads write about a link.
typedef struct linkResult {
    wkLinkAlarm alarm;
    int64_t pairCount;
} linkResult;

typedef struct sharedLinks {
    alarmRun start;
    int32_t first; // link of the first result
    linkResult results[SHARED_LINKS];
} sharedLinks;

static wkResult failNumber(const char* name, int32_t index, double value, const char* range)
{
    return wkFail(wk_errorRange, "alarm: %s[%d] is %g, must be %s", name, (int)index, value, range);
}

static wkResult checkRequest(const wkRobotCloud* cloud, const wkAlarmRequest* request)
{
    if (!(request->warningMargin >= 0.0)) {
        return wkFail(wk_errorRange, "alarm: warningMargin is %g, must be 0 or more",
                      request->warningMargin);
    }
    if (!(request->cutoff >= request->warningMargin)) {
        return wkFail(wk_errorRange, "alarm: cutoff is %g, must be at least the warningMargin, %g",
                      request->cutoff, request->warningMargin);
    }
    for (int32_t i = 0; request->changeDistances != NULL && i < cloud->levelCount - 1; ++i) {
        if (!(request->changeDistances[i] >= 0.0)) {
            return failNumber("changeDistances", i, request->changeDistances[i], "0 or more");
        }
    }
    for (int32_t i = 0; request->finestLevels != NULL && i < cloud->linkCount; ++i) {
        int32_t level = request->finestLevels[i];
        if (level < 0 || level >= cloud->levelCount) {
            return failNumber("finestLevels", i, (double)level, "the index of a level");
        }
    }
    return wk_ok;
}

static wkResult checkArguments(const wkRobotCloud* cloud, const wkRobotScene* scene,
                               const wkRobotState* state, const wkAlarmRequest* request)
{
    if (cloud == NULL) {
        return wkFail(wk_errorArgument, "alarm: cloud is NULL");
    }
    wkResult result = checkRequest(cloud, request);
    result = result == wk_ok ? wkCheckUsableState(scene, state, "alarm") : result;
    if (result == wk_ok && cloud->robot != scene->robot) {
        result = wkFail(wk_errorArgument, "alarm: the cloud is not of the robot of the scene");
    }
    return result;
}

// The distance of a shape of the robot and an object, up to the best of the link so far.
static wkLinkAlarm measure(alarmRun* run, const wkShape* shape, wkPose pose, int32_t slotIndex,
                           double cutoff)
{
    wkSceneObject object = wkScene_ObjectAt(run->scene->world, slotIndex);
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.cutoff = cutoff;
    ++run->pairCount;
    wkDistanceResult d = wkDistance(shape, pose, object.shape, *object.pose, &request);
    bool isInvalid = d.status == wk_statusInvalid || d.distance != d.distance;
    bool isNear = d.distance < DBL_MAX && d.distance <= cutoff;
    wkLinkAlarm found = {
        .alarm = isInvalid ? wk_alarmInvalid : wk_alarmUnchecked,
        .distance = isNear ? d.distance : cutoff,
        .level = -1,
        .object = isNear ? wkSideOfSlot(run->scene, slotIndex) : wkNoSide(),
    };
    if (isNear && !isInvalid) {
        found.pointA = d.pointA;
        found.pointB = d.pointB;
    }
    return found;
}

// Whether a shape is a cloud whose points have one radius.
static bool isEvenCloud(const wkShape* shape)
{
    return shape->type == wk_shapeCloud && !wkCloud_Info(shape->cloud).hasRadii;
}

// The same for samples and a cloud whose points have one radius: the distance of centres less the largest radii. It is
// faster than that of spheres, and no worse than the gap of the samples allows.
static wkLinkAlarm measureCenters(alarmRun* run, const wkShape* samples, wkPose pose,
                                  int32_t slotIndex, double cutoff)
{
    wkSceneObject object = wkScene_ObjectAt(run->scene->world, slotIndex);
    double radii = wkCloud_Info(samples->cloud).maxRadius + samples->padding +
                   wkCloud_Info(object.shape->cloud).maxRadius + object.shape->rounding +
                   object.shape->padding;
    radii += CENTER_ROUNDING * (wkMaxAbs(pose.position) + wkMaxAbs(object.pose->position) + 1.0);
    wkCenterRequest request = wkDefaultCenterRequest();
    request.cutoff = wkMaxD(cutoff + radii, 0.0);
    ++run->pairCount;
    wkCenterResult r =
        wkCenterDistance(samples->cloud, pose, object.shape->cloud, *object.pose, &request);
    bool isInvalid = r.status == wk_statusInvalid;
    bool isNear = r.status == wk_statusExact && r.distance - radii <= cutoff;
    wkLinkAlarm found = {
        .alarm = isInvalid ? wk_alarmInvalid : wk_alarmUnchecked,
        .distance = isNear || isInvalid ? r.distance - radii : cutoff,
        .object = isNear ? wkSideOfSlot(run->scene, slotIndex) : wkNoSide(),
        .pointA = r.pointA,
        .pointB = r.pointB,
    };
    return found;
}

// Padding that the scene adds to the bodies of a link.
static double paddingOf(const wkRobotScene* scene, int32_t body)
{
    return scene->bodySet->bodySet->bodies[body].shape.padding -
           scene->robot->bodies[body].shape.padding;
}

static double changeDistanceOf(const wkAlarmRequest* request, int32_t level)
{
    return request->changeDistances != NULL ? request->changeDistances[level]
                                            : request->warningMargin;
}

// Measures the samples of a link from the coarse ones on, until they are far enough or the finest.
static wkLinkAlarm measureSamples(alarmRun* run, int32_t link, int32_t slotIndex, double cutoff)
{
    const wkAlarmRequest* request = run->request;
    int32_t finest =
        request->finestLevels != NULL ? request->finestLevels[link] : run->cloud->levelCount - 1;
    int32_t firstBody = run->cloud->robot->links[link].info.firstBody;
    wkPose pose = wkStateLink(run->state, link);
    for (int32_t level = 0;; ++level) {
        wkLinkCloudInfo samples = wkRobotCloud_Link(run->cloud, link, level);
        wkShape shape = wkMakeCloud(samples.cloud);
        shape.padding = paddingOf(run->scene, firstBody);
        const wkShape* object = wkScene_ObjectAt(run->scene->world, slotIndex).shape;
        wkLinkAlarm found = isEvenCloud(object)
                                ? measureCenters(run, &shape, pose, slotIndex, cutoff)
                                : measure(run, &shape, pose, slotIndex, cutoff);
        found.level = level;
        found.gap = samples.gap;
        if (level == finest || found.distance >= cutoff || found.alarm == wk_alarmInvalid ||
            found.distance > changeDistanceOf(request, level)) {
            return found;
        }
    }
}

// Whether a body of a link touches an object that its samples are apart from: the object is inside.
static bool isInside(alarmRun* run, int32_t link, int32_t slotIndex)
{
    const wkLinkInfo* info = &run->cloud->robot->links[link].info;
    for (int32_t i = 0; i < info->bodyCount; ++i) {
        wkPlacedPair pair =
            wkPlacedPairOf(run->scene, run->state, info->firstBody + i, wkSlotPartner(slotIndex));
        if (wkCollide(pair.a, pair.poseA, pair.b, pair.poseB, NULL).isTouching) {
            return true;
        }
    }
    return false;
}

static void keepNearer(const alarmRun* run, const wkLinkAlarm* found, wkLinkAlarm* best)
{
    if (best->alarm == wk_alarmInvalid) {
        return; // no pair that follows makes the link valid
    }
    if (found->alarm == wk_alarmInvalid || found->distance < best->distance) {
        *best = *found;
    }
    if (best->alarm != wk_alarmInvalid) {
        best->alarm = best->distance <= 0.0                           ? wk_alarmCollision
                      : best->distance <= run->request->warningMargin ? wk_alarmWarning
                                                                      : wk_alarmClear;
    }
}

// Whether a link and an object may overlap a little without touching, by negative padding or safety distances. Samples,
// which are of the surface, do not know on which side of it an object is.
static bool mayOverlap(const alarmRun* run, int32_t link, int32_t slotIndex)
{
    int32_t firstBody = run->cloud->robot->links[link].info.firstBody;
    double padding = paddingOf(run->scene, firstBody) +
                     wkScene_ObjectAt(run->scene->world, slotIndex).shape->padding;
    return padding < 0.0;
}

static void checkBodies(alarmRun* run, int32_t link, int32_t slotIndex, wkLinkAlarm* best)
{
    const wkLinkInfo* info = &run->cloud->robot->links[link].info;
    const wkBodySet* bodySet = run->scene->bodySet->bodySet;
    for (int32_t i = info->firstBody; i < info->firstBody + info->bodyCount; ++i) {
        wkLinkAlarm found = measure(run, &bodySet->bodies[i].shape,
                                    wkBodyPose(bodySet, run->state, i), slotIndex, best->distance);
        keepNearer(run, &found, best);
    }
}

static void checkPair(alarmRun* run, int32_t link, int32_t slotIndex, wkLinkAlarm* best)
{
    if (mayOverlap(run, link, slotIndex)) {
        checkBodies(run, link, slotIndex, best);
        return;
    }
    wkLinkAlarm found = measureSamples(run, link, slotIndex, best->distance);
    if (found.alarm != wk_alarmInvalid && found.distance > 0.0 && isInside(run, link, slotIndex)) {
        found = (wkLinkAlarm){
            .distance = 0.0, .level = -1, .object = wkSideOfSlot(run->scene, slotIndex)};
    }
    keepNearer(run, &found, best);
}

// The rules of a link's bodies are the same: they are about the link.
static void checkLink(alarmRun* run, int32_t link, wkLinkAlarm* best)
{
    const wkLinkInfo* info = &run->cloud->robot->links[link].info;
    const wkScene* world = run->scene->world;
    for (int32_t slot = 0; info->bodyCount > 0 && slot < wkScene_SlotCount(world); ++slot) {
        wkSceneObject object = wkScene_ObjectAt(world, slot);
        if (object.shape != NULL && !object.isEmpty &&
            !wkMayTouchSlot(run->scene, info->firstBody, slot)) {
            checkPair(run, link, slot, best);
        }
    }
}

// Attached shapes follow the bodies of the robot.
static void checkAttached(alarmRun* run, int32_t link, wkLinkAlarm* best)
{
    const wkBodySet* bodySet = run->scene->bodySet->bodySet;
    const wkScene* world = run->scene->world;
    for (int32_t i = run->cloud->robot->info.bodyCount; i < bodySet->count; ++i) {
        for (int32_t slot = 0; bodySet->bodies[i].link == link && slot < wkScene_SlotCount(world);
             ++slot) {
            wkSceneObject object = wkScene_ObjectAt(world, slot);
            if (object.shape != NULL && !object.isEmpty && !wkMayTouchSlot(run->scene, i, slot)) {
                wkLinkAlarm found =
                    measure(run, &bodySet->bodies[i].shape, wkBodyPose(bodySet, run->state, i),
                            slot, best->distance);
                keepNearer(run, &found, best);
            }
        }
    }
}

static wkAlarmResult invalidResult(int32_t linkCount, wkLinkAlarm* linkAlarms)
{
    wkLinkAlarm invalid = {.alarm = wk_alarmInvalid, .distance = -INFINITY, .level = -1};
    invalid.object = wkNoSide();
    for (int32_t i = 0; linkAlarms != NULL && i < linkCount; ++i) {
        linkAlarms[i] = invalid;
    }
    wkAlarmResult result = {.alarm = wk_alarmInvalid, .link = -1, .worst = invalid};
    return result;
}

static wkLinkAlarm clearOf(const wkAlarmRequest* request)
{
    wkLinkAlarm clear = {
        .alarm = wk_alarmClear, .distance = request->cutoff, .level = -1, .object = wkNoSide()};
    return clear;
}

static void checkSharedLink(void* context, int32_t index)
{
    sharedLinks* shared = (sharedLinks*)context;
    alarmRun run = shared->start;
    wkLinkAlarm best = clearOf(run.request);
    checkLink(&run, shared->first + index, &best);
    checkAttached(&run, shared->first + index, &best);
    shared->results[index] = (linkResult){best, run.pairCount};
}

// Links come in their order, so that the first of the nearest ones is reported.
static void takeLink(wkAlarmResult* result, int32_t link, const linkResult* found)
{
    const wkLinkAlarm* alarm = &found->alarm;
    if (alarm->distance < result->worst.distance || alarm->alarm == wk_alarmInvalid) {
        result->worst = *alarm;
        result->link = link;
    }
    result->alarm = alarm->alarm > result->alarm ? alarm->alarm : result->alarm;
    result->pairCount += found->pairCount;
}

wkAlarmResult wkRobotCloud_Check(const wkRobotCloud* cloud, const wkRobotScene* scene,
                                 const wkRobotState* state, const wkAlarmRequest* request,
                                 wkLinkAlarm* linkAlarms)
{
    wkAlarmRequest defaults = wkDefaultAlarmRequest();
    request = request != NULL ? request : &defaults;
    bool hasCookie = WK_HAS_COOKIE(request, wkAlarmRequest);
    WK_ASSERT(hasCookie);
    if (!hasCookie) {
        WK_FAIL_COOKIE(request, wkAlarmRequest);
    }
    if (!hasCookie || checkArguments(cloud, scene, state, request) != wk_ok) {
        return invalidResult(cloud != NULL ? cloud->linkCount : 0, linkAlarms);
    }
    sharedLinks shared = {
        .start = {.cloud = cloud, .scene = scene, .state = state, .request = request}};
    wkAlarmResult result = {.alarm = wk_alarmClear, .link = -1, .worst = clearOf(request)};
    for (int32_t first = 0; first < cloud->linkCount; first += SHARED_LINKS) {
        int32_t left = cloud->linkCount - first, count = left < SHARED_LINKS ? left : SHARED_LINKS;
        shared.first = first;
        wkRunTasks(request->parallel, checkSharedLink, &shared, count);
        for (int32_t i = 0; i < count; ++i) {
            takeLink(&result, first + i, &shared.results[i]);
            if (linkAlarms != NULL) {
                linkAlarms[first + i] = shared.results[i].alarm;
            }
        }
    }
    return result;
}
