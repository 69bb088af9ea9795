// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The occupied cells of a map as solid cubes: their mass and their triangles.

#include "base/error.h"
#include "geom/triangulate.h"
#include "query/map/map_extent.h"
#include "query/map/map_query.h"

#include <string.h>

// Called for each cell.
typedef void cellFcn(const wkOctree* octree, const wkCube* cube, void* context);

static wkMapView occupiedView(const wkShape* shape)
{
    wkMapView view = wkViewOfMap(shape);
    view.wantsUnknown = false;
    return view;
}

static void forEachCell(const wkMapView* view, cellFcn* fcn, void* context)
{
    wkCube stack[WK_MAP_STACK];
    int count = wkMapRoot(view, &stack[0]) ? 1 : 0;
    while (count > 0) {
        wkCube cube = stack[--count];
        if (cube.link != 0) {
            count += wkOpenCube(view, &cube, &stack[count]);
        } else {
            fcn(view->octree, &cube, context);
        }
    }
}

// First moments, then second moments about the center: so that nothing cancels far from the origin.
typedef struct moments {
    double volume;
    wkVec3d first; // volume times position, later the center
    wkVec3d squares;
    wkVec3d products; // yz, zx, xy
} moments;

static void addFirst(const wkOctree* octree, const wkCube* cube, void* context)
{
    moments* m = (moments*)context;
    double edge = 2.0 * wkCubeHalf(octree, cube), volume = edge * edge * edge;
    m->volume += volume;
    m->first = wkMulAdd(m->first, volume, wkCubeCenter(octree, cube));
}

static void addSecond(const wkOctree* octree, const wkCube* cube, void* context)
{
    moments* m = (moments*)context;
    double edge = 2.0 * wkCubeHalf(octree, cube), volume = edge * edge * edge;
    double own = edge * edge / 12.0; // of a cube about its own center
    wkVec3d d = wkSub(wkCubeCenter(octree, cube), m->first);
    m->squares =
        wkMulAdd(m->squares, volume, wkVec(d.x * d.x + own, d.y * d.y + own, d.z * d.z + own));
    m->products = wkMulAdd(m->products, volume, wkVec(d.y * d.z, d.z * d.x, d.x * d.y));
}

wkMass wkMapMass(const wkShape* shape)
{
    wkMass mass;
    memset(&mass, 0, sizeof mass);
    if (shape->map.unknown != wk_unknownFree) {
        mass.volume = INFINITY;
        return mass;
    }
    wkMapView view = occupiedView(shape);
    moments m;
    memset(&m, 0, sizeof m);
    forEachCell(&view, addFirst, &m);
    if (!(m.volume > 0.0)) {
        return mass;
    }
    m.first = wkScale(1.0 / m.volume, m.first);
    forEachCell(&view, addSecond, &m);
    mass.volume = m.volume;
    mass.centroid = m.first;
    mass.inertia[0][0] = m.squares.y + m.squares.z;
    mass.inertia[1][1] = m.squares.z + m.squares.x;
    mass.inertia[2][2] = m.squares.x + m.squares.y;
    mass.inertia[1][2] = mass.inertia[2][1] = -m.products.x;
    mass.inertia[2][0] = mass.inertia[0][2] = -m.products.y;
    mass.inertia[0][1] = mass.inertia[1][0] = -m.products.z;
    return mass;
}

// Vertices in the order of children, x lowest.
static const int32_t cubeTriangles[12][3] = {
    {0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5},
};

static void countCell(const wkOctree* octree, const wkCube* cube, void* context)
{
    (void)octree, (void)cube;
    ++*(int64_t*)context;
}

// Where the next cube is written.
typedef struct cubeSink {
    const wkTriangulation* out;
    int32_t count;
} cubeSink;

static void drawCell(const wkOctree* octree, const wkCube* cube, void* context)
{
    cubeSink* sink = (cubeSink*)context;
    wkVec3d* vertices = sink->out->vertices + 8 * (size_t)sink->count;
    int32_t* indices = sink->out->indices + 36 * (size_t)sink->count;
    wkVec3d center = wkCubeCenter(octree, cube);
    double half = wkCubeHalf(octree, cube);
    for (unsigned i = 0; i < 8; ++i) {
        vertices[i] = wkAdd(
            center, wkVec(i & 1u ? half : -half, i & 2u ? half : -half, i & 4u ? half : -half));
    }
    for (int t = 0; t < 12; ++t) {
        for (int k = 0; k < 3; ++k) {
            indices[3 * t + k] = 8 * sink->count + cubeTriangles[t][k];
        }
    }
    ++sink->count;
}

wkResult wkMapTriangulate(const wkShape* shape, int segments, double extent, wkTriangulation* out)
{
    (void)segments, (void)extent;
    wkMapView view = occupiedView(shape);
    int64_t cellCount = 0;
    forEachCell(&view, countCell, &cellCount);
    if (cellCount > INT32_MAX / 36) {
        return wkFail(wk_errorRange, "triangulation: %lld cells are too many",
                      (long long)cellCount);
    }
    wkResult result = wkTriangulationReserve(out, 8 * (int32_t)cellCount, 12 * (int32_t)cellCount);
    if (result == wk_ok && out->vertices != NULL) {
        cubeSink sink = {out, 0};
        forEachCell(&view, drawCell, &sink);
    }
    return result;
}
