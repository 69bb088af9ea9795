// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A cloud of points, each a sphere, and a solid: which points are inside, and how deep the deepest is.

#include "query/tree/tree_query.h"

// Whether the question is about a cloud and a solid, and not about contacts, which are asked item by item.
WK_FN bool wkAreSolidPoints(const wkBodyQuestion* q)
{
    return q->viewA.groups != NULL && q->viewB.isSolid && q->contacts == NULL;
}

// Searches for the closest result, including the interior of the solid.
void wkSearchSolidPoints(const wkBodyQuestion* question, wkBodyAnswer* answer);
