// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Random configurations in which pairs of links are examined: how often each has touched so far.

#include "base/progress_report.h"
#include "robot/allowed_impl.h"
#include "robot/body_set.h"

#include <stdatomic.h>

// Tasks of a round at most, each with memory of its own.
#define WK_STUDY_TASKS 32

// What one task of a round needs.
typedef struct wkStudySampler {
    struct wkPairStudy* study;
    wkRobotState* state;
    double* q;
    int32_t* lastTouch; // by pair of links: the sample in which it was last seen touching
    int32_t sample;     // the one at hand, from 1 on
} wkStudySampler;

typedef struct wkPairStudy {
    const wkRobot* robot;
    const wkAllowedSampling* sampling;
    wkBodySet* bodySet;      // the pairs that it checks are those that are examined
    atomic_int* touchCounts; // by pair of links, until it was left out
    int32_t* sampleCounts;   // by pair of links: samples in which it was examined; -1: all so far
    wkStudySampler samplers[WK_STUDY_TASKS];
    wkProgressMeter meter;
    int32_t firstChunk;   // of the round
    int32_t chunksOfTask; // in the round
    int32_t doneCount;    // samples of earlier rounds
} wkPairStudy;

// @return wk_errorMemory
wkResult wkPairStudy_Open(const wkRobot* robot, const wkAllowedSampling* sampling,
                          wkPairStudy* study);
void wkPairStudy_Close(wkPairStudy* study);

// Index of a pair of links in tables, the same for both orders.
WK_FN size_t wkLinkPairIndex(const wkRobot* robot, int32_t linkA, int32_t linkB)
{
    int32_t lower = linkA < linkB ? linkA : linkB, higher = linkA < linkB ? linkB : linkA;
    return (size_t)lower * (size_t)robot->info.linkCount + (size_t)higher;
}

WK_FN size_t wkLinkPairCount(const wkRobot* robot)
{
    return (size_t)robot->info.linkCount * (size_t)robot->info.linkCount;
}

// In how many samples a pair has touched.
WK_FN int32_t wkPairStudy_TouchCount(const wkPairStudy* study, int32_t linkA, int32_t linkB)
{
    size_t pair = wkLinkPairIndex(study->robot, linkA, linkB);
    return atomic_load_explicit(&study->touchCounts[pair], memory_order_relaxed);
}

// Leaves a pair of links out of what is examined.
void wkPairStudy_Drop(wkPairStudy* study, int32_t linkA, int32_t linkB);

// Examines the default configuration.
void wkPairStudy_TryDefault(wkPairStudy* study);

// Called between rounds, to leave out pairs for which nothing more can come of it.
typedef void wkStudyRoundFcn(wkPairStudy* study, void* context);

// Goes on with random configurations until there are `sampleCount` of them, in whole chunks.
// @param chunksOfTask work of a task: 1 where much is found, more where little is
// @return false: cancelled
bool wkPairStudy_Sample(wkPairStudy* study, int32_t sampleCount, int32_t chunksOfTask,
                        wkStudyRoundFcn* fcn, void* context);
