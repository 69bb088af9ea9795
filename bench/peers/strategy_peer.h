// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a library must offer to be measured on bodies in front of a map: Whisker itself is one of
// them. There are two strategies: the map is asked as it is, or its cells become boxes of a broad
// phase first.

#include "broad/strategy_scene.h"
#include "peers/peer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wkStrategyTask {
    wk_strategyBoxes, // the cells as boxes; the answer is how many
    wk_strategyBuild, // a broad phase of these boxes; the answer is how many
    wk_strategyAsk,   // one answer per placement; a single one is asked again and again
} wkStrategyTask;

typedef struct wkStrategyJob {
    const wkStrategyScene* scene;
    wkStrategyTask task;
    wkStrategyQuery query;
    bool isDirect; // questions go to the map as it is
    int itemCount; // questions in a pass
} wkStrategyJob;

typedef struct wkStrategyPeer {
    const char* name;
    // Prepares everything that the task is not about; NULL when memory is short.
    void* (*open)(const wkStrategyJob* job, wkAnswer* answers);
    void (*pass)(void* handle);
    void (*close)(void* handle);
} wkStrategyPeer;

// FCL with OctoMap, where both are there; ends with a name of NULL.
extern const wkStrategyPeer wkStrategyPeers[];

// Whisker itself.
extern const wkStrategyPeer wkOurStrategySide;

#ifdef __cplusplus
}
#endif
