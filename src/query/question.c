// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Canonical order and validity of a pair.

#include "query/question.h"

#include "query/pair_table.h"
#include "solve/placed.h"

#include <string.h>

// NaN and infinity survive the sum; a rotation of length zero does not turn anything.
static bool isSoundPose(const wkPose* pose)
{
    wkQuat q = pose->rotation;
    double size = fabs(q.x) + fabs(q.y) + fabs(q.z) + fabs(q.w);
    double sum = pose->position.x + pose->position.y + pose->position.z + size;
    return size > 0.0 && sum * 0.0 == 0.0;
}

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

// A total order of placed shapes of one type, so that swapped arguments meet the same computation.
static bool isAfter(const wkShape* a, const wkPose* poseA, const wkShape* b, const wkPose* poseB)
{
    if (poseA->position.x != poseB->position.x) {
        return poseA->position.x > poseB->position.x;
    }
    int order = compare(poseA->position.y, poseB->position.y);
    order = order != 0 ? order : compare(poseA->position.z, poseB->position.z);
    order = order != 0 ? order : memcmp(&poseA->rotation, &poseB->rotation, sizeof poseA->rotation);
    order = order != 0 ? order : memcmp(a, b, sizeof *a);
    return order > 0;
}

bool wkMakeQuestion(const wkShape* a, const wkPose* poseA, const wkShape* b, const wkPose* poseB,
                    wkQuestion* question)
{
    bool isSound = wkConvexRowOf(a)->isSound(a) && wkConvexRowOf(b)->isSound(b) &&
                   isSoundPose(poseA) && isSoundPose(poseB);
    if (!isSound) {
        return false;
    }
    bool isSwapped = a->type > b->type || (a->type == b->type && isAfter(a, poseA, b, poseB));
    question->a = isSwapped ? b : a;
    question->b = isSwapped ? a : b;
    question->poseA = isSwapped ? poseB : poseA;
    question->poseB = isSwapped ? poseA : poseB;
    question->radiusA = wkShapeRadius(question->a);
    question->radiusB = wkShapeRadius(question->b);
    return true;
}

void wkAsk(const wkQuestion* question, wkDistanceResult* answer)
{
    const wkPairRow* row = &wkPairTable[question->a->type][question->b->type];
    if (row->answer != NULL) {
        row->answer(question, answer);
    } else {
        wkAnswerBySolving(question, row->solve, answer);
    }
}
