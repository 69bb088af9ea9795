// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Parts of a robot among objects and maps, for lane files.

#include "batch/lane_field.h"
#include "batch/lane_growth.h"

// Spans in which a ball moves further than this are halved without a closer look.
#define WK_FAR_WAY 0.06f

// One ball that its cell does not tell about.
// @return whether its row needs no more looks
WK_RARE_FN bool wkLookCloser(wkBlockRun* run, int32_t side, const float center[3], float radius,
                             int32_t row)
{
    wkVerdict verdict = wkField_CheckBall(run->batch->field, side, center, radius);
    if (verdict != wk_verdictFree) {
        wkSettle(run, row, verdict);
    }
    return verdict != wk_verdictFree && verdict != wk_verdictUnknown;
}

// The same for a span, whose ball is free in its middle. Where something else is not proven, the span is
// halved anyway.
// @return whether it is not proven
WK_RARE_FN bool wkLookCloserAtSpan(wkBlockRun* run, const wkPart* part, wkSpanItem item,
                                   const float center[3], float radius, float growth, int32_t row)
{
    const wkField* field = run->batch->field;
    // larger balls than the field is made for would be looked at with all objects
    bool isFree = run->look->open[row] == 0.0f && growth < WK_FAR_WAY &&
                  (double)(radius + growth) < field->reach &&
                  wkField_CheckBall(field, part->side, center, radius + growth) == wk_verdictFree;
    if (!isFree) {
        wkLeaveOpen(run, item, row, growth);
    }
    return !isFree;
}

// Balls whose cells do not tell, lane by lane.
// @return lanes whose rows need no more looks
WK_APART_FN unsigned wkLookCloserAtLanes(wkBlockRun* run, int32_t side, wkVecW center, float radius,
                                         unsigned lanes, const wkRowsW* rows)
{
    _Alignas(64) float places[3][WK_FLOAT_LANES];
    wkStoreVecF(places, center);
    unsigned done = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        const float at[3] = {places[0][lane], places[1][lane], places[2][lane]};
        bool isDone = wkLookCloser(run, side, at, radius, wkRowOf(rows, lane));
        done |= (unsigned)isDone << lane;
    }
    return done;
}

// @return lanes whose spans are not proven
WK_APART_FN unsigned wkLookCloserAtSpans(wkBlockRun* run, const wkPart* part, wkSpanItem item,
                                         wkVecW center, float radius, wkFloatW growth,
                                         unsigned lanes, const wkRowsW* rows)
{
    _Alignas(64) float places[3][WK_FLOAT_LANES];
    _Alignas(64) float growths[WK_FLOAT_LANES];
    wkStoreVecF(places, center);
    wkStoreF(growths, growth);
    unsigned left = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        const float at[3] = {places[0][lane], places[1][lane], places[2][lane]};
        bool isOpen =
            wkLookCloserAtSpan(run, part, item, at, radius, growths[lane], wkRowOf(rows, lane));
        left |= (unsigned)isOpen << lane;
    }
    return left;
}

// All balls of a part: of spans, as they are in the middle, and grown where that does not touch.
WK_FORCE_FN void wkLookAtBallsInWorld(wkBlockRun* run, const wkPart* part, wkSpanItem item,
                                      const float* balls, wkLineW ways, bool isSpan, wkRowsW rows)
{
    const wkFieldGrid* grid = wkField_GridOf(run->batch->field, part->side);
    unsigned left = 0; // lanes whose spans are not proven
    for (int32_t i = part->firstBall; i < part->firstBall + part->ballCount; ++i) {
        float own = run->batch->radii[i];
        wkFloatW radius = wkSplatF(own);
        wkVecW center = wkRoomVec(balls, 3 * i);
        wkFieldCellsW cells = wkFindCells(grid, center.x, center.y, center.z);
        unsigned near = 0;
        wkFloatW growth = wkSplatF(0.0f);
        if (isSpan) {
            growth = wkOnLine(ways, run->batch->ballReaches[i]);
            near = wkNotFreeInCells(grid, &cells, wkAddF(radius, growth)) & rows.lanes;
            if (WK_LIKELY(near == 0)) {
                continue;
            }
        }
        wkFieldBits bits = wkLookAtCells(grid, &cells, radius);
        unsigned open = bits.open & rows.lanes;
        if (WK_LIKELY(open == 0 && (near & ~left) == 0)) {
            continue;
        }
        unsigned touching = bits.touching & open;
        wkSettleLanes(run, touching, &rows, wk_verdictWorld);
        unsigned done = touching;
        if (open != touching) {
            done |= wkLookCloserAtLanes(run, part->side, center, own, open & ~touching, &rows);
        }
        rows.lanes &= ~done;
        unsigned unknown = near & ~left & rows.lanes;
        if (isSpan && unknown != 0) {
            left |= wkLookCloserAtSpans(run, part, item, center, own, growth, unknown, &rows);
        }
        if (rows.lanes == 0) {
            return;
        }
    }
}

WK_FORCE_FN void wkLookAtPackedInWorld(wkBlockRun* run, int32_t number, wkSpanItem item,
                                       bool isSpan)
{
    for (int32_t at = 0; at < run->packedCount; at += WK_FLOAT_LANES) {
        wkRowsW rows = wkPackedRows(run, at);
        wkFrameW f = wkUnpackFrame(run, at, 0);
        wkLineW ways = {wkSplatF(0.0f), wkSplatF(0.0f)};
        if (isSpan) {
            ways.at = wkLoadAnyF(wkPackedColumn(run, WK_FRAME_NUMBERS) + at);
            ways.perMetre = wkLoadAnyF(wkPackedColumn(run, WK_FRAME_NUMBERS + 1) + at);
        }
        wkPlaceInFrame(run->program, number, &f, run->room->placed);
        wkLookAtBallsInWorld(run, &run->program->parts[number], item, run->room->placed, ways,
                             isSpan, rows);
    }
    run->packedCount = 0;
}

// How far balls of a part move, where they are those of spans.
WK_FORCE_FN wkLineW wkWaysInWorld(const wkBlockRun* run, int32_t group, int32_t part, bool isSpan)
{
    wkLineW none = {wkSplatF(0.0f), wkSplatF(0.0f)};
    return isSpan ? wkWaysOfPart(run, group, part) : none;
}

// Lanes of a group in which the ball around a part may touch something. Spans that are halved anyway are
// left as they are, where nothing touches in their middle.
WK_FORCE_FN unsigned wkNearInWorld(wkBlockRun* run, int32_t number, int32_t group, wkSpanItem item,
                                   bool isSpan)
{
    unsigned wanted = wkWantedLanes(run, item, group);
    if (wanted == 0) {
        return 0;
    }
    const wkFieldGrid* grid = wkField_GridOf(run->batch->field, run->program->parts[number].side);
    wkVecW center = wkCenterOf(run, wkGroupRoom(run, group), number);
    wkFloatW radius = wkSplatF(run->batch->partRadii[number]);
    wkFieldCellsW cells = wkFindCells(grid, center.x, center.y, center.z);
    if (!isSpan) {
        return wkNotFreeInCells(grid, &cells, radius) & wanted;
    }
    wkFloatW growth = wkOnLine(wkWaysOfPart(run, group, number), run->batch->centerReaches[number]);
    unsigned near = wkNotFreeInCells(grid, &cells, wkAddF(radius, growth)) & wanted;
    return near & ~wkPutOff(run, item, group, near & ~wkNotFreeInCells(grid, &cells, radius));
}

// The balls of a part in a group, at once or packed together with those of others.
WK_FORCE_FN void wkLookAtGroupInWorld(wkBlockRun* run, int32_t number, int32_t group,
                                      unsigned lanes, wkSpanItem item, bool isSpan)
{
    const wkPart* part = &run->program->parts[number];
    wkLineW ways = wkWaysInWorld(run, group, number, isSpan);
    if (__builtin_popcount(lanes) >= WK_MANY_LANES) {
        wkRowsW rows = {lanes, group * WK_FLOAT_LANES, NULL};
        const float* balls = wkNeedBallsOf(run, group, number);
        wkLookAtBallsInWorld(run, part, item, balls, ways, isSpan, rows);
        return;
    }
    wkFrameW f = wkFrameOf(run->program, part->mover, wkGroupRoom(run, group));
    wkPackFrame(run, &f, lanes, 0);
    if (isSpan) {
        wkPackF(wkPackedColumn(run, WK_FRAME_NUMBERS) + run->packedCount, ways.at, lanes);
        wkPackF(wkPackedColumn(run, WK_FRAME_NUMBERS + 1) + run->packedCount, ways.perMetre, lanes);
    }
    wkPackRows(run, group, lanes);
}

// All groups are looked up before anything is done about them: memory takes its time, and does not
// have to be waited for one by one.
WK_FORCE_FN void wkLookAtPartInWorld(wkBlockRun* run, int32_t number, bool isSpan)
{
    wkSpanItem item = wkPartItem(run, number, isSpan);
    unsigned near[WK_GROUPS];
    for (int32_t group = 0; group < run->groupCount; ++group) {
        near[group] = wkNearInWorld(run, number, group, item, isSpan);
    }
    for (int32_t group = 0; group < run->groupCount; ++group) {
        if (near[group] != 0) {
            wkLookAtGroupInWorld(run, number, group, near[group], item, isSpan);
        }
    }
    wkLookAtPackedInWorld(run, number, item, isSpan);
}
