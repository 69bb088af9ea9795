// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Boxes of the world in the frame of a map. The lanes do the rest.

#include "query/map_sieve.h"

#include "query/map_query.h"
#include "solve/pair.h"

void wkMapSieve_Init(wkMapSieve* sieve, const wkShape* map, const wkPose* pose)
{
    sieve->map = map;
    sieve->lanes = wkMapLanesOfMachine();
    sieve->view = wkViewOfMap(map);
    sieve->worldFromMap = wkMatFromQuat(wkTameQuat(pose->rotation));
    sieve->position = pose->position;
    sieve->wider = wkPositive(wkShapeRadius(map));
    // not by the matrix, whose diagonal is 1 for small angles as well
    sieve->isStraight =
        pose->rotation.x == 0.0 && pose->rotation.y == 0.0 && pose->rotation.z == 0.0;
}

// Half of a straight box around a turned one.
static wkVec3d halfInMap(const wkMat3d* m, wkVec3d half)
{
    return wkVec(wkDot(wkAbs(m->x), half), wkDot(wkAbs(m->y), half), wkDot(wkAbs(m->z), half));
}

bool wkMapSieve_Passes(wkMapSieve* sieve, const wkAabb* box, double reach)
{
    double wider = wkPositive(reach) + sieve->wider;
    sieve->near.count = 0;
    // unknown space has no end, and neither have some boxes
    wkVec3d half = wkScale(0.5, wkSub(box->upper, box->lower));
    if (sieve->view.wantsUnknown || !(wkSumAbs(half) + wider < 1e30)) {
        return true;
    }
    wkVec3d middle = wkMiddle(box->lower, box->upper);
    wkVec3d center = wkSub(middle, sieve->position);
    if (!sieve->isStraight) {
        center = wkMulTMV(&sieve->worldFromMap, center);
        half = halfInMap(&sieve->worldFromMap, half);
    }
    // for the rounding of places and of rotations
    wider += WK_ROUNDING * (wkMaxAbs(middle) + wkMaxAbs(sieve->position) + wkMaxAbs(half));
    return sieve->lanes->findNear(&sieve->view, center, half, wider, &sieve->near);
}
