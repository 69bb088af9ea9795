// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Measures one job on all sides and turns the blocks into rows.

#include "compare.h"

#include "race.h"

#include <string.h>

// False when the library cannot do it.
static bool openOne(wkRacer* racer, const wkPeer* peer, const wkPairJob* job)
{
    return wkRacer_Init(racer, peer->name, peer->variant, job->count) &&
           wkRacer_Start(racer, peer->open(job, racer->answers), peer->pass, peer->close);
}

// The last block's answers stand for all: blocks that answered otherwise are counted apart.
static long countWrong(const wkRacer* side, const wkPairJob* job, const wkPairTruth* truths,
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
    wkRacer open[1 + WK_MAX_PEERS];
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

    wkRace(open, sides, sideCount, bench->blockCount);
    wkBenchRow base = wkRaceRow(name, &sides[0], job->count, bench->blockCount);
    base.wrong = countWrong(&open[0], job, truths, true, sides[0].changedCount);
    if (sideCount == 1) {
        out->rows[out->rowCount++] = base;
    }

    // variants of one library are neighbours: keep the faster one
    for (int s = 1; s < sideCount; s++) {
        bool isSame =
            out->rowCount > 0 && strcmp(out->rows[out->rowCount - 1].peer, open[s].name) == 0;
        if (isSame && out->rows[out->rowCount - 1].theirs <= sides[s].median) {
            continue;
        }
        wkBenchRow* row = &out->rows[isSame ? out->rowCount - 1 : out->rowCount++];
        *row = base;
        wkAddPeer(row, &open[s], &sides[s], &sides[0], bench->blockCount);
        row->peerWrong = countWrong(&open[s], job, truths, false, sides[s].changedCount);
    }

    for (int s = 0; s < sideCount; s++) {
        wkRacer_Close(&open[s]);
    }
    return true;
}

void wkEmitComparison(wkBench* bench, const wkComparison* comparison)
{
    for (int i = 0; i < comparison->rowCount; i++) {
        wkBench_Emit(bench, &comparison->rows[i]);
    }
}
