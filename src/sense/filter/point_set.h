// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Points that a step decides together: those that the steps before have kept, as floats, and ways to sort them.

#include "math/vec.h"
#include "sense/filter/neighbor_kernel.h"
#include "sense/filter/voxel_kernel.h"

// Voxels of points, in blocks: see voxel_table.c.
typedef struct wkVoxelTable {
    uint32_t* directory; // first voxel of each block
    uint64_t directoryCapacity;
    uint32_t* voxels; // the point that is kept
    uint32_t blockCapacity;
    uint32_t blockCount;
    uint32_t* slots; // the voxel of each point
} wkVoxelTable;

typedef struct wkVoxelTableOffsets {
    uint64_t directory, voxels, slots;
} wkVoxelTableOffsets;

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
    float* centroids; // three for each point
    wkVoxelTable table;
    float lower[3]; // bounds of the points
    float upper[3];
} wkPointSet;

typedef struct wkPointSetOffsets {
    uint64_t positions[6], isRemoved, entries, spare, means, ids, nodes, centroids;
    wkVoxelTableOffsets table;
} wkPointSetOffsets;

// Reserves the arrays of a set behind `byteCount` bytes of a block. They are there once the block is.
wkPointSetOffsets wkReservePointSet(int32_t capacity, uint64_t* byteCount);
void wkPlacePointSet(char* memory, wkPointSetOffsets offsets, int32_t capacity, wkPointSet* set);

// Computes the bounds. The arrays are padded with copies of the first point.
void wkBoundPointSet(wkPointSet* set);

// Number of bits that indices of this many points take.
int wkIndexBits(int32_t count);

// Sorts entries by their bits from `lowest` up to, not including, `highest`; equal ones keep their order.
// @return `entries` or `spare`, which has the result
uint64_t* wkSortEntries(uint64_t* entries, uint64_t* spare, int32_t count, int lowest, int highest);

// Keeps one point of each voxel: the nearest to its middle. Writes the centroid of a voxel to the point that is kept.
void wkKeepOnePerVoxel(wkPointSet* set, double size, bool hasCentroids);

// Reserves the arrays of a table behind `byteCount` bytes of a block. They are there once the block is.
void wkReserveVoxelTable(int32_t pointCount, uint64_t* byteCount, wkVoxelTableOffsets* offsets);
void wkPlaceVoxelTable(char* memory, wkVoxelTableOffsets offsets, int32_t pointCount,
                       wkVoxelTable* table);

// Finds the point of each voxel that is kept.
// @return false: there are too many voxels, or too far apart
bool wkFillVoxelTable(wkVoxelTable* table, const wkPointSet* set, const wkVoxelGrid* grid,
                      int indexBits);
void wkKeepLeastOfVoxels(const wkVoxelTable* table, int indexBits, int32_t count,
                         uint8_t* isRemoved);

// Writes the centroid of each voxel to the point that is kept.
void wkAddCentroids(const wkVoxelTable* table, const wkPointSet* set, int indexBits);

// Upper bound of the distance of two points of one voxel.
double wkVoxelReach(const wkPointSet* set, double size);

// Sorts the points along a space-filling curve and builds boxes around them.
void wkBuildPointTree(wkPointSet* set);
