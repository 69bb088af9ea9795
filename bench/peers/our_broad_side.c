// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Whisker's side of the rows about many boxes: public functions only.

#include "peers/broad_peer.h"

#include <stdlib.h>

typedef struct ourBroadJob {
    wkBroadJob job;
    wkScene* scene;
    wkObjectId* ids;
} ourBroadJob;

static void closeOurs(void* handle)
{
    ourBroadJob* ours = (ourBroadJob*)handle;
    wkScene_Destroy(ours->scene);
    free(ours->ids);
    free(ours);
}

static wkPose poseOf(const wkBroadJob* job, int frame, int box)
{
    wkVec3d center = job->centers[(size_t)frame * (size_t)job->boxCount + (size_t)box];
    return wkMakePose(center.x, center.y, center.z);
}

static bool addBoxes(ourBroadJob* ours)
{
    const wkBroadJob* job = &ours->job;
    wkObjectDef* defs = (wkObjectDef*)calloc((size_t)job->boxCount, sizeof *defs);
    for (int i = 0; i < job->boxCount && defs != NULL; i++) {
        defs[i] = wkDefaultObjectDef();
        defs[i].shape = wkMakeBox(job->sizes[i].x, job->sizes[i].y, job->sizes[i].z);
        defs[i].pose = poseOf(job, 0, i);
    }
    bool isAdded =
        defs != NULL && wkScene_AddMany(ours->scene, defs, job->boxCount, ours->ids) == wk_ok;
    free(defs);
    return isAdded;
}

static void* openOurs(const wkBroadJob* job)
{
    ourBroadJob* ours = (ourBroadJob*)calloc(1, sizeof(ourBroadJob));
    if (ours == NULL) {
        return NULL;
    }
    ours->job = *job;
    ours->ids = (wkObjectId*)calloc((size_t)job->boxCount, sizeof *ours->ids);
    wkSceneDef def = wkDefaultSceneDef();
    def.broadPhase = job->broadPhase;
    if (ours->ids == NULL || wkScene_Create(&def, &ours->scene) != wk_ok || !addBoxes(ours)) {
        closeOurs(ours);
        return NULL;
    }
    return ours;
}

static bool countPair(wkObjectId a, wkObjectId b, void* context)
{
    (void)a;
    (void)b;
    ++*(long*)context;
    return true;
}

static long stepOurs(void* handle, int frame)
{
    ourBroadJob* ours = (ourBroadJob*)handle;
    const wkBroadJob* job = &ours->job;
    for (int i = 0; i < job->boxCount; i++) {
        wkScene_Move(ours->scene, ours->ids[i], poseOf(job, frame, i));
    }
    wkScene_Update(ours->scene);
    long count = 0;
    wkScene_VisitPairs(ours->scene, NULL, countPair, &count);
    return count;
}

const wkBroadPeer wkOurBroadSide = {"whisker", NULL, openOurs, stepOurs, closeOurs};
