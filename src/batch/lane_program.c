// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Programs in lanes: where all balls are, and whether the robot touches itself.

#include "batch/lane_program.h"
#include "batch/lane_self.h"

static void start(const wkProgram* program, float* rooms)
{
    for (int i = 0; i < WK_PROGRAM_ROOMS; ++i) {
        wkStartRoom(program, rooms + (ptrdiff_t)i * program->roomCount * WK_FLOAT_LANES);
    }
}

static unsigned loadAndPlace(const wkProgram* program, const double* states, int32_t count,
                             float* room)
{
    wkStatesW block = {states, count};
    wkLoadedStates loaded = wkLoadStates(program, block, room);
    wkPlaceFrames(program, NULL, room);
    return loaded.invalid | loaded.beyond;
}

static void placeBalls(const wkProgram* program, const double* states, int32_t count, float* rooms,
                       unsigned* odd)
{
    ptrdiff_t pitch = (ptrdiff_t)program->roomCount * WK_FLOAT_LANES;
    wkRoomsW all = {rooms, pitch, (count + WK_FLOAT_LANES - 1) / WK_FLOAT_LANES};
    for (int i = 0; i < all.count; ++i) {
        int32_t left = count - i * WK_FLOAT_LANES;
        const double* rows = states + (ptrdiff_t)i * WK_FLOAT_LANES * program->variableCount;
        wkStatesW block = {rows, left < WK_FLOAT_LANES ? left : WK_FLOAT_LANES};
        wkLoadedStates loaded = wkLoadStates(program, block, rooms + i * pitch);
        odd[i] = loaded.invalid | loaded.beyond;
    }
    wkPlaceAllFrames(program, all);
    for (int32_t i = 0; i < program->partCount; ++i) {
        wkPlaceAllBalls(program, i, all);
    }
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
