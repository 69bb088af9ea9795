// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Support of B - A for any two cores, through one table: for the parts of the solvers that are not
// instantiated per pair.

#include "geom/support.h"
#include "solve/gjk/simplex.h"
#include "solve/pair.h"

#include "whisker/detail/counts.h"

typedef wkVec3d wkSupportFcn(const wkShape* shape, wkVec3d direction, int32_t* hint);

// Support functions by wkShapeType; NULL for unbounded shapes.
extern wkSupportFcn* const wkCoreSupportTable[WK_CONVEX_TYPE_COUNT];

// Makes a point of B - A; `b` is already rotated into the frame of A.
WK_FN wkCsoPoint wkMakeCsoPoint(const wkPair* pair, wkVec3d a, wkVec3d b)
{
    wkCsoPoint point = {wkSub(wkAdd(b, pair->bInA.position), a), a, b, 0, 0};
    return point;
}

typedef struct wkCoreSupport {
    wkSupportFcn* a;
    wkSupportFcn* b;
    int32_t hintA;
    int32_t hintB;
} wkCoreSupport;

WK_FN wkCoreSupport wkMakeCoreSupport(const wkPair* pair)
{
    wkCoreSupport support = {wkCoreSupportTable[pair->a->type], wkCoreSupportTable[pair->b->type],
                             0, 0};
    return support;
}

// Returns the point of B - A furthest along `direction`.
WK_FN wkCsoPoint wkCoreSupportAlong(wkCoreSupport* support, const wkPair* pair, wkVec3d direction)
{
    wkVec3d directionB = wkMulTMV(&pair->bInA.rotation, direction);
    wkVec3d a = support->a(pair->a, wkNeg(direction), &support->hintA);
    wkVec3d b = wkMulMV(&pair->bInA.rotation, support->b(pair->b, directionB, &support->hintB));
    return wkMakeCsoPoint(pair, a, b);
}

// Returns how far B - A reaches along a unit direction in the frame of A: an upper bound of the depth.
WK_FN double wkDepthAlong(const wkPair* pair, wkVec3d direction)
{
    wkCoreSupport support = wkMakeCoreSupport(pair);
    return wkDot(direction, wkCoreSupportAlong(&support, pair, direction).w);
}
