// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The steps from the caller's points to a cloud: measure, thin, order, fill. Each is a loop over tasks that do not
// depend on each other, and none of them depends on the number of threads.

#include "base/parallel.h"
#include "tree/cloud/cloud_impl.h"
#include "tree/cloud/cloud_kernel.h"
#include "whisker/detail/library.h"

// Points of a task that reads all of them in the order of the source.
#define WK_SOURCE_CHUNK 32768
#define WK_CHUNK_COUNT(count) (int32_t)(((count) + WK_SOURCE_CHUNK - 1) / WK_SOURCE_CHUNK)

// What one pass over a source finds.
typedef struct wkSourceFigures {
    wkPointExtent all;
    double rounding;       // upper bound of the distance between a given point and its floats
    wkPointExtent* chunks; // of each WK_SOURCE_CHUNK points
    int32_t chunkCount;
} wkSourceFigures;

// Checks all finite points of a definition: range, rounding, radii, deviations. Free the figures in any case.
wkResult wkMeasureSource(const wkCloudDef* def, const wkCloudSource* source,
                         const wkParallel* parallel, wkSourceFigures* figures);
void wkFreeSourceFigures(wkSourceFigures* figures);

// Measures points that have been checked before.
// @return false: no memory
bool wkMeasureThinned(const wkCloudSource* source, const wkParallel* parallel,
                      wkSourceFigures* figures);

// Finite points in arrays of floats, for thinning.
typedef struct wkCloudPoints {
    int32_t count;
    int32_t mergedCount;
    float* x;
    float* y;
    float* z;
    int32_t* ids; // index among the caller's points
    float* radii; // rounding not included
    void* memory; // of all arrays
    size_t byteCount;
} wkCloudPoints;

// Copies the finite points of a source.
// @return false: no memory
bool wkReadCloudPoints(const wkCloudSource* source, int32_t finiteCount, wkCloudPoints* points);
void wkFreeCloudPoints(wkCloudPoints* points);

// Keeps one point of each cube, or of each position, see wkCloudDef.
// @return false: no memory
bool wkThinCloudPoints(const wkCloudDef* def, wkCloudPoints* points);

// How the points of a source are sorted, and the memory for it.
typedef struct wkCloudOrder {
    wkCurvePlan plan;
    int32_t count;       // finite points
    int32_t topCount;    // values of the highest bits
    int keyBits;         // of positions
    uint32_t* starts;    // [chunk][top], and behind them of all
    uint64_t* sliceSums; // for the checksum
    void* memory;
    size_t byteCount;
} wkCloudOrder;

// Plans the order of points and reserves memory. Free the order in any case.
// @return false: no memory
bool wkPlanCloudOrder(const wkSourceFigures* figures, int64_t sourceCount, wkCloudOrder* order);
void wkFreeCloudOrder(wkCloudOrder* order);

// Finds the indices of the finite points of a source along the curve.
// @param scratch memory for two entries for each point
void wkOrderCloudPoints(const wkCloudSource* source, const wkSourceFigures* figures,
                        const wkParallel* parallel, const wkCloudOrder* order,
                        wkCurveEntry* scratch, int32_t* indices);

// Writes everything behind the header of a cloud, and its largest radius, bounds and checksum. Where its ids will be,
// the indices of points among those of the source are.
// @param viewStride bytes from one of the caller's points to the next
void wkFillCloud(const wkCloudDef* def, int64_t viewStride, const wkCloudSource* source,
                 const wkCloudOrder* order, const wkParallel* parallel, wkCloud* cloud);
