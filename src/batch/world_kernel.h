// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Checks parts of a robot against objects and maps, for SIMD files. Lanes hold configurations, or intervals of
// motions.

#include "batch/field_kernel.h"
#include "batch/motion_bound_kernel.h"

// Intervals in which a sphere moves further than this, in metres, are halved without an exact check.
#define WK_FAR_WAY 0.06f

// Classifies a sphere that its cell does not decide. Spheres larger than the field is made for would be
// checked against all objects: an interval in which a sphere grows that much is halved.
static wkVerdict wkClassifyInWorld(const wkBatch* batch, int32_t side, const float center[3],
                                   float radius, float motionBound)
{
    const wkField* field = batch->field;
    bool isValid = motionBound == 0.0f ||
                   (motionBound < WK_FAR_WAY && (double)(radius + motionBound) < field->reach);
    return isValid ? wkField_CheckSphere(field, side, center, radius + motionBound)
                   : wk_verdictUncertain;
}

// Spheres of a part that are looked up before any of them is classified.
#define WK_WORLD_SPHERES 16

// Checks all spheres of a part in rows that are states. Cells are looked up first: rows that one of them proves to
// touch need no exact check, which takes as long as dozens of cells.
WK_FORCE_FN void wkCheckStatesInWorld(wkBlockRun* run, const wkPart* part, const float* spheres,
                                      wkRowsW rows)
{
    const wkFieldGrid* grid = wkField_GridOf(run->batch->field, part->side);
    int32_t end = part->firstSphere + part->sphereCount;
    for (int32_t first = part->firstSphere; first < end && rows.lanes != 0;
         first += WK_WORLD_SPHERES) {
        int32_t last = first + WK_WORLD_SPHERES < end ? first + WK_WORLD_SPHERES : end;
        unsigned open[WK_WORLD_SPHERES], anyOpen = 0, touching = 0;
        for (int32_t i = first; i < last; ++i) {
            wkVecW center = wkScratchVec(spheres, 3 * i);
            wkFieldBits bits =
                wkCheckField(grid, center.x, center.y, center.z, wkSplatF(run->batch->radii[i]));
            open[i - first] = bits.open;
            anyOpen |= bits.open;
            touching |= bits.touching;
        }
        touching &= rows.lanes;
        wkSettleLanes(run, touching, &rows, wk_verdictWorld);
        rows.lanes &= ~touching;
        for (int32_t i = first; i < last && (anyOpen & rows.lanes) != 0; ++i) {
            unsigned lanes = open[i - first] & rows.lanes;
            if (lanes != 0) {
                wkSphereW sphere = {wkScratchVec(spheres, 3 * i), run->batch->radii[i], part->side};
                rows.lanes &= ~wkClassifyRows(run, wkClassifyInWorld, &sphere, lanes, &rows);
            }
        }
    }
}

// Checks all spheres of a part in rows that are intervals: in the middle, and grown where that does not touch.
WK_FORCE_FN void wkCheckIntervalsInWorld(wkBlockRun* run, const wkPart* part, wkIntervalItem item,
                                         const float* spheres, wkLineW ways, wkRowsW rows)
{
    const wkFieldGrid* grid = wkField_GridOf(run->batch->field, part->side);
    unsigned left = 0; // lanes whose intervals are not proven
    for (int32_t i = part->firstSphere; i < part->firstSphere + part->sphereCount; ++i) {
        float own = run->batch->radii[i];
        wkFloatW radius = wkSplatF(own);
        wkVecW center = wkScratchVec(spheres, 3 * i);
        wkFieldCellsW cells = wkFindCells(grid, center.x, center.y, center.z);
        wkFloatW motionBound = wkOnLine(ways, run->batch->sphereReaches[i]);
        unsigned notFree = wkNotFreeInCells(grid, &cells, wkAddF(radius, motionBound)) & rows.lanes;
        if (WK_LIKELY(notFree == 0)) {
            continue;
        }
        wkFieldBits bits = wkCheckCells(grid, &cells, radius);
        unsigned open = bits.open & rows.lanes;
        if (WK_LIKELY(open == 0 && (notFree & ~left) == 0)) {
            continue;
        }
        wkSphereW sphere = {center, own, part->side};
        unsigned touching = bits.touching & open;
        wkSettleLanes(run, touching, &rows, wk_verdictWorld);
        unsigned done = touching;
        if (open != touching) {
            done |= wkClassifyRows(run, wkClassifyInWorld, &sphere, open & ~touching, &rows);
        }
        rows.lanes &= ~done;
        unsigned unknown = notFree & ~left & rows.lanes;
        if (unknown != 0) {
            left |= wkClassifyIntervals(run, wkClassifyInWorld, &sphere, item, motionBound, unknown,
                                        &rows);
        }
        if (rows.lanes == 0) {
            return;
        }
    }
}

// Checks all spheres of a part.
WK_FORCE_FN void wkCheckSpheresInWorld(wkBlockRun* run, const wkPart* part, wkIntervalItem item,
                                       const float* spheres, wkLineW ways, bool isInterval,
                                       wkRowsW rows)
{
    if (isInterval) {
        wkCheckIntervalsInWorld(run, part, item, spheres, ways, rows);
    } else {
        wkCheckStatesInWorld(run, part, spheres, rows);
    }
}

WK_FORCE_FN void wkCheckPackedInWorld(wkBlockRun* run, int32_t number, wkIntervalItem item,
                                      bool isInterval)
{
    for (int32_t at = 0; at < run->packedCount; at += WK_FLOAT_LANES) {
        wkRowsW rows = wkPackedRows(run, at);
        wkFrameW f = wkUnpackFrame(run, at, 0);
        wkLineW ways = {wkSplatF(0.0f), wkSplatF(0.0f)};
        if (isInterval) {
            ways.at = wkLoadAnyF(wkPackedColumn(run, WK_FRAME_NUMBERS) + at);
            ways.perMetre = wkLoadAnyF(wkPackedColumn(run, WK_FRAME_NUMBERS + 1) + at);
        }
        wkPlaceInFrame(run->program, number, &f, run->scratch->placed);
        wkCheckSpheresInWorld(run, &run->program->parts[number], item, run->scratch->placed, ways,
                              isInterval, rows);
    }
    run->packedCount = 0;
}

// Returns motion bounds of the spheres of a part, where rows are the middles of intervals.
WK_FORCE_FN wkLineW wkWaysInWorld(const wkBlockRun* run, int32_t group, int32_t part,
                                  bool isInterval)
{
    wkLineW none = {wkSplatF(0.0f), wkSplatF(0.0f)};
    return isInterval ? wkWaysOfPart(run, group, part) : none;
}

// Returns lanes of a group in which the sphere around a part may touch something. Intervals that are halved
// anyway are skipped, where nothing touches in their middle.
WK_FORCE_FN unsigned wkNotFreeInWorld(wkBlockRun* run, int32_t number, int32_t group,
                                      wkIntervalItem item, bool isInterval)
{
    unsigned wanted = wkWantedLanes(run, item, group);
    if (wanted == 0) {
        return 0;
    }
    const wkFieldGrid* grid = wkField_GridOf(run->batch->field, run->program->parts[number].side);
    wkVecW center = wkCenterOf(run, wkGroupScratch(run, group), number);
    wkFloatW radius = wkSplatF(run->batch->partRadii[number]);
    wkFieldCellsW cells = wkFindCells(grid, center.x, center.y, center.z);
    if (!isInterval) {
        return wkNotFreeInCells(grid, &cells, radius) & wanted;
    }
    wkFloatW motionBound =
        wkOnLine(wkWaysOfPart(run, group, number), run->batch->centerReaches[number]);
    unsigned notFree = wkNotFreeInCells(grid, &cells, wkAddF(radius, motionBound)) & wanted;
    return notFree & ~wkPutOff(run, item, group, notFree & ~wkNotFreeInCells(grid, &cells, radius));
}

// Checks the spheres of a part in a group, at once or packed together with those of others.
WK_FORCE_FN void wkCheckGroupInWorld(wkBlockRun* run, int32_t number, int32_t group, unsigned lanes,
                                     wkIntervalItem item, bool isInterval)
{
    const wkPart* part = &run->program->parts[number];
    wkLineW ways = wkWaysInWorld(run, group, number, isInterval);
    if (__builtin_popcount(lanes) >= WK_MANY_LANES) {
        wkRowsW rows = {lanes, group * WK_FLOAT_LANES, NULL};
        const float* spheres = wkNeedSpheresOf(run, group, number);
        wkCheckSpheresInWorld(run, part, item, spheres, ways, isInterval, rows);
        return;
    }
    wkFrameW f = wkFrameOf(run->program, part->rigidGroup, wkGroupScratch(run, group));
    wkPackFrame(run, &f, lanes, 0);
    if (isInterval) {
        wkPackF(wkPackedColumn(run, WK_FRAME_NUMBERS) + run->packedCount, ways.at, lanes);
        wkPackF(wkPackedColumn(run, WK_FRAME_NUMBERS + 1) + run->packedCount, ways.perMetre, lanes);
    }
    wkPackRows(run, group, lanes);
}

// All groups are looked up before any result is used, so that the latencies of memory overlap instead of
// adding up.
WK_FORCE_FN void wkCheckPartInWorld(wkBlockRun* run, int32_t number, bool isInterval)
{
    wkIntervalItem item = wkPartItem(run, number, isInterval);
    unsigned notFree[WK_GROUPS];
    for (int32_t group = 0; group < run->groupCount; ++group) {
        notFree[group] = wkNotFreeInWorld(run, number, group, item, isInterval);
    }
    for (int32_t group = 0; group < run->groupCount; ++group) {
        if (notFree[group] != 0) {
            wkCheckGroupInWorld(run, number, group, notFree[group], item, isInterval);
        }
    }
    wkCheckPackedInWorld(run, number, item, isInterval);
}
