// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernels of device_motions.h that certify motions: one begins them, one checks the intervals of a round, and one
// reports what they come to.

#include "cuda/motion_live.h"
#include "cuda/motion_self.h"
#include "cuda/motion_world.h"

#include "batch/check_bits.h"

#define THREADS (WK_STATE_WARPS * WK_WARP)
#define MOTION_THREADS 128

// As in batch/batch_certify.c.
#define LEAST_HALF 0x1p-30
#define MOST_UNCERTAIN 64
#define FIRST_INTERVAL 0.3
#define MOST_FIRST_LEVEL 4
#define MOST_WAY 1e12
#define ALL_BITS INT32_MAX

// Where objects or bodies of the CPU decide, intervals in which nothing moves further are not halved: cells and spheres
// prove little more, in metres.
#define HOST_WAY 0.004f

// Intervals of a motion with live points that are checked before it is uncertain.
#define MOST_LIVE_CHECKS (2 * WK_MOTION_CHECKS)

// Puts an item into the queue of a round. Behind the capacity, items are counted and lost.
static __device__ __forceinline__ void putItem(const wkDeviceMotions& motions, int round,
                                               wkMotionItem item)
{
    uint32_t at = atomicAdd(&motions.counts[round], 1u);
    if (at < motions.capacity) {
        motions.items[round % 2][at] = item;
    }
}

// Reserves items of the queue of a round for some lanes of a warp, `each` for a lane.
// @return where those of this lane begin
static __device__ __forceinline__ uint32_t reserveItems(const wkDeviceMotions& motions, int round,
                                                        bool isWanted, uint32_t each)
{
    unsigned lanes = __ballot_sync(ALL_LANES, isWanted);
    uint32_t start = 0;
    if (laneOf() == 0 && lanes != 0) {
        start = atomicAdd(&motions.counts[round], each * (uint32_t)__popc(lanes));
    }
    start = __shfl_sync(ALL_LANES, start, 0);
    return start + each * (uint32_t)__popc(lanes & lowerLanes());
}

static __device__ __forceinline__ wkItemWay wayOf(const wkDeviceMotions& motions, int64_t motion)
{
    int32_t length = motions.batch.program.variableCount;
    wkItemWay way = {wkItemRowAt(motions.from, motion, length),
                     wkItemRowAt(motions.to, motion, length)};
    return way;
}

// Sets the rates of the joints of a motion.
// @return the largest
static __device__ float setRates(const wkDeviceMotions& motions, wkItemWay way, int64_t motion)
{
    const wkDeviceMotionTables& tables = motions.tables;
    float* rates = motions.rates + 2 * motion * tables.jointCount;
    float largest = 0.0f;
    for (int32_t i = 1; i < tables.jointCount; ++i) {
        wkItemRate rate = wkItemRateOf(way, tables.variables, &tables.joints[i]);
        rates[2 * i] = rate.rotation;
        rates[2 * i + 1] = rate.translation;
        float rotation = fabsf(rate.rotation);
        largest = rotation > largest ? rotation : largest;
        largest = rate.translation > largest ? rate.translation : largest;
    }
    return largest;
}

static __global__ void __launch_bounds__(MOTION_THREADS)
    beginMotions(const __grid_constant__ wkDeviceMotions motions)
{
    int64_t index = (int64_t)blockIdx.x * MOTION_THREADS + threadIdx.x;
    if (index >= motions.count) {
        return;
    }
    const wkDeviceVariable* variables = motions.tables.variables;
    int32_t length = motions.batch.program.variableCount;
    wkItemWay way = wayOf(motions, index);
    wkDeviceMotion motion = {WK_NO_CONTACT, WK_NO_STOP, 0, 0, 0xffffffffu, 0, 0, 0, 0, 0};
    wkEndsVerdict ends =
        wkCheckItemEnds(way, variables, length, (motions.batch.bits & wk_checkLimits) != 0);
    motion.decided = ends.verdict;
    motion.decidedAt = ends.time;
    if (ends.verdict == wk_verdictUnchecked) {
        motion.isWithinLimits = !wkIsEndBeyond(way.from, variables, length) &&
                                !wkIsEndBeyond(way.to, variables, length);
        double most = (double)setRates(motions, way, index);
        motion.decided = most <= MOST_WAY ? wk_verdictUnchecked : wk_verdictUncertain;
        while (motion.firstLevel < MOST_FIRST_LEVEL &&
               (double)(1u << motion.firstLevel) * FIRST_INTERVAL < most) {
            ++motion.firstLevel;
        }
    }
    motions.motions[index] = motion;
    uint32_t first = 1u << motion.firstLevel;
    for (uint32_t i = first; i < 2 * first && motion.decided == wk_verdictUnchecked; ++i) {
        wkMotionItem item = {(uint32_t)index, i, ALL_BITS, ALL_BITS};
        putItem(motions, 0, item);
    }
}

// What the motion of an interval came to in earlier rounds: nothing else matters to it, whatever other warps do.
static __device__ __forceinline__ bool isStopped(const wkDeviceMotion& motion, int round)
{
    return motion.stop / 2 < (uint32_t)round;
}

template <bool hasLive>
static __device__ __forceinline__ bool isDone(const wkDeviceMotion& motion, int round)
{
    return motion.contact >> 40 < (unsigned long long)round ||
           (!hasLive && isStopped(motion, round));
}

static __device__ __forceinline__ void stopMotion(wkDeviceMotion& motion, int round,
                                                  wkMotionStop reason)
{
    atomicMin(&motion.stop, 2u * (uint32_t)round + (uint32_t)reason);
}

// Places the configuration in the middle of the interval of a lane.
// @param row of the lane
// @return false: the CPU decides
static __device__ __forceinline__ bool placeInterval(const wkDeviceMotions& motions,
                                                     const motionWarp& m, uint32_t index,
                                                     wkItemInterval interval, double* row,
                                                     float* rates)
{
    const wkProgram& program = motions.batch.program;
    wkItemWay way = wayOf(motions, index);
    for (int32_t i = 0; i < program.variableCount; ++i) {
        row[i] = wkItemBetween(way, &motions.tables.variables[i], i, interval.middle);
    }
    // half lengths are powers of two, so that nothing is rounded
    const float* whole = motions.rates + 2 * (int64_t)index * motions.tables.jointCount;
    float half = (float)interval.half;
    for (int32_t i = 2; i < 2 * motions.tables.jointCount; ++i) {
        rates[i * WK_ITEM_STRIDE] = whole[i] * half;
    }
    wkItemRow placed = {row, NULL};
    wkItemState state = wkLoadItem(&program, placed, m.w.own);
    WK_KEEP_LOOP
    for (int32_t i = 0; i < program.opCount; ++i) {
        state = wkWorseItem(state, wkRunItemOp(&m.w.tables.ops[i], placed, m.w.own));
    }
    return state == wk_itemValid;
}

// Records a contact in the middle of an interval.
static __device__ __forceinline__ void keepContact(wkDeviceMotion& motion, int round, uint32_t node,
                                                   wkVerdict verdict)
{
    unsigned long long contact = (unsigned long long)round << 40 | (unsigned long long)node << 8 |
                                 (unsigned long long)verdict;
    atomicMin(&motion.contact, contact);
}

// Ends the search in a motion with live points. A contact that is found in the same round comes first.
static __device__ __forceinline__ void endSearch(wkDeviceMotion& motion, int round)
{
    keepContact(motion, round, WK_NODE_LAST, wk_verdictUncertain);
}

// Records an interval that is not halved any more.
template <bool hasLive>
static __device__ __forceinline__ void keepUncertain(wkDeviceMotion& motion, int round,
                                                     wkItemInterval interval)
{
    atomicMin(&motion.uncertainAt, __float_as_uint((float)(interval.middle - interval.half)));
    if (atomicAdd(&motion.uncertainCount, 1u) == MOST_UNCERTAIN - 1) {
        if (hasLive) {
            endSearch(motion, round);
        } else {
            stopMotion(motion, round, wk_stopUncertain);
        }
    }
}

// Puts the halves of intervals into the queue of the next round. No middle is ever at an end of the motion: ends are
// checked separately where the first or the last interval is not proven.
static __device__ __forceinline__ void pushHalves(const wkDeviceMotions& motions,
                                                  const motionWarp& m, int round,
                                                  const wkMotionItem& item, uint32_t firstLevel,
                                                  bool isHalved)
{
    uint32_t at = reserveItems(motions, round + 1, isHalved, 2);
    wkMotionItem half = {item.motion, 2 * item.node, m.openParts, m.openPairs};
    for (uint32_t i = 0; i < 2 && isHalved; ++i, ++half.node) {
        if (at + i < motions.capacity) {
            motions.items[(round + 1) % 2][at + i] = half;
        }
    }
    if (round == 0 && isHalved && item.node == 1u << firstLevel) {
        half.node = WK_NODE_FIRST;
        putItem(motions, 1, half);
    }
    if (round == 0 && isHalved && item.node + 1 == 2u << firstLevel) {
        half.node = WK_NODE_LAST;
        putItem(motions, 1, half);
    }
}

// Records what the check of an interval has found out.
// @return whether it is halved
static __device__ __forceinline__ bool concludeInterval(const wkDeviceMotions& motions,
                                                        const motionWarp& m, int round,
                                                        const wkMotionItem& item,
                                                        wkItemInterval interval, bool isPlaced)
{
    wkDeviceMotion& motion = motions.motions[item.motion];
    unsigned lane = 1u << laneOf();
    unsigned touching = m.w.self | m.w.world | m.w.unknown;
    bool isLeftToHost = !isPlaced || (m.w.host & lane) != 0;
    if (atomicAdd(&motion.checkCount, 1u) == WK_MOTION_CHECKS) {
        stopMotion(motion, round, wk_stopHost);
    }
    if (isPlaced && (touching & lane) != 0) {
        keepContact(motion, round, item.node,
                    (m.w.world & lane) != 0  ? wk_verdictWorld
                    : (m.w.self & lane) != 0 ? wk_verdictSelf
                                             : wk_verdictUnknown);
        return false;
    }
    if (!isLeftToHost && (m.left & lane) == 0) {
        return false; // proven
    }
    float open = __uint_as_float(m.memory->open[laneOf()]);
    bool isSmall = interval.half <= LEAST_HALF || (double)open <= motions.tolerance;
    bool isByHost = (m.byHost & lane) != 0 && (isSmall || open <= HOST_WAY);
    if (isLeftToHost || isByHost || round + 1 == WK_MOTION_ROUNDS) {
        stopMotion(motion, round, wk_stopHost);
        return false;
    }
    if (isSmall) {
        keepUncertain<false>(motion, round, interval);
    }
    return !isSmall;
}

// The same with live points. What the CPU decides is left to it, and halves are checked where live points are not proven:
// the CPU does not know these.
static __device__ __forceinline__ bool
concludeWithLives(const wkDeviceMotions& motions, const motionWarp& m, const liveWarp& live,
                  int round, const wkMotionItem& item, wkItemInterval interval, bool isPlaced)
{
    wkDeviceMotion& motion = motions.motions[item.motion];
    unsigned lane = 1u << laneOf();
    unsigned touching = m.w.self | m.w.world | m.w.unknown;
    uint32_t before = atomicAdd(&motion.checkCount, 1u);
    if (before == WK_MOTION_CHECKS) {
        stopMotion(motion, round, wk_stopHost);
    } else if (before == MOST_LIVE_CHECKS) {
        endSearch(motion, round);
    }
    if (isPlaced && (touching & lane) != 0) {
        keepContact(motion, round, item.node,
                    (m.w.world & lane) != 0  ? wk_verdictWorld
                    : (m.w.self & lane) != 0 ? wk_verdictSelf
                                             : wk_verdictUnknown);
        return false;
    }
    if (isPlaced && ((m.w.host | m.left) & lane) == 0) {
        return false; // proven
    }
    float open = __uint_as_float(m.memory->open[laneOf()]);
    bool isSmall = interval.half <= LEAST_HALF || (double)open <= motions.tolerance;
    bool isByHost = (m.w.host & lane) != 0 ||
                    ((m.byHost & lane) != 0 && (isSmall || open <= HOST_WAY)) ||
                    (motions.batch.leavesTouching && isSmall);
    if (isPlaced && isByHost) {
        stopMotion(motion, round, wk_stopHost);
        if ((live.left & lane) == 0) {
            return false;
        }
    }
    if (!isPlaced || isSmall || round + 1 == WK_MOTION_ROUNDS) {
        keepUncertain<true>(motion, round, interval);
        return false;
    }
    return true;
}

static __device__ __forceinline__ stateTables tablesAt(const wkDeviceTables& tables,
                                                       const char* block)
{
    stateTables at;
    at.ops = (const wkItemOp*)(block + tables.opsAt);
    at.parts = (const wkDevicePart*)(block + tables.partsAt);
    at.spheres = (const wkDeviceSphere*)(block + tables.spheresAt);
    at.worldParts = (const int32_t*)(block + tables.worldPartsAt);
    at.constants = (const float*)(block + tables.constantsAt);
    return at;
}

// Shared memory of a warp: fixed arrays, rows of doubles, and numbers.
typedef struct warpBlock {
    WK_ALIGNAS(16) warpMemory state;
    motionMemory motion;
} warpBlock;

static __host__ __device__ __forceinline__ size_t warpBytes(const wkDeviceMotions& motions,
                                                            bool isShared)
{
    size_t count = (size_t)wkMotionNumberCount(&motions.batch, &motions.tables);
    return sizeof(warpBlock) + (size_t)motions.batch.rowBytes * WK_WARP +
           (isShared ? count * WK_WARP * sizeof(float) : 0);
}

// A warp at work, whose tables and numbers are in shared memory or not.
template <bool isShared>
static __device__ __forceinline__ motionWarp beginWarp(const wkDeviceMotions& motions, char* shared,
                                                       double** row)
{
    const wkDeviceBatch& batch = motions.batch;
    int warp = (int)threadIdx.x / WK_WARP;
    const char* block = batch.tables.block;
    if (isShared) {
        for (uint32_t i = threadIdx.x; i < batch.tables.sharedByteCount / 16; i += THREADS) {
            ((float4*)shared)[i] = ((const float4*)block)[i];
        }
        block = shared;
        shared += batch.tables.sharedByteCount;
        __syncthreads();
    }
    char* memory = shared + warp * warpBytes(motions, isShared);
    warpBlock* fixed = (warpBlock*)memory;
    char* rows = memory + sizeof(warpBlock);
    int64_t number = (int64_t)blockIdx.x * WK_STATE_WARPS + warp;
    int32_t numberCount = wkMotionNumberCount(&batch, &motions.tables);
    motionWarp m;
    m.w.tables = tablesAt(batch.tables, block);
    m.w.memory = &fixed->state;
    m.memory = &fixed->motion;
    m.w.own.constants = m.w.tables.constants;
    m.w.own.numbers = isShared ? (float*)(rows + batch.rowBytes * WK_WARP)
                               : motions.numbers + number * numberCount * WK_WARP;
    m.w.own.numbers += laneOf();
    m.rates = m.w.own.numbers + batch.numberCount * WK_ITEM_STRIDE;
    *row = (double*)rows + laneOf() * batch.program.variableCount;
    return m;
}

// Checks the intervals of a warp that are placed.
// @param isByBatch with live points: the CPU does not decide about the rest of the motion of this lane
template <bool checksSelf, wkLiveKind kind>
static __device__ __forceinline__ void certifyPlaced(const wkDeviceMotions& motions, motionWarp& m,
                                                     liveWarp& live, bool isPlaced,
                                                     bool isWithinLimits, bool isByBatch)
{
    m.w.self = m.w.selfOpen = m.w.world = m.w.unknown = m.w.open = m.w.host = 0;
    m.left = m.byHost = 0;
    m.openParts = m.openPairs = 0;
    m.memory->open[laneOf()] = 0;
    m.w.alive = __ballot_sync(ALL_LANES, isPlaced);
    m.within = __ballot_sync(ALL_LANES, isPlaced && isWithinLimits);
    m.w.isWithinLimits = false;
    __syncwarp();
    // the world comes first, as on the CPU
    constexpr bool hasLive = kind != wk_liveNone;
    if (hasLive) {
        live.byBatch = __ballot_sync(ALL_LANES, isPlaced && isByBatch);
        live.left = 0;
        certifyWithLives<kind == wk_liveWithObjects>(motions, m, live);
        m.w.alive &= live.byBatch;
    } else if ((motions.batch.bits & wk_checkWorld) != 0) {
        certifyWorld(motions, m);
    }
    if (checksSelf && (motions.batch.bits & wk_checkSelf) != 0) {
        certifySelf(motions, m);
    }
    if (hasLive && motions.batch.leavesTouching) {
        m.w.host |= m.w.self; // contacts of spheres do not decide
        m.w.self = 0;
    }
    __syncwarp();
}

struct certifyTask {
    wkDeviceMotions motions;
    int roundIndex;
};

struct certifyLiveTask {
    certifyTask task;
    wkDeviceLives lives;
};

// @param lives NULL without live points
template <bool isShared, bool checksSelf, wkLiveKind kind>
static __device__ __forceinline__ void certifyTiles(const wkDeviceMotions& motions,
                                                    const wkDeviceLives* lives, int round,
                                                    char* shared)
{
    constexpr bool hasLive = kind != wk_liveNone;
    int64_t count = motions.counts[round];
    if (count == 0 || count > (int64_t)motions.capacity) {
        return; // where items are lost, all motions are checked again
    }
    double* row;
    motionWarp m = beginWarp<isShared>(motions, shared, &row);
    liveWarp live = {lives, 0, 0};
    float* rates = (float*)m.rates;
    const wkMotionItem* items = motions.items[round % 2];
    int64_t first = (int64_t)blockIdx.x * WK_STATE_WARPS + threadIdx.x / WK_WARP;
    int64_t step = (int64_t)gridDim.x * WK_STATE_WARPS;
    for (int64_t tile = first; tile * WK_WARP < count; tile += step) {
        int64_t at = tile * WK_WARP + laneOf();
        wkMotionItem item = items[at < count ? at : count - 1];
        wkDeviceMotion motion = motions.motions[item.motion];
        bool isWanted = at < count && !isDone<hasLive>(motion, round);
        wkItemInterval interval = wkItemIntervalOf(item.node);
        bool isPlaced = isWanted && placeInterval(motions, m, item.motion, interval, row, rates);
        m.parts = item.parts;
        m.pairs = item.pairs;
        __syncwarp();
        certifyPlaced<checksSelf, kind>(motions, m, live, isPlaced, motion.isWithinLimits != 0,
                                           !isStopped(motion, round));
        bool isHalved = false;
        if (isWanted) {
            isHalved = hasLive
                           ? concludeWithLives(motions, m, live, round, item, interval, isPlaced)
                           : concludeInterval(motions, m, round, item, interval, isPlaced);
        }
        __syncwarp();
        if (__any_sync(ALL_LANES, isHalved)) {
            pushHalves(motions, m, round, item, motion.firstLevel, isHalved);
        }
    }
}

template <bool checksSelf>
static __global__ void __launch_bounds__(THREADS)
    certifyIntervals(const __grid_constant__ certifyTask task)
{
    WK_SHARED_BYTES(shared);
    certifyTiles<true, checksSelf, wk_liveNone>(task.motions, NULL, task.roundIndex, shared);
}

template <bool checksSelf, wkLiveKind kind>
static __global__ void __launch_bounds__(THREADS)
    certifyLiveIntervals(const __grid_constant__ certifyLiveTask live)
{
    WK_SHARED_BYTES(shared);
    certifyTiles<true, checksSelf, kind>(live.task.motions, &live.lives, live.task.roundIndex,
                                         shared);
}

// For robots whose frames do not fit into shared memory.
static __global__ void __launch_bounds__(THREADS)
    certifyLargeIntervals(const __grid_constant__ certifyTask task)
{
    WK_SHARED_BYTES(shared);
    certifyTiles<false, true, wk_liveNone>(task.motions, NULL, task.roundIndex, shared);
}

template <wkLiveKind kind>
static __global__ void __launch_bounds__(THREADS)
    certifyLargeLiveIntervals(const __grid_constant__ certifyLiveTask live)
{
    WK_SHARED_BYTES(shared);
    certifyTiles<false, true, kind>(live.task.motions, &live.lives, live.task.roundIndex, shared);
}

// What a motion comes to; wk_verdictUnchecked: the CPU decides.
static __device__ __forceinline__ wkBatchMotionResult resultOf(const wkDeviceMotions& motions,
                                                               const wkDeviceMotion& motion)
{
    wkBatchMotionResult result = {motion.decided, (float)motion.decidedAt, -1, 0};
    if (motion.decided != wk_verdictUnchecked) {
        // one that is too long is not free by spheres
        bool isTooLong = motion.decided == wk_verdictUncertain;
        result.verdict = isTooLong && motions.batch.leavesTouching ? (uint8_t)wk_verdictUnchecked
                                                                   : motion.decided;
        return result;
    }
    bool isTouching = motion.contact != WK_NO_CONTACT;
    bool isLeft = !isTouching && motion.stop != WK_NO_STOP && motion.stop % 2 == wk_stopHost;
    bool isUncertain = !isTouching && motion.uncertainCount > 0;
    result.stepCount = (int32_t)motion.checkCount;
    if (isTouching) {
        result.verdict = (uint8_t)(motion.contact & 0xffu);
        result.time = (float)wkItemIntervalOf((uint32_t)(motion.contact >> 8)).middle;
    } else if (isUncertain) {
        result.verdict = wk_verdictUncertain;
        result.time = __uint_as_float(motion.uncertainAt);
    } else {
        result.verdict = wk_verdictFree;
        result.time = 1.0f;
    }
    bool isFree = result.verdict == wk_verdictFree;
    isLeft = isLeft || (isFree ? motions.batch.leavesFree
                               : motions.batch.leavesTouching || motions.wantsFirst != 0);
    if (isLeft) {
        result.verdict = wk_verdictUnchecked;
    }
    return result;
}

// The same with live points: the CPU decides about the rest of those that are proven free of these, and about no others.
static __device__ __forceinline__ wkBatchMotionResult
resultWithLives(const wkDeviceMotions& motions, const wkDeviceMotion& motion)
{
    wkBatchMotionResult result = {motion.decided, (float)motion.decidedAt, -1, 0};
    if (motion.decided != wk_verdictUnchecked) {
        return result;
    }
    uint8_t ended = motion.contact != WK_NO_CONTACT ? (uint8_t)(motion.contact & 0xffu)
                                                    : (uint8_t)wk_verdictFree;
    bool isTouching = ended != wk_verdictFree && ended != wk_verdictUncertain;
    bool isUncertain = ended == wk_verdictUncertain || motion.uncertainCount > 0;
    result.stepCount = (int32_t)motion.checkCount;
    if (isTouching) {
        result.verdict = ended;
        result.time = (float)wkItemIntervalOf((uint32_t)(motion.contact >> 8)).middle;
    } else if (isUncertain) {
        result.verdict = wk_verdictUncertain;
        result.time = motion.uncertainCount > 0 ? __uint_as_float(motion.uncertainAt) : 0.0f;
    } else {
        bool isLeft = motion.stop != WK_NO_STOP || motions.batch.leavesFree;
        result.verdict = (uint8_t)(isLeft ? wk_verdictUnchecked : wk_verdictFree);
        result.time = 1.0f;
    }
    return result;
}

template <bool hasLive>
static __global__ void __launch_bounds__(MOTION_THREADS)
    reportMotions(const __grid_constant__ wkDeviceMotions motions)
{
    int64_t index = (int64_t)blockIdx.x * MOTION_THREADS + threadIdx.x;
    if (index >= motions.count) {
        return;
    }
    const wkDeviceMotion& motion = motions.motions[index];
    wkBatchMotionResult result =
        hasLive ? resultWithLives(motions, motion) : resultOf(motions, motion);
    motions.results[index] = result;
    if (result.verdict == wk_verdictUnchecked) {
        motions.hostQueue[atomicAdd(motions.hostCount, 1u)] = (uint32_t)index;
    }
}

// The kernels that check what a call asks for, and no more: each part takes registers.
typedef void certifyKernel(certifyTask task);
typedef void certifyLiveKernel(certifyLiveTask task);

static certifyKernel* chooseKernel(const wkDeviceMotions& motions, bool isShared)
{
    bool checksSelf = (motions.batch.bits & wk_checkSelf) != 0;
    return !isShared    ? certifyLargeIntervals
           : checksSelf ? certifyIntervals<true>
                        : certifyIntervals<false>;
}

template <wkLiveKind kind>
static certifyLiveKernel* chooseOfKind(const wkDeviceMotions& motions, bool isShared)
{
    bool checksSelf = (motions.batch.bits & wk_checkSelf) != 0;
    return !isShared    ? certifyLargeLiveIntervals<kind>
           : checksSelf ? certifyLiveIntervals<true, kind>
                        : certifyLiveIntervals<false, kind>;
}

static certifyLiveKernel* chooseLiveKernel(const wkDeviceMotions& motions, bool isShared,
                                           wkLiveKind kind)
{
    return kind == wk_liveWithObjects ? chooseOfKind<wk_liveWithObjects>(motions, isShared)
                                      : chooseOfKind<wk_livePoints>(motions, isShared);
}

size_t wkMotionsSharedBytes(const wkDeviceMotions* motions, bool isShared)
{
    return WK_STATE_WARPS * warpBytes(*motions, isShared) +
           (isShared ? motions->batch.tables.sharedByteCount : 0);
}

cudaError_t wkCountMotionBlocks(const wkDeviceMotions* motions, bool isShared, wkLiveKind kind,
                                size_t mostBytes, int* count)
{
    size_t bytes = wkMotionsSharedBytes(motions, isShared);
    return kind != wk_liveNone
               ? wkCountBlocks(chooseLiveKernel(*motions, isShared, kind), THREADS, bytes,
                               mostBytes, count)
               : wkCountBlocks(chooseKernel(*motions, isShared), THREADS, bytes, mostBytes, count);
}

// Checks all intervals of a round.
static cudaError_t launchRound(const certifyLiveTask& live, cudaStream_t stream)
{
    const wkDeviceMotions& motions = live.task.motions;
    bool isShared = motions.numbers == NULL;
    size_t bytes = wkMotionsSharedBytes(&motions, isShared);
    unsigned blocks = (unsigned)motions.blockCount;
    wkLiveKind kind = wkKindOfLives(live.lives.objects, live.lives.count);
    return live.lives.count > 0 ? wkLaunchShared(chooseLiveKernel(motions, isShared, kind), blocks,
                                                 THREADS, bytes, stream, live)
                                : wkLaunchShared(chooseKernel(motions, isShared), blocks, THREADS,
                                                 bytes, stream, live.task);
}

cudaError_t wkLaunchCertifyMotions(const wkDeviceMotions* motions, const wkDeviceLives* lives,
                                   cudaStream_t stream)
{
    unsigned blocks = (unsigned)((motions->count + MOTION_THREADS - 1) / MOTION_THREADS);
    certifyLiveTask live = {{*motions, 0}, *lives};
    cudaError_t error = wkLaunch(beginMotions, blocks, MOTION_THREADS, stream, *motions);
    for (int round = 0; round < WK_MOTION_ROUNDS && error == cudaSuccess; ++round) {
        live.task.roundIndex = round;
        error = launchRound(live, stream);
    }
    auto* report = lives->count > 0 ? reportMotions<true> : reportMotions<false>;
    return error == cudaSuccess ? wkLaunch(report, blocks, MOTION_THREADS, stream, *motions)
                                : error;
}
