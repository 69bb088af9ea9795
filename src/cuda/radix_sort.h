// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sorts numbers of 64 bits on a GPU by some of their bits, eight at a time from the lowest on. Equal ones keep their
// order, so that the result does not depend on the order in which blocks run.

#include <cuda_runtime_api.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WK_SORT_VALUES 256 // of a digit
#define WK_SORT_TILE 4096  // entries of a block of threads

// All pointers are to memory of the device.
typedef struct wkRadixSort {
    uint64_t* entries;
    uint64_t* spare;  // memory for as many
    uint32_t* counts; // WK_SORT_VALUES for each tile
    int32_t count;    // of entries, 1 or more
    int lowest;       // first bit to sort by
    int highest;      // the bit behind the last one
} wkRadixSort;

// @param sorted set to `entries` or `spare`, which has the result
cudaError_t wkLaunchSort(const wkRadixSort* sort, cudaStream_t stream, uint64_t** sorted);

#ifdef __cplusplus
}
#endif
