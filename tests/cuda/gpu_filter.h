// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Clouds of all kinds with filter steps, and the comparison of a run on a GPU with that on the CPU.

#include "kit.h"
#include "scenes/rng.h"
#include "whisker/cuda.h"

#define CAPACITY 1500
#define MOST_POINTS 6000
#define SPHERES 24
#define LAYOUTS 4

// Points with their request, and what the CPU keeps of them.
typedef struct filterKit {
    wkRng rng;
    wkCloudFilter* filter;
    wkVec3d points[MOST_POINTS]; // in the frame of the request
    float floats[MOST_POINTS * 8];
    double doubles[MOST_POINTS * 3];
    int32_t count;
    wkFilterRequest request;
    wkFilterResult result;
} filterKit;

typedef struct filterCase {
    filterKit* kit;
    wkCuda* cuda;
    wkCudaFilter* onGpu;
    wkSphere3d spheres[SPHERES];
    wkFilterStep steps[WK_MAX_FILTER_STEPS];
    int32_t stepCount;
    int32_t indices[CAPACITY];
} filterCase;

// Kinds of clouds.
enum {
    cloudPlain,
    cloudHostile,
    cloudEqual,
    cloudFar,
    cloudHuge,
    cloudCrowded,
    cloudOne,
    cloudEmpty,
    CLOUDS
};

wkVec3d makeVec(double x, double y, double z);

filterKit* makeFilterKit(uint64_t seed);

void freeFilterKit(filterKit* kit);

// Writes the points in one of four layouts: packed floats, floats with gaps, floats backwards, doubles. Points of
// floats become what floats can be.
void layOutFilterPoints(filterKit* kit, int layout);

// Runs the steps on the CPU.
void runFilter(filterKit* kit, const wkFilterStep* steps, int32_t stepCount);

wkResult tryFilterCase(filterCase* c);

void closeFilterGpu(filterCase* c);

filterCase* openFilterCase(uint64_t seed);

void closeFilterCase(filterCase* c);

// Draws points about a table, in the frame of the request.
void drawFilterPoints(filterCase* c, int cloud, int layout);

wkFilterRobot drawFilterRobot(filterCase* c);

wkFilterStep drawFilterStep(filterCase* c, wkFilterType type);

// Examines some of the points.
void drawFilterIndices(filterCase* c);

void compareFilterFigures(const wkFilterResult* found, const wkFilterResult* expected);

// Asks for centroids where the last step may compute them.
void askForCentroids(filterCase* c);

// Runs the steps on both, and compares everything.
void compareFilterRuns(filterCase* c, wkCudaMemory memory);
