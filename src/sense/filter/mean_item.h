// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Mean distances to neighbours, and what is above their mean, as numbers that do not depend on the order in which
// neighbours are found: a device finds them in another one.

#include "base/compiler.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// Adding and subtracting it rounds distances to multiples of 2^-41 of the largest one or more: sums of 1025 of them have
// no more than 53 bits, and are exact in any order. Zero: all distances are.
// @param square of the largest distance
WK_FN double wkDistanceShift(float square)
{
    double largest = sqrt((double)square), shift;
    uint64_t bits;
    memcpy(&bits, &largest, sizeof bits);
    bits &= UINT64_C(0x7ff0000000000000);
    memcpy(&shift, &bits, sizeof shift);
    return shift * 4096.0;
}

// A distance, rounded by a shift.
WK_FN double wkRoundedDistance(float square, double shift)
{
    return (sqrt((double)square) + shift) - shift;
}

// Points whose mean distances are summed in their order; sums of blocks are summed in theirs.
#define WK_MEAN_BLOCK 256

typedef struct wkMeanSums {
    double sum;
    double squares;
} wkMeanSums;

// Sums of the mean distances of a block.
WK_FN wkMeanSums wkSumMeans(const float* means, int32_t count)
{
    wkMeanSums sums = {0.0, 0.0};
    for (int32_t i = 0; i < count; ++i) {
        float square = means[i] * means[i];
        sums.sum += (double)means[i];
        sums.squares += (double)square;
    }
    return sums;
}

WK_FN wkMeanSums wkAddMeanSums(wkMeanSums a, wkMeanSums b)
{
    wkMeanSums sums = {a.sum + b.sum, a.squares + b.squares};
    return sums;
}

// The largest mean distance that is kept: the mean of all and some standard deviations. NaN for a single point, and
// where distances are infinite, removes nothing.
WK_FN double wkMeanThreshold(wkMeanSums sums, int32_t pointCount, double sigmas)
{
    double count = (double)pointCount;
    double variance = (sums.squares - sums.sum * sums.sum / count) / (count - 1.0);
    return sums.sum / count + sigmas * sqrt(variance);
}
