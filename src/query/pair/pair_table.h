// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The row of each pair of shapes: everything that depends on both of them.

#include "solve/closed_form/closed_form.h"
#include "solve/pair_frame.h"

#include "whisker/detail/counts.h"

// wkDistance and wkCollide for a pair that is not two convex shapes, in any order.
typedef wkDistanceResult wkDistanceFcn(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                       const wkPose* poseB, const wkDistanceRequest* request);
typedef wkCollideResult wkCollideFcn(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                     const wkPose* poseB, const wkCollideRequest* request);

typedef struct wkPairRow {
    // two convex shapes, in the order of the table
    wkClosestFcn* closest; // closed form; NULL: by `solve`
    wkSolveFcn* solve;
    wkTouchFcn* touch; // the closed form's contact; NULL: by one of the above
    wkGapFcn* gap;     // its verdict; NULL: by one of the above

    // all other pairs; NULL for two convex shapes
    wkDistanceFcn* distance;
    wkCollideFcn* collide;

    const char* method; // for docs/pair_matrix.md
} wkPairRow;

// The rows of two convex shapes, filled for typeA <= typeB.
extern const wkPairRow wkPairTable[WK_CONVEX_TYPE_COUNT][WK_CONVEX_TYPE_COUNT];

// Row of two shapes in any order; one that refuses where a shape is NULL or has no known type.
const wkPairRow* wkPairRowOf(const wkShape* a, const wkShape* b);

// Computes the signed result of a row, in the order of the query.
WK_FN void wkAnswerPair(const wkPairRow* row, const wkQuestion* q, wkDistanceResult* answer)
{
    if (row->closest != NULL) {
        *answer = row->closest(q->a, q->poseA, q->b, q->poseB, true);
    } else {
        wkAnswerBySolving(q, row->solve, answer);
    }
}

// The same with 0 and a common point for shapes that overlap.
WK_FN void wkAnswerPairUnsigned(const wkPairRow* row, const wkQuestion* q, wkDistanceResult* answer)
{
    if (row->closest != NULL) {
        *answer = row->closest(q->a, q->poseA, q->b, q->poseB, false);
    } else {
        wkAnswerBySolving(q, row->solve, answer);
        wkAnswerUnsigned(q, answer);
    }
}
