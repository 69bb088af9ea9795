// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Grids of clearances: see packing_grid.h.

#include "fit/sphere_tree/packing_grid.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "whisker/detail/library.h"

#include <string.h>

// Half of a diagonal of a cube, relative to its edge.
#define HALF_DIAGONAL 0.8660254037844387

// Positions of bricks in the bounds: each takes a distance to find out whether it is inside.
#define MOST_POSITIONS (1 << 20)

// Clearances below this share of a cell are not resolved: such cells are not searched.
#define LEAST_SHARE 0.25

static wkVec3d brickLower(const wkPackingGrid* grid, const int32_t at[3])
{
    double edge = grid->cell * WK_BRICK_EDGE;
    return wkAdd(grid->lower, wkVec(edge * at[0], edge * at[1], edge * at[2]));
}

static wkVec3d cellCenter(const wkPackingGrid* grid, const int32_t at[3], int32_t cell)
{
    int x = cell % WK_BRICK_EDGE, y = cell / WK_BRICK_EDGE % WK_BRICK_EDGE;
    int z = cell / (WK_BRICK_EDGE * WK_BRICK_EDGE);
    wkVec3d steps = wkVec(x + 0.5, y + 0.5, z + 0.5);
    return wkMulAdd(brickLower(grid, at), grid->cell, steps);
}

static void positionOf(const wkPackingGrid* grid, int64_t index, int32_t at[3])
{
    at[0] = (int32_t)(index % grid->size[0]);
    at[1] = (int32_t)(index / grid->size[0] % grid->size[1]);
    at[2] = (int32_t)(index / grid->size[0] / grid->size[1]);
}

// Work that tasks share: a slice of positions or a brick each.
typedef struct gridTask {
    wkPackingGrid* grid;
    wkProgressMeter* meter;
} gridTask;

#define SLICE 64 // positions of a task

static bool isOutside(const wkPackingGrid* grid, const int32_t at[3])
{
    double half = 0.5 * grid->cell * WK_BRICK_EDGE;
    wkVec3d center = wkAdd(brickLower(grid, at), wkVec(half, half, half));
    return wkFitSurface_QuickClosest(grid->surface, center).distance > half * 2.0 * HALF_DIAGONAL;
}

static void findBricks(void* context, int32_t slice)
{
    const gridTask* task = context;
    wkPackingGrid* grid = task->grid;
    int64_t end = (int64_t)(slice + 1) * SLICE;
    end = end < grid->brickAtSize ? end : grid->brickAtSize;
    for (int64_t i = (int64_t)slice * SLICE; i < end; ++i) {
        int32_t at[3];
        positionOf(grid, i, at);
        bool isLost = !wkProgressMeter_Add(task->meter, 0);
        grid->brickAt[i] = isLost || isOutside(grid, at) ? -1 : 0;
    }
}

static void findLargest(wkPackingBrick* brick)
{
    brick->largest = -1.0f;
    brick->largestCell = 0;
    for (int32_t i = 0; i < WK_BRICK_CELLS; ++i) {
        if (brick->clearances[i] > brick->largest) {
            brick->largest = brick->clearances[i];
            brick->largestCell = i;
        }
    }
}

// Puts the distance to the surface into the cells that spheres have left.
static void fillBrick(void* context, int32_t index)
{
    const gridTask* task = context;
    wkPackingGrid* grid = task->grid;
    wkPackingBrick* brick = &grid->bricks[index];
    float least = (float)(LEAST_SHARE * grid->cell);
    for (int32_t i = 0; i < WK_BRICK_CELLS; ++i) {
        if (brick->clearances[i] > least && wkProgressMeter_Add(task->meter, 0)) {
            wkVec3d center = cellCenter(grid, brick->at, i);
            float depth = (float)-wkFitSurface_QuickClosest(grid->surface, center).distance;
            brick->clearances[i] = depth < brick->clearances[i] ? depth : brick->clearances[i];
        }
        brick->clearances[i] = brick->clearances[i] > least ? brick->clearances[i] : -1.0f;
    }
    findLargest(brick);
}

static bool isHeapBefore(const wkPackingGrid* grid, int32_t left, int32_t right)
{
    float l = grid->keys[left], r = grid->keys[right];
    return l > r || (l == r && left < right);
}

static void moveDown(wkPackingGrid* grid, int32_t at)
{
    for (;;) {
        int32_t first = at;
        for (int32_t child = 2 * at + 1; child <= 2 * at + 2 && child < grid->brickCount; ++child) {
            first = isHeapBefore(grid, grid->heap[child], grid->heap[first]) ? child : first;
        }
        if (first == at) {
            return;
        }
        int32_t kept = grid->heap[at];
        grid->heap[at] = grid->heap[first];
        grid->heap[first] = kept;
        at = first;
    }
}

static void makeHeap(wkPackingGrid* grid)
{
    for (int32_t i = 0; i < grid->brickCount; ++i) {
        grid->heap[i] = i;
        grid->keys[i] = grid->bricks[i].largest;
    }
    for (int32_t i = grid->brickCount / 2; i >= 0; --i) {
        moveDown(grid, i);
    }
}

// Chooses the positions of bricks; false: too many.
static bool layOut(wkPackingGrid* grid)
{
    double edge = grid->cell * WK_BRICK_EDGE, slack = grid->surface->slack;
    wkVec3d around = wkVec(slack, slack, slack);
    wkVec3d lower = wkSub(grid->surface->bounds.lower, around);
    wkVec3d upper = wkAdd(grid->surface->bounds.upper, around);
    grid->lower = lower;
    grid->brickAtSize = 1;
    for (int axis = 0; axis < 3; ++axis) {
        double bricks = ceil((wkAlongAxis(&upper, axis) - wkAlongAxis(&lower, axis)) / edge);
        if (!(bricks <= 1024.0)) {
            return false;
        }
        grid->size[axis] = bricks >= 1.0 ? (int32_t)bricks : 1;
        grid->brickAtSize *= grid->size[axis];
    }
    return grid->brickAtSize <= MOST_POSITIONS;
}

// Numbers the bricks that are not outside; returns false where there are too many.
static bool numberBricks(wkPackingGrid* grid)
{
    int64_t count = 0;
    for (int64_t i = 0; i < grid->brickAtSize; ++i) {
        grid->brickAt[i] = grid->brickAt[i] >= 0 ? (int32_t)count++ : -1;
    }
    grid->brickCount = (int32_t)count;
    return count <= WK_MOST_CELLS / WK_BRICK_CELLS;
}

static bool makeBricks(wkPackingGrid* grid)
{
    size_t count = (size_t)grid->brickCount + 1; // never an empty allocation
    grid->bricks = wkAlloc(count * sizeof *grid->bricks);
    grid->heap = wkAlloc(count * sizeof *grid->heap);
    grid->keys = wkAlloc(count * sizeof *grid->keys);
    if (grid->bricks == NULL || grid->heap == NULL || grid->keys == NULL) {
        return false;
    }
    for (int64_t i = 0; i < grid->brickAtSize; ++i) {
        if (grid->brickAt[i] >= 0) {
            wkPackingBrick* brick = &grid->bricks[grid->brickAt[i]];
            positionOf(grid, i, brick->at);
            brick->largest = INFINITY;
            for (int32_t k = 0; k < WK_BRICK_CELLS; ++k) {
                brick->clearances[k] = INFINITY;
            }
        }
    }
    return true;
}

static wkResult fill(wkPackingGrid* grid, const wkPackingJob* job, const wkSphereF* spheres,
                     int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        wkPackingGrid_Place(grid, &spheres[i]);
    }
    gridTask task = {grid, job->meter};
    wkRunTasks(job->parallel, fillBrick, &task, grid->brickCount);
    if (wkProgressMeter_IsCancelled(job->meter)) {
        return wkFail(wk_errorCancelled, "sphere tree: cancelled");
    }
    makeHeap(grid);
    return wk_ok;
}

wkResult wkPackingGrid_Create(const wkPackingJob* job, double cell, double largest,
                              const wkSphereF* spheres, int32_t count, wkPackingGrid* grid,
                              bool* isTooFine)
{
    *grid = (wkPackingGrid){.surface = job->surface, .cell = cell, .largest = largest};
    *isTooFine = !layOut(grid);
    if (*isTooFine) {
        return wk_ok;
    }
    wkResult result = wk_ok;
    grid->brickAt = wkAlloc((size_t)grid->brickAtSize * sizeof *grid->brickAt);
    if (grid->brickAt != NULL) {
        gridTask task = {grid, job->meter};
        int32_t sliceCount = (int32_t)((grid->brickAtSize + SLICE - 1) / SLICE);
        wkRunTasks(job->parallel, findBricks, &task, sliceCount);
        *isTooFine = !numberBricks(grid);
    }
    if (grid->brickAt == NULL || (!*isTooFine && !makeBricks(grid))) {
        result = wkFail(wk_errorMemory, "sphere tree: out of memory");
    } else if (!*isTooFine) {
        result = fill(grid, job, spheres, count);
    }
    if (result != wk_ok || *isTooFine) {
        wkPackingGrid_Destroy(grid);
    }
    return result;
}

void wkPackingGrid_Destroy(wkPackingGrid* grid)
{
    size_t count = (size_t)grid->brickCount + 1;
    wkFree(grid->brickAt, (size_t)grid->brickAtSize * sizeof *grid->brickAt);
    wkFree(grid->bricks, count * sizeof *grid->bricks);
    wkFree(grid->heap, count * sizeof *grid->heap);
    wkFree(grid->keys, count * sizeof *grid->keys);
    memset(grid, 0, sizeof *grid);
}

float wkPackingGrid_Largest(wkPackingGrid* grid, int32_t* brick, wkVec3d* center)
{
    if (grid->brickCount == 0) {
        return -1.0f;
    }
    int32_t first = grid->heap[0];
    while (grid->keys[first] != grid->bricks[first].largest) {
        grid->keys[first] = grid->bricks[first].largest;
        moveDown(grid, 0);
        first = grid->heap[0];
    }
    *brick = first;
    grid->largest = (double)grid->keys[first];
    *center = cellCenter(grid, grid->bricks[first].at, grid->bricks[first].largestCell);
    return grid->bricks[first].largest;
}

// Reduces the clearances of a brick around a sphere, whose centre is relative to the brick.
static void placeInBrick(wkPackingBrick* brick, float cell, wkSphereF sphere)
{
    float* clearance = brick->clearances;
    float largest = -1.0f;
    for (int z = 0; z < WK_BRICK_EDGE; ++z) {
        float dz = ((float)z + 0.5f) * cell - sphere.z;
        for (int y = 0; y < WK_BRICK_EDGE; ++y) {
            float dy = ((float)y + 0.5f) * cell - sphere.y, square = dy * dy + dz * dz;
            for (int x = 0; x < WK_BRICK_EDGE; ++x, ++clearance) {
                float dx = ((float)x + 0.5f) * cell - sphere.x;
                float gap = sqrtf(dx * dx + square) - sphere.radius;
                *clearance = gap < *clearance ? gap : *clearance;
                largest = *clearance > largest ? *clearance : largest;
            }
        }
    }
    if (largest < brick->largest || brick->clearances[brick->largestCell] < brick->largest) {
        findLargest(brick);
    }
}

void wkPackingGrid_Place(wkPackingGrid* grid, const wkSphereF* sphere)
{
    // a cell changes where its clearance is larger than its distance from the sphere
    double edge = grid->cell * WK_BRICK_EDGE, reach = (double)sphere->radius + grid->largest;
    wkVec3d center = wkVec((double)sphere->x, (double)sphere->y, (double)sphere->z);
    wkVec3d from = wkSub(center, grid->lower);
    int32_t first[3], last[3];
    for (int axis = 0; axis < 3; ++axis) {
        double along = wkAlongAxis(&from, axis);
        first[axis] = (int32_t)wkClamp(floor((along - reach) / edge), 0.0, grid->size[axis] - 1);
        last[axis] = (int32_t)wkClamp(floor((along + reach) / edge), 0.0, grid->size[axis] - 1);
    }
    int32_t at[3];
    for (at[2] = first[2]; at[2] <= last[2]; ++at[2]) {
        for (at[1] = first[1]; at[1] <= last[1]; ++at[1]) {
            for (at[0] = first[0]; at[0] <= last[0]; ++at[0]) {
                int64_t position =
                    at[0] + (int64_t)grid->size[0] * (at[1] + (int64_t)grid->size[1] * at[2]);
                int32_t index = grid->brickAt[position];
                if (index >= 0) {
                    wkVec3d local = wkSub(center, brickLower(grid, at));
                    wkSphereF relative = {(float)local.x, (float)local.y, (float)local.z,
                                          sphere->radius};
                    placeInBrick(&grid->bricks[index], (float)grid->cell, relative);
                }
            }
        }
    }
}

void wkPackingGrid_Drop(wkPackingGrid* grid, int32_t brick)
{
    grid->bricks[brick].clearances[grid->bricks[brick].largestCell] = -1.0f;
    findLargest(&grid->bricks[brick]);
}
