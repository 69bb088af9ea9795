// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Input that is not valid on purpose, and asserts that let it pass for the time of a test.

#include "kit.h"

#define BROKEN_POSE_COUNT 22

// A number that is none in each place of a pose, and a rotation of length zero.
static inline wkPose brokenPose(int index)
{
    static const double values[] = {NAN, INFINITY, -INFINITY};
    double numbers[7] = {100.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    if (index < 21) {
        numbers[6] = 1.0;
        numbers[index / 3] = values[index % 3];
    }
    wkPose pose = {{numbers[0], numbers[1], numbers[2]},
                   {numbers[3], numbers[4], numbers[5], numbers[6]}};
    return pose;
}

static bool keepGoing(const char* condition, const char* file, int line)
{
    (void)condition, (void)file, (void)line;
    return false;
}

static int ignoreAsserts(void** state)
{
    (void)state;
    wkSetAssertFcn(keepGoing);
    return 0;
}

static int restoreAsserts(void** state)
{
    (void)state;
    wkSetAssertFcn(NULL);
    return 0;
}
