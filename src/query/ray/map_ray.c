// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A ray through a map: cubes are opened in the order in which the ray enters them, and each cell that it
// may hit is queried as a box. Where unknown cells count, the space beyond the map does too.

#include "query/ray/map_ray.h"

#include "query/map/map_query.h"
#include "solve/pair.h"

typedef struct rayWalk {
    const wkShape* shape;
    wkMapView view;
    const wkLocalRay* ray;
    double inverse[3]; // of the direction
    double widening;   // of cubes, by the sphere around them and by rounding
    bool isAny;        // only whether there is a hit is requested
    wkShapeHit* hit;   // the first one so far
    double limit;      // its distance, or that of the end of the ray
    bool isUnknown;
} rayWalk;

// A cube, and the distance at which the ray enters it.
typedef struct entry {
    wkCube cube;
    double distance;
} entry;

// Distance at which the ray enters a cube, widened; infinity when it misses.
static double enterCube(const rayWalk* walk, const wkCube* cube)
{
    wkVec3d toCenter = wkSub(wkCubeCenter(walk->view.octree, cube), walk->ray->origin);
    double half = wkCubeHalf(walk->view.octree, cube) + walk->widening;
    double enter = 0.0, leave = INFINITY;
    for (int k = 0; k < 3; ++k) {
        double from = wkAlongAxis(&toCenter, k);
        double first = (from - half) * walk->inverse[k], last = (from + half) * walk->inverse[k];
        enter = wkMaxD(enter, wkMinD(first, last));
        leave = wkMinD(leave, wkMaxD(first, last));
    }
    return enter > leave ? INFINITY : enter;
}

static void takeHit(rayWalk* walk, const wkRayHit* found, int64_t part, bool isUnknown)
{
    // of two equally near cells, an occupied one counts before an unknown one
    bool isFirst = !walk->hit->isHit || found->distance < walk->limit ||
                   (found->distance == walk->limit && walk->isUnknown && !isUnknown);
    if (found->isHit && isFirst) {
        walk->hit->isHit = true;
        walk->hit->distance = found->distance;
        walk->hit->normal = found->normal;
        walk->hit->part = part;
        walk->limit = found->distance;
        walk->isUnknown = isUnknown;
    }
}

// Cells are enlarged by the rounding of their positions and of the ray: a ray between two neighbours
// hits one of them.
static void visitCell(rayWalk* walk, const wkCube* cube)
{
    const wkShape* shape = walk->shape;
    wkShape cell = {.type = wk_shapeBox, .rounding = shape->rounding, .padding = shape->padding};
    wkVec3d center = wkCubeCenter(walk->view.octree, cube);
    double half = wkCubeHalf(walk->view.octree, cube);
    half += WK_ROUNDING * (wkMaxAbs(center) + wkMaxAbs(walk->ray->origin) + half);
    cell.box.half = wkVec(half, half, half);
    wkVec3d origin = wkSub(walk->ray->origin, center);
    wkRayHit found = wkCastConvex(&cell, origin, walk->ray->direction, walk->limit);
    takeHit(walk, &found, wkCubeId(cube), cube->isUnknown);
}

// Pushes the children of a cube that the ray enters, the first one last.
static int pushChildren(const rayWalk* walk, const wkCube* cube, entry* stack)
{
    wkCube children[8];
    int found = wkOpenCube(&walk->view, cube, children), count = 0;
    for (int i = 0; i < found; ++i) {
        entry next = {children[i], enterCube(walk, &children[i])};
        if (next.distance > walk->limit || next.distance == INFINITY) {
            continue;
        }
        int k = count++;
        for (; k > 0 && stack[k - 1].distance < next.distance; --k) {
            stack[k] = stack[k - 1];
        }
        stack[k] = next;
    }
    return count;
}

static void walkAlong(rayWalk* walk)
{
    entry stack[WK_MAP_STACK];
    int count = wkMapRoot(&walk->view, &stack[0].cube) ? 1 : 0;
    stack[0].distance = 0.0;
    while (count > 0) {
        entry next = stack[--count];
        if (next.distance > walk->limit) {
            continue;
        }
        if (next.cube.link != 0) {
            count += pushChildren(walk, &next.cube, &stack[count]);
            continue;
        }
        visitCell(walk, &next.cube);
        if (walk->isAny && walk->hit->isHit) {
            return;
        }
    }
}

static void castBeyond(rayWalk* walk)
{
    const wkLocalRay* ray = walk->ray;
    for (int side = 0; side < 6; ++side) {
        wkShape beyond = wkBeyondMap(walk->shape, side);
        wkRayHit found = wkCastConvex(&beyond, ray->origin, ray->direction, walk->limit);
        takeHit(walk, &found, -1, true);
    }
}

static void cast(const wkShape* shape, const wkLocalRay* ray, bool isAny, wkShapeHit* hit)
{
    rayWalk walk = {
        .shape = shape,
        .view = wkViewOfMap(shape),
        .ray = ray,
        .isAny = isAny,
        .hit = hit,
        .limit = ray->maxDistance,
    };
    double edge = WK_MIDDLE_KEY * walk.view.octree->def.resolution;
    walk.widening = wkPositive(wkShapeRadius(shape)) +
                    4.0 * WK_ROUNDING * (edge + wkMaxAbs(ray->origin) + fabs(wkShapeRadius(shape)));
    for (int k = 0; k < 3; ++k) {
        double along = wkAlongAxis(&ray->direction, k);
        // parallel to the sides: they are hit never, or infinitely far away
        walk.inverse[k] = fabs(along) < 1e-30 ? copysign(1e300, along) : 1.0 / along;
    }
    hit->isHit = false;
    walkAlong(&walk);
    if (walk.view.wantsUnknown && !(isAny && hit->isHit)) {
        castBeyond(&walk);
    }
    bool isReported = hit->isHit && walk.isUnknown && shape->map.unknown == wk_unknownReported;
    hit->status = isReported ? wk_statusUnknown : wk_statusExact;
}

void wkCastMap(const wkShape* shape, const wkLocalRay* ray, wkShapeHit* hit)
{
    cast(shape, ray, false, hit);
}

bool wkMapIsHit(const wkShape* shape, const wkLocalRay* ray)
{
    wkShapeHit hit;
    cast(shape, ray, true, &hit);
    return hit.isHit;
}
