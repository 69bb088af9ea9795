// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From a caller's arguments to a question in canonical order, and from the answer back: the one
// place where validity and the order of arguments are settled. Inline, because closed forms take
// no longer than the way to them.

#include "query/pair_table.h"
#include "solve/placed.h"

// The total order goes on where the positions have the same x; see question.c.
bool wkIsAfter(const wkShape* a, const wkPose* poseA, const wkShape* b, const wkPose* poseB);

// Whether a query knows the type; the numbers are left to the pair's own function.
WK_FN bool wkHasKnownType(const wkShape* shape)
{
    return shape != NULL && (unsigned)shape->type - 1u < (unsigned)wk_shapeTypeCount - 1u;
}

// Row of two shapes of known types, in any order.
WK_FN const wkPairRow* wkPairRowOf(const wkShape* a, const wkShape* b)
{
    return a->type <= b->type ? &wkPairTable[a->type][b->type] : &wkPairTable[b->type][a->type];
}

// A total order of placed shapes, so that swapped arguments meet the same computation. Among equal
// types it is a matter of chance and a branch guessed wrong half the time: spheres, whose answer is
// symmetric, do without.
WK_FORCE_FN bool wkIsSwapped(const wkShape* a, const wkPose* poseA, const wkShape* b,
                             const wkPose* poseB)
{
    if (a->type != b->type) {
        return a->type > b->type;
    }
    double xA = poseA->position.x, xB = poseB->position.x;
    return xA != xB ? a->type != wk_shapeSphere && xA > xB : wkIsAfter(a, poseA, b, poseB);
}

// Puts the arguments in canonical order and checks them, but for the numbers of the shapes. The
// limits are the caller's to fill.
// @return false when a type or a pose is not valid
WK_FORCE_FN bool wkMakeQuestion(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                const wkPose* poseB, wkQuestion* question)
{
    if (!wkHasKnownType(a) || !wkHasKnownType(b) || !wkAreSoundPoses(poseA, poseB)) {
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
