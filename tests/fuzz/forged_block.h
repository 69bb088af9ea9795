// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What fuzz targets of saved blocks share: memory of a forged block, and what must hold once it was loaded.

#include "whisker/whisker.h"

#include <stdio.h>
#include <stdlib.h>

// The first byte of an input that is a block as it is.
#define RAW_BLOCK 255

static inline void fail(const char* what)
{
    fprintf(stderr, "%s; last words: %s\n", what, wkGetLastError());
    abort();
}

typedef struct block {
    char* bytes; // aligned to 64
    size_t count;
} block;

static inline block emptyBlock(size_t count)
{
    block b = {(char*)aligned_alloc(64, (count + 64) / 64 * 64), count};
    if (b.bytes == NULL) {
        fail("no memory");
    }
    return b;
}

// Checks that results and objects agree, of a copied block and of the same one mapped, and that a refusal has words.
static inline void checkLoaded(wkResult copied, const void* copy, wkResult placed,
                               const void* mapped)
{
    if ((copied == wk_ok) != (copy != NULL) || (placed == wk_ok) != (mapped != NULL)) {
        fail("result and object disagree");
    }
    if ((copy != NULL) != (mapped != NULL)) {
        fail("copied and mapped blocks are not judged alike");
    }
    if (copy == NULL && wkGetLastError()[0] == '\0') {
        fail("refused without words");
    }
}

// Frees a block, when the object that was copied from it is destroyed.
static inline void freeBlock(block b)
{
    free(b.bytes);
    if (wkGetByteCount() != 0) {
        fail("memory was left behind");
    }
}
