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
    wkAabb bounds;      // of the vertices that triangles use
    wkVec3d ballCenter; // a ball around them
    double ballRadius;
    int32_t* components; // a triangle of each piece
} wkTopology;

// Bytes that `components` may take.
size_t wkComponentBytes(const wkMeshDef* def);

// Memory that wkFindTopology needs beside them.
size_t wkTopologyBytes(const wkMeshDef* def);

// `components` is where those of the topology go; `scratch` is free again afterwards.
// @return false when there is no memory
bool wkFindTopology(const wkMeshDef* def, int32_t* components, void* scratch, wkTopology* topology);

// Whether a closed surface in one piece is its own convex hull; see mesh_convex.c. `firsts` has for
// each vertex the first one at its place; of the topology, all else is known. Where the volume is
// negative, triangles are clockwise from outside.
// @return false when it is not, or when there is no memory (`hasMemory` says which)
bool wkIsConvexSurface(const wkMeshDef* def, const int32_t* firsts, const wkTopology* topology,
                       bool* hasMemory);
