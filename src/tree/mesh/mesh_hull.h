// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The hull of a convex solid mesh, stored in its block: it makes penetration depths exact.

#include "tree/mesh/mesh_impl.h"

// Meshes with more vertices have no hull.
#define WK_MESH_HULL_VERTICES 4096

// Upper bound of the bytes of the hull of a mesh with that many vertices; 0: it has none.
uint64_t wkMeshHullScratch(int32_t vertexCount);

// Makes the hull of a convex mesh; NULL when it has none.
// @return false when out of memory
bool wkMakeMeshHull(const wkMeshDef* def, bool isConvex, wkHull** hull);

// Writes a hull, or none, into a block with the capacity for it.
void wkWriteMeshHull(wkMesh* mesh, const wkHull* hull);
