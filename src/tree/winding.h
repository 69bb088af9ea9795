// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Whether a point is inside a solid mesh: its winding number, the share of all directions in which
// the triangles are seen from behind less that in which they are seen from the front. It is a whole
// number where the mesh is closed, and then crossings of a ray tell it (crossing.h); it is a good
// guess where the mesh leaks (Jacobson et al. 2013). Far triangles are summed up as a whole (Barill
// et al. 2018), and the error of that is bounded.

#include "tree/mesh.h"

// What the triangles below a node look like from afar: the first two terms of a Taylor series about
// a centre, and what bounds the rest. Lengths are shares of the radius of the mesh's ball, about its
// centre, so that no scale leaves the range of float. One cache line.
typedef struct wkDipole {
    float center[3]; // of area
    float radius;    // of a ball about it around the triangles
    float moment[3]; // sum of normals, as long as the triangles are large
    float area;      // not below the truth
    float turn[5];   // sum of normal times place, symmetric and without trace: xx yy xy xz yz
    float spread;    // sum of area times squared distance from the centre, not below the truth
    float unused[2];
} wkDipole;

WK_FN const wkDipole* wkMeshDipoles(const wkMesh* mesh)
{
    return (const wkDipole*)((const char*)mesh + mesh->dipoleOffset);
}

// Writes the dipoles of a solid mesh from its triangles.
void wkWriteDipoles(wkMesh* mesh);

// Whether a point is inside: within the bounds, and its winding number is above a half. Meshes that
// are inside out enclose the same. False for surfaces and for meshes without triangles.
bool wkMeshContains(const void* mesh, wkVec3d point);
