// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The first two kernels of device_batch.h, which check configurations.

#include "cuda/state_self.h"
#include "cuda/state_warp.h"
#include "cuda/state_world.h"

#include "batch/check_bits.h"

#define THREADS (WK_STATE_WARPS * WK_WARP)

// As in wkRobotScene_Check.
#define LIMIT_SLACK 1e-9

// Whether a variable is beyond its limits; only those near one are looked at twice.
static __device__ __forceinline__ bool isBeyondLimits(const wkDeviceBatch& batch, wkItemRow row,
                                                      wkItemScratch scratch)
{
    const float* values = wkItemValues(&batch.program, scratch);
    bool isBeyond = false;
    WK_KEEP_LOOP
    for (int32_t i = 0; i < batch.program.variableCount; ++i) {
        float value = values[i * WK_ITEM_STRIDE];
        if (!(value > batch.limits[2 * i]) || !(batch.limits[2 * i + 1] > value)) {
            double exact = wkItemNumber(row, i);
            isBeyond = isBeyond || exact < batch.exactLimits[2 * i] - LIMIT_SLACK ||
                       exact > batch.exactLimits[2 * i + 1] + LIMIT_SLACK;
        }
    }
    return isBeyond;
}

// Loads the configuration of a lane.
// @return wk_verdictFree: it is to be placed; wk_verdictUnchecked: the CPU decides
static __device__ __forceinline__ wkVerdict loadState(const wkDeviceBatch& batch, wkItemRow row,
                                                      wkItemScratch scratch)
{
    wkItemState loaded = wkLoadItem(&batch.program, row, scratch);
    bool isBeyond = (batch.bits & wk_checkLimits) != 0 && isBeyondLimits(batch, row, scratch);
    return loaded == wk_itemInvalid  ? wk_verdictInvalid
           : isBeyond                ? wk_verdictLimits
           : loaded == wk_itemBeyond ? wk_verdictUnchecked
                                     : wk_verdictFree;
}

// Places the configuration of a lane.
// @return as loadState
static __device__ __forceinline__ wkVerdict placeState(const wkDeviceBatch& batch,
                                                       const stateWarp& w, wkItemRow row,
                                                       wkVerdict loaded)
{
    wkItemState state = wk_itemValid;
    WK_KEEP_LOOP
    for (int32_t i = 0; i < batch.program.opCount; ++i) {
        state = wkWorseItem(state, wkRunItemOp(&w.tables.ops[i], row, w.own));
    }
    // an invalid quaternion comes before limits
    return state == wk_itemInvalid                             ? wk_verdictInvalid
           : state == wk_itemBeyond && loaded == wk_verdictFree ? wk_verdictUnchecked
                                                                : loaded;
}

// What becomes of a configuration.
struct stateFate {
    wkVerdict verdict; // wk_verdictUnchecked where it goes into a queue
    wkDeviceQueue queue;
    bool asksSelf; // the second kernel has to check contacts with itself
};

// Set in the queue of the second kernel beside configurations that ask for contacts of the robot with itself. The first
// kernel has proven that there are none for all others.
#define ASKS_SELF 0x80000000u

// After the checks of the robot itself: what the CPU decides needs no more checks, but for live points, which it does not
// know.
template <bool hasLive>
static __device__ __forceinline__ void leaveToHost(const wkDeviceBatch& batch, stateWarp& w)
{
    if (!hasLive) {
        w.alive &= ~w.host;
    } else if (batch.leavesTouching) {
        w.host |= w.self;
        w.alive |= w.self;
        w.self = 0;
    }
}

// Checks configurations of a warp for contacts of the robot with itself.
// @param asked bits of these; all others have none
template <bool hasLive, bool decides>
static __device__ __forceinline__ void checkSelfOf(const wkDeviceBatch& batch, stateWarp& w,
                                                   unsigned asked)
{
    unsigned others = w.alive & ~asked;
    w.alive &= asked;
    if (w.alive != 0) {
        bool isBeyond = isAlive(w) && wkIsItemBeyondLimits(&batch.program, w.own);
        w.isWithinLimits = __ballot_sync(ALL_LANES, isBeyond) == 0;
        checkSelf<decides>(batch, w);
        leaveToHost<hasLive>(batch, w);
    }
    w.alive |= others;
}

// Checks the configurations of a warp that are placed.
// @param placed of this lane
// @param asksSelf whether contacts with itself are to be checked for this lane
template <bool checksSelf, wkLiveKind kind, bool decides>
static __device__ __forceinline__ stateFate checkPlaced(const wkDeviceStates& states, stateWarp& w,
                                                        wkVerdict placed, bool asksSelf)
{
    constexpr bool hasLive = kind != wk_liveNone;
    const wkDeviceBatch& batch = states.batch;
    bool isPlaced = placed == wk_verdictFree;
    w.queueCount = 0;
    w.leavesContacts = hasLive && batch.leavesTouching;
    w.self = w.selfOpen = w.world = w.unknown = w.open = w.host = w.pending = 0;
    w.alive = __ballot_sync(ALL_LANES, isPlaced);
    if (checksSelf && (batch.bits & wk_checkSelf) != 0) {
        checkSelfOf<hasLive, decides>(batch, w, __ballot_sync(ALL_LANES, asksSelf));
    }
    worldCheck<decides, kind> world = {states};
    world.run(w);
    stateFate fate = {placed, wk_queueHost, false};
    if (!isPlaced) {
        // the CPU does not know live points
        fate.verdict = hasLive && placed == wk_verdictUnchecked ? wk_verdictUncertain : placed;
        return fate;
    }
    unsigned lane = 1u << laneOf();
    bool isTouching = ((w.self | w.world) & lane) != 0, isUnknown = (w.unknown & lane) != 0;
    bool isOpen = (w.selfOpen & lane) != 0 || (!isTouching && (w.open & lane) != 0);
    bool isLeft = isTouching ? batch.leavesTouching && !hasLive
                             : (w.host & lane) != 0 || batch.leavesFree ||
                                   (isUnknown && batch.leavesTouching);
    // what the CPU decides must be free of live points before
    isOpen = isOpen || (isLeft && (w.pending & lane) != 0);
    fate.queue = isOpen ? wk_queueOpen : wk_queueHost;
    fate.asksSelf = ((w.selfOpen | w.host) & lane) != 0;
    fate.verdict = isOpen || isLeft          ? wk_verdictUnchecked
                   : (w.self & lane) != 0    ? wk_verdictSelf
                   : (w.world & lane) != 0   ? wk_verdictWorld
                   : isUnknown               ? wk_verdictUnknown
                                             : wk_verdictFree;
    return fate;
}

static __device__ __forceinline__ wkItemRow rowAt(const wkDeviceStates& states, int64_t index)
{
    int64_t at = index * states.batch.program.variableCount;
    wkItemRow row = {states.doubles != NULL ? states.doubles + at : NULL,
                     states.doubles != NULL ? NULL : states.floats + at};
    return row;
}

// Puts configurations of a warp into a queue.
static __device__ __forceinline__ void enqueue(uint32_t* queue, uint32_t* count, bool isLeft,
                                               int64_t index)
{
    unsigned left = __ballot_sync(ALL_LANES, isLeft);
    if (left == 0) {
        return;
    }
    unsigned start = 0;
    if (laneOf() == 0) {
        start = atomicAdd(count, (unsigned)__popc(left));
    }
    start = __shfl_sync(ALL_LANES, start, 0);
    if (isLeft) {
        queue[start + (unsigned)__popc(left & lowerLanes())] = (uint32_t)index;
    }
}

// Writes the verdict of a lane, or puts its configuration into a queue.
// @param index -1: there is none
static __device__ __forceinline__ void writeVerdict(const wkDeviceStates& states, int64_t index,
                                                    stateFate fate)
{
    bool isLeft = index >= 0 && fate.verdict == wk_verdictUnchecked;
    if (index >= 0) {
        states.verdicts[index] = (uint8_t)fate.verdict;
    }
    if (__any_sync(ALL_LANES, isLeft)) {
        enqueue(states.open, &states.queueCounts[wk_queueOpen], isLeft && fate.queue == wk_queueOpen,
                index | (fate.asksSelf ? ASKS_SELF : 0));
        enqueue(states.queue, &states.queueCounts[wk_queueHost],
                isLeft && fate.queue == wk_queueHost, index);
    }
}

// @param block the part of the tables that is in shared memory, or all of them
static __device__ __forceinline__ stateTables tablesAt(const wkDeviceTables& tables,
                                                       const char* block)
{
    const char* pairs = tables.pairsAt < tables.sharedByteCount ? block : tables.block;
    stateTables at;
    at.ops = (const wkItemOp*)(block + tables.opsAt);
    at.parts = (const wkDevicePart*)(block + tables.partsAt);
    at.spheres = (const wkDeviceSphere*)(block + tables.spheresAt);
    at.worldParts = (const int32_t*)(block + tables.worldPartsAt);
    at.selfRadii = (const float*)(block + tables.selfRadiiAt);
    at.innerRadii = (const float*)(block + tables.innerRadiiAt);
    at.constants = (const float*)(block + tables.constantsAt);
    at.pairs = (const wkDevicePair*)(pairs + tables.pairsAt);
    at.groups = (const wkContactGroup*)(pairs + tables.groupsAt);
    at.groupSpheres = (const int32_t*)(pairs + tables.groupSpheresAt);
    return at;
}

// Shared memory of the queue of a warp, which the second kernel has.
static __host__ __device__ __forceinline__ size_t queueBytes(bool decides)
{
    return decides ? WARP_QUEUE * sizeof(queuedSphere) : 0;
}

// Shared memory of a warp.
static __host__ __device__ __forceinline__ size_t warpBytes(const wkDeviceBatch& batch,
                                                            bool isShared, bool decides)
{
    size_t numbers = (size_t)batch.numberCount * WK_WARP * sizeof(float);
    return sizeof(warpMemory) + queueBytes(decides) + (isShared ? numbers : 0);
}

// A warp at work, whose tables and numbers are in shared memory or not.
template <bool isShared, bool decides>
static __device__ __forceinline__ stateWarp beginWarp(const wkDeviceStates& states, char* shared)
{
    const wkDeviceBatch& batch = states.batch;
    int warp = (int)threadIdx.x / WK_WARP;
    const char* block = batch.tables.block;
    if (isShared) {
        WK_KEEP_LOOP
        for (uint32_t i = threadIdx.x; i < batch.tables.sharedByteCount / 16; i += THREADS) {
            ((float4*)shared)[i] = ((const float4*)block)[i];
        }
        block = shared;
        shared += batch.tables.sharedByteCount;
        __syncthreads();
    }
    char* memory = shared + warp * warpBytes(batch, isShared, decides);
    int64_t number = (int64_t)blockIdx.x * WK_STATE_WARPS + warp;
    stateWarp w;
    w.tables = tablesAt(batch.tables, block);
    w.memory = (warpMemory*)memory;
    memory += sizeof(warpMemory);
    w.queue = (queuedSphere*)memory;
    w.own.constants = w.tables.constants;
    w.own.numbers = isShared ? (float*)(memory + queueBytes(decides))
                             : states.numbers + number * batch.numberCount * WK_WARP;
    w.own.numbers += laneOf();
    return w;
}

// Checks all configurations by look-ups and spheres.
template <bool isShared, bool checksSelf, wkLiveKind kind>
static __device__ __forceinline__ void checkTiles(const wkDeviceStates& states, char* shared)
{
    const wkDeviceBatch& batch = states.batch;
    stateWarp w = beginWarp<isShared, false>(states, shared);
    int64_t first = (int64_t)blockIdx.x * WK_STATE_WARPS + threadIdx.x / WK_WARP;
    int64_t step = (int64_t)gridDim.x * WK_STATE_WARPS;
    WK_KEEP_LOOP
    for (int64_t tile = first; tile * WK_WARP < states.count; tile += step) {
        int64_t index = tile * WK_WARP + laneOf();
        bool isState = index < states.count;
        wkItemRow row = rowAt(states, isState ? index : states.count - 1);
        w.first = (uint32_t)(tile * WK_WARP);
        wkVerdict verdict = placeState(batch, w, row, loadState(batch, row, w.own));
        __syncwarp();
        stateFate fate =
            checkPlaced<checksSelf, kind, false>(states, w, isState ? verdict : wk_verdictInvalid,
                                                 true);
        writeVerdict(states, isState ? index : -1, fate);
        __syncwarp();
    }
}

// Decides the configurations that are left open.
template <bool isShared, bool checksSelf, wkLiveKind kind>
static __device__ __forceinline__ void decideTiles(const wkDeviceStates& states, char* shared)
{
    const wkDeviceBatch& batch = states.batch;
    stateWarp w = beginWarp<isShared, true>(states, shared);
    int64_t first = (int64_t)blockIdx.x * WK_STATE_WARPS + threadIdx.x / WK_WARP;
    int64_t count = states.queueCounts[wk_queueOpen];
    WK_KEEP_LOOP
    for (int64_t tile = first; tile * WK_WARP < count; tile += (int64_t)gridDim.x * WK_STATE_WARPS) {
        int64_t at = tile * WK_WARP + laneOf();
        bool isState = at < count;
        uint32_t entry = states.open[isState ? at : count - 1];
        int64_t index = entry & ~ASKS_SELF;
        wkItemRow row = rowAt(states, index);
        wkVerdict verdict = placeState(batch, w, row, loadState(batch, row, w.own));
        __syncwarp();
        stateFate fate =
            checkPlaced<checksSelf, kind, true>(states, w, isState ? verdict : wk_verdictInvalid,
                                                (entry & ASKS_SELF) != 0);
        writeVerdict(states, isState ? index : -1, fate);
        __syncwarp();
    }
}

template <bool checksSelf, wkLiveKind kind, int blocksEach>
static __global__ void __launch_bounds__(THREADS, blocksEach)
    checkStates(const __grid_constant__ wkDeviceStates states)
{
    WK_SHARED_BYTES(shared);
    checkTiles<true, checksSelf, kind>(states, shared);
}

template <bool checksSelf, wkLiveKind kind, int blocksEach>
static __global__ void __launch_bounds__(THREADS, blocksEach)
    decideStates(const __grid_constant__ wkDeviceStates states)
{
    WK_SHARED_BYTES(shared);
    decideTiles<true, checksSelf, kind>(states, shared);
}

// For robots whose frames do not fit into shared memory.
template <wkLiveKind kind>
static __global__ void __launch_bounds__(THREADS)
    checkLargeStates(const __grid_constant__ wkDeviceStates states)
{
    WK_SHARED_BYTES(shared);
    checkTiles<false, true, kind>(states, shared);
}

template <wkLiveKind kind>
static __global__ void __launch_bounds__(THREADS)
    decideLargeStates(const __grid_constant__ wkDeviceStates states)
{
    WK_SHARED_BYTES(shared);
    decideTiles<false, true, kind>(states, shared);
}

typedef void stateKernel(wkDeviceStates states);

// The kernels that check and decide what a call asks for, and no more: each part takes registers. Look-ups are the same for
// points and objects.
static stateKernel* const kernels[2][WK_LIVE_KIND_COUNT][2] = {
    {{checkStates<false, wk_liveNone, 8>, decideStates<false, wk_liveNone, 5>},
     {checkStates<false, wk_livePoints, 4>, decideStates<false, wk_livePoints, 4>},
     {checkStates<false, wk_livePoints, 4>, decideStates<false, wk_liveWithObjects, 4>}},
    {{checkStates<true, wk_liveNone, 6>, decideStates<true, wk_liveNone, 4>},
     {checkStates<true, wk_livePoints, 4>, decideStates<true, wk_livePoints, 3>},
     {checkStates<true, wk_livePoints, 4>, decideStates<true, wk_liveWithObjects, 3>}},
};
static stateKernel* const largeKernels[WK_LIVE_KIND_COUNT][2] = {
    {checkLargeStates<wk_liveNone>, decideLargeStates<wk_liveNone>},
    {checkLargeStates<wk_livePoints>, decideLargeStates<wk_livePoints>},
    {checkLargeStates<wk_livePoints>, decideLargeStates<wk_liveWithObjects>},
};

static stateKernel* const* chooseKernels(const wkDeviceBatch& batch, bool isShared, wkLiveKind kind)
{
    bool checksSelf = (batch.bits & wk_checkSelf) != 0;
    return isShared ? kernels[checksSelf][kind] : largeKernels[kind];
}

// Shared memory of a block of the first or the second kernel.
static size_t blockBytes(const wkDeviceBatch& batch, bool isShared, bool decides)
{
    return WK_STATE_WARPS * warpBytes(batch, isShared, decides) +
           (isShared ? batch.tables.sharedByteCount : 0);
}

size_t wkStatesSharedBytes(const wkDeviceBatch* batch, bool isShared)
{
    return blockBytes(*batch, isShared, true);
}

cudaError_t wkCountStateBlocks(const wkDeviceBatch* batch, bool isShared, wkLiveKind kind,
                               size_t mostBytes, int counts[2])
{
    stateKernel* const* both = chooseKernels(*batch, isShared, kind);
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < 2 && error == cudaSuccess; ++i) {
        error = wkCountBlocks(both[i], THREADS, blockBytes(*batch, isShared, i == 1), mostBytes,
                              &counts[i]);
    }
    return error;
}

cudaError_t wkLaunchCheckStates(const wkDeviceStates* states, cudaStream_t stream)
{
    bool isShared = states->numbers == NULL;
    wkLiveKind kind = wkKindOfLives(states->objects, states->liveCount);
    stateKernel* const* both = chooseKernels(states->batch, isShared, kind);
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < 2 && error == cudaSuccess; ++i) {
        error = wkLaunchShared(both[i], (unsigned)states->blockCounts[i], THREADS,
                               blockBytes(states->batch, isShared, i == 1), stream, *states);
    }
    return error == cudaSuccess && states->liveCount > 0 ? wkLaunchOpenSpheres(states, stream)
                                                         : error;
}
