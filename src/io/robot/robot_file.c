// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The public functions that read robots: options, the two files, and the construction of a robot.

#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "io/robot/finder.h"
#include "io/robot/urdf_builder.h"

#include "base/cookie.h"

#include "whisker/detail/counts.h"
#include "whisker/detail/library.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char* const modeNames[WK_ROBOT_MESH_MODE_COUNT] = {
    [wk_robotMeshSolid] = "solid",
    [wk_robotMeshSurface] = "surface",
    [wk_robotMeshHull] = "hull",
    [wk_robotMeshPieces] = "pieces",
};

const char* wkRobotMeshModeName(wkRobotMeshMode mode)
{
    return (unsigned)mode < (unsigned)WK_ROBOT_MESH_MODE_COUNT ? modeNames[mode] : "";
}

wkResult wkRobotMeshModeFromName(const char* name, wkRobotMeshMode* mode)
{
    for (int i = 0; name != NULL && i < WK_ROBOT_MESH_MODE_COUNT; i++) {
        if (strcmp(name, modeNames[i]) == 0) {
            *mode = (wkRobotMeshMode)i;
            return wk_ok;
        }
    }
    char words[128];
    snprintf(words, sizeof words,
             "load robot: mode of meshes \"%.40s\", expected solid, surface, hull or pieces",
             name != NULL ? name : "NULL");
    return wkSetLastError(wk_errorArgument, words);
}

wkRobotLoadDef wkDefaultRobotLoadDef(void)
{
    wkRobotLoadDef options = {
        .mode = wk_robotMeshSolid, .scale = 1.0, .cookie = WK_COOKIE(wkRobotLoadDef)};
    return options;
}

static double secondsNow(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Checks the options for all links, or for one.
static wkResult checkRule(const char* link, double padding, double scale, wkRobotMeshMode mode)
{
    const struct {
        const char* name;
        double value;
        bool isFine;
        const char* expected;
    } fields[] = {
        {"padding", padding, isfinite(padding), "a finite number"},
        {"scale", scale, scale > 0.0 && isfinite(scale), "a finite number above 0"},
        {"mode", mode, (unsigned)mode < (unsigned)WK_ROBOT_MESH_MODE_COUNT, "a wkRobotMeshMode"},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (!fields[i].isFine) {
            char words[200];
            snprintf(words, sizeof words, "load robot: %s of %s%.60s is %g, expected %s",
                     fields[i].name, link != NULL ? "link " : "all links", link != NULL ? link : "",
                     fields[i].value, fields[i].expected);
            return wkSetLastError(wk_errorRange, words);
        }
    }
    return wk_ok;
}

static wkResult checkLists(const wkRobotLoadDef* options)
{
    if (options->linkCount < 0 || (options->links == NULL && options->linkCount > 0)) {
        return wkIoFail("load robot", wk_errorArgument, "links is %s and linkCount %d",
                        options->links == NULL ? "NULL" : "an array", (int)options->linkCount);
    }
    for (int32_t i = 0; i < options->linkCount; i++) {
        if (options->links[i].link == NULL) {
            return wkIoFail("load robot", wk_errorArgument, "links[%d].link is NULL", (int)i);
        }
    }
    return wkIoCheckPackages("load robot", options->packages, options->packageCount);
}

static wkResult checkOptions(const wkRobotLoadDef** options, wkRobotLoadDef* defaults)
{
    if (*options == NULL) {
        *defaults = wkDefaultRobotLoadDef();
        *options = defaults;
    }
    const wkRobotLoadDef* o = *options;
    if (!WK_HAS_COOKIE(o, wkRobotLoadDef)) {
        return WK_FAIL_COOKIE(o, wkRobotLoadDef);
    }
    wkResult result = checkLists(o);
    if (result == wk_ok) {
        result = checkRule(NULL, o->padding, o->scale, o->mode);
    }
    for (int32_t i = 0; i < o->linkCount && result == wk_ok; i++) {
        const wkRobotLinkDef* link = &o->links[i];
        result = checkRule(link->link, link->padding, link->scale, link->mode);
    }
    return result;
}

typedef wkResult stepFcn(wkUrdfBuilder* builder);

static wkResult runSteps(wkUrdfBuilder* builder, stepFcn* const* steps, size_t stepCount)
{
    wkResult result = wk_ok;
    for (size_t i = 0; i < stepCount && result == wk_ok; i++) {
        result = steps[i](builder);
    }
    return result;
}

static wkResult readUrdf(wkUrdfBuilder* builder, const wkIoSource* source)
{
    static stepFcn* const steps[] = {wkUrdf_ReadRoot, wkUrdf_ReadLinks, wkUrdf_ReadJoints,
                                     wkUrdf_CheckTree, wkUrdf_ReadBodies};
    wkResult result = wkXmlFile_Parse(&builder->urdf, source, &builder->arena);
    return result == wk_ok ? runSteps(builder, steps, sizeof steps / sizeof steps[0]) : result;
}

static wkResult readSrdf(wkUrdfBuilder* builder, const wkIoSource* source)
{
    static stepFcn* const steps[] = {wkSrdf_ReadGroups, wkSrdf_ReadStates, wkSrdf_ReadEndEffectors,
                                     wkSrdf_ReadPairs};
    wkResult result = wkXmlFile_Parse(&builder->srdf, source, &builder->arena);
    if (result == wk_ok) {
        result = wkSrdf_ReadRoot(builder);
    }
    if (result == wk_ok && builder->options->addsVirtualJoint) {
        result = wkSrdf_ReadVirtualJoint(builder);
    }
    return result == wk_ok ? runSteps(builder, steps, sizeof steps / sizeof steps[0]) : result;
}

// Refuses a negative padding that leaves nothing of a shape: the shape would never collide.
static wkResult checkPaddings(wkUrdfBuilder* builder)
{
    for (int32_t i = 0; i < builder->bodyCount; i++) {
        const wkBodyDef* body = &builder->bodies[i].def;
        bool isShrunk = body->shape.padding < 0.0 && body->shape.type != wk_shapeNone;
        wkAabb box = isShrunk ? wkShape_Bounds(&body->shape, wkIdentityPose()) : (wkAabb){0};
        if (box.lower.x > box.upper.x || box.lower.y > box.upper.y || box.lower.z > box.upper.z) {
            return wkIoFail(builder->urdf.name, wk_errorRange,
                            "a padding of %g m leaves nothing of a shape of link \"%.80s\"",
                            body->shape.padding, body->link);
        }
    }
    return wk_ok;
}

static wkResult createRobot(wkUrdfBuilder* builder, wkRobot** robot)
{
    builder->def.links = builder->links;
    builder->def.joints = builder->joints;
    wkResult result = wkRobot_Create(&builder->def, robot);
    if (result == wk_ok) {
        result = wkRobot_Adopt(*robot, builder->ownMeshes, builder->ownMeshCount, builder->ownHulls,
                               builder->ownHullCount);
    }
    if (result != wk_ok) {
        wkRobot_Destroy(*robot);
        *robot = NULL;
        wkIoSource source = {.name = builder->urdf.name};
        return wkIoFailAgain(&source, result);
    }
    return wk_ok;
}

// Builds a robot from the bytes of the files. `srdf` may be NULL.
static wkResult build(const wkIoSource* urdf, const wkIoSource* srdf, const wkRobotLoadDef* options,
                      double startTime, wkRobotLoadInfo* info, wkRobot** robot)
{
    static stepFcn* const steps[] = {wkUrdfBuilder_LoadMeshes, wkUrdfBuilder_PlaceBodies,
                                     checkPaddings, wkUrdfBuilder_CheckBodies};
    wkUrdfBuilder builder;
    memset(&builder, 0, sizeof builder);
    builder.options = options;
    builder.path = urdf->path;
    builder.def = wkDefaultRobotDef();
    wkResult result = readUrdf(&builder, urdf);
    if (result == wk_ok && srdf != NULL) {
        result = readSrdf(&builder, srdf);
    }
    if (result == wk_ok) {
        result = runSteps(&builder, steps, sizeof steps / sizeof steps[0]);
    }
    if (result == wk_ok) {
        result = createRobot(&builder, robot);
    }
    wkUrdfBuilder_DropMeshes(&builder, result == wk_ok);
    wkIoArena_Free(&builder.arena);
    if (result == wk_ok && info != NULL) {
        builder.report.seconds = secondsNow() - startTime;
        *info = builder.report;
    }
    return result;
}

static wkResult checkVirtualJoint(const wkRobotLoadDef* options, bool hasSrdf)
{
    return hasSrdf || !options->addsVirtualJoint
               ? wk_ok
               : wkSetLastError(wk_errorArgument,
                                "load robot: addsVirtualJoint needs an SRDF, which has the joint");
}

wkResult wkRobot_Load(const char* path, const wkRobotLoadDef* def, wkRobotLoadInfo* info,
                      wkRobot** robot)
{
    if (path == NULL || robot == NULL) {
        return wkSetLastError(wk_errorArgument, "load robot: path or robot is NULL");
    }
    *robot = NULL;
    double startTime = secondsNow();
    wkRobotLoadDef defaults;
    wkResult result = checkOptions(&def, &defaults);
    if (result == wk_ok) {
        result = checkVirtualJoint(def, def->srdf != NULL);
    }
    if (result != wk_ok) {
        return result;
    }
    wkIoSource urdf = {.name = path, .path = path};
    wkIoSource srdf = {.name = def->srdf, .path = def->srdf};
    bool isSame = def->srdf != NULL && strcmp(path, "-") == 0 && strcmp(def->srdf, "-") == 0;
    if (isSame) {
        return wkSetLastError(wk_errorArgument,
                              "load robot: URDF and SRDF cannot both be the standard input");
    }
    result = wkIoReadInput(path, &urdf);
    if (result != wk_ok) {
        return result;
    }
    if (def->srdf != NULL) {
        result = wkIoReadInput(def->srdf, &srdf);
    }
    if (result == wk_ok) {
        result = build(&urdf, def->srdf != NULL ? &srdf : NULL, def, startTime, info, robot);
        if (def->srdf != NULL) {
            wkIoUnread(&srdf);
        }
    }
    wkIoUnread(&urdf);
    return result;
}

wkResult wkRobot_Parse(const char* urdf, size_t urdfByteCount, const char* srdf,
                       size_t srdfByteCount, const wkRobotLoadDef* def, wkRobotLoadInfo* info,
                       wkRobot** robot)
{
    if (urdf == NULL || robot == NULL) {
        return wkSetLastError(wk_errorArgument, "parse robot: urdf or robot is NULL");
    }
    *robot = NULL;
    double startTime = secondsNow();
    wkRobotLoadDef defaults;
    wkResult result = checkOptions(&def, &defaults);
    if (result == wk_ok) {
        result = checkVirtualJoint(def, srdf != NULL);
    }
    if (result != wk_ok) {
        return result;
    }
    wkIoSource urdfSource = {
        .name = "urdf", .bytes = (const uint8_t*)urdf, .byteCount = urdfByteCount};
    wkIoSource srdfSource = {
        .name = "srdf", .bytes = (const uint8_t*)srdf, .byteCount = srdfByteCount};
    return build(&urdfSource, srdf != NULL ? &srdfSource : NULL, def, startTime, info, robot);
}
