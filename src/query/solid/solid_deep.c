// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Branch and bound over boxes of a shape's core. Depth changes no faster than a point moves, so the depth at
// one point of a box bounds all of it.

#include "query/solid/solid_deep.h"

#include "query/tree/nearest.h"

// Boxes that are examined: enough for a slender shape, and for others to find a point that is not hidden.
#define MAX_BOXES 400
#define MAX_STACK 64

typedef struct coreBox {
    wkVec3d center;
    wkVec3d half;
} coreBox;

// Depth of a point of A's frame in B, negative outside.
static double depthAt(const wkTreeQuestion* q, wkVec3d point, wkVec3d* exit)
{
    wkVec3d local = wkFrameLocal(&q->bInA, point);
    wkNearest nearest = wkNearestOfTree(&q->viewB, local, INFINITY);
    bool isInside = wkTreeShapeRowOf(q->b)->contains(q->viewB.source, local);
    *exit = wkFramePoint(&q->bInA, nearest.point);
    return isInside ? nearest.distance : -nearest.distance;
}

// Halves a box across its longest side.
static void halve(const coreBox* box, coreBox halves[2])
{
    const double sides[3] = {box->half.x, box->half.y, box->half.z};
    int axis = sides[0] >= sides[1] ? 0 : 1;
    axis = sides[axis] >= sides[2] ? axis : 2;
    double half[3] = {sides[0], sides[1], sides[2]}, shift[3] = {0.0, 0.0, 0.0};
    half[axis] *= 0.5;
    shift[axis] = half[axis];
    for (int i = 0; i < 2; ++i) {
        wkVec3d way = wkVec(shift[0], shift[1], shift[2]);
        halves[i].center = wkMulAdd(box->center, i == 0 ? -1.0 : 1.0, way);
        halves[i].half = wkVec(half[0], half[1], half[2]);
    }
}

bool wkFindDeepPoint(const wkTreeQuestion* q, double need, wkSunken* found)
{
    const wkConvexRow* row = wkConvexRowOf(q->a);
    if (!row->isBounded) {
        return false;
    }
    wkFrame identity = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, {0.0, 0.0, 0.0}};
    wkAabb bounds = row->bounds(q->a, &identity);
    coreBox stack[MAX_STACK];
    int count = 0;
    stack[count++] = (coreBox){wkMiddle(bounds.lower, bounds.upper),
                               wkScale(0.5, wkSub(bounds.upper, bounds.lower))};
    for (int visited = 0; visited < MAX_BOXES && count > 0; ++visited) {
        coreBox box = stack[--count];
        wkProjection nearest = row->project(q->a, box.center);
        double radius = wkLength(box.half), aside = wkMaxD(nearest.distance, 0.0);
        if (aside > radius) {
            continue; // the core has no point in the box
        }
        wkVec3d exit, point = aside > 0.0 ? nearest.point : box.center;
        double depth = depthAt(q, point, &exit);
        if (depth >= need) {
            *found = (wkSunken){point, exit, depth};
            return true;
        }
        if (depth + aside + radius >= need && count + 2 <= MAX_STACK) {
            halve(&box, stack + count);
            count += 2;
        }
    }
    return false;
}
