// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// How voids are found. Spheres cover the surface of the solids, so a void is bounded by spheres alone and is
// outside all of them. Take an extreme point of its convex hull. If it were on only one or two spheres, a
// line through the point would be tangent to these, and a piece of it on both sides of the point would be in
// the void: the point would not be extreme. So it is on three spheres whose normals are independent. It
// suffices to check the points where three spheres meet: a void has at least four of them, each inside a
// solid and inside no other sphere. If there is none, the solids are covered.

#include "fit/voids.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/vec.h"

#include <string.h>

// Rounding error of a point where three spheres meet at right angles, as a share of coordinates.
#define MEETING_ROUNDING 1e-13
// Error bound of a distance: see docs/precision.md.
#define DISTANCE_ROUNDING 1e-9
// Steps from a point of a void towards the center of the solid, where spheres are larger.
#define CLIMB_STEPS 12

typedef struct voidSearch {
    const wkFitSurface* surface;
    const wkSphere3d* spheres;
    int32_t count;
    double reach;        // largest coordinate of spheres and solids
    int32_t* neighbours; // indices of spheres that overlap the current one
    int32_t* later;      // those of them with higher indices
    bool* hasInside;     // per solid: it can have voids
    wkVoids* voids;
} voidSearch;

// Returns true for a body that is a sphere and is inside one of the spheres.
static bool isInOne(const voidSearch* search, const wkSurfaceSolid* solid)
{
    const wkShape* shape = &solid->shape;
    double radius = shape->sphere.radius + shape->rounding + shape->padding;
    for (int32_t i = 0; i < search->count && shape->type == wk_shapeSphere; ++i) {
        double away = wkLength(wkSub(solid->pose.position, search->spheres[i].center));
        if (away + radius <= search->spheres[i].radius + MEETING_ROUNDING * search->reach) {
            return true;
        }
    }
    return false;
}

// Returns whether a solid can have voids. A surface that is not closed has no inside.
static bool hasInside(const voidSearch* search, const wkSurfaceSolid* solid)
{
    bool isClosed = solid->shape.type != wk_shapeMesh || solid->own == NULL ||
                    wkMesh_Info(solid->shape.mesh).isClosed;
    return isClosed && !isInOne(search, solid);
}

// Bounds how deep a point is inside a solid; 0 or less: it is outside all solids.
static double depthOf(const voidSearch* search, wkVec3d point, double rounding)
{
    const wkFitSurface* surface = search->surface;
    double depth = -INFINITY;
    for (int32_t i = 0; i < surface->solidCount; ++i) {
        const wkSurfaceSolid* solid = &surface->solids[i];
        double away = wkLength(wkSub(point, solid->around.center)) - solid->around.radius;
        if (-away > depth && search->hasInside[i]) {
            wkPointResult closest =
                wkShape_ClosestPoint(&solid->shape, solid->pose, point, INFINITY);
            depth = wkMaxD(depth, -closest.distance);
        }
    }
    return depth + rounding;
}

// Keeps a point where three spheres meet, unless it is in another sphere or outside the solids.
static void keepMeetingPoint(voidSearch* search, wkVec3d point, double rounding,
                             const int32_t meeting[3], int32_t neighbourCount)
{
    for (int32_t i = 0; i < neighbourCount; ++i) {
        int32_t other = search->neighbours[i];
        const wkSphere3d* sphere = &search->spheres[other];
        bool isOther = other != meeting[0] && other != meeting[1] && other != meeting[2];
        double inside = sphere->radius - rounding;
        if (isOther && inside > 0.0 &&
            wkLengthSquared(wkSub(point, sphere->center)) < inside * inside) {
            return;
        }
    }
    rounding += DISTANCE_ROUNDING * search->reach;
    double depth = depthOf(search, point, rounding);
    if (depth <= 0.0) {
        return;
    }
    wkVoids* voids = search->voids;
    voids->bounds.lower = voids->count > 0 ? wkMin(voids->bounds.lower, point) : point;
    voids->bounds.upper = voids->count > 0 ? wkMax(voids->bounds.upper, point) : point;
    if (voids->count++ == 0 || depth > voids->depth) {
        voids->depth = depth;
        voids->deepest = point;
    }
}

// Finds the two points where three spheres meet, on either side of the plane of their centers.
// Centers on one line have none: the normals of their spheres are in one plane.
static void meet(voidSearch* search, const int32_t meeting[3], int32_t neighbourCount)
{
    const wkSphere3d *a = &search->spheres[meeting[0]], *b = &search->spheres[meeting[1]];
    const wkSphere3d* c = &search->spheres[meeting[2]];
    wkVec3d toB = wkSub(b->center, a->center), toC = wkSub(c->center, a->center);
    double distance = wkLength(toB);
    if (!(distance > 0.0)) {
        return;
    }
    wkVec3d x = wkScale(1.0 / distance, toB);
    double along = wkDot(x, toC);
    wkVec3d across = wkMulAdd(toC, -along, x);
    double width = wkLength(across);
    if (!(width > 1e-12 * search->reach)) {
        return;
    }
    wkVec3d y = wkScale(1.0 / width, across);
    double square = a->radius * a->radius;
    double u = 0.5 * (square - b->radius * b->radius + distance * distance) / distance;
    double v = 0.5 *
               (square - c->radius * c->radius + along * along + width * width - 2.0 * along * u) /
               width;
    double high = square - u * u - v * v;
    // the rounding error grows as the normals approach one plane
    double largest = wkMaxD(a->radius, wkMaxD(b->radius, c->radius));
    double unsure = MEETING_ROUNDING * search->reach * (1.0 + largest / width + largest / distance);
    if (high < -largest * unsure) {
        return;
    }
    double height = sqrt(wkPositive(high));
    unsure *= 1.0 + wkMinD(largest / wkMaxD(height, 1e-30), sqrt(largest / unsure));
    wkVec3d between = wkMulAdd(wkMulAdd(a->center, u, x), v, y), z = wkCross(x, y);
    keepMeetingPoint(search, wkMulAdd(between, height, z), unsure, meeting, neighbourCount);
    keepMeetingPoint(search, wkMulAdd(between, -height, z), unsure, meeting, neighbourCount);
}

static bool doOverlap(const wkSphere3d* a, const wkSphere3d* b)
{
    double reach = a->radius + b->radius;
    return wkLengthSquared(wkSub(a->center, b->center)) <= reach * reach;
}

// Checks all triples in which the sphere has the lowest index.
static void searchFrom(voidSearch* search, int32_t first)
{
    int32_t neighbourCount = 0, laterCount = 0;
    for (int32_t i = 0; i < search->count; ++i) {
        if (i != first && doOverlap(&search->spheres[first], &search->spheres[i])) {
            search->neighbours[neighbourCount++] = i;
            if (i > first) {
                search->later[laterCount++] = i;
            }
        }
    }
    for (int32_t i = 0; i < laterCount; ++i) {
        const wkSphere3d* second = &search->spheres[search->later[i]];
        for (int32_t k = i + 1; k < laterCount; ++k) {
            if (doOverlap(second, &search->spheres[search->later[k]])) {
                int32_t meeting[3] = {first, search->later[i], search->later[k]};
                meet(search, meeting, neighbourCount);
            }
        }
    }
}

wkResult wkFindVoids(const wkFitSurface* surface, const wkSphere3d* spheres, int32_t count,
                     wkVoids* voids)
{
    memset(voids, 0, sizeof *voids);
    if (count < 4 || surface->pieceCount == 0) {
        return wk_ok;
    }
    size_t byteCount = 2 * (size_t)count * sizeof(int32_t) + (size_t)surface->solidCount;
    int32_t* lists = wkAlloc(byteCount);
    if (lists == NULL) {
        return wkFail(wk_errorMemory, "fit: out of memory");
    }
    bool* hasInsides = (bool*)(lists + 2 * (size_t)count);
    voidSearch search = {surface, spheres,       count,      surface->reach,
                         lists,   lists + count, hasInsides, voids};
    for (int32_t i = 0; i < count; ++i) {
        search.reach = wkMaxD(search.reach, wkMaxAbs(spheres[i].center) + spheres[i].radius);
    }
    for (int32_t i = 0; i < surface->solidCount; ++i) {
        hasInsides[i] = hasInside(&search, &surface->solids[i]);
    }
    for (int32_t i = 0; i < count; ++i) {
        searchFrom(&search, i);
    }
    wkFree(lists, byteCount);
    return wk_ok;
}

// Returns a sphere that contains a point of a void: about a point further inside, where it is larger.
static wkSphere3d sphereFor(const wkFitSurface* surface, const wkVoids* voids, double protrusion)
{
    double step = wkPositive(-wkFitSurface_Closest(surface, voids->deepest).distance);
    wkSphere3d best = {voids->deepest, step + protrusion};
    for (int i = 0; i < CLIMB_STEPS && step > 0.0; ++i) {
        wkClosestOnSurface closest = wkFitSurface_Closest(surface, best.center);
        wkVec3d center = wkMulAdd(best.center, -step, closest.normal);
        double radius = wkPositive(-wkFitSurface_Closest(surface, center).distance) + protrusion;
        double away = wkLength(wkSub(center, voids->deepest));
        if (radius > best.radius && away + 0.25 * protrusion < radius) {
            best = (wkSphere3d){center, radius};
        } else {
            step *= 0.5;
        }
    }
    return best;
}

wkResult wkFillVoids(const wkFitSurface* surface, double protrusion, wkSphere3d* spheres,
                     int32_t capacity, int32_t* count)
{
    for (;;) {
        wkVoids voids;
        wkResult result = wkFindVoids(surface, spheres, *count, &voids);
        if (result != wk_ok || voids.count == 0) {
            return result;
        }
        if (*count >= capacity) {
            *count = capacity + 1;
            return wk_ok;
        }
        spheres[(*count)++] = sphereFor(surface, &voids, protrusion);
    }
}
