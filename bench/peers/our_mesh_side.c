// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Whisker's side of the mesh rows: public functions only, meshes and requests prepared once, as a
// caller would.

#include "peers/our_mesh_side.h"

#include <stdlib.h>
#include <string.h>

// More contacts than any pose has.
#define MAX_CONTACTS 100000

typedef struct ourMeshJob {
    wkMeshJob job;
    wkAnswer* answers;
    wkMesh* moving;
    wkMesh* fixed;
    wkContact* contacts;
} ourMeshJob;

wkMesh* wkBuildModel(const wkModel* model, wkVolumeKind volume, wkSplitMethod split)
{
    wkMeshDef def = wkModel_MeshDef(model);
    def.isSolid = false;
    def.volume = volume;
    def.split = split;
    wkMesh* mesh = NULL;
    wkMesh_Create(&def, &mesh);
    return mesh;
}

static void closeOurs(void* handle)
{
    ourMeshJob* ours = (ourMeshJob*)handle;
    wkMesh_Destroy(ours->moving);
    wkMesh_Destroy(ours->fixed);
    free(ours->contacts);
    free(ours);
}

// What the query needs beside the fixed mesh.
static bool prepare(ourMeshJob* ours)
{
    const wkMeshJob* job = &ours->job;
    if (job->query == wk_meshBuild) {
        return true;
    }
    ours->fixed = wkBuildModel(job->fixed, job->volume, job->split);
    if (ours->fixed == NULL || job->moving == NULL) {
        return ours->fixed != NULL;
    }
    ours->moving = wkBuildModel(job->moving, job->volume, job->split);
    ours->contacts = (wkContact*)calloc(MAX_CONTACTS, sizeof(wkContact));
    return ours->moving != NULL && ours->contacts != NULL;
}

static void* openOurs(const wkMeshJob* job, wkAnswer* answers)
{
    ourMeshJob* ours = (ourMeshJob*)calloc(1, sizeof(ourMeshJob));
    if (ours == NULL) {
        return NULL;
    }
    ours->job = *job;
    ours->answers = answers;
    if (!prepare(ours)) {
        closeOurs(ours);
        return NULL;
    }
    return ours;
}

static void collideAll(const ourMeshJob* ours)
{
    const wkMeshJob* job = &ours->job;
    wkShape moving = wkMakeMesh(ours->moving);
    wkShape fixed = wkMakeMesh(ours->fixed);
    wkCollideRequest request = wkDefaultCollideRequest();
    bool hasContacts = job->query == wk_meshCollideAll;
    request.front = job->front;
    if (hasContacts) {
        request.contacts = ours->contacts;
        request.contactCapacity = MAX_CONTACTS;
    }
    for (int i = 0; i < job->count; i++) {
        wkCollideResult result =
            wkCollide(&moving, job->poses[i], &fixed, wkIdentityPose(), &request);
        int count = hasContacts ? result.contactCount : 1;
        ours->answers[i] = result.isTouching ? count : 0.0;
    }
}

static void measureAll(const ourMeshJob* ours)
{
    const wkMeshJob* job = &ours->job;
    wkShape moving = wkMakeMesh(ours->moving);
    wkShape fixed = wkMakeMesh(ours->fixed);
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.isSigned = false;
    request.front = job->front;
    for (int i = 0; i < job->count; i++) {
        ours->answers[i] =
            wkDistance(&moving, job->poses[i], &fixed, wkIdentityPose(), &request).distance;
    }
}

static void castAll(const ourMeshJob* ours)
{
    const wkMeshJob* job = &ours->job;
    wkShape fixed = wkMakeMesh(ours->fixed);
    wkPose pose = wkIdentityPose();
    for (int i = 0; i < job->count; i++) {
        if (job->query == wk_meshRayAny) {
            ours->answers[i] = wkShape_RayHits(&fixed, pose, job->rays[i]) ? 1.0 : 0.0;
            continue;
        }
        wkRayResult result = wkShape_RayCast(&fixed, pose, job->rays[i]);
        ours->answers[i] = result.isHit ? result.distance : -1.0;
    }
}

static void buildOnce(const ourMeshJob* ours)
{
    wkMesh* mesh = wkBuildModel(ours->job.fixed, ours->job.volume, ours->job.split);
    ours->answers[0] = mesh != NULL ? 1.0 : 0.0;
    wkMesh_Destroy(mesh);
}

static void passOurs(void* handle)
{
    static void (*const passes[wk_meshQueryCount])(const ourMeshJob* ours) = {
        [wk_meshCollideFirst] = collideAll,
        [wk_meshCollideAll] = collideAll,
        [wk_meshDistance] = measureAll,
        [wk_meshBuild] = buildOnce,
        [wk_meshRay] = castAll,
        [wk_meshRayAny] = castAll,
    };
    const ourMeshJob* ours = (const ourMeshJob*)handle;
    passes[ours->job.query](ours);
}

const wkMeshPeer wkOurMeshSide = {"whisker", NULL, openOurs, passOurs, closeOurs};
