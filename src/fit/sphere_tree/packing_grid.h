// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A grid of clearances inside bodies: how large a sphere about the centre of each cell can be without leaving the
// bodies or overlapping the spheres that are placed. Cells are kept in bricks, only where they can be inside.
// Clearances guide the search for the next sphere and prove nothing.

#include "fit/sphere_tree/sphere_packing.h"

#define WK_BRICK_EDGE 8
#define WK_BRICK_CELLS (WK_BRICK_EDGE * WK_BRICK_EDGE * WK_BRICK_EDGE)

typedef struct wkPackingBrick {
    int32_t at[3];       // in bricks from the lower end of the grid
    int32_t largestCell; // with the largest clearance
    float largest;
    float clearances[WK_BRICK_CELLS]; // at centres of cells
} wkPackingBrick;

typedef struct wkPackingGrid {
    const wkFitSurface* surface;
    wkVec3d lower;       // of the first brick
    double cell;         // edge of a cell
    double largest;      // upper bound of all clearances
    int32_t size[3];     // bricks along each axis
    int32_t* brickAt;    // index of the brick at a position; -1: nothing of it is inside
    int64_t brickAtSize; // number of positions
    wkPackingBrick* bricks;
    int32_t brickCount;
    int32_t* heap; // bricks, the one with the largest clearance first; clearances may have shrunk
    float* keys;   // clearance of a brick when it was put into the heap
} wkPackingGrid;

// Number of cells that a grid may have: 64 MiB.
#define WK_MOST_CELLS (1 << 24)

// Makes a grid with cells of a given edge, around spheres that are placed already.
// @param largest upper bound of all clearances; infinity where no sphere is placed
// @param isTooFine set where the grid would have too many cells; nothing is made then
// @return wk_errorMemory, wk_errorCancelled
wkResult wkPackingGrid_Create(const wkPackingJob* job, double cell, double largest,
                              const wkSphereF* spheres, int32_t count, wkPackingGrid* grid,
                              bool* isTooFine);
void wkPackingGrid_Destroy(wkPackingGrid* grid);

// Finds the cell with the largest clearance.
// @return the clearance; -1: nothing is left
float wkPackingGrid_Largest(wkPackingGrid* grid, int32_t* brick, wkVec3d* center);

// Reduces clearances around a sphere that was placed.
void wkPackingGrid_Place(wkPackingGrid* grid, const wkSphereF* sphere);

// Drops the largest cell of a brick: no sphere fits there.
void wkPackingGrid_Drop(wkPackingGrid* grid, int32_t brick);
