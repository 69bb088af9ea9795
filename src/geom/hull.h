// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Memory layout of a hull: one block that starts with this header; the arrays follow at byte offsets,
// so the block can be saved, mapped or uploaded as it is.

#include "math/vec.h"
#include "whisker/hull.h"

// Coordinates are padded to this many with copies of vertex 0, so that lanes need no remainder loop.
#define WK_HULL_LANES 8

// Above this many vertices support climbs over the edges, from the last answer; below, it looks at all.
#define WK_HULL_CLIMB_COUNT 64

// Where climbing starts without a better hint: the support vertex of each cell of a cube of directions
// whose faces are cut into this many cells each way.
#define WK_HULL_SEED_CELLS 8
#define WK_HULL_SEED_COUNT (6 * WK_HULL_SEED_CELLS * WK_HULL_SEED_CELLS)

struct wkHull {
    uint32_t byteCount;
    int32_t vertexCount;
    int32_t paddedCount; // vertexCount rounded up to WK_HULL_LANES
    int32_t faceCount;
    uint32_t xOffset; // double[paddedCount], y and z likewise: structure of arrays
    uint32_t yOffset;
    uint32_t zOffset;
    uint32_t planeOffset;     // wkHullPlane[faceCount]
    uint32_t faceStartOffset; // int32_t[faceCount + 1], into the corner array
    uint32_t cornerOffset;    // int32_t[faceStart[faceCount]]
    uint32_t linkStartOffset; // int32_t[vertexCount + 1], into the link array
    uint32_t
        linkOffset; // int32_t[linkStart[vertexCount]], neighbours of each vertex over its edges
    uint32_t seedOffset; // int32_t[WK_HULL_SEED_COUNT] when support climbs; 0: it does not
    wkVec3d ballCenter;  // a ball around all vertices
    double ballRadius;
    wkMass mass;
    double area; // of the surface, both sides of a flat hull
    double
        meanWidthIntegral; // half the sum over edges of length times exterior angle (Steiner's formula)
};

typedef struct wkHullPlane {
    wkVec3d normal;
    double offset;
} wkHullPlane;

WK_FN const double* wkHullX(const wkHull* hull)
{
    return (const double*)((const char*)hull + hull->xOffset);
}

WK_FN const double* wkHullY(const wkHull* hull)
{
    return (const double*)((const char*)hull + hull->yOffset);
}

WK_FN const double* wkHullZ(const wkHull* hull)
{
    return (const double*)((const char*)hull + hull->zOffset);
}

WK_FN wkVec3d wkHullVertex(const wkHull* hull, int32_t index)
{
    return wkVec(wkHullX(hull)[index], wkHullY(hull)[index], wkHullZ(hull)[index]);
}

WK_FN const wkHullPlane* wkHullPlanes(const wkHull* hull)
{
    return (const wkHullPlane*)((const char*)hull + hull->planeOffset);
}

WK_FN const int32_t* wkHullFaceStarts(const wkHull* hull)
{
    return (const int32_t*)((const char*)hull + hull->faceStartOffset);
}

WK_FN const int32_t* wkHullCorners(const wkHull* hull)
{
    return (const int32_t*)((const char*)hull + hull->cornerOffset);
}

WK_FN const int32_t* wkHullLinkStarts(const wkHull* hull)
{
    return (const int32_t*)((const char*)hull + hull->linkStartOffset);
}

WK_FN const int32_t* wkHullLinks(const wkHull* hull)
{
    return (const int32_t*)((const char*)hull + hull->linkOffset);
}

// Cell of a direction, 0 .. WK_HULL_SEED_COUNT - 1; 0 for NaN.
WK_FN int32_t wkHullSeedCell(wkVec3d direction)
{
    double x = fabs(direction.x), y = fabs(direction.y), z = fabs(direction.z);
    double major = direction.z, u = direction.x, v = direction.y, largest = z;
    int32_t side = 4;
    if (x > y && x > z) {
        side = 0, major = direction.x, u = direction.y, v = direction.z, largest = x;
    } else if (y > z) {
        side = 2, major = direction.y, u = direction.z, v = direction.x, largest = y;
    }
    double scale = 0.5 * WK_HULL_SEED_CELLS / largest;
    double column = wkClamp(u * scale + 0.5 * WK_HULL_SEED_CELLS, 0.0, WK_HULL_SEED_CELLS - 1);
    double row = wkClamp(v * scale + 0.5 * WK_HULL_SEED_CELLS, 0.0, WK_HULL_SEED_CELLS - 1);
    side += major < 0.0;
    bool isSound = column >= 0.0 && row >= 0.0;
    return isSound
               ? (side * WK_HULL_SEED_CELLS + (int32_t)row) * WK_HULL_SEED_CELLS + (int32_t)column
               : 0;
}

// Index of the vertex furthest along `direction`; ties go to the lowest index when all are looked at.
// `hint` is where climbing starts: any vertex, best the last answer.
int32_t wkHullSupport(const wkHull* hull, wkVec3d direction, int32_t hint);
