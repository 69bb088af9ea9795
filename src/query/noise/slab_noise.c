// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The probability that a noisy point touches a hierarchy of triangles whose surface is nearly flat about it. A sphere
// about the point holds nearly all positions that it can have. The triangles in the sphere lie between two planes
// across the normal at the closest point; nothing of the surface is above or below these planes, so that each side is all
// inside or all outside of a solid. Rounding, padding and reach move the planes, the errors are those of positions
// outside of the sphere.

#include "query/noise/point_noise.h"

#include "geom/project_triangle.h"
#include "query/tree/distance_walk.h"
#include "tree/bvh/tree_shape.h"

#include <string.h>

// Radii of spheres in deviations: a larger one misses fewer positions, 0.7 % and 1.5e-5 of all, but the surface in it is
// less flat. Both are larger than the distance of the point from touching by at least that much.
static const double radii[] = {3.5, 5.0};
#define RADIUS_BEYOND 2.5

typedef struct slabWalk {
    wkBoxWalk base;
    const wkTreeView* view;
    wkVec3d normal;
    double radius; // of the sphere, in metres
    double lowest; // of the triangles, along the normal from the point
    double highest;
} slabWalk;

// Bounds the heights of the part of a triangle that is in the sphere: those of its vertices, and those of the
// disc in which its plane cuts the sphere.
static void takeTriangle(slabWalk* walk, const wkVec3d vertices[3])
{
    wkVec3d center = walk->base.center, to = wkSub(vertices[0], center);
    double heights[3];
    for (int k = 0; k < 3; ++k) {
        heights[k] = wkDot(walk->normal, wkSub(vertices[k], center));
    }
    double lowest = wkMinD(heights[0], wkMinD(heights[1], heights[2]));
    double highest = wkMaxD(heights[0], wkMaxD(heights[1], heights[2]));
    wkVec3d across = wkCross(wkSub(vertices[1], vertices[0]), wkSub(vertices[2], vertices[0]));
    double area = wkLength(across), longest = wkMaxAbs(to) + walk->radius;
    if (area > 1e-6 * longest * longest) { // long or thin ones have the heights of their vertices
        wkVec3d plane = wkScale(1.0 / area, across);
        double away = wkDot(plane, to), tilt = wkDot(plane, walk->normal);
        double disc = sqrt(wkPositive(walk->radius * walk->radius - away * away));
        double reach = disc * sqrt(wkPositive(1.0 - tilt * tilt)) + 1e-7 * walk->radius;
        lowest = wkMaxD(lowest, away * tilt - reach);
        highest = wkMinD(highest, away * tilt + reach);
    }
    walk->lowest = wkMinD(walk->lowest, lowest);
    walk->highest = wkMaxD(walk->highest, highest);
}

static wkStep visitTriangles(wkSlotWalk* slots, wkLink link)
{
    slabWalk* walk = (slabWalk*)slots;
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    for (int32_t item = first; item < end; ++item) {
        wkShape triangle = {.type = wk_shapeTriangle};
        wkViewTriangleVertices(walk->view, item, triangle.triangle.points);
        wkProjection projection = wkProjectTriangle(&triangle, walk->base.center);
        if (!(projection.distance > walk->radius)) {
            takeTriangle(walk, triangle.triangle.points);
        }
    }
    return wk_stepOn;
}

static void findHeights(const wkTreeView* view, wkVec3d point, slabWalk* walk)
{
    wkBoxWalk* base = &walk->base;
    memset(base, 0, sizeof *base);
    base->slots.tree = view->tree;
    base->treeInBox =
        (wkFrame){{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, {0.0, 0.0, 0.0}};
    base->center = point;
    base->slack = wkWalkSlack(view->reach + wkMaxAbs(point));
    base->slots.limit = wkWalkLimit(walk->radius, base->slack);
    base->slots.leaf = visitTriangles;
    walk->view = view;
    walk->lowest = INFINITY;
    walk->highest = -INFINITY;
    wkWalkTree(base);
}

// Signed distance of the middle between a plane at that height and the end of the sphere.
static double distanceBeyond(const wkNoiseBody* body, const slabWalk* walk, double height,
                             double end)
{
    wkVec3d position = wkMulAdd(walk->base.center, 0.5 * (height + end), walk->normal);
    return wkNoiseDistance(body, position, walk->radius).distance + body->radius;
}

// Narrows the bounds by the triangles within some deviations of the point.
static wkProbability boundWithin(const wkNoiseBody* body, const wkTreeView* view,
                                 const wkNoisyPoint* point, wkVec3d normal, double radius,
                                 wkProbability known)
{
    double sigma = point->deviation, swept = body->radius + point->reach;
    double miss = (1.0 + WK_TAIL_ERROR) * wkChiTail(radius);
    slabWalk walk = {.normal = normal, .radius = radius * sigma + fabs(swept)};
    findHeights(view, point->position, &walk);
    double low = walk.lowest - point->slack, high = walk.highest + point->slack;
    if (!(low <= high)) {
        return known; // nothing in the sphere, up to rounding
    }
    double sweptLow = swept - point->slack, sweptHigh = swept + point->slack;
    if (!view->isSolid) {
        wkProbability slab =
            wkSlabProbability((low - sweptHigh) / sigma, (high + sweptHigh) / sigma);
        known.upper = wkMinD(known.upper, slab.upper + miss);
        return known;
    }
    if (high < walk.radius && distanceBeyond(body, &walk, high, walk.radius) > 0.0) {
        double above = wkNormalTail(-(high + sweptHigh) / sigma);
        known.upper = wkMinD(known.upper, (1.0 + WK_TAIL_ERROR) * above + miss);
    }
    if (low > -walk.radius && distanceBeyond(body, &walk, low, -walk.radius) < 0.0) {
        double below = wkNormalTail(-(low + sweptLow) / sigma);
        known.lower = wkMaxD(known.lower, (1.0 - WK_TAIL_ERROR) * below - miss);
    }
    return known;
}

wkProbability wkBoundSlabNoise(const wkNoiseBody* body, const wkNoisyPoint* point,
                               const wkPointResult* closest, wkProbability known)
{
    const wkTreeShapeRow* row = wkTreeShapeRowOf(body->shape);
    if (row == NULL || row->hasShapes) {
        return known;
    }
    wkTreeView view;
    row->view(body->shape, &view);
    double least = fabs(closest->distance - point->reach) / point->deviation + RADIUS_BEYOND;
    for (size_t i = 0; i < sizeof radii / sizeof radii[0]; ++i) {
        double radius = wkMaxD(radii[i], least);
        known = boundWithin(body, &view, point, closest->normal, radius, known);
        if (least >= radii[1]) {
            break; // the next one is the same
        }
    }
    return known;
}
