// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Divides the bodies of a robot into parts that are covered together.

#include "robot/sphere_fit.h"

#include "base/error.h"
#include "query/pair/shape_extent.h"

#include <string.h>

#define MOST_FOR_ACCURACY 1024 // spheres of one link
#define EXPECTED_SPHERES 16    // of a link, where an accuracy is given

bool wkIsFitShared(const wkFitWork* work)
{
    return work->fit->count > 0 && work->fit->linkCounts == NULL &&
           work->fit->linkAccuracies == NULL;
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

static void addPart(wkFitWork* work, int32_t link, const wkFitBody* bodies, int32_t bodyCount,
                    double accuracy)
{
    wkFitPart* p = &work->parts[work->partCount++];
    memset(p, 0, sizeof *p);
    p->link = link;
    p->twin = -1;
    p->bodies = bodies;
    p->bodyCount = bodyCount;
    p->accuracy = accuracy;
}

// Adds the parts of a link: each sphere by itself, so that it is kept as it is, and all other bodies. With
// too few spheres for that, the link is one part.
static void addLink(wkFitWork* work, int32_t link, bool isApart)
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

static void addLinks(wkFitWork* work, bool isApart)
{
    work->partCount = 0;
    for (int32_t i = 0; i < wkRobot_Info(work->robot).linkCount; ++i) {
        addLink(work, i, isApart);
    }
}

// Finds links with equal bodies, such as fingers and wheels: they are covered only once, where each has as
// many spheres as it needs.
static void findTwins(wkFitWork* work)
{
    for (int32_t i = 1; i < work->partCount; ++i) {
        wkFitPart* p = &work->parts[i];
        for (int32_t k = 0; k < i && p->twin < 0; ++k) {
            const wkFitPart* other = &work->parts[k];
            bool isAsked = other->twin < 0 && p->count == other->count &&
                           p->accuracy == other->accuracy && p->bodyCount == other->bodyCount;
            p->twin = isAsked && wkAreBodiesAlike(p->bodies, other->bodies, p->bodyCount) ? k : -1;
        }
    }
}

wkResult wkPlanFit(wkFitWork* work)
{
    addLinks(work, true);
    if (wkIsFitShared(work) && work->partCount > work->fit->count) {
        addLinks(work, false);
    }
    if (wkIsFitShared(work) && work->partCount > work->fit->count) {
        return wkFail(wk_errorRange, "sphere fit: count is %d, but %d links have bodies",
                      (int)work->fit->count, (int)work->partCount);
    }
    for (int32_t i = 0; i < work->partCount; ++i) {
        wkFitPart* p = &work->parts[i];
        p->capacity = wkIsFitShared(work) ? work->fit->count - work->partCount + 1
                      : p->count > 0      ? p->count
                                          : MOST_FOR_ACCURACY;
    }
    if (!wkIsFitShared(work)) {
        findTwins(work);
    }
    bool isDivided = wkIsFitShared(work) && work->partCount > 0;
    work->expected = isDivided ? 1 + 2 * work->fit->count / work->partCount : EXPECTED_SPHERES;
    return wk_ok;
}
