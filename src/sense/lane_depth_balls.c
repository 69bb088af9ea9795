// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Balls against the pyramid of a depth map.

#include "sense/ball_rows.h"
#include "sense/lane_depth.h"

extern wkProveBallsFcn WK_LANE(wkProveBalls), WK_LANE(wkProveBallsClear);

uint64_t WK_LANE(wkProveBalls)(const wkDepthView* view, const wkBallRows* rows, int32_t count)
{
    uint64_t maybe = 0;
    for (int32_t i = 0; i < count; i += WK_FLOAT_LANES) {
        unsigned bits = wkDepthBallsMaybe(view, wkLoadF(rows->x + i), wkLoadF(rows->y + i),
                                          wkLoadF(rows->z + i), wkLoadF(rows->radius + i));
        maybe |= (uint64_t)bits << i;
    }
    return maybe;
}

uint64_t WK_LANE(wkProveBallsClear)(const wkDepthView* view, const wkBallRows* rows, int32_t count)
{
    uint64_t maybe = 0;
    for (int32_t i = 0; i < count; i += WK_FLOAT_LANES) {
        unsigned bits = wkDepthBallsTouch(view, wkLoadF(rows->x + i), wkLoadF(rows->y + i),
                                          wkLoadF(rows->z + i), wkLoadF(rows->radius + i));
        maybe |= (uint64_t)bits << i;
    }
    return maybe;
}
