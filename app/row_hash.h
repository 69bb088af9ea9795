// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A fast hash of rows of numbers, to detect that a file has changed between two runs. It costs a fraction of
// reading the rows, where a cryptographic digest would take longer than checking them. It is not secure
// against deliberate collisions.

#include "whisker/digest.h"

#include <string.h>

// Starts as all zeros.
typedef struct wkRowHash {
    uint64_t lanes[4];
} wkRowHash;

// Adds numbers. Each step is a bijection of its lane, so that a changed number always changes the hash.
static inline void wkRowHash_Add(wkRowHash* hash, const double* numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t bits, *lane = &hash->lanes[i & 3];
        memcpy(&bits, &numbers[i], sizeof bits);
        bits ^= *lane;
        *lane = ((bits << 29 | bits >> 35) + i) * 0x9e3779b97f4a7c15u;
    }
}

// Returns the hash as a digest, to be written as text.
static inline wkDigest wkRowHash_Digest(const wkRowHash* hash)
{
    wkDigest digest;
    for (int i = 0; i < WK_DIGEST_BYTES; i++) {
        digest.bytes[i] = (uint8_t)(hash->lanes[i / 8] >> (8 * (i % 8)));
    }
    return digest;
}
