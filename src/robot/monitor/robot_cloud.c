// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The clouds of a robot: samples of each link at each level, thinned to the resolution. Thinning keeps one sample of a
// cube, with a sphere that covers those of the others, so the largest radius bounds the gap.

#include "robot/monitor/robot_cloud_impl.h"

#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/range.h"
#include "robot/monitor/link_samples.h"

#include <string.h>

#define LEAST_RESOLUTION 1e-4
#define MOST_RESOLUTION 10.0

// Edge of the cubes of which one sample is kept, as a share of the resolution. Two samples of a cube are at most
// sqrt(3) edges apart: 0.73 of the resolution, and spheres of a quarter of it are covered within the whole.
#define CUBE_SHARE 0.42

wkRobotCloudDef wkDefaultRobotCloudDef(void)
{
    wkRobotCloudDef def = {
        .cookie = WK_COOKIE(wkRobotCloudDef),
        .kind = wk_robotCloudPoints,
        .levelCount = 3,
        .resolutions = {0.1, 0.03, 0.01},
        .maxSamples = 20000000,
    };
    return def;
}

static wkResult checkDef(const wkRobotCloudDef* def)
{
    if (!WK_HAS_COOKIE(def, wkRobotCloudDef)) {
        return WK_FAIL_COOKIE(def, wkRobotCloudDef);
    }
    if (def->robot == NULL) {
        return wkFail(wk_errorArgument, "robot cloud: robot is NULL");
    }
    const wkNamedNumber numbers[] = {
        {"kind", (double)def->kind, 0.0, 1.0},
        {"levelCount", (double)def->levelCount, 1.0, WK_MAX_ROBOT_CLOUD_LEVELS},
        {"maxSamples", (double)def->maxSamples, 1.0, 1e8},
    };
    wkResult result = wkCheckNumbers("robot cloud", numbers, sizeof numbers / sizeof numbers[0]);
    double coarser = MOST_RESOLUTION;
    for (int32_t i = 0; i < def->levelCount && result == wk_ok; ++i) {
        const wkNamedNumber resolution = {"resolutions", def->resolutions[i], LEAST_RESOLUTION,
                                          coarser};
        result = wkCheckNumbers("robot cloud", &resolution, 1);
        coarser = def->resolutions[i];
    }
    return result;
}

static wkResult thinSamples(const wkSampleRule* rule, const wkLinkSamples* samples, wkCloud** cloud)
{
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = samples->samples;
    def.points.count = samples->count;
    def.points.stride = sizeof(wkLinkSample);
    def.points.radiusOffset = offsetof(wkLinkSample, radius);
    def.allowsEmpty = true; // bodies may be empty
    def.mergesDuplicates = rule->kind == wk_robotCloudCells;
    def.spacing = rule->kind == wk_robotCloudPoints ? CUBE_SHARE * rule->resolution : 0.0;
    return wkCloud_Create(&def, cloud);
}

// Makes a cloud of the same points with one radius for all: distances of centres are faster with it. The memory of the
// samples, which are at least as many, holds the points.
static wkResult makeEven(const wkCloud* thinned, wkLinkSamples* samples, wkCloud** cloud)
{
    wkCloudInfo info = wkCloud_Info(thinned);
    for (int32_t i = 0; i < info.pointCount; ++i) {
        wkVec3d p = wkCloud_Point(thinned, i).position;
        samples->samples[i] = (wkLinkSample){(float)p.x, (float)p.y, (float)p.z, 0.0f};
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = samples->samples;
    def.points.count = info.pointCount;
    def.points.stride = sizeof(wkLinkSample);
    def.radius = info.maxRadius;
    def.allowsEmpty = true;
    return wkCloud_Create(&def, cloud);
}

static wkResult addLink(const wkRobotCloud* robotCloud, int32_t link, const wkSampleRule* rule,
                        wkLinkCloud* made)
{
    if (robotCloud->robot->links[link].info.bodyCount == 0) {
        return wk_ok;
    }
    wkLinkSamples samples;
    wkCloud *thinned = NULL, *cloud = NULL;
    wkResult result = wkSampleLink(robotCloud->robot, link, rule, &samples);
    if (result == wk_ok) {
        result = thinSamples(rule, &samples, &thinned);
    }
    if (result == wk_ok) {
        result = makeEven(thinned, &samples, &cloud);
    }
    wkCloud_Destroy(thinned);
    wkFreeLinkSamples(&samples);
    made->cloud = cloud;
    made->gap = cloud != NULL ? wkCloud_Info(cloud).maxRadius : 0.0;
    return result;
}

wkResult wkRobotCloud_Create(const wkRobotCloudDef* def, wkRobotCloud** cloud)
{
    *cloud = NULL;
    wkResult result = checkDef(def);
    if (result != wk_ok) {
        return result;
    }
    int32_t linkCount = def->robot->info.linkCount, count = linkCount * def->levelCount;
    size_t byteCount = sizeof(wkRobotCloud) + (size_t)count * sizeof(wkLinkCloud);
    wkRobotCloud* made = wkAlloc(byteCount);
    if (made == NULL) {
        return wkFail(wk_errorMemory, "robot cloud: no memory");
    }
    memset(made, 0, byteCount);
    made->robot = def->robot;
    made->byteCount = byteCount;
    made->linkCount = linkCount;
    made->levelCount = def->levelCount;
    for (int32_t i = 0; i < count && result == wk_ok; ++i) {
        wkSampleRule rule = {def->kind, def->resolutions[i / linkCount], def->maxSamples};
        result = addLink(made, i % linkCount, &rule, &made->links[i]);
    }
    if (result != wk_ok) {
        wkRobotCloud_Destroy(made);
        return result;
    }
    *cloud = made;
    return wk_ok;
}

void wkRobotCloud_Destroy(wkRobotCloud* cloud)
{
    if (cloud == NULL) {
        return;
    }
    for (int32_t i = 0; i < cloud->linkCount * cloud->levelCount; ++i) {
        wkCloud_Destroy(cloud->links[i].cloud);
    }
    wkFree(cloud, cloud->byteCount);
}

wkRobotCloudInfo wkRobotCloud_Info(const wkRobotCloud* cloud)
{
    wkRobotCloudInfo info;
    memset(&info, 0, sizeof info);
    if (cloud == NULL) {
        return info;
    }
    info.linkCount = cloud->linkCount;
    info.levelCount = cloud->levelCount;
    info.byteCount = cloud->byteCount;
    for (int32_t i = 0; i < cloud->linkCount * cloud->levelCount; ++i) {
        const wkLinkCloud* link = &cloud->links[i];
        int32_t level = i / cloud->linkCount;
        if (link->cloud != NULL) {
            wkCloudInfo points = wkCloud_Info(link->cloud);
            info.gaps[level] = wkMaxD(info.gaps[level], link->gap);
            info.pointCounts[level] += points.pointCount;
            info.byteCount += points.byteCount;
        }
    }
    return info;
}

wkLinkCloudInfo wkRobotCloud_Link(const wkRobotCloud* cloud, int32_t link, int32_t level)
{
    bool isKnown = cloud != NULL && link >= 0 && link < cloud->linkCount && level >= 0 &&
                   level < cloud->levelCount;
    wkLinkCloudInfo info = {NULL, 0.0};
    if (isKnown) {
        const wkLinkCloud* samples = &cloud->links[level * cloud->linkCount + link];
        info.cloud = samples->cloud;
        info.gap = samples->gap;
    }
    return info;
}
