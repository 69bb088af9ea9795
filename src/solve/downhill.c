// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Depths at stationary directions: the answer that belongs to one, and the one that lies downhill
// from any direction.

#include "solve/core_support.h"
#include "solve/depth.h"
#include "solve/depth_points.h"
#include "solve/descent.h"

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

bool wkDepthDownhill(const wkPair* pair, wkVec3d normal, wkSolution* out)
{
    wkForm form;
    wkStationary at;
    wkDescentStart start = {wkNeg(normal), {-1, -1}};
    return wkMakeForm(pair, &form) && wkDescend(&form, &start, &at) &&
           wkAnswerStationary(pair, &at, out);
}
