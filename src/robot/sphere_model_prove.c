// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Proves, link by link, whether given spheres cover a robot.

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "fit/fit_impl.h"
#include "query/pair/shape_extent.h"
#include "robot/sphere_model_impl.h"

#include "whisker/detail/library.h"

#include <stdio.h>

// Capacity in bytes of the message of a link that failed.
#define WORDS 200

// Result of the proof for a link.
typedef struct linkProof {
    wkResult result;
    wkFitInfo report;
    char words[WORDS]; // error message; copied, because messages belong to a thread
} linkProof;

typedef struct proofWork {
    const wkSphereModel* model;
    double tolerance;
    linkProof* links;
} proofWork;

// Measures bodies and spheres of a link without a padding that all of its bodies have at least. Where these
// spheres cover these bodies, those of the link cover the bodies of the link: a point of a padded body is no
// further than the padding from one without it. Negative padding takes nothing from the cores of bodies, as
// queries compute it from the distance of the cores.
// @param shrink the padding that is removed; >= 0
static wkResult measureLink(const wkSphereModel* model, int32_t link, double shrink,
                            double tolerance, wkFitInfo* report)
{
    wkLinkSpheres own = wkSphereModel_Link(model, link);
    wkLinkInfo info = wkRobot_Link(model->info.robot, link);
    size_t bodyBytes = ((size_t)info.bodyCount + 1) * (sizeof(wkFitBody) + sizeof(wkShape));
    size_t byteCount = bodyBytes + (size_t)own.count * sizeof(wkSphere3d);
    wkFitBody* bodies = wkAlloc(byteCount);
    if (bodies == NULL) {
        return wkFail(wk_errorMemory, "sphere model: out of memory");
    }
    wkShape* copies = (wkShape*)(bodies + info.bodyCount + 1);
    wkSphere3d* spheres = (wkSphere3d*)(copies + info.bodyCount + 1);
    int32_t count = 0;
    for (int32_t i = 0; i < own.count; ++i) {
        spheres[count] = model->spheres[own.first + i].sphere;
        spheres[count].radius -= shrink;
        count += spheres[count].radius >= 0.0 ? 1 : 0;
    }
    for (int32_t i = 0; i < info.bodyCount; ++i) {
        wkBodyInfo body = wkRobot_Body(model->info.robot, info.firstBody + i);
        wkShape shape = *body.shape, core;
        shape.padding -= shrink;
        copies[i] = *wkWholeShape(&shape, &core);
        bodies[i] = (wkFitBody){&copies[i], body.pose};
    }
    wkResult result = wkMeasureFit(bodies, info.bodyCount, spheres, count, tolerance, report);
    wkFree(bodies, byteCount);
    return result;
}

// Returns the padding that all bodies of a link have at least.
static double leastPadding(const wkRobot* robot, int32_t link)
{
    wkLinkInfo info = wkRobot_Link(robot, link);
    double least = info.bodyCount > 0 ? INFINITY : 0.0;
    for (int32_t i = 0; i < info.bodyCount; ++i) {
        least = wkMinD(least, wkRobot_Body(robot, info.firstBody + i).shape->padding);
    }
    return least;
}

wkResult wkSphereModel_Measure(const wkSphereModel* model, int32_t link, double tolerance,
                               wkFitInfo* info)
{
    if (model == NULL || info == NULL) {
        return wkFail(wk_errorArgument, "sphere model: %s is NULL",
                      model == NULL ? "model" : "info");
    }
    int32_t linkCount = wkRobot_Info(model->info.robot).linkCount;
    if (link < 0 || link >= linkCount) {
        return wkFail(wk_errorArgument, "sphere model: link is %d, the robot has %d", (int)link,
                      (int)linkCount);
    }
    wkResult result = measureLink(model, link, 0.0, tolerance, info);
    // padding rounds edges, which are measured by facets around them; without padding there may be no gap
    double padding = leastPadding(model->info.robot, link);
    if (result == wk_ok && info->gap > 0.0 && padding > 0.0) {
        wkFitInfo bare;
        result = measureLink(model, link, padding, INFINITY, &bare);
        bool isCovered = result == wk_ok && bare.gap == 0.0;
        info->gap = isCovered ? 0.0 : info->gap;
        info->coverage = isCovered ? 1.0 : info->coverage;
    }
    return result;
}

static void proveLink(void* context, int32_t link)
{
    proofWork* work = context;
    linkProof* proof = &work->links[link];
    proof->result = wkSphereModel_Measure(work->model, link, work->tolerance, &proof->report);
    if (proof->result != wk_ok) {
        snprintf(proof->words, sizeof proof->words, "%s", wkGetLastError());
    }
}

// Combines the results of all links.
static wkResult gather(const proofWork* work, int32_t linkCount, wkSphereModelInfo* info)
{
    double gap = 0.0, protrusion = 0.0;
    int32_t bareLink = -1;
    for (int32_t i = 0; i < linkCount; ++i) {
        const linkProof* proof = &work->links[i];
        if (proof->result != wk_ok) {
            return wkFail(proof->result, "link %s: %s", wkRobot_Link(info->robot, i).name,
                          proof->words);
        }
        bareLink = proof->report.gap > gap ? i : bareLink;
        gap = wkMaxD(gap, proof->report.gap);
        protrusion = wkMaxD(protrusion, proof->report.protrusion);
    }
    // nothing is proven about a robot without bodies
    bool hasBodies = wkRobot_Info(info->robot).bodyCount > 0;
    info->isCovering = hasBodies && gap == 0.0;
    info->gap = hasBodies ? gap : INFINITY;
    info->bareLink = bareLink;
    info->protrusion = work->tolerance < INFINITY ? protrusion : info->protrusion;
    return wk_ok;
}

wkResult wkSphereModel_Prove(wkSphereModel* model, double tolerance, const wkParallel* parallel)
{
    if (model == NULL) {
        return wkFail(wk_errorArgument, "sphere model: model is NULL");
    }
    int32_t linkCount = wkRobot_Info(model->info.robot).linkCount;
    size_t byteCount = (size_t)linkCount * sizeof(linkProof);
    proofWork work = {model, tolerance, wkAlloc(byteCount)};
    if (work.links == NULL) {
        return wkFail(wk_errorMemory, "sphere model: out of memory");
    }
    wkRunTasks(parallel, proveLink, &work, linkCount);
    wkResult result = gather(&work, linkCount, &model->info);
    wkFree(work.links, byteCount);
    return result;
}
