// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Two hierarchies, one of them solid or both.

#include "query/tree/tree_query.h"

// Adds what the search over triangles cannot know: pieces inside, and how deep vertices are.
void wkSettleTrees(const wkTreeQuestion* question, wkTreeAnswer* answer);

// The answer about overlapping bodies of which hulls are known, or about one such and a shape.
void wkAnswerByHulls(const wkTreeQuestion* question, wkTreeAnswer* answer);

// The search over triangles without anything that ends it early.
void wkSearchFully(const wkTreeQuestion* question, wkTreeAnswer* answer);

// The answer to an unsigned question about bodies that share a point.
void wkAnswerCommon(wkVec3d point, wkTreeAnswer* answer);
