// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Fits the volumes of a mesh to its triangles, and refits them when these have moved.

#include "tree/mesh/mesh_impl.h"

typedef struct wkFitRule {
    wkFitFcn* ownFit; // the caller's rule for axes; NULL: ours
    void* context;
    const wkParallel* parallel; // NULL: the calling thread
} wkFitRule;

// Scratch memory for wkRefit, with or without previous vertices; 0 for boxes.
size_t wkRefitBytes(const wkMesh* mesh, bool hasPrevious);

// Fits every volume to the triangles below it, and to the previous positions of their vertices when the
// mesh has them.
void wkRefit(wkMesh* mesh, const wkFitRule* rule, void* scratch);
