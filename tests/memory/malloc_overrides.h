// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Replaces the C library's allocation functions, for the program and the libraries it uses. The one file of
// a program that includes this defines mayAllocate, which is called before every allocation.

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

// Sanitizers bring allocation functions of their own.
#if defined(__GLIBC__) && !defined(WK_IS_SANITIZED)
#define WK_HAS_MALLOC_OVERRIDES 1

// Counts a call and returns whether it may succeed.
static bool mayAllocate(void);

// Visible, or the libraries of the program would not see them.
#define WK_VISIBLE __attribute__((visibility("default")))

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* memory, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);

WK_VISIBLE void* malloc(size_t size)
{
    return mayAllocate() ? __libc_malloc(size) : NULL;
}

WK_VISIBLE void* calloc(size_t count, size_t size)
{
    return mayAllocate() ? __libc_calloc(count, size) : NULL;
}

WK_VISIBLE void* realloc(void* memory, size_t size)
{
    return mayAllocate() ? __libc_realloc(memory, size) : NULL;
}

WK_VISIBLE void* aligned_alloc(size_t alignment, size_t size)
{
    return mayAllocate() ? __libc_memalign(alignment, size) : NULL;
}

WK_VISIBLE int posix_memalign(void** memory, size_t alignment, size_t size)
{
    *memory = mayAllocate() ? __libc_memalign(alignment, size) : NULL;
    return *memory != NULL ? 0 : ENOMEM;
}

#endif
