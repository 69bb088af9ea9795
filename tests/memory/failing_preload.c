// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A library to be preloaded: the allocation numbered WHISKER_FAIL_AT fails, and with WHISKER_FAIL_ON all
// after it. The number of allocations goes to the file WHISKER_ALLOCATIONS when the program ends. It sees
// the allocations of every library in the process, unlike wkSetAllocator.

#define _POSIX_C_SOURCE 200809L

#include "malloc_overrides.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_long callCount;
static long failAt = -1;
static bool failsOn;

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
