// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The surface of a map for pictures: a mesh of the faces between occupied and other cells.

#include "whisker/mesh.h"
#include "whisker/octree.h"

// Makes the mesh. Adjacent faces of a row are merged into one rectangle: colours are computed per point, not
// per triangle. For a map without occupied cells the mesh is NULL.
// @param box cells outside are left out
wkResult wkMeshOfCells(const wkOctree* map, wkAabb box, wkMesh** mesh);
