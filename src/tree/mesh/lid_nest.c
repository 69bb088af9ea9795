// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Crossings of a ray along z with the facets of one cell of a grid.

#include "tree/mesh/lid_nest.h"

#include "base/memory.h"
#include "tree/mesh/crossing.h"

#include <stdlib.h>
#include <string.h>

// Cells that a facet overlaps, on average. Where there are more, the grid is coarser.
#define MOST_CELLS 8

// Rounding of heights, relative to the coordinates and to the length of the axis.
#define GAP_ROUNDING 1e-14

static int32_t cellOf(const wkNest* n, int axis, double value)
{
    double at = (value - n->lower[axis]) * n->scale[axis];
    return at >= n->size ? n->size - 1 : at > 0.0 ? (int32_t)at : 0;
}

// First and last cell of a facet along x and y.
static void cellsOf(const wkNest* n, const wkFacet* facet, int32_t range[2][2])
{
    wkVec3d a = n->vertices[facet->faceVertices[0]], b = n->vertices[facet->faceVertices[1]];
    wkVec3d c = n->vertices[facet->faceVertices[2]];
    wkVec3d lower = wkMin(wkMin(a, b), c), upper = wkMax(wkMax(a, b), c);
    range[0][0] = cellOf(n, 0, lower.x);
    range[0][1] = cellOf(n, 0, upper.x);
    range[1][0] = cellOf(n, 1, lower.y);
    range[1][1] = cellOf(n, 1, upper.y);
}

// Fits the grid to the bounds of the facets.
// @return number of facets
static int32_t placeGrid(const wkFacets* f, const bool* isPart, wkNest* n, double extent[2])
{
    wkVec3d lower = wkVec(INFINITY, INFINITY, INFINITY), upper = wkNeg(lower);
    int32_t count = 0;
    for (int32_t i = 0; i < f->count; ++i) {
        for (int k = 0; k < 3 && isPart[i]; ++k) {
            lower = wkMin(lower, n->vertices[f->facets[i].faceVertices[k]]);
            upper = wkMax(upper, n->vertices[f->facets[i].faceVertices[k]]);
        }
        count += isPart[i];
    }
    n->lower[0] = lower.x;
    n->lower[1] = lower.y;
    extent[0] = upper.x - lower.x;
    extent[1] = upper.y - lower.y;
    return count;
}

static void setSize(wkNest* n, int32_t size, const double extent[2])
{
    n->size = size;
    for (int axis = 0; axis < 2; ++axis) {
        n->scale[axis] = extent[axis] > 0.0 ? size / extent[axis] : 0.0;
    }
}

static int64_t countItems(const wkFacets* f, const bool* isPart, const wkNest* n)
{
    int64_t count = 0;
    for (int32_t i = 0; i < f->count; ++i) {
        if (isPart[i]) {
            int32_t range[2][2];
            cellsOf(n, &f->facets[i], range);
            count += (int64_t)(range[0][1] - range[0][0] + 1) * (range[1][1] - range[1][0] + 1);
        }
    }
    return count;
}

// Counts the items of each cell one slot ahead, or writes them to the next slot of the cell.
static void visitCells(const wkFacets* f, const bool* isPart, wkNest* n, bool puts)
{
    for (int32_t i = 0; i < f->count; ++i) {
        int32_t range[2][2] = {{0, -1}, {0, -1}};
        if (isPart[i]) {
            cellsOf(n, &f->facets[i], range);
        }
        for (int32_t y = range[1][0]; y <= range[1][1]; ++y) {
            for (int32_t x = range[0][0]; x <= range[0][1]; ++x) {
                int32_t* start = &n->starts[y * n->size + x + 1];
                if (puts) {
                    n->items[*start] = i;
                }
                *start += 1;
            }
        }
    }
}

// Restores the starts, because visiting the cells moved each to its end.
static void sumStarts(wkNest* n)
{
    int32_t cellCount = n->size * n->size, sum = 0;
    for (int32_t i = 1; i <= cellCount; ++i) {
        int32_t count = n->starts[i];
        n->starts[i] = sum;
        sum += count;
    }
}

bool wkMakeNest(const wkVec3d* vertices, const wkFacets* f, const bool* isPart, wkNest* n)
{
    double extent[2];
    *n = (wkNest){.vertices = vertices, .facets = f->facets};
    int32_t count = placeGrid(f, isPart, n, extent), size = 1;
    while (size < 1024 && (int64_t)size * size < count) {
        size *= 2;
    }
    setSize(n, size, extent);
    int64_t itemCount = countItems(f, isPart, n);
    while (size > 1 && itemCount > (int64_t)MOST_CELLS * count) {
        setSize(n, size /= 2, extent);
        itemCount = countItems(f, isPart, n);
    }
    size_t startCount = (size_t)size * (size_t)size + 1;
    n->byteCount = (startCount + (size_t)itemCount) * sizeof(int32_t);
    n->starts = wkAlloc(n->byteCount);
    if (n->starts == NULL) {
        return false;
    }
    n->items = n->starts + startCount;
    memset(n->starts, 0, startCount * sizeof(int32_t));
    visitCells(f, isPart, n, false);
    sumStarts(n);
    visitCells(f, isPart, n, true);
    return true;
}

void wkFreeNest(wkNest* n)
{
    wkFree(n->starts, n->byteCount);
    n->starts = NULL;
}

bool wkFindNestWinding(const wkNest* n, wkVec3d point, int32_t* found)
{
    wkColumn column = {
        .point = {point.x, point.y, point.z}, .u = 0, .v = 1, .w = 2, .isUpward = true};
    int32_t cell = cellOf(n, 1, point.y) * n->size + cellOf(n, 0, point.x), winding = 0;
    bool isClear = true;
    for (int32_t i = n->starts[cell]; i < n->starts[cell + 1] && isClear; ++i) {
        const wkFacet* facet = &n->facets[n->items[i]];
        wkCrossings sum = {0, false, false};
        wkCrossTriangle(&column, &n->vertices[facet->faceVertices[0]].x,
                        &n->vertices[facet->faceVertices[1]].x,
                        &n->vertices[facet->faceVertices[2]].x, &sum);
        winding += facet->net * sum.winding;
        isClear = !sum.isOnSurface && !sum.isDoubtful;
    }
    *found = winding;
    return isClear;
}

int32_t wkNestWinding(const wkNest* n, wkVec3d point)
{
    int32_t winding;
    return wkFindNestWinding(n, point, &winding) ? winding : 0;
}

// Whether two triangles have a gap between them along an axis that exceeds rounding.
static bool areApartAlong(const wkVec3d a[3], const wkVec3d b[3], wkVec3d axis, double reach)
{
    double lower[2] = {INFINITY, INFINITY}, upper[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < 3; ++k) {
        double heights[2] = {wkDot(axis, a[k]), wkDot(axis, b[k])};
        for (int side = 0; side < 2; ++side) {
            lower[side] = wkMinD(lower[side], heights[side]);
            upper[side] = wkMaxD(upper[side], heights[side]);
        }
    }
    double slack = GAP_ROUNDING * reach * wkLength(axis);
    return lower[0] > upper[1] + slack || lower[1] > upper[0] + slack;
}

// Whether an axis separates two triangles: their normals, those of their edges in their planes, and the cross
// products of edges.
static bool areApart(const wkVec3d a[3], const wkVec3d b[3])
{
    double reach = 0.0;
    wkVec3d edges[2][3];
    for (int k = 0; k < 3; ++k) {
        edges[0][k] = wkSub(a[(k + 1) % 3], a[k]);
        edges[1][k] = wkSub(b[(k + 1) % 3], b[k]);
        reach = wkMaxD(reach, wkMaxD(wkMaxAbs(a[k]), wkMaxAbs(b[k])));
    }
    const wkVec3d normals[2] = {wkCross(edges[0][0], edges[0][1]),
                                wkCross(edges[1][0], edges[1][1])};
    bool isApart = areApartAlong(a, b, normals[0], reach) || areApartAlong(a, b, normals[1], reach);
    for (int i = 0; i < 3 && !isApart; ++i) {
        isApart = areApartAlong(a, b, wkCross(normals[0], edges[0][i]), reach) ||
                  areApartAlong(a, b, wkCross(normals[1], edges[1][i]), reach);
        for (int k = 0; k < 3 && !isApart; ++k) {
            isApart = areApartAlong(a, b, wkCross(edges[0][i], edges[1][k]), reach);
        }
    }
    return isApart;
}

static void verticesOf(const wkNest* n, const wkFacet* facet, wkVec3d points[3])
{
    for (int k = 0; k < 3; ++k) {
        points[k] = n->vertices[facet->faceVertices[k]];
    }
}

bool wkMayMeetNest(const wkNest* n, const wkFacet* facet)
{
    int32_t range[2][2];
    wkVec3d a[3], b[3];
    cellsOf(n, facet, range);
    verticesOf(n, facet, a);
    for (int32_t y = range[1][0]; y <= range[1][1]; ++y) {
        for (int32_t x = range[0][0]; x <= range[0][1]; ++x) {
            int32_t cell = y * n->size + x;
            for (int32_t i = n->starts[cell]; i < n->starts[cell + 1]; ++i) {
                verticesOf(n, &n->facets[n->items[i]], b);
                if (!areApart(a, b)) {
                    return true;
                }
            }
        }
    }
    return false;
}
