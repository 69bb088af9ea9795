// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Every point of A against every point of B (Kaldestad, Hovland and Anisi 2012, equation 1), block by block. The
// kernel compares all pairs in single precision. Points of A whose least square may be the least of all, by the bound
// of its error, are compared again in double precision, so that the result is that of double precision throughout.
//
// Threads share blocks of A. Each group of blocks keeps its own nearest pair, of equals the one with the lowest ranks,
// and so does the end: the pair depends on no thread. Groups tell each other the least square alone, which rules out
// pairs that are further apart.

#include "query/cloud/center_search.h"

#include "base/isa_table.h"
#include "math/round.h"
#include "math/vec.h"
#include "query/cloud/center_kernel.h"

#include "whisker/detail/library.h"

#include <stdatomic.h>

WK_DEFINE_LANES(const wkCenterLanes, wkCenterLanes)

// Blocks whose points are further apart than this are compared in double precision alone: squares stay finite.
#define MAX_REACH 1e17

// Points of each cloud that the first pair is chosen from.
#define SAMPLE_COUNT 8192

// Groups of blocks that threads share, at most.
#define MAX_GROUPS 64

// A block of A.
typedef struct block {
    wkCentersA lanes;
    double origin[3];
    double reach; // not less than the distance of a point from the origin
    int32_t first;
    int32_t count;
} block;

static double rootOf(float square)
{
    return sqrt((double)square) * (1.0 + 1e-6);
}

static wkVec3d middleOf(const wkCloud* cloud, int32_t first, int32_t count)
{
    wkVec3d lower = wkCloudPosition(cloud, first), upper = lower;
    for (int32_t i = 1; i < count; ++i) {
        wkVec3d p = wkCloudPosition(cloud, first + i);
        lower = wkMin(lower, p);
        upper = wkMax(upper, p);
    }
    return wkScale(0.5, wkAdd(lower, upper));
}

// Slots behind the last point of a tile repeat it.
static void loadA(const wkCenterSearch* search, int32_t first, block* a)
{
    int32_t left = search->a->pointCount - first;
    a->first = first;
    a->count = left < WK_CENTERS_A ? left : WK_CENTERS_A;
    wkVec3d origin = middleOf(search->a, first, a->count);
    a->origin[0] = origin.x;
    a->origin[1] = origin.y;
    a->origin[2] = origin.z;
    float most = 0.0f;
    int32_t end = (a->count + WK_CENTER_TILE - 1) / WK_CENTER_TILE * WK_CENTER_TILE;
    for (int32_t i = 0; i < end; ++i) {
        int32_t rank = first + (i < a->count ? i : a->count - 1);
        wkVec3d local = wkSub(wkCloudPosition(search->a, rank), origin);
        float x = (float)local.x, y = (float)local.y, z = (float)local.z;
        a->lanes.x[i] = -2.0f * x;
        a->lanes.y[i] = -2.0f * y;
        a->lanes.z[i] = -2.0f * z;
        a->lanes.squares[i] = (x * x + y * y) + z * z;
        most = a->lanes.squares[i] > most ? a->lanes.squares[i] : most;
    }
    a->reach = rootOf(most);
}

static void loadB(const wkCenterSearch* search, int32_t first, int32_t count, wkCentersB* b)
{
    for (int32_t i = 0; i < count; ++i) {
        wkVec3d p = wkCenterOfB(search, first + i);
        b->x[i] = p.x;
        b->y[i] = p.y;
        b->z[i] = p.z;
    }
}

// Compares a point of A with a block of B in double precision.
static void compareExactly(wkCenterSearch* search, int32_t rankA, const wkCentersB* b,
                           int32_t firstB, int32_t count)
{
    wkVec3d a = wkCloudPosition(search->a, rankA);
    double least = INFINITY;
    int32_t nearest = 0;
    for (int32_t i = 0; i < count; ++i) {
        double square = wkCenterSquare(a, wkVec(b->x[i], b->y[i], b->z[i]));
        nearest = square < least ? i : nearest;
        least = square < least ? square : least;
    }
    wkTakeCenters(search, rankA, firstB + nearest, least);
}

static void compareBlocks(wkCenterSearch* search, const wkCenterLanes* lanes, const block* a,
                          wkCentersB* b, int32_t firstB, int32_t count)
{
    loadB(search, firstB, count, b);
    double reach = a->reach + rootOf(lanes->moveToOrigin(b, count, a->origin));
    bool isCulled = reach < MAX_REACH; // false for NaN
    double error = WK_CENTER_ERROR * reach * reach + WK_CENTER_LEAST;
    for (int32_t i = 0; i < a->count; i += WK_CENTER_TILE) {
        uint64_t bits = UINT64_MAX;
        if (isCulled) {
            bits = lanes->findNear(&a->lanes, i, b, count, wkRoundUp(search->pair.square + error));
        }
        int32_t left = a->count - i;
        bits &= left < WK_CENTER_TILE ? ((uint64_t)1 << left) - 1 : UINT64_MAX;
        for (; bits != 0; bits &= bits - 1) {
            int32_t rank = a->first + i + __builtin_ctzll(bits);
            compareExactly(search, rank, b, firstB, count);
        }
    }
}

// A function of its own: its frame and that of the block of A are large.
WK_APART_FN void compareWithAll(wkCenterSearch* search, const wkCenterLanes* lanes, const block* a)
{
    _Alignas(64) wkCentersB b;
    int32_t count = search->b->pointCount;
    for (int32_t first = 0; first < count && !wkAreCentersEqual(search); first += WK_CENTERS_B) {
        int32_t left = count - first;
        compareBlocks(search, lanes, a, &b, first, left < WK_CENTERS_B ? left : WK_CENTERS_B);
    }
}

static int32_t strideOf(const wkCloud* cloud)
{
    return cloud->pointCount / SAMPLE_COUNT + 1;
}

// Takes a pair that is likely near, so that few points of A seem to matter from the start: the point of B that is
// nearest to the middle of A, and the point of A nearest to it, of a sample.
static void takeFirst(wkCenterSearch* search)
{
    wkVec3d from = middleOf(search->a, 0, search->a->pointCount);
    int32_t rankA = 0, rankB = 0;
    double least = INFINITY;
    for (int32_t i = 0; i < search->b->pointCount; i += strideOf(search->b)) {
        double square = wkCenterSquare(from, wkCenterOfB(search, i));
        rankB = square < least ? i : rankB;
        least = square < least ? square : least;
    }
    from = wkCenterOfB(search, rankB);
    least = INFINITY;
    for (int32_t i = 0; i < search->a->pointCount; i += strideOf(search->a)) {
        double square = wkCenterSquare(wkCloudPosition(search->a, i), from);
        rankA = square < least ? i : rankA;
        least = square < least ? square : least;
    }
    wkTakeCenters(search, rankA, rankB, least);
}

void wkTakeFirstEqualCenters(wkCenterSearch* search)
{
    wkCenterSearch first = *search;
    first.pair = (wkCenterPair){0.0, -1, -1};
    takeFirst(&first);
    search->pair = wkAreCentersEqual(&first) ? first.pair : search->pair;
}

// All groups.
typedef struct groups {
    const wkCenterSearch* start; // with the first pair
    const wkCenterLanes* lanes;
    int32_t blockCount;
    int32_t count;
    _Atomic double square; // the least so far
    wkCenterPair found[MAX_GROUPS];
} groups;

static void lowerShared(groups* all, double square)
{
    double known = atomic_load_explicit(&all->square, memory_order_relaxed);
    while (square < known &&
           !atomic_compare_exchange_weak_explicit(&all->square, &known, square,
                                                  memory_order_relaxed, memory_order_relaxed)) {
    }
}

// Compares the blocks of a group. A pair as near as that of another group is kept: ranks decide at the end.
static void compareGroup(void* context, int32_t index)
{
    groups* all = (groups*)context;
    wkCenterSearch search = *all->start;
    int64_t first = (int64_t)all->blockCount * index / all->count;
    int64_t end = (int64_t)all->blockCount * (index + 1) / all->count;
    block a;
    for (int64_t i = first; i < end && !wkAreCentersEqual(&search); ++i) {
        double known = atomic_load_explicit(&all->square, memory_order_relaxed);
        if (known < search.pair.square) {
            search.pair = (wkCenterPair){known, -1, -1};
        }
        loadA(&search, (int32_t)i * WK_CENTERS_A, &a);
        compareWithAll(&search, all->lanes, &a);
        lowerShared(all, search.pair.square);
    }
    all->found[index] = search.pair;
}

void wkSearchCentersExhaustively(wkCenterSearch* search)
{
    takeFirst(search);
    if (wkAreCentersEqual(search)) {
        return;
    }
    groups all = {.start = search, .lanes = wkCenterLanesOfMachine()};
    all.blockCount = (search->a->pointCount + WK_CENTERS_A - 1) / WK_CENTERS_A;
    all.count = search->parallel == NULL      ? 1
                : all.blockCount < MAX_GROUPS ? all.blockCount
                                              : MAX_GROUPS;
    atomic_init(&all.square, search->pair.square);
    wkRunTasks(search->parallel, compareGroup, &all, all.count);
    for (int32_t i = 0; i < all.count; ++i) {
        if (all.found[i].rankA >= 0) {
            wkTakeCenters(search, all.found[i].rankA, all.found[i].rankB, all.found[i].square);
        }
    }
}
