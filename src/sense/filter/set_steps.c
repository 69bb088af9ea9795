// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Steps that decide all points together: one point per voxel, and outliers by their neighbours.

#include "base/isa_table.h"
#include "sense/filter/filter_impl.h"
#include "sense/filter/mean_item.h"
#include "whisker/detail/library.h"

WK_DEFINE_LANES(const wkNeighborLanes, wkNeighborLanes)
WK_DEFINE_LANES(const wkSetLanes, wkSetLanes)

// Points of the tree, consecutive on its curve, that are one task.
#define TASK_POINTS 4096

// A search for the neighbours of all points.
typedef struct neighborTask {
    const wkPointSet* set;
    int32_t count; // of neighbours
    float squaredRadius;
} neighborTask;

static int32_t taskCount(const wkPointSet* set)
{
    return (set->count + TASK_POINTS - 1) / TASK_POINTS;
}

static int32_t taskEnd(const wkPointSet* set, int32_t task)
{
    int32_t end = (task + 1) * TASK_POINTS;
    return end < set->count ? end : set->count;
}

static void runMeans(void* context, int32_t task)
{
    const neighborTask* t = (const neighborTask*)context;
    wkNeighborLanesOfMachine()->meanDistances(&t->set->tree, task * TASK_POINTS,
                                              taskEnd(t->set, task), t->count, t->set->means);
}

static void runLonely(void* context, int32_t task)
{
    const neighborTask* t = (const neighborTask*)context;
    wkNeighborLanesOfMachine()->findLonely(&t->set->tree, task * TASK_POINTS, taskEnd(t->set, task),
                                           t->count, t->squaredRadius, t->set->isRemoved);
}

void wkJoinBounds(wkFilterRun* run, int32_t chunkCount)
{
    wkPointSet* set = &run->set;
    for (int axis = 0; axis < 3; ++axis) {
        set->lower[axis] = INFINITY;
        set->upper[axis] = -INFINITY;
        for (int32_t c = 0; c < chunkCount; ++c) {
            set->lower[axis] = fminf(set->lower[axis], run->chunks[c].lower[axis]);
            set->upper[axis] = fmaxf(set->upper[axis], run->chunks[c].upper[axis]);
        }
    }
    run->hasBounds = true;
}

// Reads the points that are left, for their bounds, and to store their positions in the set.
static void readPoints(wkFilterRun* run, bool storesPositions)
{
    int32_t chunkCount = wkChunkCount(run->count);
    run->storesPositions = storesPositions;
    wkRunTasks(run->request->parallel, wkSetLanesOfMachine()->readChunk, run, chunkCount);
    wkJoinBounds(run, chunkCount);
    if (storesPositions) {
        wkPadPointSet(&run->set);
    }
}

static void applyVoxel(wkFilterRun* run, const wkFilterStep* step, wkFilterStepInfo* info)
{
    const wkVoxelFilter* voxel = &step->voxel;
    if (!run->hasBounds) {
        readPoints(run, false);
    }
    if (!wkFindVoxels(run, voxel->size, voxel->hasCentroids)) {
        readPoints(run, true);
        wkSortVoxels(&run->set, voxel->size, voxel->hasCentroids);
    }
    info->reach = wkVoxelReach(&run->set, voxel->size);
}

static double findThreshold(const wkPointSet* set, double sigmas)
{
    wkMeanSums sums = {0.0, 0.0};
    for (int32_t first = 0; first < set->count; first += WK_MEAN_BLOCK) {
        int32_t left = set->count - first, count = left < WK_MEAN_BLOCK ? left : WK_MEAN_BLOCK;
        sums = wkAddMeanSums(sums, wkSumMeans(set->means + first, count));
    }
    return wkMeanThreshold(sums, set->count, sigmas);
}

static void applyStatistical(wkFilterRun* run, const wkFilterStep* step, wkFilterStepInfo* info)
{
    wkPointSet* set = &run->set;
    neighborTask task = {.set = set, .count = step->statistical.neighborCount};
    readPoints(run, true);
    wkBuildPointTree(set);
    wkRunTasks(run->request->parallel, runMeans, &task, taskCount(set));
    info->threshold = findThreshold(set, step->statistical.sigmas);
    for (int32_t i = 0; i < set->count; ++i) {
        set->isRemoved[i] = (double)set->means[i] > info->threshold;
    }
}

static void applyRadius(wkFilterRun* run, const wkFilterStep* step, wkFilterStepInfo* info)
{
    (void)info;
    wkPointSet* set = &run->set;
    double radius = step->radius.radius;
    neighborTask task = {set, step->radius.neighborCount, wkSquaredRadius(radius)};
    readPoints(run, true);
    wkBuildPointTree(set);
    wkRunTasks(run->request->parallel, runLonely, &task, taskCount(set));
}

typedef void applyFcn(wkFilterRun* run, const wkFilterStep* step, wkFilterStepInfo* info);

static applyFcn* const rows[] = {
    [wk_filterVoxel] = applyVoxel,
    [wk_filterStatistical] = applyStatistical,
    [wk_filterRadius] = applyRadius,
};

void wkApplySetStep(wkFilterRun* run, const wkFilterStep* step, wkFilterStepInfo* info)
{
    run->set.count = run->count;
    info->examinedCount = run->count;
    if (run->count > 0) {
        rows[step->type](run, step, info);
        wkRunTasks(run->request->parallel, wkSetLanesOfMachine()->finishChunk, run,
                   wkChunkCount(run->count));
    }
}
