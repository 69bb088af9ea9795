// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Times of many operations, with their median and percentiles.

#include <stdbool.h>
#include <stddef.h>

typedef struct wkSamples {
    double* seconds;
    size_t count;
    size_t capacity;
    bool isSorted;
} wkSamples;

// Returns seconds of a monotonic clock.
double wkNow(void);

// Allocates for `capacity` times; false when out of memory.
bool wkSamples_Reserve(wkSamples* samples, size_t capacity);
void wkSamples_Free(wkSamples* samples);

// Adds a time; ignored beyond the capacity.
void wkSamples_Add(wkSamples* samples, double seconds);

// Returns the time that `share` of the operations stay below; sorts the times. 0 without samples.
double wkSamples_Percentile(wkSamples* samples, double share);

// Formats a time: "312 ns", "4.1 us", "12 ms", "1.3 s".
void wkSayTime(double seconds, char* words, size_t size);
