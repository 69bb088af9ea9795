// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The scenes of cells.h with a map of the cells in place of boxes, and the objects as shapes or as
// meshes of them: what direct queries on maps are measured with.

#include "cells.h"
#include "whisker/whisker.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wkMapScene {
    wkCellScene cells; // its shapes are meshes when these are wanted
    wkOctree* octree;
    wkMesh* meshes[WK_CELL_OBJECTS];
} wkMapScene;

// False when memory is short.
bool wkMapScene_Create(wkCellKind kind, uint64_t seed, bool areMeshes, wkMapScene* scene);

void wkMapScene_Destroy(wkMapScene* scene);

#ifdef __cplusplus
}
#endif
