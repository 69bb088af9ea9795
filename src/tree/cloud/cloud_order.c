// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The order of points along Hilbert's curve through a grid of cubes around them: consecutive points are
// neighbours in space, without the jumps of interleaved bits, so that leaves of eight of them are small.
//
// Entries, positions above indices, are all different, so their order is unique. They are sorted from the highest
// digit down: first all of them into buckets, in chunks that count for themselves, and then each bucket, which is
// in the cache. Dense regions take more digits than others.

#include "base/memory.h"
#include "math/vec.h"
#include "tree/cloud/cloud_build.h"

#include <string.h>

// Most bits of the first digit, with which all entries are moved: 16 cubes along each axis.
#define MAX_TOP_BITS 12

// Most bits of later digits: eight cubes along each axis.
#define MAX_DIGIT_BITS 9

// As many entries stay in the order of their indices.
#define FEW_ENTRIES 8

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

// Buckets of at least some dozen entries, so that their number costs little.
static int chooseTopBits(int32_t count, int keyBits)
{
    int bits = 3 * ((bitsOf((uint32_t)count) - 6) / 3);
    bits = bits > MAX_TOP_BITS ? MAX_TOP_BITS : bits;
    bits = bits < 0 ? 0 : bits;
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
    uint64_t bytes = 0;
    uint64_t counts = ((uint64_t)figures->chunkCount + 1) * (uint64_t)order->topCount + 1;
    uint64_t slices = WK_SLICE_COUNT((uint64_t)order->count);
    uint64_t sorted = wkReserve(&bytes, (uint64_t)order->count * sizeof *order->sorted);
    uint64_t starts = wkReserve(&bytes, counts * sizeof *order->starts);
    uint64_t sums = wkReserve(&bytes, (slices + 1) * sizeof *order->sliceSums);
    order->memory = wkAlloc((size_t)bytes);
    order->byteCount = (size_t)bytes;
    if (order->memory == NULL) {
        return false;
    }
    char* memory = (char*)order->memory;
    order->sorted = (wkCurveEntry*)(memory + sorted);
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
    wkCurveEntry* scratch;
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
                                          s->scratch + firstEntry(s->figures, chunk), tops);
}

// Counts become positions: of each bucket, and in it of each chunk.
static void startBuckets(const wkCloudOrder* order, int32_t chunkCount)
{
    uint32_t sum = 0;
    uint32_t* buckets = order->starts + (size_t)chunkCount * (size_t)order->topCount;
    for (int32_t top = 0; top < order->topCount; ++top) {
        buckets[top] = sum;
        for (int32_t chunk = 0; chunk < chunkCount; ++chunk) {
            uint32_t* start = &order->starts[(size_t)chunk * (size_t)order->topCount + (size_t)top];
            uint32_t count = *start;
            *start = sum;
            sum += count;
        }
    }
    buckets[order->topCount] = sum;
}

static void moveChunk(void* context, int32_t chunk)
{
    const sorting* s = context;
    const wkCloudOrder* order = s->order;
    uint32_t* starts = order->starts + (size_t)chunk * (size_t)order->topCount;
    const wkCurveEntry* entries = s->scratch + firstEntry(s->figures, chunk);
    int32_t count = s->figures->chunks[chunk].finiteCount;
    for (int32_t i = 0; i < count; ++i) {
        order->sorted[starts[entries[i] >> order->plan.topShift]++] = entries[i];
    }
}

// Bits of the next digit: surfaces fill four of eight cubes, so nine bits leave one of 64 entries in each.
static int chooseDigit(uint32_t count)
{
    return count > 128 ? MAX_DIGIT_BITS : count > 24 ? 6 : 3;
}

// Sorts entries whose bits from `bit` on are equal, until few are in one bucket.
static void sortBucket(wkCurveEntry* entries, wkCurveEntry* scratch, uint32_t count, int bit,
                       int lowest)
{
    int shift = bit - chooseDigit(count) > lowest ? bit - chooseDigit(count) : lowest;
    uint32_t values = 1u << (bit - shift), mask = values - 1, starts[(1 << MAX_DIGIT_BITS) + 1];
    memset(starts, 0, (values + 1) * sizeof *starts);
    for (uint32_t i = 0; i < count; ++i) {
        ++starts[(entries[i] >> shift & mask) + 1];
    }
    for (uint32_t i = 1; i < values; ++i) {
        starts[i + 1] += starts[i];
    }
    for (uint32_t i = 0; i < count; ++i) {
        scratch[starts[entries[i] >> shift & mask]++] = entries[i];
    }
    memcpy(entries, scratch, count * sizeof *entries);
    // each start has become the end
    for (uint32_t i = 0, first = 0; i < values && shift > lowest; first = starts[i++]) {
        if (starts[i] - first > FEW_ENTRIES) {
            sortBucket(entries + first, scratch + first, starts[i] - first, shift, lowest);
        }
    }
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
    for (int32_t top = low; top < order->topCount && buckets[top] < end; ++top) {
        uint32_t start = buckets[top], count = buckets[top + 1] - start;
        if (count > FEW_ENTRIES && order->plan.topShift > order->plan.indexBits) {
            sortBucket(order->sorted + start, s->scratch + start, count, order->plan.topShift,
                       order->plan.indexBits);
        }
    }
}

void wkOrderCloudPoints(const wkCloudSource* source, const wkSourceFigures* figures,
                        const wkParallel* parallel, wkCurveEntry* scratch, wkCloudOrder* order)
{
    sorting s = {source, figures, order, scratch};
    wkRunTasks(parallel, writeChunk, &s, figures->chunkCount);
    startBuckets(order, figures->chunkCount);
    wkRunTasks(parallel, moveChunk, &s, figures->chunkCount);
    wkRunTasks(parallel, sortBuckets, &s, (order->count + BUCKET_CHUNK - 1) / BUCKET_CHUNK);
}
