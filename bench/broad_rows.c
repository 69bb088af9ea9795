// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// broad/<boxes>/<motion>: all pairs among boxes that all move in every frame, the update included;
// with Whisker's other broad phases as rows of their own.

#include "broad_peer.h"
#include "race.h"

#include "../tests/scenes/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 5u
#define BAR 2.0

// Frames take long and vary little.
#define BROAD_BLOCKS 5

// Boxes per cubic metre, at about a metre each: one to two pairs for each.
#define DENSITY 0.25

static const struct {
    const char* name;
    int boxCount;
    int frameCount; // even: there and back again, further than boxes with slack would cover
} sizes[] = {{"1k", 1000, 24}, {"10k", 10000, 24}, {"100k", 100000, 24}};
#define SIZE_COUNT ((int)(sizeof sizes / sizeof sizes[0]))

// Metres per frame.
static const struct {
    const char* name;
    double step;
} motions[] = {{"slow", 0.02}, {"fast", 0.5}};
#define MOTION_COUNT ((int)(sizeof motions / sizeof motions[0]))

typedef struct broadCase {
    wkBroadJob job;
    wkVec3d* sizes;
    wkVec3d* centers;
    double* truth; // pairs in each frame
} broadCase;

static void closeCase(broadCase* c)
{
    free(c->sizes);
    free(c->centers);
    free(c->truth);
}

// On a grid that is exact in single precision.
static double onGrid(double value)
{
    return floor(value * 64.0) / 64.0;
}

static void placeBoxes(broadCase* c, double step)
{
    wkRng rng = wkMakeRng(SEED);
    int count = c->job.boxCount, frames = c->job.frameCount;
    double side = cbrt(count / DENSITY);
    for (int i = 0; i < count; i++) {
        // half sizes lie between the lines of the grid, two together never on one
        double half[3];
        for (int axis = 0; axis < 3; axis++) {
            half[axis] = onGrid(wkRngRange(&rng, 0.25, 0.75)) + 1.0 / 256.0;
        }
        c->sizes[i] = wkSceneVec(2.0 * half[0], 2.0 * half[1], 2.0 * half[2]);
        wkVec3d start = wkSceneVec(wkRngRange(&rng, 0.0, side), wkRngRange(&rng, 0.0, side),
                                   wkRngRange(&rng, 0.0, side));
        wkVec3d way = wkSceneScale(wkRngDirection(&rng), step * wkRngRange(&rng, 0.8, 1.25));
        for (int frame = 0; frame < frames; frame++) {
            int along = frame <= frames / 2 ? frame : frames - frame;
            wkVec3d at = wkSceneAdd(start, wkSceneScale(way, along));
            c->centers[(size_t)frame * (size_t)count + (size_t)i] =
                wkSceneVec(onGrid(at.x), onGrid(at.y), onGrid(at.z));
        }
    }
}

typedef struct sweptBox {
    wkVec3d lower;
    wkVec3d upper;
} sweptBox;

static int compareBoxes(const void* a, const void* b)
{
    double x = ((const sweptBox*)a)->lower.x, y = ((const sweptBox*)b)->lower.x;
    return (x > y) - (x < y);
}

// The number of pairs by the plainest method that ends: sorted along x, all that follow are tested.
static double countPairs(const broadCase* c, int frame, sweptBox* boxes)
{
    int count = c->job.boxCount;
    const wkVec3d* centers = &c->centers[(size_t)frame * (size_t)count];
    for (int i = 0; i < count; i++) {
        wkVec3d half = wkSceneScale(c->sizes[i], 0.5);
        boxes[i].lower = wkSceneSub(centers[i], half);
        boxes[i].upper = wkSceneAdd(centers[i], half);
    }
    qsort(boxes, (size_t)count, sizeof *boxes, compareBoxes);
    double pairs = 0.0;
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count && boxes[j].lower.x <= boxes[i].upper.x; j++) {
            bool meets =
                boxes[i].lower.y <= boxes[j].upper.y && boxes[j].lower.y <= boxes[i].upper.y &&
                boxes[i].lower.z <= boxes[j].upper.z && boxes[j].lower.z <= boxes[i].upper.z;
            pairs += meets ? 1.0 : 0.0;
        }
    }
    return pairs;
}

static bool openCase(broadCase* c, int size, int motion)
{
    size_t count = (size_t)sizes[size].boxCount, frames = (size_t)sizes[size].frameCount;
    memset(c, 0, sizeof *c);
    c->job.boxCount = (int)count;
    c->job.frameCount = (int)frames;
    c->sizes = (wkVec3d*)calloc(count, sizeof *c->sizes);
    c->centers = (wkVec3d*)calloc(count * frames, sizeof *c->centers);
    c->truth = (double*)calloc(frames, sizeof *c->truth);
    sweptBox* boxes = (sweptBox*)calloc(count, sizeof *boxes);
    bool isReady = c->sizes != NULL && c->centers != NULL && c->truth != NULL && boxes != NULL;
    if (isReady) {
        placeBoxes(c, motions[motion].step);
        for (size_t frame = 0; frame < frames; frame++) {
            c->truth[frame] = countPairs(c, (int)frame, boxes);
        }
        c->job.sizes = c->sizes;
        c->job.centers = c->centers;
    }
    free(boxes);
    return isReady;
}

static bool openRacer(wkRacer* racer, const wkBroadPeer* peer, const wkBroadJob* job)
{
    return wkRacer_Init(racer, peer->name, peer->variant, job->frameCount) &&
           wkRacer_Start(racer, peer->open(job, racer->answers), peer->pass, peer->close);
}

static long countWrong(const broadCase* c, const wkRacer* racer, const wkBenchSide* side)
{
    long wrong = side->changedCount;
    for (int i = 0; i < racer->count; i++) {
        wrong += racer->answers[i] == c->truth[i] ? 0 : 1;
    }
    return wrong;
}

// Whisker's own tree and every way of every peer, a row for each.
static void race(wkBench* bench, const char* name, const broadCase* c)
{
    wkRacer racers[1 + WK_MAX_PEERS];
    wkBenchSide sides[1 + WK_MAX_PEERS];
    if (!openRacer(&racers[0], &wkOurBroadSide, &c->job)) {
        fprintf(stderr, "%s: left out: %s\n", name, wkGetLastError());
        bench->wrongCount++;
        return;
    }
    int count = 1;
    for (int i = 0; wkBroadPeers[i].name != NULL && count <= WK_MAX_PEERS; i++) {
        count += openRacer(&racers[count], &wkBroadPeers[i], &c->job) ? 1 : 0;
    }
    wkRace(racers, sides, count, BROAD_BLOCKS);
    wkBenchRow base = wkRaceRow(name, &sides[0], racers[0].count, BROAD_BLOCKS);
    base.wrong = countWrong(c, &racers[0], &sides[0]);
    for (int i = 1; i < count; i++) {
        wkBenchRow row = base;
        wkAddPeer(&row, &racers[i], &sides[i], &sides[0], BROAD_BLOCKS);
        row.peerWrong = countWrong(c, &racers[i], &sides[i]);
        row.bar = BAR;
        wkBench_Emit(bench, &row);
    }
    if (count == 1) {
        wkBench_Emit(bench, &base);
    }
    for (int i = 0; i < count; i++) {
        wkRacer_Close(&racers[i]);
    }
}

// One of Whisker's other broad phases.
static void runAlone(wkBench* bench, const char* name, broadCase c, wkBroadPhase broadPhase)
{
    wkRacer racer;
    wkBenchSide side;
    c.job.broadPhase = broadPhase;
    if (openRacer(&racer, &wkOurBroadSide, &c.job)) {
        wkRace(&racer, &side, 1, BROAD_BLOCKS);
        wkBenchRow row = wkRaceRow(name, &side, racer.count, BROAD_BLOCKS);
        row.wrong = countWrong(&c, &racer, &side);
        wkBench_Emit(bench, &row);
        wkRacer_Close(&racer);
    }
}

static void nameRow(char* name, int size, int motion, int phase)
{
    snprintf(name, WK_ROW_NAME_CAPACITY, "broad/%s/%s%s%s", sizes[size].name, motions[motion].name,
             phase != wk_broadTree ? "/" : "",
             phase != wk_broadTree ? wkBroadPhaseName((wkBroadPhase)phase) : "");
}

static void runCase(wkBench* bench, int size, int motion)
{
    char names[wk_broadPhaseCount][WK_ROW_NAME_CAPACITY];
    bool isWanted[wk_broadPhaseCount];
    bool isNeeded = false;
    for (int phase = 0; phase < wk_broadPhaseCount; phase++) {
        nameRow(names[phase], size, motion, phase);
        // going through all pairs of many boxes is no way to find them
        bool isSensible = phase != wk_broadBrute || sizes[size].boxCount <= 1000;
        isWanted[phase] = isSensible && wkBench_Wants(bench, names[phase]);
        isNeeded = isNeeded || isWanted[phase];
    }
    broadCase c;
    if (!isNeeded || !openCase(&c, size, motion)) {
        return;
    }
    if (isWanted[wk_broadTree]) {
        race(bench, names[wk_broadTree], &c);
    }
    for (int phase = wk_broadTree + 1; phase < wk_broadPhaseCount; phase++) {
        if (isWanted[phase]) {
            runAlone(bench, names[phase], c, (wkBroadPhase)phase);
        }
    }
    closeCase(&c);
}

void wkRunBroadRows(wkBench* bench)
{
    for (int size = 0; size < SIZE_COUNT; size++) {
        for (int motion = 0; motion < MOTION_COUNT; motion++) {
            runCase(bench, size, motion);
        }
    }
}
