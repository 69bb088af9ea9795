// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "failing_gpu.h"

#include "memory/failing.h"

#define MOST_CALLS 200
#define MOST_ALLOCATIONS 40

static void failCalls(storyFcn* story, void* context)
{
    // an illegal address, a lost GPU, no memory, an illegal address in a kernel
    const int errors[] = {700, 999, 2, 700};
    for (int kind = 0; kind < 4; kind++) {
        wkResult result = wk_errorDevice, expected = kind == 2 ? wk_errorMemory : wk_errorDevice;
        for (int call = 0; result != wk_ok; call++) {
            assert_true(call < MOST_CALLS);
            if (kind == 3) {
                emulatedFailKernel(call, errors[kind]);
            } else {
                emulatedFailCall(call, errors[kind], kind == 1);
            }
            result = story(context);
            assert_true(result == wk_ok || result == expected);
            assert_int_equal(emulatedByteCount(), 0);
        }
        emulatedFailCall(-1, 0, 0);
    }
}

static long failAllocations(storyFcn* story, void* context)
{
    failing counter = {.failAt = 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &counter};
    wkSetAllocator(&allocator);
    wkResult result = wk_errorMemory;
    for (long at = 0; result != wk_ok; at++) {
        assert_true(at < MOST_ALLOCATIONS);
        counter = (failing){.failAt = at};
        result = story(context);
        assert_true(result == wk_ok || result == wk_errorMemory);
        assert_int_equal(counter.allocatedBytes, 0);
        assert_int_equal(emulatedByteCount(), 0);
    }
    wkSetAllocator(NULL);
    return counter.callCount;
}

long failEverywhere(storyFcn* story, void* context)
{
    if (emulatedIsUsed()) {
        failCalls(story, context);
    }
    return failAllocations(story, context);
}
