// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Bodies in front of an occupancy map, for the tables of the paper on octrees (ICRA 2013).

#include "../tests/scenes/cells.h"
#include "../tests/scenes/mesh_models.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wkStrategyScene {
    char name[32]; // "shapes/free"
    int bodyCount;
    wkShape* shapes;
    wkModel* models; // of bodies that are meshes; without triangles for others
    wkMesh** meshes; // what their shapes borrow
    wkPose* poses;   // bodyCount for each placement
    int placementCount;

    wkOctree* octree;
    wkAabb* cells; // the single occupied cells of the map
    int cellCount;
    double cellSize;
} wkStrategyScene;

// 300 bodies and 7,784 cells, where the grid is `growth` times as long as in the paper's: 1 for the
// tables, more for maps of more cells with the same number about the bodies.
bool wkStrategyScene_MakeCells(wkStrategyScene* scene, wkCellKind kind, bool areMeshes, int growth);

// 88 links in 100 random configurations in a room, of which a depth camera has seen a part.
bool wkStrategyScene_MakeRobot(wkStrategyScene* scene);

void wkStrategyScene_Free(wkStrategyScene* scene);

// What is asked of each placement.
typedef enum wkStrategyQuery {
    wk_strategyFirst,    // does a body touch a cell? 1 or 0
    wk_strategyAll,      // how many bodies touch cells?
    wk_strategyDistance, // how far is the nearest body from the nearest cell? 0: one touches
    wk_strategyQueryCount,
} wkStrategyQuery;

// The answer by looking at all cells as boxes, one by one.
double wkStrategyTruth(const wkStrategyScene* scene, wkStrategyQuery query, int placement);

// Leaves the placements that touch nothing, no more than `count` of them.
void wkStrategyScene_KeepFree(wkStrategyScene* scene, const double* touching, int count);

#ifdef __cplusplus
}
#endif
