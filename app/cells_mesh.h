// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The surface of a map for pictures: a mesh of the faces between occupied cells and others.

#include "whisker/mesh.h"
#include "whisker/octree.h"

// Faces that continue each other along a row are one rectangle: paint goes by the point, not by the
// triangle. A map without occupied cells has no mesh, NULL.
// @param box cells outside are left out
wkResult wkMeshOfCells(const wkOctree* map, wkAabb box, wkMesh** mesh);
