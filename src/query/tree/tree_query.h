// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Queries about pairs that include a hierarchy. A walk finds the items that may matter, the pair table
// evaluates each of them, and the results are collected here: the closest one, or all contacts.
// Everything is in the frame of A, in canonical order: B is a hierarchy, A may be one. Of a hierarchy of
// shapes and one of triangles, the former is A.

#include "query/pair/body_question.h"
#include "query/tree/distance_walk.h"

// The item that a result names: until a query ends, the parts of its results are items of a view.
WK_FN int32_t wkItemOfPart(int64_t part)
{
    return (int32_t)part;
}

// Takes the pair table's result for one item or pair of items.
// @return wk_stepStop when nothing more is needed
wkStep wkTakeAnswer(const wkBodyQuestion* question, const wkDistanceResult* found,
                    wkBodyAnswer* answer);

// Largest distance at which a pair still matters.
WK_FN double wkReachOf(const wkBodyQuestion* q, const wkBodyAnswer* answer)
{
    return q->contacts != NULL ? q->cutoff : wkReachBelow(q, answer->closest.distance);
}

// The searches: all results go through wkTakeAnswer. The last two are for hierarchies of shapes.
void wkSearchShape(const wkBodyQuestion* question, wkBodyAnswer* answer); // A is convex
void wkSearchTrees(const wkBodyQuestion* question, wkBodyAnswer* answer);
void wkSearchShapeItems(const wkBodyQuestion* question, wkBodyAnswer* answer); // A is convex
void wkSearchTreeItems(const wkBodyQuestion* question, wkBodyAnswer* answer);

// Two hierarchies, of which one is made of points and the other of points or triangles.
bool wkCanSearchTreePoints(const wkBodyQuestion* question);
void wkSearchTreePoints(const wkBodyQuestion* question, wkBodyAnswer* answer);

// Prepares the walk of a convex A over B, except for its leaf.
// @return the largest coordinate that can occur
double wkPrepareBoxWalk(const wkBodyQuestion* question, const wkBodyAnswer* answer,
                        wkBoxWalk* walk);

// Runs one of the four from the start: items alone, without what is inside of solids.
void wkSearchSurfaces(const wkBodyQuestion* question, wkBodyAnswer* answer);
