// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The parts of a program: balls side by side that have zeros at the same places, and a ball around all
// of a part.

#include "batch/program_draft.h"
#include "math/round.h"

#include <stdlib.h>

// What compares squares of distances in floats is off by, as a share of a radius.
#define RADIUS_ROUNDING 0x1p-20

// Another run costs about as much as this many coordinates of balls: it surprises the processor.
#define RUN_COST 7

static int costOfPattern(int pattern)
{
    return __builtin_popcount((unsigned)pattern);
}

// The cheapest pattern of a set that has all coordinates of another one; -1: none.
static int cheapestAbove(unsigned set, int pattern)
{
    int best = -1;
    for (int other = 0; other < 8; other++) {
        bool isAbove = (set >> other & 1u) != 0 && (other & pattern) == pattern;
        if (isAbove && (best < 0 || costOfPattern(other) < costOfPattern(best))) {
            best = other;
        }
    }
    return best;
}

// The set of patterns by which so many balls of each pattern cost least.
static unsigned choosePatterns(const int32_t* counts)
{
    unsigned best = 1u << 7;
    int64_t bestCost = INT64_MAX;
    for (unsigned set = 1; set < 256; set++) {
        int64_t cost = (int64_t)RUN_COST * __builtin_popcount(set);
        for (int pattern = 0; pattern < 8; pattern++) {
            int taken = cheapestAbove(set, pattern);
            bool isMissing = taken < 0 && counts[pattern] > 0;
            cost += isMissing ? INT32_MAX : (int64_t)counts[pattern] * costOfPattern(taken);
        }
        if (cost < bestCost) {
            bestCost = cost;
            best = set;
        }
    }
    return best;
}

// Balls that are not worth a run of their own go with others that have fewer zeros.
static void mergePatterns(wkDraftBall* balls, int32_t count)
{
    int32_t counts[8] = {0};
    for (int32_t i = 0; i < count; i++) {
        ++counts[balls[i].pattern];
    }
    unsigned set = choosePatterns(counts);
    for (int32_t i = 0; i < count; i++) {
        balls[i].pattern = cheapestAbove(set, balls[i].pattern);
    }
}

static int compareBalls(const void* a, const void* b)
{
    const wkDraftBall *x = (const wkDraftBall*)a, *y = (const wkDraftBall*)b;
    int32_t order = x->pattern != y->pattern ? x->pattern - y->pattern : x->number - y->number;
    return order < 0 ? -1 : order > 0;
}

static void addRuns(wkProgramDraft* draft, wkPart* part)
{
    const wkDraftBall* balls = draft->balls;
    part->firstRun = draft->runCount;
    for (int32_t i = part->firstBall; i < part->firstBall + part->ballCount; i++) {
        bool isFirst = i == part->firstBall || balls[i].pattern != balls[i - 1].pattern;
        if (isFirst) {
            wkBallRun run = {i, i, balls[i].pattern};
            draft->runs[draft->runCount++] = run;
        }
        draft->runs[draft->runCount - 1].end = i + 1;
    }
    part->runCount = draft->runCount - part->firstRun;
}

double wkPaddedRadius(const wkDraftBall* ball)
{
    return ball->radius + fabs(ball->radius) * RADIUS_ROUNDING + ball->slack;
}

// A ball around the balls of a part. It is placed in floats too, in the frame of the program.
static void setAround(wkProgramDraft* draft, wkPart* part)
{
    for (int32_t i = 0; i < part->ballCount; i++) {
        const wkDraftBall* ball = &draft->balls[part->firstBall + i];
        wkBall one = {ball->local, wkPaddedRadius(ball)};
        draft->room[i] = one;
    }
    wkBall around = wkBallAround(draft->room, part->ballCount);
    const wkDraftFrame* frame = &draft->frames[part->mover];
    wkDraftBall placed = {
        .center = wkAdd(wkMulMV(&frame->turn, around.center), frame->place),
        .radius = around.radius,
        .mover = part->mover,
    };
    wkPlaceDraftBall(draft, &placed);
    part->x = (float)placed.local.x;
    part->y = (float)placed.local.y;
    part->z = (float)placed.local.z;
    part->radius = wkRoundUp(wkPaddedRadius(&placed));
}

void wkDraftParts(wkProgramDraft* draft)
{
    for (int32_t first = 0, end = 0; first < draft->ballCount; first = end) {
        for (end = first;
             end < draft->ballCount && draft->balls[end].side == draft->balls[first].side; end++) {
            wkPlaceDraftBall(draft, &draft->balls[end]);
        }
        mergePatterns(draft->balls + first, end - first);
        qsort(draft->balls + first, (size_t)(end - first), sizeof *draft->balls, compareBalls);
        wkPart part = {.mover = draft->balls[first].mover,
                       .firstBall = first,
                       .ballCount = end - first,
                       .side = draft->balls[first].side};
        addRuns(draft, &part);
        setAround(draft, &part);
        draft->partOfSide[part.side] = draft->partCount;
        draft->parts[draft->partCount++] = part;
    }
}
