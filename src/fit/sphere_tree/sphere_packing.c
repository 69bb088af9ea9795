// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Greedy packing after Protosphere (Weller and Zachmann 2010): a prototype starts where a grid has the largest
// clearance, moves away from what is nearest to it until its clearance grows no more, and becomes a sphere. When the
// grid is too coarse for the spheres that are left to place, one with half its cells replaces it. Only the last step
// is a proof: with the centre as it is stored, the radius is a lower bound of the distance to the surface and to all
// spheres before.

#include "fit/sphere_tree/sphere_packing.h"

#include "base/error.h"
#include "base/memory.h"
#include "fit/sphere_tree/packing_grid.h"

// Cells of the first grid along the longest edge of the bounds.
#define FIRST_CELLS 24.0

// A grid is used for clearances down to this many cells.
#define LEAST_CELLS 0.75

// Steps of a prototype, the first and the last in cells; one that does not help makes the next ones shorter.
#define MOST_STEPS 40
#define FIRST_STEP 0.5
#define LAST_STEP 0.01
#define STEP_SHARE 0.75

// A prototype stays within this many cells of its start.
#define MOST_WAY 2.0

// Half of a diagonal of a cube, relative to its edge.
#define HALF_DIAGONAL 0.8660254037844387

// Rounding of a distance between doubles, relative.
#define DISTANCE_SLACK 1e-14

// The spheres that are placed.
typedef struct packing {
    const wkPackingJob* job;
    wkSphereF* spheres;
    int32_t count;
    int32_t* near; // spheres that a prototype can meet
    int32_t nearCount;
} packing;

typedef struct prototype {
    wkVec3d center;
    double clearance;
    wkVec3d away; // from what is nearest; of unit length
} prototype;

// Collects the spheres within `reach` of a point.
static void findNear(packing* p, wkVec3d point, double reach)
{
    p->nearCount = 0;
    for (int32_t i = 0; i < p->count; ++i) {
        double limit = reach + (double)p->spheres[i].radius;
        if (wkLengthSquared(wkSub(point, wkCenterOfSphere(&p->spheres[i]))) < limit * limit) {
            p->near[p->nearCount++] = i;
        }
    }
}

static prototype evaluate(const packing* p, wkVec3d center)
{
    wkClosestOnSurface closest = wkFitSurface_QuickClosest(p->job->surface, center);
    prototype found = {center, -closest.distance, wkNeg(closest.normal)};
    for (int32_t i = 0; i < p->nearCount; ++i) {
        const wkSphereF* sphere = &p->spheres[p->near[i]];
        wkVec3d way = wkSub(center, wkCenterOfSphere(sphere));
        double length = wkLength(way), gap = length - (double)sphere->radius;
        if (gap < found.clearance && length > 0.0) {
            found.clearance = gap;
            found.away = wkScale(1.0 / length, way);
        }
    }
    return found;
}

// Moves a prototype to a local maximum of the clearance. A step away from the nearest obstacle that meets another one
// adds the way from that: in a few attempts the sum leads away from all obstacles that are about as near.
static prototype climb(const packing* p, prototype start, double cell)
{
    prototype best = start;
    wkVec3d way = start.away;
    double step = FIRST_STEP * cell;
    for (int i = 0; i < MOST_STEPS && step > LAST_STEP * cell; ++i) {
        wkVec3d unit = wkNormalizeOr(way, best.away);
        prototype next = evaluate(p, wkMulAdd(best.center, step, unit));
        bool isNear = wkLength(wkSub(next.center, start.center)) <= MOST_WAY * cell;
        if (next.clearance > best.clearance && isNear) {
            best = next;
            way = wkMulAdd(next.away, 0.5, unit);
        } else {
            step *= STEP_SHARE;
            way = wkAdd(unit, next.away);
        }
    }
    return best;
}

// The largest sphere about a centre that is proven to be inside and to overlap no other.
static wkSphereF prove(const packing* p, wkVec3d center)
{
    wkSphereF sphere = wkSphereAbout(center);
    wkVec3d stored = wkCenterOfSphere(&sphere);
    double radius = -wkFitSurface_Closest(p->job->surface, stored).distance;
    for (int32_t i = 0; i < p->count; ++i) {
        double distance = wkLength(wkSub(stored, wkCenterOfSphere(&p->spheres[i])));
        double gap = distance * (1.0 - DISTANCE_SLACK) - (double)p->spheres[i].radius;
        radius = wkMinD(radius, gap);
    }
    radius -= DISTANCE_SLACK * fabs(radius);
    sphere.radius = radius > 0.0 ? wkRoundDown(radius) : 0.0f;
    return sphere;
}

// Places spheres until the capacity is used or the grid has no clearance of `least` any more.
static bool placeAll(packing* p, wkPackingGrid* grid, double least)
{
    const wkPackingJob* job = p->job;
    while (p->count < job->capacity) {
        int32_t brick;
        wkVec3d seed;
        double clearance = (double)wkPackingGrid_Largest(grid, &brick, &seed);
        if (!(clearance >= least)) {
            return true;
        }
        findNear(p, seed, clearance + 2.0 * MOST_WAY * grid->cell);
        prototype top = climb(p, evaluate(p, seed), grid->cell);
        wkSphereF sphere = prove(p, top.center);
        // a sphere that is much smaller than its seed promised does not change the grid
        if (sphere.radius > 0.0f && (double)sphere.radius >= wkMaxD(job->minRadius, 0.5 * least)) {
            p->spheres[p->count++] = sphere;
            wkPackingGrid_Place(grid, &sphere);
        } else {
            wkPackingGrid_Drop(grid, brick);
        }
        if (!wkProgressMeter_Add(job->meter, 1)) {
            return false;
        }
    }
    return true;
}

static wkResult packGrids(packing* p)
{
    const wkPackingJob* job = p->job;
    wkVec3d size = wkSub(job->surface->bounds.upper, job->surface->bounds.lower);
    double cell = (wkMaxAbs(size) + 2.0 * job->surface->slack) / FIRST_CELLS, largest = INFINITY;
    while (p->count < job->capacity && cell > 0.0) {
        wkPackingGrid grid;
        bool isTooFine;
        wkResult result =
            wkPackingGrid_Create(job, cell, largest, p->spheres, p->count, &grid, &isTooFine);
        if (result != wk_ok || isTooFine) {
            return result;
        }
        double least = wkMaxD(LEAST_CELLS * cell, job->minRadius - HALF_DIAGONAL * cell);
        bool goesOn = placeAll(p, &grid, least);
        wkPackingGrid_Destroy(&grid);
        if (!goesOn) {
            return wkFail(wk_errorCancelled, "sphere tree: cancelled");
        }
        largest = least + HALF_DIAGONAL * cell;
        if (largest <= job->minRadius) {
            return wk_ok;
        }
        cell *= 0.5;
    }
    return wk_ok;
}

wkResult wkPackSpheres(const wkPackingJob* job, wkSphereF* spheres, int32_t* count)
{
    size_t nearBytes = ((size_t)job->capacity + 1) * sizeof(int32_t);
    packing p = {.job = job, .spheres = spheres, .near = wkAlloc(nearBytes)};
    *count = 0;
    if (p.near == NULL) {
        return wkFail(wk_errorMemory, "sphere tree: out of memory");
    }
    wkResult result = job->surface->pieceCount > 0 ? packGrids(&p) : wk_ok;
    wkFree(p.near, nearBytes);
    *count = p.count;
    return result;
}
