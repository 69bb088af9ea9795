// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Parts of a robot in what depth images have seen, for lane files. One look-up in the pyramid of a
// camera proves most balls free; the others are looked at as wkCheckDepth does.

#include "batch/batch_seen.h"
#include "batch/lane_growth.h"
#include "batch/lane_still.h"
#include "sense/lane_depth.h"

// A point in the frame of a camera.
WK_FORCE_FN wkVecW wkSeenPoint(const wkSeenCamera* camera, wkVecW v)
{
    wkFloatW seen[3];
    for (int k = 0; k < 3; ++k) {
        wkFloatW sum = wkAddF(wkMulF(v.x, wkSplatF(camera->turn[k][0])),
                              wkMulF(v.y, wkSplatF(camera->turn[k][1])));
        sum = wkAddF(sum, wkMulF(v.z, wkSplatF(camera->turn[k][2])));
        seen[k] = wkAddF(sum, wkSplatF(camera->place[k]));
    }
    wkVecW point = {seen[0], seen[1], seen[2]};
    return point;
}

// The same where what was not seen is free: lanes whose ball may touch what a camera has seen, or be
// behind it, and which no other one proves free.
WK_APART_FN unsigned wkNotSeenClear(const wkSeenCameras* cameras, wkVecW center, wkFloatW radius,
                                    unsigned lanes)
{
    unsigned touching = 0;
    for (int32_t i = 0; i < cameras->count && lanes != 0; ++i) {
        const wkSeenCamera* camera = &cameras->cameras[i];
        wkVecW v = wkSeenPoint(camera, center);
        wkFloatW padded = wkAddF(radius, wkSplatF(camera->slack));
        touching |= lanes & wkDepthBallsTouch(camera->view, v.x, v.y, v.z, padded);
        if (cameras->count > 1) {
            lanes &= wkDepthBallsMaybe(camera->view, v.x, v.y, v.z, padded);
        }
    }
    return lanes & touching;
}

// Lanes whose ball no camera proves free.
WK_FORCE_FN unsigned wkNotSeenFree(const wkSeenCameras* cameras, wkVecW center, wkFloatW radius,
                                   unsigned lanes)
{
    if (cameras->isUnseenFree) {
        return wkNotSeenClear(cameras, center, radius, lanes);
    }
    for (int32_t i = 0; i < cameras->count && lanes != 0; ++i) {
        const wkSeenCamera* camera = &cameras->cameras[i];
        wkVecW v = wkSeenPoint(camera, center);
        wkFloatW padded = wkAddF(radius, wkSplatF(camera->slack));
        lanes &= wkDepthBallsMaybe(camera->view, v.x, v.y, v.z, padded);
    }
    return lanes;
}

// The same for a ball around others, by one look-up alone: those others have more of their own.
WK_FORCE_FN unsigned wkPartNotSeenFree(const wkSeenCameras* cameras, wkVecW center, wkFloatW radius,
                                       unsigned lanes)
{
    if (cameras->isUnseenFree) {
        return wkNotSeenClear(cameras, center, radius, lanes);
    }
    for (int32_t i = 0; i < cameras->count && lanes != 0; ++i) {
        const wkSeenCamera* camera = &cameras->cameras[i];
        wkVecW v = wkSeenPoint(camera, center);
        wkFloatW padded = wkAddF(radius, wkSplatF(camera->slack));
        wkDepthWindowW window = wkDepthWindow(camera->view, v.x, v.y, v.z, padded);
        lanes &= wkDepthUnproven(camera->view, &window);
    }
    return lanes;
}

// A ball that no camera proves free by a look-up.
static wkVerdict wkJudgeSeen(const wkBatch* batch, int32_t side, const float center[3],
                             float radius, float growth)
{
    (void)side;
    return wkCheckSeen(batch, center, radius + growth);
}

WK_FORCE_FN void wkLookAtSeenBalls(wkBlockRun* run, const wkSeenCameras* cameras,
                                   const wkPart* part, wkSpanItem item, const float* balls,
                                   wkFloatW growth, bool isSpan, wkRowsW rows)
{
    unsigned left = 0; // lanes whose spans are not proven
    for (int32_t i = part->firstBall; i < part->firstBall + part->ballCount; ++i) {
        float own = run->batch->radii[i];
        wkVecW center = wkRoomVec(balls, 3 * i);
        unsigned near = wkNotSeenFree(cameras, center, wkAddF(wkSplatF(own), growth), rows.lanes);
        if (WK_LIKELY(near == 0)) {
            continue;
        }
        wkBallW ball = {center, own, part->side};
        unsigned open = isSpan ? wkNotSeenFree(cameras, center, wkSplatF(own), near) : near;
        if (open != 0) {
            rows.lanes &= ~wkJudgeRows(run, wkJudgeSeen, &ball, open, &rows);
        }
        unsigned unknown = near & ~left & rows.lanes;
        if (isSpan && unknown != 0) {
            left |= wkJudgeSpans(run, wkJudgeSeen, &ball, item, growth, unknown, &rows);
        }
        if (rows.lanes == 0) {
            return;
        }
    }
}

WK_FORCE_FN void wkLookAtSeenPart(wkBlockRun* run, const wkSeenCameras* cameras, int32_t number,
                                  bool isSpan)
{
    const wkPart* part = &run->program->parts[number];
    wkFloatW around = wkSplatF(run->batch->partRadii[number]);
    wkSpanItem item = wkPartItem(run, number, isSpan);
    for (int32_t group = 0; group < run->groupCount; ++group) {
        unsigned wanted = wkWantedLanes(run, item, group);
        if (wanted == 0) {
            continue;
        }
        const float* room = wkGroupRoom(run, group);
        wkFloatW growth = wkSplatF(0.0f);
        if (isSpan) {
            growth = wkWayOfPart(run, group, number);
        }
        wkVecW center = wkCenterOf(run, room, number);
        unsigned lanes = wkPartNotSeenFree(cameras, center, wkAddF(around, growth), wanted);
        if (lanes == 0) {
            continue;
        }
        if (__builtin_popcount(lanes) >= WK_MANY_LANES) {
            wkRowsW rows = {lanes, group * WK_FLOAT_LANES, NULL};
            const float* balls = wkNeedBallsOf(run, group, number);
            wkLookAtSeenBalls(run, cameras, part, item, balls, growth, isSpan, rows);
            continue;
        }
        wkFrameW f = wkFrameOf(run->program, part->mover, room);
        wkPackFrame(run, &f, lanes, 0);
        wkPackF(wkPackedColumn(run, WK_FRAME_NUMBERS) + run->packedCount, growth, lanes);
        wkPackRows(run, group, lanes);
    }
    for (int32_t at = 0; at < run->packedCount; at += WK_FLOAT_LANES) {
        wkFrameW f = wkUnpackFrame(run, at, 0);
        wkFloatW growth = wkLoadAnyF(wkPackedColumn(run, WK_FRAME_NUMBERS) + at);
        wkPlaceInFrame(run->program, number, &f, run->room->placed);
        wkLookAtSeenBalls(run, cameras, part, item, run->room->placed, growth, isSpan,
                          wkPackedRows(run, at));
    }
    run->packedCount = 0;
}

// Balls of parts that are the same in all rows, side by side.
typedef struct wkStillBalls {
    float *x, *y, *z, *radius;
    int32_t count;
} wkStillBalls;

// What lanes read beyond the balls of a part are numbers too, of other balls or behind them in the
// same block of memory.
WK_FORCE_FN void wkAddStillBalls(const wkBlockRun* run, const wkPart* part, wkStillBalls* balls)
{
    const wkProgram* program = run->program;
    wkFrameW f = wkFrameOf(program, part->mover, wkGroupRoom(run, 0));
    for (int32_t i = 0; i < part->ballCount; i += WK_FLOAT_LANES) {
        int32_t ball = part->firstBall + i, at = balls->count + i;
        wkVecW v = f.place;
        v = wkAddVecF(v, wkMulVecF(f.x, wkLoadAnyF(program->x + ball)));
        v = wkAddVecF(v, wkMulVecF(f.y, wkLoadAnyF(program->y + ball)));
        v = wkAddVecF(v, wkMulVecF(f.z, wkLoadAnyF(program->z + ball)));
        wkStoreAnyF(balls->x + at, v.x);
        wkStoreAnyF(balls->y + at, v.y);
        wkStoreAnyF(balls->z + at, v.z);
        wkStoreAnyF(balls->radius + at, wkLoadAnyF(run->batch->radii + ball));
    }
    balls->count += part->ballCount;
}

// The worst of balls that no camera proves free by look-ups.
static inline wkVerdict wkWorstSeen(const wkBlockRun* run, const wkStillBalls* balls, int32_t first,
                                    unsigned lanes)
{
    wkVerdict worst = wk_verdictFree;
    for (; lanes != 0 && worst != wk_verdictWorld; lanes &= lanes - 1) {
        int32_t i = first + __builtin_ctz(lanes);
        const float at[3] = {balls->x[i], balls->y[i], balls->z[i]};
        wkVerdict verdict = wkCheckSeen(run->batch, at, balls->radius[i]);
        worst = verdict != wk_verdictFree ? verdict : worst;
    }
    return worst;
}

// Parts that stay where they are, in lanes that hold balls instead of rows.
WK_APART_FN wkVerdict wkLookAtStillSeen(const wkBlockRun* run, const wkSeenCameras* cameras)
{
    ptrdiff_t pitch = run->program->ballCount + WK_PLACED_ROWS;
    float* placed = run->room->placed;
    wkStillBalls balls = {placed, placed + pitch, placed + 2 * pitch, placed + 3 * pitch, 0};
    for (int32_t i = 0; i < run->program->partCount; ++i) {
        if (wkIsStillPart(run, i)) {
            wkAddStillBalls(run, &run->program->parts[i], &balls);
        }
    }
    wkVerdict worst = wk_verdictFree;
    for (int32_t i = 0; i < balls.count && worst != wk_verdictWorld; i += WK_FLOAT_LANES) {
        wkVecW center = {wkLoadAnyF(balls.x + i), wkLoadAnyF(balls.y + i), wkLoadAnyF(balls.z + i)};
        int32_t left = balls.count - i;
        unsigned lanes = WK_ALL_FLOAT_LANES;
        lanes = left < WK_FLOAT_LANES ? lanes >> (WK_FLOAT_LANES - left) : lanes;
        lanes = wkNotSeenFree(cameras, center, wkLoadAnyF(balls.radius + i), lanes);
        wkVerdict verdict = wkWorstSeen(run, &balls, i, lanes);
        worst = verdict != wk_verdictFree ? verdict : worst;
    }
    return worst;
}

WK_FORCE_FN void wkLookAtAllSeen(wkBlockRun* run, bool isSpan)
{
    wkSeenCameras cameras;
    wkSetSeenCameras(run->batch, &cameras);
    if (!isSpan) {
        wkSettleAll(run, wkLookAtStillSeen(run, &cameras));
    }
    for (int32_t i = 0; i < run->program->partCount; ++i) {
        if (isSpan) {
            wkLookAtSeenPart(run, &cameras, i, true);
            wkLeaveMotionsOut(run);
        } else if (!wkIsStillPart(run, i)) {
            wkLookAtSeenPart(run, &cameras, i, false);
        }
    }
}
