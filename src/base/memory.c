// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Memory hooks, and the count of allocated bytes.

#include "base/memory.h"

#include "whisker/detail/library.h"

#include <stdatomic.h>
#include <stdlib.h>

// A cache line, and the widest vector register.
#define WK_ALIGNMENT 64

static void* allocateAligned(size_t byteCount, void* context)
{
    (void)context;

    // aligned_alloc requires a multiple of the alignment
    size_t rounded = (byteCount + (WK_ALIGNMENT - 1)) & ~(size_t)(WK_ALIGNMENT - 1);
    return rounded >= byteCount ? aligned_alloc(WK_ALIGNMENT, rounded) : NULL;
}

static void releaseAligned(void* memory, size_t byteCount, void* context)
{
    (void)byteCount;
    (void)context;
    free(memory);
}

static wkAllocator allocator = {allocateAligned, releaseAligned, NULL};
static atomic_size_t allocatedBytes;

void wkSetAllocator(const wkAllocator* replacement)
{
    wkAllocator standard = {allocateAligned, releaseAligned, NULL};
    allocator = replacement != NULL ? *replacement : standard;
}

size_t wkGetByteCount(void)
{
    return atomic_load(&allocatedBytes);
}

void* wkAlloc(size_t byteCount)
{
    void* memory = allocator.allocate(byteCount, allocator.context);
    if (memory != NULL) {
        atomic_fetch_add(&allocatedBytes, byteCount);
    }
    return memory;
}

void wkFree(void* memory, size_t byteCount)
{
    if (memory != NULL) {
        atomic_fetch_sub(&allocatedBytes, byteCount);
        allocator.release(memory, byteCount, allocator.context);
    }
}

void* wkAllocate(size_t byteCount)
{
    return wkAlloc(byteCount);
}

void wkRelease(void* memory, size_t byteCount)
{
    wkFree(memory, byteCount);
}
