// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A warp that checks 32 configurations, for kernels: see device_batch.h.

#include "cuda/device_batch.h"
#include "cuda/launch.h"

#define ALL_LANES 0xffffffffu

// Shared memory of a warp, before its numbers and its rows.
typedef struct warpMemory {
    uint8_t slots[WK_WARP];
} warpMemory;

// A sphere that is to be compared with clouds.
typedef struct queuedSphere {
    float center[3]; // relative to the origin of the field
    float radius;
    int32_t brick;
    int32_t side;
    int32_t slot; // of its configuration
} queuedSphere;

// Spheres of a warp that are decided together: one for each lane, after those that did not fill all lanes.
#define WARP_QUEUE (2 * WK_WARP)

// Tables of the batch, in shared memory where they fit.
typedef struct stateTables {
    const wkItemOp* ops;
    const wkDevicePart* parts;
    const wkDeviceSphere* spheres;
    const float* selfRadii;
    const float* innerRadii;
    const int32_t* worldParts;
    const float* constants;
    const wkDevicePair* pairs;
    const wkContactGroup* groups;
    const int32_t* groupSpheres;
} stateTables;

// All but `own` are the same in all lanes; bits of lanes are those of their configurations.
typedef struct stateWarp {
    stateTables tables;
    wkItemScratch own; // configuration of this lane
    warpMemory* memory;
    queuedSphere* queue; // of the second kernel
    int32_t queueCount;
    unsigned alive;    // neither settled nor left to others
    unsigned self;     // touching themselves
    unsigned world;    // touching objects
    unsigned unknown;  // touching unknown space
    unsigned selfOpen; // left to the second kernel
    unsigned open;     // left to the second kernel, unless they touch objects
    unsigned host;     // left to the CPU, unless they touch objects
    unsigned pending;  // with spheres in the queue of the third kernel
    uint32_t first;    // configuration of the first lane, in the first kernel
    bool isWithinLimits;
    bool leavesContacts; // contacts with objects are left to the CPU, live points are not
} stateWarp;

static __device__ __forceinline__ int laneOf(void)
{
    return (int)(threadIdx.x % WK_WARP);
}

static __device__ __forceinline__ unsigned lowerLanes(void)
{
    return (1u << laneOf()) - 1u;
}

// The configuration of another lane.
static __device__ __forceinline__ wkItemScratch scratchOf(const stateWarp& w, int slot)
{
    wkItemScratch scratch = w.own;
    scratch.numbers += slot - laneOf();
    return scratch;
}

static __device__ __forceinline__ bool isAlive(const stateWarp& w)
{
    return (w.alive >> laneOf() & 1u) != 0;
}

// Work of some configurations that is divided among all lanes: each takes a configuration, and every `step`-th item of it.
typedef struct sharedWork {
    int slot;      // configuration of this lane
    unsigned mask; // its bit; 0: there is none for this lane
    int first;     // of its items
    int step;
} sharedWork;

// @param slots bits of configurations, not 0
static __device__ __forceinline__ sharedWork shareWork(const stateWarp& w, unsigned slots)
{
    int count = __popc(slots), lane = laneOf();
    int shift = count > 1 ? 32 - __clz(count - 1) : 0; // the next power of two
    __syncwarp();
    if ((slots >> lane & 1u) != 0) {
        w.memory->slots[__popc(slots & lowerLanes())] = (uint8_t)lane;
    }
    __syncwarp();
    int index = lane & ((1 << shift) - 1);
    bool hasSlot = index < count;
    sharedWork work;
    work.slot = hasSlot ? (int)w.memory->slots[index] : lane;
    work.mask = hasSlot ? 1u << work.slot : 0u;
    work.first = lane >> shift;
    work.step = WK_WARP >> shift;
    return work;
}

// Removes configurations whose verdict is known.
static __device__ __forceinline__ void settle(stateWarp& w, unsigned& verdict, unsigned slots)
{
    verdict |= slots;
    w.alive &= ~slots;
}

// Merges what lanes have found out about configurations.
static __device__ __forceinline__ void settleWorld(stateWarp& w, unsigned touching,
                                                   unsigned unknown, unsigned host, unsigned open)
{
    if (__any_sync(ALL_LANES, (unknown | host | open) != 0)) {
        w.unknown |= __reduce_or_sync(ALL_LANES, unknown);
        w.host |= __reduce_or_sync(ALL_LANES, host);
        w.open |= __reduce_or_sync(ALL_LANES, open);
    }
    settle(w, w.world, __reduce_or_sync(ALL_LANES, touching));
}
