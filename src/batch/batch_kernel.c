// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks a block of configurations in SIMD lanes: limits, self-collision, objects, and depth images. Rows that
// one of these steps decides are skipped by the next ones. Lanes hold configurations; what lanes leave open is
// decided for one configuration at a time, by functions that know nothing of lanes.

#include "batch/batch_kernel.h"
#include "batch/batch_depth_kernel.h"
#include "batch/invariant_kernel.h"
#include "batch/self_contact_kernel.h"
#include "batch/world_kernel.h"

#include <string.h>

// As in wkRobotScene_Check.
#define LIMIT_SLACK 1e-9

// Rounding of a distance from a cell, relative to the numbers it is computed from.
#define BOUND_ROUNDING 0x1p-20f

// Returns lanes with a variable near a limit: they are re-checked in double precision.
WK_FORCE_FN unsigned nearLimits(const wkBlockRun* run, const float* scratch)
{
    const wkProgram* program = run->program;
    const float* limits = run->batch->limits;
    unsigned lanes = 0;
    for (int32_t i = 0; i < program->variableCount; ++i) {
        wkFloatW value = wkScratchAt(scratch, program->valuesAt + i);
        lanes |= wkNotAboveBitsF(value, wkSplatF(limits[2 * i]));
        lanes |= wkNotAboveBitsF(wkSplatF(limits[2 * i + 1]), value);
    }
    return lanes;
}

// Settles rows that are invalid or beyond limits, and checks rows that need the double-precision path.
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
            wkCheckScalar(run->batch, run->scratch, run->check, row, q);
            run->live[group] &= ~(1u << lane);
        }
    }
}

WK_FORCE_FN wkStatesW statesOf(const wkBlockRun* run, int32_t group)
{
    int32_t first = group * WK_FLOAT_LANES, left = run->check->count - first;
    wkStatesW states = {run->check->rows + (ptrdiff_t)first * run->program->variableCount,
                        left < WK_FLOAT_LANES ? left : WK_FLOAT_LANES};
    return states;
}

// @param invariant results of the first group that hold for all groups; NULL: this is the first one
WK_FORCE_FN void placeGroup(wkBlockRun* run, int32_t group, const wkInvariantW* invariant)
{
    const wkProgram* program = run->program;
    float* scratch = wkGroupScratch(run, group);
    wkStatesW states = statesOf(run, group);
    run->placed[group] = 0;
    run->live[group] = WK_ALL_FLOAT_LANES >> (WK_FLOAT_LANES - states.count);
    wkLoadedStates loaded = wkTakeStates(program, states, invariant, scratch);
    unsigned nearLimit = (run->check->bits & wk_checkLimits) != 0 ? nearLimits(run, scratch) : 0u;
    if (WK_UNLIKELY((loaded.invalid | loaded.beyond | nearLimit) != 0)) {
        sortOut(run, group, loaded, nearLimit, states.rows);
    }
    if (run->isWithinLimits && (wkBeyondLimits(program, scratch) & run->live[group]) != 0) {
        run->isWithinLimits = false;
    }
    wkPlaceFrames(program, invariant, scratch);
    for (int32_t i = 0; i < program->partCount; ++i) {
        if (invariant != NULL && wkIsInvariantPart(run, i)) {
            wkCopyInvariant(invariant, program->centersAt + 3 * i, 3, scratch);
        } else {
            wkPlaceCenter(program, i, scratch);
        }
    }
}

WK_APART_FN void placeOtherGroups(wkBlockRun* run, const wkInvariantW* invariant)
{
    for (int32_t group = 1; group < run->groupCount; ++group) {
        placeGroup(run, group, invariant);
    }
}

static void placeBlock(wkBlockRun* run)
{
    for (int32_t group = 0; group < run->groupCount; ++group) {
        wkLoadVariables(run->program, statesOf(run, group), wkGroupScratch(run, group));
    }
    wkFindInvariant(run);
    wkInvariantW invariant = {run->scratch->isInvariantRotation, run->scratch->isInvariantColumn,
                              wkGroupScratch(run, 0)};
    placeGroup(run, 0, NULL);
    placeOtherGroups(run, &invariant);
}

// Checks parts against objects.
WK_FORCE_FN void checkWorld(wkBlockRun* run, bool isInterval)
{
    for (int32_t i = 0; i < run->program->partCount; ++i) {
        int32_t number = run->batch->partOrder[i];
        bool isClear = number < 64 && (run->batch->clearParts >> number & 1) != 0;
        if (!isClear) {
            wkCheckPartInWorld(run, number, isInterval);
        }
        if (isInterval) {
            wkLeaveMotionsOut(run);
        }
    }
}

// Self-collision takes precedence in the verdict, as in wkRobotScene_Check. One contact ends the check of a
// motion, and most contacts are with the world: for intervals it comes first.
WK_FORCE_FN void checkAll(wkBlockRun* run, bool isInterval)
{
    unsigned bits = run->check->bits;
    bool checksSelf = (bits & wk_checkSelf) != 0;
    if (checksSelf && !isInterval) {
        wkCheckPairs(run, isInterval);
    }
    if ((bits & wk_checkWorld) != 0) {
        checkWorld(run, isInterval);
    }
    if (checksSelf && isInterval) {
        wkCheckPairs(run, isInterval);
    }
    if ((bits & wk_checkDepth) != 0) {
        wkCheckAllDepth(run, isInterval);
    }
}

WK_APART_FN void checkStates(wkBlockRun* run)
{
    checkAll(run, false);
}

// Checks intervals: their middles, and the motion up to their ends.
WK_APART_FN void checkIntervals(wkBlockRun* run)
{
    wkFindWays(run);
    checkAll(run, true);
}

// Loads and places a block.
static void startRun(const wkBatch* batch, wkBatchScratch* scratch, const wkBlockCheck* asked,
                     wkBlockRun* run)
{
    run->batch = batch;
    run->program = batch->program;
    run->scratch = scratch;
    run->check = asked;
    run->groupCount = (asked->count + WK_FLOAT_LANES - 1) / WK_FLOAT_LANES;
    run->packedCount = 0;
    run->putOffCount = 0;
    run->touching = 0;
    scratch->bodiesAt = NULL;
    run->isWithinLimits = asked->open == NULL || asked->isWithinLimits;
    memset(asked->verdicts, wk_verdictFree, (size_t)asked->count);
    if (asked->open != NULL) {
        memset(asked->open, 0, (size_t)asked->count * sizeof *asked->open);
        memset(asked->unproven, 0, sizeof *asked->unproven);
    }
    placeBlock(run);
}

static void check(const wkBatch* batch, wkBatchScratch* scratch, const wkBlockCheck* asked)
{
    wkBlockRun run;
    startRun(batch, scratch, asked, &run);
    if (asked->open != NULL) {
        checkIntervals(&run);
    } else {
        checkStates(&run);
    }
}

static void measureSpheres(const wkBlockRun* run, int32_t part, int32_t group, float* ways)
{
    const wkPart* p = &run->program->parts[part];
    wkLineW line = wkWaysOfPart(run, group, part);
    for (int32_t i = p->firstSphere; i < p->firstSphere + p->sphereCount; ++i) {
        ptrdiff_t at = (ptrdiff_t)i * WK_BATCH_BLOCK + (ptrdiff_t)group * WK_FLOAT_LANES;
        wkStoreF(ways + at, wkOnLine(line, run->batch->sphereReaches[i]));
    }
}

static void measure(const wkBatch* batch, wkBatchScratch* scratch, const wkBlockCheck* asked,
                    float* ofSpheres, float* ofPairs)
{
    wkBlockRun run;
    startRun(batch, scratch, asked, &run);
    wkFindWays(&run);
    const float* reaches = batch->partReaches;
    for (int32_t group = 0; group < run.groupCount; ++group) {
        for (int32_t part = 0; part < batch->program->partCount; ++part) {
            measureSpheres(&run, part, group, ofSpheres);
        }
        for (int32_t i = 0; i < batch->program->pairCount; ++i) {
            wkPartPair pair = batch->program->pairs[i];
            ptrdiff_t at = (ptrdiff_t)i * WK_BATCH_BLOCK + (ptrdiff_t)group * WK_FLOAT_LANES;
            wkStoreF(ofPairs + at, wkWayOfPair(&run, group, i, reaches[pair.a], reaches[pair.b]));
        }
    }
}

// Stores points of all lanes at the slot of a sphere or a part.
WK_FORCE_FN void putRows(float* placed, int32_t number, wkVecW v)
{
    float* at = placed + (ptrdiff_t)number * 3 * WK_PLACED_ROWS;
    wkStoreF(at, v.x);
    wkStoreF(at + WK_PLACED_ROWS, v.y);
    wkStoreF(at + 2 * WK_PLACED_ROWS, v.z);
}

static void placePart(const wkBatch* batch, const wkBatchScratch* scratch, int32_t number,
                      int32_t first)
{
    const wkProgram* program = batch->program;
    const wkPart* part = &program->parts[number];
    wkFrameW f = wkFrameOf(program, part->rigidGroup, scratch->lanes);
    putRows(scratch->centers + first, number, wkPlacePoint(&f, 7, part->x, part->y, part->z));
    for (int32_t i = part->firstSphere; i < part->firstSphere + part->sphereCount; ++i) {
        putRows(scratch->placed + first, i,
                wkPlacePoint(&f, 7, program->x[i], program->y[i], program->z[i]));
    }
}

static void placeSpheres(const wkBatch* batch, wkBatchScratch* scratch, const double* rows,
                         int32_t count, bool* isInvalid, bool* needsScalar)
{
    const wkProgram* program = batch->program;
    for (int32_t first = 0; first < count; first += WK_FLOAT_LANES) {
        int32_t left = count - first;
        wkStatesW states = {rows + (ptrdiff_t)first * program->variableCount,
                            left < WK_FLOAT_LANES ? left : WK_FLOAT_LANES};
        wkLoadedStates loaded = wkLoadStates(program, states, scratch->lanes);
        wkPlaceFrames(program, NULL, scratch->lanes);
        for (int lane = 0; lane < states.count; ++lane) {
            isInvalid[first + lane] = (loaded.invalid >> lane & 1u) != 0;
            needsScalar[first + lane] = (loaded.beyond >> lane & 1u) != 0;
        }
        for (int32_t part = 0; part < program->partCount; ++part) {
            placePart(batch, scratch, part, first);
        }
    }
}

static void bound(const wkBatch* batch, const wkBatchScratch* scratch, int32_t count)
{
    const wkProgram* program = batch->program;
    wkFloatW reach = wkSplatF((float)batch->field->reach);
    for (int32_t part = 0; part < program->partCount; ++part) {
        const wkPart* p = &program->parts[part];
        const wkFieldGrid* grid = wkField_GridOf(batch->field, p->side);
        wkFloatW bias =
            wkSplatF(grid->bias + BOUND_ROUNDING * (grid->bias + (float)batch->field->reach));
        for (int32_t i = p->firstSphere; i < p->firstSphere + p->sphereCount; ++i) {
            const float* at = scratch->placed + (ptrdiff_t)i * 3 * WK_PLACED_ROWS;
            float* bounds = scratch->bounds + (ptrdiff_t)i * WK_PLACED_ROWS;
            for (int32_t row = 0; row < count; row += WK_FLOAT_LANES) {
                wkFieldCellsW cells =
                    wkFindCells(grid, wkLoadF(at + row), wkLoadF(at + WK_PLACED_ROWS + row),
                                wkLoadF(at + 2 * WK_PLACED_ROWS + row));
                wkStoreF(bounds + row, wkMinF(wkSubF(cells.least, bias), reach));
            }
        }
    }
}

static void startScratch(const wkBatch* batch, const wkBatchScratch* scratch)
{
    for (int32_t group = 0; group < WK_GROUPS; ++group) {
        wkStartScratch(batch->program, scratch->lanes + (ptrdiff_t)group *
                                                            batch->program->scratchCount *
                                                            WK_FLOAT_LANES);
    }
}

extern const wkBatchKernels WK_KERNEL(wkBatchKernels);
const wkBatchKernels WK_KERNEL(wkBatchKernels) = {WK_FLOAT_LANES, startScratch, check,
                                                  placeSpheres,   bound,        measure};
