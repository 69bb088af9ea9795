// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Questions about two models, with their truths. See mesh_case.h.

#include "mesh/mesh_case.h"

#include "peers/our_mesh_side.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Pairs of triangles that are looked at one by one for each pair of models, and poses at most.
#define BRUTE_FORCE_PAIRS 1.5e8
#define BRUTE_FORCE_POSES 20.0

// More contacts than any pose has.
#define CONTACT_CAPACITY 4096

bool wkMeshCase_Open(wkMeshCase* self, wkMeshScene scene, int poseCount)
{
    memset(self, 0, sizeof *self);
    self->scene = scene;
    self->poseCount = poseCount;
    self->moving = wkBuildModel(&scene.moving, wk_volumeAabb, wk_splitSah);
    self->fixed = wkBuildModel(&scene.fixed, wk_volumeAabb, wk_splitSah);
    self->size = 2.0 * fmin(wkModel_Radius(&scene.moving), wkModel_Radius(&scene.fixed));
    self->poses = (wkPose*)calloc((size_t)poseCount, sizeof(wkPose));
    self->truths = (wkMeshTruth*)calloc((size_t)poseCount, sizeof(wkMeshTruth));
    bool isOpen =
        self->moving != NULL && self->fixed != NULL && self->poses != NULL && self->truths != NULL;
    if (!isOpen) {
        fprintf(stderr, "mesh/%s: left out: %s\n", scene.name, wkGetLastError());
        wkMeshCase_Close(self);
    }
    return isOpen;
}

bool wkMeshCase_OpenKnots(wkMeshCase* self, int poseCount)
{
    wkMeshScene scene;
    memset(&scene, 0, sizeof scene);
    scene.name = "knots";
    scene.extent = 1.0;
    if (!wkModel_AddKnot(&scene.moving, 0.3, 0.12, 250, 20) ||
        !wkModel_AddKnot(&scene.fixed, 0.3, 0.12, 250, 20)) {
        wkMeshScene_Free(&scene);
        return false;
    }
    return wkMeshCase_Open(self, scene, poseCount);
}

void wkMeshCase_Close(wkMeshCase* self)
{
    wkMesh_Destroy(self->moving);
    wkMesh_Destroy(self->fixed);
    wkMeshScene_Free(&self->scene);
    free(self->poses);
    free(self->truths);
    memset(self, 0, sizeof *self);
}

static bool touches(void* context, wkPose pose)
{
    const wkMeshCase* self = (const wkMeshCase*)context;
    wkShape moving = wkMakeMesh(self->moving);
    wkShape fixed = wkMakeMesh(self->fixed);
    return wkCollide(&moving, pose, &fixed, wkIdentityPose(), NULL).isTouching;
}

void wkMeshCase_PoseNear(wkMeshCase* self, uint64_t seed)
{
    wkMakeNearPoses(&self->scene, seed, touches, self, self->poseCount, self->poses);
}

static bool isSameTruth(const wkMeshTruth* a, const wkMeshTruth* b)
{
    return a->distance == b->distance && a->surePairs == b->surePairs &&
           a->possiblePairs == b->possiblePairs;
}

bool wkMeshCase_Prove(wkMeshCase* self)
{
    const wkModel* moving = &self->scene.moving;
    const wkModel* fixed = &self->scene.fixed;
    wkMeshChecker* checker = wkMeshChecker_Create(fixed);
    if (checker == NULL) {
        return false;
    }
    double slack = WK_MESH_SLACK * self->size;
    double pairCount = (double)moving->triangleCount * fixed->triangleCount;
    double bruteCount = fmin(BRUTE_FORCE_PAIRS / pairCount + 0.5, BRUTE_FORCE_POSES);
    bool isProved = true;
    for (int i = 0; i < self->poseCount; i++) {
        self->truths[i] = wkProveMeshes(checker, moving, self->poses[i], slack);
        if (i + 1 <= bruteCount) {
            wkMeshTruth plain = wkProveMeshesByAll(fixed, moving, self->poses[i], slack);
            isProved = isProved && isSameTruth(&plain, &self->truths[i]);
        }
    }
    wkMeshChecker_Destroy(checker);
    if (!isProved) {
        fprintf(stderr, "mesh/%s: two proofs of one truth differ\n", self->scene.name);
    }
    return isProved;
}

wkMeshJob wkMeshCase_Job(wkMeshCase* self, wkMeshQuery query)
{
    bool isBuild = query == wk_meshBuild;
    wkMeshJob job;
    memset(&job, 0, sizeof job);
    job.moving = isBuild ? NULL : &self->scene.moving;
    job.fixed = &self->scene.fixed;
    job.poses = self->poses;
    job.count = isBuild ? 1 : self->poseCount;
    job.query = query;
    self->query = query;
    return job;
}

// Verdicts count where the models are apart, or in each other, by more than rounding.
static bool isVerdictWrong(const wkMeshTruth* truth, bool isTouching, double slack)
{
    return isTouching ? truth->distance > slack : truth->depth > slack;
}

bool wkIsMeshAnswerWrong(const void* context, int index, wkAnswer answer, bool isOurs)
{
    const wkMeshCase* self = (const wkMeshCase*)context;
    const wkMeshTruth* truth = &self->truths[index];
    double slack = self->size * (isOurs ? WK_MESH_SLACK : WK_MESH_PEER_SLACK);
    if (self->query == wk_meshBuild) {
        return answer != 1.0;
    }
    if (self->query == wk_meshDistance) {
        return !(fabs(answer - truth->distance) <= slack);
    }
    // rounding may decide about single contacts: of a peer, only the verdict is looked at
    if (self->query == wk_meshCollideAll && isOurs) {
        return !(answer >= truth->surePairs && answer <= truth->possiblePairs);
    }
    return isnan(answer) || isVerdictWrong(truth, answer > 0.0, slack);
}

static bool isContactRight(const wkMeshCase* self, wkPose pose, const wkContact* contact)
{
    wkTriangle a = wkMesh_Triangle(self->moving, (int32_t)contact->partA);
    wkTriangle b = wkMesh_Triangle(self->fixed, (int32_t)contact->partB);
    for (int k = 0; k < 3; k++) {
        a.points[k] = wkTransformPoint(pose, a.points[k]);
    }
    double gap = wkTriangleGap(a.points, b.points);
    return fabs(contact->depth + gap) <= 10.0 * WK_MESH_SLACK * self->size;
}

long wkMeshCase_WrongContacts(const wkMeshCase* self)
{
    wkShape moving = wkMakeMesh(self->moving);
    wkShape fixed = wkMakeMesh(self->fixed);
    wkContact* contacts = (wkContact*)calloc(CONTACT_CAPACITY, sizeof(wkContact));
    wkCollideRequest request = wkDefaultCollideRequest();
    request.contacts = contacts;
    request.contactCapacity = contacts != NULL ? CONTACT_CAPACITY : 0;
    long wrong = 0;
    for (int i = 0; i < self->poseCount; i++) {
        wkCollideResult result =
            wkCollide(&moving, self->poses[i], &fixed, wkIdentityPose(), &request);
        for (int k = 0; k < result.contactCount; k++) {
            bool isInOrder = k == 0 || contacts[k].depth <= contacts[k - 1].depth;
            wrong += isInOrder && isContactRight(self, self->poses[i], &contacts[k]) ? 0 : 1;
        }
    }
    free(contacts);
    return wrong;
}
