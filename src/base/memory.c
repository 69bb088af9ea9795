// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Memory hooks, and the count of allocated bytes.

#define _DEFAULT_SOURCE // madvise

#include "base/memory.h"

#include "whisker/detail/library.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

// A cache line, and the widest vector register.
#define WK_ALIGNMENT 64

// Blocks from this size on, such as the cloud of a frame, are made of large pages where the system has them. Memory of
// such blocks mostly goes back to the system when they are freed, and clearing it again by pages of 4 KB takes nearly as
// long as making a cloud in it does.
#define LARGE_BLOCK ((size_t)4 << 20)
#define LARGE_PAGE ((size_t)2 << 20)

static void* allocateAligned(size_t byteCount, void* context)
{
    (void)context;

    // aligned_alloc requires a multiple of the alignment
    bool isLarge = byteCount >= LARGE_BLOCK;
    size_t alignment = isLarge ? LARGE_PAGE : WK_ALIGNMENT;
    size_t rounded = (byteCount + (alignment - 1)) & ~(alignment - 1);
    void* memory = rounded >= byteCount ? aligned_alloc(alignment, rounded) : NULL;
#ifdef MADV_HUGEPAGE
    if (isLarge && memory != NULL) {
        int before = errno;
        madvise(memory, rounded, MADV_HUGEPAGE); // without large pages, nothing changes
        errno = before;
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
