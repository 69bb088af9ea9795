// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Times of many pieces of work, and what lies in the middle and at the end of them.

#include <stdbool.h>
#include <stddef.h>

typedef struct wkSamples {
    double* seconds;
    size_t count;
    size_t capacity;
    bool isSorted;
} wkSamples;

// Seconds on a clock that only goes forward.
double wkNow(void);

// Room for `capacity` of them; false without memory.
bool wkSamples_Reserve(wkSamples* samples, size_t capacity);
void wkSamples_Free(wkSamples* samples);

// Forgets what has no room.
void wkSamples_Add(wkSamples* samples, double seconds);

// The time that `share` of the work stays below; sorts them. 0 without samples.
double wkSamples_Percentile(wkSamples* samples, double share);

// "312 ns", "4.1 us", "12 ms", "1.3 s".
void wkSayTime(double seconds, char* words, size_t size);
