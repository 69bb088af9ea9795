// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Memory hooks, and the count of allocated bytes.

#if defined(__linux__)
#define _DEFAULT_SOURCE // madvise
#endif

#include "base/memory.h"

#include "whisker/detail/library.h"

#include <stdatomic.h>
#include <stdlib.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

// A cache line, and the widest vector register.
#define WK_ALIGNMENT 64

// Blocks from this size on come fresh from the system: with large pages the first writes to them are faster, by a
// third of the time in which a cloud of five million points is made.
#define LARGE_BLOCK ((size_t)32 << 20)
#define LARGE_PAGE ((size_t)2 << 20)

static void* allocateAligned(size_t byteCount, void* context)
{
    (void)context;

    // aligned_alloc requires a multiple of the alignment
    size_t alignment = byteCount >= LARGE_BLOCK ? LARGE_PAGE : WK_ALIGNMENT;
    size_t rounded = (byteCount + (alignment - 1)) & ~(alignment - 1);
    void* memory = rounded >= byteCount ? aligned_alloc(alignment, rounded) : NULL;
#if defined(__linux__)
    if (memory != NULL && byteCount >= LARGE_BLOCK) {
        madvise(memory, rounded, MADV_HUGEPAGE); // a hint: without it, pages are small
    }
#endif
    return memory;
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
