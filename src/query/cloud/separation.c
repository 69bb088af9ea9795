// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// wkSeparation: a translation that takes a cloud out of a body. Along one direction the bodies are moved on by the
// depth of the deepest sphere until they are apart, and back by the gap that is left: signed distances change by no more
// than the translation. Directions are the normal of the deepest sphere and those of a grid on
// a cube; the best is turned by smaller and smaller angles. Translations that are as long as the best so far end early.

#include "whisker/separation.h"

#include "base/cookie.h"
#include "base/range.h"
#include "geom/check.h"
#include "query/pair/shape_class.h"

#include <stdlib.h>

// Steps of the grid of directions from the centre of a face of the cube to its edge: 98 directions, about 25 degrees apart.
#define GRID_HALF 2

// Angles by which the best direction is turned, in radians.
#define FIRST_ANGLE 0.4
#define LAST_ANGLE 0.01

// Distances are lower bounds: by less than this share of the size of the bodies, a depth may be too large.
#define LOWER_ROUNDING 1e-12

wkSeparationRequest wkDefaultSeparationRequest(void)
{
    wkSeparationRequest request = {
        .cookie = WK_COOKIE(wkSeparationRequest),
        .tolerance = 1e-5,
        .maxQueries = 2000,
    };
    return request;
}

static wkResult checkRequest(const wkSeparationRequest* request)
{
    if (!WK_HAS_COOKIE(request, wkSeparationRequest)) {
        return WK_FAIL_COOKIE(request, wkSeparationRequest);
    }
    const wkNamedNumber numbers[] = {
        {"direction.x", request->direction.x, -WK_MAX_LENGTH, WK_MAX_LENGTH},
        {"direction.y", request->direction.y, -WK_MAX_LENGTH, WK_MAX_LENGTH},
        {"direction.z", request->direction.z, -WK_MAX_LENGTH, WK_MAX_LENGTH},
        {"tolerance", request->tolerance, 1e-9, WK_MAX_LENGTH},
        {"maxQueries", (double)request->maxQueries, 1.0, 1e6},
    };
    return wkCheckNumbers("separation", numbers, sizeof numbers / sizeof numbers[0]);
}

typedef struct search {
    const wkShape* a;
    const wkShape* b;
    wkPose poseA;
    wkPose poseB;
    double tolerance;
    double furthest; // no translation that matters is longer
    int32_t queriesLeft;
    double best; // length of the shortest translation so far
    wkVec3d direction;
} search;

// The distance after a translation of B.
static wkDistanceResult measure(search* s, wkVec3d direction, double length)
{
    wkPose moved = s->poseB;
    moved.position = wkMulAdd(moved.position, length, direction);
    s->queriesLeft -= 1;
    return wkDistance(s->a, s->poseA, s->b, moved, NULL);
}

static bool isApart(const search* s, double distance)
{
    return distance > 0.0 && distance <= s->tolerance;
}

// Finds how far B moves along a unit direction until it is apart, and keeps the direction if that is the shortest.
// @return whether it is
static bool tryDirection(search* s, wkVec3d direction)
{
    double length = 0.0, limit = wkMinD(s->best, s->furthest);
    while (s->queriesLeft > 0 && length < limit) {
        wkDistanceResult r = measure(s, direction, length);
        if (r.status == wk_statusInvalid || r.status == wk_statusUnbounded) {
            return false;
        }
        if (isApart(s, r.distance)) {
            s->best = length;
            s->direction = direction;
            return true;
        }
        // on by the depth, which skips no gap, or back by the gap
        length = wkPositive(length + (0.5 * s->tolerance - r.distance));
    }
    return false;
}

static bool isDone(const search* s, double lower)
{
    return s->best <= lower + s->tolerance || s->queriesLeft <= 0;
}

// The directions to the points of a grid on the surface of a cube in the frame of A.
static void tryCube(search* s, double lower)
{
    wkFrame frame = wkFrameFromPose(s->poseA);
    const int side = 2 * GRID_HALF + 1;
    for (int i = 0; i < side * side * side && !isDone(s, lower); ++i) {
        int x = i % side - GRID_HALF, y = i / side % side - GRID_HALF;
        int z = i / (side * side) - GRID_HALF;
        if (abs(x) == GRID_HALF || abs(y) == GRID_HALF || abs(z) == GRID_HALF) {
            wkVec3d direction = wkMulMV(&frame.rotation, wkVec(x, y, z));
            tryDirection(s, wkScale(1.0 / wkLength(direction), direction));
        }
    }
}

static void turnBest(search* s, double lower)
{
    double angle = FIRST_ANGLE;
    while (angle > LAST_ANGLE && s->best < INFINITY && !isDone(s, lower)) {
        wkVec3d u, v, center = s->direction;
        wkTangents(center, &u, &v);
        bool isBetter = false;
        for (int k = 0; k < 4 && !isBetter; ++k) {
            wkVec3d aside = wkScale(k % 2 == 0 ? angle : -angle, k < 2 ? u : v);
            isBetter = tryDirection(s, wkNormalizeOr(wkAdd(center, aside), center));
        }
        angle = isBetter ? angle : 0.5 * angle;
    }
}

// Upper bound of the length of translations that matter: beyond it, bounded bodies are apart.
static double findFurthest(const search* s, double depth)
{
    wkAabb a = wkShape_Bounds(s->a, s->poseA), b = wkShape_Bounds(s->b, s->poseB);
    wkVec3d lower = wkMin(a.lower, b.lower), upper = wkMax(a.upper, b.upper);
    double size = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        double side = wkAlongAxis(&upper, axis) - wkAlongAxis(&lower, axis);
        double sideA = wkAlongAxis(&a.upper, axis) - wkAlongAxis(&a.lower, axis);
        double sideB = wkAlongAxis(&b.upper, axis) - wkAlongAxis(&b.lower, axis);
        // of an unbounded body and a cloud, what the cloud has below and above its deepest point
        size += side < INFINITY ? side : wkMinD(sideA, sideB);
    }
    return 2.0 * (size + depth) + s->tolerance;
}

static void answer(const search* s, double lower, wkSeparationResult* result)
{
    bool isFound = s->best < INFINITY;
    bool isShortest = s->best <= lower + s->tolerance;
    result->status = !isFound ? wk_statusUnbounded : !isShortest ? wk_statusBound : wk_statusExact;
    result->depth = s->best;
    result->translation = wkScale(isFound ? s->best : 0.0, s->direction);
}

static bool isCloud(const wkShape* shape)
{
    return shape != NULL && shape->type == wk_shapeCloud;
}

wkSeparationResult wkSeparation(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                                const wkSeparationRequest* request)
{
    wkSeparationResult result = {
        .status = wk_statusInvalid, .depth = INFINITY, .partA = -1, .partB = -1};
    wkSeparationRequest standard = wkDefaultSeparationRequest();
    request = request != NULL ? request : &standard;
    if (checkRequest(request) != wk_ok || !(isCloud(a) || isCloud(b))) {
        return result;
    }
    search s = {
        .a = a,
        .b = b,
        .poseA = poseA,
        .poseB = poseB,
        .tolerance = request->tolerance,
        .queriesLeft = request->maxQueries,
        .best = INFINITY,
    };
    wkDistanceResult deepest = measure(&s, wkVec(0.0, 0.0, 0.0), 0.0);
    if (deepest.status == wk_statusInvalid) {
        return result;
    }
    result.partA = deepest.partA;
    result.partB = deepest.partB;
    if (deepest.distance > 0.0) {
        result.status = wk_statusExact;
        result.depth = 0.0;
    } else {
        s.furthest = findFurthest(&s, -deepest.distance);
        result.lower = wkPositive(-deepest.distance - LOWER_ROUNDING * s.furthest);
        if (wkMaxAbs(request->direction) > 0.0) {
            tryDirection(&s, wkNormalizeOr(request->direction, deepest.normal));
        } else {
            tryDirection(&s, deepest.normal);
            tryCube(&s, result.lower);
            turnBest(&s, result.lower);
        }
        answer(&s, result.lower, &result);
    }
    result.queryCount = request->maxQueries - s.queriesLeft;
    return result;
}
