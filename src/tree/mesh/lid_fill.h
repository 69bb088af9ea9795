// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Triangulation of one closed loop of vertices.

#include "whisker/mesh.h"

// Bytes of scratch memory for loops of up to `vertexCount` vertices.
size_t wkFillBytes(int32_t vertexCount);

// Triangulates the loop over `count` >= 3 vertices, with small area and short diagonals, planar or not.
// Triangles pass the edges of the loop in the opposite direction. Takes O(n log n) time.
// @param loop indices of vertices; changed
// @param triangles `count` - 2 of them, three indices each
void wkFillLoop(const wkVec3d* vertices, int32_t* loop, int32_t count, void* scratch,
                int32_t* triangles);
