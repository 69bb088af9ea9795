// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The fast path for surfaces that need no lids, as most do.

#include "whisker/mesh.h"

// Whether each edge of a surface is shared by two triangles that pass it in opposite directions, and all
// pieces connected by edges have the same direction: then nothing has to be closed, oriented or flipped.
// Triangles with two equal vertices are ignored. `firsts` has for each vertex the first one at its
// position.
// @return false when out of memory (`hasMemory` reports it), or when the general path must decide
bool wkIsPlainSurface(const wkMeshDef* def, const int32_t* firsts, bool* hasMemory);
