// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Measures one task on all sides. See robot_compare.h.

#include "robot/robot_compare.h"

#include "race.h"

#include <math.h>
#include <string.h>

// One in so many configurations is proven even though all agree.
#define PROVEN_SHARE 25

static bool openOne(wkRacer* racer, const wkRobotPeer* peer, const wkPeerRobotJob* job)
{
    return wkRacer_Init(racer, peer->name, peer->variant, job->robotCase->count) &&
           wkRacer_Start(racer, peer->open(job, racer->answers), peer->pass, peer->close);
}

bool wkOpenFastestRobotPeer(wkRacer* best, const wkRobotPeer* first, const wkPeerRobotJob* job)
{
    double bestTime = INFINITY;
    const wkRobotPeer* peer = first;
    for (; peer->name != NULL && strcmp(peer->name, first->name) == 0; peer++) {
        wkRacer racer;
        if (openOne(&racer, peer, job)) {
            wkRacer_KeepFaster(best, &bestTime, &racer);
        }
    }
    return bestTime < (double)INFINITY;
}

static int openAll(wkRacer* racers, const wkPeerRobotJob* job)
{
    if (!openOne(&racers[0], &wkOurRobotSide, job)) {
        return 0;
    }
    int count = 1;
    for (int i = 0; wkRobotPeers[i].name != NULL && count <= WK_MAX_PEERS; i++) {
        bool isNew = i == 0 || strcmp(wkRobotPeers[i].name, wkRobotPeers[i - 1].name) != 0;
        if (isNew && wkOpenFastestRobotPeer(&racers[count], &wkRobotPeers[i], job)) {
            count++;
        }
    }
    return count;
}

// Counts the wrong answers of each side.
static void classify(const wkRacer* racers, const wkBenchSide* sides, int count,
                     const wkPeerRobotJob* job, long* wrong)
{
    for (int i = 0; i < count; i++) {
        wrong[i] = sides[i].changedCount;
    }
    for (int k = 0; k < job->robotCase->count; k++) {
        bool isOpen = k % PROVEN_SHARE == 0;
        for (int i = 1; i < count; i++) {
            isOpen = isOpen || racers[i].answers[k] != racers[0].answers[k];
        }
        double truth = isOpen ? wkRobotTruth(job->robotCase, job->task, k) : 0.0;
        for (int i = 0; i < count && isOpen; i++) {
            wrong[i] += racers[i].answers[k] != truth ? 1 : 0;
        }
    }
}

bool wkCompareRobots(const wkBench* bench, const char* name, const wkPeerRobotJob* job,
                     wkComparison* out)
{
    wkRacer racers[1 + WK_MAX_PEERS];
    wkBenchSide sides[1 + WK_MAX_PEERS];
    long wrong[1 + WK_MAX_PEERS] = {0};
    out->rowCount = 0;
    int count = openAll(racers, job);
    if (count == 0) {
        return false;
    }
    wkRace(racers, sides, count, bench->blockCount);
    classify(racers, sides, count, job, wrong);
    wkBenchRow base = wkRaceRow(name, &sides[0], job->robotCase->count, bench->blockCount);
    base.wrong = wrong[0];
    for (int i = 1; i < count; i++) {
        wkBenchRow* row = &out->rows[out->rowCount++];
        *row = base;
        row->wrong = i == 1 ? base.wrong : 0;
        wkAddPeer(row, &racers[i], &sides[i], &sides[0], bench->blockCount);
        row->peerWrong = wrong[i];
    }
    if (count == 1) {
        out->rows[out->rowCount++] = base;
    }
    for (int i = 0; i < count; i++) {
        wkRacer_Close(&racers[i]);
    }
    return true;
}
