// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Checks parts of a robot against depth images, for SIMD files. One look-up in the pyramid of a
// camera proves most spheres free; the others are checked as wkDepthMap_CheckSpheres does. Lanes hold
// configurations, or spheres of a part with the same pose in all configurations of a block.

#include "batch/batch_depth.h"
#include "batch/invariant_kernel.h"
#include "batch/motion_bound_kernel.h"
#include "sense/depth_kernel.h"

// Transforms a point into the frame of a camera.
WK_FORCE_FN wkVecW wkDepthPoint(const wkBatchCamera* camera, wkVecW v)
{
    wkFloatW inCamera[3];
    for (int k = 0; k < 3; ++k) {
        wkFloatW sum = wkAddF(wkMulF(v.x, wkSplatF(camera->rows[k][0])),
                              wkMulF(v.y, wkSplatF(camera->rows[k][1])));
        sum = wkAddF(sum, wkMulF(v.z, wkSplatF(camera->rows[k][2])));
        inCamera[k] = wkAddF(sum, wkSplatF(camera->origin[k]));
    }
    wkVecW point = {inCamera[0], inCamera[1], inCamera[2]};
    return point;
}

// Does the same where unobserved space is free: returns lanes whose sphere may touch a surface that a camera
// has observed, or be behind it, and which no other camera proves free.
WK_APART_FN unsigned wkNotDepthClear(const wkBatchCameras* cameras, wkVecW center, wkFloatW radius,
                                     unsigned lanes)
{
    unsigned touching = 0;
    for (int32_t i = 0; i < cameras->count && lanes != 0; ++i) {
        const wkBatchCamera* camera = &cameras->cameras[i];
        wkVecW v = wkDepthPoint(camera, center);
        wkFloatW padded = wkAddF(radius, wkSplatF(camera->slack));
        touching |= lanes & wkDepthSpheresTouch(camera->view, v.x, v.y, v.z, padded);
        if (cameras->count > 1) {
            lanes &= wkDepthSpheresMaybe(camera->view, v.x, v.y, v.z, padded);
        }
    }
    return lanes & touching;
}

// Returns lanes whose sphere no camera proves free.
WK_FORCE_FN unsigned wkNotDepthFree(const wkBatchCameras* cameras, wkVecW center, wkFloatW radius,
                                    unsigned lanes)
{
    if (cameras->isUnobservedFree) {
        return wkNotDepthClear(cameras, center, radius, lanes);
    }
    for (int32_t i = 0; i < cameras->count && lanes != 0; ++i) {
        const wkBatchCamera* camera = &cameras->cameras[i];
        wkVecW v = wkDepthPoint(camera, center);
        wkFloatW padded = wkAddF(radius, wkSplatF(camera->slack));
        lanes &= wkDepthSpheresMaybe(camera->view, v.x, v.y, v.z, padded);
    }
    return lanes;
}

// Does the same for a sphere around others, by one look-up only: the inner spheres have their own.
WK_FORCE_FN unsigned wkPartNotDepthFree(const wkBatchCameras* cameras, wkVecW center,
                                        wkFloatW radius, unsigned lanes)
{
    if (cameras->isUnobservedFree) {
        return wkNotDepthClear(cameras, center, radius, lanes);
    }
    for (int32_t i = 0; i < cameras->count && lanes != 0; ++i) {
        const wkBatchCamera* camera = &cameras->cameras[i];
        wkVecW v = wkDepthPoint(camera, center);
        wkFloatW padded = wkAddF(radius, wkSplatF(camera->slack));
        wkDepthWindowW window = wkDepthWindow(camera->view, v.x, v.y, v.z, padded);
        lanes &= wkDepthUnproven(camera->view, &window);
    }
    return lanes;
}

// Classifies a sphere that no camera proves free by a look-up.
static wkVerdict wkClassifyDepth(const wkBatch* batch, int32_t side, const float center[3],
                                 float radius, float motionBound)
{
    (void)side;
    return wkCheckDepthInLanes(batch, center, radius + motionBound);
}

WK_FORCE_FN void wkCheckDepthSpheres(wkBlockRun* run, const wkBatchCameras* cameras,
                                     const wkPart* part, wkIntervalItem item, const float* spheres,
                                     wkFloatW motionBound, bool isInterval, wkRowsW rows)
{
    unsigned left = 0; // lanes whose intervals are not proven
    for (int32_t i = part->firstSphere; i < part->firstSphere + part->sphereCount; ++i) {
        float own = run->batch->radii[i];
        wkVecW center = wkScratchVec(spheres, 3 * i);
        unsigned notFree =
            wkNotDepthFree(cameras, center, wkAddF(wkSplatF(own), motionBound), rows.lanes);
        if (WK_LIKELY(notFree == 0)) {
            continue;
        }
        wkSphereW sphere = {center, own, part->side};
        unsigned open =
            isInterval ? wkNotDepthFree(cameras, center, wkSplatF(own), notFree) : notFree;
        if (open != 0) {
            rows.lanes &= ~wkClassifyRows(run, wkClassifyDepth, &sphere, open, &rows);
        }
        unsigned unknown = notFree & ~left & rows.lanes;
        if (isInterval && unknown != 0) {
            left |= wkClassifyIntervals(run, wkClassifyDepth, &sphere, item, motionBound, unknown,
                                        &rows);
        }
        if (rows.lanes == 0) {
            return;
        }
    }
}

WK_FORCE_FN void wkCheckDepthPart(wkBlockRun* run, const wkBatchCameras* cameras, int32_t number,
                                  bool isInterval)
{
    const wkPart* part = &run->program->parts[number];
    wkFloatW around = wkSplatF(run->batch->partRadii[number]);
    wkIntervalItem item = wkPartItem(run, number, isInterval);
    for (int32_t group = 0; group < run->groupCount; ++group) {
        unsigned wanted = wkWantedLanes(run, item, group);
        if (wanted == 0) {
            continue;
        }
        const float* scratch = wkGroupScratch(run, group);
        wkFloatW motionBound = wkSplatF(0.0f);
        if (isInterval) {
            motionBound = wkWayOfPart(run, group, number);
        }
        wkVecW center = wkCenterOf(run, scratch, number);
        unsigned lanes = wkPartNotDepthFree(cameras, center, wkAddF(around, motionBound), wanted);
        if (lanes == 0) {
            continue;
        }
        if (__builtin_popcount(lanes) >= WK_MANY_LANES) {
            wkRowsW rows = {lanes, group * WK_FLOAT_LANES, NULL};
            const float* spheres = wkNeedSpheresOf(run, group, number);
            wkCheckDepthSpheres(run, cameras, part, item, spheres, motionBound, isInterval, rows);
            continue;
        }
        wkFrameW f = wkFrameOf(run->program, part->rigidGroup, scratch);
        wkPackFrame(run, &f, lanes, 0);
        wkPackF(wkPackedColumn(run, WK_FRAME_NUMBERS) + run->packedCount, motionBound, lanes);
        wkPackRows(run, group, lanes);
    }
    for (int32_t at = 0; at < run->packedCount; at += WK_FLOAT_LANES) {
        wkFrameW f = wkUnpackFrame(run, at, 0);
        wkFloatW motionBound = wkLoadAnyF(wkPackedColumn(run, WK_FRAME_NUMBERS) + at);
        wkPlaceInFrame(run->program, number, &f, run->scratch->placed);
        wkCheckDepthSpheres(run, cameras, part, item, run->scratch->placed, motionBound, isInterval,
                            wkPackedRows(run, at));
    }
    run->packedCount = 0;
}

// Spheres of parts that are the same in all rows, in consecutive lanes.
typedef struct wkInvariantSpheres {
    float *x, *y, *z, *radius;
    int32_t count;
} wkInvariantSpheres;

// Lanes beyond the spheres of a part hold valid numbers: those of other spheres, or numbers behind them in
// the same block of memory.
WK_FORCE_FN void wkAddInvariantSpheres(const wkBlockRun* run, const wkPart* part,
                                       wkInvariantSpheres* spheres)
{
    const wkProgram* program = run->program;
    wkFrameW f = wkFrameOf(program, part->rigidGroup, wkGroupScratch(run, 0));
    for (int32_t i = 0; i < part->sphereCount; i += WK_FLOAT_LANES) {
        int32_t sphere = part->firstSphere + i, at = spheres->count + i;
        wkVecW v = f.origin;
        v = wkAddVecF(v, wkMulVecF(f.x, wkLoadAnyF(program->x + sphere)));
        v = wkAddVecF(v, wkMulVecF(f.y, wkLoadAnyF(program->y + sphere)));
        v = wkAddVecF(v, wkMulVecF(f.z, wkLoadAnyF(program->z + sphere)));
        wkStoreAnyF(spheres->x + at, v.x);
        wkStoreAnyF(spheres->y + at, v.y);
        wkStoreAnyF(spheres->z + at, v.z);
        wkStoreAnyF(spheres->radius + at, wkLoadAnyF(run->batch->radii + sphere));
    }
    spheres->count += part->sphereCount;
}

// Returns the worst verdict of spheres that no camera proves free by look-ups.
static inline wkVerdict wkWorstDepth(const wkBlockRun* run, const wkInvariantSpheres* spheres,
                                     int32_t first, unsigned lanes)
{
    wkVerdict worst = wk_verdictFree;
    for (; lanes != 0 && worst != wk_verdictWorld; lanes &= lanes - 1) {
        int32_t i = first + __builtin_ctz(lanes);
        const float at[3] = {spheres->x[i], spheres->y[i], spheres->z[i]};
        wkVerdict verdict = wkCheckDepthInLanes(run->batch, at, spheres->radius[i]);
        worst = verdict != wk_verdictFree ? verdict : worst;
    }
    return worst;
}

// Checks static parts, in lanes that hold spheres instead of rows.
WK_APART_FN wkVerdict wkCheckInvariantDepth(const wkBlockRun* run, const wkBatchCameras* cameras)
{
    ptrdiff_t pitch = run->program->sphereCount + WK_PLACED_ROWS;
    float* placed = run->scratch->placed;
    wkInvariantSpheres spheres = {placed, placed + pitch, placed + 2 * pitch, placed + 3 * pitch,
                                  0};
    for (int32_t i = 0; i < run->program->partCount; ++i) {
        if (wkIsInvariantPart(run, i)) {
            wkAddInvariantSpheres(run, &run->program->parts[i], &spheres);
        }
    }
    wkVerdict worst = wk_verdictFree;
    for (int32_t i = 0; i < spheres.count && worst != wk_verdictWorld; i += WK_FLOAT_LANES) {
        wkVecW center = {wkLoadAnyF(spheres.x + i), wkLoadAnyF(spheres.y + i),
                         wkLoadAnyF(spheres.z + i)};
        int32_t left = spheres.count - i;
        unsigned lanes = WK_ALL_FLOAT_LANES;
        lanes = left < WK_FLOAT_LANES ? lanes >> (WK_FLOAT_LANES - left) : lanes;
        lanes = wkNotDepthFree(cameras, center, wkLoadAnyF(spheres.radius + i), lanes);
        wkVerdict verdict = wkWorstDepth(run, &spheres, i, lanes);
        worst = verdict != wk_verdictFree ? verdict : worst;
    }
    return worst;
}

WK_FORCE_FN void wkCheckAllDepth(wkBlockRun* run, bool isInterval)
{
    wkBatchCameras cameras;
    wkSetBatchCameras(run->batch, &cameras);
    if (!isInterval) {
        wkSettleAll(run, wkCheckInvariantDepth(run, &cameras));
    }
    for (int32_t i = 0; i < run->program->partCount; ++i) {
        if (isInterval) {
            wkCheckDepthPart(run, &cameras, i, true);
            wkLeaveMotionsOut(run);
        } else if (!wkIsInvariantPart(run, i)) {
            wkCheckDepthPart(run, &cameras, i, false);
        }
    }
}
