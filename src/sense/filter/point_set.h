// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Points that a step decides together: those that the steps before have kept, as floats, and ways to sort them.

#include "math/vec.h"
#include "sense/filter/neighbor_kernel.h"
#include "sense/filter/voxel_table.h"

typedef struct wkPointSet {
    int32_t count;
    float* x; // relative to the origin of the run; arrays have space for a block behind their end
    float* y;
    float* z;
    uint8_t* isRemoved;
    uint64_t* entries; // a key above an index
    uint64_t* spare;
    float* means;     // mean distance to the neighbours of each point
    wkPointTree tree; // the same points, sorted along a curve
    wkVoxelTable table;
    float* centroids; // three for each of them
    float lower[3];   // bounds of the points
    float upper[3];
} wkPointSet;

typedef struct wkPointSetOffsets {
    uint64_t positions[6], isRemoved, entries, spare, means, ids, nodes, centroids;
    wkVoxelTableOffsets table;
} wkPointSetOffsets;

// Reserves the arrays of a set behind `byteCount` bytes of a block. They are there once the block is.
wkPointSetOffsets wkReservePointSet(int32_t capacity, uint64_t* byteCount);
void wkPlacePointSet(char* memory, wkPointSetOffsets offsets, int32_t capacity, wkPointSet* set);

// Fills the space behind the points with copies of the first one.
void wkPadPointSet(wkPointSet* set);

// Sorts entries by their bits from `lowest` up to, not including, `highest`; equal ones keep their order.
// @return `entries` or `spare`, which has the result
uint64_t* wkSortEntries(uint64_t* entries, uint64_t* spare, int32_t count, int lowest, int highest);

// Lays out a grid around the points.
// @return bits of a key; 0: there are too many voxels for keys of `most` bits
int wkMakeVoxelGrid(const wkPointSet* set, double size, int most, wkVoxelGrid* grid);

// Keeps one point of each voxel by sorting: the nearest to its middle. Sums the points of voxels for centroids.
void wkSortVoxels(wkPointSet* set, double size, bool hasCentroids);

// Upper bound of the distance of two points of one voxel; infinite where coordinates are too large for floats.
double wkVoxelReach(const wkPointSet* set, double size);

// The grid of the curve along which the points are sorted.
wkCurveGrid wkMakePointGrid(const wkPointSet* set);

// Sorts the points along a space-filling curve and builds boxes around them.
void wkBuildPointTree(wkPointSet* set);
