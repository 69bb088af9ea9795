// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sorting by whole numbers, in time proportional to how many there are.

#include <stdint.h>

typedef struct wkSortKey {
    uint64_t key;
    int64_t value; // goes with the key
} wkSortKey;

// Sorts by key; equal ones keep their order. `spare` has room for as many.
void wkSortKeys(wkSortKey* keys, wkSortKey* spare, int32_t count);
