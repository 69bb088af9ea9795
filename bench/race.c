// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Sides of a comparison as something to measure. See race.h.

#include "race.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool wkRacer_Init(wkRacer* racer, const char* name, const char* variant, int count)
{
    size_t byteCount = sizeof(wkAnswer) * (size_t)count;
    memset(racer, 0, sizeof *racer);
    racer->name = name;
    racer->variant = variant;
    racer->count = count;
    racer->answers = (wkAnswer*)calloc(1, byteCount);
    racer->first = (wkAnswer*)calloc(1, byteCount);
    if (racer->answers == NULL || racer->first == NULL) {
        wkRacer_Close(racer);
        return false;
    }
    return true;
}

bool wkRacer_Start(wkRacer* racer, void* handle, void (*pass)(void* handle),
                   void (*close)(void* handle))
{
    racer->handle = handle;
    racer->pass = pass;
    racer->close = close;
    if (handle == NULL) {
        wkRacer_Close(racer);
    }
    return handle != NULL;
}

void wkRacer_Close(wkRacer* racer)
{
    if (racer->handle != NULL) {
        racer->close(racer->handle);
    }
    free(racer->answers);
    free(racer->first);
    memset(racer, 0, sizeof *racer);
}

// The faster of two passes: the first one warms up.
static double timePass(const wkRacer* racer)
{
    double best = INFINITY;
    for (int i = 0; i < 2; i++) {
        double start = wkBenchNow();
        racer->pass(racer->handle);
        best = fmin(best, wkBenchNow() - start);
    }
    return best;
}

void wkRacer_KeepFaster(wkRacer* best, double* bestTime, wkRacer* racer)
{
    double time = timePass(racer);
    if (time >= *bestTime) {
        wkRacer_Close(racer);
        return;
    }
    if (*bestTime < (double)INFINITY) {
        wkRacer_Close(best);
    }
    *best = *racer;
    *bestTime = time;
}

static void passRacer(void* context)
{
    wkRacer* racer = (wkRacer*)context;
    racer->pass(racer->handle);
    if (!racer->hasFirst) {
        memcpy(racer->first, racer->answers, sizeof(wkAnswer) * (size_t)racer->count);
        racer->hasFirst = true;
    }
}

static bool isUnchanged(void* context)
{
    const wkRacer* racer = (const wkRacer*)context;
    return memcmp(racer->first, racer->answers, sizeof(wkAnswer) * (size_t)racer->count) == 0;
}

void wkRace(wkRacer* racers, wkBenchSide* sides, int count, int blockCount)
{
    memset(sides, 0, sizeof(wkBenchSide) * (size_t)count);
    for (int i = 0; i < count; i++) {
        sides[i].pass = passRacer;
        sides[i].isUnchanged = isUnchanged;
        sides[i].context = &racers[i];
    }
    wkMeasure(sides, count, racers[0].count, blockCount);
}

wkBenchRow wkRaceRow(const char* name, const wkBenchSide* ours, int n, int blockCount)
{
    wkBenchRow row;
    memset(&row, 0, sizeof row);
    snprintf(row.name, sizeof row.name, "%s", name);
    row.ours = ours->median;
    row.unit = "ns";
    row.spread = wkBlockSpread(ours, blockCount);
    row.n = n;
    return row;
}

void wkAddPeer(wkBenchRow* row, const wkRacer* peer, const wkBenchSide* theirs,
               const wkBenchSide* ours, int blockCount)
{
    row->peer = peer->name;
    row->variant = peer->variant;
    row->theirs = theirs->median;
    row->ratio = wkBlockRatio(theirs, ours, blockCount, &row->spread);
}
