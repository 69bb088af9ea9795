// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Depth images of a scene, by a ray for each pixel.

#include "sense/depth_flaws.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "sense/lens.h"

typedef struct shot {
    const wkScene* scene;
    wkLens lens;
    wkPose pose;
    const wkDepthFlaws* flaws; // NULL: none
    const void* skip;
    double farthest; // depth up to which rays go
    wkSight* sights; // of all pixels; NULL without flaws
    float* depths;
} shot;

static bool isSkipped(const shot* s, wkObjectId id)
{
    wkObjectDef object;
    return s->skip != NULL && wkScene_Get(s->scene, id, &object) == wk_ok && object.user == s->skip;
}

static wkSight lookAt(const shot* s, int32_t u, int32_t v)
{
    wkSight sight = {NAN, 0.0f};
    wkVec3d slope = wkLens_Unproject(&s->lens, u, v);
    if (!isfinite(slope.z)) {
        return sight;
    }
    double length = wkLength(slope);
    wkVec3d direction = wkRotateVector(s->pose, slope);
    wkRay ray = {s->pose.position, direction, s->farthest * length};
    wkSceneRayResult seen = wkScene_RayCast(s->scene, ray, NULL);
    // a camera inside of a thing sees nothing
    if (seen.id != 0 && seen.hit.distance > 0.0 && !isSkipped(s, seen.id)) {
        sight.depth = (float)(seen.hit.distance / length);
        sight.facing = (float)fabs(wkDot(seen.hit.normal, direction) / length);
    }
    return sight;
}

static void lookAlongRow(void* context, int32_t v)
{
    const shot* s = (const shot*)context;
    int32_t width = s->lens.camera.width;
    for (int32_t u = 0; u < width; ++u) {
        size_t pixel = (size_t)v * (size_t)width + (size_t)u;
        wkSight sight = lookAt(s, u, v);
        if (s->sights != NULL) {
            s->sights[pixel] = sight;
        } else {
            s->depths[pixel] = sight.depth;
        }
    }
}

static void spoilRow(void* context, int32_t v)
{
    const shot* s = (const shot*)context;
    int32_t width = s->lens.camera.width, height = s->lens.camera.height;
    wkSpoilRow(s->flaws, s->sights, width, height, v, &s->depths[(size_t)v * (size_t)width]);
}

static wkResult checkShot(const wkScene* scene, const wkCamera* camera, wkPose pose,
                          const wkDepthFlaws* flaws, const float* depths)
{
    if (scene == NULL || depths == NULL) {
        return wkFail(wk_errorArgument, "take depth: scene or depths are NULL");
    }
    wkResult result = wkCamera_Check(camera);
    if (result == wk_ok && !wkIsValidPose(pose)) {
        result = wkFail(wk_errorNotFinite, "take depth: pose is not finite, or has no rotation");
    }
    return result == wk_ok && flaws != NULL ? wkCheckFlaws(flaws) : result;
}

wkResult wkScene_TakeDepth(const wkScene* scene, const wkCamera* camera, wkPose pose,
                           const wkDepthFlaws* flaws, const void* skip, const wkParallel* parallel,
                           float* depths)
{
    wkResult result = checkShot(scene, camera, pose, flaws, depths);
    if (result != wk_ok) {
        return result;
    }
    // noise brings back what is a little beyond the range
    shot s = {scene, wkMakeLens(camera), pose, flaws, skip, INFINITY, NULL, depths};
    size_t byteCount = (size_t)camera->width * (size_t)camera->height * sizeof *s.sights;
    if (flaws != NULL) {
        s.farthest = 2.0 * flaws->maxDepth;
        s.sights = wkAlloc(byteCount);
        if (s.sights == NULL) {
            return wkFail(wk_errorMemory, "take depth: no memory for %d x %d pixels",
                          (int)camera->width, (int)camera->height);
        }
    }
    wkRunTasks(parallel, lookAlongRow, &s, camera->height);
    if (flaws != NULL) {
        wkRunTasks(parallel, spoilRow, &s, camera->height);
    }
    wkFree(s.sights, byteCount);
    return wk_ok;
}
