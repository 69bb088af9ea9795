// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A batch that checks many configurations, timed: the verdicts of its first pass are those of all.

#include "whisker/batch.h"

typedef struct wkStateSide {
    const wkBatch* batch;
    const double* states;
    int count;
    int repeatCount; // of a pass, so that what a peer does to the caches counts for little
    uint8_t* verdicts;
    uint8_t* first; // verdicts of the first pass
    bool hasFirst;
    wkResult result; // of the last pass that failed
} wkStateSide;

// Returns false when out of memory; close it in any case.
bool wkStateSide_Open(wkStateSide* side, const double* states, int count, int repeatCount);
void wkStateSide_Close(wkStateSide* side);

// For wkBenchSide: `pass` and `isUnchanged`.
void wkPassStates(void* side);
bool wkAreVerdictsUnchanged(void* side);
