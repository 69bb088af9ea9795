// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Covers the links of a robot with spheres. A total number of spheres is shared so that all links have about
// equal protrusion: each link's number of spheres for a given protrusion is estimated.

#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "fit/fit_impl.h"
#include "query/pair/shape_extent.h"
#include "robot/sphere_model_impl.h"

#include <stdio.h>
#include <string.h>

#define MOST_SPHERES 100000
#define MOST_FOR_ACCURACY 1024 // spheres of one link
#define SHARE_STEPS 16         // halvings of the interval of the common protrusion
#define SPARE_ROUNDS 8
#define TRADE_ROUNDS 3
#define TRADES 8            // in a round
#define TRADE_LIMIT 0.95    // maximum protrusion of a donor, relative to that of the receiver
#define EXPECTED_SPHERES 16 // of a link, where an accuracy is given
#define WORDS 256

wkSphereFitDef wkDefaultSphereFitDef(void)
{
    wkSphereFitDef fit = {.accuracy = 0.02, .cookie = WK_COOKIE(wkSphereFitDef)};
    return fit;
}

// Bodies that are covered together, and their spheres.
typedef struct part {
    wkFitUnit unit;
    int32_t link;
    int32_t twin; // an earlier part with the same bodies, whose spheres are used; -1: none
    const wkFitBody* bodies;
    int32_t bodyCount;
    int32_t capacity; // maximum number of spheres
    int32_t count;    // number of spheres; 0: as many as the accuracy needs
    double accuracy;
    wkSphere3d* spheres;
    int32_t sphereCount;
    double protrusion;
    wkSphere3d* oldSpheres; // the spheres before some were moved to other parts
    int32_t oldCount;
    double oldProtrusion;
    bool isTrading;  // gives a sphere away, or gets one
    bool needsCover; // the spheres do not match `count` yet
    wkResult result;
    char words[WORDS];
} part;

typedef struct fitWork {
    const wkRobot* robot;
    const wkSphereFitDef* fit;
    wkFitBody* bodies; // of all links
    wkShape* copies;   // of bodies with negative padding
    part* parts;
    int32_t partCount;
    int32_t bodyCount;
    int32_t expected;  // expected number of spheres of a part
    double protrusion; // required of all parts
    bool isPartial;    // a link with bodies is left out
    wkProgressMeter meter;
} fitWork;

// Shares of a part's work for the meter.
#define MAKE_WORK 10
#define COVER_WORK 80
#define REPORT_WORK 10

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

// Gets the number of spheres or the accuracy of a link. False: the link is not covered.
static bool askOfLink(const wkSphereFitDef* fit, int32_t link, int32_t* count, double* accuracy)
{
    *count = 0;
    *accuracy = fit->accuracy;
    if (fit->linkCounts == NULL && fit->linkAccuracies == NULL) {
        return true;
    }
    *count = fit->linkCounts != NULL ? fit->linkCounts[link] : 0;
    *accuracy = fit->linkAccuracies != NULL ? fit->linkAccuracies[link] : 0.0;
    return *count > 0 || *accuracy > 0.0;
}

// Lists the bodies of one link, spheres last. Negative padding is ignored: shrunk bodies would be covered by
// too little, as queries derive padded distances from those of the cores.
// @param copies scratch for as many shapes as bodies
static int32_t listBodies(const wkRobot* robot, int32_t link, wkFitBody* bodies, wkShape* copies)
{
    wkLinkInfo info = wkRobot_Link(robot, link);
    int32_t count = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int32_t i = 0; i < info.bodyCount; ++i) {
            wkBodyInfo body = wkRobot_Body(robot, info.firstBody + i);
            if ((body.shape->type == wk_shapeSphere) == (pass == 1)) {
                const wkShape* whole = wkWholeShape(body.shape, &copies[count]);
                bodies[count++] = (wkFitBody){whole, body.pose};
            }
        }
    }
    return count;
}

static void addPart(fitWork* work, int32_t link, const wkFitBody* bodies, int32_t bodyCount,
                    double accuracy)
{
    part* p = &work->parts[work->partCount++];
    memset(p, 0, sizeof *p);
    p->link = link;
    p->twin = -1;
    p->bodies = bodies;
    p->bodyCount = bodyCount;
    p->accuracy = accuracy;
}

// Adds the parts of a link: each sphere by itself, so that it is kept as it is, and all other bodies. With
// too few spheres for that, the link is one part.
static void addLink(fitWork* work, int32_t link, bool isApart)
{
    int32_t count = 0;
    double accuracy = 0.0;
    int32_t firstBody = wkRobot_Link(work->robot, link).firstBody;
    wkFitBody* bodies = work->bodies + firstBody;
    int32_t bodyCount = listBodies(work->robot, link, bodies, work->copies + firstBody);
    if (bodyCount == 0) {
        return;
    }
    if (!askOfLink(work->fit, link, &count, &accuracy)) {
        work->isPartial = true;
        return;
    }
    int32_t others = 0;
    while (others < bodyCount && bodies[others].shape->type != wk_shapeSphere) {
        others++;
    }
    int32_t apart = bodyCount - others + (others > 0);
    if (!isApart || (count > 0 && count < apart)) {
        addPart(work, link, bodies, bodyCount, accuracy);
        work->parts[work->partCount - 1].count = count;
        return;
    }
    if (others > 0) {
        addPart(work, link, bodies, others, accuracy);
        work->parts[work->partCount - 1].count = count > 0 ? count - (apart - 1) : 0;
    }
    for (int32_t i = others; i < bodyCount; ++i) {
        addPart(work, link, bodies + i, 1, accuracy);
        work->parts[work->partCount - 1].count = count > 0 ? 1 : 0;
    }
}

static void addLinks(fitWork* work, bool isApart)
{
    work->partCount = 0;
    for (int32_t i = 0; i < wkRobot_Info(work->robot).linkCount; ++i) {
        addLink(work, i, isApart);
    }
}

static bool isShared(const fitWork* work)
{
    return work->fit->count > 0 && work->fit->linkCounts == NULL &&
           work->fit->linkAccuracies == NULL;
}

// Finds links with equal bodies, such as fingers and wheels: they are covered only once, where each has as
// many spheres as it needs.
static void findTwins(fitWork* work)
{
    for (int32_t i = 1; i < work->partCount; ++i) {
        part* p = &work->parts[i];
        for (int32_t k = 0; k < i && p->twin < 0; ++k) {
            const part* other = &work->parts[k];
            bool isAsked = other->twin < 0 && p->count == other->count &&
                           p->accuracy == other->accuracy && p->bodyCount == other->bodyCount;
            p->twin = isAsked && wkAreBodiesAlike(p->bodies, other->bodies, p->bodyCount) ? k : -1;
        }
    }
}

static wkResult planParts(fitWork* work)
{
    addLinks(work, true);
    if (isShared(work) && work->partCount > work->fit->count) {
        addLinks(work, false);
    }
    if (isShared(work) && work->partCount > work->fit->count) {
        return wkFail(wk_errorRange, "sphere fit: count is %d, but %d links have bodies",
                      (int)work->fit->count, (int)work->partCount);
    }
    for (int32_t i = 0; i < work->partCount; ++i) {
        part* p = &work->parts[i];
        p->capacity = isShared(work) ? work->fit->count - work->partCount + 1
                      : p->count > 0 ? p->count
                                     : MOST_FOR_ACCURACY;
    }
    if (!isShared(work)) {
        findTwins(work);
    }
    work->expected = isShared(work) ? 1 + 2 * work->fit->count / work->partCount : EXPECTED_SPHERES;
    return wk_ok;
}

// Tasks run on any thread, error messages belong to one thread: they are copied for the caller.
static void finishTask(part* p, wkResult result)
{
    p->result = result;
    if (result != wk_ok) {
        snprintf(p->words, sizeof p->words, "%s", wkGetLastError());
    }
}

static void makePart(void* context, int32_t task)
{
    fitWork* work = context;
    part* p = &work->parts[task];
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
    size.accuracy = p->count > 0 || isShared(work) ? 0.0 : p->accuracy;
    finishTask(p, wkFitUnit_Create(p->bodies, p->bodyCount, &size, NULL, &p->unit));
    p->unit.meter = &work->meter;
    wkProgressMeter_Add(&work->meter, MAKE_WORK);
}

static void countPart(void* context, int32_t task)
{
    fitWork* work = context;
    part* p = &work->parts[task];
    p->count = wkFitUnit_CountAt(&p->unit, work->protrusion, p->capacity);
}

static void coverPart(void* context, int32_t task)
{
    fitWork* work = context;
    part* p = &work->parts[task];
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
    fitWork* work = context;
    part* p = &work->parts[task];
    wkFitInfo report;
    // the covering with the required accuracy was proven during the fit
    bool isProven = !isShared(work) && p->count == 0 && p->protrusion <= p->accuracy;
    wkProgressMeter_Add(&work->meter, REPORT_WORK);
    if (isProven || p->twin >= 0 || wkProgressMeter_IsCancelled(&work->meter)) {
        return;
    }
    wkReportFit(&p->unit.surface, p->spheres, p->sphereCount, &report);
    // both values are proven
    p->protrusion = wkMinD(p->protrusion, report.protrusion);
}

// Runs a task for each part. Reports the error of the first part that failed.
static wkResult runParts(fitWork* work, wkTaskFcn* task)
{
    wkRunTasks(work->fit->parallel, task, work, work->partCount);
    if (wkProgressMeter_IsCancelled(&work->meter)) {
        return wkFail(wk_errorCancelled, "sphere fit: cancelled");
    }
    for (int32_t i = 0; i < work->partCount; ++i) {
        const part* p = &work->parts[i];
        if (p->result != wk_ok) {
            return wkFail(p->result, "link %s: %s", wkRobot_Link(work->robot, p->link).name,
                          p->words);
        }
    }
    return wk_ok;
}

static int64_t countAll(fitWork* work, double protrusion)
{
    work->protrusion = protrusion;
    wkRunTasks(work->fit->parallel, countPart, work, work->partCount);
    int64_t sum = 0;
    for (int32_t i = 0; i < work->partCount; ++i) {
        sum += work->parts[i].count;
    }
    return sum;
}

// Gives spare spheres to the parts with the largest estimated protrusion. False: none are left.
static bool giveSpare(fitWork* work)
{
    int64_t spare = work->fit->count;
    for (int32_t i = 0; i < work->partCount; ++i) {
        work->parts[i].count = work->parts[i].sphereCount;
        spare -= work->parts[i].sphereCount;
    }
    bool isAnyGiven = false;
    for (; spare > 0; --spare) {
        part* worst = NULL;
        for (int32_t i = 0; i < work->partCount; ++i) {
            part* p = &work->parts[i];
            bool canGrow = p->count < p->capacity && p->count > 0 && p->protrusion > 0.0;
            if (canGrow && (worst == NULL || p->protrusion > worst->protrusion)) {
                worst = p;
            }
        }
        if (worst == NULL) {
            break;
        }
        worst->protrusion *= (double)worst->count / (worst->count + 1.0);
        worst->count++;
        worst->needsCover = true;
        isAnyGiven = true;
    }
    return isAnyGiven;
}

// Returns the part with the largest protrusion that could have another sphere; NULL: none.
static part* findNeedy(fitWork* work)
{
    part* worst = NULL;
    for (int32_t i = 0; i < work->partCount; ++i) {
        part* p = &work->parts[i];
        bool canGrow = !p->isTrading && p->count < p->capacity && p->protrusion > 0.0;
        if (canGrow && (worst == NULL || p->protrusion > worst->protrusion)) {
            worst = p;
        }
    }
    return worst;
}

// Returns the part with the least estimated protrusion after losing one sphere; NULL: none.
static part* findDonor(fitWork* work, double limit)
{
    part* best = NULL;
    double least = limit;
    for (int32_t i = 0; i < work->partCount; ++i) {
        part* p = &work->parts[i];
        double guess = p->count > 1 ? p->protrusion * p->count / (p->count - 1.0) : INFINITY;
        if (!p->isTrading && guess < least) {
            least = guess;
            best = p;
        }
    }
    return best;
}

static void prepareTrade(part* p, int32_t change)
{
    p->isTrading = true;
    p->needsCover = true;
    p->oldCount = p->sphereCount;
    p->oldProtrusion = p->protrusion;
    memcpy(p->oldSpheres, p->spheres, (size_t)p->sphereCount * sizeof *p->spheres);
    p->count = p->sphereCount + change;
}

static void undoTrade(part* p)
{
    p->count = p->sphereCount = p->oldCount;
    p->protrusion = p->oldProtrusion;
    memcpy(p->spheres, p->oldSpheres, (size_t)p->sphereCount * sizeof *p->spheres);
}

// Moves single spheres from parts of small protrusion to those of the largest. False: nothing improved.
static bool tradeSpheres(fitWork* work, wkResult* result)
{
    part *needy[TRADES], *donors[TRADES];
    int count = 0;
    for (int32_t i = 0; i < work->partCount; ++i) {
        work->parts[i].isTrading = false;
    }
    for (; count < TRADES; ++count) {
        needy[count] = findNeedy(work);
        donors[count] =
            needy[count] != NULL ? findDonor(work, TRADE_LIMIT * needy[count]->protrusion) : NULL;
        if (donors[count] == NULL || donors[count] == needy[count]) {
            break;
        }
        prepareTrade(needy[count], 1);
        prepareTrade(donors[count], -1);
    }
    *result = runParts(work, coverPart);
    bool isAnyBetter = false;
    for (int i = 0; i < count && *result == wk_ok; ++i) {
        double after = wkMaxD(needy[i]->protrusion, donors[i]->protrusion);
        bool isBetter = after < needy[i]->oldProtrusion;
        if (!isBetter) {
            undoTrade(needy[i]);
            undoTrade(donors[i]);
        }
        isAnyBetter |= isBetter;
    }
    return isAnyBetter;
}

// Computes counts for all parts that give them equal protrusion.
static wkResult shareOut(fitWork* work)
{
    double lower = 0.0, upper = 0.0;
    for (int32_t i = 0; i < work->partCount; ++i) {
        upper = wkMaxD(upper, wkFitUnit_GuessProtrusion(&work->parts[i].unit, 1));
    }
    for (int step = 0; step < SHARE_STEPS; ++step) {
        double middle = 0.5 * (lower + upper);
        bool isEnough = countAll(work, middle) <= work->fit->count;
        upper = isEnough ? middle : upper;
        lower = isEnough ? lower : middle;
    }
    countAll(work, upper);
    for (int32_t i = 0; i < work->partCount; ++i) {
        work->parts[i].needsCover = true;
    }
    wkResult result = runParts(work, coverPart);
    for (int round = 0; round < SPARE_ROUNDS && result == wk_ok && giveSpare(work); ++round) {
        result = runParts(work, coverPart);
    }
    for (int round = 0; round < TRADE_ROUNDS && result == wk_ok; ++round) {
        if (!tradeSpheres(work, &result)) {
            break;
        }
    }
    return result;
}

static wkResult coverParts(fitWork* work)
{
    wkResult result = runParts(work, makePart);
    if (result != wk_ok) {
        return result;
    }
    if (isShared(work)) {
        result = shareOut(work);
    } else {
        for (int32_t i = 0; i < work->partCount; ++i) {
            work->parts[i].needsCover = work->parts[i].twin < 0;
        }
        result = runParts(work, coverPart);
    }
    return result == wk_ok ? runParts(work, reportPart) : result;
}

// Returns the part whose spheres this part uses.
static const part* sourceOf(const fitWork* work, const part* p)
{
    return p->twin >= 0 ? &work->parts[p->twin] : p;
}

static wkResult makeModel(const fitWork* work, wkSphereModel** model)
{
    int32_t count = 0;
    double protrusion = 0.0;
    for (int32_t i = 0; i < work->partCount; ++i) {
        const part* source = sourceOf(work, &work->parts[i]);
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
        const part* source = sourceOf(work, &work->parts[i]);
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

wkResult wkSphereModel_Fit(const wkRobot* robot, const wkSphereFitDef* fit, wkSphereModel** model)
{
    wkSphereFitDef standard = wkDefaultSphereFitDef();
    fit = fit != NULL ? fit : &standard;
    if (model == NULL || robot == NULL) {
        return wkFail(wk_errorArgument, "sphere fit: %s is NULL",
                      model == NULL ? "model" : "robot");
    }
    *model = NULL;
    wkResult result = checkFit(fit);
    result = result == wk_ok ? checkLinks(robot, fit) : result;
    if (result != wk_ok) {
        return result;
    }
    fitWork work = {.robot = robot, .fit = fit, .bodyCount = wkRobot_Info(robot).bodyCount};
    size_t scratch = (size_t)work.bodyCount + 1;
    size_t byteCount = scratch * (sizeof(part) + sizeof(wkFitBody) + sizeof(wkShape));
    work.parts = wkAlloc(byteCount);
    if (work.parts == NULL) {
        return wkFail(wk_errorMemory, "sphere fit: out of memory");
    }
    work.bodies = (wkFitBody*)(work.parts + scratch);
    work.copies = (wkShape*)(work.bodies + scratch);
    result = planParts(&work);
    if (result == wk_ok) {
        int64_t total = (int64_t)work.partCount * (MAKE_WORK + COVER_WORK + REPORT_WORK);
        wkProgressMeter_Start(&work.meter, fit->progress, fit->progressContext, total);
        result = coverParts(&work);
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
