// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Finds what is the same in all rows of a block, for SIMD files. Planners move an arm while the rest
// of the robot does not move: that rest is placed once for a block, and checked once. Lanes hold configurations.
//
// Numbers in lanes that are computed from the same floats have the same bits. Two things are computed from
// doubles instead, and never count as invariant here: rotations by large angles, and floating joints.

#include "batch/block_kernel.h"

// Returns whether a variable is the same in all rows.
WK_FORCE_FN bool wkIsInvariantVariable(const wkBlockRun* run, int32_t variable)
{
    int32_t at = run->program->valuesAt + variable;
    const float* first = wkGroupScratch(run, 0) + (ptrdiff_t)at * WK_FLOAT_LANES;
    wkIntW bits = wkBitsOfF(wkSplatF(*first)), other = wkSplatI(0);
    for (int32_t group = 0; group < run->groupCount; ++group) {
        other = wkOrI(other, wkXorI(wkBitsOfF(wkScratchAt(wkGroupScratch(run, group), at)), bits));
    }
    return wkEqualBitsI(other, wkSplatI(0)) == WK_ALL_FLOAT_LANES;
}

WK_FORCE_FN bool wkIsInvariantRotation(const wkBlockRun* run, const wkJointAngle* rotation)
{
    wkFloatW size = wkAbsF(wkAngleOf(run->program, rotation, wkGroupScratch(run, 0)));
    return wkNotAboveBitsF(wkSplatF((float)WK_LANE_ANGLE), size) == 0 &&
           wkIsInvariantVariable(run, rotation->variable);
}

// Returns whether the operands of an operation are the same in all rows.
WK_FORCE_FN bool wkIsInvariantOp(const wkBlockRun* run, const wkOp* op)
{
    const bool* columns = run->scratch->isInvariantColumn;
    bool isInvariant = op->origin < 0 || columns[op->origin];
    for (int k = 0; k < 3; ++k) {
        isInvariant = isInvariant && columns[op->from[k]];
    }
    switch (op->kind) {
    case wk_opRotation:
        return isInvariant && run->scratch->isInvariantRotation[op->value];
    case wk_opTranslation:
        return isInvariant && wkIsInvariantVariable(run, op->value);
    case wk_opGiven:
        return false;
    default:
        return isInvariant;
    }
}

// Finds invariant rotations and columns, once the variables of all rows are in their scratches.
WK_APART_FN void wkFindInvariant(const wkBlockRun* run)
{
    const wkProgram* program = run->program;
    bool* columns = run->scratch->isInvariantColumn;
    for (int32_t i = 0; i < program->rotationCount; ++i) {
        run->scratch->isInvariantRotation[i] = wkIsInvariantRotation(run, &program->rotations[i]);
    }
    for (int32_t i = 0; i < program->columnCount; ++i) {
        columns[i] = i < program->constantCount;
    }
    for (int32_t i = 0; i < program->opCount; ++i) {
        const wkOp* op = &program->ops[i];
        bool isInvariant = wkIsInvariantOp(run, op);
        int32_t count = op->kind == wk_opRotation ? 2 : op->kind == wk_opGiven ? 3 : 1;
        for (int32_t k = 0; k < count; ++k) {
            columns[op->into + k] = isInvariant;
        }
    }
}

WK_FORCE_FN bool wkIsInvariantPart(const wkBlockRun* run, int32_t part)
{
    const bool* columns = run->scratch->isInvariantColumn;
    const wkProgramFrame* frame = &run->program->frames[run->program->parts[part].rigidGroup];
    return columns[frame->x] && columns[frame->y] && columns[frame->z] && columns[frame->origin];
}
