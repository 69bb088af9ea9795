// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// In-place partition of a range by a predicate that is inlined.

#include "tree/bvh/bvh.h"

// Puts the items for which `isFirst` holds before the others and fills both halves, which may be
// empty. Every item is exchanged with the first one of the second half, which grows again when the item
// belongs to it: no branch depends on the predicate, which is unpredictable.
WK_FORCE_FN void wkPartRange(wkBvhItem* items, const wkBvhRange* range,
                             bool isFirst(const void* context, const wkBvhItem* item),
                             const void* context, wkBvhRange halves[2])
{
    int32_t middle = range->first, end = range->first + range->count;
    for (int32_t i = range->first; i < end; ++i) {
        bool isBefore = isFirst(context, &items[i]);
        wkBvhItem item = items[i];
        items[i] = items[middle];
        items[middle] = item;
        middle += isBefore;
    }
    halves[0] = wkGatherRange(items, range->first, middle - range->first);
    halves[1] = wkGatherRange(items, middle, end - middle);
}
