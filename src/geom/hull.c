// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Queries on a hull: its features, and the vertex furthest along a direction.
//
// Small hulls are scanned, several vertices at a time. On large hulls the search climbs from vertex to
// neighbour. A vertex whose neighbours are all lower is the highest of a convex polytope. Where neighbours
// are level with it up to rounding, the search visits the whole level part, so that rounding cannot stop it
// early.

#include "geom/hull_impl.h"

#include "base/isa_table.h"
#include "base/memory.h"
#include "geom/hull_scan.h"
#include "geom/hull_seed.h"

#include <float.h>

// Largest number of vertices in a level part; beyond it a scan of the whole hull is faster.
#define LEVEL_CAPACITY 48

// Heights closer than this share of the largest computed height are level: several times the rounding error
// of three products and two sums.
#define LEVEL_SLACK (16.0 * DBL_EPSILON)

wkHullInfo wkHull_Info(const wkHull* hull)
{
    wkHullInfo info = {0};
    if (hull != NULL) {
        info.vertexCount = hull->vertexCount;
        info.faceCount = hull->faceCount;
        info.byteCount = hull->byteCount;
    }
    return info;
}

wkVec3d wkHull_Vertex(const wkHull* hull, int32_t index)
{
    return wkHullVertex(hull, index);
}

wkHullFace wkHull_Face(const wkHull* hull, int32_t index)
{
    wkHullPlane plane = wkHullPlanes(hull)[index];
    const int32_t* starts = wkHullFaceStarts(hull);
    wkHullFace face = {plane.normal, plane.offset, wkHullVertices(hull) + starts[index],
                       starts[index + 1] - starts[index]};
    return face;
}

void wkHull_Destroy(wkHull* hull)
{
    if (hull != NULL) {
        wkFree(hull, hull->byteCount);
    }
}

WK_DEFINE_LANES(const wkHullLanes, wkHullLanes)

static int32_t scanAll(const wkHull* hull, wkVec3d direction)
{
    return wkHullLanesOfMachine()->scan(wkHullX(hull), wkHullY(hull), wkHullZ(hull),
                                        hull->paddedCount, direction);
}

static bool contains(const int32_t* indices, int count, int32_t index)
{
    for (int i = 0; i < count; ++i) {
        if (indices[i] == index) {
            return true;
        }
    }
    return false;
}

// Visits all vertices connected with `top` within `slack` of its height. Returns the highest, or -1 when
// there are too many.
static int32_t searchLevel(const wkHull* hull, wkVec3d direction, int32_t top, double height,
                           double slack)
{
    const int32_t* starts = wkHullLinkStarts(hull);
    const int32_t* links = wkHullLinks(hull);
    int32_t level[LEVEL_CAPACITY] = {top};
    int count = 1;
    for (int i = 0; i < count; ++i) {
        for (int32_t k = starts[level[i]]; k < starts[level[i] + 1]; ++k) {
            double other = wkDot(wkHullVertex(hull, links[k]), direction);
            if (other < height - slack || contains(level, count, links[k])) {
                continue;
            }
            if (count == LEVEL_CAPACITY) {
                return -1;
            }
            level[count++] = links[k];
            if (other > height || (other == height && links[k] < top)) {
                height = other;
                top = links[k];
            }
        }
    }
    return top;
}

// Returns the highest neighbour of `from`. Without branches, which would be unpredictable.
static int32_t highestNeighbour(const wkHull* hull, wkVec3d direction, int32_t from, double* height)
{
    const int32_t* starts = wkHullLinkStarts(hull);
    const int32_t* links = wkHullLinks(hull);
    int32_t best = from;
    double bestHeight = -INFINITY;
    for (int32_t k = starts[from]; k < starts[from + 1]; ++k) {
        double other = wkDot(wkHullVertex(hull, links[k]), direction);
        best = other > bestHeight ? links[k] : best;
        bestHeight = wkMaxD(bestHeight, other);
    }
    *height = bestHeight;
    return best;
}

static int32_t climb(const wkHull* hull, wkVec3d direction, int32_t hint)
{
    int32_t top = hint;
    double height = wkDot(wkHullVertex(hull, top), direction), next;
    int32_t neighbour = highestNeighbour(hull, direction, top, &next);
    if (next > height) {
        // the hint was not the answer; a seed is never far from it
        const int32_t* seeds = (const int32_t*)((const char*)hull + hull->seedOffset);
        int32_t seed = seeds[wkHullSeedCell(direction)];
        double seedHeight = wkDot(wkHullVertex(hull, seed), direction);
        if (seedHeight > next) {
            neighbour = seed;
            next = seedHeight;
        }
    }

    // each step goes strictly up, so the loop ends
    while (next > height) {
        top = neighbour;
        height = next;
        neighbour = highestNeighbour(hull, direction, top, &next);
    }

    double slack = LEVEL_SLACK * (wkMaxAbs(hull->sphereCenter) + hull->sphereRadius) *
                   (fabs(direction.x) + fabs(direction.y) + fabs(direction.z));
    if (WK_LIKELY(next < height - slack)) {
        return top;
    }
    int32_t highest = searchLevel(hull, direction, top, height, slack);
    return highest >= 0 ? highest : scanAll(hull, direction);
}

int32_t wkHullSearch(const wkHull* hull, wkVec3d direction, int32_t hint)
{
    if (hull->seedOffset == 0) {
        return scanAll(hull, direction);
    }

    // an invalid hint, such as one cached for another hull, must not fail
    return climb(hull, direction, (uint32_t)hint < (uint32_t)hull->vertexCount ? hint : 0);
}

wkHullWayOut wkHullFindWayOut(const wkHull* hull, wkVec3d point, double* depths)
{
    return wkHullLanesOfMachine()->findWayOut(hull, point, depths);
}
