// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Parting a range in place by a rule that folds away.

#include "tree/bvh.h"

// Puts the items for which `isFirst` holds before the others and fills both halves, which may be
// empty.
WK_FORCE_FN void wkPartRange(wkBvhItem* items, const wkBvhRange* range,
                             bool isFirst(const void* context, const wkBvhItem* item),
                             const void* context, wkBvhRange halves[2])
{
    wkBvhRange low = wkEmptyRange(range->first, range->depth), high = low;
    wkBvhItem* left = items + range->first;
    wkBvhItem* right = left + range->count;
    for (;;) {
        while (left < right && isFirst(context, left)) {
            wkAddItem(&low, left++);
        }
        while (left < right && !isFirst(context, right - 1)) {
            wkAddItem(&high, --right);
        }
        if (left == right) {
            break;
        }
        wkBvhItem other = *left;
        *left = *(right - 1);
        *(right - 1) = other;
    }
    high.first = range->first + low.count;
    halves[0] = low;
    halves[1] = high;
}
