// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Radix sort from the lowest digit up.

#include "base/sort.h"

#include <string.h>

#define DIGIT_BITS 8
#define DIGIT_COUNT (64 / DIGIT_BITS)
#define DIGIT_VALUES (1 << DIGIT_BITS)

static int digitOf(uint64_t key, int digit)
{
    return (int)(key >> (digit * DIGIT_BITS) & (DIGIT_VALUES - 1));
}

static void countDigits(const wkSortKey* keys, int32_t count,
                        int32_t counts[DIGIT_COUNT][DIGIT_VALUES])
{
    memset(counts, 0, sizeof(int32_t) * DIGIT_COUNT * DIGIT_VALUES);
    for (int32_t i = 0; i < count; ++i) {
        for (int digit = 0; digit < DIGIT_COUNT; ++digit) {
            ++counts[digit][digitOf(keys[i].key, digit)];
        }
    }
}

// Moves keys to the positions of their digits; `counts` become positions.
static void moveByDigit(const wkSortKey* from, wkSortKey* to, int32_t count, int digit,
                        int32_t counts[DIGIT_VALUES])
{
    int32_t sum = 0;
    for (int i = 0; i < DIGIT_VALUES; ++i) {
        int32_t here = counts[i];
        counts[i] = sum;
        sum += here;
    }
    for (int32_t i = 0; i < count; ++i) {
        to[counts[digitOf(from[i].key, digit)]++] = from[i];
    }
}

void wkSortKeys(wkSortKey* keys, wkSortKey* spare, int32_t count)
{
    if (count < 2) {
        return;
    }
    int32_t counts[DIGIT_COUNT][DIGIT_VALUES];
    countDigits(keys, count, counts);
    wkSortKey* from = keys;
    wkSortKey* to = spare;
    for (int digit = 0; digit < DIGIT_COUNT; ++digit) {
        // a digit that all keys share changes nothing
        if (counts[digit][digitOf(keys[0].key, digit)] == count) {
            continue;
        }
        moveByDigit(from, to, count, digit, counts[digit]);
        wkSortKey* other = from;
        from = to;
        to = other;
    }
    if (from != keys) {
        memcpy(keys, from, (size_t)count * sizeof *keys);
    }
}
