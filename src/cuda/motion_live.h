// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Checks the intervals of a warp against objects, maps and live points, for kernels: motion_world.h with the points of
// wkDeviceLives; what is said of these holds for the objects of live fields, too. A sphere that is grown by its motion
// bound and reaches no point proves that no point is touched in the interval; a sphere in the middle that reaches one is a
// contact. Look-ups decide most spheres, all lanes test the others together.
//
// The CPU does not know live points. Where it decides about the objects of a motion, or about the robot itself, the
// intervals go on with live points alone.

#include "cuda/live_object_warp.h"
#include "cuda/motion_world.h"

// What a warp finds out about live points. Bits of lanes are those of their intervals.
typedef struct liveWarp {
    const wkDeviceLives* lives;
    unsigned
        byBatch; // intervals that are checked without live points, too: the CPU does not decide about these yet
    unsigned left; // intervals that are not proven free of live points
} liveWarp;

// Returns a radius with all rounding: sums and the product are off by three parts in 2^24 at most.
static __device__ __forceinline__ float growLive(const wkDeviceLive& live, float radius)
{
    return (radius + live.rounding) * (1.0f + 0x1p-22f);
}

static __device__ __forceinline__ wkVec3f toLive(const wkDeviceLive& live, wkVec3f center)
{
    return wkMakeVec3f(center.x + live.offset[0], center.y + live.offset[1],
                       center.z + live.offset[2]);
}

static __device__ __forceinline__ wkLiveFinding findLive(const wkDeviceLive& live, wkVec3f at,
                                                         float radius)
{
    return wkLiveField_Classify(&live.field, at.x, at.y, at.z, growLive(live, radius));
}

// Whether a sphere may touch live points, by look-ups alone.
static __device__ __forceinline__ bool isNearLives(const wkDeviceLives& lives, wkVec3f center,
                                                   float radius)
{
    bool isNear = false;
    for (int32_t i = 0; i < lives.count && !isNear; ++i) {
        const wkDeviceLive& live = lives.fields[i];
        isNear = findLive(live, toLive(live, center), radius) != wk_liveFree;
    }
    return isNear;
}

// Tests the spheres of some lanes. Not inlined: it takes many registers.
// @param open bits of these lanes
// @return bits of those that touch a point
static __device__ __noinline__ unsigned testLive(const wkDeviceLive& live, unsigned open,
                                                 wkVec3f at, float radius)
{
    return wkLiveField_TouchesOfWarp(&live.field, open, at.x, at.y, at.z, growLive(live, radius));
}

// The same for points and objects of a field.
template <bool hasObjects>
static __device__ __forceinline__ unsigned testField(const wkDeviceLives& lives, int32_t index,
                                                     unsigned open, wkVec3f at, float radius)
{
    const wkDeviceLive& live = lives.fields[index];
    unsigned touching = testLive(live, open, at, radius);
    if (hasObjects) {
        touching |=
            wkLiveObjects_TouchesOfWarp(&live.field, &lives.objects[index], open & ~touching, at.x,
                                        at.y, at.z, growLive(live, radius));
    }
    return touching;
}

// What live points tell about a sphere in an interval.
typedef struct liveNearness {
    bool isTouching; // in the middle
    bool isReached;  // grown, it is not proven free
} liveNearness;

// Checks the spheres of all lanes.
// @param isSphere whether this lane has one
// @param isTested whether points around it are tested when it is grown; else it is reached where its cell proves nothing
template <bool hasObjects>
static __device__ __forceinline__ liveNearness nearLives(const wkDeviceLives& lives, bool isSphere,
                                                         wkVec3f center, float radius, float bound,
                                                         bool isTested)
{
    liveNearness near = {false, false};
    unsigned lane = 1u << laneOf();
    for (int32_t i = 0; i < lives.count; ++i) {
        const wkDeviceLive& live = lives.fields[i];
        wkVec3f at = toLive(live, center);
        wkLiveFinding grown = wk_liveFree;
        if (isSphere && !near.isTouching) {
            grown = findLive(live, at, radius + bound);
        }
        unsigned open = __ballot_sync(ALL_LANES, grown == wk_liveOpen && isTested);
        unsigned proven =
            open != 0 ? open & ~testField<hasObjects>(lives, i, open, at, radius + bound) : 0u;
        bool isReached = grown != wk_liveFree && (proven & lane) == 0;
        wkLiveFinding middle = isReached ? findLive(live, at, radius) : wk_liveFree;
        open = __ballot_sync(ALL_LANES, middle == wk_liveOpen);
        unsigned touching = open != 0 ? testField<hasObjects>(lives, i, open, at, radius) : 0u;
        near.isReached = near.isReached || isReached;
        near.isTouching = near.isTouching || middle == wk_liveTouching || (touching & lane) != 0;
    }
    return near;
}

// Merges what lanes have found out about intervals.
// @param reached intervals with spheres that live points may reach
static __device__ __forceinline__ void settleLive(motionWarp& m, liveWarp& live, int32_t number,
                                                  const motionFindings& found, unsigned reached)
{
    unsigned any = found.touching | found.unknown | found.host | found.open | reached;
    if (!__any_sync(ALL_LANES, any != 0)) {
        return;
    }
    settleWorld(m.w, found.touching, found.unknown, found.host, found.open);
    unsigned ofPoints = __reduce_or_sync(ALL_LANES, reached);
    unsigned open = __reduce_or_sync(ALL_LANES, found.open) | ofPoints;
    live.left |= ofPoints;
    m.left |= open;
    m.byHost |= __reduce_or_sync(ALL_LANES, found.byHost);
    m.openParts |= (open >> laneOf() & 1u) != 0 ? 1 << number % WK_MOTION_BITS : 0;
}

// Checks the spheres of a part in some intervals, which lanes share. All lanes stay together, and a contact ends the work
// on its interval.
// @param isWorld the part is checked against objects and maps, too
template <bool hasObjects>
static __device__ __forceinline__ void
certifyLiveSpheres(const wkDeviceMotions& motions, motionWarp& m, liveWarp& live, int32_t number,
                   motionLine line, bool isWorld, unsigned slots)
{
    const wkDeviceBatch& batch = motions.batch;
    const wkDevicePart& part = m.w.tables.parts[number];
    sharedWork work = shareWork(m.w, slots);
    float at = __shfl_sync(ALL_LANES, line.at, work.slot);
    float perMetre = __shfl_sync(ALL_LANES, line.perMetre, work.slot);
    // as it was before this part: what is tested does not depend on how many lanes share the spheres
    bool isLeft = (m.left & work.mask) != 0;
    bool isByBatch = isWorld && (live.byBatch & work.mask) != 0;
    for (int32_t first = 0; first < part.sphereCount; first += work.step) {
        int32_t i = first + work.first;
        motionFindings found = {0, 0, 0, 0, 0};
        wkVec3f center = {0.0f, 0.0f, 0.0f};
        float radius = 0.0f, bound = 0.0f;
        bool isSphere = (work.mask & m.w.alive) != 0 && i < part.sphereCount;
        if (isSphere) {
            // frames are read again for each sphere: their registers are needed for points
            wkItemFrame frame = wkReadFrame(scratchOf(m.w, work.slot), part.axes);
            wkDeviceSphere sphere = m.w.tables.spheres[part.firstSphere + i];
            center = wkPlaceItemPoint(&frame, sphere.x, sphere.y, sphere.z);
            radius = sphere.radius;
            bound =
                onLine(makeLine(at, perMetre), motions.tables.sphereReaches[part.firstSphere + i]);
            if (isByBatch) {
                certifySphere(batch, m, part, center, radius, bound, work, isLeft, found);
            }
        }
        if (batch.leavesTouching) {
            found.host |= found.touching | found.unknown;
            found.touching = found.unknown = 0;
        }
        __syncwarp();
        liveNearness near =
            nearLives<hasObjects>(*live.lives, isSphere && found.touching == 0, center, radius,
                                  bound, !isLeft && bound < FAR_WAY);
        if (near.isReached) {
            leaveOpen(m, work.slot, bound);
        }
        found.touching |= near.isTouching ? work.mask : 0u;
        settleLive(m, live, number, found, near.isReached ? work.mask : 0u);
    }
}

// What look-ups tell about a part in the interval of this lane.
typedef struct partNearness {
    bool isNear;        // its spheres are to be checked
    bool isLeftToLives; // it is not proven free of live points, and the interval is halved anyway
    motionLine line;
} partNearness;

static __device__ __forceinline__ partNearness findPart(const wkDeviceMotions& motions,
                                                        motionWarp& m, const liveWarp& live,
                                                        int32_t number, bool isWorld)
{
    const wkDeviceBatch& batch = motions.batch;
    const wkDevicePart& part = m.w.tables.parts[number];
    partNearness near = {false, false, {0.0f, 0.0f}};
    near.line = boundOf(motions, m, batch.program.parts[number].rigidGroup, 0);
    float bound = onLine(near.line, motions.tables.centerReaches[number]);
    wkItemFrame frame = wkReadFrame(m.w.own, part.axes);
    wkVec3f center = wkPlaceItemPoint(&frame, part.x, part.y, part.z);
    bool isReached = isBeyondProof(bound) || isNearLives(*live.lives, center, part.radius + bound);
    bool isOpen = false, isOpenInMiddle = false;
    if (isWorld && (live.byBatch >> laneOf() & 1u) != 0) {
        const wkFieldGrid& grid = batch.field.layers[part.layer].grid;
        const float point[3] = {center.x, center.y, center.z};
        wkFieldCell cell = wkFieldItem_Find(&grid, point);
        isOpen = wkFieldItem_IsOpen(&grid, cell, part.radius + bound);
        isOpenInMiddle = wkFieldItem_IsOpen(&grid, cell, part.radius);
    }
    near.isNear = isReached || isOpen;
    if (near.isNear && isLeft(m) && !isOpenInMiddle &&
        !isNearLives(*live.lives, center, part.radius)) {
        // halved anyway, and nothing touches in the middle
        m.openParts |= 1 << number % WK_MOTION_BITS;
        near.isNear = false;
        near.isLeftToLives = isReached;
        if (isReached) {
            leaveOpen(m, laneOf(), bound);
        }
    }
    return near;
}

// Checks all parts. Live points count for those that never move, too.
template <bool hasObjects>
static __device__ __forceinline__ void certifyWithLives(const wkDeviceMotions& motions,
                                                        motionWarp& m, liveWarp& live)
{
    const wkDeviceBatch& batch = motions.batch;
    bool hasWorld = (batch.bits & wk_checkWorld) != 0;
    int32_t worldCount = hasWorld ? batch.tables.worldPartCount : 0;
    for (int32_t i = 0; i < batch.program.partCount && m.w.alive != 0; ++i) {
        int32_t number = m.w.tables.worldParts[i];
        bool isWanted = isAlive(m.w) && (m.parts & 1 << number % WK_MOTION_BITS) != 0;
        if (!__any_sync(ALL_LANES, isWanted)) {
            continue;
        }
        partNearness near = {false, false, {0.0f, 0.0f}};
        if (isWanted) {
            near = findPart(motions, m, live, number, i < worldCount);
        }
        live.left |= __ballot_sync(ALL_LANES, near.isLeftToLives);
        unsigned slots = __ballot_sync(ALL_LANES, near.isNear);
        if (slots != 0) {
            certifyLiveSpheres<hasObjects>(motions, m, live, number, near.line, i < worldCount,
                                           slots);
        }
    }
}
