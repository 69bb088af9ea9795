// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Checks a block of configurations, for SIMD files. Rows are in groups of as many as there are
// lanes. Parts of the robot are checked one after the other, each in all rows: first by the sphere around the
// part, then, in rows that this does not decide, by all its spheres. Where few lanes of a group are
// left, they are packed together with those of other groups, so that the second check has full lanes. Lanes hold
// configurations.

#include "batch/batch_impl.h"
#include "batch/fk_kernel.h"
#include "simd/pack.h"

#define WK_GROUPS (WK_BATCH_BLOCK / WK_FLOAT_LANES)

// Groups with at least this many lanes left are checked without packing.
#define WK_MANY_LANES ((3 * WK_FLOAT_LANES + 3) / 4)

typedef struct wkBlockRun {
    const wkBatch* batch;
    const wkProgram* program;
    wkBatchScratch* scratch;
    const wkBlockCheck* check;
    int32_t groupCount;
    unsigned live[WK_GROUPS]; // lanes without a verdict so far
    int32_t packedCount;
    uint64_t placed[WK_GROUPS]; // parts whose spheres are in the scratch of the group
    unsigned touching;          // motions with a contact that are not skipped yet
    bool isWithinLimits; // all rows without a verdict, or the motions of their intervals, are
    bool hasUnmapped;    // `unmapped` has a lane
    unsigned unmapped[WK_GROUPS]; // lanes that some map of joint values does not decide
    int32_t putOffCount;          // pairs with rows that are put off
} wkBlockRun;

// Numbers of a frame.
#define WK_FRAME_NUMBERS 12

// Rows that are checked side by side.
typedef struct wkRowsW {
    unsigned lanes;       // lanes in use
    int32_t first;        // their rows: from here on, or
    const uint16_t* rows; // these
} wkRowsW;

WK_FORCE_FN int32_t wkRowOf(const wkRowsW* rows, int lane)
{
    return rows->rows != NULL ? rows->rows[lane] : rows->first + lane;
}

// Returns the scratch of a group of lanes.
WK_FORCE_FN float* wkGroupScratch(const wkBlockRun* run, int32_t group)
{
    return run->scratch->lanes + (ptrdiff_t)group * run->program->scratchCount * WK_FLOAT_LANES;
}

WK_FORCE_FN void wkStoreVecF(float (*centers)[WK_FLOAT_LANES], wkVecW v)
{
    wkStoreF(centers[0], v.x);
    wkStoreF(centers[1], v.y);
    wkStoreF(centers[2], v.z);
}

// Returns the center of the sphere around a part.
WK_FORCE_FN wkVecW wkCenterOf(const wkBlockRun* run, const float* scratch, int32_t part)
{
    return wkScratchVec(scratch, run->program->centersAt + 3 * part);
}

// Places the spheres of a part in a frame, at three vectors for each sphere of the program.
WK_FORCE_FN void wkPlaceInFrame(const wkProgram* program, int32_t part, const wkFrameW* frame,
                                float* spheres)
{
    const wkPart* p = &program->parts[part];
    for (int32_t i = p->firstRun; i < p->firstRun + p->runCount; ++i) {
        const wkSphereRun* run = &program->runs[i];
        switch (run->pattern) {
        case 1:
            wkPlaceRun(program, frame, 1, run, spheres);
            break;
        case 2:
            wkPlaceRun(program, frame, 2, run, spheres);
            break;
        case 4:
            wkPlaceRun(program, frame, 4, run, spheres);
            break;
        case 3:
            wkPlaceRun(program, frame, 3, run, spheres);
            break;
        case 5:
            wkPlaceRun(program, frame, 5, run, spheres);
            break;
        case 6:
            wkPlaceRun(program, frame, 6, run, spheres);
            break;
        default:
            wkPlaceRun(program, frame, 7, run, spheres);
            break;
        }
    }
}

// Places the spheres of a part in the scratch of a group, unless they are there already.
// @return all spheres of that scratch
WK_FORCE_FN const float* wkNeedSpheresOf(wkBlockRun* run, int32_t group, int32_t part)
{
    float* scratch = wkGroupScratch(run, group);
    float* spheres = scratch + (ptrdiff_t)run->program->spheresAt * WK_FLOAT_LANES;
    uint64_t bit = part < 64 ? UINT64_C(1) << part : 0;
    if ((run->placed[group] & bit) == 0) {
        wkFrameW frame = wkFrameOf(run->program, run->program->parts[part].rigidGroup, scratch);
        wkPlaceInFrame(run->program, part, &frame, spheres);
        run->placed[group] |= bit;
    }
    return spheres;
}

// Capacity of packed columns: rows are packed up to a whole block, and one more group for the last write.
#define WK_PACKED_PITCH (WK_BATCH_BLOCK + 16)

WK_FORCE_FN float* wkPackedColumn(const wkBlockRun* run, int column)
{
    return run->scratch->packed + (size_t)column * WK_PACKED_PITCH;
}

// Packs the numbers of a frame behind those packed before, from a column on.
WK_FORCE_FN void wkPackFrame(const wkBlockRun* run, const wkFrameW* f, unsigned lanes, int column)
{
    const wkFloatW numbers[WK_FRAME_NUMBERS] = {f->x.x, f->x.y,      f->x.z,      f->y.x,
                                                f->y.y, f->y.z,      f->z.x,      f->z.y,
                                                f->z.z, f->origin.x, f->origin.y, f->origin.z};
    for (int i = 0; i < WK_FRAME_NUMBERS; ++i) {
        wkPackF(wkPackedColumn(run, column + i) + run->packedCount, numbers[i], lanes);
    }
}

WK_FORCE_FN wkVecW wkUnpackVec(const wkBlockRun* run, int32_t at, int column)
{
    wkVecW v = {wkLoadAnyF(wkPackedColumn(run, column) + at),
                wkLoadAnyF(wkPackedColumn(run, column + 1) + at),
                wkLoadAnyF(wkPackedColumn(run, column + 2) + at)};
    return v;
}

WK_FORCE_FN wkFrameW wkUnpackFrame(const wkBlockRun* run, int32_t at, int column)
{
    wkFrameW f = {wkUnpackVec(run, at, column), wkUnpackVec(run, at, column + 3),
                  wkUnpackVec(run, at, column + 6), wkUnpackVec(run, at, column + 9)};
    return f;
}

// Packs the row numbers, after everything else of the rows has been packed.
WK_FORCE_FN void wkPackRows(wkBlockRun* run, int32_t group, unsigned lanes)
{
    while (lanes != 0) {
        int lane = __builtin_ctz(lanes);
        lanes &= lanes - 1;
        run->scratch->packedRows[run->packedCount++] = (uint16_t)(group * WK_FLOAT_LANES + lane);
    }
}

// Returns the lanes of packed rows from an index on; rows that got a verdict since are left out.
WK_FORCE_FN wkRowsW wkPackedRows(const wkBlockRun* run, int32_t at)
{
    wkRowsW rows = {0, 0, run->scratch->packedRows + at};
    for (int lane = 0; lane < WK_FLOAT_LANES && at + lane < run->packedCount; ++lane) {
        int32_t row = rows.rows[lane];
        rows.lanes |= (run->live[row / WK_FLOAT_LANES] >> (row % WK_FLOAT_LANES) & 1u) << lane;
    }
    return rows;
}

// Records the verdict about a row. A row that touches unknown space may still touch something else.
static inline void wkSettle(wkBlockRun* run, int32_t row, wkVerdict verdict)
{
    run->check->verdicts[row] = (uint8_t)verdict;
    if (verdict != wk_verdictUnknown) {
        run->live[row / WK_FLOAT_LANES] &= ~(1u << (row % WK_FLOAT_LANES));
        run->touching |= run->check->slots != NULL ? 1u << run->check->slots[row] : 0u;
    }
}

static inline void wkSettleLanes(wkBlockRun* run, unsigned lanes, const wkRowsW* rows,
                                 wkVerdict verdict)
{
    for (; lanes != 0; lanes &= lanes - 1) {
        wkSettle(run, wkRowOf(rows, __builtin_ctz(lanes)), verdict);
    }
}

// Records the same verdict for all rows without one.
static inline void wkSettleAll(wkBlockRun* run, wkVerdict verdict)
{
    for (int32_t group = 0; group < run->groupCount && verdict != wk_verdictFree; ++group) {
        wkRowsW rows = {run->live[group], group * WK_FLOAT_LANES, NULL};
        wkSettleLanes(run, rows.lanes, &rows, verdict);
    }
}

// Where one contact is enough, skips motions that have one. Called only between two passes over all
// rows: which rows are checked must not depend on the order of lanes.
static inline void wkLeaveMotionsOut(wkBlockRun* run)
{
    unsigned slots = run->check->wantsAll ? 0u : run->touching;
    for (; slots != 0; slots &= slots - 1) {
        const wkMotionSlot* slot = &run->scratch->slots[__builtin_ctz(slots)];
        for (int32_t row = slot->first; row < slot->first + slot->rowCount; ++row) {
            run->live[row / WK_FLOAT_LANES] &= ~(1u << (row % WK_FLOAT_LANES));
        }
    }
    run->touching = 0;
}

// An item that is to be proven for intervals, as a bit for each row.
typedef struct wkIntervalItem {
    const int32_t* wanted;
    int32_t* unproven;
    int32_t bit;
} wkIntervalItem;

WK_FORCE_FN wkIntervalItem wkPartItem(const wkBlockRun* run, int32_t part, bool isInterval)
{
    wkIntervalItem item = {NULL, NULL, wkIntervalBit(part)};
    if (isInterval) {
        item.wanted = run->check->wanted->parts;
        item.unproven = run->check->unproven->parts;
    }
    return item;
}

WK_FORCE_FN wkIntervalItem wkPairItem(const wkBlockRun* run, int32_t pair, bool isInterval)
{
    wkIntervalItem item = {NULL, NULL, wkIntervalBit(pair)};
    if (isInterval) {
        item.wanted = run->check->wanted->pairs;
        item.unproven = run->check->unproven->pairs;
    }
    return item;
}

// Returns the lanes of a group that are checked for an item.
WK_FORCE_FN unsigned wkWantedLanes(const wkBlockRun* run, wkIntervalItem item, int32_t group)
{
    unsigned lanes = run->live[group];
    if (item.wanted != NULL && lanes != 0) {
        wkIntW bits = wkLoadI(item.wanted + (ptrdiff_t)group * WK_FLOAT_LANES);
        lanes &= wkGreaterBitsI(wkAndI(bits, wkSplatI(item.bit)), wkSplatI(0));
    }
    return lanes;
}

// Records an interval that is not proven. NaN counts as the largest motion bound.
static inline void wkLeaveOpen(wkBlockRun* run, wkIntervalItem item, int32_t row, float motionBound)
{
    float* open = &run->check->open[row];
    *open = motionBound <= *open ? *open : motionBound;
    item.unproven[row] |= item.bit;
}

WK_APART_FN void wkLeaveLanesOpen(wkBlockRun* run, wkIntervalItem item, unsigned lanes,
                                  const wkRowsW* rows, wkFloatW motionBound)
{
    _Alignas(64) float motionBounds[WK_FLOAT_LANES];
    wkStoreF(motionBounds, motionBound);
    for (; lanes != 0; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        wkLeaveOpen(run, item, wkRowOf(rows, lane), motionBounds[lane]);
    }
}

// Returns the verdict about a sphere by more than the kernels check. For a sphere that is grown by its motion
// in an interval, the kind of contact is not needed.
typedef wkVerdict wkClassifyFcn(const wkBatch* batch, int32_t side, const float center[3],
                                float radius, float motionBound);

// A sphere of a part, in the rows of some lanes.
typedef struct wkSphereW {
    wkVecW center;
    float radius;
    int32_t side; // of the part
} wkSphereW;

// Classifies, one after the other, rows in which the kernels did not decide about a sphere.
// @return lanes whose rows need no more checks
WK_APART_FN unsigned wkClassifyRows(wkBlockRun* run, wkClassifyFcn* classify,
                                    const wkSphereW* sphere, unsigned lanes, const wkRowsW* rows)
{
    _Alignas(64) float centers[3][WK_FLOAT_LANES];
    wkStoreVecF(centers, sphere->center);
    unsigned done = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        const float at[3] = {centers[0][lane], centers[1][lane], centers[2][lane]};
        wkVerdict verdict = classify(run->batch, sphere->side, at, sphere->radius, 0.0f);
        if (verdict != wk_verdictFree) {
            wkSettle(run, wkRowOf(rows, lane), verdict);
        }
        bool isDone = verdict != wk_verdictFree && verdict != wk_verdictUnknown;
        done |= (unsigned)isDone << lane;
    }
    return done;
}

// Does the same for intervals, whose spheres are free in their middle. Where another item is not proven, an
// interval is halved anyway.
// @return lanes whose intervals are not proven
WK_APART_FN unsigned wkClassifyIntervals(wkBlockRun* run, wkClassifyFcn* classify,
                                         const wkSphereW* sphere, wkIntervalItem item,
                                         wkFloatW motionBound, unsigned lanes, const wkRowsW* rows)
{
    _Alignas(64) float centers[3][WK_FLOAT_LANES];
    _Alignas(64) float motionBounds[WK_FLOAT_LANES];
    wkStoreVecF(centers, sphere->center);
    wkStoreF(motionBounds, motionBound);
    unsigned left = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        int32_t row = wkRowOf(rows, lane);
        const float at[3] = {centers[0][lane], centers[1][lane], centers[2][lane]};
        bool isFree = run->check->open[row] == 0.0f &&
                      classify(run->batch, sphere->side, at, sphere->radius, motionBounds[lane]) ==
                          wk_verdictFree;
        if (!isFree) {
            wkLeaveOpen(run, item, row, motionBounds[lane]);
            left |= 1u << lane;
        }
    }
    return left;
}

// Intervals that are not proven anyway skip the exact check of an item that is free in their middle: it is
// checked in their halves.
// @return the lanes that this holds for
WK_FORCE_FN unsigned wkPutOff(wkBlockRun* run, wkIntervalItem item, int32_t group, unsigned lanes)
{
    ptrdiff_t first = (ptrdiff_t)group * WK_FLOAT_LANES;
    lanes &= wkGreaterBitsF(wkLoadF(run->check->open + first), wkSplatF(0.0f));
    for (unsigned left = lanes; left != 0; left &= left - 1) {
        item.unproven[first + __builtin_ctz(left)] |= item.bit;
    }
    return lanes;
}
