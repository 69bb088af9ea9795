// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "base/checksum.h"

#include <string.h>

static uint64_t mixWord(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
    return sum ^ sum >> 29;
}

static uint64_t readWord(const char* bytes, size_t count)
{
    uint64_t word = 0;
    memcpy(&word, bytes, count);
    return word;
}

// Independent sums, which are computed in parallel.
#define SUM_COUNT 8

uint64_t wkChecksum(const void* memory, size_t count)
{
    const char* bytes = (const char*)memory;
    uint64_t sums[SUM_COUNT] = {1, 2, 3, 4, 5, 6, 7, 8};
    size_t i = 0;
    for (; i + 8 * SUM_COUNT <= count; i += 8 * SUM_COUNT) {
        for (int k = 0; k < SUM_COUNT; ++k) {
            sums[k] = mixWord(sums[k], readWord(bytes + i + 8 * k, 8));
        }
    }
    for (; i < count; i += 8) {
        sums[0] = mixWord(sums[0], readWord(bytes + i, count - i < 8 ? count - i : 8));
    }
    uint64_t sum = mixWord(count, sums[0]);
    for (int k = 1; k < SUM_COUNT; ++k) {
        sum = mixWord(sum, sums[k]);
    }
    return sum;
}
