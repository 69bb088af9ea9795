// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The hull of a convex solid mesh, kept in its block: how deep things are in it is then exact.

#include "tree/mesh/mesh_impl.h"

// Meshes with more vertices have none.
#define WK_MESH_HULL_VERTICES 4096

// Bytes that the hull of any mesh with so many vertices needs at most; 0: it has none.
uint64_t wkMeshHullScratch(int32_t vertexCount);

// Makes the hull of a convex mesh; NULL when there is none to be had.
// @return false when there is no memory
bool wkMakeMeshHull(const wkMeshDef* def, bool isConvex, wkHull** hull);

// Puts a hull, or none, into a block with room for it.
void wkWriteMeshHull(wkMesh* mesh, const wkHull* hull);
