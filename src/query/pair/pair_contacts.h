// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Contacts of a touching pair, in the world, deepest first.

#include "solve/pair.h"

// Writes at most `capacity` contacts no further apart than the question's cutoff and
// returns their number, at least 1.
int32_t wkMakeContacts(const wkQuestion* question, const wkDistanceResult* answer, bool isSwapped,
                       wkContact* contacts, int32_t capacity);

// Transforms a contact from the frame of a search into the world, and into the order of the caller.
WK_FN void wkContactIntoWorld(wkContact* contact, const wkMat3d* worldFromFrame, wkVec3d position,
                              bool isSwapped)
{
    wkVec3d normal = wkMulMV(worldFromFrame, contact->normal);
    int64_t partA = contact->partA, partB = contact->partB;
    contact->point = wkAdd(wkMulMV(worldFromFrame, contact->point), position);
    contact->normal = isSwapped ? wkNeg(normal) : normal;
    contact->partA = isSwapped ? partB : partA;
    contact->partB = isSwapped ? partA : partB;
}
