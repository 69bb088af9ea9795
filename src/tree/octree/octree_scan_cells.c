// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Marks the cells of a scan's rays: in a grid, by all threads, or in a table.

#include "tree/octree/octree_scan.h"

#include "base/memory.h"
#include "base/parallel.h"

#include "whisker/detail/library.h"

#include <string.h>

// Cells of the largest grid: 256 MiB.
#define LARGEST_GRID ((int64_t)1 << 28)
// A grid has to be cleared and read: it pays as long as it has no more cells than this per cell that
// rays may cross.
#define CELLS_PER_STEP 16

// Keeps one of the ends in a cell. Threads that find the same cell at once both keep theirs, which does
// not change the result.
static void keepNewEnds(void* context, int32_t task)
{
    wkScanJob* j = (wkScanJob*)context;
    wkScanSlice* s = &j->slices[task];
    wkScanEnd* ends = &j->ends[s->first];
    int32_t kept = 0;
    for (int32_t i = 0; i < s->endCount; ++i) {
        if ((ends[i] & WK_END_IS_POINT) == 0) {
            int32_t key[3] = {0, 0, 0};
            wkUnpackEnd(ends[i], key);
            atomic_uchar* cell = &j->grid.cells[wkGridCell(&j->grid, key)];
            if (atomic_load_explicit(cell, memory_order_relaxed) == wk_gridEnd) {
                continue;
            }
            atomic_store_explicit(cell, wk_gridEnd, memory_order_relaxed);
        }
        ends[kept++] = ends[i];
    }
    s->endCount = kept;
}

// With a grid.

static void traceSlice(void* context, int32_t task)
{
    wkScanJob* j = (wkScanJob*)context;
    wkScanSlice* s = &j->slices[task];
    wkScanEnd* ends = &j->ends[s->first];
    wkGridRayPack pack = wkEmptyPack(&j->grid, &j->source);
    for (int32_t i = 0; i < s->endCount; ++i) {
        float endPoint[3] = {0.0f, 0.0f, 0.0f};
        wkGridRay gridRay;
        if (wkPlaceEnd(j, ends[i], endPoint)) {
            ends[i] |= WK_END_IS_FAR;
        }
        if (!j->scan->keepsFree && wkStartGridRay(&j->source, endPoint, &gridRay)) {
            wkTraceInGrid(&j->grid, &pack, &gridRay);
        }
    }
    wkFinishPack(&j->grid, &pack);
}

static void hitSlice(void* context, int32_t task)
{
    wkScanJob* j = (wkScanJob*)context;
    const wkScanSlice* s = &j->slices[task];
    const wkScanEnd* ends = &j->ends[s->first];
    for (int32_t i = 0; i < s->endCount; ++i) {
        int32_t key[3] = {0, 0, 0};
        bool isFar = (ends[i] & WK_END_IS_FAR) != 0;
        if (isFar && (ends[i] & WK_END_IS_POINT) != 0) {
            continue;
        }
        wkKeyOfEnd(j, ends[i], key);
        atomic_uchar* cell = &j->grid.cells[wkGridCell(&j->grid, key)];
        if (!isFar) {
            atomic_store_explicit(cell, wk_gridHit, memory_order_relaxed);
        } else if (atomic_load_explicit(cell, memory_order_relaxed) == wk_gridEnd) {
            atomic_store_explicit(cell, wk_gridNothing, memory_order_relaxed);
        }
    }
}

size_t wkKeyBytes(const wkScanJob* j)
{
    return 2 * ((size_t)j->keyCapacity + 1) * sizeof *j->keys;
}

static bool reserveKeys(wkScanJob* j, int32_t count)
{
    j->keyCapacity = count;
    j->keys = wkAlloc(wkKeyBytes(j));
    return j->keys != NULL;
}

static bool scanByGrid(wkScanJob* j, wkBrickList* list)
{
    const wkParallel* parallel = j->scan->parallel;
    if (!j->scan->isExact) {
        wkRunTasks(parallel, keepNewEnds, j, j->sliceCount);
    }
    wkRunTasks(parallel, traceSlice, j, j->sliceCount);
    wkRunTasks(parallel, hitSlice, j, j->sliceCount);
    if (!reserveKeys(j, j->grid.bricks[0] * j->grid.bricks[1] * j->grid.bricks[2])) {
        return false;
    }
    list->count = wkListGridBricks(&j->grid, j->keys);
    list->read = wkReadGridBrick;
    list->source = &j->grid;
    return true;
}

// With a table: on one thread.

static bool traceEnd(wkScanJob* j, wkScanEnd end)
{
    int32_t key[3] = {0, 0, 0};
    float endPoint[3] = {0.0f, 0.0f, 0.0f};
    wkGridRay gridRay;
    bool isNew = true, isFar = wkPlaceEnd(j, end, endPoint);
    bool isPoint = (end & WK_END_IS_POINT) != 0;
    wkKeyOfEnd(j, end, key);

    // cells at the range limit are marked as well until all rays are traced, so that each has one
    if (!(isFar && isPoint) && !wkHitInBricks(&j->table, key, &isNew)) {
        return false;
    }
    bool isWanted = !j->scan->keepsFree && (isNew || isPoint);
    return !isWanted || !wkStartGridRay(&j->source, endPoint, &gridRay) ||
           wkTraceInBricks(&j->table, &j->source, &gridRay);
}

static void unmarkFarEnds(wkScanJob* j, const wkScanSlice* s)
{
    for (int32_t i = 0; i < s->endCount; ++i) {
        int32_t key[3] = {0, 0, 0};
        float endPoint[3] = {0.0f, 0.0f, 0.0f};
        wkScanEnd end = j->ends[s->first + i];
        if ((end & WK_END_IS_POINT) == 0 && wkPlaceEnd(j, end, endPoint)) {
            wkKeyOfEnd(j, end, key);
            wkUnhitInBricks(&j->table, key);
        }
    }
}

static bool scanByTable(wkScanJob* j, wkBrickList* list)
{
    if (!wkMakeBrickTable(&j->table)) {
        return false;
    }
    for (int32_t task = 0; task < j->sliceCount; ++task) {
        const wkScanSlice* s = &j->slices[task];
        for (int32_t i = 0; i < s->endCount; ++i) {
            if (!traceEnd(j, j->ends[s->first + i])) {
                return false;
            }
        }
    }
    for (int32_t task = 0; task < j->sliceCount && isfinite(j->source.maxRange); ++task) {
        unmarkFarEnds(j, &j->slices[task]);
    }
    if (!reserveKeys(j, j->table.count)) {
        return false;
    }
    memcpy(j->keys, j->table.names, (size_t)j->table.count * sizeof *j->keys);
    list->count = j->table.count;
    list->read = wkReadTableBrick;
    list->source = &j->table;
    return true;
}

static int64_t largestGrid(const wkScanSlice* sum)
{
    int64_t steps = 0;
    for (int axis = 0; axis < 3; ++axis) {
        int64_t size = sum->highest[axis] - sum->lowest[axis] + 1;
        steps = size > steps ? size : steps;
    }
    steps *= sum->endCount;
    return steps < LARGEST_GRID / CELLS_PER_STEP ? steps * CELLS_PER_STEP : LARGEST_GRID;
}

bool wkTraceEnds(wkScanJob* job, const wkScanSlice* sum, wkBrickList* list)
{
    return wkMakeGrid(&job->grid, sum->lowest, sum->highest, largestGrid(sum))
               ? scanByGrid(job, list)
               : scanByTable(job, list);
}
