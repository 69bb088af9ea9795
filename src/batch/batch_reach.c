// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The reach of a robot: centers of its spheres in random configurations, as bits of a coarse grid.

#include "batch/batch_reach.h"

#include "base/error.h"
#include "base/memory.h"
#include "batch/batch_impl.h"
#include "batch/batch_kernel.h"

#include <string.h>

#define SAMPLES 4096
#define SEED 17u

// Regions beyond this many metres are not searched by samples.
#define MOST_REACH 16.0

// What the samples do not show of the region, in metres and as a share of it.
#define BOX_METRES 0.02
#define BOX_SHARE 0.03

typedef void centerFcn(wkReach* reach, const float center[3]);

static void growBox(wkReach* reach, const float center[3])
{
    wkVec3d point = wkVec((double)center[0], (double)center[1], (double)center[2]);
    reach->box.lower = wkMin(reach->box.lower, point);
    reach->box.upper = wkMax(reach->box.upper, point);
}

static int cellAt(const wkReach* reach, int axis, double position)
{
    double cell = (position - reach->lower[axis]) * reach->perMetre[axis];
    return (int)wkClamp(cell, 0.0, WK_REACH_CELLS - 1.0);
}

static void markCenter(wkReach* reach, const float center[3])
{
    int y = cellAt(reach, 1, (double)center[1]), z = cellAt(reach, 2, (double)center[2]);
    reach->rows[z * WK_REACH_CELLS + y] |= UINT64_C(1) << cellAt(reach, 0, (double)center[0]);
}

// Calls a function with the centers of all spheres in all samples.
static void visitSamples(const wkBatch* batch, double* rows, wkReach* reach, centerFcn* fcn)
{
    wkBatchScratch* scratch = &batch->contexts[0]->scratch;
    int32_t length = batch->program->variableCount;
    uint64_t seed = SEED;
    for (int32_t done = 0; done < SAMPLES; done += WK_PLACED_ROWS) {
        bool isInvalid[WK_PLACED_ROWS] = {false}, needsScalar[WK_PLACED_ROWS] = {false};
        for (int32_t i = 0; i < WK_PLACED_ROWS; ++i) {
            wkRobot_RandomConfiguration(batch->robot, &seed, rows + (ptrdiff_t)i * length);
        }
        batch->lanes->placeSpheres(batch, scratch, rows, WK_PLACED_ROWS, isInvalid, needsScalar);
        for (int32_t i = 0; i < batch->program->sphereCount * WK_PLACED_ROWS; ++i) {
            int32_t row = i % WK_PLACED_ROWS;
            const float* x = scratch->placed + (ptrdiff_t)(i / WK_PLACED_ROWS) * 3 * WK_PLACED_ROWS;
            const float center[3] = {x[row], x[WK_PLACED_ROWS + row], x[2 * WK_PLACED_ROWS + row]};
            if (!isInvalid[row] && !needsScalar[row]) {
                fcn(reach, center);
            }
        }
    }
}

static void fill(const wkBatch* batch, double* rows, wkReach* reach)
{
    memset(reach, 0, sizeof *reach);
    reach->box.lower = wkVec(INFINITY, INFINITY, INFINITY);
    reach->box.upper = wkNeg(reach->box.lower);
    visitSamples(batch, rows, reach, growBox);
    wkVec3d size = wkSub(reach->box.upper, reach->box.lower);
    wkVec3d more = wkMulAdd(wkVec(BOX_METRES, BOX_METRES, BOX_METRES), BOX_SHARE, size);
    reach->box.lower = wkSub(reach->box.lower, more);
    reach->box.upper = wkAdd(reach->box.upper, more);
    for (int axis = 0; axis < 3; ++axis) {
        double lower = wkAlongAxis(&reach->box.lower, axis);
        reach->lower[axis] = lower;
        reach->perMetre[axis] = WK_REACH_CELLS / (wkAlongAxis(&reach->box.upper, axis) - lower);
    }
    visitSamples(batch, rows, reach, markCenter);
}

wkResult wkReach_Create(const wkBatch* batch, wkReach** out)
{
    *out = NULL;
    const wkProgram* program = batch->program;
    wkVec3d size = wkSub(program->reach.upper, program->reach.lower);
    if (program->sphereCount == 0 || !(wkMaxAbs(size) < MOST_REACH)) {
        return wk_ok;
    }
    size_t rowBytes = WK_PLACED_ROWS * ((size_t)program->variableCount + 1) * sizeof(double);
    double* rows = (double*)wkAlloc(rowBytes);
    wkReach* reach = rows != NULL ? (wkReach*)wkAlloc(sizeof *reach) : NULL;
    if (reach != NULL) {
        fill(batch, rows, reach);
        *out = reach;
    }
    wkFree(rows, rowBytes);
    return reach != NULL ? wk_ok : wkFail(wk_errorMemory, "batch: no memory for its reach");
}

void wkReach_Destroy(wkReach* reach)
{
    wkFree(reach, sizeof *reach);
}

bool wkReach_Meets(const wkReach* reach, const double lower[3], const double upper[3])
{
    int from[3], to[3];
    for (int axis = 0; axis < 3; ++axis) {
        double beside = 1.0 / reach->perMetre[axis];
        from[axis] = cellAt(reach, axis, lower[axis] - beside);
        to[axis] = cellAt(reach, axis, upper[axis] + beside);
    }
    uint64_t mask = (~UINT64_C(0) << from[0]) & (~UINT64_C(0) >> (WK_REACH_CELLS - 1 - to[0]));
    for (int z = from[2]; z <= to[2]; ++z) {
        for (int y = from[1]; y <= to[1]; ++y) {
            if ((reach->rows[z * WK_REACH_CELLS + y] & mask) != 0) {
                return true;
            }
        }
    }
    return false;
}
