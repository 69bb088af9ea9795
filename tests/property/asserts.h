// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Input that is not valid on purpose: asserts are to let it pass, for the time of a test.

#include "kit.h"

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
