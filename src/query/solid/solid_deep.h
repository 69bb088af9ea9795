// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Bodies with negative margins: two bodies of which a layer is removed share a point where the depths of a
// point in both cores sum to the thickness of the layers, wherever the vertices are.

#include "query/solid/solid.h"

// Decides whether solids with negative margins, whose cores overlap, share a point. The sum of a point's
// depths in both cores is bounded from above by branch and bound; where the bound stays below the removed
// layers, the bodies are apart by no less than the difference. Where the search ends undecided, they touch.
// Lowers the result's distance, if necessary.
void wkProveApart(const wkBodyQuestion* question, wkBodyAnswer* answer);
