// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Memory and sorting of the points that a step decides together.

#include "sense/filter/point_set.h"

#include "base/block.h"

#include <string.h>

#define DIGIT_BITS 11
#define DIGIT_VALUES (1 << DIGIT_BITS)

// Space behind the end of arrays, for lanes and blocks.
#define PADDING WK_POINT_BLOCK

static uint64_t countNodes(int32_t capacity)
{
    uint64_t total = 0, count = (uint64_t)capacity;
    do {
        count = (count + WK_POINT_WIDTH - 1) / WK_POINT_WIDTH;
        total += (count + WK_POINT_WIDTH - 1) / WK_POINT_WIDTH;
    } while (count > WK_POINT_WIDTH);
    return total + 1;
}

wkPointSetOffsets wkReservePointSet(int32_t capacity, uint64_t* byteCount)
{
    uint64_t count = (uint64_t)capacity + PADDING;
    wkPointSetOffsets offsets;
    for (int i = 0; i < 6; ++i) {
        offsets.positions[i] = wkReserve(byteCount, count * sizeof(float));
    }
    offsets.isRemoved = wkReserve(byteCount, count);
    offsets.entries = wkReserve(byteCount, count * sizeof(uint64_t));
    offsets.spare = wkReserve(byteCount, count * sizeof(uint64_t));
    offsets.means = wkReserve(byteCount, count * sizeof(float));
    offsets.ids = wkReserve(byteCount, count * sizeof(int32_t));
    offsets.nodes = wkReserve(byteCount, countNodes(capacity) * sizeof(wkPointNode));
    offsets.centroids = wkReserve(byteCount, 3 * count * sizeof(float));
    wkReserveVoxelTable(capacity, byteCount, &offsets.table);
    return offsets;
}

void wkPlacePointSet(char* memory, wkPointSetOffsets offsets, int32_t capacity, wkPointSet* set)
{
    float** positions[6] = {&set->x, &set->y, &set->z, &set->tree.x, &set->tree.y, &set->tree.z};
    for (int i = 0; i < 6; ++i) {
        *positions[i] = (float*)(memory + offsets.positions[i]);
    }
    set->isRemoved = (uint8_t*)(memory + offsets.isRemoved);
    set->entries = (uint64_t*)(memory + offsets.entries);
    set->spare = (uint64_t*)(memory + offsets.spare);
    set->means = (float*)(memory + offsets.means);
    set->tree.ids = (int32_t*)(memory + offsets.ids);
    set->tree.nodes = (wkPointNode*)(memory + offsets.nodes);
    set->centroids = (float*)(memory + offsets.centroids);
    wkPlaceVoxelTable(memory, offsets.table, capacity, &set->table);
}

void wkPadPointSet(wkPointSet* set)
{
    for (int32_t i = set->count; i < set->count + PADDING; ++i) {
        set->x[i] = set->x[0];
        set->y[i] = set->y[0];
        set->z[i] = set->z[0];
    }
}

uint64_t* wkSortEntries(uint64_t* entries, uint64_t* spare, int32_t count, int lowest, int highest)
{
    uint64_t *from = entries, *to = spare;
    for (int bit = lowest; bit < highest; bit += DIGIT_BITS) {
        int width = highest - bit < DIGIT_BITS ? highest - bit : DIGIT_BITS;
        uint64_t mask = (UINT64_C(1) << width) - 1;
        uint32_t starts[DIGIT_VALUES];
        memset(starts, 0, sizeof starts);
        for (int32_t i = 0; i < count; ++i) {
            ++starts[from[i] >> bit & mask];
        }
        uint32_t sum = 0;
        for (int i = 0; i < DIGIT_VALUES; ++i) {
            uint32_t here = starts[i];
            starts[i] = sum;
            sum += here;
        }
        for (int32_t i = 0; i < count; ++i) {
            to[starts[from[i] >> bit & mask]++] = from[i];
        }
        uint64_t* other = from;
        from = to;
        to = other;
    }
    return from;
}
