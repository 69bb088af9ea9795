// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Finds out whether given balls cover a robot, link by link.

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "robot/sphere_model.h"

#include <stdio.h>

// Bytes of the message of a link that failed.
#define WORDS 200

// What was found out about a link.
typedef struct linkProof {
    wkResult result;
    wkFitReport report;
    char words[WORDS]; // when it failed: the task may run on any thread, messages belong to one
} linkProof;

typedef struct proofWork {
    const wkSphereModel* model;
    double tolerance;
    linkProof* links;
} proofWork;

static void proveLink(void* context, int32_t link)
{
    proofWork* work = context;
    linkProof* proof = &work->links[link];
    proof->result = wkSphereModel_Measure(work->model, link, work->tolerance, &proof->report);
    if (proof->result != wk_ok) {
        snprintf(proof->words, sizeof proof->words, "%s", wkGetLastError());
    }
}

// Takes what holds for all links into the figures.
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
