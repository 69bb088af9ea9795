// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Applies tests to points, one block after the other. Compiled once per instruction set.

#include "sense/filter/filter_block.h"

#define ALL_BYTES UINT64_C(0x0101010101010101)

// Sets the bytes whose bit is set, eight at a time.
static void setMarks(uint8_t marks[WK_FILTER_BLOCK], uint64_t bits, uint8_t mark)
{
    if (bits == UINT64_MAX) {
        memset(marks, mark, WK_FILTER_BLOCK);
        return;
    }
    for (int i = 0; i < WK_FILTER_BLOCK && bits != 0; i += 8, bits >>= 8) {
        // byte k has bit k of the eight, then 0x80 where it is set, then all bits
        uint64_t each = ((bits & 0xff) * ALL_BYTES) & UINT64_C(0x8040201008040201);
        uint64_t high = (each + UINT64_C(0x7f7f7f7f7f7f7f7f)) & (ALL_BYTES << 7);
        uint64_t mask = (high >> 7) * 0xff, eight;
        memcpy(&eight, marks + i, sizeof eight);
        eight = (eight & ~mask) | (mask & mark * ALL_BYTES);
        memcpy(marks + i, &eight, sizeof eight);
    }
}

// Points of a block that are inside: lanes decide most, double precision the others.
static uint64_t findInside(const wkFilterRun* run, const wkPointTest* test,
                           const wkFilterBlock* block, int32_t first, uint64_t asked)
{
    uint64_t unsure, inside = test->row->test(run->lanes, test, block, asked, &unsure);
    for (; unsure != 0; unsure &= unsure - 1) {
        int i = __builtin_ctzll(unsure);
        wkVec3d point = wkPointAt(run, wkPointIndex(run, first + i));
        inside |= (uint64_t)test->row->isInside(test, point) << i;
    }
    return inside;
}

// Points of a block that are in the shadow of a robot.
static uint64_t findShadow(const wkFilterRun* run, const wkRobotTest* robot,
                           const wkFilterBlock* block, int32_t first, uint64_t asked)
{
    uint64_t unsure, inside = run->lanes->testShadows(&robot->shadowLanes, block, asked, &unsure);
    for (; unsure != 0; unsure &= unsure - 1) {
        int i = __builtin_ctzll(unsure);
        wkVec3d point = wkPointAt(run, wkPointIndex(run, first + i));
        inside |= (uint64_t)wkIsInShadow(robot, point) << i;
    }
    return inside;
}

// Applies all tests to the finite points of a block, and returns those that are kept.
static uint64_t applyTests(const wkFilterRun* run, const wkFilterBlock* block, int32_t first,
                           uint64_t finite, wkChunkInfo* info, uint8_t marks[WK_FILTER_BLOCK])
{
    uint64_t kept = finite;
    for (int32_t s = run->firstStep; s < run->endStep && kept != 0; ++s) {
        const wkPointTest* test = &run->tests[s];
        uint64_t inside = findInside(run, test, block, first, kept);
        uint64_t removed =
            (test->keepsInside ? 0 : inside) | (test->keepsOutside ? 0 : kept & ~inside);
        info->steps[s].examinedCount += __builtin_popcountll(kept);
        info->steps[s].removedCount += __builtin_popcountll(removed);
        info->steps[s].ownCount += __builtin_popcountll(inside);
        if (test->markInside != wk_markKept) {
            setMarks(marks, inside & ~removed, test->markInside);
        }
        if (test->robot.hasShadow) {
            uint64_t shadow = findShadow(run, &test->robot, block, first, kept & ~inside);
            info->steps[s].shadowCount += __builtin_popcountll(shadow);
            info->steps[s].removedCount += test->keepsShadow ? 0 : __builtin_popcountll(shadow);
            setMarks(marks, test->keepsShadow ? shadow : 0, test->markShadow);
            removed |= test->keepsShadow ? 0 : shadow;
        }
        setMarks(marks, removed, (uint8_t)(wk_markRemoved + s));
        kept &= ~removed;
    }
    return kept;
}

static void loadMarks(const wkFilterRun* run, int32_t first, int32_t count, uint8_t* marks)
{
    memset(marks, wk_markKept, WK_FILTER_BLOCK);
    if (run->isStarted && run->indices == NULL) {
        memcpy(marks, run->marks + first, (size_t)count);
    } else if (run->isStarted) {
        for (int32_t i = 0; i < count; ++i) {
            marks[i] = run->marks[run->indices[first + i]];
        }
    }
}

static void storeMarks(const wkFilterRun* run, int32_t first, int32_t count, const uint8_t* marks)
{
    if (run->indices == NULL) {
        memcpy(run->marks + first, marks, (size_t)count);
        return;
    }
    for (int32_t i = 0; i < count; ++i) {
        run->marks[run->indices[first + i]] = marks[i];
    }
}

// Writes the indices of the kept points of a block.
static void storeKept(const wkFilterRun* run, int32_t first, uint64_t kept, int32_t* indices)
{
    run->lanes->packIndices(first, kept, indices);
    if (run->indices != NULL) {
        for (int i = 0; i < __builtin_popcountll(kept); ++i) {
            indices[i] = run->indices[indices[i]];
        }
    }
}

// Points of a chunk.
typedef struct chunkRange {
    int32_t start;
    int32_t end;
    int32_t* indices; // of those that are kept
} chunkRange;

static chunkRange rangeOf(const wkFilterRun* run, int32_t chunk)
{
    int32_t start = chunk * WK_FILTER_CHUNK, left = run->count - start;
    chunkRange range = {start, start + (left < WK_FILTER_CHUNK ? left : WK_FILTER_CHUNK),
                        run->kept + (size_t)chunk * WK_CHUNK_CAPACITY};
    return range;
}

static int32_t blockCount(const chunkRange* range, int32_t first)
{
    return range->end - first < WK_FILTER_BLOCK ? range->end - first : WK_FILTER_BLOCK;
}

static void filterChunk(void* context, int32_t chunk)
{
    const wkFilterRun* run = (const wkFilterRun*)context;
    chunkRange range = rangeOf(run, chunk);
    wkChunkInfo info = {0};
    for (int32_t first = range.start; first < range.end; first += WK_FILTER_BLOCK) {
        int32_t count = blockCount(&range, first);
        wkFilterBlock block;
        uint8_t marks[WK_FILTER_BLOCK];
        uint64_t all = UINT64_MAX >> (WK_FILTER_BLOCK - count);
        uint64_t finite = wkReadFilterBlock(run, first, count, &block);
        loadMarks(run, first, count, marks);
        setMarks(marks, all & ~finite, wk_markNotFinite);
        uint64_t kept = applyTests(run, &block, first, finite, &info, marks);
        storeMarks(run, first, count, marks);
        storeKept(run, first, kept, range.indices + info.keptCount);
        info.keptCount += __builtin_popcountll(kept);
        info.notFiniteCount += __builtin_popcountll(all & ~finite);
    }
    run->chunks[chunk] = info;
}

static void readChunk(void* context, int32_t chunk)
{
    const wkFilterRun* run = (const wkFilterRun*)context;
    chunkRange range = rangeOf(run, chunk);
    for (int32_t first = range.start; first < range.end; first += WK_FILTER_BLOCK) {
        wkFilterBlock block;
        int32_t count = blockCount(&range, first);
        size_t bytes = (size_t)count * sizeof(float);
        wkReadFilterBlock(run, first, count, &block);
        memcpy(run->set.x + first, block.x, bytes);
        memcpy(run->set.y + first, block.y, bytes);
        memcpy(run->set.z + first, block.z, bytes);
    }
}

// The lowest bits of bytes.
WK_FORCE_FN uint64_t gatherBits(const uint8_t bytes[WK_FILTER_BLOCK])
{
    uint64_t bits = 0;
    for (int i = 0; i < WK_FILTER_BLOCK; i += 8) {
        uint64_t eight;
        memcpy(&eight, bytes + i, sizeof eight);
        bits |= ((eight & ALL_BYTES) * UINT64_C(0x0102040810204080)) >> 56 << i;
    }
    return bits;
}

static void finishChunk(void* context, int32_t chunk)
{
    const wkFilterRun* run = (const wkFilterRun*)context;
    chunkRange range = rangeOf(run, chunk);
    wkChunkInfo info = {0};
    for (int32_t first = range.start; first < range.end; first += WK_FILTER_BLOCK) {
        int32_t count = blockCount(&range, first);
        uint8_t marks[WK_FILTER_BLOCK];
        uint64_t all = UINT64_MAX >> (WK_FILTER_BLOCK - count);
        uint64_t removed = gatherBits(run->set.isRemoved + first) & all;
        loadMarks(run, first, count, marks);
        setMarks(marks, removed, (uint8_t)(wk_markRemoved + run->endStep));
        storeMarks(run, first, count, marks);
        storeKept(run, first, all & ~removed, range.indices + info.keptCount);
        info.keptCount += count - __builtin_popcountll(removed);
    }
    run->chunks[chunk] = info;
}

extern const wkChunkLanes WK_KERNEL(wkChunkLanes);
const wkChunkLanes WK_KERNEL(wkChunkLanes) = {filterChunk, readChunk, finishChunk};
