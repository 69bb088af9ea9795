// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Depths at stationary directions: the answer for a stationary direction, and the descent from an unproven
// depth to one.

#include "solve/core_support.h"
#include "solve/depth_list/depth_list.h"
#include "solve/depth_list/depth_points.h"
#include "solve/global_depth/support_descent.h"
#include "solve/newton/step_out.h"

// Points that are further off a core than this share of wkPair.scale lie on a chord.
#define WK_UNPROVEN_OFF 1e-9

bool wkAnswerStationary(const wkPair* pair, const wkStationary* at, wkSolution* out)
{
    double depth = wkDepthAlong(pair, at->direction);
    out->distance = -depth;
    out->normal = wkNeg(at->direction);
    out->pointA = wkNeg(at->supportA);
    out->pointB = wkAdd(at->supportB, pair->bInA.position);
    out->status = wk_statusExact;
    return fabs(depth - at->height) <= WK_DEPTH_OFF * pair->scale;
}

static bool goDownhill(const wkPair* pair, wkSolution* out)
{
    wkSupportSum supportSum;
    wkStationary at;
    wkSolution found = *out;
    wkDescentStart start = {wkNeg(out->normal), {-1, -1}};
    if (!wkMakeSupportSum(pair, &supportSum) || !wkDescend(&supportSum, &start, &at) ||
        !wkAnswerStationary(pair, &at, &found) || found.distance < out->distance) {
        return false;
    }
    found.status = out->status;
    *out = found;
    return true;
}

// Uses a support of one core whose counterpart lies in the other core.
static void placeOnSupports(const wkPair* pair, wkSolution* out)
{
    double off = WK_UNPROVEN_OFF * pair->scale;
    if (wkAreInCores(pair, out, off)) {
        return;
    }
    wkCoreSupport cores = wkMakeCoreSupport(pair);
    wkCsoPoint support = wkCoreSupportAlong(&cores, pair, wkNeg(out->normal));
    wkVec3d pointB = wkAdd(support.a, support.w);
    wkVec3d candidates[2] = {support.a, wkMulSub(pointB, out->distance, out->normal)};
    for (int i = 0; i < 2; ++i) {
        wkSolution placed = *out;
        placed.pointA = candidates[i];
        placed.pointB = wkMulAdd(placed.pointA, out->distance, out->normal);
        if (wkAreInCores(pair, &placed, off)) {
            *out = placed;
            return;
        }
    }
}

void wkImproveUnproven(const wkPair* pair, wkSolution* out)
{
    if (goDownhill(pair, out)) {
        return;
    }
    wkSolution moved = *out;
    if (wkStepOut(pair, &moved)) {
        *out = moved;
    } else {
        placeOnSupports(pair, out);
    }
}
