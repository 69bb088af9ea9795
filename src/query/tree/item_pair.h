// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Two convex items of any types, evaluated by the pair table.

#include "query/tree/tree_query.h"

// Loads an item with the rounding and padding of its hierarchy.
void wkLoadItem(const wkTreeView* view, const wkShape* tree, int32_t index, wkItem* item);

// The same for B of a question, in the frame of A.
void wkLoadItemOfB(const wkBodyQuestion* question, int32_t index, wkItem* item);

// Evaluates two items in the frame of A, up to `reach` apart; A comes first in the result, whose parts are
// not set.
void wkAskItemPair(const wkBodyQuestion* question, const wkItem* a, const wkItem* b, double reach,
                   wkDistanceResult* found);
