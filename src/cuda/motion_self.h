// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Checks the intervals of a warp for contacts of the robot with itself, for kernels, as self_contact_kernel.h does for
// intervals: by spheres, in the middle and grown. Where bodies decide about a pair, spheres inside them find contacts, and
// what spheres do not prove is left to the CPU. Maps of joint values and convex pieces are about configurations.

#include "batch/self_spheres_item.h"
#include "cuda/motion_warp.h"

// Contacts of spheres.
typedef struct pairFindings {
    bool isReached;  // by spheres that are grown
    bool isTouching; // in the middle
} pairFindings;

// Compares a sphere of the second part of a pair with some of the first.
// @param spheres their numbers; NULL: all of the part
// @param grown margin and motion bound
static __device__ __forceinline__ void certifyContacts(const wkDeviceBatch& batch, int32_t pair,
                                                       const wkPairFrames& frames, int32_t sphere,
                                                       const int32_t* spheres, int32_t count,
                                                       float grown, pairFindings& found)
{
    const wkProgram& program = batch.program;
    const wkPart& a = program.parts[program.pairs[pair].a];
    wkVec3f center = wkPlaceItemSphere(&program, &frames.b, sphere);
    float radius = program.radius[sphere];
    if (spheres == NULL) {
        wkVec3f around = wkPlaceItemPoint(&frames.a, a.x, a.y, a.z);
        if (!wkDoSpheresTouch(center, around, radius + a.radius, grown)) {
            return;
        }
    }
    for (int32_t i = 0; i < count && !found.isTouching; ++i) {
        int32_t other = spheres != NULL ? spheres[i] : a.firstSphere + i;
        wkVec3f at = wkPlaceItemSphere(&program, &frames.a, other);
        float radii = radius + program.radius[other];
        if (wkDoSpheresTouch(center, at, radii, grown)) {
            found.isReached = true;
            found.isTouching = wkDoSpheresTouch(center, at, radii, batch.margin);
        }
    }
}

// Checks the spheres of a pair in some intervals. Lanes share the spheres of the second part.
// @param bound of this lane
// @param touching set to the intervals whose spheres touch in the middle
// @return intervals whose grown spheres touch
static __device__ __forceinline__ unsigned certifySpheresOfPair(const wkDeviceMotions& motions,
                                                                motionWarp& m, int32_t pair,
                                                                float bound, unsigned slots,
                                                                unsigned* touching)
{
    const wkDeviceBatch& batch = motions.batch;
    const wkPairContacts& some = batch.contacts.pairs[pair];
    const wkPart& a = batch.program.parts[batch.program.pairs[pair].a];
    const wkPart& b = batch.program.parts[batch.program.pairs[pair].b];
    sharedWork work = shareWork(m.w, slots);
    float ofSlot = __shfl_sync(ALL_LANES, bound, work.slot), grown = batch.margin + ofSlot;
    bool areAll = some.areAll || (m.within & work.mask) == 0;
    wkPairFrames frames = wkPairFramesOf(&batch.program, pair, scratchOf(m.w, work.slot));
    int32_t count = areAll ? b.sphereCount : some.groupCount;
    pairFindings found = {isBeyondProof(ofSlot), false};
    for (int32_t i = work.first; i < count && work.mask != 0 && !found.isTouching; i += work.step) {
        if (areAll) {
            certifyContacts(batch, pair, frames, b.firstSphere + i, NULL, a.sphereCount, grown,
                            found);
        } else {
            wkContactGroup group = batch.contacts.groups[some.firstGroup + i];
            certifyContacts(batch, pair, frames, group.sphere, batch.contacts.spheres + group.first,
                            group.count, grown, found);
        }
    }
    __syncwarp();
    *touching = __reduce_or_sync(ALL_LANES, found.isTouching ? work.mask : 0u);
    return __reduce_or_sync(ALL_LANES, found.isReached ? work.mask : 0u);
}

// What the spheres around two parts tell about the interval of this lane.
typedef struct pairNearness {
    bool isNear;     // grown, they touch
    bool isNearAsIs; // in the middle
    float bound;     // of all spheres of the pair
} pairNearness;

static __device__ __forceinline__ pairNearness findNearness(const wkDeviceMotions& motions,
                                                            const motionWarp& m, int32_t pair)
{
    const wkDeviceBatch& batch = motions.batch;
    const wkDeviceMotionTables& tables = motions.tables;
    const wkPartPair& parts = batch.program.pairs[pair];
    const wkPart &a = batch.program.parts[parts.a], &b = batch.program.parts[parts.b];
    int32_t top = tables.pairTops[pair];
    motionLine lineA = boundOf(motions, m, a.rigidGroup, top);
    motionLine lineB = boundOf(motions, m, b.rigidGroup, top);
    pairNearness near;
    near.bound =
        onLine(lineA, tables.partReaches[parts.a]) + onLine(lineB, tables.partReaches[parts.b]);
    float grown = batch.margin + (onLine(lineA, tables.centerReaches[parts.a]) +
                                  onLine(lineB, tables.centerReaches[parts.b]));
    wkPairFrames frames = wkPairFramesOf(&batch.program, pair, m.w.own);
    wkVec3f centerA = wkPlaceItemPoint(&frames.a, a.x, a.y, a.z);
    wkVec3f centerB = wkPlaceItemPoint(&frames.b, b.x, b.y, b.z);
    float radii = a.radius + b.radius;
    near.isNear = wkDoSpheresTouch(centerA, centerB, radii, grown);
    near.isNearAsIs = near.isNear && wkDoSpheresTouch(centerA, centerB, radii, batch.margin);
    const wkPairContacts& some = batch.contacts.pairs[pair];
    if (near.isNear && some.isTighter && (m.within >> laneOf() & 1u) != 0) {
        const wkContactSphere &ofA = some.around[0], &ofB = some.around[1];
        grown = batch.margin + (onLine(lineA, tables.pairReaches[2 * pair]) +
                                onLine(lineB, tables.pairReaches[2 * pair + 1]));
        centerA = wkPlaceItemPoint(&frames.a, ofA.x, ofA.y, ofA.z);
        centerB = wkPlaceItemPoint(&frames.b, ofB.x, ofB.y, ofB.z);
        radii = ofA.radius + ofB.radius;
        near.isNear = wkDoSpheresTouch(centerA, centerB, radii, grown);
        near.isNearAsIs = near.isNearAsIs && near.isNear &&
                          wkDoSpheresTouch(centerA, centerB, radii, batch.margin);
    }
    near.isNear = near.isNear || isBeyondProof(near.bound);
    return near;
}

// Returns intervals in the middle of which spheres inside the bodies of a pair touch.
static __device__ __forceinline__ unsigned
findInnerContacts(const wkDeviceBatch& batch, const motionWarp& m, int32_t pair, unsigned slots)
{
    bool isTouching = false;
    if ((slots >> laneOf() & 1u) != 0) {
        wkSelfItem item = {&batch.program,   &batch.contacts,  &batch.selfTables,
                           batch.innerRadii, batch.asksBodies, batch.margin};
        wkPairFrames frames = wkPairFramesOf(&batch.program, pair, m.w.own);
        isTouching = wkSelfItem_DoAnyTouch(&item, pair, batch.innerRadii, &frames);
    }
    return __ballot_sync(ALL_LANES, isTouching);
}

// Records what is found about a pair.
// @param reached intervals whose grown spheres touch
// @param touching those whose spheres touch in the middle
static __device__ __forceinline__ void settlePair(const wkDeviceBatch& batch, motionWarp& m,
                                                  int32_t pair, float bound, unsigned reached,
                                                  unsigned touching)
{
    unsigned open = reached & ~touching, lane = 1u << laneOf();
    if (touching != 0 && batch.asksBodies[pair]) {
        // halves cannot prove the middle of an interval that spheres do not prove
        unsigned asked = touching;
        touching = findInnerContacts(batch, m, pair, asked);
        m.w.host |= asked & ~touching;
    }
    if ((open & lane) != 0) {
        leaveOpen(m, laneOf(), bound);
        m.openPairs |= 1 << pair % WK_MOTION_BITS;
    }
    m.left |= open;
    m.byHost |= batch.asksBodies[pair] ? open : 0u;
    settle(m.w, m.w.self, touching);
}

static __device__ __forceinline__ void certifySelf(const wkDeviceMotions& motions, motionWarp& m)
{
    const wkDeviceBatch& batch = motions.batch;
    bool isWithin = (m.within >> laneOf() & 1u) != 0;
    int32_t live = batch.contacts.liveCount;
    int32_t count = (m.w.alive & ~m.within) == 0 ? live : batch.program.pairCount;
    for (int32_t i = 0; i < count && m.w.alive != 0; ++i) {
        int32_t pair = batch.selfTables.order[i], bit = 1 << pair % WK_MOTION_BITS;
        bool isWanted = isAlive(m.w) && (m.pairs & bit) != 0 && (i < live || !isWithin);
        if (!__any_sync(ALL_LANES, isWanted)) {
            continue;
        }
        pairNearness near = {false, false, 0.0f};
        if (isWanted) {
            near = findNearness(motions, m, pair);
            if (near.isNear && !near.isNearAsIs && isLeft(m)) {
                m.openPairs |= bit; // halved anyway, and nothing touches in the middle
                near.isNear = false;
            }
        }
        unsigned slots = __ballot_sync(ALL_LANES, near.isNear);
        if (slots != 0) {
            unsigned touching = 0;
            unsigned reached = certifySpheresOfPair(motions, m, pair, near.bound, slots, &touching);
            settlePair(batch, m, pair, near.bound, reached, touching);
        }
    }
}
