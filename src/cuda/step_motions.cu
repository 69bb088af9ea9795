// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernels of device_motions.h about motions in steps, in the order of batch/batch_steps.c: the end first, then from
// coarse to fine. And those that move ends and results of motions that the CPU decides.

#include "cuda/launch.h"
#include "cuda/motion_item.h"

#define THREADS 128

// As in batch/batch_steps.c: longer motions are not checked.
#define MOST_STEPS (1 << 24)

// The CPU checks motions of more steps: each round of eight steps takes some microseconds, even for a single motion.
#define MOST_STEPS_HERE 4096

static unsigned blocksFor(int64_t count)
{
    return (unsigned)((count + THREADS - 1) / THREADS);
}

static __device__ __forceinline__ wkItemWay wayOf(const wkDeviceSteps& steps, uint32_t motion)
{
    wkItemWay way = {wkItemRowAt(steps.from, motion, steps.variableCount),
                     wkItemRowAt(steps.to, motion, steps.variableCount)};
    return way;
}

static __device__ __forceinline__ wkBatchMotionResult makeResult(wkVerdict verdict, float time,
                                                                 int32_t stepCount)
{
    wkBatchMotionResult result = {(uint8_t)verdict, time, -1, stepCount};
    return result;
}

// Puts a motion into the queue of the CPU.
// @return its result until then
static __device__ __forceinline__ wkBatchMotionResult leaveMotion(const wkDeviceSteps& steps,
                                                                  uint32_t motion)
{
    steps.hostQueue[atomicAdd(steps.hostCount, 1u)] = motion;
    return makeResult(wk_verdictUnchecked, 0.0f, 0);
}

static __global__ void __launch_bounds__(THREADS)
    beginSteps(const __grid_constant__ wkDeviceSteps steps)
{
    int64_t index = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (index >= steps.count) {
        return;
    }
    const wkDeviceVariable* variables = steps.tables.variables;
    wkItemWay way = wayOf(steps, (uint32_t)index);
    wkEndsVerdict ends =
        wkCheckItemEnds(way, variables, steps.variableCount, steps.checksLimits != 0);
    if (ends.verdict != wk_verdictUnchecked) {
        steps.results[index] = makeResult((wkVerdict)ends.verdict, (float)ends.time, 0);
        return;
    }
    double count = ceil(wkItemDistance(way, variables, steps.variableCount) / steps.step);
    if (!(count <= MOST_STEPS)) {
        wkBatchMotionResult tooLong = makeResult(wk_verdictUncertain, 0.0f, MOST_STEPS);
        steps.results[index] =
            steps.leavesTouching != 0 ? leaveMotion(steps, (uint32_t)index) : tooLong;
        return;
    }
    if (count > MOST_STEPS_HERE) {
        steps.results[index] = leaveMotion(steps, (uint32_t)index);
        return;
    }
    wkStepMotion motion;
    motion.motion = (uint32_t)index;
    motion.stepCount = count > 1.0 ? (int32_t)count + 1 : 2;
    motion.next = -1;
    motion.bitCount = 0;
    while (1 << motion.bitCount < motion.stepCount - 1) {
        ++motion.bitCount;
    }
    motion.hit = -1;
    motion.verdict = wk_verdictFree;
    steps.open[0][atomicAdd(&steps.openCounts[0], 1u)] = motion;
}

// Returns the end of the steps that can change the result.
static __device__ __forceinline__ int32_t endOfSteps(const wkStepMotion& motion)
{
    return motion.hit >= 0 ? motion.hit : motion.stepCount;
}

static __device__ __forceinline__ void fillRow(const wkDeviceSteps& steps, wkItemWay way,
                                               int32_t step, int32_t last, double* row)
{
    double time = step < last ? (double)step / (double)last : 1.0;
    for (int32_t i = 0; i < steps.variableCount; ++i) {
        row[i] = wkItemBetween(way, &steps.tables.variables[i], i, time);
    }
}

struct stepTask {
    wkDeviceSteps steps;
    uint32_t openCount;
};

static __global__ void __launch_bounds__(THREADS) fillSteps(const __grid_constant__ stepTask task)
{
    int64_t index = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (index >= task.openCount) {
        return;
    }
    const wkDeviceSteps& steps = task.steps;
    wkStepMotion motion = steps.open[0][index];
    wkItemWay way = wayOf(steps, motion.motion);
    int32_t last = motion.stepCount - 1, count = 0;
    double* row = steps.rows + index * WK_STEPS_AT_ONCE * steps.variableCount;
    while (count < WK_STEPS_AT_ONCE && motion.next < 1 << motion.bitCount) {
        int32_t step = motion.next < 0 ? last : wkReverseBits(motion.next, motion.bitCount);
        bool isNew = motion.next < 0 || step < last;
        ++motion.next;
        if (isNew && step < endOfSteps(motion)) {
            fillRow(steps, way, step, last, row + count * steps.variableCount);
            motion.steps[count++] = step;
        }
    }
    for (; count < WK_STEPS_AT_ONCE; ++count) {
        // nothing is left: the end again
        fillRow(steps, way, last, last, row + count * steps.variableCount);
        motion.steps[count] = -1;
    }
    steps.open[0][index] = motion;
}

// Reports a motion that is done.
static __device__ __forceinline__ void finishSteps(const wkDeviceSteps& steps,
                                                   const wkStepMotion& motion)
{
    double time = motion.hit >= 0 ? (double)motion.hit / (double)(motion.stepCount - 1) : 1.0;
    wkBatchMotionResult result =
        makeResult((wkVerdict)motion.verdict, (float)time, motion.stepCount);
    result.firstIndex = motion.hit;
    bool isLeft = motion.hit >= 0 && steps.leavesTouching != 0;
    steps.results[motion.motion] = isLeft ? leaveMotion(steps, motion.motion) : result;
}

static __global__ void __launch_bounds__(THREADS) learnSteps(const __grid_constant__ stepTask task)
{
    int64_t index = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (index >= task.openCount) {
        return;
    }
    const wkDeviceSteps& steps = task.steps;
    wkStepMotion motion = steps.open[0][index];
    bool isDone = false;
    for (int i = 0; i < WK_STEPS_AT_ONCE && !isDone; ++i) {
        uint8_t verdict = steps.verdicts[index * WK_STEPS_AT_ONCE + i];
        int32_t step = motion.steps[i];
        if (step >= 0 && verdict != wk_verdictFree && step < endOfSteps(motion)) {
            motion.hit = step;
            motion.verdict = verdict;
            isDone = steps.wantsFirst == 0;
        }
    }
    if (isDone || motion.next >= 1 << motion.bitCount) {
        finishSteps(steps, motion);
    } else {
        steps.open[1][atomicAdd(&steps.openCounts[1], 1u)] = motion;
    }
}

cudaError_t wkLaunchBeginSteps(const wkDeviceSteps* steps, cudaStream_t stream)
{
    return wkLaunch(beginSteps, blocksFor(steps->count), THREADS, stream, *steps);
}

cudaError_t wkLaunchFillSteps(const wkDeviceSteps* steps, uint32_t openCount, cudaStream_t stream)
{
    stepTask task = {*steps, openCount};
    return wkLaunch(fillSteps, blocksFor(openCount), THREADS, stream, task);
}

cudaError_t wkLaunchLearnSteps(const wkDeviceSteps* steps, uint32_t openCount, cudaStream_t stream)
{
    stepTask task = {*steps, openCount};
    return wkLaunch(learnSteps, blocksFor(openCount), THREADS, stream, task);
}

struct endsTask {
    wkItemRow ends;
    int32_t length;
    const uint32_t* queue;
    int64_t count;
    double* rows;
};

static __global__ void __launch_bounds__(THREADS) gatherEnds(endsTask task)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at < task.count * task.length) {
        wkItemRow row = wkItemRowAt(task.ends, task.queue[at / task.length], task.length);
        task.rows[at] = wkItemNumber(row, (int32_t)(at % task.length));
    }
}

cudaError_t wkLaunchGatherEnds(wkItemRow ends, int32_t length, const uint32_t* queue, int64_t count,
                               double* rows, cudaStream_t stream)
{
    endsTask task = {ends, length, queue, count, rows};
    return length == 0 ? cudaSuccess
                       : wkLaunch(gatherEnds, blocksFor(count * length), THREADS, stream, task);
}

struct resultsTask {
    const uint32_t* queue;
    int64_t count;
    const wkBatchMotionResult* from;
    wkBatchMotionResult* to;
};

static __global__ void __launch_bounds__(THREADS) scatterMotions(resultsTask task)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at < task.count) {
        task.to[task.queue[at]] = task.from[at];
    }
}

cudaError_t wkLaunchScatterMotions(const uint32_t* queue, int64_t count,
                                   const wkBatchMotionResult* from, wkBatchMotionResult* to,
                                   cudaStream_t stream)
{
    resultsTask task = {queue, count, from, to};
    return wkLaunch(scatterMotions, blocksFor(count), THREADS, stream, task);
}

struct fillTask {
    wkBatchMotionResult result;
    int64_t count;
    wkBatchMotionResult* to;
};

static __global__ void __launch_bounds__(THREADS) fillMotions(fillTask task)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at < task.count) {
        task.to[at] = task.result;
    }
}

cudaError_t wkLaunchFillMotions(wkBatchMotionResult result, int64_t count, wkBatchMotionResult* to,
                                cudaStream_t stream)
{
    fillTask task = {result, count, to};
    return wkLaunch(fillMotions, blocksFor(count), THREADS, stream, task);
}
