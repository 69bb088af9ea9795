// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Checks parts of a robot against each other, for SIMD files. Lanes hold configurations, or intervals of motions;
// rows that bodies decide about leave the lanes and are checked one by one.

#include "batch/motion_bound_kernel.h"
#include "batch/self_bundle_kernel.h"
#include "batch/self_kernel.h"

#include <string.h>

// All spheres of two parts, with the given radii: each of the second with the sphere around the first one, and
// then with its spheres.
WK_FORCE_FN wkFloatW wkOverlapAll(const wkProgram* program, wkPartPair pair, const float* radii,
                                  const float* spheres, wkVecW around, unsigned lanes,
                                  wkFloatW grown)
{
    const wkPart *a = &program->parts[pair.a], *b = &program->parts[pair.b];
    wkFloatW most = wkSplatF(-1.0f);
    for (int32_t k = b->firstSphere; k < b->firstSphere + b->sphereCount; ++k) {
        wkVecW sphere = wkScratchVec(spheres, 3 * k);
        float radius = radii[k];
        wkFloatW overlap = wkOverlap(sphere, around, radius + a->radius, grown);
        if ((wkOverlapBits(overlap) & lanes) == 0) {
            continue;
        }
        for (int32_t i = a->firstSphere; i < a->firstSphere + a->sphereCount; ++i) {
            most = wkMaxF(
                most, wkOverlap(sphere, wkScratchVec(spheres, 3 * i), radius + radii[i], grown));
        }
    }
    return most;
}

// Those that can touch within limits.
WK_FORCE_FN wkFloatW wkOverlapSome(const wkContacts* contacts, const wkPairContacts* some,
                                   const float* radii, const float* spheres, wkFloatW grown)
{
    wkFloatW most = wkSplatF(-1.0f);
    for (int32_t g = some->firstGroup; g < some->firstGroup + some->groupCount; ++g) {
        wkContactGroup group = contacts->groups[g];
        wkVecW sphere = wkScratchVec(spheres, 3 * group.sphere);
        float radius = radii[group.sphere];
        for (int32_t i = group.first; i < group.first + group.count; ++i) {
            int32_t k = contacts->spheres[i];
            most = wkMaxF(
                most, wkOverlap(sphere, wkScratchVec(spheres, 3 * k), radius + radii[k], grown));
        }
    }
    return most;
}

// Lanes in which the spheres of two parts touch, with the given radii and grown by so much.
WK_FORCE_FN unsigned wkTouchingLanes(const wkBlockRun* run, int32_t number, const float* radii,
                                     const float* spheres, wkVecW around, wkFloatW grown,
                                     unsigned lanes)
{
    const wkContacts* contacts = run->batch->contacts;
    const wkPairContacts* some = &contacts->pairs[number];
    bool areAll = some->areAll || !run->isWithinLimits;
    wkFloatW most = areAll ? wkOverlapAll(run->program, run->program->pairs[number], radii, spheres,
                                          around, lanes, grown)
                           : wkOverlapSome(contacts, some, radii, spheres, grown);
    return wkOverlapBits(most) & lanes;
}

// How much a pair of parts can move as seen from each other in intervals: centers of spheres, and points of
// bodies.
typedef struct wkPairMotionBoundW {
    wkFloatW spheres;
    wkFloatW bodies;
} wkPairMotionBoundW;

// Metres that bodies move by within an interval for which bodies are not checked: its halves have less to prove.
#define WK_WIDE_MOTION_BOUND 0.05f

// Puts rows of a pair off until all pairs have been checked.
static inline void wkPutRowsOff(wkBlockRun* run, int32_t number, unsigned lanes,
                                const wkRowsW* rows)
{
    uint64_t* words = run->scratch->putOff + (ptrdiff_t)number * WK_ROW_WORDS;
    bool isNew = lanes != 0;
    for (int i = 0; i < WK_ROW_WORDS; ++i) {
        isNew = isNew && words[i] == 0;
    }
    if (isNew) {
        run->scratch->putOffPairs[run->putOffCount++] = number;
    }
    for (; lanes != 0; lanes &= lanes - 1) {
        int32_t row = wkRowOf(rows, __builtin_ctz(lanes));
        words[row / 64] |= UINT64_C(1) << (row % 64);
    }
}

// Finds out about rows in which spheres of two parts touch. Spheres inside the bodies find most of the rows that
// touch. The others are left to convex pieces or bodies: put off, or decided by the bodies where they
// are the middles of intervals.
// @return those of the lanes that touch
WK_APART_FN unsigned wkAskBodies(wkBlockRun* run, int32_t number, const float* spheres,
                                 wkVecW around, bool isInterval, unsigned lanes,
                                 const wkRowsW* rows)
{
    const wkBatch* batch = run->batch;
    unsigned touching = wkTouchingLanes(run, number, batch->innerRadii, spheres, around,
                                        wkSplatF(batch->margin), lanes);
    lanes &= ~touching;
    if (!isInterval) {
        wkPutRowsOff(run, number, lanes, rows);
        return touching;
    }
    for (; lanes != 0; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        const double* q =
            run->check->rows + (ptrdiff_t)wkRowOf(rows, lane) * run->program->variableCount;
        bool isApart = wkAreBodiesApart(batch, run->scratch, number, q, batch->def.margin);
        touching |= (isApart ? 0u : 1u) << lane;
    }
    return touching;
}

// Intervals in which spheres of two parts touch, or do when they are grown: they are proven where bodies are
// further apart in the middle than they can move.
WK_APART_FN void wkAskBodiesOfIntervals(wkBlockRun* run, int32_t number, wkFloatW motionBound,
                                        unsigned lanes, const wkRowsW* rows)
{
    _Alignas(64) float growths[WK_FLOAT_LANES];
    wkStoreF(growths, motionBound);
    for (; lanes != 0; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        int32_t row = wkRowOf(rows, lane);
        const double* q = run->check->rows + (ptrdiff_t)row * run->program->variableCount;
        double margin = run->batch->def.margin + (double)growths[lane];
        // a growth that is no number proves nothing
        if (!(growths[lane] <= WK_WIDE_MOTION_BOUND) ||
            !wkAreBodiesApart(run->batch, run->scratch, number, q, margin)) {
            wkLeaveOpen(run, wkPairItem(run, number, true), row, growths[lane]);
        }
    }
}

// Checks the spheres of two parts, which are placed: of intervals, inflated, and where these touch as they are in
// the middle.
WK_FORCE_FN void wkCheckSpheresOfPair(wkBlockRun* run, int32_t number, const float* spheres,
                                      wkVecW around, wkPairMotionBoundW motionBound,
                                      bool isInterval, wkRowsW rows)
{
    const float* radii = run->program->radius;
    wkFloatW margin = wkSplatF(run->batch->margin);
    wkFloatW grown = isInterval ? wkAddF(margin, motionBound.spheres) : margin;
    unsigned reached = wkTouchingLanes(run, number, radii, spheres, around, grown, rows.lanes);
    if (WK_LIKELY(reached == 0)) {
        return;
    }
    bool asksBodies = wkAsksBodies(run->batch, number);
    unsigned touching = reached;
    if (isInterval) {
        touching = wkTouchingLanes(run, number, radii, spheres, around, margin, reached);
    }
    if (asksBodies && touching != 0) {
        touching = wkAskBodies(run, number, spheres, around, isInterval, touching, &rows);
    }
    if (isInterval && asksBodies) {
        wkAskBodiesOfIntervals(run, number, motionBound.bodies, reached & ~touching, &rows);
    } else if (isInterval) {
        wkIntervalItem item = wkPairItem(run, number, true);
        wkLeaveLanesOpen(run, item, reached & ~touching, &rows, motionBound.spheres);
    }
    wkSettleLanes(run, touching, &rows, wk_verdictSelf);
}

WK_FORCE_FN void wkCheckPackedPair(wkBlockRun* run, int32_t number, bool isInterval)
{
    const wkProgram* program = run->program;
    wkPartPair pair = program->pairs[number];
    const wkPart* a = &program->parts[pair.a];
    for (int32_t at = 0; at < run->packedCount; at += WK_FLOAT_LANES) {
        wkRowsW rows = wkPackedRows(run, at);
        if (rows.lanes == 0) {
            continue;
        }
        wkPairFramesW frames = {wkUnpackFrame(run, at, 0),
                                wkUnpackFrame(run, at, WK_FRAME_NUMBERS)};
        wkPairMotionBoundW motionBound = {wkSplatF(0.0f), wkSplatF(0.0f)};
        if (isInterval) {
            motionBound.spheres = wkLoadAnyF(wkPackedColumn(run, 2 * WK_FRAME_NUMBERS) + at);
            motionBound.bodies = wkLoadAnyF(wkPackedColumn(run, 2 * WK_FRAME_NUMBERS + 1) + at);
        }
        wkPlaceInFrame(program, pair.a, &frames.a, run->scratch->placed);
        wkPlaceInFrame(program, pair.b, &frames.b, run->scratch->placed);
        wkVecW around = wkPlacePoint(&frames.a, 7, a->x, a->y, a->z);
        wkCheckSpheresOfPair(run, number, run->scratch->placed, around, motionBound, isInterval,
                             rows);
    }
    run->packedCount = 0;
}

// Rows in which the spheres around two parts overlap.
WK_FORCE_FN unsigned wkNearPair(const wkBlockRun* run, int32_t number, int32_t group,
                                bool isInterval)
{
    const wkBatch* batch = run->batch;
    wkPartPair pair = run->program->pairs[number];
    const float* scratch = wkGroupScratch(run, group);
    wkFloatW grown = wkSplatF(batch->margin);
    if (isInterval) {
        grown = wkAddF(grown, wkWayOfPair(run, group, number, batch->centerReaches[pair.a],
                                          batch->centerReaches[pair.b]));
    }
    float radii = run->program->parts[pair.a].radius + run->program->parts[pair.b].radius;
    return wkOverlapBits(wkOverlap(wkCenterOf(run, scratch, pair.a),
                                   wkCenterOf(run, scratch, pair.b), radii, grown));
}

// Rows in which those around what can touch of them do.
WK_FORCE_FN unsigned wkNearContacts(const wkBlockRun* run, int32_t number, int32_t group,
                                    const wkFrameW* frameA, const wkFrameW* frameB, bool isInterval)
{
    const wkContactSphere* around = run->batch->contacts->pairs[number].around;
    wkVecW a = wkPlacePoint(frameA, 7, around[0].x, around[0].y, around[0].z);
    wkVecW b = wkPlacePoint(frameB, 7, around[1].x, around[1].y, around[1].z);
    wkFloatW grown = wkSplatF(run->batch->margin);
    if (isInterval) {
        const float* reaches = run->batch->pairReaches + 2 * (ptrdiff_t)number;
        grown = wkAddF(grown, wkWayOfPair(run, group, number, reaches[0], reaches[1]));
    }
    return wkOverlapBits(wkOverlap(a, b, around[0].radius + around[1].radius, grown));
}

// Rows of a group that the table of a pair does not tell to be free.
WK_FORCE_FN unsigned wkNotFreeByTable(const wkSelfTable* table, const float* values, unsigned lanes)
{
    unsigned left = lanes;
    for (; lanes != 0; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        float ofLane[WK_TABLE_VARIABLES] = {
            values[table->variables[0] * WK_FLOAT_LANES + lane],
            values[table->variables[1] * WK_FLOAT_LANES + lane],
        };
        left &= ~((wkIsApartByTable(table, ofLane) ? 1u : 0u) << lane);
    }
    return left;
}

WK_FORCE_FN void wkCheckPairInGroup(wkBlockRun* run, int32_t number, int32_t group, unsigned wanted,
                                    bool isInterval)
{
    const wkProgram* program = run->program;
    wkPartPair pair = program->pairs[number];
    const float* scratch = wkGroupScratch(run, group);
    unsigned lanes = wkNearPair(run, number, group, isInterval) & wanted;
    if (lanes == 0) {
        return;
    }
    const wkSelfTable* table = run->batch->selfTables->ofPairs[number];
    if (!isInterval && table != NULL) {
        const float* values = scratch + (ptrdiff_t)program->valuesAt * WK_FLOAT_LANES;
        lanes = wkNotFreeByTable(table, values, lanes);
        if (lanes == 0) {
            return;
        }
    }
    wkPairFramesW frames = {wkFrameOf(program, program->parts[pair.a].rigidGroup, scratch),
                            wkFrameOf(program, program->parts[pair.b].rigidGroup, scratch)};
    if (run->isWithinLimits && run->batch->contacts->pairs[number].isTighter) {
        lanes &= wkNearContacts(run, number, group, &frames.a, &frames.b, isInterval);
        if (lanes == 0) {
            return;
        }
    }
    wkPairMotionBoundW motionBound = {wkSplatF(0.0f), wkSplatF(0.0f)};
    if (isInterval) {
        const float *reaches = run->batch->partReaches, *bodies = run->batch->bodyReaches;
        motionBound.spheres = wkWayOfPair(run, group, number, reaches[pair.a], reaches[pair.b]);
        motionBound.bodies = wkWayOfPair(run, group, number, bodies[pair.a], bodies[pair.b]);
    }
    if (__builtin_popcount(lanes) >= WK_MANY_LANES) {
        wkRowsW rows = {lanes, group * WK_FLOAT_LANES, NULL};
        const float* spheres = wkNeedSpheresOf(run, group, pair.a);
        wkNeedSpheresOf(run, group, pair.b);
        wkVecW around = wkCenterOf(run, scratch, pair.a);
        wkCheckSpheresOfPair(run, number, spheres, around, motionBound, isInterval, rows);
        return;
    }
    wkPackFrame(run, &frames.a, lanes, 0);
    wkPackFrame(run, &frames.b, lanes, WK_FRAME_NUMBERS);
    if (isInterval) {
        wkPackF(wkPackedColumn(run, 2 * WK_FRAME_NUMBERS) + run->packedCount, motionBound.spheres,
                lanes);
        wkPackF(wkPackedColumn(run, 2 * WK_FRAME_NUMBERS + 1) + run->packedCount,
                motionBound.bodies, lanes);
    }
    wkPackRows(run, group, lanes);
}

// Lanes of a group in which a pair was put off and that have no verdict yet.
WK_FORCE_FN unsigned wkPutOffLanes(const wkBlockRun* run, int32_t number, int32_t group)
{
    int32_t row = group * WK_FLOAT_LANES;
    uint64_t word = run->scratch->putOff[number * WK_ROW_WORDS + row / 64];
    return (unsigned)(word >> (row % 64)) & run->live[group];
}

// Decides about rows that were put off for a pair by the bodies.
static inline void wkAskBodiesOfRows(wkBlockRun* run, int32_t number)
{
    const wkBatch* batch = run->batch;
    for (int32_t group = 0; group < run->groupCount; ++group) {
        for (unsigned lanes = wkPutOffLanes(run, number, group); lanes != 0; lanes &= lanes - 1) {
            int32_t row = group * WK_FLOAT_LANES + __builtin_ctz(lanes);
            const double* q = run->check->rows + (ptrdiff_t)row * run->program->variableCount;
            if (!wkAreBodiesApart(batch, run->scratch, number, q, batch->def.margin)) {
                wkSettle(run, row, wk_verdictSelf);
            }
        }
    }
}

// Decides about all rows that were put off.
WK_APART_FN void wkDecidePutOff(wkBlockRun* run)
{
    const int32_t* pairs = run->scratch->putOffPairs;
    for (int32_t i = 0; i < run->putOffCount; ++i) {
        wkAskBodiesOfRows(run, pairs[i]);
        memset(run->scratch->putOff + (ptrdiff_t)pairs[i] * WK_ROW_WORDS, 0,
               WK_ROW_WORDS * sizeof(uint64_t));
    }
    run->putOffCount = 0;
}

// Checks pairs that convex pieces decide about, and then rows that were put off.
WK_APART_FN void wkCheckExactly(wkBlockRun* run)
{
    const wkSelfTables* tables = run->batch->selfTables;
    for (int32_t i = 0; i < tables->bundleCount; ++i) {
        wkCheckBundle(run, &tables->bundles[i]);
    }
    wkDecidePutOff(run);
}

// Checks all pairs of parts that can touch. Rows of intervals have no use for maps: they are proven by how far
// bodies are apart.
WK_FORCE_FN void wkCheckPairs(wkBlockRun* run, bool isInterval)
{
    const wkContacts* contacts = run->batch->contacts;
    const int32_t *mapOfPair = run->batch->selfTables->mapOfPair,
                  *order = run->batch->selfTables->order;
    const bool* usesPieces = run->batch->selfTables->usesPieces;
    bool isWithin = run->isWithinLimits;
    int32_t count = isWithin ? contacts->liveCount : run->program->pairCount;
    if (!isInterval) {
        wkCheckMaps(run);
    }
    for (int32_t i = 0; i < count; ++i) {
        int32_t number = order[i];
        bool isMapped = !isInterval && mapOfPair[number] >= 0;
        if ((isMapped && !run->hasUnmapped) || (!isInterval && usesPieces[number])) {
            continue;
        }
        wkIntervalItem item = wkPairItem(run, number, isInterval);
        for (int32_t group = 0; group < run->groupCount; ++group) {
            unsigned wanted = wkWantedLanes(run, item, group);
            wanted &= isMapped ? wkUnmappedLanes(run, number, group) : WK_ALL_FLOAT_LANES;
            if (wanted != 0) {
                wkCheckPairInGroup(run, number, group, wanted, isInterval);
            }
        }
        wkCheckPackedPair(run, number, isInterval);
        if (isInterval) {
            wkLeaveMotionsOut(run);
        }
    }
    if (!isInterval) {
        wkCheckExactly(run);
    }
}
