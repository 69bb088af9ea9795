// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Does the robot touch itself? Pairs of parts by the balls around them; where these meet, each ball of
// one part first with the ball around the other, and then with its balls. Inline, for lane files.

#include "batch/lane_fk.h"

// How balls are grown.
typedef struct wkGrowthW {
    float margin; // of each pair, rounding included
    const float*
        parts; // for each part a vector of lanes, >= 0, by which its balls are grown; NULL: none
} wkGrowthW;

// Radii of a pair together, in the lanes.
WK_FORCE_FN wkFloatW wkSumOfRadii(float radiusA, float radiusB, wkFloatW growth)
{
    return wkMaxF(wkAddF(wkSplatF(radiusA + radiusB), growth), wkSplatF(0.0f));
}

// Lanes in which balls are not further apart than the sum of their radii.
WK_FORCE_FN unsigned wkTouchBits(wkVecW a, wkVecW b, wkFloatW radii)
{
    wkVecW d = wkSubVecF(a, b);
    wkFloatW square = wkAddF(wkAddF(wkMulF(d.x, d.x), wkMulF(d.y, d.y)), wkMulF(d.z, d.z));
    return wkNotAboveBitsF(square, wkMulF(radii, radii));
}

// How much a pair of parts is grown.
WK_FORCE_FN wkFloatW wkGrowthOfPair(wkGrowthW growth, int32_t a, int32_t b)
{
    wkFloatW grown = wkSplatF(growth.margin);
    if (growth.parts != NULL) {
        wkFloatW both = wkAddF(wkRoomAt(growth.parts, a), wkRoomAt(growth.parts, b));
        grown = wkAddF(grown, both);
    }
    return grown;
}

// Parts whose balls are in the room.
#define WK_PLACED_WORDS 8
typedef struct wkPlacedParts {
    uint64_t words[WK_PLACED_WORDS]; // parts beyond are placed each time
} wkPlacedParts;

WK_FORCE_FN void wkNeedBalls(const wkProgram* program, int32_t part, wkPlacedParts* placed,
                             float* room)
{
    int32_t word = part / 64;
    uint64_t bit = UINT64_C(1) << (part % 64);
    if (word < WK_PLACED_WORDS) {
        if ((placed->words[word] & bit) != 0) {
            return;
        }
        placed->words[word] |= bit;
    }
    wkPlaceBalls(program, part, room, room + (ptrdiff_t)program->ballsAt * WK_FLOAT_LANES);
}

// Lanes of `wanted` in which balls of two parts touch.
WK_APART_FN unsigned wkTouchParts(const wkProgram* program, wkPartPair pair, wkGrowthW growth,
                                  unsigned wanted, wkPlacedParts* placed, float* room)
{
    const wkPart *a = &program->parts[pair.a], *b = &program->parts[pair.b];
    wkFloatW grown = wkGrowthOfPair(growth, pair.a, pair.b);
    wkVecW centerB = wkRoomVec(room, program->centersAt + 3 * pair.b);
    unsigned touching = 0;
    wkNeedBalls(program, pair.a, placed, room);
    wkNeedBalls(program, pair.b, placed, room);
    for (int32_t i = a->firstBall; i < a->firstBall + a->ballCount; ++i) {
        wkVecW ball = wkRoomVec(room, program->ballsAt + 3 * i);
        wkFloatW radii = wkSumOfRadii(program->radius[i], b->radius, grown);
        unsigned near = wkTouchBits(ball, centerB, radii) & wanted & ~touching;
        if (near == 0) {
            continue;
        }
        for (int32_t k = b->firstBall; k < b->firstBall + b->ballCount; ++k) {
            wkVecW other = wkRoomVec(room, program->ballsAt + 3 * k);
            radii = wkSumOfRadii(program->radius[i], program->radius[k], grown);
            touching |= wkTouchBits(ball, other, radii);
        }
        touching &= wanted;
        if (touching == wanted) {
            break;
        }
    }
    return touching;
}

// Lanes in which the robot touches itself. The balls around all parts are placed here.
// @param wanted lanes that are asked about
WK_FORCE_FN unsigned wkTouchSelf(const wkProgram* program, wkGrowthW growth, unsigned wanted,
                                 float* room)
{
    wkPlacedParts placed = {{0}};
    unsigned touching = 0;
    for (int32_t i = 0; i < program->partCount; ++i) {
        wkPlaceCenter(program, i, room);
    }
    for (int32_t i = 0; i < program->pairCount && (wanted & ~touching) != 0; ++i) {
        wkPartPair pair = program->pairs[i];
        wkFloatW radii = wkSumOfRadii(program->parts[pair.a].radius, program->parts[pair.b].radius,
                                      wkGrowthOfPair(growth, pair.a, pair.b));
        unsigned near = wkTouchBits(wkRoomVec(room, program->centersAt + 3 * pair.a),
                                    wkRoomVec(room, program->centersAt + 3 * pair.b), radii);
        near &= wanted & ~touching;
        if (near != 0) {
            touching |= wkTouchParts(program, pair, growth, near, &placed, room);
        }
    }
    return touching & wanted;
}
