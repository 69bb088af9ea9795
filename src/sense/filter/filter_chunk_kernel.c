// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Applies tests to points, one block after the other. Compiled once per instruction set.

#include "sense/filter/first_blocks.h"

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

// Counts and marks what a test has found, and returns the points that are kept.
// @param asked points that were tested
// @param shadow those in the shadow of a robot
static uint64_t applyVerdict(const wkPointTest* test, uint64_t asked, uint64_t inside,
                             uint64_t shadow, uint8_t removedMark, wkFilterStepInfo* info,
                             uint8_t marks[WK_FILTER_BLOCK])
{
    uint64_t removed = (test->item.keepsInside ? 0 : inside) |
                       (test->item.keepsOutside ? 0 : asked & ~inside) |
                       (test->item.keepsShadow ? 0 : shadow);
    info->examinedCount += __builtin_popcountll(asked);
    info->removedCount += __builtin_popcountll(removed);
    info->ownCount += __builtin_popcountll(inside);
    info->shadowCount += __builtin_popcountll(shadow);
    if (test->item.markInside != wk_markKept) {
        wkSetBytes(marks, inside & ~removed, test->item.markInside);
    }
    if (shadow != 0) {
        wkSetBytes(marks, shadow & ~removed, test->item.markShadow);
    }
    if (removed != 0) {
        wkSetBytes(marks, removed, removedMark);
    }
    return asked & ~removed;
}

// Applies tests from a step on to points of a block, and returns those that are kept.
static uint64_t applyTests(const wkFilterRun* run, const wkFilterBlock* block, int32_t first,
                           int32_t step, uint64_t asked, wkChunkInfo* info,
                           uint8_t marks[WK_FILTER_BLOCK])
{
    uint64_t kept = asked;
    for (int32_t s = step; s < run->endStep && kept != 0; ++s) {
        const wkPointTest* test = &run->tests[s];
        uint64_t inside = findInside(run, test, block, first, kept), shadow = 0;
        if (test->robot.hasShadow) {
            shadow = findShadow(run, &test->robot, block, first, kept & ~inside);
        }
        kept = applyVerdict(test, kept, inside, shadow, (uint8_t)(wk_markRemoved + s),
                            &info->steps[s], marks);
    }
    return kept;
}

// Applies the other tests to points that a crop has kept.
static void filterCropped(const wkFilterRun* run, int32_t start, int32_t end, wkChunkInfo* info)
{
    info->keptCount = 0;
    for (int32_t first = start; first < end; first += WK_FILTER_BLOCK) {
        uint64_t* kept = &run->keptBits[first / WK_FILTER_BLOCK];
        if (*kept != 0) {
            wkFilterBlock block;
            wkReadFilterBlock(run, first, WK_FILTER_BLOCK, &block);
            *kept =
                applyTests(run, &block, first, run->firstStep + 1, *kept, info, run->marks + first);
            info->keptCount += __builtin_popcountll(*kept);
        }
    }
}

// Filters the blocks of a chunk that tight loops take.
// @return the number of their points
static int32_t filterFirstBlocks(const wkFilterRun* run, const wkChunkRange* range,
                                 wkLaneBounds* bounds, wkChunkInfo* info)
{
    wkFirstBlocks blocks = wkFindFirstBlocks(run, range);
    int32_t count = blocks.count * WK_FILTER_BLOCK, step = run->firstStep;
    if (step == run->endStep) {
        wkBoundFirstBlocks(&blocks, bounds, info);
        return count;
    }
    if (!run->tests[step].isCrop) {
        return 0;
    }
    wkCropFirstBlocks(&blocks, &run->tests[step], (uint8_t)(wk_markRemoved + step), info);
    info->steps[step].examinedCount = count - info->notFiniteCount;
    info->steps[step].removedCount = info->steps[step].examinedCount - info->keptCount;
    if (step + 1 < run->endStep) {
        filterCropped(run, range->start, range->start + count, info);
    }
    return count;
}

static void filterBlock(const wkFilterRun* run, int32_t first, int32_t count, wkLaneBounds* bounds,
                        wkChunkInfo* info)
{
    wkFilterBlock block;
    uint8_t copy[WK_FILTER_BLOCK], *marks = wkOpenMarks(run, first, count, copy);
    uint64_t finite = wkReadFilterBlock(run, first, count, &block);
    if (!run->isStarted) {
        wkSelectBytes(marks, finite, wk_markKept, wk_markNotFinite);
    }
    uint64_t kept = applyTests(run, &block, first, run->firstStep, finite, info, marks);
    wkCloseMarks(run, first, count, marks);
    run->keptBits[first / WK_FILTER_BLOCK] = kept;
    info->keptCount += __builtin_popcountll(kept);
    info->notFiniteCount += count - __builtin_popcountll(finite);
    if (run->firstStep == run->endStep) {
        wkBoundBlock(&block, finite, bounds);
    }
}

static void filterChunk(void* context, int32_t chunk)
{
    const wkFilterRun* run = (const wkFilterRun*)context;
    wkChunkRange range = wkRangeOfChunk(run, chunk);
    wkChunkInfo info = {0};
    wkLaneBounds bounds = wkNoBounds();
    int32_t first = range.start + filterFirstBlocks(run, &range, &bounds, &info);
    for (; first < range.end; first += WK_FILTER_BLOCK) {
        filterBlock(run, first, wkCountOfBlock(&range, first), &bounds, &info);
    }
    wkStoreBounds(&bounds, &info);
    run->chunks[chunk] = info;
}

// Writes the indices of the kept points of a block.
static void packBlock(const wkFilterRun* run, int32_t first, uint64_t kept, int32_t* indices)
{
    run->lanes->packIndices(first, kept, indices);
    if (run->indices != NULL) {
        for (int i = 0; i < __builtin_popcountll(kept); ++i) {
            indices[i] = run->indices[indices[i]];
        }
    }
}

static void packChunk(void* context, int32_t chunk)
{
    const wkFilterRun* run = (const wkFilterRun*)context;
    wkChunkRange range = wkRangeOfChunk(run, chunk);
    int32_t *to = run->kept + run->chunks[chunk].firstKept,
            *end = to + run->chunks[chunk].keptCount;
    for (int32_t first = range.start; first < range.end; first += WK_FILTER_BLOCK) {
        uint64_t kept = run->keptBits[first / WK_FILTER_BLOCK];
        int32_t count = __builtin_popcountll(kept);
        if (count == 0) {
            continue;
        }
        if (end - to >= WK_FILTER_BLOCK) {
            packBlock(run, first, kept, to);
        } else {
            // whole blocks would overwrite what another thread writes behind the chunk
            int32_t indices[WK_FILTER_BLOCK];
            packBlock(run, first, kept, indices);
            memcpy(to, indices, (size_t)count * sizeof(int32_t));
        }
        to += count;
    }
}

extern const wkChunkLanes WK_KERNEL(wkChunkLanes);
const wkChunkLanes WK_KERNEL(wkChunkLanes) = {filterChunk, packChunk};
