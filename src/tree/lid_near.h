// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Vertices at the boundary of a surface that are nearly at one place.

#include "base/sort.h"
#include "whisker/mesh.h"

// Fills in `near`: for each vertex of the edges one of them that is within `tolerance` and stands for
// it. Keys are as in lids.c: two vertices of 32 bits each.
// @param areNear whether any vertex is not its own
// @return false when there is no memory
bool wkFindNearVertices(const wkMeshDef* def, const wkSortKey* edges, int32_t edgeCount,
                        double tolerance, int32_t* near, bool* areNear);
