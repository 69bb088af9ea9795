// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Converts a caller's arguments to a query in canonical order, and the result back: the only code that
// decides validity and the order of arguments. Inline, because closed forms take no longer than the
// call to them.

#include "query/pair/pair_table.h"
#include "solve/order.h"
#include "solve/pair_frame.h"

#include "whisker/detail/counts.h"

// Whether the type is one of the convex ones; the numbers are checked by the pair's own function.
WK_FN bool wkHasConvexType(const wkShape* shape)
{
    return shape != NULL && (unsigned)shape->type - 1u < (unsigned)WK_CONVEX_TYPE_COUNT - 1u;
}

// Row of two convex shapes, in any order.
WK_FN const wkPairRow* wkConvexPairRowOf(const wkShape* a, const wkShape* b)
{
    return a->type <= b->type ? &wkPairTable[a->type][b->type] : &wkPairTable[b->type][a->type];
}

// Whether the arguments are not in canonical order; see solve/order.h. Closed forms of equal types
// skip this: the branch would be mispredicted half the time.
WK_FORCE_FN bool wkIsSwapped(const wkShape* a, const wkPose* poseA, const wkShape* b,
                             const wkPose* poseB)
{
    return a->type != b->type ? a->type > b->type : wkIsAfter(a, poseA, b, poseB);
}

// Puts the arguments in canonical order and checks them, except for the numbers of the shapes. The
// caller fills in the limits.
// @return false when a type or a pose is not valid
WK_FORCE_FN bool wkMakeQuestion(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                const wkPose* poseB, wkQuestion* question)
{
    if (!wkHasConvexType(a) || !wkHasConvexType(b) || !wkAreValidPoses(poseA, poseB)) {
        return false;
    }
    bool isSwapped = wkIsSwapped(a, poseA, b, poseB);
    question->a = isSwapped ? b : a;
    question->b = isSwapped ? a : b;
    question->poseA = isSwapped ? poseB : poseA;
    question->poseB = isSwapped ? poseA : poseB;
    question->radiusA = wkShapeRadius(question->a);
    question->radiusB = wkShapeRadius(question->b);
    return true;
}
