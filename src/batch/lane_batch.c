// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A block of configurations, from joint angles to verdicts: limits, the robot with itself, with what is
// around it, and with what depth images have seen. What one look settles, the next ones leave out.

#include "batch/batch_lanes.h"
#include "batch/lane_seen.h"
#include "batch/lane_still.h"
#include "batch/lane_touch_self.h"
#include "batch/lane_world.h"

#include <string.h>

// As in wkRobotScene_Check.
#define LIMIT_SLACK 1e-9

// What rounding may do to the distance that a cell tells, as a share of what it is made of.
#define BOUND_ROUNDING 0x1p-20f

// Lanes with a variable that is not well within its limits: floats do not tell about the others.
WK_FORCE_FN unsigned nearLimits(const wkBlockRun* run, const float* room)
{
    const wkProgram* program = run->program;
    const float* limits = run->batch->limits;
    unsigned lanes = 0;
    for (int32_t i = 0; i < program->variableCount; ++i) {
        wkFloatW value = wkRoomAt(room, program->valuesAt + i);
        lanes |= wkNotAboveBitsF(value, wkSplatF(limits[2 * i]));
        lanes |= wkNotAboveBitsF(wkSplatF(limits[2 * i + 1]), value);
    }
    return lanes;
}

// Rows that are out at once, and those that lanes are not made for.
WK_APART_FN void sortOut(wkBlockRun* run, int32_t group, wkLoadedStates loaded, unsigned nearLimit,
                         const double* rows)
{
    int32_t length = run->program->variableCount;
    unsigned odd = (loaded.invalid | loaded.beyond | nearLimit) & run->live[group];
    for (; odd != 0; odd &= odd - 1) {
        int lane = __builtin_ctz(odd);
        int32_t row = group * WK_FLOAT_LANES + lane;
        const double* q = rows + (size_t)lane * (size_t)length;
        if ((loaded.invalid >> lane & 1u) != 0) {
            wkSettle(run, row, wk_verdictInvalid);
        } else if ((nearLimit >> lane & 1u) != 0 &&
                   wkRobot_FindBeyondLimits(run->batch->robot, q, LIMIT_SLACK) >= 0) {
            wkSettle(run, row, wk_verdictLimits);
        } else if ((loaded.beyond >> lane & 1u) != 0) {
            wkLookFar(run->batch, run->room, run->look, row, q);
            run->live[group] &= ~(1u << lane);
        }
    }
}

WK_FORCE_FN wkStatesW statesOf(const wkBlockRun* run, int32_t group)
{
    int32_t first = group * WK_FLOAT_LANES, left = run->look->count - first;
    wkStatesW states = {run->look->rows + (ptrdiff_t)first * run->program->variableCount,
                        left < WK_FLOAT_LANES ? left : WK_FLOAT_LANES};
    return states;
}

// @param still what the first group has for all of them; NULL: this is the first one
WK_FORCE_FN void placeGroup(wkBlockRun* run, int32_t group, const wkStillW* still)
{
    const wkProgram* program = run->program;
    float* room = wkGroupRoom(run, group);
    wkStatesW states = statesOf(run, group);
    run->placed[group] = 0;
    run->live[group] = WK_ALL_FLOAT_LANES >> (WK_FLOAT_LANES - states.count);
    wkLoadedStates loaded = wkTakeStates(program, states, still, room);
    unsigned nearLimit = (run->look->bits & wk_lookLimits) != 0 ? nearLimits(run, room) : 0u;
    if (WK_UNLIKELY((loaded.invalid | loaded.beyond | nearLimit) != 0)) {
        sortOut(run, group, loaded, nearLimit, states.rows);
    }
    if (run->isWithinLimits && (wkBeyondLimits(program, room) & run->live[group]) != 0) {
        run->isWithinLimits = false;
    }
    wkPlaceFrames(program, still, room);
    for (int32_t i = 0; i < program->partCount; ++i) {
        if (still != NULL && wkIsStillPart(run, i)) {
            wkCopyStill(still, program->centersAt + 3 * i, 3, room);
        } else {
            wkPlaceCenter(program, i, room);
        }
    }
}

WK_APART_FN void placeOtherGroups(wkBlockRun* run, const wkStillW* still)
{
    for (int32_t group = 1; group < run->groupCount; ++group) {
        placeGroup(run, group, still);
    }
}

static void placeBlock(wkBlockRun* run)
{
    for (int32_t group = 0; group < run->groupCount; ++group) {
        wkLoadVariables(run->program, statesOf(run, group), wkGroupRoom(run, group));
    }
    wkFindStill(run);
    wkStillW still = {run->room->isStillTurn, run->room->isStillColumn, wkGroupRoom(run, 0)};
    placeGroup(run, 0, NULL);
    placeOtherGroups(run, &still);
}

// Parts among objects.
WK_FORCE_FN void lookAtWorld(wkBlockRun* run, bool isSpan)
{
    for (int32_t i = 0; i < run->program->partCount; ++i) {
        wkLookAtPartInWorld(run, run->batch->partOrder[i], isSpan);
        if (isSpan) {
            wkLeaveMotionsOut(run);
        }
    }
}

// A configuration that touches both itself and the world touches itself, as in wkRobotScene_Check. One
// contact of a motion leaves all its spans out, and most contacts are with the world: that comes first.
WK_FORCE_FN void lookAtAll(wkBlockRun* run, bool isSpan)
{
    unsigned bits = run->look->bits;
    bool looksAtSelf = (bits & wk_lookSelf) != 0;
    if (looksAtSelf && !isSpan) {
        wkLookAtPairs(run, isSpan);
    }
    if ((bits & wk_lookWorld) != 0) {
        lookAtWorld(run, isSpan);
    }
    if (looksAtSelf && isSpan) {
        wkLookAtPairs(run, isSpan);
    }
    if ((bits & wk_lookDepth) != 0) {
        wkLookAtAllSeen(run, isSpan);
    }
}

WK_APART_FN void lookAtStates(wkBlockRun* run)
{
    lookAtAll(run, false);
}

// Spans: their middles, and the way to their ends.
WK_APART_FN void lookAtSpans(wkBlockRun* run)
{
    wkFindWays(run);
    lookAtAll(run, true);
}

// Places a block about which nothing is known yet.
static void startRun(const wkBatch* batch, wkBatchRoom* room, const wkLook* asked, wkBlockRun* run)
{
    run->batch = batch;
    run->program = batch->program;
    run->room = room;
    run->look = asked;
    run->groupCount = (asked->count + WK_FLOAT_LANES - 1) / WK_FLOAT_LANES;
    run->packedCount = 0;
    run->touching = 0;
    room->bodiesAt = NULL;
    run->isWithinLimits = asked->open == NULL || asked->isWithinLimits;
    memset(asked->verdicts, wk_verdictFree, (size_t)asked->count);
    if (asked->open != NULL) {
        memset(asked->open, 0, (size_t)asked->count * sizeof *asked->open);
        memset(asked->unproven, 0, sizeof *asked->unproven);
    }
    placeBlock(run);
}

static void look(const wkBatch* batch, wkBatchRoom* room, const wkLook* asked)
{
    wkBlockRun run;
    startRun(batch, room, asked, &run);
    if (asked->open != NULL) {
        lookAtSpans(&run);
    } else {
        lookAtStates(&run);
    }
}

static void measureBalls(const wkBlockRun* run, int32_t part, int32_t group, float* ways)
{
    const wkPart* p = &run->program->parts[part];
    wkLineW line = wkWaysOfPart(run, group, part);
    for (int32_t i = p->firstBall; i < p->firstBall + p->ballCount; ++i) {
        ptrdiff_t at = (ptrdiff_t)i * WK_BATCH_BLOCK + (ptrdiff_t)group * WK_FLOAT_LANES;
        wkStoreF(ways + at, wkOnLine(line, run->batch->ballReaches[i]));
    }
}

static void measure(const wkBatch* batch, wkBatchRoom* room, const wkLook* asked, float* ofBalls,
                    float* ofPairs)
{
    wkBlockRun run;
    startRun(batch, room, asked, &run);
    wkFindWays(&run);
    const float* reaches = batch->partReaches;
    for (int32_t group = 0; group < run.groupCount; ++group) {
        for (int32_t part = 0; part < batch->program->partCount; ++part) {
            measureBalls(&run, part, group, ofBalls);
        }
        for (int32_t i = 0; i < batch->program->pairCount; ++i) {
            wkPartPair pair = batch->program->pairs[i];
            ptrdiff_t at = (ptrdiff_t)i * WK_BATCH_BLOCK + (ptrdiff_t)group * WK_FLOAT_LANES;
            wkStoreF(ofPairs + at, wkWayOfPair(&run, group, i, reaches[pair.a], reaches[pair.b]));
        }
    }
}

// Puts points of all lanes where the number of a ball, or of a part, has its room.
WK_FORCE_FN void putRows(float* placed, int32_t number, wkVecW v)
{
    float* at = placed + (ptrdiff_t)number * 3 * WK_PLACED_ROWS;
    wkStoreF(at, v.x);
    wkStoreF(at + WK_PLACED_ROWS, v.y);
    wkStoreF(at + 2 * WK_PLACED_ROWS, v.z);
}

static void placePart(const wkBatch* batch, const wkBatchRoom* room, int32_t number, int32_t first)
{
    const wkProgram* program = batch->program;
    const wkPart* part = &program->parts[number];
    wkFrameW f = wkFrameOf(program, part->mover, room->lanes);
    putRows(room->centers + first, number, wkPlacePoint(&f, 7, part->x, part->y, part->z));
    for (int32_t i = part->firstBall; i < part->firstBall + part->ballCount; ++i) {
        putRows(room->placed + first, i,
                wkPlacePoint(&f, 7, program->x[i], program->y[i], program->z[i]));
    }
}

static void place(const wkBatch* batch, wkBatchRoom* room, const double* rows, int32_t count,
                  bool* isInvalid, bool* isFar)
{
    const wkProgram* program = batch->program;
    for (int32_t first = 0; first < count; first += WK_FLOAT_LANES) {
        int32_t left = count - first;
        wkStatesW states = {rows + (ptrdiff_t)first * program->variableCount,
                            left < WK_FLOAT_LANES ? left : WK_FLOAT_LANES};
        wkLoadedStates loaded = wkLoadStates(program, states, room->lanes);
        wkPlaceFrames(program, NULL, room->lanes);
        for (int lane = 0; lane < states.count; ++lane) {
            isInvalid[first + lane] = (loaded.invalid >> lane & 1u) != 0;
            isFar[first + lane] = (loaded.beyond >> lane & 1u) != 0;
        }
        for (int32_t part = 0; part < program->partCount; ++part) {
            placePart(batch, room, part, first);
        }
    }
}

static void bound(const wkBatch* batch, const wkBatchRoom* room, int32_t count)
{
    const wkProgram* program = batch->program;
    wkFloatW reach = wkSplatF((float)batch->field->reach);
    for (int32_t part = 0; part < program->partCount; ++part) {
        const wkPart* p = &program->parts[part];
        const wkFieldGrid* grid = wkField_GridOf(batch->field, p->side);
        wkFloatW bias =
            wkSplatF(grid->bias + BOUND_ROUNDING * (grid->bias + (float)batch->field->reach));
        for (int32_t i = p->firstBall; i < p->firstBall + p->ballCount; ++i) {
            const float* at = room->placed + (ptrdiff_t)i * 3 * WK_PLACED_ROWS;
            float* bounds = room->bounds + (ptrdiff_t)i * WK_PLACED_ROWS;
            for (int32_t row = 0; row < count; row += WK_FLOAT_LANES) {
                wkFieldCellsW cells =
                    wkFindCells(grid, wkLoadF(at + row), wkLoadF(at + WK_PLACED_ROWS + row),
                                wkLoadF(at + 2 * WK_PLACED_ROWS + row));
                wkStoreF(bounds + row, wkMinF(wkSubF(cells.least, bias), reach));
            }
        }
    }
}

static void startRoom(const wkBatch* batch, const wkBatchRoom* room)
{
    for (int32_t group = 0; group < WK_GROUPS; ++group) {
        wkStartRoom(batch->program,
                    room->lanes + (ptrdiff_t)group * batch->program->roomCount * WK_FLOAT_LANES);
    }
}

extern const wkBatchLanes WK_LANE(wkBatchLanes);
const wkBatchLanes WK_LANE(wkBatchLanes) = {WK_FLOAT_LANES, startRoom, look, place, bound, measure};
