// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Clearances among live points and objects, in a kernel of its own behind the one that computes clearances: each thread finds the
// nearest of these for a configuration, and takes its distance and gradient where it is nearer than the rest. What it finds
// is kept for configurations about which the CPU decides, and compared with its decision by the same kernel.

#include "cuda/clearance_lane.h"
#include "cuda/live_nearest_item.h"
#include "math/round.h"

// Calls a function for the spheres of the robot in the frames of all fields.
template <typename Visit>
static __device__ __forceinline__ void visitSpheres(const wkDeviceStates& states,
                                                   const clearanceLane& lane, Visit visit)
{
    for (int32_t i = 0; i < states.batch.program.partCount; ++i) {
        const wkDevicePart* part = &lane.tables.parts[i];
        wkItemFrame frame = wkReadFrame(lane.scratch, part->axes);
        for (int32_t k = part->firstSphere; k < part->firstSphere + part->sphereCount; ++k) {
            const wkDeviceSphere* s = &lane.tables.spheres[k];
            wkVec3f at = wkPlaceItemPoint(&frame, s->x, s->y, s->z);
            for (int32_t live = 0; live < states.liveCount; ++live) {
                const wkDeviceLive& l = states.lives[live];
                wkLiveSphere sphere = {
                    {at.x + l.offset[0], at.y + l.offset[1], at.z + l.offset[2]},
                    (double)s->radius + (double)l.rounding,
                    i,
                    k,
                    live};
                visit(sphere);
            }
        }
    }
}

// Finds the nearest live point: first that of the sphere for which words have the least bound, then of all others that may
// be nearer to one.
static __device__ __forceinline__ wkLivePair findNearestLive(const wkDeviceStates& states,
                                                             const clearanceLane& lane,
                                                             double cutoff)
{
    wkLivePair pair = {cutoff, -1, -1, -1, -1, {0.0f, 0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, false};
    wkLiveSphere first = {{0.0f, 0.0f, 0.0f}, 0.0, -1, -1, -1};
    double leastOfAll = cutoff;
    visitSpheres(states, lane, [&](const wkLiveSphere& sphere) {
        float least;
        bool isKnown =
            wkLiveField_LeastAt(&states.lives[sphere.live].field, sphere.center, &least);
        pair.isUnknown = pair.isUnknown || !isKnown;
        double bound = (double)least - sphere.radius;
        if (bound < leastOfAll) {
            leastOfAll = bound;
            first = sphere;
        }
    });
    if (first.sphere < 0 || pair.isUnknown) {
        return pair;
    }
    wkLivePair_Search(&states.lives[first.live].field, &states.objects[first.live], &first, &pair);
    visitSpheres(states, lane, [&](const wkLiveSphere& sphere) {
        const wkLiveField* field = &states.lives[sphere.live].field;
        float least;
        bool isFirst = sphere.sphere == first.sphere && sphere.live == first.live;
        if (!isFirst && wkLiveField_LeastAt(field, sphere.center, &least) &&
            (double)least - sphere.radius < pair.distance) {
            wkLivePair_Search(field, &states.objects[sphere.live], &sphere, &pair);
        }
    });
    return pair;
}

static __device__ __forceinline__ wkItemState loadLane(const wkDeviceStates& states,
                                                       const clearanceLane& lane, wkItemRow row)
{
    wkItemState state = wkLoadItem(&states.batch.program, row, lane.scratch);
    return wkWorseItem(state, placeLane(states.batch, lane, row));
}

// Finds what live points come to for a configuration that is placed.
static __device__ __forceinline__ wkLiveNearest nearestOf(const wkDeviceLiveClearances& task,
                                                          const clearanceLane& lane,
                                                          wkItemState state)
{
    wkLiveNearest nearest = {NAN, {0.0f, 0.0f, 0.0f}, -1, -1};
    if (state != wk_itemValid) {
        return nearest;
    }
    wkLivePair pair = findNearestLive(task.base.states, lane, task.base.cutoff);
    wkVec3f away = wkClearance_Unit(wkMakeVec3f(pair.away[0], pair.away[1], pair.away[2]));
    nearest.distance = pair.isUnknown ? NAN : wkRoundDown(pair.distance);
    nearest.away[0] = away.x;
    nearest.away[1] = away.y;
    nearest.away[2] = away.z;
    nearest.part = pair.part;
    nearest.sphere = pair.sphere;
    return nearest;
}

// Takes what live points come to where they are nearer than the rest, or nothing is known of them.
static __device__ __forceinline__ void takeNearest(const wkDeviceLiveClearances& task,
                                                   const clearanceLane& lane, wkItemRow row,
                                                   const wkLiveNearest& nearest, float* clearance,
                                                   float* gradient)
{
    const wkDeviceBatch& batch = task.base.states.batch;
    bool isUnknown = nearest.distance != nearest.distance;
    if (!isUnknown && !(nearest.distance < *clearance)) {
        return;
    }
    *clearance = nearest.distance;
    if (gradient == NULL) {
        return;
    }
    if (isUnknown || nearest.sphere < 0) {
        fillGradient(batch, isUnknown ? NAN : 0.0f, gradient);
        return;
    }
    wkClearanceItem item = {0.0, nearest.part, nearest.sphere, -1, -1, -1, false};
    wkVec3f away = wkMakeVec3f(nearest.away[0], nearest.away[1], nearest.away[2]);
    writeGradient(batch, lane, row, item, away, gradient);
}

static __device__ __forceinline__ void addLives(const wkDeviceLiveClearances& task,
                                                const clearanceLane& lane, int64_t index)
{
    const wkDeviceStates& states = task.base.states;
    int64_t state = task.queue != NULL ? (int64_t)task.queue[index] : index;
    float* clearance = task.base.clearances + state;
    float* gradient = task.base.gradients != NULL
                          ? task.base.gradients + state * states.batch.program.variableCount
                          : NULL;
    wkItemRow row = rowOf(states, state);
    wkItemState placed = loadLane(states, lane, row);
    if (task.queue != NULL) {
        *clearance = task.decided[index];
    } else {
        task.nearest[state] = nearestOf(task, lane, placed);
    }
    if (*clearance == *clearance) { // else it is not decided, or not finite
        takeNearest(task, lane, row, task.nearest[state], clearance, gradient);
    }
}

template <bool isShared>
static __device__ __forceinline__ void addLivesOfAll(const wkDeviceLiveClearances& task,
                                                     char* shared)
{
    clearanceLane lane;
    beginLane<isShared>(task.base.states, shared, &lane);
    int64_t step = (int64_t)gridDim.x * THREADS;
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < task.count; i += step) {
        addLives(task, lane, i);
    }
}

static __global__ void __launch_bounds__(THREADS)
    addLiveClearances(const __grid_constant__ wkDeviceLiveClearances task)
{
    WK_SHARED_BYTES(shared);
    addLivesOfAll<true>(task, shared);
}

// For robots whose frames do not fit into shared memory.
static __global__ void __launch_bounds__(THREADS)
    addLargeLiveClearances(const __grid_constant__ wkDeviceLiveClearances task)
{
    addLivesOfAll<false>(task, NULL);
}

cudaError_t wkCountLiveClearanceBlocks(const wkDeviceBatch* batch, bool isShared, size_t mostBytes,
                                       int* count)
{
    return wkCountBlocks(isShared ? addLiveClearances : addLargeLiveClearances, THREADS,
                         sharedBytesOf(*batch, isShared), mostBytes, count);
}

cudaError_t wkLaunchLiveClearances(const wkDeviceLiveClearances* clearances, cudaStream_t stream)
{
    const wkDeviceStates& states = clearances->base.states;
    bool isShared = states.numbers == NULL;
    return wkLaunchShared(isShared ? addLiveClearances : addLargeLiveClearances,
                          (unsigned)states.blockCounts[1], THREADS,
                          sharedBytesOf(states.batch, isShared), stream, *clearances);
}
