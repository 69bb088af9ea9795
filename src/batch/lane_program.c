// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Programs in lanes: where all balls are, and whether the robot touches itself.

#include "batch/lane_program.h"
#include "batch/lane_self.h"

static void start(const wkProgram* program, float* room)
{
    wkStartRoom(program, room);
}

static unsigned loadAndPlace(const wkProgram* program, const double* states, int32_t count,
                             float* room)
{
    wkStatesW block = {states, count};
    wkLoadedStates loaded = wkLoadStates(program, block, room);
    wkPlaceFrames(program, room);
    return loaded.invalid | loaded.beyond;
}

static unsigned placeBalls(const wkProgram* program, const double* states, int32_t count,
                           float* room)
{
    unsigned odd = loadAndPlace(program, states, count, room);
    for (int32_t i = 0; i < program->partCount; ++i) {
        wkPlaceBalls(program, i, room, room + (ptrdiff_t)program->ballsAt * WK_FLOAT_LANES);
    }
    return odd;
}

static unsigned touchSelf(const wkProgram* program, const wkContacts* contacts,
                          const double* states, int32_t count, float margin, unsigned* odd,
                          float* room)
{
    *odd = loadAndPlace(program, states, count, room);
    unsigned all = WK_ALL_FLOAT_LANES >> (WK_FLOAT_LANES - count);
    wkSelfQuestion ask = {contacts, margin, NULL, all & ~*odd, wkBeyondLimits(program, room)};
    return wkTouchSelf(program, &ask, room);
}

extern const wkProgramLanes WK_LANE(wkProgramLanes);
const wkProgramLanes WK_LANE(wkProgramLanes) = {WK_FLOAT_LANES, start, placeBalls, touchSelf};
