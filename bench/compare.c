// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Measures one job on all sides and turns the blocks into rows.

#include "compare.h"

#include "measure.h"

#include <stdlib.h>
#include <string.h>

// A library at work on the job.
typedef struct openSide {
    const wkPeer* peer;
    void* handle;
    wkAnswer* answers; // of the last pass
    wkAnswer* first;   // of the first pass
    int count;
    bool hasFirst;
} openSide;

static void passSide(void* context)
{
    openSide* side = (openSide*)context;
    side->peer->pass(side->handle);
    if (!side->hasFirst) {
        memcpy(side->first, side->answers, sizeof(wkAnswer) * (size_t)side->count);
        side->hasFirst = true;
    }
}

static bool isUnchanged(void* context)
{
    const openSide* side = (const openSide*)context;
    return memcmp(side->first, side->answers, sizeof(wkAnswer) * (size_t)side->count) == 0;
}

static void closeSide(openSide* side)
{
    if (side->handle != NULL) {
        side->peer->close(side->handle);
    }
    free(side->answers);
    free(side->first);
    memset(side, 0, sizeof *side);
}

// False when the library cannot do it.
static bool openOne(openSide* side, const wkPeer* peer, const wkPairJob* job)
{
    memset(side, 0, sizeof *side);
    size_t byteCount = sizeof(wkAnswer) * (size_t)job->count;
    side->peer = peer;
    side->count = job->count;
    side->answers = (wkAnswer*)malloc(byteCount);
    side->first = (wkAnswer*)malloc(byteCount);
    if (side->answers != NULL && side->first != NULL) {
        side->handle = peer->open(job, side->answers);
    }
    if (side->handle == NULL) {
        closeSide(side);
    }
    return side->handle != NULL;
}

// The last block's answers stand for all: blocks that answered otherwise are counted apart.
static long countWrong(const openSide* side, const wkPairJob* job, const wkPairTruth* truths,
                       bool isOurs, int changedCount)
{
    long wrong = changedCount;
    for (int i = 0; i < job->count; i++) {
        bool isWrong = isOurs ? wkIsOursWrong(job->query, side->answers[i], &truths[i])
                              : wkIsPeerWrong(job->query, side->answers[i], &truths[i]);
        wrong += isWrong ? 1 : 0;
    }
    return wrong;
}

bool wkCompare(const wkBench* bench, const char* name, const wkPairJob* job,
               const wkPairTruth* truths, wkComparison* out)
{
    openSide open[1 + WK_MAX_PEERS];
    wkBenchSide sides[1 + WK_MAX_PEERS];
    out->rowCount = 0;
    if (!openOne(&open[0], &wkOurSide, job)) {
        return false;
    }
    int sideCount = 1;
    for (int i = 0; wkPeers[i].name != NULL && sideCount <= WK_MAX_PEERS; i++) {
        if (openOne(&open[sideCount], &wkPeers[i], job)) {
            sideCount++;
        }
    }

    memset(sides, 0, sizeof sides);
    for (int s = 0; s < sideCount; s++) {
        sides[s].pass = passSide;
        sides[s].isUnchanged = isUnchanged;
        sides[s].context = &open[s];
    }
    wkMeasure(sides, sideCount, job->count, bench->blockCount);

    wkBenchRow base;
    memset(&base, 0, sizeof base);
    snprintf(base.name, sizeof base.name, "%s", name);
    base.ours = sides[0].median;
    base.unit = "ns";
    base.spread = wkBlockSpread(&sides[0], bench->blockCount);
    base.wrong = countWrong(&open[0], job, truths, true, sides[0].changedCount);
    base.n = job->count;
    if (sideCount == 1) {
        out->rows[out->rowCount++] = base;
    }

    // variants of one library are neighbours: keep the faster one
    for (int s = 1; s < sideCount; s++) {
        const wkPeer* peer = open[s].peer;
        bool isSame =
            out->rowCount > 0 && strcmp(out->rows[out->rowCount - 1].peer, peer->name) == 0;
        if (isSame && out->rows[out->rowCount - 1].theirs <= sides[s].median) {
            continue;
        }
        wkBenchRow* row = &out->rows[isSame ? out->rowCount - 1 : out->rowCount++];
        *row = base;
        row->peer = peer->name;
        row->variant = peer->variant;
        row->theirs = sides[s].median;
        row->ratio = wkBlockRatio(&sides[s], &sides[0], bench->blockCount, &row->spread);
        row->peerWrong = countWrong(&open[s], job, truths, false, sides[s].changedCount);
    }

    for (int s = 0; s < sideCount; s++) {
        closeSide(&open[s]);
    }
    return true;
}

void wkEmitComparison(wkBench* bench, const wkComparison* comparison)
{
    for (int i = 0; i < comparison->rowCount; i++) {
        wkBench_Emit(bench, &comparison->rows[i]);
    }
}
