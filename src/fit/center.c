// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Steps in promising directions and along the axes, each half as long as the last when none is of use.

#include "fit/center.h"

#define LAST_STEP 0.01 // of the cost
#define MAX_MOVES 32
#define DIRECTION_COUNT 11

int32_t wkFindFurthest(const wkPointLanes* set, wkVec3d place, double square)
{
    int32_t i = 0;
    for (; i < set->count - 1; ++i) {
        double x = set->x[i] - place.x, y = set->y[i] - place.y, z = set->z[i] - place.z;
        if (x * x + y * y + z * z == square) {
            break;
        }
    }
    return i;
}

typedef struct search {
    const wkSkin* skin;
    const wkFitLanes* lanes;
    const wkPointLanes* set;
    wkFitCenter best;
} search;

// Takes a place when it costs less.
static bool tryPlace(search* s, wkVec3d place)
{
    double square = s->lanes->furthest(s->set, place);
    double reach = sqrt(square);
    // the signed distance changes by no more than the way
    double way = wkLength(wkSub(place, s->best.place));
    if (reach + s->best.offset - way >= s->best.cost) {
        return false;
    }
    wkSkinNear near = wkSkin_Quick(s->skin, place);
    double offset = near.distance + s->skin->slack;
    if (!(reach + offset < s->best.cost)) {
        return false;
    }
    s->best = (wkFitCenter){place, near, square, offset, reach + offset};
    return true;
}

static bool stepAnywhere(search* s, double step)
{
    int32_t f = wkFindFurthest(s->set, s->best.place, s->best.square);
    wkVec3d far = wkVec(s->set->x[f], s->set->y[f], s->set->z[f]);
    wkVec3d toFar = wkNormalizeOr(wkSub(far, s->best.place), wkVec(0.0, 0.0, 0.0));
    wkVec3d inward = wkNeg(s->best.near.normal);
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
    wkVec3d from = s->best.place;
    for (int i = 0; i < DIRECTION_COUNT; ++i) {
        if (tryPlace(s, wkMulAdd(from, step, directions[i]))) {
            return true;
        }
    }
    return false;
}

wkFitCenter wkFindCenter(const wkSkin* skin, const wkPointLanes* set, wkVec3d start, double enough,
                         double reach)
{
    search s = {
        skin, wkFitLanesOfMachine(), set, {start, wkSkin_Quick(skin, start), 0.0, 0.0, 0.0}};
    s.best.square = s.lanes->furthest(set, start);
    s.best.offset = s.best.near.distance + skin->slack;
    s.best.cost = sqrt(s.best.square) + s.best.offset;
    double unit = wkMaxD(s.best.cost, 1e-6 * skin->extent);
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
