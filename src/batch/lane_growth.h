// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How far parts of a robot move within spans of motions, for lane files; see robot/motion.h for why
// the sum over the joints is a bound. Floats may be off by a few units in the last place, and places of
// frames by what the radii of balls are larger by: both are added to every lever.

#include "batch/lane_block.h"

#define WK_LEVER_SHARE 1.00002f
#define WK_LEVER_SLACK 1e-4f

// Metres that a joint moves a ball by, for groups of lanes.
WK_FORCE_FN wkFloatW wkWayOfJoint(const wkBlockRun* run, const float* room, int32_t group,
                                  int32_t mover, wkVecW center, wkFloatW radius)
{
    size_t at = (size_t)mover * WK_BATCH_BLOCK + (size_t)group * WK_FLOAT_LANES;
    wkFloatW turn = wkLoadF(run->look->turns + at), slide = wkLoadF(run->look->slides + at);
    const wkProgramFrame* frame = &run->program->frames[mover];
    wkVecW axis = wkRoomVec(room, 3 * frame->z);
    wkVecW arm = wkSubVecF(center, wkRoomVec(room, 3 * frame->place));
    if (run->batch->robot->movers[mover].type != wk_jointFloating) {
        wkVecW across = {wkSubF(wkMulF(axis.y, arm.z), wkMulF(axis.z, arm.y)),
                         wkSubF(wkMulF(axis.z, arm.x), wkMulF(axis.x, arm.z)),
                         wkSubF(wkMulF(axis.x, arm.y), wkMulF(axis.y, arm.x))};
        arm = across;
    }
    wkFloatW square =
        wkAddF(wkAddF(wkMulF(arm.x, arm.x), wkMulF(arm.y, arm.y)), wkMulF(arm.z, arm.z));
    wkFloatW lever = wkAddF(wkAddF(wkSqrtF(square), radius), wkSplatF(WK_LEVER_SLACK));
    return wkAddF(wkMulF(wkMulF(turn, lever), wkSplatF(WK_LEVER_SHARE)), slide);
}

// And all joints from the one of a part up to `end`, which is left out.
WK_FORCE_FN wkFloatW wkWayOfPart(const wkBlockRun* run, const float* room, int32_t group,
                                 int32_t part, int32_t end)
{
    const wkPart* p = &run->program->parts[part];
    wkFloatW way = wkSplatF(0.0f), radius = wkSplatF(p->radius);
    wkVecW center = wkCenterOf(run, room, part);
    for (int32_t i = p->mover; i > end; i = run->batch->robot->movers[i].parent) {
        if (run->room->isMoving[i]) {
            way = wkAddF(way, wkWayOfJoint(run, room, group, i, center, radius));
        }
    }
    return wkMulF(way, wkLoadF(run->room->share + (size_t)group * WK_FLOAT_LANES));
}

// Joints that move in any row.
static inline void wkFindMoving(const wkBlockRun* run)
{
    int32_t count = run->groupCount * WK_FLOAT_LANES;
    for (int32_t i = 0; i < run->batch->robot->moverCount; ++i) {
        const float* turns = run->look->turns + (size_t)i * WK_BATCH_BLOCK;
        const float* slides = run->look->slides + (size_t)i * WK_BATCH_BLOCK;
        wkFloatW most = wkSplatF(0.0f);
        for (int32_t k = 0; k < count; k += WK_FLOAT_LANES) {
            most = wkMaxF(most, wkMaxF(wkLoadF(turns + k), wkLoadF(slides + k)));
        }
        run->room->isMoving[i] = wkGreaterBitsF(most, wkSplatF(0.0f)) != 0;
    }
}
