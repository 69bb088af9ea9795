// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Fitting the volumes of a mesh to its triangles, again when they have moved.

#include "tree/mesh.h"

typedef struct wkFitRule {
    wkFitFcn* ownFit; // the caller's rule for axes; NULL: ours
    void* context;
    const wkParallel* parallel; // NULL: the calling thread
} wkFitRule;

// Fits every volume around the triangles below it, and the previous places of their corners when
// the mesh has them. Needs memory for kinds other than boxes.
// @return false when there is none; nothing has changed then
bool wkRefit(wkMesh* mesh, const wkFitRule* rule);
