// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What fuzz targets of saved blocks share: a block as a forger would make it, and what must hold once it was loaded.
//
// The first two bytes of an input choose a block of our own; each four more are a change, and then the block gets a
// fresh checksum. So an input stays good when the layout of blocks changes. After a first byte of 255 come the bytes
// of a block as they are.

#include "base/saved_block.h"
#include "whisker/whisker.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

// A change is four bytes: how, where (two of them) and what.
enum {
    flipsBits,
    putsInteger,
    putsFloat,
    putsDouble
};

static inline void changeBlock(const block* b, size_t headerBytes, const uint8_t* bytes)
{
    static const int32_t integers[] = {0, 1, -1, 2, 7, 63, 64, INT32_MAX, INT32_MIN};
    static const double numbers[] = {0.0,  NAN,   INFINITY, -INFINITY, 1.0,  -1.0,
                                     1e15, -1e15, DBL_MAX,  -DBL_MAX,  1e30, DBL_TRUE_MIN};
    bool isInHeader = (bytes[0] & 0x80) != 0;
    size_t wordCount = (isInHeader ? headerBytes : b->count) / 8;
    size_t offset = 8 * ((bytes[1] + 256u * bytes[2]) % wordCount);
    double number = numbers[bytes[3] % (sizeof numbers / sizeof *numbers)];
    float narrow = (float)fmin(fmax(number, -(double)FLT_MAX), (double)FLT_MAX);
    narrow = isfinite(number) ? narrow : (float)number;
    size_t half = (bytes[0] & 4) != 0 ? 4 : 0, byte = bytes[0] >> 4 & 7;
    switch (bytes[0] & 3) {
    case flipsBits:
        b->bytes[offset + byte] = (char)(b->bytes[offset + byte] ^ bytes[3]);
        break;
    case putsInteger:
        memcpy(b->bytes + offset + half, &integers[bytes[3] % (sizeof integers / 4)], 4);
        break;
    case putsFloat:
        memcpy(b->bytes + offset + half, &narrow, 4);
        break;
    default:
        memcpy(b->bytes + offset, &number, 8);
    }
}

// What differs between blocks.
typedef struct forgedKind {
    uint64_t magic;
    uint32_t version;
    size_t headerBytes;
    block (*make)(uint8_t first, uint8_t second); // a block of our own
    void (*seal)(void* bytes);                    // computes the checksum
} forgedKind;

// Makes the block that an input stands for.
static inline block forgeBlock(const forgedKind* kind, const uint8_t* data, size_t size)
{
    if (size < 2 || data[0] == RAW_BLOCK) {
        size_t count = size > 0 ? size - 1 : 0;
        block raw = emptyBlock(count);
        if (count > 0) {
            memcpy(raw.bytes, data + 1, count);
        }
        return raw;
    }
    block b = kind->make(data[0], data[1]);
    for (size_t i = 2; i + 4 <= size && i < 200; i += 4) {
        changeBlock(&b, kind->headerBytes, data + i);
    }
    wkSavedHead* head = (wkSavedHead*)b.bytes;
    head->magic = kind->magic;
    head->version = kind->version;
    if (head->byteCount >= kind->headerBytes && head->byteCount <= b.count) {
        kind->seal(b.bytes);
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
