// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Memory layout of a hull: one block that starts with this header; the arrays follow at byte
// offsets, so the block can be saved, mapped or uploaded as it is.

#include "geom/hull_cells.h"
#include "math/frame.h"
#include "whisker/hull.h"

// Coordinates are padded to a multiple of this with copies of vertex 0, so that SIMD kernels need no
// remainder loop.
#define WK_HULL_LANES 8

// From this many vertices on, support climbs over the edges; below, it scans all vertices. Measured cold and
// warm: climbing 55 and 12 ns, scanning 64 vertices 37 ns with AVX2 and 65 with SSE2.
#define WK_HULL_CLIMB_COUNT 64

// Hulls of this size keep cells of directions (hull_cells.h): scanning fewer vertices is as fast without, and
// with more vertices the lists are long. Measured with 50: 22 ns, scanning all 34.
#define WK_HULL_CELLS_FROM 17
#define WK_HULL_CELLS_TO 128

struct wkHull {
    uint32_t byteCount;
    int32_t vertexCount;
    int32_t paddedCount; // vertexCount rounded up to WK_HULL_LANES
    int32_t faceCount;
    int32_t paddedFaceCount; // faceCount rounded up to WK_HULL_LANES
    int32_t edgeCount;
    uint32_t xOffset; // double[paddedCount], the same for y and z: structure of arrays
    uint32_t yOffset;
    uint32_t zOffset;
    uint32_t planeOffset;     // wkHullPlane[faceCount]
    uint32_t faceLaneOffset;  // double[4][paddedFaceCount]: the planes as structure of arrays
    uint32_t edgeOffset;      // wkHullEdge[edgeCount]
    uint32_t faceStartOffset; // int32_t[faceCount + 1], into the vertex array
    uint32_t vertexOffset;    // int32_t[faceStart[faceCount]]
    uint32_t linkStartOffset; // int32_t[vertexCount + 1], into the link array
    uint32_t linkOffset;      // int32_t[linkStart[vertexCount]], neighbours over the edges
    uint32_t seedOffset;      // int32_t[WK_HULL_SEED_COUNT], see hull_seed.h; 0: none, scan
    uint32_t cellOffset;      // uint32_t[WK_HULL_CELL_COUNT], see hull_cells.h; 0: none
    wkVec3d sphereCenter;     // a sphere around all vertices
    double sphereRadius;
    double innerRadius; // radius of a concentric sphere inside the hull; 0: flat
    double edgeCosine; // cosine of half the largest angle between the normals of two adjacent faces
    wkMass mass;

    // for Steiner's formula; both sides of a flat hull count, edges count half their length times exterior
    // angle
    double area;
    double meanWidthIntegral;
};

typedef struct wkHullPlane {
    wkVec3d normal;
    double offset;
} wkHullPlane;

// Two vertices and the faces on both sides.
typedef struct wkHullEdge {
    int32_t vertices[2];
    int32_t faces[2];
} wkHullEdge;

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

WK_FN const double* wkHullFaceLanes(const wkHull* hull)
{
    return (const double*)((const char*)hull + hull->faceLaneOffset);
}

WK_FN const wkHullEdge* wkHullEdgesOf(const wkHull* hull)
{
    return (const wkHullEdge*)((const char*)hull + hull->edgeOffset);
}

WK_FN const int32_t* wkHullFaceStarts(const wkHull* hull)
{
    return (const int32_t*)((const char*)hull + hull->faceStartOffset);
}

WK_FN const int32_t* wkHullVertices(const wkHull* hull)
{
    return (const int32_t*)((const char*)hull + hull->vertexOffset);
}

WK_FN const int32_t* wkHullLinkStarts(const wkHull* hull)
{
    return (const int32_t*)((const char*)hull + hull->linkStartOffset);
}

WK_FN const int32_t* wkHullLinks(const wkHull* hull)
{
    return (const int32_t*)((const char*)hull + hull->linkOffset);
}

// Same as wkHullSupport, for hulls without cells and for directions in crowded cells.
int32_t wkHullSearch(const wkHull* hull, wkVec3d direction, int32_t hint);

// Returns the index of the vertex furthest along `direction`; ties go to the lowest index except when
// climbing. `hint` is the vertex where climbing starts: any vertex, best the last result.
WK_FN int32_t wkHullSupport(const wkHull* hull, wkVec3d direction, int32_t hint)
{
    if (hull->cellOffset == 0) {
        return wkHullSearch(hull, direction, hint);
    }
    const uint32_t* cells = (const uint32_t*)((const char*)hull + hull->cellOffset);
    uint32_t cell = cells[wkHullCell(direction)];
    if (WK_UNLIKELY(cell == WK_HULL_CELL_CROWDED)) {
        return wkHullSearch(hull, direction, hint);
    }
    int32_t vertex0 = (int32_t)(cell & 255), vertex1 = (int32_t)(cell >> 8 & 255);
    int32_t vertex2 = (int32_t)(cell >> 16 & 255), vertex3 = (int32_t)(cell >> 24);
    double height0 = wkDot(wkHullVertex(hull, vertex0), direction);
    double height1 = wkDot(wkHullVertex(hull, vertex1), direction);
    double height2 = wkDot(wkHullVertex(hull, vertex2), direction);
    double height3 = wkDot(wkHullVertex(hull, vertex3), direction);
    int32_t best01 = height1 > height0 ? vertex1 : vertex0;
    int32_t best23 = height3 > height2 ? vertex3 : vertex2;
    return wkMaxD(height2, height3) > wkMaxD(height0, height1) ? best23 : best01;
}

// The face through which a point, or a body around it, has the shortest way out; ties go to the lowest index.
typedef struct wkHullWayOut {
    int32_t face;
    double depth; // negative outside
} wkHullWayOut;

// Scans all faces. `depths` receives the way out through each face and has capacity for paddedFaceCount
// numbers, or is NULL.
wkHullWayOut wkHullFindWayOut(const wkHull* hull, wkVec3d point, double* depths);
