// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Columns of a program under construction. A column computed from constant columns is constant, and costs
// nothing in the kernels.

#include "batch/program_columns.h"

static int32_t addColumn(wkProgramBuilder* builder, bool isConstant, wkVec3d value)
{
    wkBuilderColumn column = {isConstant, value};
    builder->columns[builder->columnCount] = column;
    return builder->columnCount++;
}

static wkOp* addOp(wkProgramBuilder* builder, wkOpKind kind, int32_t origin, int columnCount)
{
    wkOp* op = &builder->ops[builder->opCount++];
    wkOp made = {
        .kind = (int32_t)kind, .origin = origin, .into = builder->columnCount, .value = -1};
    *op = made;
    for (int k = 0; k < columnCount; k++) {
        addColumn(builder, false, wkVec(0.0, 0.0, 0.0));
    }
    return op;
}

void wkBuilderRoot(wkProgramBuilder* builder)
{
    wkBuilderFrame* root = &builder->frames[0];
    wkBuilderFrame made = {.axes = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    *root = made;
    root->columns.x = addColumn(builder, true, builder->base.x);
    root->columns.y = addColumn(builder, true, builder->base.y);
    root->columns.z = addColumn(builder, true, builder->base.z);
    root->columns.origin = addColumn(builder, true, wkVec(0.0, 0.0, 0.0));
    root->rotationError = 3.0 * WK_FLOAT_ROUNDING;
}

// Terms of a sum of columns.
typedef struct terms {
    int32_t columns[3];
    double factors[3];
    int count;
    bool areConstant;
} terms;

static terms termsOf(const wkProgramBuilder* builder, const wkBuilderFrame* frame, wkVec3d factors,
                     double zero)
{
    const int32_t columns[3] = {frame->columns.x, frame->columns.y, frame->columns.z};
    terms made = {{0, 0, 0}, {0.0, 0.0, 0.0}, 0, true};
    for (int k = 0; k < 3; k++) {
        double factor = wkAlongAxis(&factors, k);
        if (fabs(factor) > zero) {
            made.columns[made.count] = columns[k];
            made.factors[made.count++] = factor;
            made.areConstant = made.areConstant && builder->columns[columns[k]].isConstant;
        }
    }
    return made;
}

static wkVec3d constantSum(const wkProgramBuilder* builder, const terms* t, wkVec3d start)
{
    for (int k = 0; k < t->count; k++) {
        start = wkMulAdd(start, t->factors[k], builder->columns[t->columns[k]].value);
    }
    return start;
}

static void setTerms(wkOp* op, const terms* t)
{
    for (int k = 0; k < t->count; k++) {
        op->from[k] = t->columns[k];
        op->factors[k] = (float)t->factors[k];
    }
}

// Extends the region of the origin by a step of at most that length.
static void addReach(const wkProgramBuilder* builder, wkBuilderFrame* frame, double step)
{
    const wkBuilderColumn* origin = &builder->columns[frame->columns.origin];
    frame->middle = origin->isConstant ? origin->value : frame->middle;
    frame->reach = origin->isConstant ? 0.0 : frame->reach + step;
}

// Adds the error of a step of the origin: that of the axes along which it goes, and rounding.
static void addStepError(wkBuilderFrame* frame, double step, double roundings)
{
    double away = frame->reach + wkLength(frame->middle) + 2.0 * step;
    frame->originError += frame->rotationError * step + roundings * WK_FLOAT_ROUNDING * away;
}

void wkMoveOrigin(wkProgramBuilder* builder, wkBuilderFrame* frame, wkVec3d origin)
{
    double step = wkLength(origin);
    terms t = termsOf(builder, frame, origin, WK_ZERO_LENGTH);
    frame->originError += 3.0 * WK_ZERO_LENGTH;
    int32_t from = frame->columns.origin;
    if (t.count > 0 && t.areConstant && builder->columns[from].isConstant) {
        frame->columns.origin =
            addColumn(builder, true, constantSum(builder, &t, builder->columns[from].value));
    } else if (t.count > 0) {
        wkOpKind kind = (wkOpKind)((int)wk_opSum1 + t.count - 1);
        frame->columns.origin = builder->columnCount;
        setTerms(addOp(builder, kind, from, 1), &t);
    }
    addReach(builder, frame, step);
    addStepError(frame, step, 8.0);
}

static void addLength(wkProgramBuilder* builder, const wkTranslation* translation)
{
    for (int32_t i = 0; i < builder->lengthCount; i++) {
        if (builder->lengths[i].variable == translation->variable) {
            return;
        }
    }
    wkLengthLimit length = {translation->variable, (float)translation->limit};
    builder->lengths[builder->lengthCount++] = length;
}

// The component of the start across the translation comes first.
void wkTranslateOrigin(wkProgramBuilder* builder, wkBuilderFrame* frame,
                       const wkTranslation* translation)
{
    double wayLength = wkLength(translation->way), zero = WK_ZERO_FACTOR * wayLength;
    wkVec3d way = translation->way, start = translation->start;
    wkVec3d across = wkVec(fabs(way.x) > zero ? 0.0 : start.x, fabs(way.y) > zero ? 0.0 : start.y,
                           fabs(way.z) > zero ? 0.0 : start.z);
    wkMoveOrigin(builder, frame, across);
    terms t = termsOf(builder, frame, way, zero);
    wkOp* op = addOp(builder, wk_opTranslation, frame->columns.origin, 1);
    setTerms(op, &t);
    const int32_t columns[3] = {frame->columns.x, frame->columns.y, frame->columns.z};
    for (int k = 0; k < t.count; k++) {
        for (int axis = 0; axis < 3; axis++) {
            if (columns[axis] == t.columns[k]) {
                op->offsets[k] = (float)wkAlongAxis(&start, axis);
            }
        }
    }
    op->value = translation->variable;
    frame->columns.origin = op->into;
    addLength(builder, translation);
    double step = wayLength * translation->limit + wkLength(wkSub(start, across));
    addReach(builder, frame, step);
    addStepError(frame, step, 16.0);
    frame->originError += 3.0 * WK_ZERO_FACTOR * wayLength * translation->limit;
}

// Computes an axis from those of the frame.
// @param error grows by the square of the terms that are left out
static int32_t mixAxis(wkProgramBuilder* builder, const wkBuilderFrame* frame, wkVec3d axis,
                       double* error)
{
    terms t = termsOf(builder, frame, axis, WK_ZERO_FACTOR);
    *error += wkLengthSquared(axis);
    for (int k = 0; k < t.count; k++) {
        *error -= t.factors[k] * t.factors[k];
    }
    if (t.count == 1 && t.factors[0] > 0.0) {
        *error += (t.factors[0] - 1.0) * (t.factors[0] - 1.0);
        return t.columns[0];
    }
    if (t.areConstant) {
        return addColumn(builder, true, constantSum(builder, &t, wkVec(0.0, 0.0, 0.0)));
    }
    int32_t column = builder->columnCount;
    setTerms(addOp(builder, t.count == 3 ? wk_opMix3 : wk_opMix2, -1, 1), &t);
    return column;
}

void wkPackedQuatAxes(wkProgramBuilder* builder, wkBuilderFrame* frame, wkMat3d axes)
{
    wkBuilderFrame old = *frame;
    double error = 0.0;
    frame->columns.x = mixAxis(builder, &old, axes.x, &error);
    frame->columns.y = mixAxis(builder, &old, axes.y, &error);
    frame->columns.z = mixAxis(builder, &old, axes.z, &error);
    // the terms left out, up to the rounding of squares, and the rounding of three sums
    frame->rotationError += sqrt(fabs(error)) + 1e-8 + 16.0 * WK_FLOAT_ROUNDING;
}

void wkAddRotation(wkProgramBuilder* builder, wkBuilderFrame* frame, const wkJointAngle* axes)
{
    wkOp* op = addOp(builder, wk_opRotation, -1, 2);
    op->from[0] = frame->columns.x;
    op->from[1] = frame->columns.y;
    op->value = builder->rotationCount;
    builder->rotations[builder->rotationCount++] = *axes;
    frame->columns.x = op->into;
    frame->columns.y = op->into + 1;
}

void wkAddGiven(wkProgramBuilder* builder, wkBuilderFrame* frame, int32_t variable)
{
    wkOp* op = addOp(builder, wk_opGiven, -1, 3);
    op->from[0] = frame->columns.x;
    op->from[1] = frame->columns.y;
    op->from[2] = frame->columns.z;
    op->value = builder->givenCount;
    builder->givens[builder->givenCount++] = variable;
    frame->columns.x = op->into;
    frame->columns.y = op->into + 1;
    frame->columns.z = op->into + 2;
}
