// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Checks the configurations of a warp against objects, maps and live points, for kernels.

#include "batch/check_bits.h"
#include "batch/field_item.h"
#include "cuda/live_object_warp.h"
#include "cuda/state_cloud.h"

// Parts that are looked up at once, so that the latencies of memory overlap.
#define PARTS_AT_ONCE 2

// What lanes find out about configurations, as bits of these.
struct worldFindings {
    unsigned touching, unknown, host, open;
};

// What a check reads, and whether it goes beyond look-ups.
template <bool decides, wkLiveKind kind> struct worldCheck {
    static constexpr bool hasLive = kind != wk_liveNone;
    const wkDeviceStates& states;

    // Adds a contact with the field of the batch. Where shapes overrule spheres, the CPU decides about it; live points, which
    // the CPU does not know, are checked all the same.
    __device__ __forceinline__ void addTouch(const stateWarp& w, unsigned mask,
                                             worldFindings& found) const
    {
        if (w.leavesContacts) {
            found.host |= mask;
        } else {
            found.touching |= mask;
        }
    }

    // Checks a sphere against the field of the batch, but for clouds.
    // @param sphere its brick is set where clouds matter
    // @param mask bit of the configuration
    __device__ __forceinline__ void againstField(const stateWarp& w, const wkDevicePart& part,
                                                 queuedSphere& sphere, unsigned mask,
                                                 worldFindings& found) const
    {
        const wkField& field = states.batch.field;
        const wkFieldGrid& grid = field.layers[part.layer].grid;
        wkFieldCell cell = wkFieldItem_Find(&grid, sphere.center);
        if (!wkFieldItem_IsOpen(&grid, cell, sphere.radius)) {
            return;
        }
        if (wkFieldItem_IsTouching(&grid, cell, sphere.radius)) {
            addTouch(w, mask, found);
        } else if (!decides) {
            found.open |= mask;
        } else {
            wkVerdict verdict = wkFieldItem_CheckObjects(&field, part.side, sphere.center,
                                                         sphere.radius, &sphere.brick);
            if (verdict == wk_verdictWorld) {
                addTouch(w, mask, found);
            }
            found.unknown |= verdict == wk_verdictUnknown ? mask : 0u;
            found.host |= verdict == wk_verdictUnchecked ? mask : 0u;
        }
    }

    // Puts spheres that look-ups leave open into the queue of the third kernel, or their configurations into that of the
    // second one where it is full. The count is not raised then: it never runs over.
    // @param open bits of the lanes with such a sphere
    __device__ __forceinline__ void queueOpen(stateWarp& w, unsigned open, wkOpenSphere sphere,
                                              int slot) const
    {
        uint32_t* count = &states.queueCounts[wk_queueSpheres];
        unsigned start = states.sphereCapacity;
        if (laneOf() == 0 && *(const volatile uint32_t*)count < start) {
            start = atomicAdd(count, (unsigned)__popc(open));
        }
        start = __shfl_sync(ALL_LANES, start, 0);
        unsigned at = start + (unsigned)__popc(open & lowerLanes());
        bool isOpen = (open >> laneOf() & 1u) != 0, isStored = at < states.sphereCapacity;
        if (isOpen && isStored) {
            states.spheres[at] = sphere;
        }
        unsigned mask = isOpen ? 1u << slot : 0u;
        w.pending |= __reduce_or_sync(ALL_LANES, mask);
        w.open |= __reduce_or_sync(ALL_LANES, isStored ? 0u : mask);
    }

    // Checks the sphere of a lane against live points, whose look-ups all lanes decide together.
    // @param isSphere whether the lane has one
    // @return whether it touches
    __device__ __forceinline__ bool againstLive(stateWarp& w, bool isSphere,
                                                const queuedSphere& sphere) const
    {
        bool isTouching = false;
        WK_KEEP_LOOP
        for (int32_t i = 0; i < states.liveCount; ++i) {
            const wkDeviceLive& live = states.lives[i];
            float x = sphere.center[0] + live.offset[0], y = sphere.center[1] + live.offset[1];
            float z = sphere.center[2] + live.offset[2];
            float grown = (sphere.radius + live.rounding) * (1.0f + 0x1p-22f);
            wkLiveFinding finding = wk_liveFree;
            if (isSphere && !isTouching) {
                finding = wkLiveField_Classify(&live.field, x, y, z, grown);
            }
            unsigned open = __ballot_sync(ALL_LANES, finding == wk_liveOpen), touching = 0;
            if (decides && open != 0) {
                touching = wkTouchesLiveOfWarp<kind == wk_liveWithObjects>(
                    &live.field, &states.objects[i], open, x, y, z, grown);
            } else if (open != 0) {
                wkOpenSphere left = {x, y, z, grown, w.first + (uint32_t)sphere.slot, (uint32_t)i};
                queueOpen(w, open, left, sphere.slot);
            }
            isTouching =
                isTouching || finding == wk_liveTouching || (touching >> laneOf() & 1u) != 0;
        }
        return isTouching;
    }

    // Whether the sphere around a part may touch a live point, by look-ups alone.
    __device__ __forceinline__ bool isNearLive(wkVec3f center, float radius) const
    {
        bool isNear = false;
        WK_KEEP_LOOP
        for (int32_t i = 0; i < states.liveCount; ++i) {
            const wkDeviceLive& live = states.lives[i];
            float grown = (radius + live.rounding) * (1.0f + 0x1p-22f);
            isNear =
                isNear || wkLiveField_Classify(&live.field, center.x + live.offset[0],
                                               center.y + live.offset[1], center.z + live.offset[2],
                                               grown) != wk_liveFree;
        }
        return isNear;
    }

    // Whether the sphere around a part may touch something in the configuration of this lane.
    // @param isWorld the part is checked against the field of the batch, too
    __device__ __forceinline__ bool isPartNear(const stateWarp& w, const wkDevicePart& part,
                                               bool isWorld) const
    {
        wkItemFrame frame = wkReadFrame(w.own, part.axes);
        wkVec3f center = wkPlaceItemPoint(&frame, part.x, part.y, part.z);
        bool isNear = false;
        if (!hasLive || isWorld) {
            const wkFieldGrid& grid = states.batch.field.layers[part.layer].grid;
            const float point[3] = {center.x, center.y, center.z};
            isNear = wkFieldItem_IsOpen(&grid, wkFieldItem_Find(&grid, point), part.radius);
        }
        return isNear || (hasLive && isNearLive(center, part.radius));
    }

    // Looks up the spheres of a part in the configurations whose sphere around it is not free.
    __device__ __forceinline__ void findSpheres(stateWarp& w, const wkDevicePart& part,
                                                unsigned slots) const
    {
        sharedWork work = shareWork(w, slots);
        worldFindings found = {0, 0, 0, 0};
        wkItemFrame frame = wkReadFrame(scratchOf(w, work.slot), part.axes);
        const wkDeviceSphere* spheres = w.tables.spheres + part.firstSphere;
        int32_t count = work.mask != 0 ? part.sphereCount : 0;
        WK_KEEP_LOOP
        for (int32_t i = work.first; i < count; i += work.step) {
            wkDeviceSphere sphere = spheres[i];
            wkVec3f center = wkPlaceItemPoint(&frame, sphere.x, sphere.y, sphere.z);
            queuedSphere placed = {
                {center.x, center.y, center.z}, sphere.radius, -1, part.side, work.slot};
            againstField(w, part, placed, work.mask, found);
        }
        __syncwarp();
        settle(w, found);
    }

    // Decides about the spheres of a part, and checks live points: all lanes stay together, and a contact ends the work on
    // its configuration. Clouds follow later, with the spheres of other parts.
    __device__ __forceinline__ void decideSpheres(stateWarp& w, const wkDevicePart& part,
                                                  bool isWorld, unsigned slots) const
    {
        sharedWork work = shareWork(w, slots);
        WK_KEEP_LOOP
        for (int32_t first = 0; first < part.sphereCount; first += work.step) {
            int32_t i = first + work.first;
            worldFindings found = {0, 0, 0, 0};
            queuedSphere placed = {{0.0f, 0.0f, 0.0f}, 0.0f, -1, part.side, work.slot};
            bool isSphere = (work.mask & w.alive) != 0 && i < part.sphereCount;
            if (isSphere) {
                // frames are read again for each sphere: their registers are needed for the queue
                wkItemFrame frame = wkReadFrame(scratchOf(w, work.slot), part.axes);
                wkDeviceSphere sphere = w.tables.spheres[part.firstSphere + i];
                wkVec3f center = wkPlaceItemPoint(&frame, sphere.x, sphere.y, sphere.z);
                placed.center[0] = center.x;
                placed.center[1] = center.y;
                placed.center[2] = center.z;
                placed.radius = sphere.radius;
                if (!hasLive || isWorld) {
                    againstField(w, part, placed, work.mask, found);
                }
            }
            __syncwarp();
            if (hasLive) {
                bool isTouching = againstLive(w, isSphere && found.touching == 0, placed);
                found.touching |= isTouching ? work.mask : 0u;
            }
            if (__any_sync(ALL_LANES, isSphere)) {
                settle(w, found);
            }
            if (decides && states.batch.field.cloudCount > 0) {
                bool isQueued = placed.brick >= 0 && (work.mask & w.alive) != 0;
                queueSpheres(states.batch, w, placed, isQueued);
            }
        }
    }

    __device__ __forceinline__ void settle(stateWarp& w, const worldFindings& found) const
    {
        settleWorld(w, found.touching, found.unknown, found.host, found.open);
    }

    // Checks all parts. Live points count for those that never move, too.
    __device__ __forceinline__ void run(stateWarp& w) const
    {
        const wkDeviceBatch& batch = states.batch;
        bool hasWorld = (batch.bits & wk_checkWorld) != 0;
        int32_t worldCount = hasWorld ? batch.tables.worldPartCount : 0;
        int32_t count = hasLive ? batch.program.partCount : worldCount;
        WK_KEEP_LOOP
        for (int32_t first = 0; first < count && w.alive != 0; first += PARTS_AT_ONCE) {
            unsigned near[PARTS_AT_ONCE];
            for (int k = 0; k < PARTS_AT_ONCE; ++k) {
                int32_t at = first + k < count ? first + k : count - 1;
                const wkDevicePart& part = w.tables.parts[w.tables.worldParts[at]];
                bool isNear = isPartNear(w, part, first + k < worldCount);
                near[k] = __ballot_sync(ALL_LANES, first + k < count && isNear);
            }
            WK_KEEP_LOOP
            for (int k = 0; k < PARTS_AT_ONCE; ++k) {
                unsigned slots = (k == 0 ? near[0] : near[1]) & w.alive;
                if (slots != 0) {
                    const wkDevicePart& part = w.tables.parts[w.tables.worldParts[first + k]];
                    if (decides || hasLive) {
                        decideSpheres(w, part, first + k < worldCount, slots);
                    } else {
                        findSpheres(w, part, slots);
                    }
                }
            }
        }
        if (decides && w.queueCount > 0) {
            decideQueue(batch, w);
        }
    }
};
