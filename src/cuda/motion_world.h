// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Checks the intervals of a warp against objects and maps, for kernels, as world_kernel.h does: in the middle, and grown by
// how far spheres move where that does not touch.

#include "cuda/motion_warp.h"
#include "cuda/state_world.h"

// As in world_kernel.h: intervals in which a sphere moves further are halved without an exact check.
#define FAR_WAY 0.06f

// What lanes have found out about intervals, as bits of these.
typedef struct motionFindings {
    unsigned touching, unknown, host, open;
    unsigned byHost; // of the open ones, those that the CPU may prove
} motionFindings;

// Decides about a sphere that the field leaves open.
static __device__ __forceinline__ wkVerdict decideSphere(const wkDeviceBatch& batch, int32_t side,
                                                         wkVec3f center, float radius)
{
    const float point[3] = {center.x, center.y, center.z};
    return wkFieldItem_CheckSphere(&batch.field, side, point, radius);
}

// Checks one sphere of a part.
// @param isLeft something else in the interval is not proven, so that it is halved anyway
static __device__ __forceinline__ void
certifySphere(const wkDeviceBatch& batch, motionWarp& m, const wkDevicePart& part, wkVec3f center,
              float radius, float bound, const sharedWork& work, bool isLeft, motionFindings& found)
{
    const wkFieldGrid& grid = batch.field.layers[part.layer].grid;
    const float point[3] = {center.x, center.y, center.z};
    wkFieldCell cell = wkFieldItem_Find(&grid, point);
    if (!wkFieldItem_IsOpen(&grid, cell, radius + bound)) {
        return;
    }
    bool isOpen = wkFieldItem_IsOpen(&grid, cell, radius);
    if (isOpen && wkFieldItem_IsTouching(&grid, cell, radius)) {
        found.touching = work.mask;
        return;
    }
    if (isOpen) {
        wkVerdict verdict = decideSphere(batch, part.side, center, radius);
        found.touching |= verdict == wk_verdictWorld ? work.mask : 0u;
        found.unknown |= verdict == wk_verdictUnknown ? work.mask : 0u;
        found.host |= verdict == wk_verdictUnchecked ? work.mask : 0u;
        if (verdict != wk_verdictFree) {
            return;
        }
    }
    wkVerdict grown = wk_verdictWorld;
    if (!isLeft && bound < FAR_WAY && (double)(radius + bound) < batch.field.reach) {
        grown = decideSphere(batch, part.side, center, radius + bound);
    }
    if (grown != wk_verdictFree) {
        leaveOpen(m, work.slot, bound);
        found.open = work.mask;
        found.byHost |= grown == wk_verdictUnchecked ? work.mask : 0u;
    }
}

// Checks the spheres of a part in the intervals whose grown sphere around it is not free. Lanes share the spheres.
static __device__ __forceinline__ void certifySpheres(const wkDeviceMotions& motions, motionWarp& m,
                                                      int32_t number, motionLine line,
                                                      unsigned slots)
{
    const wkDevicePart& part = m.w.tables.parts[number];
    sharedWork work = shareWork(m.w, slots);
    float at = __shfl_sync(ALL_LANES, line.at, work.slot);
    float perMetre = __shfl_sync(ALL_LANES, line.perMetre, work.slot);
    bool isLeft = (m.left & work.mask) != 0;
    motionFindings found = {0, 0, 0, 0, 0};
    wkItemFrame frame = wkReadFrame(scratchOf(m.w, work.slot), part.axes);
    int32_t count = work.mask != 0 ? part.sphereCount : 0;
    for (int32_t i = work.first; i < count && found.touching == 0; i += work.step) {
        wkDeviceSphere sphere = m.w.tables.spheres[part.firstSphere + i];
        float bound =
            onLine(makeLine(at, perMetre), motions.tables.sphereReaches[part.firstSphere + i]);
        wkVec3f center = wkPlaceItemPoint(&frame, sphere.x, sphere.y, sphere.z);
        certifySphere(motions.batch, m, part, center, sphere.radius, bound, work, isLeft, found);
    }
    __syncwarp();
    settleWorld(m.w, found.touching, found.unknown, found.host, found.open);
    unsigned open = __reduce_or_sync(ALL_LANES, found.open);
    m.left |= open;
    m.byHost |= __reduce_or_sync(ALL_LANES, found.byHost);
    m.openParts |= (open >> laneOf() & 1u) != 0 ? 1 << number % WK_MOTION_BITS : 0;
}

static __device__ __forceinline__ void certifyWorld(const wkDeviceMotions& motions, motionWarp& m)
{
    const wkDeviceBatch& batch = motions.batch;
    for (int32_t i = 0; i < batch.tables.worldPartCount && m.w.alive != 0; ++i) {
        int32_t number = m.w.tables.worldParts[i], bit = 1 << number % WK_MOTION_BITS;
        bool isWanted = isAlive(m.w) && (m.parts & bit) != 0;
        if (!__any_sync(ALL_LANES, isWanted)) {
            continue;
        }
        const wkDevicePart& part = m.w.tables.parts[number];
        const wkFieldGrid& grid = batch.field.layers[part.layer].grid;
        motionLine line = {0.0f, 0.0f};
        if (isWanted) {
            line = boundOf(motions, m, batch.program.parts[number].rigidGroup, 0);
            float bound = onLine(line, motions.tables.centerReaches[number]);
            wkItemFrame frame = wkReadFrame(m.w.own, part.axes);
            wkVec3f center = wkPlaceItemPoint(&frame, part.x, part.y, part.z);
            const float point[3] = {center.x, center.y, center.z};
            wkFieldCell cell = wkFieldItem_Find(&grid, point);
            isWanted = isBeyondProof(bound) || wkFieldItem_IsOpen(&grid, cell, part.radius + bound);
            if (isWanted && isLeft(m) && !wkFieldItem_IsOpen(&grid, cell, part.radius)) {
                m.openParts |= bit; // halved anyway, and nothing touches in the middle
                isWanted = false;
            }
        }
        unsigned slots = __ballot_sync(ALL_LANES, isWanted);
        if (slots != 0) {
            certifySpheres(motions, m, number, line, slots);
        }
    }
}
