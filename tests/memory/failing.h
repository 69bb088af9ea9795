// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An allocator that counts, and fails at one call.

#include <stddef.h>
#include <stdlib.h>

typedef struct failing {
    long callCount;
    long failAt; // this call returns NULL; negative: none
    long allocatedBytes;
} failing;

static void* allocateOrFail(size_t byteCount, void* context)
{
    failing* f = (failing*)context;
    if (f->callCount++ == f->failAt) {
        return NULL;
    }
    f->allocatedBytes += (long)byteCount;
    return aligned_alloc(64, (byteCount + 63) / 64 * 64);
}

static void releaseCounted(void* memory, size_t byteCount, void* context)
{
    failing* f = (failing*)context;
    f->allocatedBytes -= (long)byteCount;
    free(memory);
}
