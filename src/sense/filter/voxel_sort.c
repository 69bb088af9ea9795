// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Keeps one point of each voxel by sorting. Points become entries: the key of their voxel, their rank by the distance to
// its middle, and their index. Consecutive points of one voxel are one entry. Entries are sorted by voxel, and the least
// of each voxel is kept.

#include "sense/filter/point_set.h"

#include <math.h>
#include <string.h>

// Replaces entries of one voxel, where they are consecutive, by their least.
static int32_t mergeEntries(uint64_t* entries, int32_t count, int keyShift)
{
    int32_t last = 0;
    uint64_t least = entries[0];
    for (int32_t i = 1; i < count; ++i) {
        uint64_t entry = entries[i];
        bool isNext = (entry ^ least) >> keyShift != 0;
        least = isNext || entry < least ? entry : least;
        last += isNext;
        entries[last] = least;
    }
    return last + 1;
}

// @param isMerging consecutive points of one voxel become one entry
static int32_t writeEntries(const wkPointSet* set, const wkVoxelGrid* grid, int indexBits,
                            bool isMerging, uint64_t* entries)
{
    const wkVoxelLanes* lanes = wkVoxelLanesOfMachine();
    int keyShift = indexBits + WK_VOXEL_RANK_BITS;
    int32_t written = 0;
    for (int32_t first = 0; first < set->count; first += WK_VOXEL_BLOCK) {
        uint64_t keys[WK_VOXEL_BLOCK];
        uint32_t ranks[WK_VOXEL_BLOCK];
        lanes->findVoxels(grid, set->x + first, set->y + first, set->z + first, keys, ranks);
        int32_t left = set->count - first, count = left < WK_VOXEL_BLOCK ? left : WK_VOXEL_BLOCK;
        for (int32_t i = 0; i < count; ++i) {
            keys[i] = keys[i] << keyShift | (uint64_t)ranks[i] << indexBits | (uint32_t)(first + i);
        }
        int32_t merged = isMerging ? mergeEntries(keys, count, keyShift) : count;
        memcpy(entries + written, keys, (size_t)merged * sizeof *keys);
        written += merged;
    }
    return written;
}

// Sums the points of a voxel.
// @param shift rounds coordinates; 0: the sum depends on their order
static void addVoxel(wkPointSet* set, const uint64_t* run, int32_t count, int indexBits,
                     double shift)
{
    uint64_t mask = (UINT64_C(1) << indexBits) - 1, least = run[0];
    wkQuadDouble sum = {0.0, 0.0, 0.0, 0.0};
    for (int32_t i = 0; i < count; ++i) {
        size_t index = (size_t)(run[i] & mask);
        sum += (wkQuadDouble){wkRoundForSum((double)set->x[index], shift),
                              wkRoundForSum((double)set->y[index], shift),
                              wkRoundForSum((double)set->z[index], shift), 1.0};
        least = run[i] < least ? run[i] : least;
    }
    set->table.voxels[least & mask] = set->table.voxelCount;
    set->table.sums[set->table.voxelCount++] = sum;
}

static void addVoxels(wkPointSet* set, const uint64_t* sorted, const wkVoxelGrid* grid,
                      int indexBits, int keyShift)
{
    double shift = wkVoxelShift(grid, indexBits);
    for (int32_t first = 0, end; first < set->count; first = end) {
        end = first + 1;
        while (end < set->count && (sorted[end] ^ sorted[first]) >> keyShift == 0) {
            ++end;
        }
        addVoxel(set, sorted + first, end - first, indexBits, shift);
    }
}

static void findVoxel(const wkPointSet* set, float inverse, int32_t i, float voxel[3])
{
    wkFindVoxel(inverse, set->x[i], set->y[i], set->z[i], voxel);
}

// Voxels in such numbers that their keys are digests: a run ends where the key or the voxel changes, and its first
// point is kept. Points are added up by their index: coordinates whose voxel no float holds are in one voxel, however large.
static void keepInManyVoxels(wkPointSet* set, const wkVoxelGrid* grid, int indexBits,
                             bool hasCentroids)
{
    float inverse = grid->inverse;
    double shift = wkVoxelShift(grid, indexBits);
    for (int32_t i = 0; i < set->count; ++i) {
        float voxel[3];
        findVoxel(set, inverse, i, voxel);
        set->entries[i] = wkMixVoxel(voxel) << indexBits | (uint32_t)i;
    }
    const uint64_t* sorted = wkSortEntries(set->entries, set->spare, set->count, indexBits, 64);
    uint64_t mask = (UINT64_C(1) << indexBits) - 1;
    memset(set->isRemoved, 1, (size_t)set->count);
    for (int32_t first = 0, end; first < set->count; first = end) {
        float voxel[3], next[3];
        findVoxel(set, inverse, (int32_t)(sorted[first] & mask), voxel);
        for (end = first + 1; end < set->count; ++end) {
            findVoxel(set, inverse, (int32_t)(sorted[end] & mask), next);
            if (!wkIsSameVoxel(voxel, next)) {
                break;
            }
        }
        set->isRemoved[sorted[first] & mask] = 0;
        if (hasCentroids) {
            addVoxel(set, sorted + first, end - first, indexBits, shift);
        }
    }
}

void wkSortVoxels(wkPointSet* set, double size, bool hasCentroids)
{
    int indexBits = wkIndexBits(set->count), keyShift = indexBits + WK_VOXEL_RANK_BITS;
    wkVoxelGrid grid;
    int keyBits = wkMakeVoxelGrid(set, size, 64 - keyShift, &grid);
    set->table.voxelCount = 0;
    wkSumAllVoxels(&set->table, set->count);
    if (keyBits == 0) {
        keepInManyVoxels(set, &grid, indexBits, hasCentroids);
        return;
    }
    int32_t count = writeEntries(set, &grid, indexBits, !hasCentroids, set->entries);
    uint64_t* sorted = wkSortEntries(set->entries, set->spare, count, keyShift, keyShift + keyBits);
    if (hasCentroids) {
        addVoxels(set, sorted, &grid, indexBits, keyShift);
    }
    count = mergeEntries(sorted, count, keyShift);
    memset(set->isRemoved, 1, (size_t)set->count);
    uint64_t mask = (UINT64_C(1) << indexBits) - 1;
    for (int32_t i = 0; i < count; ++i) {
        set->isRemoved[sorted[i] & mask] = 0;
    }
}
