// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The probability that one noisy point touches a body, from one signed distance. Signed distances change by at most
// the length of a step, so a sphere of that size about the point is clear of the surface. The sphere that
// rounding, padding and reach make about the closest point of a core is part of what touches. A convex body
// is on one side of the plane across its closest point. Spheres, boxes, half-spaces and planes have closed forms.

#include "query/noise/point_noise.h"

#include "query/pair/point.h"

// Bounds of points that are closer are not narrowed by spheres, and how much each sphere is larger than the last.
#define LEAST_WIDTH 1e-6
#define COARSE_FACTOR 8.0

static const wkProbability unknown = {0.0, 1.0};

static double finiteOr(double value, double fallback)
{
    return fabs(value) <= WK_MAX_LENGTH ? fabs(value) : fallback;
}

wkNoiseBody wkMakeNoiseBody(const wkShape* shape)
{
    const wkShapeClass* kind = wkShapeClassOf(shape);
    wkPose identity = wkIdentityPose();
    wkAabb box = kind->bounds(shape, &identity);
    // unbounded directions do not matter: of planes, coordinates are bounded by those of the point
    double reach = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        reach = wkMaxD(reach, finiteOr(wkAlongAxis(&box.lower, axis), 0.0));
        reach = wkMaxD(reach, finiteOr(wkAlongAxis(&box.upper, axis), 0.0));
    }
    wkNoiseBody body = {shape, kind, kind->kind == wk_kindConvex, wkShapeRadius(shape), reach, box};
    return body;
}

wkPointResult wkNoiseDistance(const wkNoiseBody* body, wkVec3d position, double cutoff)
{
    wkPointResult result = {-INFINITY, position, {0.0, 0.0, 1.0}, wk_statusInvalid, -1};
    if (wkIsValidPoint(position)) {
        body->kind->closestPoint(body->shape, position, cutoff, &result);
    }
    return result;
}

double wkNoiseTail(const wkNoiseBody* body, double deviations)
{
    double tail = body->isConvex ? wkNormalTail(deviations) : wkChiTail(deviations);
    return wkMinD(1.0, (1.0 + WK_TAIL_ERROR) * tail);
}

// The probability that a point is in the bounds of a body, and not further outside than its reach: an upper bound that is
// good for noise as large as the body.
static double inBounds(const wkNoiseBody* body, const wkNoisyPoint* point)
{
    double reach = wkPositive(point->reach) + point->slack, sigma = point->deviation;
    double product = 1.0 + WK_TAIL_ERROR;
    for (int axis = 0; axis < 3; ++axis) {
        double at = wkAlongAxis(&point->position, axis);
        double lower = wkAlongAxis(&body->bounds.lower, axis) - reach - at;
        double upper = wkAlongAxis(&body->bounds.upper, axis) + reach - at;
        // negative padding may leave nothing between the bounds and something within the reach
        product *= lower <= upper ? wkSlabProbability(lower / sigma, upper / sigma).upper : 1.0;
    }
    return product;
}

// The probability of touching where the signed distance is known to be in an interval.
static wkProbability fromDistance(const wkNoiseBody* body, const wkNoisyPoint* point,
                                  double distance)
{
    double sigma = point->deviation;
    double lowest = distance - point->reach - point->slack;
    double highest = distance - point->reach + point->slack;
    wkProbability p = unknown;
    if (lowest > 0.0 || body->isConvex) {
        p.upper = wkNoiseTail(body, lowest / sigma);
    }
    if (highest < 0.0) {
        p.lower = wkMaxD(0.0, 1.0 - (1.0 + WK_TAIL_ERROR) * wkChiTail(-highest / sigma));
    }
    double swept = body->radius + point->reach - point->slack;
    double toCore = distance + body->radius + point->slack;
    if (swept > 0.0 && toCore >= 0.0) {
        p.lower = wkMaxD(p.lower, wkSphereProbability(toCore / sigma, swept / sigma).lower);
    }
    return p;
}

typedef wkProbability exactFcn(const wkNoiseBody* body, const wkNoisyPoint* point);

static wkProbability sphereNoise(const wkNoiseBody* body, const wkNoisyPoint* point)
{
    double scale = 1.0 / point->deviation, distance = wkLength(point->position);
    double radius = body->radius + point->reach;
    wkProbability p = {
        wkSphereProbability(scale * distance, scale * (radius - point->slack)).lower,
        wkSphereProbability(scale * distance, scale * (radius + point->slack)).upper,
    };
    return p;
}

static wkProbability halfspaceNoise(const wkNoiseBody* body, const wkNoisyPoint* point)
{
    const wkHalfspace* halfspace = &body->shape->halfspace;
    double height = wkDot(halfspace->normal, point->position) - halfspace->offset;
    double above = height - body->radius - point->reach;
    wkProbability p = {
        (1.0 - WK_TAIL_ERROR) * wkNormalTail((above + point->slack) / point->deviation),
        wkNoiseTail(body, (above - point->slack) / point->deviation),
    };
    return p;
}

static wkProbability planeNoise(const wkNoiseBody* body, const wkNoisyPoint* point)
{
    const wkPlane* plane = &body->shape->plane;
    double height = wkDot(plane->normal, point->position) - plane->offset;
    double inner = body->radius + point->reach - point->slack, outer = inner + 2.0 * point->slack;
    double scale = 1.0 / point->deviation;
    wkProbability p = {
        wkSlabProbability(scale * (height - inner), scale * (height + inner)).lower,
        wkSlabProbability(scale * (height - outer), scale * (height + outer)).upper,
    };
    return p;
}

static wkProbability sideNoise(double coordinate, double half, double deviation)
{
    return wkSlabProbability((coordinate - half) / deviation, (coordinate + half) / deviation);
}

// The box without rounded edges: its sides, with slabs of thickness `swept` on its six faces, are part of the
// rounded one.
static double boxLower(const double position[3], const double half[3], double swept, double sigma)
{
    double inside[3], around[3];
    for (int axis = 0; axis < 3; ++axis) {
        inside[axis] = sideNoise(position[axis], half[axis], sigma).lower;
        wkProbability inner = sideNoise(position[axis], half[axis], sigma);
        around[axis] = sideNoise(position[axis], half[axis] + swept, sigma).lower - inner.upper;
    }
    double sum = inside[0] * inside[1] * inside[2];
    for (int axis = 0; axis < 3; ++axis) {
        int u = (axis + 1) % 3, v = (axis + 2) % 3;
        sum += wkPositive(around[axis]) * inside[u] * inside[v];
    }
    return (1.0 - WK_TAIL_ERROR) * sum;
}

static wkProbability boxNoise(const wkNoiseBody* body, const wkNoisyPoint* point)
{
    const wkVec3d half = body->shape->box.half;
    const double position[3] = {point->position.x, point->position.y, point->position.z};
    double swept = body->radius + point->reach, sigma = point->deviation;
    double inner = swept - point->slack, outer = swept + point->slack;
    double halfInner[3], upper = 1.0 + WK_TAIL_ERROR;
    for (int axis = 0; axis < 3; ++axis) {
        double side = wkAlongAxis(&half, axis);
        // a negative reach makes a smaller box
        halfInner[axis] = side + wkMinD(inner, 0.0);
        upper *= sideNoise(position[axis], side + outer, sigma).upper;
    }
    wkProbability p = {boxLower(position, halfInner, wkPositive(inner), sigma), wkMinD(upper, 1.0)};
    return p;
}

// Types with a closed form; others have the bounds of their distance.
// clang-format off
static exactFcn* const exactTable[WK_SHAPE_TYPE_LIMIT] = {
    [wk_shapeSphere]    = sphereNoise,
    [wk_shapeBox]       = boxNoise,
    [wk_shapeHalfspace] = halfspaceNoise,
    [wk_shapePlane]     = planeNoise,
};
// clang-format on

wkProbability wkBoundPointNoise(const wkNoiseBody* body, const wkNoisyPoint* point, double cutoff)
{
    if (point->deviation > 0.0) {
        exactFcn* exact = exactTable[body->shape->type];
        if (exact != NULL) {
            return exact(body, point);
        }
    }
    double furthest = point->reach + cutoff * point->deviation + point->slack;
    wkPointResult closest = wkNoiseDistance(body, point->position, furthest);
    if (!(closest.distance > -INFINITY)) {
        return unknown;
    }
    if (point->deviation > 0.0) {
        wkProbability p = fromDistance(body, point, closest.distance);
        p.upper = wkMinD(p.upper, inBounds(body, point));
        if (closest.status == wk_statusBound) {
            p.lower = 0.0; // the distance may be larger
            return p;
        }
        p = wkBoundSlabNoise(body, point, &closest, p);
        bool isWide = p.upper - p.lower > LEAST_WIDTH;
        return isWide ? wkBoundSphereNoise(body, point, &closest, COARSE_FACTOR, p) : p;
    }
    wkProbability p = {(double)(closest.distance + point->slack <= point->reach),
                       (double)(closest.distance - point->slack <= point->reach)};
    return p;
}
