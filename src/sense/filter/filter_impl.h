// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A run of filters. Steps that decide each point by itself are tests, such as a range, a box, a union of spheres.
// Consecutive tests are applied to one block of points after the other, so that points are read once. Other steps
// decide all points together.

#include "sense/filter/point_item.h"
#include "sense/filter/point_set.h"
#include "sense/filter/robot_test.h"
#include "tree/cloud/cloud_view.h"
#include "whisker/cloud_filter.h"

// Points of a task of a parallel loop.
#define WK_FILTER_CHUNK 16384

struct wkCloudFilter {
    void* memory; // of the largest run so far
    size_t byteCount;
};

typedef struct wkPointTest wkPointTest;

// What differs between tests.
typedef struct wkPointTestRow {
    uint64_t (*test)(const wkFilterLanes* lanes, const wkPointTest* test,
                     const wkFilterBlock* block, uint64_t asked, uint64_t* unsure);
    bool (*isInside)(const wkPointTest* test, wkVec3d point); // in double precision
} wkPointTestRow;

// A step as lanes need it, and what double precision needs. Positions are relative to the origin of the run.
struct wkPointTest {
    const wkPointTestRow* row;
    wkPointItem item; // its spheres are those of the robot below
    bool isCrop;      // a box whose axes are those of the points: see wkBoxTest
    wkRobotTest robot;
    union {
        wkRangeTest rangeLanes;
        wkBoxTest boxLanes;
    };
};

// Figures of a chunk.
typedef struct wkChunkInfo {
    int32_t keptCount;
    int32_t firstKept; // kept points of the chunks before
    int32_t notFiniteCount;
    float lower[3]; // bounds of its points
    float upper[3];
    wkFilterStepInfo steps[WK_MAX_FILTER_STEPS];
} wkChunkInfo;

// A run: its request, checked, its memory, and how far it has come.
typedef struct wkFilterRun {
    const wkFilterRequest* request;
    const wkFilterLanes* lanes;
    wkCloudLayout layout;
    wkVec3d origin;     // of lanes, in the frame of the points
    bool hasOrigin;     // it is not zero
    wkPointTest* tests; // one for each step
    wkChunkInfo* chunks;
    uint8_t* marks;
    const int32_t* indices; // points that are left; NULL: all of the view
    int32_t count;          // of them
    uint64_t* keptBits;     // of each block of them: those that the next steps keep
    int32_t* kept;          // the same, as indices
    int32_t* otherKept;     // memory of `indices`
    bool isStarted;         // points have marks
    int32_t firstStep;      // tests that are applied
    int32_t endStep;
    bool hasBounds;       // the set has bounds of the points that are left
    bool storesPositions; // of the points that are read, in the set
    wkPointSet set;
} wkFilterRun;

// Checks the steps of a request.
wkResult wkCheckFilterSteps(const wkFilterRequest* request);

// The position that a step is about, in the world.
wkVec3d wkFilterStepCenter(const wkFilterStep* step);

// Whether a step decides each point by itself.
bool wkIsPointTest(wkFilterType type);

// The robot of a step; NULL: none.
const wkFilterRobot* wkFilterStepRobot(const wkFilterStep* step);

// Prepares the test of a step, whose robot has its memory.
void wkPreparePointTest(const wkFilterRun* run, const wkFilterStep* step, wkPointTest* test);

// Index of the i-th point that is left among those of the view.
WK_FN int32_t wkPointIndex(const wkFilterRun* run, int32_t i)
{
    return run->indices != NULL ? run->indices[i] : i;
}

// A point of the view, relative to the origin of the run.
WK_FN wkVec3d wkPointAt(const wkFilterRun* run, int32_t index)
{
    const wkCloudLayout* l = &run->layout;
    const char* bytes = l->data + index * l->stride;
    double at[3];
    for (int axis = 0; axis < 3; ++axis) {
        const char* coordinate = bytes + l->offsets[axis];
        at[axis] = l->isDouble ? wkDoubleAt(coordinate) : (double)wkFloatAt(coordinate);
    }
    return wkSub(wkVec(at[0], at[1], at[2]), run->origin);
}

// Number of chunks of this many points.
WK_FN int32_t wkChunkCount(int32_t count)
{
    return (count + WK_FILTER_CHUNK - 1) / WK_FILTER_CHUNK;
}

// Keeps one point of each voxel by a table: the nearest to its middle. Sums the points of voxels for centroids.
// @return false: there are too many voxels, or too far apart
bool wkFindVoxels(wkFilterRun* run, double size, bool hasCentroids);

// Takes the bounds of the points that are left from their chunks.
void wkJoinBounds(wkFilterRun* run, int32_t chunkCount);

// Applies a step that decides all points together, and finds those that it keeps.
void wkApplySetStep(wkFilterRun* run, const wkFilterStep* step, wkFilterStepInfo* info);

// Kernels over a chunk of a wkFilterRun: tasks of a parallel loop.
typedef struct wkChunkLanes {
    wkTaskFcn* filterChunk; // applies the tests to its points; without tests, it bounds them
    wkTaskFcn* packChunk;   // writes the indices of the points that are kept
} wkChunkLanes;

// The same for steps that decide all points together.
typedef struct wkSetLanes {
    wkTaskFcn* readChunk;      // bounds the points that are left, and stores their positions
    wkTaskFcn* finishChunk;    // removes the points that the set has marked
    wkTaskFcn* writeCentroids; // of the voxels of the points that are kept
} wkSetLanes;

// NULL when the instruction set is not available.
const wkChunkLanes* wkChunkLanesOf(wkIsa isa);
const wkSetLanes* wkSetLanesOf(wkIsa isa);

// Kernels for this machine.
const wkChunkLanes* wkChunkLanesOfMachine(void);
const wkSetLanes* wkSetLanesOfMachine(void);
