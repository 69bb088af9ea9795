// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a library must offer to be measured on pairs: Whisker itself is one of them.

#include "../tests/scenes/pair_scenes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wkPairQuery {
    wk_queryCollide,        // yes or no
    wk_queryContacts,       // one contact with normal and depth
    wk_queryDistance,       // not signed, with witness points
    wk_querySignedDistance, // with witness points
    wk_queryCount,
} wkPairQuery;

// A set of questions about one pair of shapes.
typedef struct wkPairJob {
    const wkShape* a;
    const wkShape* b;
    const wkPosePair* poses;
    int count;
    wkPairQuery query;
    bool isCoherent; // each pose is close to the one before: a warm start pays
} wkPairJob;

// The answer to one question, by query: 1 or 0; depth, or -1 when free; distance. NaN: it gave up.
typedef double wkAnswer;

// One way of one library to answer a job.
typedef struct wkPeer {
    const char* name;    // "fcl"
    const char* variant; // "libccd"; NULL when there is one way only
    // Prepares shapes and poses, not timed; NULL when the library cannot answer such a job.
    void* (*open)(const wkPairJob* job, wkAnswer* answers);
    void (*pass)(void* handle); // answers every question once
    void (*close)(void* handle);
} wkPeer;

#define WK_MAX_PEERS 8

// The peers of this program, those of one name next to each other; ends with a name of NULL.
extern const wkPeer wkPeers[];

// For the head of a report.
const char* wkPeerNames(void);

// Whisker itself.
extern const wkPeer wkOurSide;

#ifdef __cplusplus
}
#endif
