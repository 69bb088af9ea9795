// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sorting by integer keys, in time proportional to their number.

#include <stdint.h>

typedef struct wkSortKey {
    uint64_t key;
    int64_t value; // moves with the key
} wkSortKey;

// Sorts by key; equal keys keep their order. `spare` has capacity for `count` keys.
void wkSortKeys(wkSortKey* keys, wkSortKey* spare, int32_t count);
