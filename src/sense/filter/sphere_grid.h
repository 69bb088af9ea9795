// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A union of spheres, and a grid around it that decides most points by the cell they are in.

#include "math/vec.h"
#include "sense/filter/filter_kernel.h"

typedef struct wkSphereGrid {
    wkSphere3d* spheres; // relative to the origin of the run
    int32_t count;
    int32_t* candidates; // three arrays of `count`: spheres that reach a slab, a row and a cell
    int32_t* cells;      // WK_SPHERE_CELLS cubed
    wkSphereList* lists; // WK_SPHERE_LISTS
    wkSphereGroup* groups;
    int32_t groupCapacity;
    int32_t groupCount;
    wkVec3d lower; // corner of the grid
    wkVec3d size;  // of a cell
    double slack;  // rounding of positions
} wkSphereGrid;

// One list for each coarse cell, and one of all spheres.
#define WK_SPHERE_LISTS (WK_SPHERE_COARSE * WK_SPHERE_COARSE * WK_SPHERE_COARSE + 1)

// Reserves the arrays of a grid for a number of spheres behind `byteCount` bytes of a block. They are there once
// the block is: wkPlaceSphereGrid.
typedef struct wkSphereGridOffsets {
    uint64_t spheres, candidates, cells, lists, groups;
} wkSphereGridOffsets;

wkSphereGridOffsets wkReserveSphereGrid(int32_t sphereCount, uint64_t* byteCount);
void wkPlaceSphereGrid(char* memory, wkSphereGridOffsets offsets, int32_t sphereCount,
                       wkSphereGrid* grid);

// Builds the grid of the spheres, at least one, and writes the test for lanes.
void wkBuildSphereGrid(wkSphereGrid* grid, wkSphereTest* test);
