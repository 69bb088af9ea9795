// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Times, sorted on the first request for a percentile.

#include "demo_samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double wkNow(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

bool wkSamples_Reserve(wkSamples* samples, size_t capacity)
{
    double* seconds = realloc(samples->seconds, capacity * sizeof *seconds);
    if (seconds == NULL) {
        return false;
    }
    samples->seconds = seconds;
    samples->capacity = capacity;
    return true;
}

void wkSamples_Free(wkSamples* samples)
{
    free(samples->seconds);
    *samples = (wkSamples){0};
}

void wkSamples_Add(wkSamples* samples, double seconds)
{
    if (samples->count < samples->capacity) {
        samples->seconds[samples->count++] = seconds;
        samples->isSorted = false;
    }
}

static int compareSeconds(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

double wkSamples_Percentile(wkSamples* samples, double share)
{
    if (samples->count == 0) {
        return 0.0;
    }
    if (!samples->isSorted) {
        qsort(samples->seconds, samples->count, sizeof samples->seconds[0], compareSeconds);
        samples->isSorted = true;
    }
    return samples->seconds[(size_t)(share * (double)(samples->count - 1) + 0.5)];
}

void wkSayTime(double seconds, char* words, size_t size)
{
    static const struct {
        double unit;
        const char* name;
    } units[] = {{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    size_t i = 0;
    while (i < 3 && seconds < units[i].unit) {
        i++;
    }
    double value = seconds / units[i].unit;
    snprintf(words, size, "%.*f %s", value < 9.95 ? 1 : 0, value, units[i].name);
}
