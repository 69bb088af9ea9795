// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Checks the configurations of a warp against objects, maps and live points, for kernels.

#include "batch/check_bits.h"
#include "batch/field_item.h"
#include "batch/field_sphere_item.h"
#include "cuda/live_field_item.h"
#include "cuda/state_warp.h"

// Parts that are looked up at once, so that the latencies of memory overlap.
#define PARTS_AT_ONCE 2

// What lanes find out about configurations, as bits of these.
struct worldFindings {
    unsigned touching, unknown, host, open;
};

// What a check reads, and whether it goes beyond look-ups.
template <bool decides, bool hasLive> struct worldCheck {
    const wkDeviceStates& states;

    // Adds a contact with the field of the batch. Where shapes overrule spheres, the CPU decides about it; live points, which
    // the CPU does not know, are checked all the same.
    __device__ __forceinline__ void addTouch(unsigned mask, worldFindings& found) const
    {
        if (hasLive && states.batch.leavesTouching) {
            found.host = mask;
        } else {
            found.touching = mask;
        }
    }

    // Checks a sphere against the field of the batch.
    // @param mask bit of the configuration
    __device__ __forceinline__ void againstField(const wkDevicePart& part, wkVec3f center,
                                                 float radius, unsigned mask,
                                                 worldFindings& found) const
    {
        const wkField& field = states.batch.field;
        const wkFieldGrid& grid = field.layers[part.layer].grid;
        const float point[3] = {center.x, center.y, center.z};
        wkFieldCell cell = wkFieldItem_Find(&grid, point);
        if (!wkFieldItem_IsOpen(&grid, cell, radius)) {
            return;
        }
        if (wkFieldItem_IsTouching(&grid, cell, radius)) {
            addTouch(mask, found);
        } else if (!decides) {
            found.open = mask;
        } else if (found.touching == 0) {
            wkVerdict verdict = wkFieldItem_CheckSphere(&field, part.side, point, radius);
            if (verdict == wk_verdictWorld) {
                addTouch(mask, found);
            }
            found.unknown |= verdict == wk_verdictUnknown ? mask : 0u;
            found.host |= verdict == wk_verdictUnchecked ? mask : 0u;
        }
    }

    // Checks a sphere against live points.
    __device__ __forceinline__ void againstLive(wkVec3f center, float radius, unsigned mask,
                                                worldFindings& found) const
    {
        for (int32_t i = 0; i < states.liveCount; ++i) {
            const wkDeviceLive& live = states.lives[i];
            float x = center.x + live.offset[0], y = center.y + live.offset[1];
            float z = center.z + live.offset[2];
            float grown = (radius + live.rounding) * (1.0f + 0x1p-22f);
            wkLiveFinding finding = wkLiveField_Classify(&live.field, x, y, z, grown);
            bool isTouching = finding == wk_liveTouching;
            if (finding == wk_liveOpen && decides && found.touching == 0) {
                isTouching = wkLiveField_Touches(&live.field, x, y, z, grown);
            } else if (finding == wk_liveOpen && !decides) {
                found.open = mask;
            }
            found.touching |= isTouching ? mask : 0u;
        }
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
        if (hasLive) {
            worldFindings found = {0, 0, 0, 0};
            worldCheck<false, true> cells = {states};
            cells.againstLive(center, part.radius, 1u, found);
            isNear = isNear || (found.touching | found.open) != 0;
        }
        return isNear;
    }

    // Checks the spheres of a part in the configurations whose sphere around it is not free.
    __device__ __forceinline__ void checkSpheres(stateWarp& w, const wkDevicePart& part,
                                                 bool isWorld, unsigned slots) const
    {
        sharedWork work = shareWork(w, slots);
        worldFindings found = {0, 0, 0, 0};
        wkItemFrame frame = wkReadFrame(scratchOf(w, work.slot), part.axes);
        const wkDeviceSphere* spheres = w.tables.spheres + part.firstSphere;
        int32_t count = work.mask != 0 ? part.sphereCount : 0;
        for (int32_t i = work.first; i < count; i += work.step) {
            wkDeviceSphere sphere = spheres[i];
            wkVec3f center = wkPlaceItemPoint(&frame, sphere.x, sphere.y, sphere.z);
            if (!hasLive || isWorld) {
                againstField(part, center, sphere.radius, work.mask, found);
            }
            if (hasLive) {
                againstLive(center, sphere.radius, work.mask, found);
            }
        }
        __syncwarp();
        settleWorld(w, found);
    }

    __device__ __forceinline__ void settleWorld(stateWarp& w, const worldFindings& found) const
    {
        if (__any_sync(ALL_LANES, (found.unknown | found.host | found.open) != 0)) {
            w.unknown |= __reduce_or_sync(ALL_LANES, found.unknown);
            w.host |= __reduce_or_sync(ALL_LANES, found.host);
            w.open |= __reduce_or_sync(ALL_LANES, found.open);
        }
        settle(w, w.world, __reduce_or_sync(ALL_LANES, found.touching));
    }

    // Checks all parts. Live points count for those that never move, too.
    __device__ __forceinline__ void run(stateWarp& w) const
    {
        const wkDeviceBatch& batch = states.batch;
        bool hasWorld = (batch.bits & wk_checkWorld) != 0;
        int32_t worldCount = hasWorld ? batch.tables.worldPartCount : 0;
        int32_t count = hasLive ? batch.program.partCount : worldCount;
        for (int32_t first = 0; first < count && w.alive != 0; first += PARTS_AT_ONCE) {
            int32_t numbers[PARTS_AT_ONCE];
            bool isNear[PARTS_AT_ONCE];
            for (int k = 0; k < PARTS_AT_ONCE; ++k) {
                numbers[k] = w.tables.worldParts[first + k < count ? first + k : count - 1];
                isNear[k] = isPartNear(w, w.tables.parts[numbers[k]], first + k < worldCount);
            }
            for (int k = 0; k < PARTS_AT_ONCE; ++k) {
                unsigned slots = __ballot_sync(ALL_LANES, first + k < count && isNear[k]) & w.alive;
                if (slots != 0) {
                    checkSpheres(w, w.tables.parts[numbers[k]], first + k < worldCount, slots);
                }
            }
        }
    }
};
