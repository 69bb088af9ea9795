// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// broad/<boxes>/<motion>: all pairs among boxes that all move in every frame, the update included;
// with Whisker's other broad phases as rows of their own.

#include "bench.h"
#include "measure.h"
#include "peers/broad_peer.h"

#include "../tests/scenes/rng.h"

#include "whisker/detail/counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 5u
#define BAR 2.0

// Boxes per cubic metre, at about a metre each: one to two pairs for each.
#define DENSITY 0.25

// Even: there and back again, further than boxes with slack would cover.
#define FRAME_COUNT 24

// Libraries take turns after some frames, a divisor of FRAME_COUNT: few, so that a slow moment of the
// machine meets all alike, but not so few that each one only fetches its memory again. Some of them put
// work off until there is much of it, so whole rounds through all frames are compared.
static const struct {
    const char* name;
    int boxCount;
    int rotationFrames;
    int roundCount;
} sizes[] = {{"1k", 1000, 24, 15}, {"10k", 10000, 6, 4}, {"100k", 100000, 6, 1}};
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
    long* truth; // pairs in each frame
    int rotationFrames;
    int roundCount;
} broadCase;

// One library on its way through the frames, over and over.
typedef struct runner {
    const wkBroadPeer* peer;
    const broadCase* c;
    void* handle;
    int frame;  // the next one
    long wrong; // frames with another number of pairs than there are
} runner;

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
static long countPairs(const broadCase* c, int frame, sweptBox* boxes)
{
    int count = c->job.boxCount;
    const wkVec3d* centers = &c->centers[(size_t)frame * (size_t)count];
    for (int i = 0; i < count; i++) {
        wkVec3d half = wkSceneScale(c->sizes[i], 0.5);
        boxes[i].lower = wkSceneSub(centers[i], half);
        boxes[i].upper = wkSceneAdd(centers[i], half);
    }
    qsort(boxes, (size_t)count, sizeof *boxes, compareBoxes);
    long pairs = 0;
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count && boxes[j].lower.x <= boxes[i].upper.x; j++) {
            bool meets =
                boxes[i].lower.y <= boxes[j].upper.y && boxes[j].lower.y <= boxes[i].upper.y &&
                boxes[i].lower.z <= boxes[j].upper.z && boxes[j].lower.z <= boxes[i].upper.z;
            pairs += meets ? 1 : 0;
        }
    }
    return pairs;
}

static bool openCase(broadCase* c, int size, int motion)
{
    size_t count = (size_t)sizes[size].boxCount, frames = FRAME_COUNT;
    memset(c, 0, sizeof *c);
    c->job.boxCount = (int)count;
    c->job.frameCount = FRAME_COUNT;
    c->rotationFrames = sizes[size].rotationFrames;
    c->roundCount = sizes[size].roundCount;
    c->sizes = (wkVec3d*)calloc(count, sizeof *c->sizes);
    c->centers = (wkVec3d*)calloc(count * frames, sizeof *c->centers);
    c->truth = (long*)calloc(frames, sizeof *c->truth);
    sweptBox* boxes = (sweptBox*)calloc(count, sizeof *boxes);
    bool isReady = c->sizes != NULL && c->centers != NULL && c->truth != NULL && boxes != NULL;
    if (isReady) {
        placeBoxes(c, motions[motion].step);
        for (int frame = 0; frame < FRAME_COUNT; frame++) {
            int there = FRAME_COUNT - frame; // the same on the way back
            c->truth[frame] = there < frame ? c->truth[there] : countPairs(c, frame, boxes);
        }
        c->job.sizes = c->sizes;
        c->job.centers = c->centers;
    }
    free(boxes);
    return isReady;
}

static bool openRunner(runner* r, const wkBroadPeer* peer, const broadCase* c)
{
    *r = (runner){.peer = peer, .c = c, .handle = peer->open(&c->job)};
    return r->handle != NULL;
}

static void passFrames(void* context)
{
    runner* r = (runner*)context;
    for (int i = 0; i < r->c->rotationFrames; i++) {
        long count = r->peer->step(r->handle, r->frame);
        r->wrong += count == r->c->truth[r->frame] ? 0 : 1;
        r->frame = (r->frame + 1) % FRAME_COUNT;
    }
}

static void measure(runner* runners, wkBenchSide* sides, int count, int blockCount)
{
    memset(sides, 0, sizeof *sides * (size_t)count);
    for (int i = 0; i < count; i++) {
        sides[i].pass = passFrames;
        sides[i].context = &runners[i];
    }
    wkMeasure(sides, count, runners[0].c->rotationFrames, blockCount);
}

// From blocks that are turns to blocks that are rounds.
static wkBenchSide joinRotations(const wkBenchSide* turns, const broadCase* c)
{
    wkBenchSide rounds = *turns;
    int rotationCount = FRAME_COUNT / c->rotationFrames;
    double times[WK_MAX_BLOCKS] = {0.0};
    for (int i = 0; i < c->roundCount * rotationCount; i++) {
        times[i / rotationCount] += turns->blocks[i] / rotationCount;
    }
    memcpy(rounds.blocks, times, sizeof times);
    rounds.median = wkMedian(times, c->roundCount);
    return rounds;
}

static wkBenchRow makeRow(const char* name, const runner* ours, const wkBenchSide* side,
                          int blockCount)
{
    wkBenchRow row = {.unit = "ns", .n = FRAME_COUNT};
    snprintf(row.name, sizeof row.name, "%s", name);
    row.ours = side->median;
    row.spread = wkBlockSpread(side, blockCount);
    row.wrong = ours->wrong;
    return row;
}

static void addPeer(wkBenchRow* row, const runner* peer, const wkBenchSide* theirRotations,
                    const wkBenchSide* ourRotations)
{
    const broadCase* c = peer->c;
    wkBenchSide theirs = joinRotations(theirRotations, c), ours = joinRotations(ourRotations, c);
    row->peer = peer->peer->name;
    row->variant = peer->peer->variant;
    row->theirs = theirs.median;
    row->ratio = wkBlockRatio(&theirs, &ours, c->roundCount, &row->spread);
    if (c->roundCount == 1) { // its turns tell how much it varies
        wkBlockRatio(theirRotations, ourRotations, FRAME_COUNT / c->rotationFrames, &row->spread);
    }
    row->peerWrong = peer->wrong;
    row->bar = BAR;
}

// Whisker's own tree and every way of every peer, a row for each.
static void race(wkBench* bench, const char* name, const broadCase* c)
{
    runner runners[1 + WK_MAX_PEERS];
    wkBenchSide turns[1 + WK_MAX_PEERS];
    if (!openRunner(&runners[0], &wkOurBroadSide, c)) {
        fprintf(stderr, "%s: left out: %s\n", name, wkGetLastError());
        bench->wrongCount++;
        return;
    }
    int count = 1;
    for (int i = 0; wkBroadPeers[i].name != NULL && count <= WK_MAX_PEERS; i++) {
        count += openRunner(&runners[count], &wkBroadPeers[i], c) ? 1 : 0;
    }
    measure(runners, turns, count, c->roundCount * (FRAME_COUNT / c->rotationFrames));
    wkBenchSide ours = joinRotations(&turns[0], c);
    wkBenchRow base = makeRow(name, &runners[0], &ours, c->roundCount);
    for (int i = 1; i < count; i++) {
        wkBenchRow row = base;
        addPeer(&row, &runners[i], &turns[i], &turns[0]);
        wkBench_Emit(bench, &row);
    }
    if (count == 1) {
        wkBench_Emit(bench, &base);
    }
    for (int i = 0; i < count; i++) {
        runners[i].peer->close(runners[i].handle);
    }
}

// One of Whisker's other broad phases, which treat all frames alike.
static void runAlone(wkBench* bench, const char* name, broadCase c, wkBroadPhase broadPhase)
{
    runner ours;
    wkBenchSide side;
    c.job.broadPhase = broadPhase;
    c.rotationFrames = 1;
    if (openRunner(&ours, &wkOurBroadSide, &c)) {
        measure(&ours, &side, 1, bench->blockCount);
        wkBenchRow row = makeRow(name, &ours, &side, bench->blockCount);
        wkBench_Emit(bench, &row);
        wkOurBroadSide.close(ours.handle);
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
    char names[WK_BROAD_PHASE_COUNT][WK_ROW_NAME_CAPACITY];
    bool isWanted[WK_BROAD_PHASE_COUNT];
    bool isNeeded = false;
    for (int phase = 0; phase < WK_BROAD_PHASE_COUNT; phase++) {
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
    for (int phase = wk_broadTree + 1; phase < WK_BROAD_PHASE_COUNT; phase++) {
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
