// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How far parts of a robot move within spans of motions, for lane files.
//
// One bound is the sum over the joints, each with the distance of its axis: robot/motion.h says why. It
// counts ways in all directions alike. The other one takes the speed in the middle of the span, where
// ways in opposite directions cancel, and a bound of how fast it changes: a point p that joints turn at
// constant rates a_k has the acceleration
//
//     sum over j, k of a_j a_k z_j x (z_k x (p - o_k)), with j the one nearer to the root,
//
// whose size is not above a_j a_k times the distance of p from the axis k. That distance is the one in
// the middle of the span, and no more than what the joints beyond k move p by. So up to the ends of the
// span p goes no further than its speed takes it and half of the largest acceleration. Joints that
// slide have no distance, and count with the metres they go. The lesser of the two bounds is taken.
//
// Floats may be off by a few units in the last place, and places of frames by what the radii of balls
// are larger by: both are added to every lever.

#include "batch/lane_block.h"

#define WK_LEVER_SHARE 1.00002f
#define WK_LEVER_SLACK 1e-4f

// What a part does for some of its joints.
typedef struct wkWayW {
    wkVecW speed;   // of its middle, in directions that are known
    wkVecW spin;    // of the part likewise
    wkFloatW loose; // speed of its middle in other directions
    wkFloatW looseSpin;
    wkFloatW sum;  // the first bound
    wkFloatW arms; // sum of turns times distances from axes, and slides
    wkFloatW bend; // twice what acceleration adds
} wkWayW;

WK_FORCE_FN wkVecW wkCrossVecF(wkVecW a, wkVecW b)
{
    wkVecW product = {wkSubF(wkMulF(a.y, b.z), wkMulF(a.z, b.y)),
                      wkSubF(wkMulF(a.z, b.x), wkMulF(a.x, b.z)),
                      wkSubF(wkMulF(a.x, b.y), wkMulF(a.y, b.x))};
    return product;
}

WK_FORCE_FN wkFloatW wkLengthOfVecF(wkVecW v)
{
    return wkSqrtF(wkAddF(wkAddF(wkMulF(v.x, v.x), wkMulF(v.y, v.y)), wkMulF(v.z, v.z)));
}

// Where the turns of joints are kept, as vectors along their axes.
WK_FORCE_FN float* wkSpinAt(const wkBlockRun* run, int32_t group, int32_t mover)
{
    ptrdiff_t spin = (ptrdiff_t)group * run->program->moverCount + mover;
    return run->room->spins + spin * 3 * WK_FLOAT_LANES;
}

// Turns are from the x axis of a frame to its y axis; its z axis may be against theirs.
WK_FORCE_FN void wkSetSpins(const wkBlockRun* run, int32_t group)
{
    const float* room = wkGroupRoom(run, group);
    for (int32_t i = 1; i < run->program->moverCount; ++i) {
        if (run->room->isMoving[i]) {
            const wkProgramFrame* frame = &run->program->frames[i];
            wkVecW axis = wkCrossVecF(wkRoomVec(room, 3 * frame->x), wkRoomVec(room, 3 * frame->y));
            ptrdiff_t at = (ptrdiff_t)i * WK_BATCH_BLOCK + (ptrdiff_t)group * WK_FLOAT_LANES;
            wkSetRoomVec(wkSpinAt(run, group, i), 0,
                         wkMulVecF(axis, wkLoadF(run->look->turns + at)));
        }
    }
}

// Adds a joint that carries all those before.
WK_FORCE_FN void wkAddJoint(const wkBlockRun* run, const float* room, int32_t group, int32_t mover,
                            wkVecW center, wkFloatW radius, wkWayW* way)
{
    ptrdiff_t at = (ptrdiff_t)mover * WK_BATCH_BLOCK + (ptrdiff_t)group * WK_FLOAT_LANES;
    wkFloatW turn = wkAbsF(wkLoadF(run->look->turns + at)), slide = wkLoadF(run->look->slides + at);
    wkVecW arm = wkSubVecF(center, wkRoomVec(room, 3 * run->program->frames[mover].place));
    wkFloatW lever;
    if (run->batch->robot->movers[mover].type == wk_jointFloating) {
        lever = wkMulF(turn, wkLengthOfVecF(arm));
        way->loose = wkAddF(way->loose, lever);
        way->looseSpin = wkAddF(way->looseSpin, turn);
    } else {
        wkVecW spin = wkRoomVec(wkSpinAt(run, group, mover), 0);
        wkVecW speed = wkCrossVecF(spin, arm);
        lever = wkLengthOfVecF(speed);
        way->speed = wkAddVecF(way->speed, speed);
        way->spin = wkAddVecF(way->spin, spin);
    }
    lever = wkMulF(wkAddF(lever, wkMulF(turn, wkAddF(radius, wkSplatF(WK_LEVER_SLACK)))),
                   wkSplatF(WK_LEVER_SHARE));
    wkFloatW longest = wkAddF(lever, wkMulF(turn, way->sum));
    way->bend = wkAddF(way->bend, wkMulF(turn, wkAddF(longest, wkAddF(way->arms, way->arms))));
    way->arms = wkAddF(way->arms, wkAddF(longest, slide));
    way->sum = wkAddF(way->sum, wkAddF(lever, slide));
    way->loose = wkAddF(way->loose, slide);
}

// The lesser bound.
WK_FORCE_FN wkFloatW wkLeastWay(const wkWayW* way, wkFloatW radius)
{
    wkFloatW spin = wkAddF(wkLengthOfVecF(way->spin), way->looseSpin);
    wkFloatW speed = wkAddF(wkLengthOfVecF(way->speed), way->loose);
    speed = wkAddF(speed, wkMulF(spin, radius));
    // roundings of sums whose terms cancel are shares of these terms
    speed = wkAddF(speed, wkMulF(way->sum, wkSplatF(WK_LEVER_SHARE - 1.0f)));
    wkFloatW bend = wkMulF(way->bend, wkSplatF(0.5f * WK_LEVER_SHARE));
    return wkMinF(way->sum, wkAddF(speed, bend));
}

// The ways of a carrier for the joints from its own one towards the root, each with those before it.
WK_FORCE_FN void wkAddUpWays(const wkBlockRun* run, const float* room, int32_t group,
                             const wkCarrier* carrier)
{
    const wkBatch* batch = run->batch;
    float* ways = run->room->ways + (ptrdiff_t)group * batch->wayCount * WK_FLOAT_LANES;
    wkFrameW frame = wkFrameOf(run->program, carrier->mover, room);
    wkVecW center = wkPlacePoint(&frame, 7, carrier->x, carrier->y, carrier->z);
    wkFloatW none = wkSplatF(0.0f), radius = wkSplatF(carrier->radius);
    wkWayW way = {{none, none, none}, {none, none, none}, none, none, none, none, none};
    int32_t number = carrier->firstWay;
    for (int32_t i = carrier->mover; i > 0; i = batch->robot->movers[i].parent) {
        if (run->room->isMoving[i]) {
            wkAddJoint(run, room, group, i, center, radius, &way);
        }
        if (batch->isWayUsed[number]) {
            wkStoreF(ways + (ptrdiff_t)number * WK_FLOAT_LANES, wkLeastWay(&way, radius));
        }
        ++number;
    }
}

// One of them.
// @param way -1: nothing moves
WK_FORCE_FN wkFloatW wkWayAt(const wkBlockRun* run, int32_t group, int32_t way)
{
    const float* ways = run->room->ways + (ptrdiff_t)group * run->batch->wayCount * WK_FLOAT_LANES;
    return way < 0 ? wkSplatF(0.0f) : wkLoadF(ways + (ptrdiff_t)way * WK_FLOAT_LANES);
}

// How far a part moves in the world, and two parts as seen from each other.
WK_FORCE_FN wkFloatW wkWayOfPart(const wkBlockRun* run, int32_t group, int32_t part)
{
    return wkWayAt(run, group, run->batch->partWays[part]);
}

WK_FORCE_FN wkFloatW wkWayOfPair(const wkBlockRun* run, int32_t group, int32_t pair)
{
    const int32_t* ways = run->batch->pairWays + 2 * (ptrdiff_t)pair;
    return wkAddF(wkWayAt(run, group, ways[0]), wkWayAt(run, group, ways[1]));
}

// Joints that move in any row.
static inline void wkFindMoving(const wkBlockRun* run)
{
    int32_t count = run->groupCount * WK_FLOAT_LANES;
    for (int32_t i = 0; i < run->batch->robot->moverCount; ++i) {
        const float* turns = run->look->turns + (size_t)i * WK_BATCH_BLOCK;
        const float* slides = run->look->slides + (size_t)i * WK_BATCH_BLOCK;
        wkFloatW most = wkSplatF(0.0f);
        for (int32_t k = 0; k < count; k += WK_FLOAT_LANES) {
            most = wkMaxF(most, wkMaxF(wkAbsF(wkLoadF(turns + k)), wkLoadF(slides + k)));
        }
        run->room->isMoving[i] = wkGreaterBitsF(most, wkSplatF(0.0f)) != 0;
    }
}

// The ways of all parts in all rows.
WK_APART_FN void wkFindWays(const wkBlockRun* run)
{
    wkFindMoving(run);
    for (int32_t group = 0; group < run->groupCount; ++group) {
        const float* room = wkGroupRoom(run, group);
        if (run->live[group] == 0) {
            continue;
        }
        wkSetSpins(run, group);
        for (int32_t i = 0; i < run->batch->carrierCount; ++i) {
            wkAddUpWays(run, room, group, &run->batch->carriers[i]);
        }
    }
}
