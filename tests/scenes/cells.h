// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Occupied cells of a sensor map and objects among them, as in the tables of the paper on octrees
// (ICRA 2013): 7,784 cubes of 10 cm and 300 spheres, boxes and cylinders.

#include "rng.h"
#include "whisker/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WK_CELL_COUNT 7784
#define WK_CELL_SIZE 0.1
#define WK_CELL_OBJECTS 300

typedef enum wkCellKind {
    wk_cellsBlock,   // a block of 2 m, large objects far around it
    wk_cellsScatter, // anywhere in 10 m, objects of about 0.4 m: many touch
    wk_cellsFree,    // the same, but no object touches a cell
    wk_cellKindCount,
} wkCellKind;

typedef struct wkCellScene {
    const char* name;
    wkVec3d centers[WK_CELL_COUNT]; // of the cells, in no order
    wkShape shapes[WK_CELL_OBJECTS];
    wkPose poses[WK_CELL_OBJECTS];
} wkCellScene;

void wkMakeCellScene(wkCellScene* scene, wkCellKind kind, uint64_t seed);

#ifdef __cplusplus
}
#endif
