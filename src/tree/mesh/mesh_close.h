// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Closes the surface of a solid mesh, see lids.h.

#include "tree/mesh/mesh_impl.h"

typedef struct wkClosedSurface {
    int32_t* triangles; // three indices each: the caller's, then lids; NULL: none were needed
    int32_t givenCount;
    int32_t count;
    int32_t loopCount; // loops closed by the lids
    int32_t hullCount; // doubtful parts that are bounded by their hulls, see lid_doubt.h
    double gap;        // vertices up to this distance may have been sewn together; 0: none were
    size_t byteCount;
} wkClosedSurface;

// Adds lids to the triangles of a definition: those that close its loops, and those that make triangles
// count once and in one direction, see lid_orient.h and lid_pieces.h, or hulls that bound what remains
// doubtful. Nothing is added where each edge is
// passed equally often in both directions, and no piece is flipped.
// @param firsts for each vertex the first one at its position
// @param radius of the mesh, which limits the gaps that are sewn
// @return wk_errorMemory, wk_errorRange, wk_errorUnsupported
wkResult wkCloseSurface(const wkMeshDef* given, const int32_t* firsts, double radius,
                        wkClosedSurface* closed);

void wkFreeClosedSurface(wkClosedSurface* closed);

// Drops lids whose vertices are collinear, such as those at T-junctions: no ray crosses them, and all of
// their points are on edges of other triangles. A mesh that may deform needs them.
void wkDropLinearLids(const wkVec3d* vertices, wkClosedSurface* closed);
