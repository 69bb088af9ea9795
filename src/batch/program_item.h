// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Kinematics of one configuration, for GPUs: the operations of states_kernel.h and fk_kernel.h on one number in place of
// lanes, in the same order, so that frames and centers of spheres have the same bits. Configurations that need the
// double-precision path are left to the CPU. The common subset of C, C++ and CUDA.
//
// The operations of a program are translated once (wkMakeItemOp): columns become offsets of numbers.

#include "batch/angle_terms.h"
#include "batch/program_view.h"

// Configurations side by side: consecutive numbers of one are this many floats apart, so that threads with consecutive
// configurations use consecutive addresses.
#define WK_ITEM_STRIDE 32

// Memory of a configuration. Columns that are not constant come first, x, y, z each, then variables.
typedef struct wkItemScratch {
    float* numbers;         // of this configuration
    const float* constants; // columns that are the same for all configurations: wkItemConstantOf
} wkItemScratch;

// Where a column is: an offset of numbers; those of constants have all bits flipped.
typedef int32_t wkItemColumn;

// An operation of a program.
typedef struct wkItemOp {
    WK_ALIGNAS(16) int32_t kind; // of wkOpKind
    wkItemColumn into;
    wkItemColumn from[3];
    wkItemColumn origin;
    int32_t value; // offset of a variable; of a given matrix: its first variable
    int32_t unused;
    float factors[3];
    float angleFactor;
    float offsets[3];
    float angleOffset;
} wkItemOp;

// Where a constant column is: its numbers are WK_ITEM_STRIDE apart, as those of other columns are, with those of other
// constants in between.
WK_FN int32_t wkItemConstantOf(int32_t column)
{
    return column / WK_ITEM_STRIDE * 3 * WK_ITEM_STRIDE + column % WK_ITEM_STRIDE;
}

WK_FN wkItemColumn wkItemColumnOf(const wkProgram* program, int32_t column)
{
    int32_t at = 3 * (column - program->constantCount) * WK_ITEM_STRIDE;
    return column < program->constantCount ? ~wkItemConstantOf(column) : at;
}

WK_FN int32_t wkItemVariableOf(const wkProgram* program, int32_t variable)
{
    int32_t columns = program->columnCount - program->constantCount;
    return (3 * columns + variable) * WK_ITEM_STRIDE;
}

// Floats of the constants.
WK_FN int32_t wkItemConstantCount(const wkProgram* program)
{
    int32_t groups = (program->constantCount + WK_ITEM_STRIDE - 1) / WK_ITEM_STRIDE;
    return 3 * groups * WK_ITEM_STRIDE;
}

WK_FN void wkFillItemConstants(const wkProgram* program, float* constants)
{
    memset(constants, 0, (size_t)wkItemConstantCount(program) * sizeof *constants);
    for (int32_t i = 0; i < 3 * program->constantCount; ++i) {
        constants[wkItemConstantOf(i / 3) + i % 3 * WK_ITEM_STRIDE] = program->constants[i];
    }
}

// Numbers of a configuration, each WK_ITEM_STRIDE floats behind the one before.
WK_FN int32_t wkItemNumberCount(const wkProgram* program)
{
    return wkItemVariableOf(program, program->variableCount) / WK_ITEM_STRIDE;
}

WK_FN wkItemOp wkMakeItemOp(const wkProgram* program, const wkOp* op)
{
    wkItemOp made;
    memset(&made, 0, sizeof made);
    made.kind = op->kind;
    made.into = wkItemColumnOf(program, op->into);
    made.origin = op->origin >= 0 ? wkItemColumnOf(program, op->origin) : 0;
    for (int k = 0; k < 3; ++k) {
        made.from[k] = wkItemColumnOf(program, op->from[k]);
        made.factors[k] = op->factors[k];
        made.offsets[k] = op->offsets[k];
    }
    if (op->kind == wk_opRotation) {
        const wkJointAngle* rotation = &program->rotations[op->value];
        made.value = wkItemVariableOf(program, rotation->variable);
        made.angleFactor = rotation->factor;
        made.angleOffset = rotation->offset;
    } else if (op->kind == wk_opTranslation) {
        made.value = wkItemVariableOf(program, op->value);
    } else if (op->kind == wk_opGiven) {
        made.value = program->givens[op->value];
    }
    return made;
}

typedef struct wkVec3f {
    float x, y, z;
} wkVec3f;

WK_FN wkVec3f wkMakeVec3f(float x, float y, float z)
{
    wkVec3f v = {x, y, z};
    return v;
}

WK_FN wkVec3f wkAdd3f(wkVec3f a, wkVec3f b)
{
    return wkMakeVec3f(a.x + b.x, a.y + b.y, a.z + b.z);
}

WK_FN wkVec3f wkSub3f(wkVec3f a, wkVec3f b)
{
    return wkMakeVec3f(a.x - b.x, a.y - b.y, a.z - b.z);
}

WK_FN wkVec3f wkMul3f(wkVec3f v, float factor)
{
    return wkMakeVec3f(v.x * factor, v.y * factor, v.z * factor);
}

WK_FN wkVec3f wkReadColumn(wkItemScratch scratch, wkItemColumn column)
{
    const float* at = column >= 0 ? scratch.numbers + column : scratch.constants + ~column;
    return wkMakeVec3f(at[0], at[WK_ITEM_STRIDE], at[2 * WK_ITEM_STRIDE]);
}

WK_FN void wkWriteColumn(wkItemScratch scratch, wkItemColumn column, wkVec3f v)
{
    float* at = scratch.numbers + column;
    at[0] = v.x;
    at[WK_ITEM_STRIDE] = v.y;
    at[2 * WK_ITEM_STRIDE] = v.z;
}

// The numbers of a configuration as the caller has them, doubles or floats.
typedef struct wkItemRow {
    const double* doubles; // NULL: floats
    const float* floats;
} wkItemRow;

WK_FN double wkItemNumber(wkItemRow row, int32_t variable)
{
    return row.doubles != NULL ? row.doubles[variable] : (double)row.floats[variable];
}

// The variables of a configuration, WK_ITEM_STRIDE apart.
WK_FN float* wkItemValues(const wkProgram* program, wkItemScratch scratch)
{
    return scratch.numbers + wkItemVariableOf(program, 0);
}

// What the numbers of a configuration tell about it.
typedef enum wkItemState {
    wk_itemValid,
    wk_itemInvalid, // a number is not finite
    wk_itemBeyond,  // the CPU has to decide
} wkItemState;

// Stores the variables of a configuration as floats.
WK_FN wkItemState wkLoadItem(const wkProgram* program, wkItemRow row, wkItemScratch scratch)
{
    wkItemState state = program->isHuge ? wk_itemBeyond : wk_itemValid;
    float* values = wkItemValues(program, scratch);
    WK_KEEP_LOOP
    for (int32_t i = 0; i < program->variableCount; ++i) {
        double number = wkItemNumber(row, i);
        float value = (float)number;
        values[i * WK_ITEM_STRIDE] = value;
        if (!(fabsf(value) < INFINITY)) {
            bool isFinite = fabs(number) < (double)INFINITY;
            state = state == wk_itemInvalid || !isFinite ? wk_itemInvalid : wk_itemBeyond;
        }
    }
    WK_KEEP_LOOP
    for (int32_t i = 0; i < program->lengthCount && state == wk_itemValid; ++i) {
        float value = values[program->lengths[i].variable * WK_ITEM_STRIDE];
        state = fabsf(value) <= program->lengths[i].limit ? state : wk_itemBeyond;
    }
    return state;
}

// Whether a variable is beyond its limits by more than the rounding of floats.
WK_FN bool wkIsItemBeyondLimits(const wkProgram* program, wkItemScratch scratch)
{
    const float* values = wkItemValues(program, scratch);
    bool isBeyond = false;
    WK_KEEP_LOOP
    for (int32_t i = 0; i < program->variableCount; ++i) {
        float value = values[i * WK_ITEM_STRIDE];
        isBeyond = isBeyond || program->limits[2 * i] - value > 0.0f ||
                   value - program->limits[2 * i + 1] > 0.0f;
    }
    return isBeyond;
}

// @return false: the angle is too large for floats
WK_FN bool wkRunItemRotation(const wkItemOp* op, wkItemScratch scratch)
{
    float angle = op->angleOffset + op->angleFactor * scratch.numbers[op->value], s, c;
    wkSinCosOfFloat(angle, &s, &c);
    wkVec3f a = wkReadColumn(scratch, op->from[0]), b = wkReadColumn(scratch, op->from[1]);
    wkWriteColumn(scratch, op->into, wkAdd3f(wkMul3f(a, c), wkMul3f(b, s)));
    wkWriteColumn(scratch, op->into + 3 * WK_ITEM_STRIDE, wkSub3f(wkMul3f(b, c), wkMul3f(a, s)));
    return fabsf(angle) <= (float)WK_LANE_ANGLE;
}

// Columns that a sum adds, by its kind.
WK_FN int wkItemSumCount(int32_t kind)
{
    return kind == wk_opSum1 ? 1 : kind == wk_opSum2 || kind == wk_opMix2 ? 2 : 3;
}

WK_FN void wkRunItemSum(const wkItemOp* op, wkItemScratch scratch)
{
    int count = wkItemSumCount(op->kind);
    bool hasOrigin = op->kind != wk_opMix2 && op->kind != wk_opMix3;
    wkVec3f sum = wkMul3f(wkReadColumn(scratch, op->from[0]), op->factors[0]);
    WK_KEEP_LOOP
    for (int k = 1; k < count; ++k) {
        sum = wkAdd3f(sum, wkMul3f(wkReadColumn(scratch, op->from[k]), op->factors[k]));
    }
    sum = hasOrigin ? wkAdd3f(wkReadColumn(scratch, op->origin), sum) : sum;
    wkWriteColumn(scratch, op->into, sum);
}

WK_FN void wkRunItemTranslation(const wkItemOp* op, wkItemScratch scratch)
{
    float value = scratch.numbers[op->value];
    wkVec3f sum = wkReadColumn(scratch, op->origin);
    for (int k = 0; k < 3; ++k) {
        float length = op->offsets[k] + op->factors[k] * value;
        sum = wkAdd3f(sum, wkMul3f(wkReadColumn(scratch, op->from[k]), length));
    }
    wkWriteColumn(scratch, op->into, sum);
}

// @return false: the quaternion is not valid
WK_FN bool wkRunItemGiven(const wkItemOp* op, wkItemRow row, wkItemScratch scratch)
{
    wkQuat quat = {wkItemNumber(row, op->value), wkItemNumber(row, op->value + 1),
                   wkItemNumber(row, op->value + 2), wkItemNumber(row, op->value + 3)};
    wkMat3d rotation = wkMatFromQuat(wkNormalizeQuat(quat));
    const wkVec3d columns[3] = {rotation.x, rotation.y, rotation.z};
    wkVec3f from[3];
    for (int k = 0; k < 3; ++k) {
        from[k] = wkReadColumn(scratch, op->from[k]);
    }
    for (int column = 0; column < 3; ++column) {
        wkVec3f sum = wkMul3f(from[0], (float)columns[column].x);
        sum = wkAdd3f(sum, wkMul3f(from[1], (float)columns[column].y));
        sum = wkAdd3f(sum, wkMul3f(from[2], (float)columns[column].z));
        wkWriteColumn(scratch, op->into + 3 * column * WK_ITEM_STRIDE, sum);
    }
    return (float)rotation.x.x <= 2.0f;
}

// Computes the columns of an operation.
// @return what its angle or quaternion tells about the configuration
WK_FN wkItemState wkRunItemOp(const wkItemOp* op, wkItemRow row, wkItemScratch scratch)
{
    switch (op->kind) {
    case wk_opRotation:
        return wkRunItemRotation(op, scratch) ? wk_itemValid : wk_itemBeyond;
    case wk_opTranslation:
        wkRunItemTranslation(op, scratch);
        return wk_itemValid;
    case wk_opGiven:
        return wkRunItemGiven(op, row, scratch) ? wk_itemValid : wk_itemInvalid;
    default:
        wkRunItemSum(op, scratch);
        return wk_itemValid;
    }
}

// Merges what operations tell about a configuration: what is not valid is so whatever else it is.
WK_FN wkItemState wkWorseItem(wkItemState a, wkItemState b)
{
    return a == wk_itemValid || b == wk_itemInvalid ? b : a;
}

// Computes all columns of a configuration that is loaded.
WK_FN wkItemState wkPlaceItem(const wkProgram* program, wkItemRow row, wkItemScratch scratch)
{
    wkItemState state = wk_itemValid;
    for (int32_t i = 0; i < program->opCount; ++i) {
        wkItemOp op = wkMakeItemOp(program, &program->ops[i]);
        state = wkWorseItem(state, wkRunItemOp(&op, row, scratch));
    }
    return state;
}

// The columns of a frame, and the frame.
typedef struct wkItemAxes {
    wkItemColumn x, y, z, origin;
} wkItemAxes;

typedef struct wkItemFrame {
    wkVec3f x, y, z, origin;
} wkItemFrame;

WK_FN wkItemAxes wkItemAxesOf(const wkProgram* program, int32_t rigidGroup)
{
    const wkProgramFrame* columns = &program->frames[rigidGroup];
    wkItemAxes axes = {wkItemColumnOf(program, columns->x), wkItemColumnOf(program, columns->y),
                       wkItemColumnOf(program, columns->z),
                       wkItemColumnOf(program, columns->origin)};
    return axes;
}

WK_FN wkItemFrame wkReadFrame(wkItemScratch scratch, wkItemAxes axes)
{
    wkItemFrame frame;
    frame.x = wkReadColumn(scratch, axes.x);
    frame.y = wkReadColumn(scratch, axes.y);
    frame.z = wkReadColumn(scratch, axes.z);
    frame.origin = wkReadColumn(scratch, axes.origin);
    return frame;
}

WK_FN wkItemFrame wkItemFrameOf(const wkProgram* program, int32_t rigidGroup, wkItemScratch scratch)
{
    return wkReadFrame(scratch, wkItemAxesOf(program, rigidGroup));
}

// Transforms a point of a frame. Where the kernels leave coordinates out that are zero, this one may add a zero, which
// changes nothing but the sign of a zero.
WK_FN wkVec3f wkPlaceItemPoint(const wkItemFrame* frame, float x, float y, float z)
{
    wkVec3f sum = wkAdd3f(frame->origin, wkMul3f(frame->x, x));
    sum = wkAdd3f(sum, wkMul3f(frame->y, y));
    return wkAdd3f(sum, wkMul3f(frame->z, z));
}
