// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Clearances of configurations, by their spheres: parts are first bounded by the spheres around them,
// and all spheres are measured only for parts that can be nearer than the best distance so far.

#include "batch/batch_backend.h"
#include "batch/batch_kernel.h"
#include "math/round.h"

#include <math.h>

#define LEAST_STATES 64
#define MOST_STATES 1024

// A configuration with placed spheres.
typedef struct rowCheck {
    const wkBatch* batch;
    const wkBatchScratch* scratch;
    int32_t row;
    double nearest;
} rowCheck;

static wkVec3d pointAt(const float* placed, int32_t number, int32_t row)
{
    const float* at = placed + (ptrdiff_t)number * 3 * WK_PLACED_ROWS + row;
    return wkVec((double)at[0], (double)at[WK_PLACED_ROWS], (double)at[2 * WK_PLACED_ROWS]);
}

static wkVec3d centerOf(const rowCheck* check, int32_t sphere)
{
    return pointAt(check->scratch->placed, sphere, check->row);
}

// Returns whether two spheres may be nearer than the best distance so far, without a square root.
static bool mayBeNearer(const rowCheck* check, wkVec3d between, double radii)
{
    double reach = check->nearest + radii;
    return reach > 0.0 && wkLengthSquared(between) < reach * reach;
}

static void checkParts(rowCheck* check, wkPartPair pair)
{
    const wkProgram* program = check->batch->program;
    const wkPart* a = &program->parts[pair.a];
    const wkPart* b = &program->parts[pair.b];
    wkVec3d around = pointAt(check->scratch->centers, pair.b, check->row);
    for (int32_t i = a->firstSphere; i < a->firstSphere + a->sphereCount; ++i) {
        wkVec3d center = centerOf(check, i);
        double radius = (double)check->batch->radii[i];
        if (!mayBeNearer(check, wkSub(center, around), radius + (double)b->radius)) {
            continue;
        }
        for (int32_t k = b->firstSphere; k < b->firstSphere + b->sphereCount; ++k) {
            wkVec3d between = wkSub(center, centerOf(check, k));
            double radii = radius + (double)program->radius[k];
            if (mayBeNearer(check, between, radii)) {
                check->nearest = wkMinD(check->nearest, wkLength(between) - radii);
            }
        }
    }
}

static void checkSelf(rowCheck* check)
{
    const wkProgram* program = check->batch->program;
    for (int32_t i = 0; i < program->pairCount; ++i) {
        wkPartPair pair = program->pairs[i];
        wkVec3d between = wkSub(pointAt(check->scratch->centers, pair.a, check->row),
                                pointAt(check->scratch->centers, pair.b, check->row));
        double radii =
            (double)check->batch->partRadii[pair.a] + (double)program->parts[pair.b].radius;
        if (mayBeNearer(check, between, radii)) {
            checkParts(check, pair);
        }
    }
}

// Returns a lower bound on the distance of a sphere from objects. Cells do not give depths.
static double boundOfSphere(const rowCheck* check, int32_t sphere)
{
    float away = check->scratch->bounds[(ptrdiff_t)sphere * WK_PLACED_ROWS + check->row];
    return away > 0.0f ? (double)away - (double)check->batch->radii[sphere] : -INFINITY;
}

static void checkSphere(rowCheck* check, int32_t side, int32_t sphere)
{
    const float* at = check->scratch->placed + (ptrdiff_t)sphere * 3 * WK_PLACED_ROWS + check->row;
    const float center[3] = {at[0], at[WK_PLACED_ROWS], at[2 * WK_PLACED_ROWS]};
    const wkBatch* batch = check->batch;
    double distance =
        wkField_SphereDistance(batch->field, side, center, batch->radii[sphere], check->nearest);
    check->nearest = wkMinD(check->nearest, distance);
}

// Measures the sphere with the least bound first: most others are then known to be further away.
static void checkWorld(rowCheck* check)
{
    const wkProgram* program = check->batch->program;
    int32_t first = -1, side = -1;
    double least = check->nearest;
    for (int32_t i = 0; i < program->partCount; ++i) {
        const wkPart* part = &program->parts[i];
        for (int32_t k = part->firstSphere; k < part->firstSphere + part->sphereCount; ++k) {
            double bound = boundOfSphere(check, k);
            if (bound < least) {
                least = bound;
                first = k;
                side = part->side;
            }
        }
    }
    if (first < 0) {
        return;
    }
    checkSphere(check, side, first);
    for (int32_t i = 0; i < program->partCount; ++i) {
        const wkPart* part = &program->parts[i];
        for (int32_t k = part->firstSphere; k < part->firstSphere + part->sphereCount; ++k) {
            if (k != first && boundOfSphere(check, k) < check->nearest) {
                checkSphere(check, part->side, k);
            }
        }
    }
}

// Measures the distance to space that cameras do not prove free: surfaces, occluded and unobserved space,
// by the policy of the batch. Each sphere is measured separately: the policy may allow the worst finding and
// not the others. Depth images give no distance to unobserved space; verdicts on larger spheres do.
static void checkDepth(rowCheck* check)
{
    const wkBatch* batch = check->batch;
    for (int32_t i = 0; i < batch->program->sphereCount && check->nearest > 0.0; ++i) {
        wkSphere3d sphere = {wkAdd(batch->program->origin, centerOf(check, i)),
                             (double)batch->radii[i]};
        check->nearest = wkDepthReach(&batch->def, &sphere, check->nearest);
    }
}

static double clearanceOf(const wkBatch* batch, const wkBatchScratch* scratch, int32_t row,
                          double cutoff)
{
    rowCheck check = {batch, scratch, row, cutoff};
    unsigned bits = wkBatchBits(batch);
    if ((bits & wk_checkSelf) != 0) {
        checkSelf(&check);
    }
    if ((bits & wk_checkWorld) != 0 && batch->field != NULL) {
        checkWorld(&check);
    }
    if ((bits & wk_checkDepth) != 0) {
        checkDepth(&check);
    }
    return check.nearest;
}

static void findClearances(const wkBatch* batch, wkBatchScratch* scratch, const void* asked,
                           int64_t first, int64_t count)
{
    const wkClearancesCall* call = (const wkClearancesCall*)asked;
    int64_t length = batch->program->variableCount;
    for (int64_t done = 0; done < count; done += WK_PLACED_ROWS) {
        int64_t left = count - done;
        int32_t rowCount = (int32_t)(left < WK_PLACED_ROWS ? left : WK_PLACED_ROWS);
        const double* rows = call->configurations + (first + done) * length;
        bool isInvalid[WK_PLACED_ROWS] = {false}, needsScalar[WK_PLACED_ROWS] = {false};
        batch->lanes->placeSpheres(batch, scratch, rows, rowCount, isInvalid, needsScalar);
        if (batch->field != NULL) {
            batch->lanes->bound(batch, scratch, rowCount);
        }
        for (int32_t i = 0; i < rowCount; ++i) {
            double clearance = isInvalid[i]     ? (double)NAN
                               : needsScalar[i] ? wkScalarClearance(batch, scratch,
                                                                    rows + i * length, call->cutoff)
                                                : clearanceOf(batch, scratch, i, call->cutoff);
            call->clearances[first + done + i] = wkRoundDown(clearance);
        }
    }
}

wkResult wkClearancesOnCpu(const wkBatch* batch, wkBatchContext* context,
                           const wkClearancesCall* call, int64_t count)
{
    static const wkBatchWork work = {"wkBatch_Clearances", findClearances, LEAST_STATES,
                                     MOST_STATES};
    return wkRunBatch(&work, batch, context, call, count);
}
