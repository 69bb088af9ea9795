// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Measures one mesh job on all sides. See mesh_compare.h.

#include "mesh/mesh_compare.h"

#include "race.h"

#include <math.h>
#include <string.h>

// False when the library cannot do it.
static bool openOne(wkRacer* racer, const wkMeshPeer* peer, const wkMeshJob* job)
{
    return wkRacer_Init(racer, peer->name, peer->variant, job->count) &&
           wkRacer_Start(racer, peer->open(job, racer->answers), peer->pass, peer->close);
}

// Opens the fastest way of the library whose ways start at `first`; false when it has none.
static bool openBest(wkRacer* best, const wkMeshPeer* first, const wkMeshJob* job,
                     const char* variant)
{
    double bestTime = INFINITY;
    for (const wkMeshPeer* peer = first; peer->name != NULL && strcmp(peer->name, first->name) == 0;
         peer++) {
        wkRacer racer;
        bool isWanted = variant == NULL || strcmp(variant, peer->variant) == 0;
        if (isWanted && openOne(&racer, peer, job)) {
            wkRacer_KeepFaster(best, &bestTime, &racer);
        }
    }
    return bestTime < (double)INFINITY;
}

static long countWrong(const wkRacer* racer, const wkBenchSide* side, wkWrongFcn* isWrong,
                       const void* context, bool isOurs)
{
    long wrong = side->changedCount;
    for (int i = 0; i < racer->count; i++) {
        wrong += isWrong(context, i, racer->answers[i], isOurs) ? 1 : 0;
    }
    return wrong;
}

bool wkCompareMeshes(const wkBench* bench, const char* name, const wkMeshJob* job,
                     const char* peerVariant, wkWrongFcn* isWrong, const void* context,
                     wkComparison* out)
{
    wkRacer racers[1 + WK_MAX_PEERS];
    wkBenchSide sides[1 + WK_MAX_PEERS];
    out->rowCount = 0;
    if (!openOne(&racers[0], &wkOurMeshSide, job)) {
        fprintf(stderr, "%s: left out: %s\n", name, wkGetLastError());
        return false;
    }
    int count = 1;
    for (int i = 0; wkMeshPeers[i].name != NULL && count <= WK_MAX_PEERS; i++) {
        bool isNew = i == 0 || strcmp(wkMeshPeers[i].name, wkMeshPeers[i - 1].name) != 0;
        if (isNew && openBest(&racers[count], &wkMeshPeers[i], job, peerVariant)) {
            count++;
        }
    }

    wkRace(racers, sides, count, bench->blockCount);
    wkBenchRow base = wkRaceRow(name, &sides[0], job->count, bench->blockCount);
    base.wrong = countWrong(&racers[0], &sides[0], isWrong, context, true);
    for (int i = 1; i < count; i++) {
        wkBenchRow* row = &out->rows[out->rowCount++];
        *row = base;
        wkAddPeer(row, &racers[i], &sides[i], &sides[0], bench->blockCount);
        row->peerWrong = countWrong(&racers[i], &sides[i], isWrong, context, false);
    }
    if (count == 1) {
        out->rows[out->rowCount++] = base;
    }
    for (int i = 0; i < count; i++) {
        wkRacer_Close(&racers[i]);
    }
    return true;
}
