// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Pattern search: steps in promising directions and along the axes, halved when none improves the cost.

#include "fit/center.h"

#define LAST_STEP 0.01 // of the cost
#define MAX_MOVES 32
#define DIRECTION_COUNT 11

int32_t wkFindFurthest(const wkPointLanes* set, wkVec3d position, double square)
{
    int32_t i = 0;
    for (; i < set->count - 1; ++i) {
        double x = set->x[i] - position.x, y = set->y[i] - position.y, z = set->z[i] - position.z;
        if (x * x + y * y + z * z == square) {
            break;
        }
    }
    return i;
}

typedef struct search {
    const wkFitSurface* surface;
    const wkFitLanes* lanes;
    const wkPointLanes* set;
    wkFitCenter best;
} search;

// Moves to a position if it costs less.
static bool tryPosition(search* s, wkVec3d position)
{
    double square = s->lanes->furthest(s->set, position);
    double reach = sqrt(square);
    // the signed distance changes by at most the length of the step
    double way = wkLength(wkSub(position, s->best.position));
    if (reach + s->best.offset - way >= s->best.cost) {
        return false;
    }
    wkClosestOnSurface closest = wkFitSurface_QuickClosest(s->surface, position);
    double offset = closest.distance + s->surface->slack;
    if (!(reach + offset < s->best.cost)) {
        return false;
    }
    s->best = (wkFitCenter){position, closest, square, offset, reach + offset};
    return true;
}

static bool stepAnywhere(search* s, double step)
{
    int32_t f = wkFindFurthest(s->set, s->best.position, s->best.square);
    wkVec3d far = wkVec(s->set->x[f], s->set->y[f], s->set->z[f]);
    wkVec3d toFar = wkNormalizeOr(wkSub(far, s->best.position), wkVec(0.0, 0.0, 0.0));
    wkVec3d inward = wkNeg(s->best.closest.normal);
    double along = wkDot(toFar, inward);
    const wkVec3d directions[DIRECTION_COUNT] = {
        wkNormalizeOr(wkAdd(toFar, inward), toFar),
        toFar,
        wkNormalizeOr(wkMulSub(toFar, along, inward), toFar),
        wkNormalizeOr(wkMulSub(inward, along, toFar), inward),
        inward,
        {1.0, 0.0, 0.0},
        {-1.0, 0.0, 0.0},
        {0.0, 1.0, 0.0},
        {0.0, -1.0, 0.0},
        {0.0, 0.0, 1.0},
        {0.0, 0.0, -1.0},
    };
    wkVec3d from = s->best.position;
    for (int i = 0; i < DIRECTION_COUNT; ++i) {
        if (tryPosition(s, wkMulAdd(from, step, directions[i]))) {
            return true;
        }
    }
    return false;
}

wkFitCenter wkFindCenter(const wkFitSurface* surface, const wkPointLanes* set, wkVec3d start,
                         double enough, double reach)
{
    search s = {surface,
                wkFitLanesOfMachine(),
                set,
                {start, wkFitSurface_QuickClosest(surface, start), 0.0, 0.0, 0.0}};
    s.best.square = s.lanes->furthest(set, start);
    s.best.offset = s.best.closest.distance + surface->slack;
    s.best.cost = sqrt(s.best.square) + s.best.offset;
    double unit = wkMaxD(s.best.cost, 1e-6 * surface->extent);
    double step = reach * unit;
    for (int move = 0; move < MAX_MOVES && step > LAST_STEP * unit; ++move) {
        if (s.best.cost <= enough) {
            break;
        }
        if (!stepAnywhere(&s, step)) {
            step *= 0.5;
        }
    }
    return s.best;
}
