// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How far parts of a robot move within intervals of motions, for lane files.
//
// One bound is the sum over the joints, each with the distance of its axis: robot/motion.h says why. It
// counts ways in all directions alike. The other one takes the speed in the middle of the interval, where
// ways in opposite directions cancel, and a bound of how fast it changes: a point p that joints turn at
// constant rates a_k has the acceleration
//
//     sum over j, k of a_j a_k z_j x (z_k x (p - o_k)), with j the one nearer to the root,
//
// whose size is not above a_j a_k times the distance of p from the axis k. That distance is the one in
// the middle of the interval, and no more than what the joints beyond k move p by. So up to the ends of the
// interval p goes no further than its speed takes it and half of the largest acceleration. Joints that
// slide have no distance, and count with the metres they go. The lesser of the two bounds is taken.
//
// Spheres are the same when they turn, so that how far their centers go is all that counts. Both bounds are
// linear in how far a center is from a point that moves with it: what is found for the point serves all
// spheres around it, each with its distance.
//
// Floats may be off by a few units in the last place, and places of frames by what the radii of spheres
// are larger by: both are added to every lever.

#include "batch/block_kernel.h"

#define WK_LEVER_SHARE 1.00002f

// A number for the point of a carrier, and how much more it is for each metre from there.
typedef struct wkLineW {
    wkFloatW at;
    wkFloatW perMetre;
} wkLineW;

// What a carrier does for some of its joints.
typedef struct wkWayW {
    wkVecW speed;  // of its point, in directions that are known
    wkVecW spin;   // likewise
    wkLineW loose; // speed in other directions
    wkLineW sum;   // the first bound
    wkLineW arms;  // sum of turns times distances from axes, and slides
    wkLineW bend;  // twice what acceleration adds
} wkWayW;

WK_FORCE_FN wkLineW wkAddLine(wkLineW a, wkLineW b)
{
    wkLineW sum = {wkAddF(a.at, b.at), wkAddF(a.perMetre, b.perMetre)};
    return sum;
}

WK_FORCE_FN wkLineW wkMulLine(wkLineW a, wkFloatW factor)
{
    wkLineW product = {wkMulF(a.at, factor), wkMulF(a.perMetre, factor)};
    return product;
}

// The number for a center that is so far from the point.
WK_FORCE_FN wkFloatW wkOnLine(wkLineW line, float metres)
{
    return wkAddF(line.at, wkMulF(line.perMetre, wkSplatF(metres)));
}

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
WK_FORCE_FN float* wkSpinAt(const wkBlockRun* run, int32_t group, int32_t rigidGroup)
{
    ptrdiff_t spin = (ptrdiff_t)group * run->program->rigidGroupCount + rigidGroup;
    return run->scratch->spins + spin * 3 * WK_FLOAT_LANES;
}

// Turns are from the x axis of a frame to its y axis; its z axis may be against theirs.
WK_FORCE_FN void wkSetSpins(const wkBlockRun* run, int32_t group)
{
    const float* scratch = wkGroupScratch(run, group);
    for (int32_t i = 1; i < run->program->rigidGroupCount; ++i) {
        if (run->scratch->isMoving[i]) {
            const wkProgramFrame* frame = &run->program->frames[i];
            wkVecW axis = wkCrossVecF(wkScratchVec(scratch, 3 * frame->x),
                                      wkScratchVec(scratch, 3 * frame->y));
            ptrdiff_t at = (ptrdiff_t)i * WK_BATCH_BLOCK + (ptrdiff_t)group * WK_FLOAT_LANES;
            wkSetScratchVec(wkSpinAt(run, group, i), 0,
                            wkMulVecF(axis, wkLoadF(run->check->rotations + at)));
        }
    }
}

// Adds a joint that carries all those before.
WK_FORCE_FN void wkAddJoint(const wkBlockRun* run, const float* scratch, int32_t group,
                            int32_t rigidGroup, wkVecW point, wkWayW* way)
{
    ptrdiff_t at = (ptrdiff_t)rigidGroup * WK_BATCH_BLOCK + (ptrdiff_t)group * WK_FLOAT_LANES;
    wkFloatW rotation = wkAbsF(wkLoadF(run->check->rotations + at)),
             translation = wkLoadF(run->check->translations + at);
    wkVecW arm =
        wkSubVecF(point, wkScratchVec(scratch, 3 * run->program->frames[rigidGroup].origin));
    wkLineW lever = {rotation, rotation};
    if (run->batch->robot->rigidGroups[rigidGroup].type == wk_jointFloating) {
        lever.at = wkMulF(rotation, wkLengthOfVecF(arm));
        way->loose = wkAddLine(way->loose, lever);
    } else {
        wkVecW spin = wkScratchVec(wkSpinAt(run, group, rigidGroup), 0);
        wkVecW speed = wkCrossVecF(spin, arm);
        lever.at = wkLengthOfVecF(speed);
        way->speed = wkAddVecF(way->speed, speed);
        way->spin = wkAddVecF(way->spin, spin);
    }
    lever.at = wkAddF(lever.at, wkMulF(rotation, wkSplatF(run->batch->leverSlack)));
    lever = wkMulLine(lever, wkSplatF(WK_LEVER_SHARE));
    wkLineW longest = wkAddLine(lever, wkMulLine(way->sum, rotation));
    wkLineW arms = wkAddLine(longest, wkAddLine(way->arms, way->arms));
    way->bend = wkAddLine(way->bend, wkMulLine(arms, rotation));
    way->arms = wkAddLine(way->arms, longest);
    way->arms.at = wkAddF(way->arms.at, translation);
    way->sum = wkAddLine(way->sum, lever);
    way->sum.at = wkAddF(way->sum.at, translation);
    way->loose.at = wkAddF(way->loose.at, translation);
}

// The lesser bound, as it is half way to the furthest center.
WK_FORCE_FN wkLineW wkLeastWay(const wkWayW* way, float slack, float reach)
{
    // roundings of sums whose terms cancel are shares of these terms, and every arm may be off
    wkLineW bound = wkMulLine(way->sum, wkSplatF(WK_LEVER_SHARE - 1.0f));
    bound = wkAddLine(bound, wkMulLine(way->bend, wkSplatF(0.5f * WK_LEVER_SHARE)));
    bound = wkAddLine(bound, way->loose);
    bound.at = wkAddF(bound.at, wkMulF(way->sum.perMetre, wkSplatF(slack)));
    bound.at = wkAddF(bound.at, wkLengthOfVecF(way->speed));
    bound.perMetre = wkAddF(bound.perMetre, wkLengthOfVecF(way->spin));
    wkFloatW first = wkOnLine(way->sum, 0.5f * reach), second = wkOnLine(bound, 0.5f * reach);
    wkLineW least = {
        wkSelectGreaterF(first, second, bound.at, way->sum.at),
        wkSelectGreaterF(first, second, bound.perMetre, way->sum.perMetre),
    };
    return least;
}

// Where a way is kept.
WK_FORCE_FN float* wkWayScratch(const wkBlockRun* run, int32_t group, int32_t way)
{
    ptrdiff_t number = (ptrdiff_t)group * run->batch->wayCount + way;
    return run->scratch->ways + 2 * number * WK_FLOAT_LANES;
}

// The ways of a carrier for the joints from its own one towards the root, each with those before it.
WK_FORCE_FN void wkAddUpWays(const wkBlockRun* run, const float* scratch, int32_t group,
                             const wkCarrier* carrier)
{
    const wkBatch* batch = run->batch;
    wkFrameW frame = wkFrameOf(run->program, carrier->rigidGroup, scratch);
    wkVecW point = wkPlacePoint(&frame, 7, carrier->x, carrier->y, carrier->z);
    wkFloatW none = wkSplatF(0.0f);
    wkLineW noLine = {none, none};
    wkWayW way = {{none, none, none}, {none, none, none}, noLine, noLine, noLine, noLine};
    int32_t number = carrier->firstWay;
    for (int32_t i = carrier->rigidGroup; i > 0; i = batch->robot->rigidGroups[i].parent) {
        if (run->scratch->isMoving[i]) {
            wkAddJoint(run, scratch, group, i, point, &way);
        }
        if (batch->isWayUsed[number]) {
            wkLineW least = wkLeastWay(&way, batch->leverSlack, carrier->reach);
            float* kept = wkWayScratch(run, group, number);
            wkStoreF(kept, least.at);
            wkStoreF(kept + WK_FLOAT_LANES, least.perMetre);
        }
        ++number;
    }
}

// One of them.
// @param way -1: nothing moves
WK_FORCE_FN wkLineW wkWayAt(const wkBlockRun* run, int32_t group, int32_t way)
{
    wkLineW line = {wkSplatF(0.0f), wkSplatF(0.0f)};
    if (way >= 0) {
        const float* kept = wkWayScratch(run, group, way);
        line.at = wkLoadF(kept);
        line.perMetre = wkLoadF(kept + WK_FLOAT_LANES);
    }
    return line;
}

// How far spheres of a part move in the world.
WK_FORCE_FN wkLineW wkWaysOfPart(const wkBlockRun* run, int32_t group, int32_t part)
{
    return wkWayAt(run, group, run->batch->partWays[part]);
}

// The same for all of them, and the sphere around them.
WK_FORCE_FN wkFloatW wkWayOfPart(const wkBlockRun* run, int32_t group, int32_t part)
{
    return wkOnLine(wkWaysOfPart(run, group, part), run->batch->partReaches[part]);
}

// How far a center of one part and one of another move as seen from each other.
WK_FORCE_FN wkFloatW wkWayOfPair(const wkBlockRun* run, int32_t group, int32_t pair, float reachA,
                                 float reachB)
{
    const int32_t* ways = run->batch->pairWays + 2 * (ptrdiff_t)pair;
    return wkAddF(wkOnLine(wkWayAt(run, group, ways[0]), reachA),
                  wkOnLine(wkWayAt(run, group, ways[1]), reachB));
}

// Joints that move in any row.
static inline void wkFindMoving(const wkBlockRun* run)
{
    int32_t count = run->groupCount * WK_FLOAT_LANES;
    for (int32_t i = 0; i < run->batch->robot->rigidGroupCount; ++i) {
        const float* rotations = run->check->rotations + (size_t)i * WK_BATCH_BLOCK;
        const float* translations = run->check->translations + (size_t)i * WK_BATCH_BLOCK;
        wkFloatW most = wkSplatF(0.0f);
        for (int32_t k = 0; k < count; k += WK_FLOAT_LANES) {
            most = wkMaxF(most, wkMaxF(wkAbsF(wkLoadF(rotations + k)), wkLoadF(translations + k)));
        }
        run->scratch->isMoving[i] = wkGreaterBitsF(most, wkSplatF(0.0f)) != 0;
    }
}

// Bits that any row of a group has.
WK_FORCE_FN int32_t wkAnyBits(const int32_t* bits, int32_t group)
{
    int32_t any = 0;
    for (int lane = 0; lane < WK_FLOAT_LANES; ++lane) {
        any |= bits[group * WK_FLOAT_LANES + lane];
    }
    return any;
}

// The ways of all parts that are looked at.
WK_APART_FN void wkFindWays(const wkBlockRun* run)
{
    const wkBatch* batch = run->batch;
    wkFindMoving(run);
    for (int32_t group = 0; group < run->groupCount; ++group) {
        const float* scratch = wkGroupScratch(run, group);
        if (run->live[group] == 0) {
            continue;
        }
        wkSetSpins(run, group);
        int32_t parts = wkAnyBits(run->check->wanted->parts, group);
        int32_t pairs = wkAnyBits(run->check->wanted->pairs, group);
        for (int32_t i = 0; i < batch->carrierCount; ++i) {
            const wkCarrier* carrier = &batch->carriers[i];
            if ((carrier->parts & parts) != 0 || (carrier->pairs & pairs) != 0) {
                wkAddUpWays(run, scratch, group, carrier);
            }
        }
    }
}
