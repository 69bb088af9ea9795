// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The items that the hierarchy of a mesh is built from.

#include "tree/bvh/bvh.h"
#include "whisker/mesh.h"

// Makes one item for each triangle; it also contains the `previous` vertex positions, unless NULL.
void wkMakeMeshItems(const wkMeshDef* def, const wkVec3d* previous, wkBvhItem* items);
