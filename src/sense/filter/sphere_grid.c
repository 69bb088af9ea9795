// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Coarse cells find the spheres that reach them, by slabs and rows of cells. A cell that a sphere holds is inside.
// Otherwise the spheres that reach it become its list, its small cells are decided by this list, and those that no
// sphere decides refer to it.

#include "sense/filter/sphere_grid.h"

#include "base/block.h"
#include "math/round.h"

#include <stdbool.h>

#define CELLS WK_SPHERE_CELLS
#define COARSE WK_SPHERE_COARSE
#define SHARED WK_SPHERE_SHARED

// List of all spheres, for coarse cells whose own list does not fit.
#define WHOLE_LIST (WK_SPHERE_LISTS - 1)

// Most groups in lists of coarse cells, 1.25 MB.
#define MAX_GROUPS 4096

// Share of a cell by which rounding can move a point into the next one.
#define CELL_ROUNDING 1e-4

// A grid around a single point has a size.
#define LEAST_SLACK 1e-30

static int32_t groupsOf(int32_t sphereCount)
{
    return (sphereCount + WK_SPHERE_GROUP - 1) / WK_SPHERE_GROUP;
}

static int32_t groupCapacityOf(int32_t sphereCount)
{
    int64_t all = (int64_t)groupsOf(sphereCount) * (WK_SPHERE_LISTS - 1);
    return groupsOf(sphereCount) + (int32_t)(all < MAX_GROUPS ? all : MAX_GROUPS);
}

wkSphereGridOffsets wkReserveSphereGrid(int32_t sphereCount, uint64_t* byteCount)
{
    uint64_t count = (uint64_t)sphereCount;
    wkSphereGridOffsets offsets;
    offsets.spheres = wkReserve(byteCount, count * sizeof(wkSphere3d));
    offsets.candidates = wkReserve(byteCount, 3 * count * sizeof(int32_t));
    offsets.cells = wkReserve(byteCount, CELLS * CELLS * CELLS * sizeof(int32_t));
    offsets.lists = wkReserve(byteCount, WK_SPHERE_LISTS * sizeof(wkSphereList));
    offsets.groups =
        wkReserve(byteCount, (uint64_t)groupCapacityOf(sphereCount) * sizeof(wkSphereGroup));
    return offsets;
}

void wkPlaceSphereGrid(char* memory, wkSphereGridOffsets offsets, int32_t sphereCount,
                       wkSphereGrid* grid)
{
    grid->spheres = (wkSphere3d*)(memory + offsets.spheres);
    grid->count = sphereCount;
    grid->candidates = (int32_t*)(memory + offsets.candidates);
    grid->cells = (int32_t*)(memory + offsets.cells);
    grid->lists = (wkSphereList*)(memory + offsets.lists);
    grid->groups = (wkSphereGroup*)(memory + offsets.groups);
    grid->groupCapacity = groupCapacityOf(sphereCount);
}

static void placeGrid(wkSphereGrid* grid, wkSphereTest* test)
{
    wkVec3d lower = wkVec(INFINITY, INFINITY, INFINITY), upper = wkNeg(lower);
    for (int32_t i = 0; i < grid->count; ++i) {
        wkVec3d center = grid->spheres[i].center;
        double radius = grid->spheres[i].radius;
        lower = wkMin(lower, wkSub(center, wkVec(radius, radius, radius)));
        upper = wkMax(upper, wkAdd(center, wkVec(radius, radius, radius)));
    }
    grid->slack =
        wkMaxD(wkMaxD(wkMaxAbs(lower), wkMaxAbs(upper)) * WK_FILTER_ROUNDING, LEAST_SLACK);
    double size[3];
    for (int axis = 0; axis < 3; ++axis) {
        test->lower[axis] = wkRoundDown(wkAlongAxis(&lower, axis) - grid->slack);
        test->upper[axis] = wkRoundUp(wkAlongAxis(&upper, axis) + grid->slack);
        size[axis] = ((double)test->upper[axis] - (double)test->lower[axis]) / CELLS;
        test->scale[axis] = (float)(1.0 / size[axis]);
    }
    grid->lower = wkVec((double)test->lower[0], (double)test->lower[1], (double)test->lower[2]);
    grid->size = wkVec(size[0], size[1], size[2]);
}

// Squared distances, along an axis, of the nearest and of the furthest point of a cell from a sphere's center.
typedef struct cellRange {
    double nearest;
    double furthest;
} cellRange;

// @param width of the cell, in small cells
static cellRange rangeOf(const wkSphereGrid* grid, int axis, int cell, int width,
                         const wkSphere3d* sphere)
{
    double size = wkAlongAxis(&grid->size, axis) * width;
    double middle = wkAlongAxis(&grid->lower, axis) + (cell + 0.5) * size;
    double half = (0.5 + CELL_ROUNDING) * size + grid->slack;
    double from = fabs(middle - wkAlongAxis(&sphere->center, axis));
    double near = wkPositive(from - half), far = from + half;
    cellRange range = {near * near, far * far};
    return range;
}

// Keeps the candidates whose extent along an axis reaches a coarse cell.
static int32_t cullAlong(const wkSphereGrid* grid, int axis, int cell, const int32_t* from,
                         int32_t count, int32_t* to)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i) {
        const wkSphere3d* sphere = &grid->spheres[from[i]];
        if (rangeOf(grid, axis, cell, SHARED, sphere).nearest <= sphere->radius * sphere->radius) {
            to[kept++] = from[i];
        }
    }
    return kept;
}

// Keeps the spheres that reach a coarse cell.
// @return -1: one of them holds it
static int32_t cullCell(const wkSphereGrid* grid, const int coarse[3], int32_t* candidates,
                        int32_t count)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i) {
        const wkSphere3d* sphere = &grid->spheres[candidates[i]];
        double nearest = 0.0, furthest = 0.0, square = sphere->radius * sphere->radius;
        for (int axis = 0; axis < 3; ++axis) {
            cellRange range = rangeOf(grid, axis, coarse[axis], SHARED, sphere);
            nearest += range.nearest;
            furthest += range.furthest;
        }
        if (furthest < square) {
            return -1;
        }
        if (nearest <= square) {
            candidates[kept++] = candidates[i];
        }
    }
    return kept;
}

// Writes a list of spheres, filled up with spheres that hold no point, unless the groups are used up.
// @return the list to use
static int32_t writeList(wkSphereGrid* grid, int32_t list, const int32_t* spheres, int32_t count)
{
    if (grid->groupCount + groupsOf(count) > grid->groupCapacity) {
        return WHOLE_LIST;
    }
    wkSphereList written = {grid->groupCount, groupsOf(count)};
    for (int32_t slot = 0; slot < written.count * WK_SPHERE_GROUP; ++slot) {
        wkSphereGroup* group = &grid->groups[written.first + slot / WK_SPHERE_GROUP];
        const wkSphere3d* sphere = &grid->spheres[spheres[slot < count ? slot : 0]];
        double inner = sphere->radius - grid->slack, outer = sphere->radius + grid->slack;
        int i = slot % WK_SPHERE_GROUP;
        group->x[i] = (float)sphere->center.x;
        group->y[i] = (float)sphere->center.y;
        group->z[i] = (float)sphere->center.z;
        bool isReal = slot < count;
        group->inner[i] =
            isReal && inner > 0.0 ? (float)(inner * inner * (1.0 - WK_FILTER_ROUNDING)) : -1.0f;
        group->outer[i] = isReal ? (float)(outer * outer * (1.0 + WK_FILTER_ROUNDING)) : -1.0f;
    }
    grid->groupCount += written.count;
    grid->lists[list] = written;
    return list;
}

// Writes the small cells of a coarse one.
static void writeCells(const wkSphereGrid* grid, const int coarse[3], const int32_t states[])
{
    for (int z = 0; z < SHARED; ++z) {
        for (int y = 0; y < SHARED; ++y) {
            int32_t* row = grid->cells +
                           ((coarse[2] * SHARED + z) * CELLS + coarse[1] * SHARED + y) * CELLS +
                           coarse[0] * SHARED;
            for (int x = 0; x < SHARED; ++x) {
                row[x] = states[(z * SHARED + y) * SHARED + x];
            }
        }
    }
}

#define SHARED_COUNT (SHARED * SHARED * SHARED)

static void writeUniform(const wkSphereGrid* grid, const int coarse[3], int32_t state)
{
    int32_t states[SHARED_COUNT];
    for (int i = 0; i < SHARED_COUNT; ++i) {
        states[i] = state;
    }
    writeCells(grid, coarse, states);
}

// Decides the small cells of a coarse one by its spheres.
static void decideCells(const wkSphereGrid* grid, const int coarse[3], const int32_t* spheres,
                        int32_t count, int32_t list)
{
    int32_t states[SHARED_COUNT] = {0};
    for (int32_t i = 0; i < count; ++i) {
        const wkSphere3d* sphere = &grid->spheres[spheres[i]];
        double square = sphere->radius * sphere->radius;
        cellRange ranges[3][SHARED];
        for (int axis = 0; axis < 3; ++axis) {
            for (int k = 0; k < SHARED; ++k) {
                ranges[axis][k] = rangeOf(grid, axis, coarse[axis] * SHARED + k, 1, sphere);
            }
        }
        for (int k = 0; k < SHARED_COUNT; ++k) {
            cellRange x = ranges[0][k % SHARED], y = ranges[1][k / SHARED % SHARED];
            cellRange z = ranges[2][k / (SHARED * SHARED)];
            int32_t reached = x.nearest + y.nearest + z.nearest <= square ? wk_cellMixed + list : 0;
            states[k] = states[k] == wk_cellOutside ? reached : states[k];
            states[k] = x.furthest + y.furthest + z.furthest < square ? wk_cellInside : states[k];
        }
    }
    writeCells(grid, coarse, states);
}

static void buildCell(wkSphereGrid* grid, const int coarse[3], int32_t* candidates, int32_t count)
{
    int32_t list = (coarse[2] * COARSE + coarse[1]) * COARSE + coarse[0];
    int32_t reaching = cullCell(grid, coarse, candidates, count);
    if (reaching <= 0) {
        writeUniform(grid, coarse, reaching < 0 ? wk_cellInside : wk_cellOutside);
        return;
    }
    list = writeList(grid, list, candidates, reaching);
    decideCells(grid, coarse, candidates, reaching, list);
}

void wkBuildSphereGrid(wkSphereGrid* grid, wkSphereTest* test)
{
    int32_t *slab = grid->candidates, *row = slab + grid->count, *cell = row + grid->count;
    placeGrid(grid, test);
    for (int32_t i = 0; i < grid->count; ++i) {
        cell[i] = i;
    }
    grid->groupCount = 0;
    writeList(grid, WHOLE_LIST, cell, grid->count);
    for (int z = 0; z < COARSE; ++z) {
        for (int32_t i = 0; i < grid->count; ++i) {
            cell[i] = i;
        }
        int32_t slabCount = cullAlong(grid, 2, z, cell, grid->count, slab);
        for (int y = 0; y < COARSE; ++y) {
            int32_t rowCount = cullAlong(grid, 1, y, slab, slabCount, row);
            for (int x = 0; x < COARSE; ++x) {
                const int coarse[3] = {x, y, z};
                int32_t count = cullAlong(grid, 0, x, row, rowCount, cell);
                buildCell(grid, coarse, cell, count);
            }
        }
    }
    test->cells = grid->cells;
    test->lists = grid->lists;
    test->groups = grid->groups;
}
