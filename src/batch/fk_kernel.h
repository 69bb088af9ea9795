// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Runs a program by SIMD: configurations in, frames and spheres out. Lanes hold configurations, and every operation is
// the same in all of them. Inline, for SIMD files.
//
// The caller owns the scratch: `scratchCount` vectors of lanes, see wkProgram, aligned to 64 bytes. A block
// of up to WK_FLOAT_LANES configurations goes through wkLoadStates and wkPlaceFrames; then wkPlaceCenter
// and wkPlaceSpheres write single parts into the scratch.

#include "batch/states_kernel.h"

// Rotates two columns by an angle.
WK_FORCE_FN void wkRunRotation(const wkProgram* program, const wkOp* op, float* scratch)
{
    wkFloatW s = wkScratchAt(scratch, program->sinesAt + 2 * op->value);
    wkFloatW c = wkScratchAt(scratch, program->sinesAt + 2 * op->value + 1);
    wkVecW a = wkScratchVec(scratch, 3 * op->from[0]), b = wkScratchVec(scratch, 3 * op->from[1]);
    wkSetScratchVec(scratch, 3 * op->into, wkAddVecF(wkMulVecF(a, c), wkMulVecF(b, s)));
    wkSetScratchVec(scratch, 3 * op->into + 3, wkSubVecF(wkMulVecF(b, c), wkMulVecF(a, s)));
}

WK_FORCE_FN wkVecW wkScaledColumn(const wkOp* op, int term, const float* scratch)
{
    return wkMulVecF(wkScratchVec(scratch, 3 * op->from[term]), wkSplatF(op->factors[term]));
}

// Sums `count` columns, and adds an origin when there is one.
WK_FORCE_FN void wkRunSum(const wkOp* op, int count, bool hasOrigin, float* scratch)
{
    wkVecW sum = wkScaledColumn(op, 0, scratch);
    for (int k = 1; k < count; ++k) {
        sum = wkAddVecF(sum, wkScaledColumn(op, k, scratch));
    }
    sum = hasOrigin ? wkAddVecF(wkScratchVec(scratch, 3 * op->origin), sum) : sum;
    wkSetScratchVec(scratch, 3 * op->into, sum);
}

WK_FORCE_FN void wkRunTranslation(const wkProgram* program, const wkOp* op, float* scratch)
{
    wkFloatW value = wkScratchAt(scratch, program->valuesAt + op->value);
    wkVecW sum = wkScratchVec(scratch, 3 * op->origin);
    for (int k = 0; k < 3; ++k) {
        wkFloatW length = wkMulAddF(wkSplatF(op->offsets[k]), wkSplatF(op->factors[k]), value);
        sum = wkAddVecF(sum, wkMulVecF(wkScratchVec(scratch, 3 * op->from[k]), length));
    }
    wkSetScratchVec(scratch, 3 * op->into, sum);
}

WK_FORCE_FN void wkRunGiven(const wkProgram* program, const wkOp* op, float* scratch)
{
    int32_t numbersAt = program->givensAt + 9 * op->value;
    for (int column = 0; column < 3; ++column) {
        wkVecW sum = wkMulVecF(wkScratchVec(scratch, 3 * op->from[0]),
                               wkScratchAt(scratch, numbersAt + 3 * column));
        for (int k = 1; k < 3; ++k) {
            sum = wkAddVecF(sum, wkMulVecF(wkScratchVec(scratch, 3 * op->from[k]),
                                           wkScratchAt(scratch, numbersAt + 3 * column + k)));
        }
        wkSetScratchVec(scratch, 3 * (op->into + column), sum);
    }
}

// Scratches of several blocks: branches of a step are decided once for all of them.
typedef struct wkScratchesW {
    float* first;
    ptrdiff_t pitch; // floats from one to the next
    int count;
} wkScratchesW;

WK_FORCE_FN void wkRunSums(const wkOp* op, int count, bool hasOrigin, wkScratchesW scratches)
{
    for (int i = 0; i < scratches.count; ++i) {
        wkRunSum(op, count, hasOrigin, scratches.first + i * scratches.pitch);
    }
}

typedef void wkRunFcn(const wkProgram* program, const wkOp* op, float* scratch);

WK_FORCE_FN void wkRunEach(wkRunFcn* run, const wkProgram* program, const wkOp* op,
                           wkScratchesW scratches)
{
    for (int i = 0; i < scratches.count; ++i) {
        run(program, op, scratches.first + i * scratches.pitch);
    }
}

WK_FORCE_FN void wkRunOp(const wkProgram* program, const wkOp* op, wkScratchesW scratches)
{
    switch (op->kind) {
    case wk_opRotation:
        wkRunEach(wkRunRotation, program, op, scratches);
        break;
    case wk_opSum1:
        wkRunSums(op, 1, true, scratches);
        break;
    case wk_opSum2:
        wkRunSums(op, 2, true, scratches);
        break;
    case wk_opSum3:
        wkRunSums(op, 3, true, scratches);
        break;
    case wk_opMix2:
        wkRunSums(op, 2, false, scratches);
        break;
    case wk_opMix3:
        wkRunSums(op, 3, false, scratches);
        break;
    case wk_opTranslation:
        wkRunEach(wkRunTranslation, program, op, scratches);
        break;
    default:
        wkRunEach(wkRunGiven, program, op, scratches);
        break;
    }
}

// Computes all frames of the configurations in the scratches.
WK_FORCE_FN void wkPlaceAllFrames(const wkProgram* program, wkScratchesW scratches)
{
    for (int32_t i = 0; i < program->opCount; ++i) {
        wkRunOp(program, &program->ops[i], scratches);
    }
}

// Computes all frames of the configurations in a scratch.
// @param invariant NULL: nothing is known to be the same in all blocks
WK_FORCE_FN void wkPlaceFrames(const wkProgram* program, const wkInvariantW* invariant,
                               float* scratch)
{
    wkScratchesW scratches = {scratch, 0, 1};
    for (int32_t i = 0; i < program->opCount; ++i) {
        const wkOp* op = &program->ops[i];
        if (invariant != NULL && invariant->columns[op->into]) {
            wkCopyInvariant(invariant, 3 * op->into, op->kind == wk_opRotation ? 6 : 3, scratch);
        } else {
            wkRunOp(program, op, scratches);
        }
    }
}

// A frame in registers.
typedef struct wkFrameW {
    wkVecW x, y, z, origin;
} wkFrameW;

WK_FORCE_FN wkFrameW wkFrameOf(const wkProgram* program, int32_t rigidGroup, const float* scratch)
{
    const wkProgramFrame* columns = &program->frames[rigidGroup];
    wkFrameW frame = {wkScratchVec(scratch, 3 * columns->x), wkScratchVec(scratch, 3 * columns->y),
                      wkScratchVec(scratch, 3 * columns->z),
                      wkScratchVec(scratch, 3 * columns->origin)};
    return frame;
}

// Transforms a point of a frame; only the coordinates in the pattern are not zero.
WK_FORCE_FN wkVecW wkPlacePoint(const wkFrameW* frame, int pattern, float x, float y, float z)
{
    wkVecW sum = frame->origin;
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

// Computes the center of the sphere around a part.
WK_FORCE_FN wkVecW wkPlaceCenter(const wkProgram* program, int32_t part, float* scratch)
{
    const wkPart* p = &program->parts[part];
    wkFrameW frame = wkFrameOf(program, p->rigidGroup, scratch);
    wkVecW center = wkPlacePoint(&frame, 7, p->x, p->y, p->z);
    wkSetScratchVec(scratch, program->centersAt + 3 * part, center);
    return center;
}

// Compilers must assume that stores change any memory: what the loop reads is copied to local variables.
WK_FORCE_FN void wkPlaceRun(const wkProgram* program, const wkFrameW* frame, int pattern,
                            const wkSphereRun* run, float* spheres)
{
    const float *x = program->x, *y = program->y, *z = program->z;
    int32_t end = run->end;
    for (int32_t i = run->first; i < end; ++i) {
        wkSetScratchVec(spheres, 3 * i, wkPlacePoint(frame, pattern, x[i], y[i], z[i]));
    }
}

// Places spheres with the same pattern of zeros, in all scratches.
WK_FORCE_FN void wkPlaceRuns(const wkProgram* program, int32_t rigidGroup, int pattern,
                             const wkSphereRun* run, wkScratchesW scratches)
{
    for (int i = 0; i < scratches.count; ++i) {
        float* scratch = scratches.first + i * scratches.pitch;
        wkFrameW frame = wkFrameOf(program, rigidGroup, scratch);
        float* spheres = scratch + (ptrdiff_t)program->spheresAt * WK_FLOAT_LANES;
        wkPlaceRun(program, &frame, pattern, run, spheres);
    }
}

// Places all spheres of a part in the scratches.
WK_FORCE_FN void wkPlaceAllSpheres(const wkProgram* program, int32_t part, wkScratchesW scratches)
{
    const wkPart* p = &program->parts[part];
    int32_t rigidGroup = p->rigidGroup;
    for (int32_t i = p->firstRun; i < p->firstRun + p->runCount; ++i) {
        const wkSphereRun* run = &program->runs[i];
        switch (run->pattern) {
        case 0:
            wkPlaceRuns(program, rigidGroup, 0, run, scratches);
            break;
        case 1:
            wkPlaceRuns(program, rigidGroup, 1, run, scratches);
            break;
        case 2:
            wkPlaceRuns(program, rigidGroup, 2, run, scratches);
            break;
        case 3:
            wkPlaceRuns(program, rigidGroup, 3, run, scratches);
            break;
        case 4:
            wkPlaceRuns(program, rigidGroup, 4, run, scratches);
            break;
        case 5:
            wkPlaceRuns(program, rigidGroup, 5, run, scratches);
            break;
        case 6:
            wkPlaceRuns(program, rigidGroup, 6, run, scratches);
            break;
        default:
            wkPlaceRuns(program, rigidGroup, 7, run, scratches);
            break;
        }
    }
}

// Places all spheres of a part in a scratch.
WK_FORCE_FN void wkPlaceSpheres(const wkProgram* program, int32_t part, float* scratch)
{
    wkScratchesW scratches = {scratch, 0, 1};
    wkPlaceAllSpheres(program, part, scratches);
}
