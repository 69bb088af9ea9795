// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Libraries at work on the same questions, in alternating blocks; what they answered is kept.

#include "bench.h"
#include "measure.h"
#include "peers/peer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wkRacer {
    const char* name;
    const char* variant; // NULL: there is one way only
    void* handle;
    void (*pass)(void* handle); // answers every question once
    void (*close)(void* handle);
    wkAnswer* answers; // of the last pass
    wkAnswer* first;   // of the first pass
    int count;
    bool hasFirst;
} wkRacer;

// Allocates the answers. False when memory is short.
bool wkRacer_Init(wkRacer* racer, const char* name, const char* variant, int count);

// Hands over what a library has prepared; a handle of NULL closes the racer again, and is false.
bool wkRacer_Start(wkRacer* racer, void* handle, void (*pass)(void* handle),
                   void (*close)(void* handle));

void wkRacer_Close(wkRacer* racer);

// Times a racer and keeps it as the best if it is faster; the other one is closed.
// @param bestTime seconds of a pass of the best; INFINITY: there is none yet
void wkRacer_KeepFaster(wkRacer* best, double* bestTime, wkRacer* racer);

// Measures all of them, one side each.
void wkRace(wkRacer* racers, wkBenchSide* sides, int count, int blockCount);

// The row of the first racer alone.
wkBenchRow wkRaceRow(const char* name, const wkBenchSide* ours, int n, int blockCount);

// Adds a peer to that row.
void wkAddPeer(wkBenchRow* row, const wkRacer* peer, const wkBenchSide* theirs,
               const wkBenchSide* ours, int blockCount);

#ifdef __cplusplus
}
#endif
