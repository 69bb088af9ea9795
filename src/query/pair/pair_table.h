// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The function that solves each pair of types.

#include "solve/closed_form/closed_form.h"
#include "solve/pair_frame.h"

typedef struct wkPairRow {
    wkNearFcn* near; // closed form; NULL: by `solve`
    wkSolveFcn* solve;
    wkTouchFcn* touch;  // the closed form's contact; NULL: by one of the above
    wkGapFcn* gap;      // its verdict; NULL: by one of the above
    const char* method; // for docs/pair_matrix.md
} wkPairRow;

// Filled for typeA <= typeB.
extern const wkPairRow wkPairTable[WK_CONVEX_TYPE_COUNT][WK_CONVEX_TYPE_COUNT];

// Computes the signed result of a row, in the order of the query.
WK_FN void wkAnswerPair(const wkPairRow* row, const wkQuestion* q, wkDistanceResult* answer)
{
    if (row->near != NULL) {
        *answer = row->near(q->a, q->poseA, q->b, q->poseB, true);
    } else {
        wkAnswerBySolving(q, row->solve, answer);
    }
}

// The same with 0 and a common point for shapes that overlap.
WK_FN void wkAnswerPairUnsigned(const wkPairRow* row, const wkQuestion* q, wkDistanceResult* answer)
{
    if (row->near != NULL) {
        *answer = row->near(q->a, q->poseA, q->b, q->poseB, false);
    } else {
        wkAnswerBySolving(q, row->solve, answer);
        wkAnswerUnsigned(q, answer);
    }
}
