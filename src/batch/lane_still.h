// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What stays where it is in all rows of a block, for lane files. Planners move an arm, and leave the rest
// of the robot as it is: that is placed once for a block, and looked at once.
//
// Numbers in lanes that are computed from the same floats have the same bits. Two things come from
// doubles instead, and never count as the same here: turns by large angles, and floating joints.

#include "batch/lane_block.h"

// Is a variable the same in all rows?
WK_FORCE_FN bool wkIsStillVariable(const wkBlockRun* run, int32_t variable)
{
    int32_t at = run->program->valuesAt + variable;
    const float* first = wkGroupRoom(run, 0) + (ptrdiff_t)at * WK_FLOAT_LANES;
    wkIntW bits = wkBitsOfF(wkSplatF(*first)), other = wkSplatI(0);
    for (int32_t group = 0; group < run->groupCount; ++group) {
        other = wkOrI(other, wkXorI(wkBitsOfF(wkRoomAt(wkGroupRoom(run, group), at)), bits));
    }
    return wkEqualBitsI(other, wkSplatI(0)) == WK_ALL_FLOAT_LANES;
}

WK_FORCE_FN bool wkIsStillTurn(const wkBlockRun* run, const wkJointTurn* turn)
{
    wkFloatW size = wkAbsF(wkAngleOf(run->program, turn, wkGroupRoom(run, 0)));
    return wkNotAboveBitsF(wkSplatF((float)WK_LANE_ANGLE), size) == 0 &&
           wkIsStillVariable(run, turn->variable);
}

// Is what an operation adds up the same in all rows?
WK_FORCE_FN bool wkIsStillOp(const wkBlockRun* run, const wkOp* op)
{
    const bool* columns = run->room->isStillColumn;
    bool isStill = op->place < 0 || columns[op->place];
    for (int k = 0; k < 3; ++k) {
        isStill = isStill && columns[op->from[k]];
    }
    switch (op->kind) {
    case wk_opTurn:
        return isStill && run->room->isStillTurn[op->value];
    case wk_opSlide:
        return isStill && wkIsStillVariable(run, op->value);
    case wk_opGiven:
        return false;
    default:
        return isStill;
    }
}

// Finds out once the variables of all rows are in their rooms.
WK_APART_FN void wkFindStill(const wkBlockRun* run)
{
    const wkProgram* program = run->program;
    bool* columns = run->room->isStillColumn;
    for (int32_t i = 0; i < program->turnCount; ++i) {
        run->room->isStillTurn[i] = wkIsStillTurn(run, &program->turns[i]);
    }
    for (int32_t i = 0; i < program->columnCount; ++i) {
        columns[i] = i < program->constantCount;
    }
    for (int32_t i = 0; i < program->opCount; ++i) {
        const wkOp* op = &program->ops[i];
        bool isStill = wkIsStillOp(run, op);
        int32_t count = op->kind == wk_opTurn ? 2 : op->kind == wk_opGiven ? 3 : 1;
        for (int32_t k = 0; k < count; ++k) {
            columns[op->into + k] = isStill;
        }
    }
}

WK_FORCE_FN bool wkIsStillPart(const wkBlockRun* run, int32_t part)
{
    const bool* columns = run->room->isStillColumn;
    const wkProgramFrame* frame = &run->program->frames[run->program->parts[part].mover];
    return columns[frame->x] && columns[frame->y] && columns[frame->z] && columns[frame->place];
}
