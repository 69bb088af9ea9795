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
                                      const float* balls, wkFloatW growth, bool isSpan,
                                      wkRowsW rows)
{
    const wkFieldGrid* grid = wkField_GridOf(run->batch->field, part->side);
    unsigned left = 0; // lanes whose spans are not proven
    for (int32_t i = part->firstBall; i < part->firstBall + part->ballCount; ++i) {
        float own = run->batch->radii[i];
        wkFloatW radius = wkSplatF(own);
        wkVecW center = wkRoomVec(balls, 3 * i);
        wkFieldCellsW cells = wkFindCells(grid, center.x, center.y, center.z);
        unsigned near = 0;
        if (isSpan) {
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
        wkFloatW growth = wkSplatF(0.0f);
        if (isSpan) {
            growth = wkLoadAnyF(wkPackedColumn(run, WK_FRAME_NUMBERS) + at);
        }
        wkPlaceInFrame(run->program, number, &f, run->room->placed);
        wkLookAtBallsInWorld(run, &run->program->parts[number], item, run->room->placed, growth,
                             isSpan, rows);
    }
    run->packedCount = 0;
}

WK_FORCE_FN void wkLookAtPartInWorld(wkBlockRun* run, int32_t number, bool isSpan)
{
    const wkPart* part = &run->program->parts[number];
    const wkFieldGrid* grid = wkField_GridOf(run->batch->field, part->side);
    wkFloatW around = wkSplatF(run->batch->partRadii[number]);
    wkSpanItem item = wkPartItem(run, number, isSpan);
    for (int32_t group = 0; group < run->groupCount; ++group) {
        unsigned wanted = wkWantedLanes(run, item, group);
        if (wanted == 0) {
            continue;
        }
        const float* room = wkGroupRoom(run, group);
        wkFloatW growth = wkSplatF(0.0f), radius = around;
        wkVecW center = wkCenterOf(run, room, number);
        if (isSpan) {
            growth = wkWayOfPart(run, group, number);
            radius = wkAddF(around, growth);
        }
        unsigned lanes = wkLookAtField(grid, center.x, center.y, center.z, radius).open & wanted;
        if (lanes == 0) {
            continue;
        }
        if (__builtin_popcount(lanes) >= WK_MANY_LANES) {
            wkRowsW rows = {lanes, group * WK_FLOAT_LANES, NULL};
            const float* balls = wkNeedBallsOf(run, group, number);
            wkLookAtBallsInWorld(run, part, item, balls, growth, isSpan, rows);
            continue;
        }
        wkFrameW f = wkFrameOf(run->program, part->mover, room);
        wkPackFrame(run, &f, lanes, 0);
        if (isSpan) {
            wkPackF(wkPackedColumn(run, WK_FRAME_NUMBERS) + run->packedCount, growth, lanes);
        }
        wkPackRows(run, group, lanes);
    }
    wkLookAtPackedInWorld(run, number, item, isSpan);
}
