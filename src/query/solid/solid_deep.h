// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Bodies with negative margins: a convex shape touches a solid whose outermost layer is removed where a point
// of the shape is deep enough, wherever its ends are.

#include "query/solid/solid.h"

// Searches for a point of A's core that is at least `need` deep in the solid B. The search is limited: false
// means that none was found.
bool wkFindDeepPoint(const wkTreeQuestion* question, double need, wkSunken* found);
