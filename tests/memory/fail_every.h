// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Every allocation of some work fails once.

#include "memory/failing.h"
#include "whisker/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

// Does some work again and again, with one allocation after the other failing, until none does: it must
// end in wk_ok or wk_errorMemory, and hold nothing afterwards.
// @return how often
static inline int failEveryAllocationOf(wkResult (*work)(void* context), void* context)
{
    failing counted = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &counted};
    wkSetAllocator(&allocator);
    wkResult result = wk_errorMemory;
    int n = 0;
    for (; result != wk_ok; n++) {
        counted.callCount = 0;
        counted.failAt = n;
        result = work(context);
        assert_true(result == wk_ok || result == wk_errorMemory);
        assert_int_equal(counted.allocatedBytes, 0);
    }
    wkSetAllocator(NULL);
    return n;
}

typedef wkResult failingWork(void);

static inline wkResult runFailingWork(void* context)
{
    return (*(failingWork**)context)();
}

// The same for work without a context.
static inline int failEveryAllocation(failingWork* work)
{
    return failEveryAllocationOf(runFailingWork, &work);
}
