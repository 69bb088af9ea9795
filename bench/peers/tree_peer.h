// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a library must offer to be measured on dynamic trees: Whisker itself is one of them.

#include "peers/peer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Boxes that a tree is built of, and boxes that it is asked about.
typedef struct wkTreeJob {
    const wkAabb* boxes;
    int boxCount;
    const wkAabb* queries;
    int queryCount; // 0: the build alone
    bool isBuilt;   // before the clock starts: every query is an item; else all of it is one
} wkTreeJob;

// The answer to a query is how many boxes it meets; where all is one item, it is the sum, and for a
// build alone the number of boxes.

// One way of one library to answer a job.
typedef struct wkTreePeer {
    const char* name;    // "fcl"
    const char* variant; // "level 0"
    int level;           // how the tree is built
    // Prepares the boxes, not timed.
    void* (*open)(const wkTreeJob* job, int level, wkAnswer* answers);
    void (*pass)(void* handle); // answers every item once
    void (*close)(void* handle);
} wkTreePeer;

// FCL with its levels of building, from the best tree to the fastest build; ends with a name of NULL.
extern const wkTreePeer wkTreePeers[];

// Whisker itself, by wkDynQuality.
extern const wkTreePeer wkOurTreeSides[2];

#ifdef __cplusplus
}
#endif
