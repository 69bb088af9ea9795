// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Stands in front of glibc's allocation functions and counts their calls, those from libraries too.

#include "malloc_count.h"

#include <errno.h>
#include <stdlib.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

static long callCount;

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* memory, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size)
{
    callCount++;
    return __libc_malloc(size);
}

void* calloc(size_t count, size_t size)
{
    callCount++;
    return __libc_calloc(count, size);
}

void* realloc(void* memory, size_t size)
{
    callCount++;
    return __libc_realloc(memory, size);
}

void* aligned_alloc(size_t alignment, size_t size)
{
    callCount++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void** memory, size_t alignment, size_t size)
{
    callCount++;
    *memory = __libc_memalign(alignment, size);
    return *memory != NULL ? 0 : ENOMEM;
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
