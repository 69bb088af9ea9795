// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Vertices at the boundary of a surface that are nearly at one position.

#include "whisker/mesh.h"

// Fills in `near`: for each vertex that has -1 there one of them that is within `tolerance` and stands for
// it. All others have their own index.
// @param count how many have -1
// @param areNear whether any of them is not its own
// @return false when there is no memory
bool wkFindNearVertices(const wkMeshDef* def, int32_t count, double tolerance, int32_t* near,
                        bool* areNear);
