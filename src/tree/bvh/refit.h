// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Fitting the volumes of a mesh to its triangles, again when they have moved.

#include "tree/mesh/mesh_impl.h"

typedef struct wkFitRule {
    wkFitFcn* ownFit; // the caller's rule for axes; NULL: ours
    void* context;
    const wkParallel* parallel; // NULL: the calling thread
} wkFitRule;

// Memory that wkRefit needs for a mesh that has previous vertices, or has not; 0 for boxes.
size_t wkRefitBytes(const wkMesh* mesh, bool hasPrevious);

// Fits every volume around the triangles below it, and the previous places of their vertices when
// the mesh has them.
void wkRefit(wkMesh* mesh, const wkFitRule* rule, void* scratch);
