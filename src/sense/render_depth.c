// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Renders depth images of a scene, by a ray for each pixel. Each tile of pixels has a list of the few objects
// that its rays can meet (depth_tiles.h); the result is that of wkScene_RayCast.

#include "sense/depth_noise.h"
#include "sense/depth_tiles.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "sense/lens.h"

#include "whisker/detail/library.h"

// Pixels along a side of a tile, and maximum number of objects in the view of a tile.
#define TILE 16
#define TILE_CAPACITY 256

typedef struct shot {
    const wkScene* scene;
    wkLens lens;
    wkPose pose;
    const wkDepthNoise* noise; // NULL: none
    const void* skip;
    double farthest; // depth up to which rays go
    bool hasTargets; // false: too many of them, or no memory; the broad phase is used
    wkDepthTargets targets;
    wkMat3d rotation; // of the camera
    int32_t tilesPerRow;
    wkSight* sights; // of all pixels; NULL without noise
    float* depths;
} shot;

// A pixel ray.
typedef struct pixelRay {
    wkVec3d direction; // in the world
    double length;     // of the direction, for a depth of 1
} pixelRay;

static wkSight sightOf(const pixelRay* ray, double distance, wkVec3d normal)
{
    wkSight sight = {(float)(distance / ray->length),
                     (float)fabs(wkDot(normal, ray->direction) / ray->length)};
    return sight;
}

static bool isSkipped(const shot* s, wkObjectId id)
{
    wkObjectDef object;
    return s->skip != NULL && wkScene_Get(s->scene, id, &object) == wk_ok && object.user == s->skip;
}

// Casts a ray by the broad phase. A camera inside an object sees nothing.
static wkSight castInScene(const shot* s, const pixelRay* ray)
{
    wkSight nothing = {NAN, 0.0f};
    wkRay full = {s->pose.position, ray->direction, s->farthest * ray->length};
    wkSceneRayResult first = wkScene_RayCast(s->scene, full, NULL);
    bool isHit =
        !wkObjectId_IsNull(first.id) && first.hit.distance > 0.0 && !isSkipped(s, first.id);
    return isHit ? sightOf(ray, first.hit.distance, first.hit.normal) : nothing;
}

// Casts a ray at the objects in the view of the tile.
static wkSight castAtTargets(const shot* s, const wkTileTarget* inTile, int32_t count,
                             const pixelRay* ray)
{
    wkSight nothing = {NAN, 0.0f};
    wkVec3d unit = wkNormalizeOr(ray->direction, wkVec(0.0, 0.0, 1.0));
    double limit = s->farthest * ray->length;
    const wkDepthTarget* first = NULL;
    wkShapeHit hits[2]; // of the nearest object so far and of the next one: swapping avoids copies
    int next = 0;
    for (int32_t i = 0; i < count; ++i) {
        const wkDepthTarget* target = inTile[i].target;
        if (inTile[i].nearest * ray->length > limit) {
            break;
        }
        if (wkRayTarget_Cast(&target->rays, &unit, limit, &hits[next]) &&
            (first == NULL || hits[next].distance < limit)) {
            first = target;
            limit = hits[next].distance;
            next = 1 - next;
        }
    }
    bool isHit = first != NULL && limit > 0.0 && (s->skip == NULL || first->user != s->skip);
    return isHit ? sightOf(ray, limit, wkRayTarget_Normal(&first->rays, &hits[1 - next])) : nothing;
}

static void widen(wkSlopeRect* rect, wkVec3d slope)
{
    rect->lowerX = wkMinD(rect->lowerX, slope.x);
    rect->upperX = wkMaxD(rect->upperX, slope.x);
    rect->lowerY = wkMinD(rect->lowerY, slope.y);
    rect->upperY = wkMaxD(rect->upperY, slope.y);
}

static void keep(const shot* s, int32_t u, int32_t v, wkSight sight)
{
    size_t pixel = (size_t)v * (size_t)s->lens.camera.width + (size_t)u;
    if (s->sights != NULL) {
        s->sights[pixel] = sight;
    } else {
        s->depths[pixel] = sight.depth;
    }
}

static void renderTile(void* context, int32_t tile)
{
    const shot* s = (const shot*)context;
    int32_t left = tile % s->tilesPerRow * TILE, top = tile / s->tilesPerRow * TILE;
    int32_t width = s->lens.camera.width, height = s->lens.camera.height;
    int32_t right = left + TILE < width ? left + TILE : width;
    int32_t bottom = top + TILE < height ? top + TILE : height;
    wkVec3d slopes[TILE][TILE];
    wkSlopeRect rect = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (int32_t v = top; v < bottom; ++v) {
        for (int32_t u = left; u < right; ++u) {
            wkVec3d slope = wkLens_Unproject(&s->lens, u, v);
            slopes[v - top][u - left] = slope;
            if (isfinite(slope.z)) {
                widen(&rect, slope);
            }
        }
    }
    wkTileTarget inTile[TILE_CAPACITY];
    int32_t count =
        s->hasTargets ? wkDepthTargets_Cull(&s->targets, &rect, inTile, TILE_CAPACITY) : -1;
    for (int32_t v = top; v < bottom; ++v) {
        for (int32_t u = left; u < right; ++u) {
            wkVec3d slope = slopes[v - top][u - left];
            pixelRay ray = {wkMulMV(&s->rotation, slope), wkLength(slope)};
            wkSight sight = {NAN, 0.0f};
            if (isfinite(slope.z)) {
                sight = count < 0 ? castInScene(s, &ray) : castAtTargets(s, inTile, count, &ray);
            }
            keep(s, u, v, sight);
        }
    }
}

static void spoilRow(void* context, int32_t v)
{
    const shot* s = (const shot*)context;
    int32_t width = s->lens.camera.width, height = s->lens.camera.height;
    wkSpoilRow(s->noise, s->sights, width, height, v, &s->depths[(size_t)v * (size_t)width]);
}

static wkResult checkShot(const wkScene* scene, const wkCamera* camera, wkPose pose,
                          const wkDepthNoise* noise, const float* depths)
{
    if (scene == NULL || depths == NULL) {
        return wkFail(wk_errorArgument, "take depth: scene or depths are NULL");
    }
    wkResult result = wkCamera_Check(camera);
    if (result == wk_ok && !wkIsValidPose(pose)) {
        result = wkFail(wk_errorNotFinite, "take depth: pose is not finite, or has no rotation");
    }
    result = result == wk_ok && noise != NULL ? wkCheckNoise(noise) : result;
    // a scene whose geometry has changed casts no ray, and has set the error message
    wkRay ray = {wkVec(0.0, 0.0, 0.0), wkVec(0.0, 0.0, 1.0), 0.0};
    bool isStale =
        result == wk_ok && wkScene_RayCast(scene, ray, NULL).hit.status == wk_statusInvalid;
    return isStale ? wk_errorState : result;
}

wkResult wkScene_RenderDepth(const wkScene* scene, const wkCamera* camera, wkPose pose,
                             const wkDepthNoise* noise, const void* skip,
                             const wkParallel* parallel, float* depths)
{
    wkResult result = checkShot(scene, camera, pose, noise, depths);
    if (result != wk_ok) {
        return result;
    }
    // rays go slightly further, as noise may bring depths beyond the range back into it
    shot s = {.scene = scene,
              .lens = wkMakeLens(camera),
              .pose = pose,
              .noise = noise,
              .skip = skip,
              .farthest = noise != NULL ? 2.0 * noise->maxDepth : INFINITY,
              .tilesPerRow = (camera->width + TILE - 1) / TILE,
              .depths = depths};
    s.rotation = wkMatFromQuat(wkNormalizeQuat(pose.rotation));
    size_t byteCount = (size_t)camera->width * (size_t)camera->height * sizeof *s.sights;
    if (noise != NULL) {
        s.sights = wkAlloc(byteCount);
        if (s.sights == NULL) {
            result = wkFail(wk_errorMemory, "take depth: no memory for %d x %d pixels",
                            (int)camera->width, (int)camera->height);
        }
    }
    if (result == wk_ok) {
        s.hasTargets = wkScene_Count(scene) <= WK_MAX_DEPTH_TARGETS &&
                       wkDepthTargets_Create(scene, pose, s.farthest, &s.targets);
        int32_t tileRows = (camera->height + TILE - 1) / TILE;
        wkRunTasks(parallel, renderTile, &s, s.tilesPerRow * tileRows);
    }
    if (result == wk_ok && noise != NULL) {
        wkRunTasks(parallel, spoilRow, &s, camera->height);
    }
    wkFree(s.sights, byteCount);
    wkDepthTargets_Destroy(&s.targets);
    return result;
}
