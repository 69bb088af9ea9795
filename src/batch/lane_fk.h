// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Running a program in lanes: configurations in, frames and balls out. Inline, for lane files.
//
// The room is the caller's: `roomCount` vectors of lanes, see wkProgram, aligned to 64 bytes. A block of
// up to WK_FLOAT_LANES configurations goes through wkLoadStates and wkPlaceFrames; then wkPlaceCenter
// and wkPlaceBalls put single parts into the room.

#include "batch/lane_states.h"

// Two columns turned by an angle.
WK_FORCE_FN void wkRunTurn(const wkProgram* program, const wkOp* op, float* room)
{
    wkFloatW s = wkRoomAt(room, program->sinesAt + 2 * op->value);
    wkFloatW c = wkRoomAt(room, program->sinesAt + 2 * op->value + 1);
    wkVecW a = wkRoomVec(room, 3 * op->from[0]), b = wkRoomVec(room, 3 * op->from[1]);
    wkSetRoomVec(room, 3 * op->into, wkAddVecF(wkMulVecF(a, c), wkMulVecF(b, s)));
    wkSetRoomVec(room, 3 * op->into + 3, wkSubVecF(wkMulVecF(b, c), wkMulVecF(a, s)));
}

WK_FORCE_FN wkVecW wkScaledColumn(const wkOp* op, int term, const float* room)
{
    return wkMulVecF(wkRoomVec(room, 3 * op->from[term]), wkSplatF(op->factors[term]));
}

// A sum of so many columns, on top of a place when there is one.
WK_FORCE_FN void wkRunSum(const wkOp* op, int count, bool hasPlace, float* room)
{
    wkVecW sum = wkScaledColumn(op, 0, room);
    for (int k = 1; k < count; ++k) {
        sum = wkAddVecF(sum, wkScaledColumn(op, k, room));
    }
    sum = hasPlace ? wkAddVecF(wkRoomVec(room, 3 * op->place), sum) : sum;
    wkSetRoomVec(room, 3 * op->into, sum);
}

WK_FORCE_FN void wkRunSlide(const wkProgram* program, const wkOp* op, float* room)
{
    wkFloatW value = wkRoomAt(room, program->valuesAt + op->value);
    wkVecW sum = wkRoomVec(room, 3 * op->place);
    for (int k = 0; k < 3; ++k) {
        wkFloatW length = wkMulAddF(wkSplatF(op->offsets[k]), wkSplatF(op->factors[k]), value);
        sum = wkAddVecF(sum, wkMulVecF(wkRoomVec(room, 3 * op->from[k]), length));
    }
    wkSetRoomVec(room, 3 * op->into, sum);
}

WK_FORCE_FN void wkRunGiven(const wkProgram* program, const wkOp* op, float* room)
{
    int32_t numbersAt = program->givensAt + 9 * op->value;
    for (int column = 0; column < 3; ++column) {
        wkVecW sum =
            wkMulVecF(wkRoomVec(room, 3 * op->from[0]), wkRoomAt(room, numbersAt + 3 * column));
        for (int k = 1; k < 3; ++k) {
            sum = wkAddVecF(sum, wkMulVecF(wkRoomVec(room, 3 * op->from[k]),
                                           wkRoomAt(room, numbersAt + 3 * column + k)));
        }
        wkSetRoomVec(room, 3 * (op->into + column), sum);
    }
}

// Rooms of several blocks side by side: what is decided for a step is decided once for all of them.
typedef struct wkRoomsW {
    float* first;
    ptrdiff_t pitch; // floats from one to the next
    int count;
} wkRoomsW;

WK_FORCE_FN void wkRunSums(const wkOp* op, int count, bool hasPlace, wkRoomsW rooms)
{
    for (int i = 0; i < rooms.count; ++i) {
        wkRunSum(op, count, hasPlace, rooms.first + i * rooms.pitch);
    }
}

typedef void wkRunFcn(const wkProgram* program, const wkOp* op, float* room);

WK_FORCE_FN void wkRunEach(wkRunFcn* run, const wkProgram* program, const wkOp* op, wkRoomsW rooms)
{
    for (int i = 0; i < rooms.count; ++i) {
        run(program, op, rooms.first + i * rooms.pitch);
    }
}

WK_FORCE_FN void wkRunOp(const wkProgram* program, const wkOp* op, wkRoomsW rooms)
{
    switch (op->kind) {
    case wk_opTurn:
        wkRunEach(wkRunTurn, program, op, rooms);
        break;
    case wk_opSum1:
        wkRunSums(op, 1, true, rooms);
        break;
    case wk_opSum2:
        wkRunSums(op, 2, true, rooms);
        break;
    case wk_opSum3:
        wkRunSums(op, 3, true, rooms);
        break;
    case wk_opMix2:
        wkRunSums(op, 2, false, rooms);
        break;
    case wk_opMix3:
        wkRunSums(op, 3, false, rooms);
        break;
    case wk_opSlide:
        wkRunEach(wkRunSlide, program, op, rooms);
        break;
    default:
        wkRunEach(wkRunGiven, program, op, rooms);
        break;
    }
}

// All frames of the configurations in the rooms.
WK_FORCE_FN void wkPlaceAllFrames(const wkProgram* program, wkRoomsW rooms)
{
    for (int32_t i = 0; i < program->opCount; ++i) {
        wkRunOp(program, &program->ops[i], rooms);
    }
}

// All frames of the configurations in a room.
// @param still NULL: nothing is known
WK_FORCE_FN void wkPlaceFrames(const wkProgram* program, const wkStillW* still, float* room)
{
    wkRoomsW rooms = {room, 0, 1};
    for (int32_t i = 0; i < program->opCount; ++i) {
        const wkOp* op = &program->ops[i];
        if (still != NULL && still->columns[op->into]) {
            wkCopyStill(still, 3 * op->into, op->kind == wk_opTurn ? 6 : 3, room);
        } else {
            wkRunOp(program, op, rooms);
        }
    }
}

// A frame at hand.
typedef struct wkFrameW {
    wkVecW x, y, z, place;
} wkFrameW;

WK_FORCE_FN wkFrameW wkFrameOf(const wkProgram* program, int32_t mover, const float* room)
{
    const wkProgramFrame* columns = &program->frames[mover];
    wkFrameW frame = {wkRoomVec(room, 3 * columns->x), wkRoomVec(room, 3 * columns->y),
                      wkRoomVec(room, 3 * columns->z), wkRoomVec(room, 3 * columns->place)};
    return frame;
}

// A point of a frame, of which only the coordinates in the pattern are not zero.
WK_FORCE_FN wkVecW wkPlacePoint(const wkFrameW* frame, int pattern, float x, float y, float z)
{
    wkVecW sum = frame->place;
    if ((pattern & 1) != 0) {
        sum = wkAddVecF(sum, wkMulVecF(frame->x, wkSplatF(x)));
    }
    if ((pattern & 2) != 0) {
        sum = wkAddVecF(sum, wkMulVecF(frame->y, wkSplatF(y)));
    }
    if ((pattern & 4) != 0) {
        sum = wkAddVecF(sum, wkMulVecF(frame->z, wkSplatF(z)));
    }
    return sum;
}

// The ball around a part.
WK_FORCE_FN wkVecW wkPlaceCenter(const wkProgram* program, int32_t part, float* room)
{
    const wkPart* p = &program->parts[part];
    wkFrameW frame = wkFrameOf(program, p->mover, room);
    wkVecW center = wkPlacePoint(&frame, 7, p->x, p->y, p->z);
    wkSetRoomVec(room, program->centersAt + 3 * part, center);
    return center;
}

// Stores could change anything, for all that compilers know: what is read in the loop is at hand.
WK_FORCE_FN void wkPlaceRun(const wkProgram* program, const wkFrameW* frame, int pattern,
                            const wkBallRun* run, float* balls)
{
    const float *x = program->x, *y = program->y, *z = program->z;
    int32_t end = run->end;
    for (int32_t i = run->first; i < end; ++i) {
        wkSetRoomVec(balls, 3 * i, wkPlacePoint(frame, pattern, x[i], y[i], z[i]));
    }
}

// Balls with zeros at the same places, into all rooms.
WK_FORCE_FN void wkPlaceRuns(const wkProgram* program, int32_t mover, int pattern,
                             const wkBallRun* run, wkRoomsW rooms)
{
    for (int i = 0; i < rooms.count; ++i) {
        float* room = rooms.first + i * rooms.pitch;
        wkFrameW frame = wkFrameOf(program, mover, room);
        float* balls = room + (ptrdiff_t)program->ballsAt * WK_FLOAT_LANES;
        wkPlaceRun(program, &frame, pattern, run, balls);
    }
}

// All balls of a part into the rooms.
WK_FORCE_FN void wkPlaceAllBalls(const wkProgram* program, int32_t part, wkRoomsW rooms)
{
    const wkPart* p = &program->parts[part];
    int32_t mover = p->mover;
    for (int32_t i = p->firstRun; i < p->firstRun + p->runCount; ++i) {
        const wkBallRun* run = &program->runs[i];
        switch (run->pattern) {
        case 0:
            wkPlaceRuns(program, mover, 0, run, rooms);
            break;
        case 1:
            wkPlaceRuns(program, mover, 1, run, rooms);
            break;
        case 2:
            wkPlaceRuns(program, mover, 2, run, rooms);
            break;
        case 3:
            wkPlaceRuns(program, mover, 3, run, rooms);
            break;
        case 4:
            wkPlaceRuns(program, mover, 4, run, rooms);
            break;
        case 5:
            wkPlaceRuns(program, mover, 5, run, rooms);
            break;
        case 6:
            wkPlaceRuns(program, mover, 6, run, rooms);
            break;
        default:
            wkPlaceRuns(program, mover, 7, run, rooms);
            break;
        }
    }
}

// All balls of a part into a room.
WK_FORCE_FN void wkPlaceBalls(const wkProgram* program, int32_t part, float* room)
{
    wkRoomsW rooms = {room, 0, 1};
    wkPlaceAllBalls(program, part, rooms);
}
