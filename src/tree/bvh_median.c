// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Splits ranges in the middle: the rule that always works.

#include "tree/bvh.h"

WK_FN wkQuad centerOf(const wkBvhItem* item)
{
    return item->lower + item->upper;
}

static int longestAxis(const wkBvhItem* items, int32_t count)
{
    wkQuad lower = centerOf(&items[0]), upper = lower;
    for (int32_t i = 1; i < count; ++i) {
        wkQuad center = centerOf(&items[i]);
        lower = wkMinQuad(lower, center);
        upper = wkMaxQuad(upper, center);
    }
    wkQuad size = upper - lower;
    int axis = size[1] > size[0] ? 1 : 0;
    return size[2] > size[axis] ? 2 : axis;
}

// Puts the item that belongs at `middle` there, and none larger before it (Hoare's quickselect).
// Equal ones are exchanged, so that a set of them is cut in half at each step.
static void selectMiddle(wkBvhItem* items, int32_t count, int32_t middle, int axis)
{
    int32_t low = 0, high = count - 1;
    while (low < high) {
        float pivot = centerOf(&items[low + (high - low) / 2])[axis];
        int32_t i = low, k = high;
        while (i <= k) {
            while (centerOf(&items[i])[axis] < pivot) {
                ++i;
            }
            while (centerOf(&items[k])[axis] > pivot) {
                --k;
            }
            if (i <= k) {
                wkBvhItem other = items[i];
                items[i++] = items[k];
                items[k--] = other;
            }
        }
        if (middle <= k) {
            high = k;
        } else if (middle >= i) {
            low = i;
        } else {
            return;
        }
    }
}

static wkBvhRange makeRange(const wkBvhItem* items, int32_t first, int32_t count)
{
    wkBvhRange range = {first, count, wkEmptyBox()};
    for (int32_t i = first; i < first + count; ++i) {
        range.box = wkBoxAround(range.box, items[i]);
    }
    return range;
}

void wkSplitAtMedian(wkBvhItem* items, const wkBvhRange* range, wkBvhRange halves[2])
{
    int32_t half = range->count / 2;
    wkBvhItem* own = items + range->first;
    selectMiddle(own, range->count, half, longestAxis(own, range->count));
    halves[0] = makeRange(items, range->first, half);
    halves[1] = makeRange(items, range->first + half, range->count - half);
}
