// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Queries about pairs that include a hierarchy. A walk finds the items that may matter, the pair table
// evaluates each of them, and the results are collected here: the closest one, or all contacts.
// Everything is in the frame of A, in canonical order: B is a hierarchy, A may be one. Of a hierarchy of
// shapes and one of triangles, the former is A.

#include "query/pair/pair_table.h"
#include "query/tree/walk.h"
#include "tree/bvh/tree_shape.h"

// The query and the poses of the bodies.
typedef struct wkTreeQuestion {
    const wkShape* a;
    const wkShape* b;
    wkTreeView viewA; // when A is a hierarchy
    wkTreeView viewB;
    const wkPose* poseA; // in the world
    const wkPose* poseB;
    wkFrame bInA;
    wkPose bPoseInA; // the same as a pose; set when B is a hierarchy of shapes
    double slack;    // rounding of positions in the frame of A, subtracted from every distance

    double cutoff;    // pairs further apart do not matter
    double enough;    // a distance that ends the search; -infinity: none
    double tolerance; // metres the answer may lie below the truth
    bool isSigned;    // depths are computed where bodies overlap
    bool isCommon;    // for overlapping bodies the result is 0 and a point of both
    wkFront* front;

    wkContact* contacts; // NULL: only the closest result is needed
    int32_t contactCapacity;
    bool stopsWhenFull;
} wkTreeQuestion;

// Results so far. The closest one is in the frame of A.
typedef struct wkTreeAnswer {
    wkDistanceResult closest; // distance is DBL_MAX before the first
    int32_t contactCount;
    int32_t visitCount; // items, or pairs of them, that were evaluated
    bool isExact;       // also where the bodies overlap
} wkTreeAnswer;

// The item that a result names: until a query ends, the parts of its results are items of a view.
WK_FN int32_t wkItemOfPart(int64_t part)
{
    return (int32_t)part;
}

// Whether the query is for a verdict alone: neither points nor distances are used.
WK_FN bool wkIsVerdict(const wkTreeQuestion* q)
{
    return q->enough > -INFINITY && !q->isSigned && !q->isCommon;
}

// Takes the pair table's result for one item or pair of items.
// @return wk_stepStop when nothing more is needed
wkStep wkTakeAnswer(const wkTreeQuestion* question, const wkDistanceResult* found,
                    wkTreeAnswer* answer);

// Lowers a distance by the tolerance. The result never makes separate bodies overlap, and depths are never
// lowered.
WK_FN double wkLowered(double distance, double tolerance)
{
    return distance > 0.0 ? wkPositive(distance - tolerance) : distance;
}

// Largest distance at which a pair still matters.
WK_FN double wkReachOf(const wkTreeQuestion* q, const wkTreeAnswer* answer)
{
    if (q->contacts != NULL) {
        return q->cutoff;
    }
    return wkMinD(q->cutoff, wkLowered(answer->closest.distance, q->tolerance));
}

// The searches: all results go through wkTakeAnswer. The last two are for hierarchies of shapes.
void wkSearchShape(const wkTreeQuestion* question, wkTreeAnswer* answer); // A is convex
void wkSearchTrees(const wkTreeQuestion* question, wkTreeAnswer* answer);
void wkSearchShapeItems(const wkTreeQuestion* question, wkTreeAnswer* answer); // A is convex
void wkSearchTreeItems(const wkTreeQuestion* question, wkTreeAnswer* answer);

// Prepares the walk of a convex A over B, except for its leaf.
// @return the largest coordinate that can occur
double wkPrepareBoxWalk(const wkTreeQuestion* question, const wkTreeAnswer* answer,
                        wkBoxWalk* walk);

// Runs one of the four from the start: items alone, without what is inside of solids.
void wkSearchSurfaces(const wkTreeQuestion* question, wkTreeAnswer* answer);

// The public queries about pairs that include a hierarchy.
wkDistanceResult wkDistanceOfTrees(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                   const wkPose* poseB, const wkDistanceRequest* request);
wkCollideResult wkCollideTrees(const wkShape* a, const wkPose* poseA, const wkShape* b,
                               const wkPose* poseB, const wkCollideRequest* request);

// Adds contacts to the caller's buffer, a heap with the shallowest on top while they are gathered.
int32_t wkAddContact(wkContact* contacts, int32_t count, int32_t capacity, const wkContact* added);
void wkSortContacts(wkContact* contacts, int32_t count); // deepest first
