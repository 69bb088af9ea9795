// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Items in the order of a space-filling curve (Morton 1966): interleaved bits of their coordinates.
// A range is split where the highest bit that differs in it changes (Lauterbach et al. 2009).

#include "base/memory.h"
#include "base/sort.h"
#include "tree/bvh/bvh.h"

#define BITS_PER_AXIS 21

// Spreads the bits of a number, two zeros after each.
static uint64_t spreadBits(uint64_t bits)
{
    bits = (bits | bits << 32) & 0x001f00000000ffffu;
    bits = (bits | bits << 16) & 0x001f0000ff0000ffu;
    bits = (bits | bits << 8) & 0x100f00f00f00f00fu;
    bits = (bits | bits << 4) & 0x10c30c30c30c30c3u;
    return (bits | bits << 2) & 0x1249249249249249u;
}

static uint64_t codeOf(const wkBvhItem* item, wkQuad base, float scale)
{
    wkQuad position = (wkItemCenter(item) - base) * wkQuadOf(scale);
    uint64_t code = 0;
    for (int axis = 0; axis < 3; ++axis) {
        code |= spreadBits((uint64_t)position[axis]) << (2 - axis);
    }
    return code;
}

bool wkSortByCode(wkBvhItem* items, int32_t count, uint64_t* codes)
{
    size_t keyBytes = ((size_t)count + 1) * sizeof(wkSortKey);
    size_t itemBytes = ((size_t)count + 1) * sizeof(wkBvhItem);
    wkSortKey* keys = wkAlloc(2 * keyBytes);
    wkBvhItem* before = wkAlloc(itemBytes);
    bool hasMemory = keys != NULL && before != NULL;
    if (hasMemory) {
        wkBvhBox centers = wkEmptyBox();
        for (int32_t i = 0; i < count; ++i) {
            centers = wkBoxWith(centers, wkItemCenter(&items[i]));
        }
        // cubes, not boxes: all axes have the same scale
        wkQuad size = centers.upper - centers.lower;
        float extent = size[wkLongestAxis(centers)];
        float scale = extent > 1e-30f ? (float)((1 << BITS_PER_AXIS) - 1) / extent : 0.0f;
        for (int32_t i = 0; i < count; ++i) {
            keys[i].key = codeOf(&items[i], centers.lower, scale);
            keys[i].value = i;
        }
        wkSortKeys(keys, keys + count, count);
        memcpy(before, items, itemBytes);
        for (int32_t i = 0; i < count; ++i) {
            codes[i] = keys[i].key;
            items[i] = before[keys[i].value];
        }
    }
    wkFree(keys, 2 * keyBytes);
    wkFree(before, itemBytes);
    return hasMemory;
}

// First item of a range that has the highest differing bit; the middle when all codes are equal.
static int32_t findChange(const uint64_t* codes, int32_t first, int32_t count)
{
    int32_t low = first, high = first + count - 1;
    uint64_t differing = codes[low] ^ codes[high];
    if (differing == 0) {
        return first + count / 2;
    }
    uint64_t bit = (uint64_t)1 << (63 - __builtin_clzll(differing));
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        *((codes[middle] & bit) != 0 ? &high : &low) = middle;
    }
    return high;
}

void wkSplitByCode(const wkBvhRule* rule, wkBvhItem* items, const wkBvhRange* range,
                   wkBvhRange halves[2])
{
    int32_t change = findChange(rule->codes, range->first, range->count);
    halves[0] = wkGatherRange(items, range->first, change - range->first);
    halves[1] = wkGatherRange(items, change, range->first + range->count - change);
}
