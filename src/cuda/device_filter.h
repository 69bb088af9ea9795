// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Filters of points on a GPU. Points of any layout become doubles; each step decides, in the order of the request, about
// the points that are left, whose indices stay ascending: a block of threads counts what it keeps, one block sums the
// counts, and indices are written behind those of the blocks before. Nothing depends on the order in which blocks run.
//
// Steps that decide each point by itself are applied together, in double precision, by the functions of the CPU
// (point_item.h). Voxels and neighbours are found among sorted points, with the numbers of the CPU's floats; sums of
// distances are exact in any order (mean_item.h).

#include "sense/filter/mean_item.h"
#include "sense/filter/point_item.h"
#include "sense/filter/point_node.h"
#include "sense/filter/voxel_item.h"
#include "tree/cloud/cloud_view.h"
#include "tree/cloud/curve_item.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

// Threads of a block, and points that are left whose kept ones are counted together.
#define WK_FILTER_THREADS 256

// Figures of a step that decides each point by itself.
typedef struct wkDeviceStep {
    int32_t examinedCount;
    int32_t removedCount;
    int32_t ownCount;
    int32_t shadowCount;
} wkDeviceStep;

// What kernels have counted.
typedef struct wkDeviceFigures {
    wkDeviceStep steps[WK_MAX_FILTER_STEPS];
    int32_t notFiniteCount;
    int32_t keptCount; // of the points that were left, by the last steps
    // of the points that a step decides together, set to all ones before: unsigned numbers in the order of floats, of
    // upper bounds inverted, so that the least of them is the bound
    uint32_t lower[3];
    uint32_t upper[3];
    uint32_t firstFinite; // of the points that are examined, the first one; all ones: none
    uint32_t hasCrowds;   // a cube of the curve has many points that a finer grid tells apart
} wkDeviceFigures;

// Points of a run, and memory for as many as it has. All pointers are to memory of the device.
typedef struct wkDevicePoints {
    wkVec3d* positions;     // of all points of the view
    uint8_t* marks;         // of the same: wkFilterMark
    const int32_t* indices; // of points that are left; NULL: all
    int32_t count;          // of them
    wkVec3d origin;
    bool areFloats;       // positions relative to the origin are floats of the view
    uint8_t* isKept;      // of those that are left
    int32_t* blockCounts; // kept points of each block of them, then those of the blocks before
    wkDeviceFigures* figures;
    float*
        x; // of those that are left, relative to the origin: for steps that decide all of them together
    float* y;
    float* z;
} wkDevicePoints;

// Writes the positions of points of a layout; `positions` is where that of the first one goes.
cudaError_t wkLaunchReadPoints(const wkCloudLayout* layout, wkVec3d* positions,
                               cudaStream_t stream);

// Finds the first finite point.
cudaError_t wkLaunchFindFirst(const wkDevicePoints* points, cudaStream_t stream);

// Steps that decide each point by itself.
typedef struct wkDeviceTests {
    wkDevicePoints points;
    const wkPointItem* items; // of all steps of the run
    int32_t firstStep;
    int32_t endStep;
    bool isFirst; // points have no marks yet
} wkDeviceTests;

// Applies the steps: marks points, and counts those that are kept.
cudaError_t wkLaunchTests(const wkDeviceTests* tests, cudaStream_t stream);

// Marks the points that a step has not kept, and counts the others.
cudaError_t wkLaunchFinish(const wkDevicePoints* points, uint8_t removedMark, cudaStream_t stream);

// Writes the indices of the points that are kept.
cudaError_t wkLaunchPack(const wkDevicePoints* points, int32_t* kept, cudaStream_t stream);

// Writes floats of the points that are left, and their bounds.
cudaError_t wkLaunchReadSet(const wkDevicePoints* points, cudaStream_t stream);

// Writes the positions of the points that are left, one after the other: three doubles each, or three floats.
cudaError_t wkLaunchWritePoints(const wkDevicePoints* points, bool areDoubles, void* to,
                                cudaStream_t stream);

// A step that keeps a point of each voxel.
typedef struct wkDeviceVoxels {
    wkDevicePoints points;
    wkVoxelGrid grid;
    bool hasKeys; // else voxels have digests
    int indexBits;
    uint64_t* entries;      // before they are sorted
    const uint64_t* sorted; // afterwards
    // where centroids are asked for; sums and counts of a voxel are at the number of its first entry, and are zeros before
    bool hasCentroids;
    double shift;     // rounds what is added up
    double* sums;     // three for each voxel
    uint32_t* counts; // of points
    int32_t* firsts;  // of points that are kept: the first entry of their voxel
    float* centroids; // three for each point that is kept
} wkDeviceVoxels;

// Writes an entry for each point.
cudaError_t wkLaunchVoxelEntries(const wkDeviceVoxels* voxels, cudaStream_t stream);

// Keeps the first entry of each voxel, and sums its points where centroids are asked for.
cudaError_t wkLaunchKeepVoxels(const wkDeviceVoxels* voxels, cudaStream_t stream);

// Writes the centroids of the voxels of kept points, which are counted.
cudaError_t wkLaunchCentroids(const wkDeviceVoxels* voxels, cudaStream_t stream);

// Points that share a cube of the curve with many others, before they are searched: these cubes are divided again. Of other
// points, the order stays.
typedef struct wkDeviceCrowds {
    wkDevicePoints points;
    const uint64_t* sorted; // entries
    uint64_t* entries;      // of the divided cubes, before they are sorted
    int indexBits;
    int cubeBits; // cubes of a divided one along each axis
    uint32_t*
        halves; // zeros before: of each crowd, by the index of its first entry, half its extent as bits of a float
} wkDeviceCrowds;

// Finds the extents of crowds, and whether there are any.
cudaError_t wkLaunchBoundCrowds(const wkDeviceCrowds* crowds, cudaStream_t stream);

// Writes an entry for each point, with `indexBits` and thrice `cubeBits` as its key.
cudaError_t wkLaunchDivideCrowds(const wkDeviceCrowds* crowds, cudaStream_t stream);

// A search for the neighbours of all points. Points are sorted along a curve, in a hierarchy of boxes as on the CPU.
typedef struct wkDeviceNeighbors {
    wkDevicePoints points;
    wkCurveGrid grid;
    int indexBits;
    uint64_t* entries;      // before they are sorted
    const uint64_t* sorted; // afterwards
    float* x;               // of sorted points; those that fill the last leaf up are NaN
    float* y;
    float* z;
    int32_t* ids; // of the same: index among the points that are left
    wkPointNode* nodes;
    int32_t levelCount;
    int32_t starts[WK_POINT_LEVELS]; // first node of each level; the children of level 0 are leaves
    float squaredRadius;             // of neighbours
    int32_t
        wanted;   // least number of neighbours, or how many are nearest, the point itself included
    float* means; // mean distance to the nearest ones, of points that are left
    wkMeanSums* sums; // of each block of means
    double threshold; // largest mean that is kept
} wkDeviceNeighbors;

// Writes an entry for each point.
cudaError_t wkLaunchCurveEntries(const wkDeviceNeighbors* neighbors, cudaStream_t stream);

// Writes sorted points and the nodes above them.
cudaError_t wkLaunchPointTree(const wkDeviceNeighbors* neighbors, cudaStream_t stream);

// Keeps points with enough neighbours.
cudaError_t wkLaunchCountNeighbors(const wkDeviceNeighbors* neighbors, cudaStream_t stream);

// Computes the mean distance of each point to its nearest neighbours, and sums of blocks of them.
cudaError_t wkLaunchMeanDistances(const wkDeviceNeighbors* neighbors, cudaStream_t stream);

// Keeps points whose mean distance is not above the threshold.
cudaError_t wkLaunchKeepNear(const wkDeviceNeighbors* neighbors, cudaStream_t stream);

// Nodes of the hierarchies of this many points and fewer.
WK_FN int64_t wkPointNodeCount(int64_t pointCount)
{
    int64_t total = 0, count = pointCount;
    do {
        count = (count + WK_POINT_WIDTH - 1) / WK_POINT_WIDTH;
        total += (count + WK_POINT_WIDTH - 1) / WK_POINT_WIDTH;
    } while (count > WK_POINT_WIDTH);
    return total + 1;
}

#ifdef __cplusplus
}
#endif
