// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Directions of facets by the regions that they separate, where triangles do not say them: where pieces share
// edges, and some of them are there from both sides.

#include "tree/mesh/lid_orient.h"

// Fills in an orientation. The sides of facets that are next to each other around an edge bound one region.
// Facets between a region that encloses others and one that does not face the former; facets between two that do
// not are walls and count no more. Facets that only one region touches, and all facets of bodies whose triangles
// are consistent, count as they do in `orientation`.
// @param orientation both input and output
// @param isDifferent whether anything has changed
// @return false when out of memory
bool wkOrientByShells(const wkMeshDef* def, const int32_t* firsts, wkFacets* facets,
                      wkOrientation* orientation, bool* isDifferent);
