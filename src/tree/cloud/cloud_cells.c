// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The occupied cells of an octree as a cloud of their centres.

#include "base/error.h"
#include "base/memory.h"
#include "tree/cloud/cloud_impl.h"
#include "whisker/octree.h"

static wkCellIterator occupiedCells(const wkOctree* octree)
{
    wkCellRequest request = wkDefaultCellRequest();
    request.wantsFree = false;
    return wkOctree_Cells(octree, &request);
}

// Single cells along the edge of a cube.
static int64_t edgeOf(const wkCell* cube)
{
    return (int64_t)1 << (WK_OCTREE_DEPTH - cube->depth);
}

// Number of occupied single cells; more than a cloud can have: some number above that.
static int64_t countCells(const wkOctree* octree)
{
    wkCellIterator cubes = occupiedCells(octree);
    int64_t count = 0;
    for (wkCell cube; count <= WK_TREE_MAX_ITEMS && wkCellIterator_Next(&cubes, &cube);) {
        int64_t edge = edgeOf(&cube);
        count += edge * edge * edge;
    }
    return count;
}

static double* addCenters(const wkCell* cube, double* at)
{
    int64_t edge = edgeOf(cube);
    double size = cube->size / (double)edge, half = 0.5 * (cube->size - size);
    wkVec3d first = {cube->center.x - half, cube->center.y - half, cube->center.z - half};
    for (int64_t i = 0; i < edge * edge * edge; ++i) {
        int64_t column = i % edge, row = i / edge % edge, layer = i / (edge * edge);
        *at++ = first.x + size * (double)column;
        *at++ = first.y + size * (double)row;
        *at++ = first.z + size * (double)layer;
    }
    return at;
}

wkResult wkCloud_FromOctree(const wkOctree* octree, double radius, wkCloud** cloud)
{
    *cloud = NULL;
    if (octree == NULL) {
        return wkFail(wk_errorArgument, "cloud: octree is NULL");
    }
    int64_t count = countCells(octree);
    if (count > WK_TREE_MAX_ITEMS) {
        return wkFail(wk_errorRange, "cloud: the octree has more than %d occupied cells",
                      (int)WK_TREE_MAX_ITEMS);
    }
    size_t byteCount = (size_t)(count + 1) * 3 * sizeof(double);
    double* centers = wkAlloc(byteCount);
    if (centers == NULL) {
        return wkFail(wk_errorMemory, "cloud: no memory for %d cells", (int)count);
    }
    wkCellIterator cubes = occupiedCells(octree);
    double* at = centers;
    for (wkCell cube; wkCellIterator_Next(&cubes, &cube);) {
        at = addCenters(&cube, at);
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = centers;
    def.points.count = count;
    def.points.isDouble = true;
    def.radius = radius;
    def.maxRounding = 1.0;  // radii grow by it
    def.allowsEmpty = true; // as the map is
    wkResult result = wkCloud_Create(&def, cloud);
    wkFree(centers, byteCount);
    return result;
}
