// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "batch/batch_depth.h"

#include "batch/program.h"
#include "math/round.h"
#include "sense/depth_map.h"

// Rounding of the transform into the frame of a camera, relative to the lengths that are added up: twice the
// bound.
#define CAMERA_ROUNDING 0x1p-19

static double reachOf(const wkProgram* program)
{
    wkVec3d lower = wkAbs(program->reach.lower), upper = wkAbs(program->reach.upper);
    return wkMaxD(wkSumAbs(lower), wkSumAbs(upper));
}

static void setCamera(const wkBatch* batch, const wkDepthMap* map, wkBatchCamera* camera)
{
    const wkMat3d* rows = &map->frame.rotation;
    const wkVec3d axes[3] = {rows->x, rows->y, rows->z};
    wkVec3d way = wkSub(batch->program->origin, map->frame.position);
    for (int k = 0; k < 3; ++k) {
        camera->rows[k][0] = (float)axes[k].x;
        camera->rows[k][1] = (float)axes[k].y;
        camera->rows[k][2] = (float)axes[k].z;
        camera->origin[k] = (float)wkDot(axes[k], way);
    }
    camera->slack = wkRoundUp(CAMERA_ROUNDING * (wkSumAbs(way) + reachOf(batch->program)));
    camera->view = &map->view;
}

void wkSetBatchCameras(const wkBatch* batch, wkBatchCameras* cameras)
{
    cameras->count = batch->def.depthMapCount;
    cameras->isUnobservedFree = batch->def.unobservedIsFree;
    for (int32_t i = 0; i < cameras->count; ++i) {
        setCamera(batch, batch->maps[i], &cameras->cameras[i]);
    }
}

wkVerdict wkCheckDepthSphere(const wkBatchDef* def, const wkSphere3d* sphere)
{
    // a sphere that is partly behind a surface may be partly unobserved, which must then be reported too
    bool isComplete = def->occludedIsFree && !def->unobservedIsFree;
    unsigned found = wkFindInDepths(def->depthMaps, def->depthMapCount, sphere,
                                    def->unobservedIsFree, isComplete);
    unsigned forgiven = (def->occludedIsFree ? (unsigned)wk_findOccluded : 0u) |
                        (def->unobservedIsFree ? (unsigned)wk_findUnobserved : 0u);
    return (found & wk_findHit) != 0  ? wk_verdictWorld
           : (found & ~forgiven) != 0 ? wk_verdictUnknown
                                      : wk_verdictFree;
}

static bool isFreeGrown(const wkBatchDef* def, const wkSphere3d* sphere, double inflation)
{
    wkSphere3d grown = {sphere->center, sphere->radius + inflation};
    return wkCheckDepthSphere(def, &grown) == wk_verdictFree;
}

double wkDepthReach(const wkBatchDef* def, const wkSphere3d* sphere, double limit)
{
    double free = 0.0, touching = wkMinD(limit, WK_FARTHEST_CLEARANCE);
    if (isFreeGrown(def, sphere, touching)) {
        return limit;
    }
    if (!isFreeGrown(def, sphere, 0.0)) {
        return 0.0;
    }
    while (touching - free > WK_VERDICT_STEP * (1.0 + free)) {
        double middle = 0.5 * (free + touching);
        bool isFree = isFreeGrown(def, sphere, middle);
        free = isFree ? middle : free;
        touching = isFree ? touching : middle;
    }
    return free;
}

wkVerdict wkCheckDepthInLanes(const wkBatch* batch, const float center[3], float radius)
{
    wkVec3d origin = batch->program->origin;
    wkSphere3d sphere = {
        {origin.x + (double)center[0], origin.y + (double)center[1], origin.z + (double)center[2]},
        (double)radius};
    return wkCheckDepthSphere(&batch->def, &sphere);
}
