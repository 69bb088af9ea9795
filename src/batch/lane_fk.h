// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Running a program in lanes: configurations in, frames and balls out. Inline, for lane files.
//
// The room is the caller's: `roomCount` vectors of lanes, see wkProgram, aligned to 64 bytes. A block of
// up to WK_FLOAT_LANES configurations goes through wkLoadStates and wkPlaceFrames; then wkPlaceCenter
// and wkPlaceBalls put single parts into the room.

#include "batch/lane_angle.h"
#include "batch/program_draft.h"
#include "math/angle.h"
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

// Configurations of a block, one after the other: lanes beyond the last one repeat it.
typedef struct wkStatesW {
    const double* rows;
    int count; // from 1 to WK_FLOAT_LANES
} wkStatesW;

// Which lanes of a block are not as they should be.
typedef struct wkLoadedStates {
    unsigned invalid; // a variable is not finite, or a quaternion is zero
    unsigned beyond; // a length is longer than the radii of balls allow for: look at it another way
} wkLoadedStates;

WK_FORCE_FN const double* wkStateOfLane(const wkProgram* program, wkStatesW states, int lane)
{
    int row = lane < states.count ? lane : states.count - 1;
    return states.rows + (ptrdiff_t)row * program->variableCount;
}

// Variables one by one: for a block that is not full, or rows too short to be read by fours.
WK_APART_FN void wkLoadSlowly(const wkProgram* program, wkStatesW states, float* room)
{
    float* values = room + (ptrdiff_t)program->valuesAt * WK_FLOAT_LANES;
    for (int lane = 0; lane < WK_FLOAT_LANES; ++lane) {
        const double* q = wkStateOfLane(program, states, lane);
        for (int32_t k = 0; k < program->variableCount; ++k) {
            values[k * WK_FLOAT_LANES + lane] = (float)q[k];
        }
    }
}

// Variables of a block into the room.
WK_FORCE_FN void wkLoadVariables(const wkProgram* program, wkStatesW states, float* room)
{
    int32_t count = program->variableCount;
    if (WK_UNLIKELY(count < 4 || states.count < WK_FLOAT_LANES)) {
        wkLoadSlowly(program, states, room);
        return;
    }
    // the last four overlap those before
    for (int32_t first = 0; first < count; first += 4) {
        int32_t at = first + 4 <= count ? first : count - 4;
        wkFloatW columns[4];
        wkLoadColumnsF(states.rows + at, (size_t)count, columns);
        for (int k = 0; k < 4; ++k) {
            wkSetRoomAt(room, program->valuesAt + at + k, columns[k]);
        }
    }
}

WK_FORCE_FN wkFloatW wkAngleOf(const wkProgram* program, const wkJointTurn* turn, const float* room)
{
    wkFloatW value = wkRoomAt(room, program->valuesAt + turn->variable);
    return wkMulAddF(wkSplatF(turn->offset), wkSplatF(turn->factor), value);
}

// Lanes with an angle that is too large, one by one in double.
WK_RARE_FN void wkTurnFar(const wkProgram* program, wkStatesW states, float* room)
{
    for (int32_t i = 0; i < program->turnCount; ++i) {
        const wkJointTurn* turn = &program->turns[i];
        float* sines = room + (ptrdiff_t)(program->sinesAt + 2 * i) * WK_FLOAT_LANES;
        wkFloatW size = wkAbsF(wkAngleOf(program, turn, room));
        unsigned lanes = wkNotAboveBitsF(wkSplatF((float)WK_LANE_ANGLE), size);
        for (; lanes != 0; lanes &= lanes - 1) {
            int lane = __builtin_ctz(lanes);
            double value = wkStateOfLane(program, states, lane)[turn->variable];
            double sine = 0.0, cosine = 1.0;
            wkSinCos(turn->exactFactor * value + turn->exactOffset, &sine, &cosine);
            sines[lane] = (float)sine;
            sines[WK_FLOAT_LANES + lane] = (float)cosine;
        }
    }
}

// Sine and cosine of all turns.
WK_FORCE_FN void wkTurnStates(const wkProgram* program, wkStatesW states, const wkStillW* still,
                              float* room)
{
    wkIntW largest = wkSplatI(0), noSign = wkSplatI(INT32_MAX);
    for (int32_t i = 0; i < program->turnCount; ++i) {
        if (still != NULL && still->turns[i]) {
            wkCopyStill(still, program->sinesAt + 2 * i, 2, room);
            continue;
        }
        wkFloatW angle = wkAngleOf(program, &program->turns[i], room), sine, cosine;
        // as whole numbers, floats without sign keep their order, with NaN above all
        largest = wkMaxI(largest, wkAndI(wkBitsOfF(angle), noSign));
        wkSinCosF(angle, &sine, &cosine);
        wkSetRoomAt(room, program->sinesAt + 2 * i, sine);
        wkSetRoomAt(room, program->sinesAt + 2 * i + 1, cosine);
    }
    wkIntW limit = wkBitsOfF(wkSplatF((float)WK_LANE_ANGLE));
    if (WK_UNLIKELY(wkGreaterBitsI(largest, limit) != 0)) {
        wkTurnFar(program, states, room);
    }
}

// Matrices of quaternions, one by one in double.
WK_RARE_FN void wkSetGivens(const wkProgram* program, wkStatesW states, float* room)
{
    for (int32_t i = 0; i < program->givenCount; ++i) {
        float* numbers = room + (ptrdiff_t)(program->givensAt + 9 * i) * WK_FLOAT_LANES;
        for (int lane = 0; lane < WK_FLOAT_LANES; ++lane) {
            const double* q = wkStateOfLane(program, states, lane) + program->givens[i];
            wkQuat quat = {q[0], q[1], q[2], q[3]};
            wkMat3d turn = wkMatFromQuat(wkNormalizeQuat(quat));
            const wkVec3d* columns[3] = {&turn.x, &turn.y, &turn.z};
            for (int k = 0; k < 9; ++k) {
                numbers[k * WK_FLOAT_LANES + lane] = (float)wkAlongAxis(columns[k / 3], k % 3);
            }
        }
    }
}

// Of lanes that are not finite as floats, those that are not as doubles either.
WK_RARE_FN unsigned wkFindNotFinite(const wkProgram* program, wkStatesW states, unsigned lanes)
{
    unsigned found = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        const double* q = wkStateOfLane(program, states, lane);
        for (int32_t i = 0; i < program->variableCount; ++i) {
            found |= (fabs(q[i]) < INFINITY ? 0u : 1u) << lane;
        }
    }
    return found;
}

WK_FORCE_FN wkLoadedStates wkJudgeStates(const wkProgram* program, wkStatesW states,
                                         const float* room)
{
    wkLoadedStates loaded = {0, 0};
    // infinity and NaN times zero are NaN, and stay so in a sum
    wkFloatW zero = wkSplatF(0.0f), sum = zero;
    for (int32_t i = 0; i < program->variableCount; ++i) {
        sum = wkMulAddF(sum, wkRoomAt(room, program->valuesAt + i), zero);
    }
    unsigned odd = wkNotAboveBitsF(wkSplatF(1.0f), sum);
    if (WK_UNLIKELY(odd != 0)) {
        loaded.invalid = wkFindNotFinite(program, states, odd);
    }
    for (int32_t i = 0; i < program->lengthCount; ++i) {
        const wkLengthLimit* length = &program->lengths[i];
        wkFloatW size = wkAbsF(wkRoomAt(room, program->valuesAt + length->variable));
        loaded.beyond |= wkNotAboveBitsF(wkSplatF(length->limit), size);
    }
    for (int32_t i = 0; i < program->givenCount; ++i) {
        // a quaternion that is not sound has a matrix of NaN
        wkFloatW number = wkRoomAt(room, program->givensAt + 9 * i);
        loaded.invalid |= wkNotAboveBitsF(wkSplatF(2.0f), number);
    }
    loaded.beyond = (program->isHuge ? WK_ALL_FLOAT_LANES : loaded.beyond) & ~loaded.invalid;
    return loaded;
}

// Lanes with a variable beyond its limits, by more than floats are off by.
WK_FORCE_FN unsigned wkBeyondLimits(const wkProgram* program, const float* room)
{
    wkFloatW most = wkSplatF(-1.0f);
    for (int32_t i = 0; i < program->variableCount; ++i) {
        wkFloatW value = wkRoomAt(room, program->valuesAt + i);
        wkFloatW below = wkSubF(wkSplatF(program->limits[2 * i]), value);
        wkFloatW above = wkSubF(value, wkSplatF(program->limits[2 * i + 1]));
        most = wkMaxF(wkMaxF(below, above), most);
    }
    return wkGreaterBitsF(most, wkSplatF(0.0f));
}

// What follows from the variables in the room.
// @param still NULL: nothing is known
WK_FORCE_FN wkLoadedStates wkTakeStates(const wkProgram* program, wkStatesW states,
                                        const wkStillW* still, float* room)
{
    wkTurnStates(program, states, still, room);
    if (WK_UNLIKELY(program->givenCount > 0)) {
        wkSetGivens(program, states, room);
    }
    return wkJudgeStates(program, states, room);
}

WK_FORCE_FN wkLoadedStates wkLoadStates(const wkProgram* program, wkStatesW states, float* room)
{
    wkLoadVariables(program, states, room);
    return wkTakeStates(program, states, NULL, room);
}

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
