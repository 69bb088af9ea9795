// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The program's definitions of malloc and friends come before those of glibc, which keeps its own
// under other names. They must be visible, or the libraries of the program would not see them.

#define _POSIX_C_SOURCE 200809L // posix_memalign

#include "malloc_hook.h"

#include "malloc_overrides.h"

#if defined(WK_HAS_MALLOC_OVERRIDES)

static long callCount;
static long callsUntilFailure = -1;

static bool mayAllocate(void)
{
    callCount++;
    if (callsUntilFailure < 0) {
        return true;
    }
    return callsUntilFailure-- > 0;
}

bool wkHasMallocHook(void)
{
    return true;
}

long wkMallocCalls(void)
{
    return callCount;
}

void wkFailMallocAfter(long count)
{
    callsUntilFailure = count;
}

#else

bool wkHasMallocHook(void)
{
    return false;
}

long wkMallocCalls(void)
{
    return 0;
}

void wkFailMallocAfter(long count)
{
    (void)count;
}

#endif
