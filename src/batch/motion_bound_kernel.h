// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Bounds how far parts of a robot move within intervals of motions, for SIMD files. Lanes hold intervals.
//
// One bound is the sum over the joints, each with the distance of its axis: robot/motion.h explains it. It
// adds motions in all directions. The other one takes the velocity in the middle of the interval, where
// motions in opposite directions cancel, and a bound on the acceleration: a point p that joints rotate at
// constant rates a_k has the acceleration
//
//     sum over j, k of a_j a_k z_j x (z_k x (p - o_k)), with j the one nearer to the root,
//
// whose size is at most a_j a_k times the distance of p from the axis k. That distance is at most the one in
// the middle of the interval plus the motion of p by the joints beyond k. So up to the ends of the
// interval p moves no further than its velocity takes it plus half of the largest acceleration. Prismatic
// joints have no distance, and count with their metres of translation. The lesser of the two bounds is taken.
//
// Rotating a sphere does not change it, so that only the motion of its center counts. Both bounds are
// linear in the distance of a center from a reference point of the same rigid group: what is computed for
// the point serves all spheres around it, each with its distance.
//
// Floats may be off by a few units in the last place, and origins of frames by the rounding slack in the
// radii of spheres: both are added to every lever.

#include "batch/block_kernel.h"

#define WK_LEVER_SHARE 1.00002f

// A number at the point of a carrier, and its increase for each metre from there.
typedef struct wkLineW {
    wkFloatW at;
    wkFloatW perMetre;
} wkLineW;

// Motion of a carrier by some of its joints.
typedef struct wkWayW {
    wkVecW speed;  // velocity of its point, by joints with known axes
    wkVecW spin;   // angular velocity of these joints
    wkLineW loose; // speed in unknown directions
    wkLineW sum;   // the first bound
    wkLineW arms;  // sum of rotations times distances from axes, and translations
    wkLineW bend;  // twice the contribution of acceleration
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

// Evaluates the number for a center at this distance from the point.
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

// Returns where the rotations of joints are stored, as vectors along their axes.
WK_FORCE_FN float* wkSpinAt(const wkBlockRun* run, int32_t group, int32_t rigidGroup)
{
    ptrdiff_t spin = (ptrdiff_t)group * run->program->rigidGroupCount + rigidGroup;
    return run->scratch->spins + spin * 3 * WK_FLOAT_LANES;
}

// Rotations go from the x axis of a frame to its y axis; its z axis may be opposite to theirs.
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

// Returns the lesser bound, compared half way to the furthest center.
WK_FORCE_FN wkLineW wkLeastWay(const wkWayW* way, float slack, float reach)
{
    // rounding of sums whose terms cancel is relative to these terms, and every arm may be off
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

// Returns where a motion bound is stored.
WK_FORCE_FN float* wkWayScratch(const wkBlockRun* run, int32_t group, int32_t way)
{
    ptrdiff_t number = (ptrdiff_t)group * run->batch->wayCount + way;
    return run->scratch->ways + 2 * number * WK_FLOAT_LANES;
}

// Computes the motion bounds of a carrier for the joints from its own one towards the root, cumulatively.
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

// Returns one of these bounds.
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

// Returns the motion bound of spheres of a part in the world.
WK_FORCE_FN wkLineW wkWaysOfPart(const wkBlockRun* run, int32_t group, int32_t part)
{
    return wkWayAt(run, group, run->batch->partWays[part]);
}

// Returns the bound for all of them, and for the sphere around them.
WK_FORCE_FN wkFloatW wkWayOfPart(const wkBlockRun* run, int32_t group, int32_t part)
{
    return wkOnLine(wkWaysOfPart(run, group, part), run->batch->partReaches[part]);
}

// Returns the motion bound of a center of one part relative to a center of another.
WK_FORCE_FN wkFloatW wkWayOfPair(const wkBlockRun* run, int32_t group, int32_t pair, float reachA,
                                 float reachB)
{
    const int32_t* ways = run->batch->pairWays + 2 * (ptrdiff_t)pair;
    return wkAddF(wkOnLine(wkWayAt(run, group, ways[0]), reachA),
                  wkOnLine(wkWayAt(run, group, ways[1]), reachB));
}

// Finds joints that move in any row.
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

// Returns the bits that any row of a group has.
WK_FORCE_FN int32_t wkAnyBits(const int32_t* bits, int32_t group)
{
    int32_t any = 0;
    for (int lane = 0; lane < WK_FLOAT_LANES; ++lane) {
        any |= bits[group * WK_FLOAT_LANES + lane];
    }
    return any;
}

// Computes the motion bounds of all parts that are checked.
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
