// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Vertices at the boundary of a surface that are nearly at the same position.

#include "whisker/mesh.h"

// Fills in `near`: for each vertex that has -1 there, a vertex within `tolerance` that represents it. All
// others have their own index.
// @param count number of vertices that have -1
// @param areNear whether any of them is represented by another one
// @return false when out of memory
bool wkFindNearVertices(const wkMeshDef* def, int32_t count, double tolerance, int32_t* near,
                        bool* areNear);
