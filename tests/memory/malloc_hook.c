// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The program's definitions of malloc and friends come before those of glibc, which keeps its own
// under other names. They must be visible, or the libraries of the program would not see them.

#define _POSIX_C_SOURCE 200809L // posix_memalign

#include "malloc_hook.h"

#include <errno.h>
#include <stdlib.h>

#if defined(__has_feature)
#define HAS_FEATURE(x) __has_feature(x)
#else
#define HAS_FEATURE(x) 0
#endif

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&       \
    !HAS_FEATURE(address_sanitizer) && !HAS_FEATURE(thread_sanitizer) &&                           \
    !HAS_FEATURE(memory_sanitizer)

#define VISIBLE __attribute__((visibility("default")))

static long callCount;
static long callsUntilFailure = -1;

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* memory, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);

// Counts a call and says whether it may succeed.
static bool mayAllocate(void)
{
    callCount++;
    if (callsUntilFailure < 0) {
        return true;
    }
    return callsUntilFailure-- > 0;
}

VISIBLE void* malloc(size_t size)
{
    return mayAllocate() ? __libc_malloc(size) : NULL;
}

VISIBLE void* calloc(size_t count, size_t size)
{
    return mayAllocate() ? __libc_calloc(count, size) : NULL;
}

VISIBLE void* realloc(void* memory, size_t size)
{
    return mayAllocate() ? __libc_realloc(memory, size) : NULL;
}

VISIBLE void* aligned_alloc(size_t alignment, size_t size)
{
    return mayAllocate() ? __libc_memalign(alignment, size) : NULL;
}

VISIBLE int posix_memalign(void** memory, size_t alignment, size_t size)
{
    *memory = mayAllocate() ? __libc_memalign(alignment, size) : NULL;
    return *memory != NULL ? 0 : ENOMEM;
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
