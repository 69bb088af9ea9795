// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The room of a program in lanes: vectors of lanes by number, and columns of three. Inline, for lane
// files.

#include "batch/program_draft.h"
#include "simd/simd_int.h"

// Three vectors of lanes: a column, or centers.
typedef struct wkVecW {
    wkFloatW x, y, z;
} wkVecW;

WK_FORCE_FN wkFloatW wkRoomAt(const float* room, int32_t at)
{
    return wkLoadF(room + (ptrdiff_t)at * WK_FLOAT_LANES);
}

WK_FORCE_FN void wkSetRoomAt(float* room, int32_t at, wkFloatW a)
{
    wkStoreF(room + (ptrdiff_t)at * WK_FLOAT_LANES, a);
}

WK_FORCE_FN wkVecW wkRoomVec(const float* room, int32_t at)
{
    wkVecW v = {wkRoomAt(room, at), wkRoomAt(room, at + 1), wkRoomAt(room, at + 2)};
    return v;
}

WK_FORCE_FN void wkSetRoomVec(float* room, int32_t at, wkVecW v)
{
    wkSetRoomAt(room, at, v.x);
    wkSetRoomAt(room, at + 1, v.y);
    wkSetRoomAt(room, at + 2, v.z);
}

WK_FORCE_FN wkVecW wkMulVecF(wkVecW v, wkFloatW factor)
{
    wkVecW product = {wkMulF(v.x, factor), wkMulF(v.y, factor), wkMulF(v.z, factor)};
    return product;
}

WK_FORCE_FN wkVecW wkAddVecF(wkVecW a, wkVecW b)
{
    wkVecW sum = {wkAddF(a.x, b.x), wkAddF(a.y, b.y), wkAddF(a.z, b.z)};
    return sum;
}

WK_FORCE_FN wkVecW wkSubVecF(wkVecW a, wkVecW b)
{
    wkVecW difference = {wkSubF(a.x, b.x), wkSubF(a.y, b.y), wkSubF(a.z, b.z)};
    return difference;
}

// What is the same in all blocks side by side, and has been computed in the room of one of them.
typedef struct wkStillW {
    const bool* turns;
    const bool* columns;
    const float* room;
} wkStillW;

// So many vectors from the room in which they are.
WK_FORCE_FN void wkCopyStill(const wkStillW* still, int32_t at, int count, float* room)
{
    for (int i = 0; i < count; ++i) {
        wkSetRoomAt(room, at + i, wkRoomAt(still->room, at + i));
    }
}

// Constant columns: once for a room.
static inline void wkStartRoom(const wkProgram* program, float* room)
{
    for (int32_t i = 0; i < 3 * program->constantCount; ++i) {
        wkSetRoomAt(room, i, wkSplatF(program->constants[i]));
    }
}
