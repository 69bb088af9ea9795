// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Covers the links of a robot with spheres: each part by a task on any thread.

#include "robot/sphere_fit.h"

#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"

#include "whisker/detail/library.h"

#include <stdio.h>

#define MOST_SPHERES 100000

// Shares of a part's work for the meter.
#define MAKE_WORK 10
#define COVER_WORK 80
#define REPORT_WORK 10

wkSphereFitDef wkDefaultSphereFitDef(void)
{
    wkSphereFitDef fit = {.accuracy = 0.02, .cookie = WK_COOKIE(wkSphereFitDef)};
    return fit;
}

static wkResult checkFit(const wkSphereFitDef* fit)
{
    if (!WK_HAS_COOKIE(fit, wkSphereFitDef)) {
        return WK_FAIL_COOKIE(fit, wkSphereFitDef);
    }
    if (fit->count < 0 || fit->count > MOST_SPHERES) {
        return wkFail(wk_errorRange, "sphere fit: count is %d, must be 0 to %d", (int)fit->count,
                      MOST_SPHERES);
    }
    if (!(fabs(fit->accuracy) < INFINITY) || !(fabs(fit->padding) < INFINITY)) {
        return wkFail(wk_errorNotFinite, "sphere fit: %s is not finite",
                      fabs(fit->padding) < INFINITY ? "accuracy" : "padding");
    }
    if (!(fit->accuracy > 0.0)) {
        return wkFail(wk_errorRange, "sphere fit: accuracy is %g, must be > 0", fit->accuracy);
    }
    if (fit->padding < 0.0) {
        return wkFail(wk_errorRange, "sphere fit: padding is %g, must be >= 0", fit->padding);
    }
    return wk_ok;
}

static wkResult checkLinks(const wkRobot* robot, const wkSphereFitDef* fit)
{
    int32_t linkCount = wkRobot_Info(robot).linkCount;
    for (int32_t i = 0; i < linkCount; ++i) {
        if (fit->linkCounts != NULL &&
            (fit->linkCounts[i] < 0 || fit->linkCounts[i] > MOST_SPHERES)) {
            return wkFail(wk_errorRange, "sphere fit: linkCounts[%d] is %d, must be 0 to %d",
                          (int)i, (int)fit->linkCounts[i], MOST_SPHERES);
        }
        double accuracy = fit->linkAccuracies != NULL ? fit->linkAccuracies[i] : 0.0;
        if (!(accuracy >= 0.0) || !(accuracy < INFINITY)) {
            return wkFail(wk_errorRange, "sphere fit: linkAccuracies[%d] is %g, must be >= 0",
                          (int)i, accuracy);
        }
    }
    return wk_ok;
}

// Tasks run on any thread, error messages belong to one thread: they are copied for the caller.
static void finishTask(wkFitPart* p, wkResult result)
{
    p->result = result;
    if (result != wk_ok) {
        snprintf(p->words, sizeof p->words, "%s", wkGetLastError());
    }
}

static void makePart(void* context, int32_t task)
{
    wkFitWork* work = context;
    wkFitPart* p = &work->parts[task];
    if (p->twin >= 0) {
        return;
    }
    p->spheres = wkAlloc((size_t)p->capacity * sizeof *p->spheres);
    p->oldSpheres = wkAlloc((size_t)p->capacity * sizeof *p->spheres);
    if (p->spheres == NULL || p->oldSpheres == NULL) {
        finishTask(p, wkFail(wk_errorMemory, "fit: out of memory"));
        return;
    }
    wkFitSize size = {p->capacity, p->count > 0 ? p->count : work->expected, 0.0};
    size.accuracy = p->count > 0 || wkIsFitShared(work) ? 0.0 : p->accuracy;
    finishTask(p, wkFitUnit_Create(p->bodies, p->bodyCount, &size, NULL, &p->unit));
    p->unit.meter = &work->meter;
    wkProgressMeter_Add(&work->meter, MAKE_WORK);
}

static void coverPart(void* context, int32_t task)
{
    wkFitWork* work = context;
    wkFitPart* p = &work->parts[task];
    if (!p->needsCover || wkProgressMeter_IsCancelled(&work->meter)) {
        return;
    }
    p->needsCover = false;
    wkFitCover cover = {p->spheres, p->capacity, 0, 0.0};
    if (p->count > 0) {
        double guess = work->protrusion > 0.0 ? work->protrusion
                                              : wkFitUnit_GuessProtrusion(&p->unit, p->count);
        finishTask(p, wkFitUnit_Cover(&p->unit, p->count, guess, 0.0, &cover));
    } else {
        finishTask(p, wkCoverToAccuracy(&p->unit, p->accuracy, &cover));
    }
    p->sphereCount = cover.count;
    p->protrusion = cover.protrusion;
    wkProgressMeter_Add(&work->meter, COVER_WORK);
}

static void reportPart(void* context, int32_t task)
{
    wkFitWork* work = context;
    wkFitPart* p = &work->parts[task];
    wkFitInfo report;
    // the covering with the required accuracy was proven during the fit
    bool isProven = !wkIsFitShared(work) && p->count == 0 && p->protrusion <= p->accuracy;
    wkProgressMeter_Add(&work->meter, REPORT_WORK);
    if (isProven || p->twin >= 0 || wkProgressMeter_IsCancelled(&work->meter)) {
        return;
    }
    wkReportFit(&p->unit.surface, p->spheres, p->sphereCount, &report);
    // both values are proven
    p->protrusion = wkMinD(p->protrusion, report.protrusion);
}

// Runs a task for each part. Reports the error of the first part that failed.
static wkResult runParts(wkFitWork* work, wkTaskFcn* task)
{
    wkRunTasks(work->fit->parallel, task, work, work->partCount);
    if (wkProgressMeter_IsCancelled(&work->meter)) {
        return wkFail(wk_errorCancelled, "sphere fit: cancelled");
    }
    for (int32_t i = 0; i < work->partCount; ++i) {
        const wkFitPart* p = &work->parts[i];
        if (p->result != wk_ok) {
            return wkFail(p->result, "link %s: %s", wkRobot_Link(work->robot, p->link).name,
                          p->words);
        }
    }
    return wk_ok;
}

wkResult wkCoverParts(wkFitWork* work)
{
    return runParts(work, coverPart);
}

static wkResult coverAll(wkFitWork* work)
{
    wkResult result = runParts(work, makePart);
    if (result != wk_ok) {
        return result;
    }
    if (wkIsFitShared(work)) {
        result = wkShareSpheres(work);
    } else {
        for (int32_t i = 0; i < work->partCount; ++i) {
            work->parts[i].needsCover = work->parts[i].twin < 0;
        }
        result = wkCoverParts(work);
    }
    return result == wk_ok ? runParts(work, reportPart) : result;
}

// Returns the part whose spheres this part uses.
static const wkFitPart* sourceOf(const wkFitWork* work, const wkFitPart* p)
{
    return p->twin >= 0 ? &work->parts[p->twin] : p;
}

static wkResult makeModel(const wkFitWork* work, wkSphereModel** model)
{
    int32_t count = 0;
    double protrusion = 0.0;
    for (int32_t i = 0; i < work->partCount; ++i) {
        const wkFitPart* source = sourceOf(work, &work->parts[i]);
        count += source->sphereCount;
        protrusion = wkMaxD(protrusion, source->protrusion);
    }
    size_t byteCount = (size_t)(count > 0 ? count : 1) * sizeof(wkLinkSphere);
    wkLinkSphere* spheres = wkAlloc(byteCount);
    if (spheres == NULL) {
        return wkFail(wk_errorMemory, "sphere fit: out of memory");
    }
    int32_t at = 0;
    for (int32_t i = 0; i < work->partCount; ++i) {
        const wkFitPart* source = sourceOf(work, &work->parts[i]);
        for (int32_t k = 0; k < source->sphereCount; ++k) {
            spheres[at] = (wkLinkSphere){work->parts[i].link, source->spheres[k]};
            spheres[at++].sphere.radius += work->fit->padding;
        }
    }
    wkResult result = wkSphereModel_Create(work->robot, spheres, count, model);
    wkFree(spheres, byteCount);
    if (result == wk_ok) {
        (*model)->info.isCovering = !work->isPartial;
        (*model)->info.gap = work->isPartial ? INFINITY : 0.0;
        (*model)->info.protrusion = protrusion + work->fit->padding;
    }
    return result;
}

wkResult wkSphereModel_Fit(const wkRobot* robot, const wkSphereFitDef* def, wkSphereModel** model)
{
    wkSphereFitDef standard = wkDefaultSphereFitDef();
    def = def != NULL ? def : &standard;
    if (model == NULL || robot == NULL) {
        return wkFail(wk_errorArgument, "sphere fit: %s is NULL",
                      model == NULL ? "model" : "robot");
    }
    *model = NULL;
    wkResult result = checkFit(def);
    result = result == wk_ok ? checkLinks(robot, def) : result;
    if (result != wk_ok) {
        return result;
    }
    wkFitWork work = {.robot = robot, .fit = def, .bodyCount = wkRobot_Info(robot).bodyCount};
    size_t scratch = (size_t)work.bodyCount + 1;
    size_t byteCount = scratch * (sizeof(wkFitPart) + sizeof(wkFitBody) + sizeof(wkShape));
    work.parts = wkAlloc(byteCount);
    if (work.parts == NULL) {
        return wkFail(wk_errorMemory, "sphere fit: out of memory");
    }
    work.bodies = (wkFitBody*)(work.parts + scratch);
    work.copies = (wkShape*)(work.bodies + scratch);
    result = wkPlanFit(&work);
    if (result == wk_ok) {
        int64_t total = (int64_t)work.partCount * (MAKE_WORK + COVER_WORK + REPORT_WORK);
        wkProgressMeter_Start(&work.meter, def->progress, def->progressContext, total);
        result = coverAll(&work);
        result = result == wk_ok ? makeModel(&work, model) : result;
        for (int32_t i = 0; i < work.partCount; ++i) {
            wkFree(work.parts[i].spheres, (size_t)work.parts[i].capacity * sizeof(wkSphere3d));
            wkFree(work.parts[i].oldSpheres, (size_t)work.parts[i].capacity * sizeof(wkSphere3d));
            wkFitUnit_Destroy(&work.parts[i].unit);
        }
    }
    wkFree(work.parts, byteCount);
    return result;
}
