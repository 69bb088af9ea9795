// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Columns of a program in the making. What is made from constant columns is constant, and costs
// nothing in lanes.

#include "batch/program_columns.h"

static int32_t addColumn(wkProgramDraft* draft, bool isConstant, wkVec3d value)
{
    wkDraftColumn column = {isConstant, value};
    draft->columns[draft->columnCount] = column;
    return draft->columnCount++;
}

static wkOp* addOp(wkProgramDraft* draft, wkOpKind kind, int32_t place, int columnCount)
{
    wkOp* op = &draft->ops[draft->opCount++];
    wkOp made = {.kind = (int32_t)kind, .place = place, .into = draft->columnCount, .value = -1};
    *op = made;
    for (int k = 0; k < columnCount; k++) {
        addColumn(draft, false, wkVec(0.0, 0.0, 0.0));
    }
    return op;
}

void wkDraftRoot(wkProgramDraft* draft)
{
    wkDraftFrame* root = &draft->frames[0];
    wkDraftFrame made = {.turn = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    *root = made;
    root->columns.x = addColumn(draft, true, draft->base.x);
    root->columns.y = addColumn(draft, true, draft->base.y);
    root->columns.z = addColumn(draft, true, draft->base.z);
    root->columns.place = addColumn(draft, true, wkVec(0.0, 0.0, 0.0));
    root->turnError = 3.0 * WK_FLOAT_ROUNDING;
}

// Columns that a sum is made of.
typedef struct terms {
    int32_t columns[3];
    double factors[3];
    int count;
    bool areConstant;
} terms;

static terms termsOf(const wkProgramDraft* draft, const wkDraftFrame* frame, wkVec3d factors,
                     double zero)
{
    const int32_t columns[3] = {frame->columns.x, frame->columns.y, frame->columns.z};
    terms made = {{0, 0, 0}, {0.0, 0.0, 0.0}, 0, true};
    for (int k = 0; k < 3; k++) {
        double factor = wkAlongAxis(&factors, k);
        if (fabs(factor) > zero) {
            made.columns[made.count] = columns[k];
            made.factors[made.count++] = factor;
            made.areConstant = made.areConstant && draft->columns[columns[k]].isConstant;
        }
    }
    return made;
}

static wkVec3d constantSum(const wkProgramDraft* draft, const terms* t, wkVec3d start)
{
    for (int k = 0; k < t->count; k++) {
        start = wkMulAdd(start, t->factors[k], draft->columns[t->columns[k]].value);
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

// Where the origin can be, after a step of at most that length.
static void addReach(const wkProgramDraft* draft, wkDraftFrame* frame, double step)
{
    const wkDraftColumn* place = &draft->columns[frame->columns.place];
    frame->middle = place->isConstant ? place->value : frame->middle;
    frame->reach = place->isConstant ? 0.0 : frame->reach + step;
}

// What a step of the origin is off by: the axes it goes along, and roundings.
static void addStepError(wkDraftFrame* frame, double step, double roundings)
{
    double away = frame->reach + wkLength(frame->middle) + 2.0 * step;
    frame->placeError += frame->turnError * step + roundings * WK_FLOAT_ROUNDING * away;
}

void wkMoveOrigin(wkProgramDraft* draft, wkDraftFrame* frame, wkVec3d place)
{
    double step = wkLength(place);
    terms t = termsOf(draft, frame, place, WK_ZERO_LENGTH);
    frame->placeError += 3.0 * WK_ZERO_LENGTH;
    int32_t from = frame->columns.place;
    if (t.count > 0 && t.areConstant && draft->columns[from].isConstant) {
        frame->columns.place =
            addColumn(draft, true, constantSum(draft, &t, draft->columns[from].value));
    } else if (t.count > 0) {
        wkOpKind kind = (wkOpKind)((int)wk_opSum1 + t.count - 1);
        frame->columns.place = draft->columnCount;
        setTerms(addOp(draft, kind, from, 1), &t);
    }
    addReach(draft, frame, step);
    addStepError(frame, step, 8.0);
}

static void addLength(wkProgramDraft* draft, const wkSlide* slide)
{
    for (int32_t i = 0; i < draft->lengthCount; i++) {
        if (draft->lengths[i].variable == slide->variable) {
            return;
        }
    }
    wkLengthLimit length = {slide->variable, (float)slide->limit};
    draft->lengths[draft->lengthCount++] = length;
}

// The part of the start that the slide does not go along comes first.
void wkSlideOrigin(wkProgramDraft* draft, wkDraftFrame* frame, const wkSlide* slide)
{
    double wayLength = wkLength(slide->way), zero = WK_ZERO_FACTOR * wayLength;
    wkVec3d way = slide->way, start = slide->start;
    wkVec3d across = wkVec(fabs(way.x) > zero ? 0.0 : start.x, fabs(way.y) > zero ? 0.0 : start.y,
                           fabs(way.z) > zero ? 0.0 : start.z);
    wkMoveOrigin(draft, frame, across);
    terms t = termsOf(draft, frame, way, zero);
    wkOp* op = addOp(draft, wk_opSlide, frame->columns.place, 1);
    setTerms(op, &t);
    const int32_t columns[3] = {frame->columns.x, frame->columns.y, frame->columns.z};
    for (int k = 0; k < t.count; k++) {
        for (int axis = 0; axis < 3; axis++) {
            if (columns[axis] == t.columns[k]) {
                op->offsets[k] = (float)wkAlongAxis(&start, axis);
            }
        }
    }
    op->value = slide->variable;
    frame->columns.place = op->into;
    addLength(draft, slide);
    double step = wayLength * slide->limit + wkLength(wkSub(start, across));
    addReach(draft, frame, step);
    addStepError(frame, step, 16.0);
    frame->placeError += 3.0 * WK_ZERO_FACTOR * wayLength * slide->limit;
}

// An axis that is made from those of the frame.
// @param error grows by the square of what is left out
static int32_t mixAxis(wkProgramDraft* draft, const wkDraftFrame* frame, wkVec3d axis,
                       double* error)
{
    terms t = termsOf(draft, frame, axis, WK_ZERO_FACTOR);
    *error += wkLengthSquared(axis);
    for (int k = 0; k < t.count; k++) {
        *error -= t.factors[k] * t.factors[k];
    }
    if (t.count == 1 && t.factors[0] > 0.0) {
        *error += (t.factors[0] - 1.0) * (t.factors[0] - 1.0);
        return t.columns[0];
    }
    if (t.areConstant) {
        return addColumn(draft, true, constantSum(draft, &t, wkVec(0.0, 0.0, 0.0)));
    }
    int32_t column = draft->columnCount;
    setTerms(addOp(draft, t.count == 3 ? wk_opMix3 : wk_opMix2, -1, 1), &t);
    return column;
}

void wkTurnAxes(wkProgramDraft* draft, wkDraftFrame* frame, wkMat3d axes)
{
    wkDraftFrame old = *frame;
    double error = 0.0;
    frame->columns.x = mixAxis(draft, &old, axes.x, &error);
    frame->columns.y = mixAxis(draft, &old, axes.y, &error);
    frame->columns.z = mixAxis(draft, &old, axes.z, &error);
    // what is left out, up to the rounding of squares, and the roundings of three sums
    frame->turnError += sqrt(fabs(error)) + 1e-8 + 16.0 * WK_FLOAT_ROUNDING;
}

void wkAddTurn(wkProgramDraft* draft, wkDraftFrame* frame, const wkJointTurn* turn)
{
    wkOp* op = addOp(draft, wk_opTurn, -1, 2);
    op->from[0] = frame->columns.x;
    op->from[1] = frame->columns.y;
    op->value = draft->turnCount;
    draft->turns[draft->turnCount++] = *turn;
    frame->columns.x = op->into;
    frame->columns.y = op->into + 1;
}

void wkAddGiven(wkProgramDraft* draft, wkDraftFrame* frame, int32_t variable)
{
    wkOp* op = addOp(draft, wk_opGiven, -1, 3);
    op->from[0] = frame->columns.x;
    op->from[1] = frame->columns.y;
    op->from[2] = frame->columns.z;
    op->value = draft->givenCount;
    draft->givens[draft->givenCount++] = variable;
    frame->columns.x = op->into;
    frame->columns.y = op->into + 1;
    frame->columns.z = op->into + 2;
}
