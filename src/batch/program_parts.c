// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The parts of a program: consecutive spheres with the same pattern of zeros, and a sphere around all
// of a part.

#include "batch/program_builder.h"
#include "math/round.h"

#include <stdlib.h>

// Rounding of comparisons of squared distances in floats, as a share of a radius.
#define RADIUS_ROUNDING 0x1p-20

// Cost of another run, in coordinates of spheres: it causes a branch misprediction.
#define RUN_COST 7

static int costOfPattern(int pattern)
{
    return __builtin_popcount((unsigned)pattern);
}

// Returns the cheapest pattern of a set that has all coordinates of another one; -1: none.
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

// Returns the cheapest set of patterns for these counts of spheres by pattern.
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

// Spheres that are not worth a run of their own join others with fewer zeros.
static void mergePatterns(wkBuilderSphere* spheres, int32_t count)
{
    int32_t counts[8] = {0};
    for (int32_t i = 0; i < count; i++) {
        ++counts[spheres[i].pattern];
    }
    unsigned set = choosePatterns(counts);
    for (int32_t i = 0; i < count; i++) {
        spheres[i].pattern = cheapestAbove(set, spheres[i].pattern);
    }
}

static int compareSpheres(const void* a, const void* b)
{
    const wkBuilderSphere *x = (const wkBuilderSphere*)a, *y = (const wkBuilderSphere*)b;
    int32_t order = x->pattern != y->pattern ? x->pattern - y->pattern : x->number - y->number;
    return order < 0 ? -1 : order > 0;
}

static void addRuns(wkProgramBuilder* builder, wkPart* part)
{
    const wkBuilderSphere* spheres = builder->spheres;
    part->firstRun = builder->runCount;
    for (int32_t i = part->firstSphere; i < part->firstSphere + part->sphereCount; i++) {
        bool isFirst = i == part->firstSphere || spheres[i].pattern != spheres[i - 1].pattern;
        if (isFirst) {
            wkSphereRun run = {i, i, spheres[i].pattern};
            builder->runs[builder->runCount++] = run;
        }
        builder->runs[builder->runCount - 1].end = i + 1;
    }
    part->runCount = builder->runCount - part->firstRun;
}

double wkPaddedRadius(const wkBuilderSphere* sphere)
{
    return sphere->radius + fabs(sphere->radius) * RADIUS_ROUNDING + sphere->slack;
}

// Computes a sphere around the spheres of a part. It is placed in floats too, in the frame of the program.
static void setAround(wkProgramBuilder* builder, wkPart* part)
{
    for (int32_t i = 0; i < part->sphereCount; i++) {
        const wkBuilderSphere* sphere = &builder->spheres[part->firstSphere + i];
        wkSphere3d one = {sphere->local, wkPaddedRadius(sphere)};
        builder->scratch[i] = one;
    }
    wkSphere3d around = wkSphereAround(builder->scratch, part->sphereCount);
    const wkBuilderFrame* frame = &builder->frames[part->rigidGroup];
    wkBuilderSphere placed = {
        .center = wkAdd(wkMulMV(&frame->axes, around.center), frame->origin),
        .radius = around.radius,
        .rigidGroup = part->rigidGroup,
    };
    wkPlaceBuilderSphere(builder, &placed);
    part->x = (float)placed.local.x;
    part->y = (float)placed.local.y;
    part->z = (float)placed.local.z;
    part->radius = wkRoundUp(wkPaddedRadius(&placed));
}

void wkBuilderParts(wkProgramBuilder* builder)
{
    for (int32_t first = 0, end = 0; first < builder->sphereCount; first = end) {
        for (end = first; end < builder->sphereCount &&
                          builder->spheres[end].side == builder->spheres[first].side;
             end++) {
            wkPlaceBuilderSphere(builder, &builder->spheres[end]);
        }
        mergePatterns(builder->spheres + first, end - first);
        qsort(builder->spheres + first, (size_t)(end - first), sizeof *builder->spheres,
              compareSpheres);
        wkPart part = {.rigidGroup = builder->spheres[first].rigidGroup,
                       .firstSphere = first,
                       .sphereCount = end - first,
                       .side = builder->spheres[first].side};
        addRuns(builder, &part);
        setAround(builder, &part);
        builder->partOfSide[part.side] = builder->partCount;
        builder->parts[builder->partCount++] = part;
    }
}
