// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Two hierarchies, one or both of them solid.

#include "query/tree/tree_query.h"

// Adds what the search over items cannot find: pieces inside, and the depths of vertices.
void wkSettleTrees(const wkBodyQuestion* question, wkBodyAnswer* answer);

// The same where A is made of shapes: each of them that is near or inside B is a convex shape and a solid.
void wkSettleItems(const wkBodyQuestion* question, wkBodyAnswer* answer);

// Queries one item of A as a convex shape against the solid, and takes the result where it overlaps.
void wkAskSunkenItem(const wkBodyQuestion* question, int32_t index, wkBodyAnswer* answer);

// Computes the result for overlapping bodies with known hulls, or for one such body and a shape.
void wkAnswerByHulls(const wkBodyQuestion* question, wkBodyAnswer* answer);

// Searches over triangles without early exits.
void wkSearchFully(const wkBodyQuestion* question, wkBodyAnswer* answer);

// Sets the result of an unsigned query for bodies that share a point.
void wkAnswerCommon(wkVec3d point, wkBodyAnswer* answer);
