// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Marks occupied cells in a grid with an empty border. Then, for each of the six sides of each row, every run
// of faces becomes two triangles.

#include "cells_mesh.h"

#include "whisker/detail/library.h"

#include <stdlib.h>

#define KEY_ORIGIN 32768 // key of the cell just above zero
#define MAX_GRID ((size_t)1 << 28)

typedef struct grid {
    int32_t lower[3]; // key of the first cell
    int32_t size[3];  // cells, border included
    size_t stride[3]; // steps in `cells`
    unsigned char* cells;
    double resolution;
} grid;

// A growing mesh.
typedef struct surface {
    wkVec3d* vertices;
    int32_t* triangles;
    int32_t quadCount;
    int32_t quadCapacity;
} surface;

static wkResult outOfMemory(void)
{
    return wkSetLastError(wk_errorMemory, "picture of a map: out of memory");
}

static void keysOf(const wkCell* cell, int32_t first[3], int32_t end[3])
{
    int32_t edge = 1 << (WK_OCTREE_DEPTH - cell->depth);
    const int32_t keys[3] = {cell->key.x, cell->key.y, cell->key.z};
    for (int i = 0; i < 3; i++) {
        first[i] = keys[i];
        end[i] = keys[i] + edge;
    }
}

static wkCellIterator occupiedCells(const wkOctree* map, wkAabb box)
{
    wkCellRequest filter = wkDefaultCellRequest();
    filter.box = box;
    filter.wantsFree = false;
    return wkOctree_Cells(map, &filter);
}

// Computes the size of the grid; false when there are no cells.
static bool measure(const wkOctree* map, wkAabb box, grid* g)
{
    int32_t upper[3] = {0, 0, 0};
    bool isEmpty = true;
    wkCellIterator iterator = occupiedCells(map, box);
    wkCell cell;
    while (wkCellIterator_Next(&iterator, &cell)) {
        int32_t first[3], end[3];
        keysOf(&cell, first, end);
        for (int i = 0; i < 3; i++) {
            g->lower[i] = isEmpty || first[i] - 1 < g->lower[i] ? first[i] - 1 : g->lower[i];
            upper[i] = isEmpty || end[i] + 1 > upper[i] ? end[i] + 1 : upper[i];
        }
        isEmpty = false;
    }
    g->resolution = wkOctree_Def(map).resolution;
    size_t stride = 1;
    for (int i = 0; i < 3; i++) {
        g->size[i] = upper[i] - g->lower[i];
        g->stride[i] = stride;
        stride *= (size_t)g->size[i];
    }
    return !isEmpty;
}

static void mark(const wkOctree* map, wkAabb box, grid* g)
{
    wkCellIterator iterator = occupiedCells(map, box);
    wkCell cell;
    while (wkCellIterator_Next(&iterator, &cell)) {
        int32_t first[3], end[3];
        keysOf(&cell, first, end);
        for (int32_t z = first[2] - g->lower[2]; z < end[2] - g->lower[2]; z++) {
            for (int32_t y = first[1] - g->lower[1]; y < end[1] - g->lower[1]; y++) {
                for (int32_t x = first[0] - g->lower[0]; x < end[0] - g->lower[0]; x++) {
                    g->cells[(size_t)z * g->stride[2] + (size_t)y * g->stride[1] + (size_t)x] = 1;
                }
            }
        }
    }
}

// Adds a rectangle on the side `axis` of a run of cells along `run`.
static bool addFace(const grid* g, surface* s, const int32_t cell[3], int axis, bool isUpper,
                    int run, int32_t length)
{
    if (s->quadCount == s->quadCapacity) {
        int32_t capacity = 2 * s->quadCapacity + 1024;
        wkVec3d* vertices = realloc(s->vertices, 4 * (size_t)capacity * sizeof *vertices);
        if (vertices == NULL) {
            return false;
        }
        s->vertices = vertices;
        int32_t* triangles = realloc(s->triangles, 6 * (size_t)capacity * sizeof *triangles);
        if (triangles == NULL) {
            return false;
        }
        s->triangles = triangles;
        s->quadCapacity = capacity;
    }
    int across = 3 - axis - run;
    for (int i = 0; i < 4; i++) {
        double position[3];
        int32_t steps[3] = {0, 0, 0};
        steps[axis] = isUpper ? 1 : 0;
        steps[run] = i == 1 || i == 2 ? length : 0;
        steps[across] = i >= 2 ? 1 : 0;
        for (int k = 0; k < 3; k++) {
            position[k] = g->resolution * (cell[k] + g->lower[k] + steps[k] - KEY_ORIGIN);
        }
        s->vertices[4 * s->quadCount + i] = (wkVec3d){position[0], position[1], position[2]};
    }
    static const int32_t vertices[6] = {0, 1, 2, 2, 3, 0};
    for (int i = 0; i < 6; i++) {
        s->triangles[6 * s->quadCount + i] = 4 * s->quadCount + vertices[i];
    }
    s->quadCount++;
    return true;
}

// Adds the faces of a row of cells on one side.
static bool addRow(const grid* g, surface* s, int32_t cell[3], int axis, bool isUpper, int run)
{
    size_t start = 0;
    for (int i = 0; i < 3; i++) {
        start += (size_t)cell[i] * g->stride[i];
    }
    const unsigned char* here = g->cells + start;
    const unsigned char* beside = isUpper ? here + g->stride[axis] : here - g->stride[axis];
    size_t step = g->stride[run];
    int32_t first = -1;
    for (int32_t i = 0; i < g->size[run]; i++) {
        bool isFace = here[(size_t)i * step] != 0 && beside[(size_t)i * step] == 0;
        if (isFace && first < 0) {
            first = i;
        } else if (!isFace && first >= 0) {
            cell[run] = first;
            if (!addFace(g, s, cell, axis, isUpper, run, i - first)) {
                return false;
            }
            cell[run] = 0;
            first = -1;
        }
    }
    return true;
}

static bool addFaces(const grid* g, surface* s)
{
    for (int side = 0; side < 6; side++) {
        int axis = side / 2, run = (axis + 1) % 3, across = (axis + 2) % 3;
        for (int32_t i = 1; i + 1 < g->size[axis]; i++) {
            for (int32_t j = 1; j + 1 < g->size[across]; j++) {
                int32_t cell[3] = {0, 0, 0};
                cell[axis] = i;
                cell[across] = j;
                if (!addRow(g, s, cell, axis, side % 2 != 0, run)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static wkResult makeMesh(const surface* s, wkMesh** mesh)
{
    const wkParallel parallel = {.threadCount = 0};
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false;
    def.vertices = s->vertices;
    def.vertexCount = 4 * s->quadCount;
    def.triangles = s->triangles;
    def.triangleCount = 2 * s->quadCount;
    def.parallel = &parallel;
    return wkMesh_Create(&def, mesh);
}

wkResult wkMeshOfCells(const wkOctree* map, wkAabb box, wkMesh** mesh)
{
    grid g = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, NULL, 0.0};
    surface s = {NULL, NULL, 0, 0};
    *mesh = NULL;
    if (!measure(map, box, &g)) {
        return wk_ok;
    }
    size_t count = g.stride[2] * (size_t)g.size[2];
    g.cells = count <= MAX_GRID ? calloc(count, 1) : NULL;
    wkResult result = wk_ok;
    if (g.cells == NULL) {
        return outOfMemory();
    }
    mark(map, box, &g);
    result = addFaces(&g, &s) ? makeMesh(&s, mesh) : outOfMemory();
    free(g.cells);
    free(s.vertices);
    free(s.triangles);
    return result;
}
