// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A warp that checks 32 intervals of motions, for kernels, and bounds on how far spheres move within them: those of
// motion_bound_kernel.h, where the proof is, on one number in place of lanes, by the same operations in the same order.
// Nothing may be fused.

#include "cuda/motion_item.h"
#include "cuda/state_warp.h"

#define WK_ITEM_LEVER_SHARE 1.00002f

// Bounds that are no number, or longer than this many metres, prove nothing.
#define MOST_BOUND 1e6f

// Shared memory of a warp besides that of stateWarp.
typedef struct motionMemory {
    unsigned open
        [WK_WARP]; // bits of the largest bound that did not suffice for an interval, a float; 0: none
} motionMemory;

// All but `own` of `w`, the masks of items and `rates` are the same in all lanes; bits of lanes are those of their
// intervals. In `w`, what touches does so in the middle.
typedef struct motionWarp {
    stateWarp w;
    motionMemory* memory;
    const float* rates;   // of this lane: rotation and translation of each joint in its interval
    int32_t parts, pairs; // items to check in the interval of this lane
    int32_t openParts, openPairs; // those that are not proven
    unsigned left;                // intervals with any
    unsigned byHost;              // of these, intervals that the CPU may prove by objects or bodies
    unsigned within;              // intervals of motions within limits
} motionWarp;

// A bound at the point of a carrier, and its increase for each metre from there.
typedef struct motionLine {
    float at, perMetre;
} motionLine;

static __device__ __forceinline__ motionLine makeLine(float at, float perMetre)
{
    motionLine line = {at, perMetre};
    return line;
}

static __device__ __forceinline__ motionLine addLines(motionLine a, motionLine b)
{
    return makeLine(a.at + b.at, a.perMetre + b.perMetre);
}

static __device__ __forceinline__ motionLine scaleLine(motionLine a, float factor)
{
    return makeLine(a.at * factor, a.perMetre * factor);
}

static __device__ __forceinline__ float onLine(motionLine line, float metres)
{
    return line.at + line.perMetre * metres;
}

static __device__ __forceinline__ wkVec3f cross3f(wkVec3f a, wkVec3f b)
{
    return wkMakeVec3f(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static __device__ __forceinline__ float length3f(wkVec3f v)
{
    return sqrtf((v.x * v.x + v.y * v.y) + v.z * v.z);
}

// Motion of a carrier by some of its joints, as wkWayW; no joint is a floating one.
typedef struct motionWay {
    wkVec3f speed, spin;
    float loose;
    motionLine sum, arms, bend;
} motionWay;

// Adds a joint that carries all those before.
static __device__ __forceinline__ void addJoint(const stateWarp& w, const wkDeviceJoint& joint,
                                                float leverSlack, float spinning, float translation,
                                                wkVec3f point, motionWay& way)
{
    float rotation = fabsf(spinning);
    wkVec3f arm = wkSub3f(point, wkReadColumn(w.own, joint.origin));
    wkVec3f axis = cross3f(wkReadColumn(w.own, joint.x), wkReadColumn(w.own, joint.y));
    wkVec3f spin = wkMul3f(axis, spinning);
    wkVec3f speed = cross3f(spin, arm);
    motionLine lever = makeLine(length3f(speed), rotation);
    way.speed = wkAdd3f(way.speed, speed);
    way.spin = wkAdd3f(way.spin, spin);
    lever.at = lever.at + rotation * leverSlack;
    lever = scaleLine(lever, WK_ITEM_LEVER_SHARE);
    motionLine longest = addLines(lever, scaleLine(way.sum, rotation));
    motionLine arms = addLines(longest, addLines(way.arms, way.arms));
    way.bend = addLines(way.bend, scaleLine(arms, rotation));
    way.arms = addLines(way.arms, longest);
    way.arms.at = way.arms.at + translation;
    way.sum = addLines(way.sum, lever);
    way.sum.at = way.sum.at + translation;
    way.loose = way.loose + translation;
}

// Returns the lesser bound, compared half way to the furthest center.
static __device__ __forceinline__ motionLine leastWay(const motionWay& way, float slack,
                                                      float reach)
{
    motionLine bound = scaleLine(way.sum, WK_ITEM_LEVER_SHARE - 1.0f);
    bound = addLines(bound, scaleLine(way.bend, 0.5f * WK_ITEM_LEVER_SHARE));
    bound.at = bound.at + way.loose;
    bound.at = bound.at + way.sum.perMetre * slack;
    bound.at = bound.at + length3f(way.speed);
    bound.perMetre = bound.perMetre + length3f(way.spin);
    return onLine(way.sum, 0.5f * reach) > onLine(bound, 0.5f * reach) ? bound : way.sum;
}

// Returns the motion bound of what a rigid group carries in the interval of this lane, by the joints from its own one up to
// another rigid group that carries it.
static __device__ __noinline__ motionLine boundOf(const wkDeviceMotions& motions,
                                                  const motionWarp& m, int32_t rigidGroup,
                                                  int32_t top)
{
    wkDeviceCarrier carrier = motions.tables.carriers[rigidGroup];
    wkItemFrame frame = wkItemFrameOf(&motions.batch.program, rigidGroup, m.w.own);
    wkVec3f point = wkPlaceItemPoint(&frame, carrier.x, carrier.y, carrier.z);
    motionWay way = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0.0f,
                     {0.0f, 0.0f},       {0.0f, 0.0f},       {0.0f, 0.0f}};
    for (int32_t i = rigidGroup; i > top;) {
        const wkDeviceJoint& joint = motions.tables.joints[i];
        float rotation = m.rates[2 * i * WK_ITEM_STRIDE];
        float translation = m.rates[(2 * i + 1) * WK_ITEM_STRIDE];
        if (rotation != 0.0f || translation != 0.0f) {
            addJoint(m.w, joint, motions.tables.leverSlack, rotation, translation, point, way);
        }
        i = joint.parent;
    }
    return leastWay(way, motions.tables.leverSlack, carrier.reach);
}

// Whether a bound proves nothing.
static __device__ __forceinline__ bool isBeyondProof(float bound)
{
    return !(bound <= MOST_BOUND);
}

// Records that an item is not proven for an interval.
static __device__ __forceinline__ void leaveOpen(motionWarp& m, int slot, float bound)
{
    // bits of floats that are not negative are in their order, and those of NaN above all
    atomicMax(&m.memory->open[slot], __float_as_uint(bound));
}

static __device__ __forceinline__ bool isLeft(const motionWarp& m)
{
    return (m.left >> laneOf() & 1u) != 0;
}
