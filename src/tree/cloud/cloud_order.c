// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The order of points along Hilbert's curve through a grid of cubes around them: consecutive points are
// neighbours in space, without the jumps of interleaved bits, so that leaves of eight of them are small.
//
// Entries, positions above indices, are sorted from the highest digit down: first all of them into buckets, in chunks
// that count for themselves, and then each bucket, which is in the cache. No step depends on the number of threads.
// Entries lie where the nodes and points of the cloud will be, so that no other memory is touched.

#include "base/assert.h"
#include "base/memory.h"
#include "math/vec.h"
#include "tree/cloud/cloud_build.h"
#include "tree/cloud/digit_pass.h"

#include <string.h>

// Most bits of the first digit, with which all entries are moved: 16 cubes along each axis.
#define MAX_TOP_BITS 12

// Points of a task that sorts buckets.
#define BUCKET_CHUNK 16384

static int bitsOf(uint32_t number)
{
    return number == 0 ? 0 : 32 - __builtin_clz(number);
}

static wkCurveGrid makeGrid(const wkPointExtent* all, int indexBits)
{
    wkCurveGrid g = {.bits = 0};
    float extent = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        float size = all->upper[axis] - all->lower[axis];
        g.lower[axis] = all->lower[axis];
        extent = size > extent ? size : extent;
    }
    // points of surfaces: with n of them, a grid of the root of n in each direction has one in a cube, and the rest
    // is for those that are closer. What the index does not need is for the position.
    int wanted = indexBits / 2 + 3, most = (64 - indexBits) / 3;
    g.bits = wanted < most ? wanted : most;
    g.scale = extent > 1e-30f ? (float)((1 << g.bits) - 1) / extent : 0.0f;
    return g;
}

// Buckets of at least some dozen entries, so that their number costs little. At least one bit, even for few entries: an
// entry may fill all 64 bits of its word, and a shift by 64 is not defined.
static int chooseTopBits(int32_t count, int keyBits)
{
    int bits = 3 * ((bitsOf((uint32_t)count) - 6) / 3);
    bits = bits > MAX_TOP_BITS ? MAX_TOP_BITS : bits;
    bits = bits < 1 ? 1 : bits;
    return bits < keyBits ? bits : keyBits;
}

bool wkPlanCloudOrder(const wkSourceFigures* figures, int64_t sourceCount, wkCloudOrder* order)
{
    memset(order, 0, sizeof *order);
    order->count = figures->all.finiteCount;
    order->plan.indexBits = bitsOf((uint32_t)sourceCount);
    order->plan.grid = makeGrid(&figures->all, order->plan.indexBits);
    order->keyBits = 3 * order->plan.grid.bits;
    int topBits = chooseTopBits(order->count, order->keyBits);
    order->topCount = 1 << topBits;
    order->plan.topShift = order->plan.indexBits + order->keyBits - topBits;
    WK_ASSERT(order->plan.topShift < 64);
    uint64_t bytes = 0;
    uint64_t counts = ((uint64_t)figures->chunkCount + 1) * (uint64_t)order->topCount + 1;
    uint64_t slices = WK_SLICE_COUNT((uint64_t)order->count);
    uint64_t starts = wkReserve(&bytes, counts * sizeof *order->starts);
    uint64_t sums = wkReserve(&bytes, (slices + 1) * sizeof *order->sliceSums);
    order->memory = wkAlloc((size_t)bytes);
    order->byteCount = (size_t)bytes;
    if (order->memory == NULL) {
        return false;
    }
    char* memory = (char*)order->memory;
    order->starts = (uint32_t*)(memory + starts);
    order->sliceSums = (uint64_t*)(memory + sums);
    return true;
}

void wkFreeCloudOrder(wkCloudOrder* order)
{
    wkFree(order->memory, order->byteCount);
}

typedef struct sorting {
    const wkCloudSource* source;
    const wkSourceFigures* figures;
    const wkCloudOrder* order;
    wkCurveEntry* entries; // in the order of the source
    wkCurveEntry* buckets; // in that of their highest bits
    int32_t* indices;      // in that of the curve
} sorting;

// Number of entries before those of a chunk.
static int32_t firstEntry(const wkSourceFigures* figures, int32_t chunk)
{
    int32_t first = 0;
    for (int32_t i = 0; i < chunk; ++i) {
        first += figures->chunks[i].finiteCount;
    }
    return first;
}

static void writeChunk(void* context, int32_t chunk)
{
    const sorting* s = context;
    const wkCloudOrder* order = s->order;
    uint32_t* tops = order->starts + (size_t)chunk * (size_t)order->topCount;
    memset(tops, 0, (size_t)order->topCount * sizeof *tops);
    int64_t first = (int64_t)chunk * WK_SOURCE_CHUNK, left = s->source->count - first;
    wkCloudLanesOfMachine()->writeEntries(s->source, &order->plan, first,
                                          left < WK_SOURCE_CHUNK ? left : WK_SOURCE_CHUNK,
                                          s->entries + firstEntry(s->figures, chunk), tops);
}

// Counts become positions: of each bucket, and in it of each chunk.
static void startBuckets(const wkCloudOrder* order, int32_t chunkCount)
{
    size_t topCount = (size_t)order->topCount;
    uint32_t* buckets = order->starts + (size_t)chunkCount * topCount;
    memset(buckets, 0, (topCount + 1) * sizeof *buckets);
    for (int32_t chunk = 0; chunk < chunkCount; ++chunk) {
        uint32_t* starts = order->starts + (size_t)chunk * topCount;
        for (size_t top = 0; top < topCount; ++top) {
            uint32_t before = buckets[top + 1];
            buckets[top + 1] += starts[top];
            starts[top] = before;
        }
    }
    for (size_t top = 0; top < topCount; ++top) {
        buckets[top + 1] += buckets[top];
    }
}

static void moveChunk(void* context, int32_t chunk)
{
    const sorting* s = context;
    const wkCloudOrder* order = s->order;
    uint32_t* starts = order->starts + (size_t)chunk * (size_t)order->topCount;
    const wkCurveEntry* entries = s->entries + firstEntry(s->figures, chunk);
    int32_t count = s->figures->chunks[chunk].finiteCount;
    const uint32_t* buckets =
        order->starts + (size_t)s->figures->chunkCount * (size_t)order->topCount;
    for (int32_t top = 0; top < order->topCount; ++top) {
        starts[top] += buckets[top];
    }
    wkMoveByDigit(entries, (uint32_t)count, order->plan.topShift, UINT32_MAX, starts, s->buckets);
}

// Sorts the buckets that start in a range of entries.
static void sortBuckets(void* context, int32_t range)
{
    const sorting* s = context;
    const wkCloudOrder* order = s->order;
    const uint32_t* buckets =
        order->starts + (size_t)s->figures->chunkCount * (size_t)order->topCount;
    uint32_t first = (uint32_t)range * BUCKET_CHUNK, end = first + BUCKET_CHUNK;
    int32_t low = 0, high = order->topCount;
    while (low < high) {
        int32_t middle = (low + high) / 2;
        low = buckets[middle] < first ? middle + 1 : low;
        high = buckets[middle] < first ? high : middle;
    }
    const wkCloudLanes* lanes = wkCloudLanesOfMachine();
    for (int32_t top = low; top < order->topCount && buckets[top] < end; ++top) {
        uint32_t start = buckets[top], count = buckets[top + 1] - start;
        if (count > 0) { // most are empty: points are on surfaces
            lanes->sortBucket(s->buckets + start, s->entries + start, count, order->plan.topShift,
                              order->plan.indexBits, s->indices + start);
        }
    }
}

void wkOrderCloudPoints(const wkCloudSource* source, const wkSourceFigures* figures,
                        const wkParallel* parallel, const wkCloudOrder* order,
                        wkCurveEntry* scratch, int32_t* indices)
{
    sorting s = {source, figures, order, scratch, scratch + order->count, indices};
    wkRunTasks(parallel, writeChunk, &s, figures->chunkCount);
    startBuckets(order, figures->chunkCount);
    wkRunTasks(parallel, moveChunk, &s, figures->chunkCount);
    wkRunTasks(parallel, sortBuckets, &s, (order->count + BUCKET_CHUNK - 1) / BUCKET_CHUNK);
}
