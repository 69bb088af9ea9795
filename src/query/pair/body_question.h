// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The query about two shapes that are not both convex: one question and one answer for hierarchies and maps.
// A walk finds the items or cells that may matter, the pair table evaluates each of them, and the results are
// collected in the answer: the closest one, or all contacts. Everything is in the frame of one body, the home
// of the search: that of A, or that of B where B is a map.

#include "query/map/map_walk.h"
#include "query/pair/pair_table.h"
#include "tree/bvh/tree_shape.h"

typedef struct wkBodyQuestion {
    // in canonical order: convex shapes, hierarchies of shapes, those of triangles, maps
    const wkShape* a;
    const wkShape* b;
    const wkPose* poseA; // in the world
    const wkPose* poseB;
    bool isSwapped; // against the order of the caller

    wkMat3d worldFromHome;
    wkVec3d homePosition; // in the world
    wkVec3d positionA;    // of the bodies, at home; one of them is zero
    wkVec3d positionB;
    double slack; // rounding of positions at home, subtracted from every distance

    wkFrame bInA;    // where the frame of A is home
    wkPose bPoseInA; // the same as a pose; set when B is a hierarchy of shapes that are not points
    wkFrame aInB;    // where the frame of B is home
    wkPose aPoseInB; // the same as a pose

    wkTreeView viewA; // when A is a hierarchy
    wkTreeView viewB;
    wkMapView cellsA; // when A is a map
    wkMapView cellsB;
    const wkCubes* nearB; // all cells of B that may matter; NULL: not known

    double cutoff;    // pairs further apart do not matter
    double enough;    // a distance that ends the search; -infinity: none
    double tolerance; // metres the answer may lie below the truth
    bool isSigned;    // depths are computed where bodies overlap
    bool isCommon;    // for overlapping bodies the result is 0 and a point of both
    wkFront* front;

    wkContact* contacts; // NULL: only the closest result is needed
    int32_t contactCapacity;
    bool stopsWhenFull;
    bool wantsAll; // known and unknown cells are distinguished: no contact hides another
} wkBodyQuestion;

// Results so far. The closest one is at home.
typedef struct wkBodyAnswer {
    wkDistanceResult closest; // distance is DBL_MAX before the first
    int32_t contactCount;
    int32_t visitCount;     // items, cells, or pairs of them, that were evaluated
    bool isExact;           // also where the bodies overlap
    bool isUnknown;         // an unknown cell is the closest
    bool isOccupiedTouched; // occupied cells are within the cutoff
} wkBodyAnswer;

// What depends on the kinds of the shapes: one row for hierarchies, one for maps.
typedef struct wkBodyRow {
    // sets home, frames, views and slack of a question that is in canonical order; a view of A that is
    // not a hierarchy is empty
    void (*setFrames)(wkBodyQuestion* question);

    // raises the cutoff of a distance query for the search, or lowers the tolerance; NULL: both stay
    void (*widen)(wkBodyQuestion* question);

    // adapts a query for a verdict or contacts to the two bodies
    void (*prepare)(wkBodyQuestion* question);

    void (*search)(const wkBodyQuestion* question, wkBodyAnswer* answer);

    // replaces `search` for a verdict or contacts
    void (*decide)(const wkBodyQuestion* question, wkBodyAnswer* answer);

    // status of the closest result, whose distance is given
    wkStatus (*distanceStatus)(const wkBodyQuestion* question, const wkBodyAnswer* answer,
                               double distance);

    // status of a verdict about that margin
    wkStatus (*verdictStatus)(const wkBodyQuestion* question, const wkBodyAnswer* answer,
                              double margin);

    // sets the caller's parts of a distance; NULL: they are set
    void (*nameParts)(const wkBodyQuestion* question, const wkBodyAnswer* answer,
                      wkDistanceResult* result);
} wkBodyRow;

// By the second shape in canonical order.
extern const wkBodyRow wkTreeBodyRow;
extern const wkBodyRow wkMapBodyRow;

// wkDistance and wkCollide for pairs that are not two convex shapes.
wkDistanceFcn wkDistanceByWalk;
wkCollideFcn wkCollideByWalk;

// wkCollide for a map and a body that is not one, where the cells near it are known; NULL: not known.
wkCollideResult wkCollideNearMap(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                 const wkPose* poseB, const wkCollideRequest* request,
                                 const wkCubes* nearCubes);

// An answer without results.
wkBodyAnswer wkNoAnswer(void);

// Whether the query is for a verdict alone: neither points nor distances are used.
WK_FN bool wkIsVerdict(const wkBodyQuestion* q)
{
    return q->enough > -INFINITY && !q->isSigned && !q->isCommon;
}

// The query about two convex parts of the bodies, such as a triangle and a cell, in the order of the pair
// table. The walk sets its cutoff for each pair.
WK_FN wkQuestion wkQuestionOfParts(const wkBodyQuestion* q, const wkShape* a, const wkPose* poseA,
                                   const wkShape* b, const wkPose* poseB)
{
    wkQuestion parts = {
        .a = a,
        .b = b,
        .poseA = poseA,
        .poseB = poseB,
        .radiusA = wkShapeRadius(a),
        .radiusB = wkShapeRadius(b),
        .touching = wkIsVerdict(q) ? q->enough + q->slack : -INFINITY,
        .isSigned = q->isSigned,
        .wantsPoints = true,
        .isThorough = true,
    };
    return parts;
}

// A convex part of a body: its type, with the rounding and padding of the whole. The walk sets its numbers.
WK_FN wkShape wkPartOfType(const wkShape* whole, wkShapeType type)
{
    wkShape part = {.type = type, .rounding = whole->rounding, .padding = whole->padding};
    return part;
}

// Lowers a distance by the tolerance. The result never makes separate bodies overlap, and depths are never
// lowered.
WK_FN double wkLowered(double distance, double tolerance)
{
    return distance > 0.0 ? wkPositive(distance - tolerance) : distance;
}

// Largest distance that still matters once `best` is found. A result beyond the cutoff says nothing about bodies
// within it, so the tolerance counts from results within it alone.
WK_FN double wkReachBelow(const wkBodyQuestion* q, double best)
{
    return best > q->cutoff ? q->cutoff : wkLowered(best, q->tolerance);
}

// Whether a result replaces `best`. One that is closer by less than the tolerance was not evaluated in full: it may
// be a bound.
WK_FN bool wkIsCloser(const wkBodyQuestion* q, double distance, double best)
{
    bool isBeyond = best > q->cutoff;
    return distance < best && (isBeyond || !(distance > wkLowered(best, q->tolerance)));
}

// Adds contacts to the caller's buffer, a heap with the shallowest on top while they are gathered.
int32_t wkAddContact(wkContact* contacts, int32_t count, int32_t capacity, const wkContact* added);
void wkSortContacts(wkContact* contacts, int32_t count); // deepest first
