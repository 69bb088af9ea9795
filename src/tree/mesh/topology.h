// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The triangles of a mesh as a surface: its pieces, whether it is closed, whether it is convex, area and
// volume.

#include "math/vec.h"
#include "whisker/mesh.h"

// Identifies the lids of a definition: triangles with an index from `givenCount` on. Lids close the surface
// of a solid, see lids.h; all others are the caller's.
typedef struct wkGiven {
    int32_t givenCount;
    const int32_t* ids; // the index of each triangle; NULL: its position in the definition
} wkGiven;

typedef struct wkTopology {
    int32_t componentCount;
    int32_t degenerateCount; // of the caller's triangles
    bool isClosed;           // the caller's triangles are watertight
    bool isBalanced;  // with their lids, each edge is passed equally often in both directions
    bool isConvex;    // with their lids
    bool hasTwins;    // vertices with different indices share a position
    bool hasFlatLids; // lids without area
    double area;      // of the caller's triangles
    double lidArea;
    double volume;        // with their lids
    wkAabb bounds;        // of the vertices that triangles use
    wkVec3d sphereCenter; // a sphere around them
    double sphereRadius;
    int32_t* components;   // a triangle of each piece
    const int32_t* firsts; // for each vertex the first one at its position; in the scratch memory
} wkTopology;

// Maximum bytes of `components`.
size_t wkComponentBytes(const wkMeshDef* def);

// Scratch memory for wkFindTopology, in addition.
size_t wkTopologyBytes(const wkMeshDef* def);

// Finds the topology, its pieces in `components`; `scratch` is free again afterwards, except for `firsts`.
// @return false when out of memory
bool wkFindTopology(const wkMeshDef* def, const wkGiven* given, int32_t* components, void* scratch,
                    wkTopology* topology);

// Whether a balanced surface in one piece is its own convex hull; see mesh_convex.c. `firsts` has for each
// vertex the first one at its position; the other fields of the topology are set. Where the volume is
// negative, triangles are clockwise from outside.
// @return false when it is not, or when out of memory (`hasMemory` reports which)
bool wkIsConvexSurface(const wkMeshDef* def, const int32_t* firsts, const wkTopology* topology,
                       bool* hasMemory);
