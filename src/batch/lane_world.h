// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Parts of a robot among objects and maps, for lane files.

#include "batch/lane_field.h"
#include "batch/lane_growth.h"

// Spans in which a ball moves further than this are halved without a closer look.
#define WK_FAR_WAY 0.06f

// What a cell does not tell about a ball. Larger ones than the field is made for would be looked at with all
// objects: a span in which a ball grows so much is halved.
static wkVerdict wkJudgeInWorld(const wkBatch* batch, int32_t side, const float center[3],
                                float radius, float growth)
{
    const wkField* field = batch->field;
    bool isSound =
        growth == 0.0f || (growth < WK_FAR_WAY && (double)(radius + growth) < field->reach);
    return isSound ? wkField_CheckBall(field, side, center, radius + growth) : wk_verdictUncertain;
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
        wkBallW ball = {center, own, part->side};
        unsigned touching = bits.touching & open;
        wkSettleLanes(run, touching, &rows, wk_verdictWorld);
        unsigned done = touching;
        if (open != touching) {
            done |= wkJudgeRows(run, wkJudgeInWorld, &ball, open & ~touching, &rows);
        }
        rows.lanes &= ~done;
        unsigned unknown = near & ~left & rows.lanes;
        if (isSpan && unknown != 0) {
            left |= wkJudgeSpans(run, wkJudgeInWorld, &ball, item, growth, unknown, &rows);
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
