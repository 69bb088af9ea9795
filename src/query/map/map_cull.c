// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Transforms boxes of the world into the frame of a map. The SIMD kernels do the rest.

#include "query/map/map_cull.h"

#include "query/map/map_query.h"
#include "solve/pair.h"

void wkMapCull_Init(wkMapCull* cull, const wkShape* map, const wkPose* pose)
{
    cull->map = map;
    cull->lanes = wkMapLanesOfMachine();
    cull->view = wkViewOfMap(map);
    cull->worldFromMap = wkMatFromQuat(wkTameQuat(pose->rotation));
    cull->position = pose->position;
    cull->wider = wkPositive(wkShapeRadius(map));
    // not from the matrix, whose diagonal is 1 for small angles as well
    cull->isStraight =
        pose->rotation.x == 0.0 && pose->rotation.y == 0.0 && pose->rotation.z == 0.0;
}

// Half of an axis-aligned box around a rotated one.
static wkVec3d halfInMap(const wkMat3d* m, wkVec3d half)
{
    return wkVec(wkDot(wkAbs(m->x), half), wkDot(wkAbs(m->y), half), wkDot(wkAbs(m->z), half));
}

bool wkMapCull_Passes(wkMapCull* cull, const wkAabb* box, double reach)
{
    double wider = wkPositive(reach) + cull->wider;
    cull->nearCubes.count = 0;
    // unknown space is unbounded, and so are some boxes
    wkVec3d half = wkScale(0.5, wkSub(box->upper, box->lower));
    if (cull->view.wantsUnknown || !(wkSumAbs(half) + wider < 1e30)) {
        return true;
    }
    wkVec3d middle = wkMiddle(box->lower, box->upper);
    wkVec3d center = wkSub(middle, cull->position);
    if (!cull->isStraight) {
        center = wkMulTMV(&cull->worldFromMap, center);
        half = halfInMap(&cull->worldFromMap, half);
    }
    // covers the rounding of positions and rotations
    wider += WK_ROUNDING * (wkMaxAbs(middle) + wkMaxAbs(cull->position) + wkMaxAbs(half));
    return cull->lanes->findNear(&cull->view, center, half, wider, &cull->nearCubes);
}
