// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A run of filters. Steps that decide each point by itself are tests, such as a range, a box, a union of spheres.
// Consecutive tests are applied to one block of points after the other, so that points are read once. Other steps
// decide all points together.

#include "math/frame.h"
#include "sense/filter/point_set.h"
#include "sense/filter/robot_test.h"
#include "tree/cloud/cloud_view.h"
#include "whisker/cloud_filter.h"

// Points of a task of a parallel loop.
#define WK_FILTER_CHUNK 16384

// Indices are written to memory of their chunk, with space for those behind the last.
#define WK_CHUNK_CAPACITY (WK_FILTER_CHUNK + WK_FILTER_BLOCK)

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

// The points inside of something are kept, or those outside. Positions are relative to the origin of the run.
struct wkPointTest {
    const wkPointTestRow* row;
    bool keepsInside;
    bool keepsOutside;
    uint8_t markInside; // of points inside, where they are kept
    wkVec3d sensor;
    double minDistance;
    double maxDistance;
    wkFrame boxFrame;
    wkAabb box;
    wkRobotTest robot;
    bool keepsShadow;   // keeps what is in the shadow of the robot, where it has one
    uint8_t markShadow; // of these points, where they are kept
    union {
        wkRangeTest rangeLanes;
        wkBoxTest boxLanes;
    };
};

// Figures of a chunk.
typedef struct wkChunkInfo {
    int32_t keptCount;
    int32_t notFiniteCount;
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
    int32_t* kept;          // WK_CHUNK_CAPACITY for each chunk: those that the next steps keep
    int32_t* otherKept;     // the same, for `indices`
    bool isStarted;         // points have marks
    int32_t firstStep;      // tests that are applied
    int32_t endStep;
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

// Applies a step that decides all points together, and writes the indices of those that it keeps.
void wkApplySetStep(wkFilterRun* run, const wkFilterStep* step, wkFilterStepInfo* info);

// Kernels over a chunk of a wkFilterRun: tasks of a parallel loop.
typedef struct wkChunkLanes {
    wkTaskFcn* filterChunk; // applies the tests to its points
    wkTaskFcn* readChunk;   // reads the positions of the points that are left
    wkTaskFcn* finishChunk; // removes the points that the set has marked
} wkChunkLanes;

// NULL when the instruction set is not available.
const wkChunkLanes* wkChunkLanesOf(wkIsa isa);

// Kernels for this machine.
const wkChunkLanes* wkChunkLanesOfMachine(void);
