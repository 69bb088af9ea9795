// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Embree's side of the ray rows: one ray at a time, one thread, a static scene of the usual quality.
//
// Not equal: Embree computes in single precision.

#include "peers/peers.h"

#include <embree3/rtcore.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct embreeJob {
    RTCDevice device;
    RTCScene scene;
    struct RTCRay* rays;
    const wkModel* model;
    wkMeshQuery query;
    int count;
    wkAnswer* answers;
} embreeJob;

// A scene with one mesh; its hierarchy is ready when this returns.
static RTCScene makeScene(RTCDevice device, const wkModel* model)
{
    RTCScene scene = rtcNewScene(device);
    RTCGeometry mesh = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float* vertices =
        (float*)rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                        3 * sizeof(float), (size_t)model->vertexCount);
    unsigned* indices =
        (unsigned*)rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                           3 * sizeof(unsigned), (size_t)model->triangleCount);
    for (int32_t i = 0; i < model->vertexCount; i++) {
        vertices[3 * i] = (float)model->vertices[i].x;
        vertices[3 * i + 1] = (float)model->vertices[i].y;
        vertices[3 * i + 2] = (float)model->vertices[i].z;
    }
    memcpy(indices, model->indices, 3 * sizeof(unsigned) * (size_t)model->triangleCount);
    rtcCommitGeometry(mesh);
    rtcAttachGeometry(scene, mesh);
    rtcReleaseGeometry(mesh);
    rtcCommitScene(scene);
    return scene;
}

static struct RTCRay toRay(const wkRay* ray)
{
    wkVec3d d = ray->direction;
    double scale = 1.0 / sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    struct RTCRay out;
    memset(&out, 0, sizeof out);
    out.org_x = (float)ray->origin.x;
    out.org_y = (float)ray->origin.y;
    out.org_z = (float)ray->origin.z;
    out.dir_x = (float)(d.x * scale);
    out.dir_y = (float)(d.y * scale);
    out.dir_z = (float)(d.z * scale);
    out.tfar = (float)ray->maxDistance;
    out.mask = ~0u;
    return out;
}

void wkCloseEmbree(void* handle)
{
    embreeJob* job = (embreeJob*)handle;
    if (job->scene != NULL) {
        rtcReleaseScene(job->scene);
    }
    if (job->device != NULL) {
        rtcReleaseDevice(job->device);
    }
    free(job->rays);
    free(job);
}

void* wkOpenEmbree(const wkMeshJob* job, wkAnswer* answers)
{
    bool isRay = job->query == wk_meshRay || job->query == wk_meshRayAny;
    embreeJob* embree =
        isRay || job->query == wk_meshBuild ? (embreeJob*)calloc(1, sizeof(embreeJob)) : NULL;
    if (embree == NULL) {
        return NULL;
    }
    embree->query = job->query;
    embree->model = job->fixed;
    embree->count = job->count;
    embree->answers = answers;
    embree->device = rtcNewDevice("threads=1");
    if (isRay) {
        embree->scene = makeScene(embree->device, job->fixed);
        embree->rays = (struct RTCRay*)malloc(sizeof(struct RTCRay) * (size_t)job->count);
        if (embree->rays == NULL) {
            wkCloseEmbree(embree);
            return NULL;
        }
        for (int i = 0; i < job->count; i++) {
            embree->rays[i] = toRay(&job->rays[i]);
        }
    }
    return embree;
}

static void castAll(const embreeJob* job)
{
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (int i = 0; i < job->count; i++) {
        struct RTCRayHit hit;
        hit.ray = job->rays[i];
        hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(job->scene, &context, &hit);
        job->answers[i] = hit.hit.geomID == RTC_INVALID_GEOMETRY_ID ? -1.0 : (double)hit.ray.tfar;
    }
}

static void castAny(const embreeJob* job)
{
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (int i = 0; i < job->count; i++) {
        struct RTCRay ray = job->rays[i];
        rtcOccluded1(job->scene, &context, &ray);
        job->answers[i] = ray.tfar < 0.0f ? 1.0 : 0.0;
    }
}

void wkPassEmbree(void* handle)
{
    embreeJob* job = (embreeJob*)handle;
    if (job->query == wk_meshRay) {
        castAll(job);
    } else if (job->query == wk_meshRayAny) {
        castAny(job);
    } else {
        rtcReleaseScene(makeScene(job->device, job->model));
        job->answers[0] = 1.0;
    }
}
