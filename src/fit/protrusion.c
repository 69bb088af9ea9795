// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bounds how far spheres protrude. The distance from a body is 1-Lipschitz, so the distance at the center of
// a cube bounds it in the whole cube. Cubes are cut into eight where the bound is too loose. Signed distances
// give tighter bounds than unsigned ones, but not where a mesh is not watertight.

#include "fit/prove.h"

#include "math/vec.h"

#define DEEPEST 20
#define MOST_LEVELS 24 // above and below cubes as large as the surface
#define MOST_CUBES 1e9 // cubes from the surface

typedef struct outWalk {
    const wkFitSurface* surface;
    wkOutCache* cache;
    wkSphere3d sphere;
    double tolerance;
    double found;  // a point of a sphere is at least this far outside
    double proven; // no point of this sphere is further outside
    int checks;    // evaluations so far
    int maxChecks;
    int deepest; // level
} outWalk;

static void walkCube(outWalk* walk, wkOutCube cube)
{
    double edge = wkOutCube_Edge(walk->surface, cube.level);
    double around = 0.5 * sqrt(3.0) * edge * (1.0 + 1e-15);
    wkVec3d middle = wkOutCube_Middle(walk->surface, &cube);
    double beyond = wkLength(wkSub(middle, walk->sphere.center)) - walk->sphere.radius;
    if (beyond > around) {
        return;
    }
    double distance = wkOutCache_Distance(walk->cache, &cube);
    walk->checks++;
    double upper = distance + around;
    if (upper > walk->found + walk->tolerance) {
        // the nearest point of the sphere is at least this far from the body
        walk->found = wkMaxD(walk->found, distance - wkPositive(beyond));
    }
    if (upper <= walk->found + walk->tolerance || cube.level == walk->deepest) {
        walk->proven = wkMaxD(walk->proven, upper);
        return;
    }
    for (int i = 0; i < 8; ++i) {
        wkOutCube part = {cube.level + 1, 2 * cube.x + (i & 1), 2 * cube.y + (i >> 1 & 1),
                          2 * cube.z + (i >> 2 & 1)};
        walkCube(walk, part);
    }
}

// Returns the level of the smallest cubes that are as large as the sphere.
static int levelOf(const outWalk* walk)
{
    int level = 0;
    double size = 2.0 * walk->sphere.radius;
    while (level < MOST_LEVELS && wkOutCube_Edge(walk->surface, level + 1) >= size) {
        ++level;
    }
    while (level > -MOST_LEVELS && wkOutCube_Edge(walk->surface, level) < size) {
        --level;
    }
    return level;
}

static int64_t cubeOf(double value, double lower, double edge)
{
    return (int64_t)floor((value - lower) / edge);
}

// Returns false for spheres that are too far from the surface or too large for its cubes.
static bool hasCubes(const outWalk* walk, int level)
{
    double edge = wkOutCube_Edge(walk->surface, level);
    double away = wkMaxAbs(wkSub(walk->sphere.center, walk->surface->bounds.lower));
    return 2.0 * walk->sphere.radius <= edge && away < MOST_CUBES * edge;
}

// Checks all cubes of a level that the sphere reaches: at most eight, and neighbours by rounding.
static void walkSphere(outWalk* walk, int level)
{
    wkVec3d origin = walk->surface->bounds.lower, center = walk->sphere.center;
    double edge = wkOutCube_Edge(walk->surface, level), reach = walk->sphere.radius * (1.0 + 1e-9);
    int64_t low[3] = {cubeOf(center.x - reach, origin.x, edge),
                      cubeOf(center.y - reach, origin.y, edge),
                      cubeOf(center.z - reach, origin.z, edge)};
    int64_t high[3] = {cubeOf(center.x + reach, origin.x, edge),
                       cubeOf(center.y + reach, origin.y, edge),
                       cubeOf(center.z + reach, origin.z, edge)};
    for (int64_t x = low[0]; x <= high[0]; ++x) {
        for (int64_t y = low[1]; y <= high[1]; ++y) {
            for (int64_t z = low[2]; z <= high[2]; ++z) {
                walkCube(walk, (wkOutCube){level, x, y, z});
            }
        }
    }
}

// Deepens by one level at a time, so that all parts of a sphere are equally fine when the checks run out.
static double outOfSphere(outWalk* walk)
{
    double least = wkFitSurface_Distance(walk->surface, walk->sphere.center) + walk->sphere.radius;
    int level = levelOf(walk);
    walk->checks = hasCubes(walk, level) ? 0 : walk->maxChecks;
    for (int cuts = 1; cuts <= DEEPEST && walk->checks < walk->maxChecks; ++cuts) {
        if (least <= walk->found + walk->tolerance) {
            break;
        }
        walk->proven = 0.0;
        walk->deepest = level + cuts;
        walkSphere(walk, level);
        least = wkMinD(least, walk->proven);
    }
    return least;
}

double wkMeasureProtrusion(wkOutCache* cache, const wkSphere3d* spheres, int32_t count,
                           const wkOutMeasure* how)
{
    outWalk walk = {.surface = cache->surface, .cache = cache, .tolerance = how->tolerance};
    walk.maxChecks = how->maxChecks;
    walk.found = wkPositive(how->enough - how->tolerance);
    double proven = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        walk.sphere = spheres[i];
        proven = wkMaxD(proven, outOfSphere(&walk));
    }
    return proven;
}
