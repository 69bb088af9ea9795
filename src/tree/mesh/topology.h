// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the triangles of a mesh are as a surface: its pieces, whether it is closed, whether it is
// convex, area and volume.

#include "math/vec.h"
#include "whisker/mesh.h"

// Which triangles of a definition are lids: those with an index from `givenCount` on. Lids close the
// surface of a solid, see lids.h; all else is as the caller gave it.
typedef struct wkGiven {
    int32_t givenCount;
    const int32_t* ids; // the index of each triangle; NULL: its position in the definition
} wkGiven;

typedef struct wkTopology {
    int32_t componentCount;
    int32_t degenerateCount; // of the triangles as given
    bool isClosed;           // the triangles as given are watertight
    bool isBalanced;         // with their lids, each edge is passed as often one way as the other
    bool isConvex;           // with their lids
    bool hasTwins;           // vertices with different indices are at one place
    bool hasFlatLids;        // lids without area
    double area;             // of the triangles as given
    double lidArea;
    double volume;        // with their lids
    wkAabb bounds;        // of the vertices that triangles use
    wkVec3d sphereCenter; // a sphere around them
    double sphereRadius;
    int32_t* components;   // a triangle of each piece
    const int32_t* firsts; // for each vertex the first one at its place; in the scratch memory
} wkTopology;

// Bytes that `components` may take.
size_t wkComponentBytes(const wkMeshDef* def);

// Memory that wkFindTopology needs beside them.
size_t wkTopologyBytes(const wkMeshDef* def);

// `components` is where those of the topology go; `scratch` is free again afterwards, but for `firsts`.
// @return false when there is no memory
bool wkFindTopology(const wkMeshDef* def, const wkGiven* given, int32_t* components, void* scratch,
                    wkTopology* topology);

// Whether a balanced surface in one piece is its own convex hull; see mesh_convex.c. `firsts` has for
// each vertex the first one at its place; of the topology, all else is known. Where the volume is
// negative, triangles are clockwise from outside.
// @return false when it is not, or when there is no memory (`hasMemory` says which)
bool wkIsConvexSurface(const wkMeshDef* def, const int32_t* firsts, const wkTopology* topology,
                       bool* hasMemory);
