// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A library to be preloaded: the allocation numbered WHISKER_FAIL_AT fails, and with WHISKER_FAIL_ON all
// after it. The number of allocations goes to the file WHISKER_ALLOCATIONS when the program ends. It sees
// the allocations of every library in the process, unlike wkSetAllocator.

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define VISIBLE __attribute__((visibility("default")))

static atomic_long callCount;
static long failAt = -1;
static bool failsOn;

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* memory, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);

// Allocations before this one, by the loader, always succeed.
__attribute__((constructor)) static void start(void)
{
    const char* text = getenv("WHISKER_FAIL_AT");
    failsOn = getenv("WHISKER_FAIL_ON") != NULL;
    atomic_store(&callCount, 0);
    failAt = text != NULL ? strtol(text, NULL, 10) : -1;
}

__attribute__((destructor)) static void stop(void)
{
    const char* path = getenv("WHISKER_ALLOCATIONS");
    int file = path != NULL ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (file >= 0) {
        dprintf(file, "%ld\n", atomic_load(&callCount));
        close(file);
    }
}

static bool mayAllocate(void)
{
    long number = atomic_fetch_add(&callCount, 1);
    bool isRefused = failAt >= 0 && (failsOn ? number >= failAt : number == failAt);
    errno = isRefused ? ENOMEM : errno;
    return !isRefused;
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
