// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Parts of a robot among each other, for lane files.

#include "batch/contacts.h"
#include "batch/lane_growth.h"

// What comparing squares in floats may be off by, as a share of them.
#define WK_SQUARE_SHARE 1.000002f

// Balls of a part that are kept while those of the other one pass by.
#define WK_KEPT_BALLS 16

// A bit for each lane in which two balls are not apart. What is not a number is not.
WK_FORCE_FN unsigned wkNotApart(wkVecW a, wkVecW b, wkFloatW reach)
{
    wkVecW d = wkSubVecF(a, b);
    reach = wkMaxF(reach, wkSplatF(0.0f));
    wkFloatW square = wkAddF(wkAddF(wkMulF(d.x, d.x), wkMulF(d.y, d.y)), wkMulF(d.z, d.z));
    return wkNotAboveBitsF(square, wkMulF(wkMulF(reach, reach), wkSplatF(WK_SQUARE_SHARE)));
}

// Lanes in which balls of two parts touch, and of spans those in which they might on the way.
typedef struct wkSelfBits {
    unsigned touching;
    unsigned near;
} wkSelfBits;

// One ball of a part against some of the other.
WK_FORCE_FN wkSelfBits wkTouchKept(const wkBatch* batch, const wkVecW* kept, int32_t first,
                                   int32_t count, wkVecW ball, float radius, wkFloatW growth,
                                   bool isSpan)
{
    wkSelfBits bits = {0, 0};
    for (int32_t i = 0; i < count; ++i) {
        wkFloatW reach = wkSplatF(radius + batch->radii[first + i]);
        bits.touching |= wkNotApart(ball, kept[i], reach);
        if (isSpan) {
            bits.near |= wkNotApart(ball, kept[i], wkAddF(reach, growth));
        }
    }
    return bits;
}

static inline void wkSettleSelf(wkBlockRun* run, wkSelfBits bits, wkFloatW growth, bool isSpan,
                                const wkRowsW* rows)
{
    _Alignas(64) float growths[WK_FLOAT_LANES];
    wkStoreF(growths, growth);
    for (unsigned lanes = bits.touching; lanes != 0; lanes &= lanes - 1) {
        wkSettle(run, wkRowOf(rows, __builtin_ctz(lanes)), wk_verdictSelf);
    }
    for (unsigned lanes = isSpan ? bits.near & ~bits.touching : 0u; lanes != 0;
         lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        if (growths[lane] > 0.0f) {
            wkLeaveOpen(run, wkRowOf(rows, lane), growths[lane]);
        }
    }
}

// All balls of two parts.
WK_FORCE_FN void wkLookAtBallsOfPair(wkBlockRun* run, const wkPartPair* pair, const wkFrameW* a,
                                     const wkFrameW* b, wkFloatW growth, bool isSpan, wkRowsW rows)
{
    const wkProgram* program = run->program;
    const wkPart* partA = &program->parts[pair->a];
    const wkPart* partB = &program->parts[pair->b];
    wkSelfBits found = {0, 0};
    wkVecW kept[WK_KEPT_BALLS];
    wkVecW around = wkPlacePoint(a, 7, partA->x, partA->y, partA->z);
    for (int32_t done = 0; done < partA->ballCount; done += WK_KEPT_BALLS) {
        int32_t first = partA->firstBall + done, left = partA->ballCount - done;
        int32_t count = left < WK_KEPT_BALLS ? left : WK_KEPT_BALLS;
        for (int32_t i = 0; i < count; ++i) {
            kept[i] = wkPlacePoint(a, 7, program->x[first + i], program->y[first + i],
                                   program->z[first + i]);
        }
        for (int32_t i = partB->firstBall; i < partB->firstBall + partB->ballCount; ++i) {
            wkFloatW reach = wkSplatF(run->batch->partRadii[pair->a] + program->radius[i]);
            wkVecW ball = wkPlacePoint(b, 7, program->x[i], program->y[i], program->z[i]);
            reach = isSpan ? wkAddF(reach, growth) : reach;
            // a ball that is beyond the ball around the others
            if ((wkNotApart(ball, around, reach) & rows.lanes) == 0) {
                continue;
            }
            wkSelfBits bits = wkTouchKept(run->batch, kept, first, count, ball, program->radius[i],
                                          growth, isSpan);
            found.touching |= bits.touching & rows.lanes;
            found.near |= bits.near & rows.lanes;
            if (found.touching == rows.lanes) {
                wkSettleSelf(run, found, growth, isSpan, &rows);
                return;
            }
        }
    }
    wkSettleSelf(run, found, growth, isSpan, &rows);
}

// The balls of two parts that can touch within limits.
WK_FORCE_FN void wkLookAtContactsOfPair(wkBlockRun* run, const wkPairContacts* some,
                                        const wkFrameW* a, const wkFrameW* b, wkFloatW growth,
                                        bool isSpan, wkRowsW rows)
{
    const wkProgram* program = run->program;
    const wkContacts* contacts = run->batch->contacts;
    wkSelfBits found = {0, 0};
    for (int32_t g = some->firstGroup; g < some->firstGroup + some->groupCount; ++g) {
        wkContactGroup group = contacts->groups[g];
        float own = run->batch->radii[group.ball];
        wkVecW ball = wkPlacePoint(b, 7, program->x[group.ball], program->y[group.ball],
                                   program->z[group.ball]);
        for (int32_t i = group.first; i < group.first + group.count; ++i) {
            int32_t k = contacts->balls[i];
            wkVecW other = wkPlacePoint(a, 7, program->x[k], program->y[k], program->z[k]);
            wkFloatW reach = wkSplatF(own + program->radius[k]);
            found.touching |= wkNotApart(ball, other, reach);
            if (isSpan) {
                found.near |= wkNotApart(ball, other, wkAddF(reach, growth));
            }
        }
    }
    found.touching &= rows.lanes;
    found.near &= rows.lanes;
    if ((found.touching | found.near) != 0) {
        wkSettleSelf(run, found, growth, isSpan, &rows);
    }
}

WK_FORCE_FN void wkLookCloserAtPair(wkBlockRun* run, int32_t number, const wkFrameW* a,
                                    const wkFrameW* b, wkFloatW growth, bool isSpan, wkRowsW rows)
{
    const wkPairContacts* some = &run->batch->contacts->pairs[number];
    if (some->areAll || !run->isWithinLimits) {
        wkLookAtBallsOfPair(run, &run->program->pairs[number], a, b, growth, isSpan, rows);
    } else {
        wkLookAtContactsOfPair(run, some, a, b, growth, isSpan, rows);
    }
}

WK_FORCE_FN void wkLookAtPackedPair(wkBlockRun* run, int32_t number, bool isSpan)
{
    for (int32_t at = 0; at < run->packedCount; at += WK_FLOAT_LANES) {
        wkFrameW a = wkUnpackFrame(run, at, 0), b = wkUnpackFrame(run, at, WK_FRAME_NUMBERS);
        wkFloatW growth = wkSplatF(0.0f);
        if (isSpan) {
            growth = wkLoadAnyF(wkPackedColumn(run, 2 * WK_FRAME_NUMBERS) + at);
        }
        wkLookCloserAtPair(run, number, &a, &b, growth, isSpan, wkPackedRows(run, at));
    }
    run->packedCount = 0;
}

WK_FORCE_FN void wkLookAtPair(wkBlockRun* run, int32_t number, bool isSpan)
{
    const wkProgram* program = run->program;
    const wkPartPair* pair = &program->pairs[number];
    int32_t moverA = program->parts[pair->a].mover, moverB = program->parts[pair->b].mover;
    wkFloatW reach = wkSplatF(run->batch->partRadii[pair->a] + program->parts[pair->b].radius);
    int32_t top = run->batch->pairTops[number];
    for (int32_t group = 0; group < run->groupCount; ++group) {
        if (run->live[group] == 0) {
            continue;
        }
        const float* room = wkGroupRoom(run, group);
        wkFloatW growth = wkSplatF(0.0f);
        wkVecW a = wkCenterOf(run, room, pair->a), b = wkCenterOf(run, room, pair->b);
        if (isSpan) {
            growth = wkAddF(wkWayOfPart(run, room, group, pair->a, top),
                            wkWayOfPart(run, room, group, pair->b, top));
        }
        unsigned lanes =
            wkNotApart(a, b, isSpan ? wkAddF(reach, growth) : reach) & run->live[group];
        if (lanes == 0) {
            continue;
        }
        wkFrameW fa = wkFrameOf(program, moverA, room), fb = wkFrameOf(program, moverB, room);
        if (__builtin_popcount(lanes) >= WK_MANY_LANES) {
            wkRowsW rows = {lanes, group * WK_FLOAT_LANES, NULL};
            wkLookCloserAtPair(run, number, &fa, &fb, growth, isSpan, rows);
            continue;
        }
        wkPackFrame(run, &fa, lanes, 0);
        wkPackFrame(run, &fb, lanes, WK_FRAME_NUMBERS);
        if (isSpan) {
            wkPackF(wkPackedColumn(run, 2 * WK_FRAME_NUMBERS) + run->packedCount, growth, lanes);
        }
        wkPackRows(run, group, lanes);
    }
    wkLookAtPackedPair(run, number, isSpan);
}

// All pairs of parts that can touch.
WK_FORCE_FN void wkLookAtPairs(wkBlockRun* run, bool isSpan)
{
    const wkContacts* contacts = run->batch->contacts;
    bool isWithin = run->isWithinLimits;
    int32_t count = isWithin ? contacts->liveCount : run->program->pairCount;
    for (int32_t i = 0; i < count; ++i) {
        wkLookAtPair(run, isWithin ? contacts->live[i] : i, isSpan);
    }
}
