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

// The same for a span, whose ball is free in its middle.
WK_RARE_FN bool wkLookCloserAtSpan(wkBlockRun* run, int32_t side, const float center[3],
                                   float radius, float growth, int32_t row)
{
    const wkField* field = run->batch->field;
    // larger balls than the field is made for would be looked at with all objects
    bool isFree = growth < WK_FAR_WAY && (double)(radius + growth) < field->reach &&
                  wkField_CheckBall(field, side, center, radius + growth) == wk_verdictFree;
    if (!isFree) {
        wkLeaveOpen(run, row, growth);
    }
    return !isFree;
}

// The balls of a part whose cells do not tell, lane by lane.
// @return lanes whose rows need no more looks
WK_APART_FN unsigned wkLookCloserAtLanes(wkBlockRun* run, int32_t side, wkVecW center, float radius,
                                         wkFloatW growth, bool isSpan, unsigned lanes,
                                         const wkRowsW* rows)
{
    _Alignas(64) float places[3][WK_FLOAT_LANES];
    _Alignas(64) float growths[WK_FLOAT_LANES];
    wkStoreF(places[0], center.x);
    wkStoreF(places[1], center.y);
    wkStoreF(places[2], center.z);
    wkStoreF(growths, growth);
    unsigned done = 0;
    while (lanes != 0) {
        int lane = __builtin_ctz(lanes);
        lanes &= lanes - 1;
        const float at[3] = {places[0][lane], places[1][lane], places[2][lane]};
        int32_t row = wkRowOf(rows, lane);
        bool isDone = isSpan ? wkLookCloserAtSpan(run, side, at, radius, growths[lane], row)
                             : wkLookCloser(run, side, at, radius, row);
        done |= (unsigned)isDone << lane;
    }
    return done;
}

// All balls of a part.
WK_FORCE_FN void wkLookAtBallsInWorld(wkBlockRun* run, const wkPart* part, const float* balls,
                                      wkFloatW growth, bool isSpan, wkRowsW rows)
{
    const wkFieldGrid* grid = wkField_GridOf(run->batch->field, part->side);
    for (int32_t i = part->firstBall; i < part->firstBall + part->ballCount; ++i) {
        float own = run->batch->radii[i];
        wkFloatW radius = wkSplatF(own);
        wkVecW center = wkRoomVec(balls, 3 * i);
        radius = isSpan ? wkAddF(radius, growth) : radius;
        wkFieldBits bits = wkLookAtField(grid, center.x, center.y, center.z, radius);
        unsigned open = bits.open & rows.lanes;
        if (WK_LIKELY(open == 0)) {
            continue;
        }
        unsigned touching = isSpan ? 0u : bits.touching & open;
        wkSettleLanes(run, touching, &rows, wk_verdictWorld);
        unsigned done = touching;
        if (open != touching) {
            done |= wkLookCloserAtLanes(run, part->side, center, own, growth, isSpan,
                                        open & ~touching, &rows);
        }
        rows.lanes &= ~done;
        if (rows.lanes == 0) {
            return;
        }
    }
}

WK_FORCE_FN void wkLookAtPackedInWorld(wkBlockRun* run, int32_t number, bool isSpan)
{
    for (int32_t at = 0; at < run->packedCount; at += WK_FLOAT_LANES) {
        wkRowsW rows = wkPackedRows(run, at);
        wkFrameW f = wkUnpackFrame(run, at, 0);
        wkFloatW growth = wkSplatF(0.0f);
        if (isSpan) {
            growth = wkLoadAnyF(wkPackedColumn(run, WK_FRAME_NUMBERS) + at);
        }
        wkPlaceInFrame(run->program, number, &f, run->room->placed);
        wkLookAtBallsInWorld(run, &run->program->parts[number], run->room->placed, growth, isSpan,
                             rows);
    }
    run->packedCount = 0;
}

WK_FORCE_FN void wkLookAtPartInWorld(wkBlockRun* run, int32_t number, bool isSpan)
{
    const wkPart* part = &run->program->parts[number];
    const wkFieldGrid* grid = wkField_GridOf(run->batch->field, part->side);
    wkFloatW around = wkSplatF(run->batch->partRadii[number]);
    for (int32_t group = 0; group < run->groupCount; ++group) {
        if (run->live[group] == 0) {
            continue;
        }
        const float* room = wkGroupRoom(run, group);
        wkFloatW growth = wkSplatF(0.0f), radius = around;
        wkVecW center = wkCenterOf(run, room, number);
        if (isSpan) {
            growth = wkWayOfPart(run, group, number);
            radius = wkAddF(around, growth);
        }
        unsigned lanes =
            wkLookAtField(grid, center.x, center.y, center.z, radius).open & run->live[group];
        if (lanes == 0) {
            continue;
        }
        if (__builtin_popcount(lanes) >= WK_MANY_LANES) {
            wkRowsW rows = {lanes, group * WK_FLOAT_LANES, NULL};
            const float* balls = wkNeedBallsOf(run, group, number);
            wkLookAtBallsInWorld(run, part, balls, growth, isSpan, rows);
            continue;
        }
        wkFrameW f = wkFrameOf(run->program, part->mover, room);
        wkPackFrame(run, &f, lanes, 0);
        if (isSpan) {
            wkPackF(wkPackedColumn(run, WK_FRAME_NUMBERS) + run->packedCount, growth, lanes);
        }
        wkPackRows(run, group, lanes);
    }
    wkLookAtPackedInWorld(run, number, isSpan);
}
