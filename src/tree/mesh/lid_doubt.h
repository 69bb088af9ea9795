// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Parts of a closed surface whose triangles contradict each other so much that no orientation encloses all of
// them. What such a part was meant to contain cannot be decided, so it is bounded: by its convex hull.

#include "tree/mesh/lid_hulls.h"
#include "tree/mesh/lid_pieces.h"

// Finds doubtful parts and makes their hulls: sets the weights of their triangles and lids to 0. A part is
// doubtful when a share of its triangles had to be reversed or ignored, and yet
// - both sides of a triangle are outside, as if it enclosed nothing, or
// - winding numbers have both signs, so that they may cancel each other where pieces overlap.
// Surfaces whose triangles agree, and surfaces without lids whose triangles all count as given, pass at once.
// @param isChanged for each triangle of the definition: it disagrees with its patch
// @param gap vertices up to this far apart were sewn together
// @return wk_errorMemory, wk_errorUnsupported (a build that makes no hulls); `hulls` must be freed in any case
wkResult wkBoundDoubtfulParts(wkClosedChain* chain, const bool* isChanged, double gap,
                              wkPartHulls* hulls);
