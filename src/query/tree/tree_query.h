// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Queries about pairs with a hierarchy in them. A walk finds the triangles that may matter, the pair
// table answers about each of them, and what it says is gathered here: the closest answer, or all
// contacts. Everything is in the frame of A, in canonical order: B is a hierarchy, A may be one.

#include "query/pair/pair_table.h"
#include "query/tree/walk.h"
#include "tree/bvh/tree_shape.h"

// What is asked, and where the bodies are.
typedef struct wkTreeQuestion {
    const wkShape* a;
    const wkShape* b;
    wkTreeView viewA; // when A is a hierarchy
    wkTreeView viewB;
    const wkPose* poseA; // in the world
    const wkPose* poseB;
    wkFrame bInA;
    double slack; // rounding of places in the frame of A, subtracted from every distance

    double cutoff;    // what is further apart does not matter
    double enough;    // a distance that ends the search; -infinity: none
    double tolerance; // metres the answer may lie below the truth
    bool isSigned;    // depths are wanted where bodies overlap
    bool isCommon;    // bodies that overlap are answered with 0 and a point of both
    wkFront* front;

    wkContact* contacts; // NULL: the closest answer is all
    int32_t contactCapacity;
    bool stopsWhenFull;
} wkTreeQuestion;

// What was found so far. The closest answer is in the frame of A.
typedef struct wkTreeAnswer {
    wkDistanceResult closest; // distance is DBL_MAX before the first
    int32_t contactCount;
    int32_t visitCount; // triangles, or pairs of them, that were looked at
    bool isExact;       // also where the bodies overlap
} wkTreeAnswer;

// The item that an answer names: until a query ends, the parts of its answers are items of a view.
WK_FN int32_t wkItemOfPart(int64_t part)
{
    return (int32_t)part;
}

// Takes what the pair table says about one triangle or pair of triangles.
// @return wk_stepStop when nothing more is needed
wkStep wkTakeAnswer(const wkTreeQuestion* question, const wkDistanceResult* found,
                    wkTreeAnswer* answer);

// What may be said instead of a distance with that tolerance. It never lets bodies overlap that may be
// apart by less, and depths are never lowered.
WK_FN double wkLowered(double distance, double tolerance)
{
    return distance > 0.0 ? wkPositive(distance - tolerance) : distance;
}

// How far apart two things may be to matter still.
WK_FN double wkReachOf(const wkTreeQuestion* q, const wkTreeAnswer* answer)
{
    if (q->contacts != NULL) {
        return q->cutoff;
    }
    return wkMinD(q->cutoff, wkLowered(answer->closest.distance, q->tolerance));
}

// The searches: all that is found goes through wkTakeAnswer.
void wkSearchShape(const wkTreeQuestion* question, wkTreeAnswer* answer); // A is convex
void wkSearchTrees(const wkTreeQuestion* question, wkTreeAnswer* answer);

// One of the two, from the start: triangles alone.
void wkSearchSurfaces(const wkTreeQuestion* question, wkTreeAnswer* answer);

// The public queries about pairs with a hierarchy in them.
wkDistanceResult wkDistanceOfTrees(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                   const wkPose* poseB, const wkDistanceRequest* request);
wkCollideResult wkCollideTrees(const wkShape* a, const wkPose* poseA, const wkShape* b,
                               const wkPose* poseB, const wkCollideRequest* request);

// Contacts in the caller's buffer, the shallowest on top of a heap while they are gathered.
int32_t wkAddContact(wkContact* contacts, int32_t count, int32_t capacity, const wkContact* added);
void wkSortContacts(wkContact* contacts, int32_t count); // deepest first
