// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the triangles of a mesh are as a surface: its pieces, whether it is closed, whether it is
// convex, area and volume.

#include "math/vec.h"
#include "whisker/mesh.h"

typedef struct wkTopology {
    int32_t componentCount;
    int32_t degenerateCount;
    bool isClosed;
    bool isConvex;
    double area;
    double volume;
    int32_t* components; // a triangle of each piece
    size_t byteCount;    // of `components`
} wkTopology;

// @return false when there is no memory
bool wkFindTopology(const wkMeshDef* def, wkTopology* topology);

void wkReleaseTopology(wkTopology* topology);

// Whether a closed surface in one piece is its own convex hull; see mesh_convex.c. `firsts` has for
// each vertex the first one at its place; the triangles of an inverted one are clockwise from outside.
// @return false when it is not, or when there is no memory (`hasMemory` says which)
bool wkIsConvexSurface(const wkMeshDef* def, const int32_t* firsts, bool isInverted,
                       bool* hasMemory);
