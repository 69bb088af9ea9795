// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Stands in front of glibc's allocation functions and counts their calls, those from libraries too.

#include "malloc_count.h"

#include "../tests/memory/malloc_overrides.h"

#if defined(WK_HAS_MALLOC_OVERRIDES)

static long callCount;

static bool mayAllocate(void)
{
    callCount++;
    return true;
}

long wkMallocCount(void)
{
    return callCount;
}

#else

long wkMallocCount(void)
{
    return -1;
}

#endif
