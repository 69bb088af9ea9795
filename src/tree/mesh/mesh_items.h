// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the hierarchy of a mesh is made from.

#include "tree/bvh/bvh.h"
#include "whisker/mesh.h"

// One item for each triangle; it also holds `previous` places of the vertices, unless NULL.
void wkMakeMeshItems(const wkMeshDef* def, const wkVec3d* previous, wkBvhItem* items);
