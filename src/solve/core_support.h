// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Support of B - A for any two cores, through one table: for the parts of the solvers that are not
// stamped per pair.

#include "geom/support.h"
#include "solve/pair.h"

typedef wkVec3d wkSupportFcn(const wkShape* shape, wkVec3d direction, int32_t* hint);

// Support functions by wkShapeType; NULL for unbounded shapes.
extern wkSupportFcn* const wkCoreSupportTable[wk_shapeTypeCount];

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

// Point of B - A furthest along `direction`, and the point of A it came from.
WK_FN wkVec3d wkCoreSupportAlong(wkCoreSupport* support, const wkPair* pair, wkVec3d direction,
                                 wkVec3d* pointA)
{
    wkVec3d a = support->a(pair->a, wkNeg(direction), &support->hintA);
    wkVec3d b = support->b(pair->b, wkMulTMV(&pair->bInA.rotation, direction), &support->hintB);
    *pointA = a;
    return wkSub(wkFramePoint(&pair->bInA, b), a);
}
