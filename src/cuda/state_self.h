// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Checks the configurations of a warp for contacts of the robot with itself, for kernels: maps of joint values, spheres,
// and convex pieces. Where bodies decide, spheres inside them find contacts, and the CPU decides the rest.

#include "batch/self_item.h"
#include "cuda/state_warp.h"

static __device__ __forceinline__ wkSelfItem selfItemOf(const wkDeviceBatch& batch)
{
    wkSelfItem item = {&batch.program,   &batch.contacts,  &batch.selfTables,
                       batch.innerRadii, batch.asksBodies, batch.margin};
    return item;
}

static __device__ __forceinline__ wkVec3f placeCenter(const stateWarp& w, const wkItemFrame& frame,
                                                      int32_t sphere)
{
    wkDeviceSphere s = w.tables.spheres[sphere];
    return wkPlaceItemPoint(&frame, s.x, s.y, s.z);
}

static __device__ __forceinline__ wkVec3f placeAround(const wkItemFrame& frame,
                                                      const wkDevicePart& part)
{
    return wkPlaceItemPoint(&frame, part.x, part.y, part.z);
}

// A pair of parts in the configuration that this lane works on.
struct placedPair {
    const wkDevicePart& a;
    const wkDevicePart& b;
    wkItemFrame frameA, frameB;
};

static __device__ __forceinline__ placedPair placePair(const stateWarp& w, const wkDevicePair& pair,
                                                       wkItemScratch scratch)
{
    const wkDevicePart &a = w.tables.parts[pair.a], &b = w.tables.parts[pair.b];
    placedPair placed = {a, b, wkReadFrame(scratch, a.axes), wkReadFrame(scratch, b.axes)};
    return placed;
}

// Whether a sphere of the second part of a pair touches any of these of the first. Callers say which by a branch: a pointer that
// one of two lanes sets and the other clears is what ptxas 13.0 has miscompiled (tools/check_machine_code.py).
// @param spheres their numbers; NULL: all of the part
static __device__ __forceinline__ bool touchesAny(const stateWarp& w, const placedPair& pair,
                                                  const float* radii, float margin, int32_t sphere,
                                                  const int32_t* spheres, int32_t count)
{
    wkVec3f center = placeCenter(w, pair.frameB, sphere);
    float radius = radii[sphere];
    if (spheres == NULL && !wkDoSpheresTouch(center, placeAround(pair.frameA, pair.a),
                                             radius + pair.a.selfRadius, margin)) {
        return false;
    }
    bool isTouching = false;
    for (int32_t i = 0; i < count && !isTouching; ++i) {
        int32_t other = spheres != NULL ? spheres[i] : pair.a.firstSphere + i;
        isTouching = wkDoSpheresTouch(center, placeCenter(w, pair.frameA, other),
                                      radius + radii[other], margin);
    }
    return isTouching;
}

// Returns configurations in which spheres of a pair of parts touch, with the given radii. Lanes share the spheres of the
// second part.
static __device__ __forceinline__ unsigned touchingSlots(const stateWarp& w,
                                                         const wkDevicePair& pair,
                                                         const float* radii, float margin,
                                                         unsigned slots)
{
    bool areAll = pair.groupCount < 0 || !w.isWithinLimits;
    sharedWork work = shareWork(w, slots);
    placedPair placed = placePair(w, pair, scratchOf(w, work.slot));
    int32_t count = work.mask == 0 ? 0 : areAll ? placed.b.sphereCount : pair.groupCount;
    bool isTouching = false;
    for (int32_t i = work.first; i < count && !isTouching; i += work.step) {
        if (areAll) {
            isTouching = touchesAny(w, placed, radii, margin, placed.b.firstSphere + i, NULL,
                                    placed.a.sphereCount);
        } else {
            wkContactGroup group = w.tables.groups[pair.firstGroup + i];
            isTouching = touchesAny(w, placed, radii, margin, group.sphere,
                                    w.tables.groupSpheres + group.first, group.count);
        }
    }
    __syncwarp();
    return __reduce_or_sync(ALL_LANES, isTouching ? work.mask : 0u);
}

// Whether the spheres around what can touch of a pair touch in the configuration of this lane.
static __device__ __forceinline__ bool areNearContacts(const stateWarp& w, const wkDevicePair& pair,
                                                       float margin)
{
    placedPair placed = placePair(w, pair, w.own);
    const wkContactSphere &a = pair.around[0], &b = pair.around[1];
    return wkDoSpheresTouch(wkPlaceItemPoint(&placed.frameA, a.x, a.y, a.z),
                            wkPlaceItemPoint(&placed.frameB, b.x, b.y, b.z), a.radius + b.radius,
                            margin);
}

// Checks the spheres of a pair.
// @param slots configurations in which the spheres around both parts touch
static __device__ __forceinline__ void checkPair(stateWarp& w, const wkDevicePair& pair,
                                                 float margin, unsigned slots)
{
    if (pair.isTighter && w.isWithinLimits) {
        bool isNear = (slots >> laneOf() & 1u) != 0 && areNearContacts(w, pair, margin);
        slots = __ballot_sync(ALL_LANES, isNear);
        if (slots == 0) {
            return;
        }
    }
    unsigned touching = touchingSlots(w, pair, w.tables.selfRadii, margin, slots);
    if (touching != 0 && pair.asksBodies) {
        unsigned asked = touching;
        touching = touchingSlots(w, pair, w.tables.innerRadii, margin, asked);
        w.host |= asked & ~touching;
    }
    settle(w, w.self, touching);
}

// Checks the pairs that do not use convex pieces.
static __device__ __forceinline__ void checkPairs(const wkDeviceBatch& batch, stateWarp& w,
                                                  uint32_t unmapped)
{
    int32_t count = w.isWithinLimits ? batch.contacts.liveCount : batch.program.pairCount;
    int32_t lastA = -1;
    wkVec3f centerA = wkMakeVec3f(0.0f, 0.0f, 0.0f);
    for (int32_t i = 0; i < count && w.alive != 0; ++i) {
        const wkDevicePair& pair = w.tables.pairs[i];
        if (pair.usesPieces) {
            continue;
        }
        if (pair.a != lastA) { // pairs of a part follow each other
            const wkDevicePart& a = w.tables.parts[pair.a];
            centerA = placeAround(wkReadFrame(w.own, a.axes), a);
            lastA = pair.a;
        }
        const wkDevicePart& b = w.tables.parts[pair.b];
        wkVec3f centerB = placeAround(wkReadFrame(w.own, b.axes), b);
        bool isMapped = pair.map >= 0 && (unmapped >> pair.map & 1u) == 0;
        bool isNear = !isMapped && wkDoSpheresTouch(centerA, centerB, pair.radii, batch.margin);
        unsigned slots = __ballot_sync(ALL_LANES, isNear) & w.alive;
        if (slots != 0) {
            checkPair(w, pair, batch.margin, slots);
        }
    }
}

// Checks the pairs that use convex pieces.
// @param decides whether pieces touch; else the configurations in which they are near each other stay open, but for those
//        that the CPU decides: they stay alive, since live points, which the CPU does not know, are still to be checked
template <bool decides>
static __device__ __forceinline__ void checkBundles(const wkDeviceBatch& batch, stateWarp& w,
                                                    uint32_t unmapped)
{
    wkSelfItem item = selfItemOf(batch);
    unsigned others = decides ? 0u : w.host;
    for (int32_t i = 0; i < batch.selfTables.bundleCount && (w.alive & ~others) != 0; ++i) {
        const wkPairBundle& bundle = batch.selfTables.bundles[i];
        int32_t first = batch.selfTables.bundlePairs[bundle.first];
        bool isFound = false;
        if (((w.alive & ~others) >> laneOf() & 1u) != 0 &&
            !wkSelfItem_IsMapped(&item, first, unmapped)) {
            wkPairFrames frames = {wkItemFrameOf(&batch.program, bundle.groups[0], w.own),
                                   wkItemFrameOf(&batch.program, bundle.groups[1], w.own)};
            wkItemCosines cosines = wkFindItemCosines(&frames);
            isFound = decides ? wkSelfItem_TouchBundle(&item, &bundle, &frames)
                              : wkSelfItem_IsBundleNear(&item, &bundle, &frames, &cosines);
        }
        unsigned found = __ballot_sync(ALL_LANES, isFound);
        if (decides) {
            settle(w, w.self, found);
        } else {
            settle(w, w.selfOpen, found);
        }
    }
}

// @param decides see checkBundles
template <bool decides>
static __device__ __forceinline__ void checkSelf(const wkDeviceBatch& batch, stateWarp& w)
{
    wkSelfItem item = selfItemOf(batch);
    uint32_t unmapped = 0;
    bool isTouching = isAlive(w) && wkSelfItem_TouchMaps(&item, w.own, &unmapped);
    settle(w, w.self, __ballot_sync(ALL_LANES, isTouching));
    checkPairs(batch, w, unmapped);
    checkBundles<decides>(batch, w, unmapped);
    w.host &= ~w.self;
}
