// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// wkSeparation: a translation that separates two bodies, and a lower bound for all others. For convex bodies it is the
// one of wkPenetration, which is the shortest. For others it is searched for, from the same directions in either order
// of the bodies; every translation is measured where it ends.

#include "whisker/separation.h"

#include "base/cookie.h"
#include "base/range.h"
#include "geom/check.h"
#include "query/pair/question.h"
#include "query/pair/shape_class.h"
#include "query/pair/shape_order.h"
#include "query/separation/separation_search.h"

// Distances are lower bounds: by less than this share of the size of the bodies, a depth may be too large. Depths of
// clouds are those of spheres, in closed form; EPA ends at 3e-7 of the scale.
#define CLOUD_ROUNDING 1e-12
#define SOLVER_ROUNDING 1e-6

// The first amount by which a way out is lengthened so that the bodies are apart, as a share of their size.
#define FIRST_SLACK 1e-14

// Least steps outward, as shares of the shortest way so far. Clouds need none: their depths are true.
#define SEARCH_STRIDE 0.1
#define ALONG_STRIDE 0.01

// Rounds: into how many directions, and from which share of the shortest way so far on. The first round finds gaps
// between the bodies, the others ways that are a little shorter, until the queries are used up.
#define FIRST_COUNT 100
#define LATER_COUNT 200
#define LATER_FROM 0.75
#define MAX_ROUNDS 100

// Queries for the last gap.
#define LAST_QUERIES 16

// What may be left of a gap while ways are compared, as a share of their length.
#define ROUGH_GAP 0.02

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
        {"margin", request->margin, 0.0, WK_MAX_LENGTH},
        {"tolerance", request->tolerance, 1e-9, WK_MAX_LENGTH},
        {"maxQueries", (double)request->maxQueries, 1.0, 1e6},
    };
    return wkCheckNumbers("separation", numbers, sizeof numbers / sizeof numbers[0]);
}

static bool isCloud(const wkShape* shape)
{
    return shape->type == wk_shapeCloud;
}

// Sets what is measured in shares of the size of the bodies.
static void setLengths(wkSeparationSearch* s, double depth)
{
    wkAabb a = wkShape_Bounds(s->a, s->poseA), b = wkShape_Bounds(s->b, s->poseB);
    wkVec3d lower = wkMin(a.lower, b.lower), upper = wkMax(a.upper, b.upper);
    double size = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        double side = wkAlongAxis(&upper, axis) - wkAlongAxis(&lower, axis);
        double sideA = wkAlongAxis(&a.upper, axis) - wkAlongAxis(&a.lower, axis);
        double sideB = wkAlongAxis(&b.upper, axis) - wkAlongAxis(&b.lower, axis);
        // of an unbounded body and a bounded one, what the latter has below and above its deepest point
        size += side < INFINITY ? side : wkMinD(sideA, sideB);
    }
    s->furthest = 2.0 * (size + depth + s->margin) + s->tolerance;
    // two unbounded bodies have no size
    double apart = wkLength(wkSub(s->poseA.position, s->poseB.position));
    s->scale = s->furthest < INFINITY ? s->furthest : apart + depth + s->margin + s->tolerance;
}

// Whether no translation is shorter than the depth of a distance, or the gap that the margin lacks. A plane may stay
// between the parts of a solid; every other shape whose depth is exact has to pass its surface.
static bool isDepthProven(const wkSeparationSearch* s, const wkDistanceResult* r)
{
    bool isExact = r->status == wk_statusExact || r->status == wk_statusNotWatertight;
    bool hasPlane = s->a->type == wk_shapePlane || s->b->type == wk_shapePlane;
    bool areConvex = wkHasConvexType(s->a) && wkHasConvexType(s->b);
    if (r->status == wk_statusBound || r->status == wk_statusUnbounded) {
        return false;
    }
    return s->hasTrueDepth || r->distance > 0.0 || (isExact && (areConvex || !hasPlane));
}

// A lower bound of all translations that separate by more than the margin. One that keeps a margin can be shortened by
// it and still separates.
static double boundFromBelow(const wkSeparationSearch* s, const wkDistanceResult* deepest)
{
    double rounding = (s->hasTrueDepth ? CLOUD_ROUNDING : SOLVER_ROUNDING) * s->scale;
    if (isDepthProven(s, deepest)) {
        return wkPositive(s->margin - deepest->distance - rounding);
    }
    wkAabb a = wkShape_Bounds(s->a, s->poseA), b = wkShape_Bounds(s->b, s->poseB);
    const wkVec3d starts[4] = {
        deepest->pointA,
        deepest->pointB,
        wkMiddle(a.lower, a.upper),
        wkMiddle(b.lower, b.upper),
    };
    double most = 0.0;
    for (int i = 0; i < 4 && s->furthest < INFINITY; ++i) {
        bool isFinite = wkLength(starts[i]) < INFINITY; // an unbounded body has no middle
        most = isFinite ? wkMaxD(most, wkSeparationDepthSum(s, starts[i])) : most;
    }
    return most > 0.0 ? wkPositive(most + s->margin - CLOUD_ROUNDING * s->scale) : 0.0;
}

// Takes the way out of wkPenetration, lengthened until the bodies are apart there.
static bool leaveByNormal(wkSeparationSearch* s, const wkDistanceResult* deepest)
{
    double slack = FIRST_SLACK * s->scale;
    while (slack < s->tolerance && s->queriesLeft > 0) {
        double length = s->margin - deepest->distance + slack;
        wkDistanceResult r = wkSeparationMeasure(s, wkScale(length, deepest->normal));
        if (r.status != wk_statusInvalid && r.distance > s->margin) {
            s->kept[0] = (wkSeparationWay){length, deepest->normal, r.normal};
            return true;
        }
        slack *= 8.0;
    }
    return false;
}

// The axes of both bodies in both directions, and the way out of the deepest point; those of the first body in
// canonical order come first.
#define OWN_DIRECTIONS 13

static void listDirections(const wkSeparationSearch* s, wkVec3d normal, bool isSwapped,
                           wkVec3d directions[OWN_DIRECTIONS])
{
    double sign = isSwapped ? -1.0 : 1.0;
    const wkFrame frames[2] = {wkFrameFromPose(isSwapped ? s->poseB : s->poseA),
                               wkFrameFromPose(isSwapped ? s->poseA : s->poseB)};
    directions[0] = normal;
    for (int i = 0; i < 12; ++i) {
        const wkMat3d* axes = &frames[i / 6].rotation;
        wkVec3d axis = i % 3 == 0 ? axes->x : i % 3 == 1 ? axes->y : axes->z;
        directions[1 + i] = wkScale(i % 6 < 3 ? sign : -sign, axis);
    }
}

static void searchDirections(wkSeparationSearch* s, wkVec3d normal, double enough)
{
    bool areConvex = wkHasConvexType(s->a) && wkHasConvexType(s->b);
    bool isSwapped = !areConvex && wkAreBodiesSwapped(s->a, &s->poseA, s->b, &s->poseB);
    wkVec3d directions[OWN_DIRECTIONS];
    listDirections(s, normal, isSwapped, directions);
    wkSeparationTryHulls(s, directions, OWN_DIRECTIONS);
    for (int i = 0; i < OWN_DIRECTIONS && s->kept[0].length > enough; ++i) {
        wkSeparationTry(s, directions[i], 0.0);
    }
    // in the frame of the first body, so that the order of the bodies makes no difference
    wkMat3d axes = {directions[1], directions[2], directions[3]};
    s->roughGap = ROUGH_GAP;
    int reserve = s->queriesLeft < LAST_QUERIES ? s->queriesLeft : LAST_QUERIES;
    s->queriesLeft -= reserve;
    for (int i = 0; i < MAX_ROUNDS && s->kept[0].length > enough && s->queriesLeft > 0; ++i) {
        // numbers of directions differ, and so do the directions
        int count = i == 0 ? FIRST_COUNT : LATER_COUNT + i;
        wkSeparationTryAll(s, &axes, count, i == 0 ? 0.0 : LATER_FROM, enough);
        wkSeparationRefine(s, enough);
    }
    s->queriesLeft += reserve;
    wkSeparationFinish(s);
}

static void searchAlong(wkSeparationSearch* s, wkVec3d direction)
{
    if (!wkSeparationTry(s, direction, 0.0)) {
        wkSeparationTryHulls(s, &direction, 1);
    }
}

static void answer(const wkSeparationSearch* s, bool isShortest, wkSeparationResult* result)
{
    const wkSeparationWay* way = &s->kept[0];
    bool isFound = way->length < INFINITY;
    isShortest |= way->length <= result->lower + s->tolerance;
    result->status = !isFound ? wk_statusUnbounded : !isShortest ? wk_statusBound : wk_statusExact;
    result->depth = way->length;
    result->translation = wkScale(isFound ? way->length : 0.0, way->direction);
}

// Separates bodies that are no further apart than the margin.
static void separate(wkSeparationSearch* s, const wkDistanceResult* deepest,
                     const wkSeparationRequest* request, wkSeparationResult* result)
{
    setLengths(s, wkPositive(-deepest->distance));
    result->lower = boundFromBelow(s, deepest);
    if (wkMaxAbs(request->direction) > 0.0) {
        s->stride = ALONG_STRIDE;
        searchAlong(s, wkNormalizeOr(request->direction, deepest->normal));
        answer(s, false, result);
        return;
    }
    bool isShortest = !s->hasTrueDepth && isDepthProven(s, deepest) && leaveByNormal(s, deepest);
    if (!isShortest && deepest->status != wk_statusUnbounded) {
        searchDirections(s, deepest->normal, result->lower + s->tolerance);
    }
    answer(s, isShortest, result);
}

wkSeparationResult wkSeparation(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                                const wkSeparationRequest* request)
{
    wkSeparationResult result = {
        .status = wk_statusInvalid, .depth = INFINITY, .partA = -1, .partB = -1};
    wkSeparationRequest standard = wkDefaultSeparationRequest();
    request = request != NULL ? request : &standard;
    if (checkRequest(request) != wk_ok || !wkIsValidShape(a) || !wkIsValidShape(b)) {
        return result;
    }
    wkSeparationSearch s = {
        .a = a,
        .b = b,
        .poseA = poseA,
        .poseB = poseB,
        .margin = request->margin,
        .tolerance = request->tolerance,
        .stride = SEARCH_STRIDE,
        .hasTrueDepth = isCloud(a) || isCloud(b),
        .queriesLeft = request->maxQueries - 1,
    };
    for (int i = 0; i < WK_SEPARATION_KEPT; ++i) {
        s.kept[i].length = INFINITY;
    }
    wkDistanceResult deepest = wkDistance(a, poseA, b, poseB, NULL);
    if (deepest.status == wk_statusInvalid) {
        return result;
    }
    result.partA = deepest.partA;
    result.partB = deepest.partB;
    if (deepest.distance > s.margin) {
        result.status = wk_statusExact;
        result.depth = 0.0;
    } else {
        separate(&s, &deepest, request, &result);
    }
    result.queryCount = request->maxQueries - s.queriesLeft;
    return result;
}
