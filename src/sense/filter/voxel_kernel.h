// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Voxels of points, many at a time.

#include "base/cpu.h"
#include "sense/filter/voxel_item.h"

#include <stdbool.h>
#include <stdint.h>

// Points whose voxels are computed together.
#define WK_VOXEL_BLOCK 64

struct wkFilterRun;
struct wkVoxelTable;

typedef struct wkVoxelLanes {
    // keys of WK_VOXEL_BLOCK points, and their ranks: 0 is in the middle
    void (*findVoxels)(const wkVoxelGrid* grid, const float* x, const float* y, const float* z,
                       uint64_t* keys, uint32_t* ranks);
    // adds all points of a run to an empty table, and to its sums where centroids are asked for
    // @return false: the table is full
    bool (*fillTable)(const struct wkFilterRun* run, const wkVoxelGrid* grid, bool hasCentroids,
                      struct wkVoxelTable* table);
} wkVoxelLanes;

typedef struct wkSharedVoxelLanes {
    // adds all points of a run to an empty table, those that share their voxel also to its sums where centroids are
    // asked for. Removes these points, and keeps the others
    // @param acceptsDense voxels may have many points
    // @return false: they have many, and `fillTable` of wkVoxelLanes is faster
    bool (*fillTable)(const struct wkFilterRun* run, const wkVoxelGrid* grid, bool hasCentroids,
                      bool acceptsDense, struct wkVoxelTable* table);
} wkSharedVoxelLanes;

// NULL when the instruction set is not available.
const wkVoxelLanes* wkVoxelLanesOf(wkIsa isa);
const wkSharedVoxelLanes* wkSharedVoxelLanesOf(wkIsa isa);

// Kernels for this machine.
const wkVoxelLanes* wkVoxelLanesOfMachine(void);
const wkSharedVoxelLanes* wkSharedVoxelLanesOfMachine(void);
