// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Checks pairs of links in random configurations and counts how often each pair has touched.

#include "base/progress_report.h"
#include "robot/allowed_impl.h"
#include "robot/body_set.h"

#include <stdatomic.h>

// Maximum number of tasks in a round; each has its own memory.
#define WK_STUDY_TASKS 32

// Memory of one task of a round.
typedef struct wkStudySampler {
    struct wkPairStudy* study;
    wkRobotState* state;
    double* q;
    int32_t* lastTouch; // by pair of links: the last sample in which it touched
    int32_t sample;     // number of the current sample, from 1
} wkStudySampler;

typedef struct wkPairStudy {
    const wkRobot* robot;
    const wkAllowedRequest* sampling;
    wkBodySet* bodySet;      // its checked pairs are the pairs under study
    atomic_int* touchCounts; // by pair of links, up to when the pair was dropped
    int32_t* sampleCounts;   // by pair of links: samples in which it was checked; -1: all so far
    wkStudySampler samplers[WK_STUDY_TASKS];
    wkProgressMeter meter;
    int32_t firstChunk;   // of the round
    int32_t chunksOfTask; // in the round
    int32_t doneCount;    // samples of earlier rounds
} wkPairStudy;

// @return wk_errorMemory
wkResult wkPairStudy_Open(const wkRobot* robot, const wkAllowedRequest* sampling,
                          wkPairStudy* study);
void wkPairStudy_Close(wkPairStudy* study);

// Returns the index of a pair of links in tables; it is the same for both orders.
WK_FN size_t wkLinkPairIndex(const wkRobot* robot, int32_t linkA, int32_t linkB)
{
    int32_t lower = linkA < linkB ? linkA : linkB, higher = linkA < linkB ? linkB : linkA;
    return (size_t)lower * (size_t)robot->info.linkCount + (size_t)higher;
}

WK_FN size_t wkLinkPairCount(const wkRobot* robot)
{
    return (size_t)robot->info.linkCount * (size_t)robot->info.linkCount;
}

// Returns the number of samples in which a pair has touched.
WK_FN int32_t wkPairStudy_TouchCount(const wkPairStudy* study, int32_t linkA, int32_t linkB)
{
    size_t pair = wkLinkPairIndex(study->robot, linkA, linkB);
    return atomic_load_explicit(&study->touchCounts[pair], memory_order_relaxed);
}

// Drops a pair of links from the study; later samples do not check it.
void wkPairStudy_Drop(wkPairStudy* study, int32_t linkA, int32_t linkB);

// Checks the default configuration.
void wkPairStudy_TryDefault(wkPairStudy* study);

// Called between rounds, to drop pairs that more samples cannot change.
typedef void wkStudyRoundFcn(wkPairStudy* study, void* context);

// Continues with random configurations until there are `sampleCount` of them, in whole chunks.
// @param chunksOfTask chunks per task: 1 where contacts are frequent, more where they are rare
// @return false: cancelled
bool wkPairStudy_Sample(wkPairStudy* study, int32_t sampleCount, int32_t chunksOfTask,
                        wkStudyRoundFcn* fcn, void* context);
