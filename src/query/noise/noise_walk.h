// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The walk over a noisy cloud: finds the points that can touch a body with a probability that matters, and bounds
// that of all others.

#include "query/noise/point_noise.h"
#include "query/tree/walk.h"
#include "tree/cloud/cloud_impl.h"

typedef struct wkNoiseWalk wkNoiseWalk;

// Takes a point of the cloud.
// @return wk_stepStop when nothing more is needed
typedef wkStep wkNoiseLeafFcn(wkNoiseWalk* walk, int32_t rank, const wkNoisyPoint* point);

struct wkNoiseWalk {
    // set by the query
    const wkShape* cloud;
    const wkNoiseBody* body;
    wkFrame cloudInBody;
    double deviation; // of points without one of their own
    double variance;  // of noise that the body adds
    double margin;
    double cutoff; // points that are this many deviations from touching need not be examined
    double
        eventsEach; // chances of touching that each point has: 1, or one per point of another cloud
    wkNoiseLeafFcn* leaf;
    int64_t* workLeft;

    // results
    double pruned;       // upper bound of the probability of all points that were not examined
    int64_t prunedCount; // of these points
    bool isStopped;      // no work was left: points are missing from both
};

// Standard deviation of a point of the cloud.
double wkNoiseDeviation(const wkNoiseWalk* walk, int32_t rank);

void wkWalkNoise(wkNoiseWalk* walk);

// Returns the number of deviations beyond which that many chances of touching add up to less than the tolerance.
double wkNoiseCutoff(const wkNoiseBody* body, double chanceCount, double tolerance);
