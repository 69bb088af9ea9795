// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Compares spheres with point clouds, for kernels. What a warp finds open goes into a queue in shared memory. Groups of
// eight lanes take spheres from it and walk through the hierarchy of a cloud (batch/field_cloud.h), a lane for each box
// of an octet or point of a group: their loads are side by side, and groups that are done take the next sphere, so that
// lanes wait neither for longer walks nor for spheres that are decided already. Operations are those of
// wkFieldCloudItem_Touches.

#include "batch/field_sphere_item.h"
#include "cuda/state_warp.h"

// The boxes that a walk has left are bits of a number: eight for each level. Clouds of more than 2^27 points have more
// levels, and are left to the CPU.
#define WALK_LEVELS 8

// A sphere of a warp, compared with the cloud by its group.
typedef struct cloudWalk {
    int item;      // lane that has the sphere; -1: none
    unsigned slot; // bit of its configuration
    wkCloudSphere sphere;
    uint32_t entry, end; // entries of its brick that are left
    uint64_t left;       // boxes that are left, on the way to the current octet
    int level;           // of the octet; -1: a group of points
    uint32_t at;         // in its level
    unsigned mask;       // boxes of it that matter
} cloudWalk;

// Returns a walk of the sphere of this lane, to be taken by a group; without entries there is nothing to compare.
static __device__ __forceinline__ cloudWalk makeWalk(const wkFieldCloud& cloud,
                                                     const queuedSphere& from)
{
    cloudWalk walk = {};
    float reach = from.radius + cloud.sphere + cloud.slack;
    walk.item = laneOf();
    walk.slot = 1u << from.slot;
    walk.sphere = wkMakeCloudSphere(&cloud, from.center, reach);
    walk.entry = cloud.bricks[from.brick];
    walk.end = reach < 0.0f ? walk.entry : cloud.bricks[from.brick + 1];
    return walk;
}

// Fetches the walk of another lane.
static __device__ __forceinline__ cloudWalk fetchWalk(const cloudWalk& own, int lane)
{
    cloudWalk walk;
    walk.item = __shfl_sync(ALL_LANES, own.item, lane);
    walk.slot = __shfl_sync(ALL_LANES, own.slot, lane);
    for (int axis = 0; axis < 3; ++axis) {
        walk.sphere.center[axis] = __shfl_sync(ALL_LANES, own.sphere.center[axis], lane);
        walk.sphere.local[axis] = __shfl_sync(ALL_LANES, own.sphere.local[axis], lane);
    }
    walk.sphere.reach = __shfl_sync(ALL_LANES, own.sphere.reach, lane);
    walk.sphere.square = __shfl_sync(ALL_LANES, own.sphere.square, lane);
    walk.entry = __shfl_sync(ALL_LANES, own.entry, lane);
    walk.end = __shfl_sync(ALL_LANES, own.end, lane);
    walk.left = 0;
    walk.level = 0;
    walk.at = walk.mask = 0;
    return walk;
}

// Moves to the next octet or group of points, of which there is one.
static __device__ __forceinline__ void advance(const wkFieldCloud& cloud, cloudWalk& walk)
{
    if (walk.left == 0) {
        wkCloudEntry entry = cloud.entries[walk.entry++];
        walk.level = entry.level;
        walk.at = entry.octet - (uint32_t)cloud.firsts[walk.level];
        walk.mask = entry.mask;
        return;
    }
    // the lowest bit is that of the deepest octet
    uint32_t low = (uint32_t)walk.left;
    int bit = low != 0 ? wkLowestBit(low) : 32 + wkLowestBit((uint32_t)(walk.left >> 32));
    walk.left &= walk.left - 1;
    int level = bit / WK_OCTET;
    walk.at = (walk.at >> 3 * (level - walk.level)) * WK_OCTET + (uint32_t)(bit % WK_OCTET);
    walk.level = level - 1;
    walk.mask = 0xff;
}

// Returns whether the sphere meets the box or the point of this lane: points are boxes in the frame of the cloud.
static __device__ __forceinline__ bool meetsSlot(const wkFieldCloud& cloud, const cloudWalk& walk)
{
    int slot = laneOf() % WK_OCTET;
    bool isPoint = walk.level < 0;
    const float* lower = wkCloudGroups(cloud.cloud)[isPoint ? walk.at : 0].x;
    const float* upper = lower;
    float limit = walk.sphere.square;
    float at[3];
    for (int axis = 0; axis < 3; ++axis) {
        at[axis] = isPoint ? walk.sphere.local[axis] : walk.sphere.center[axis];
    }
    if (!isPoint) {
        const wkCloudOctet& octet = cloud.octets[(uint32_t)cloud.firsts[walk.level] + walk.at];
        lower = octet.lower[0];
        upper = octet.upper[0];
    } else if (cloud.cloud->radiusOffset != 0) {
        const float* radii = wkCloudFloats(cloud.cloud, cloud.cloud->radiusOffset);
        uint32_t rank = walk.at * WK_OCTET + (uint32_t)slot;
        uint32_t last = (uint32_t)cloud.cloud->pointCount - 1;
        float reach = radii[rank < last ? rank : last] + walk.sphere.reach;
        limit = reach * reach;
    }
    float x = wkOutsideRange(lower[slot], upper[slot], at[0]);
    float y = wkOutsideRange(lower[WK_OCTET + slot], upper[WK_OCTET + slot], at[1]);
    float z = wkOutsideRange(lower[2 * WK_OCTET + slot], upper[2 * WK_OCTET + slot], at[2]);
    return !((x * x + y * y) + z * z > limit);
}

// Compares up to 32 spheres with a cloud, a sphere from each lane.
// @param own of this lane; without entries: none
// @return configurations that touch
static __device__ __forceinline__ unsigned walkCloud(const wkFieldCloud& cloud,
                                                     const cloudWalk& own)
{
    unsigned waiting = __ballot_sync(ALL_LANES, own.entry < own.end), touching = 0;
    int group = laneOf() / WK_OCTET;
    cloudWalk walk = {};
    walk.item = -1;
    for (;;) {
        unsigned idle = __ballot_sync(ALL_LANES, walk.item < 0);
        if (idle == ALL_LANES && waiting == 0) {
            return touching;
        }
        if (idle != 0 && waiting != 0) {
            // groups that are idle take the first ones that wait
            int before = __popc(idle & ((1u << group * WK_OCTET) - 1u)) / WK_OCTET;
            unsigned later = waiting;
            WK_KEEP_LOOP
            for (int i = 0; i < before; ++i) {
                later &= later - 1;
            }
            WK_KEEP_LOOP
            for (int i = __popc(idle) / WK_OCTET; i > 0; --i) {
                waiting &= waiting - 1;
            }
            cloudWalk next = fetchWalk(own, later != 0 ? wkLowestBit(later) : 0);
            if (walk.item < 0 && later != 0) {
                walk = next;
            }
        }
        bool meets = false;
        if (walk.item >= 0) {
            advance(cloud, walk);
            meets = meetsSlot(cloud, walk);
        }
        unsigned near = __ballot_sync(ALL_LANES, meets) >> group * WK_OCTET & walk.mask;
        bool touches = walk.item >= 0 && walk.level < 0 && near != 0;
        if (walk.item >= 0 && walk.level >= 0) {
            walk.left |= (uint64_t)near << walk.level * WK_OCTET;
        }
        if (walk.item >= 0 && walk.left == 0 && walk.entry == walk.end) {
            walk.item = -1;
        }
        if (__any_sync(ALL_LANES, touches)) {
            touching |= __reduce_or_sync(ALL_LANES, touches ? walk.slot : 0u);
            waiting &= ~__ballot_sync(ALL_LANES, (own.slot & touching) != 0);
            walk.item = (walk.slot & touching) != 0 ? -1 : walk.item;
        }
    }
}

// Compares spheres of the queue with a cloud, from the first one given.
// @return configurations that touch
static __device__ __forceinline__ unsigned
compareQueued(const wkDeviceBatch& batch, const stateWarp& w, int32_t index, int32_t first)
{
    const wkField& field = batch.field;
    const wkFieldCloud& cloud = *field.clouds[index];
    cloudWalk own = {};
    if (first + laneOf() < w.queueCount) {
        const queuedSphere& sphere = w.queue[first + laneOf()];
        bool isLeft = (w.alive >> sphere.slot & 1u) != 0 &&
                      !wkField_MayTouchRuled(&field, field.cloudObjects[index].rule, sphere.side);
        if (isLeft) {
            own = makeWalk(cloud, sphere);
        }
    }
    return walkCloud(cloud, own);
}

// Returns configurations with spheres of the queue, the side of which must not touch a cloud.
static __device__ __forceinline__ unsigned askHost(const wkDeviceBatch& batch, const stateWarp& w,
                                                   int32_t index)
{
    const wkField& field = batch.field;
    unsigned slots = 0;
    WK_KEEP_LOOP
    for (int32_t i = laneOf(); i < w.queueCount; i += WK_WARP) {
        bool isFree =
            wkField_MayTouchRuled(&field, field.cloudObjects[index].rule, w.queue[i].side);
        slots |= isFree ? 0u : 1u << w.queue[i].slot;
    }
    return slots;
}

// Decides about all spheres of the queue.
static __device__ __forceinline__ void decideQueue(const wkDeviceBatch& batch, stateWarp& w)
{
    const wkField& field = batch.field;
    __syncwarp();
    WK_KEEP_LOOP
    for (int32_t i = 0; i < field.cloudCount; ++i) {
        if (field.clouds == NULL || field.clouds[i]->levelCount > WALK_LEVELS) {
            settleWorld(w, 0, 0, askHost(batch, w, i), 0);
            continue;
        }
        WK_KEEP_LOOP
        for (int32_t first = 0; first < w.queueCount; first += WK_WARP) {
            unsigned touching = compareQueued(batch, w, i, first);
            settleWorld(w, w.leavesContacts ? 0 : touching, 0, w.leavesContacts ? touching : 0, 0);
        }
    }
    __syncwarp();
    w.queueCount = 0;
}

// Appends the spheres of some lanes to the queue, and decides about it once there is one for each lane.
static __device__ __forceinline__ void queueSpheres(const wkDeviceBatch& batch, stateWarp& w,
                                                    const queuedSphere& sphere, bool isQueued)
{
    unsigned lanes = __ballot_sync(ALL_LANES, isQueued);
    if (lanes == 0) {
        return;
    }
    if (isQueued) {
        w.queue[w.queueCount + __popc(lanes & lowerLanes())] = sphere;
    }
    w.queueCount += __popc(lanes);
    if (w.queueCount >= WK_WARP) {
        decideQueue(batch, w);
    }
}
