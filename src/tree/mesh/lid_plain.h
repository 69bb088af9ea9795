// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The quick way for surfaces that need no lids, as most do.

#include "whisker/mesh.h"

// Whether each edge of a surface is shared by two triangles that pass it in opposite directions, and all
// pieces that hang together by edges face the same way: nothing has to be closed, oriented or turned then.
// Triangles with two vertices in one do not count. `firsts` has for each vertex the first one at its
// position.
// @return false when there is no memory (`hasMemory` says so), or when it takes more to tell
bool wkIsPlainSurface(const wkMeshDef* def, const int32_t* firsts, bool* hasMemory);
