// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Stands in front of glibc's allocation functions and counts their calls, those from libraries too.

#include "malloc_count.h"

#include <errno.h>
#include <stdlib.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

// Visible, or the libraries of the program would not see them.
#define VISIBLE __attribute__((visibility("default")))

static long callCount;

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* memory, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);

VISIBLE void* malloc(size_t size)
{
    callCount++;
    return __libc_malloc(size);
}

VISIBLE void* calloc(size_t count, size_t size)
{
    callCount++;
    return __libc_calloc(count, size);
}

VISIBLE void* realloc(void* memory, size_t size)
{
    callCount++;
    return __libc_realloc(memory, size);
}

VISIBLE void* aligned_alloc(size_t alignment, size_t size)
{
    callCount++;
    return __libc_memalign(alignment, size);
}

VISIBLE int posix_memalign(void** memory, size_t alignment, size_t size)
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
