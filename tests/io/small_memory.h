// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A machine with little memory: a file that lies about its size must be refused before anything
// large is asked for.

#include "whisker/base.h"

#include <stdlib.h>

static size_t largestRequest;

static void* allocateSmall(size_t byteCount, void* context)
{
    (void)context;
    largestRequest = byteCount > largestRequest ? byteCount : largestRequest;
    return byteCount < 1000000 ? aligned_alloc(64, (byteCount + 63) / 64 * 64) : NULL;
}

static void releaseSmall(void* memory, size_t byteCount, void* context)
{
    (void)byteCount;
    (void)context;
    free(memory);
}

// Set-up of a test.
static int useSmallMemory(void** state)
{
    (void)state;
    static const wkAllocator allocator = {allocateSmall, releaseSmall, NULL};
    wkSetAllocator(&allocator);
    largestRequest = 0;
    return 0;
}

// The end of a test, which fails where it asked for much.
static int useAllMemory(void** state)
{
    (void)state;
    wkSetAllocator(NULL);
    return largestRequest < 10000 ? 0 : -1;
}
