// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sorts the entries of a bucket, from the highest digit down, until few are equal in all digits so far: dense regions
// take more digits than others. Entries go to and fro between two arrays; the indices of a bucket are written in
// its order so far, and those of its dense parts once more by the next digit.

#include "base/compiler.h"
#include "tree/cloud/digit_pass.h"

#include <string.h>

// Most bits of a digit: eight cubes along each axis.
#define MAX_DIGIT_BITS 9

// As many entries are not sorted further: those of a leaf.
#define FEW_ENTRIES 8

// As many are compared with each other: no branch depends on how they compare.
#define COMPARED_ENTRIES 32
#define SLOT_BITS 5
#define KEY_BITS (31 - SLOT_BITS)

WK_FORCE_FN void writeIndices(const wkCurveEntry* entries, uint32_t count, int indexBits,
                              int32_t* indices)
{
    uint32_t mask = (1u << indexBits) - 1;
    for (uint32_t i = 0; i < count; ++i) {
        indices[i] = (int32_t)((uint32_t)entries[i] & mask);
    }
}

// Adds the number of smaller keys to the rank of each of `width` keys.
WK_FORCE_FN void rankKeys(const int32_t* keys, uint32_t count, int width, int32_t* ranks)
{
    for (uint32_t k = 0; k < count; ++k) {
        for (int i = 0; i < width; ++i) {
            ranks[i] += keys[k] < keys[i] ? 1 : 0;
        }
    }
}

// Writes the indices of up to COMPARED_ENTRIES entries whose bits from `bit` on are equal.
WK_FORCE_FN void compareEntries(const wkCurveEntry* entries, uint32_t count, int bit, int indexBits,
                                int32_t* indices)
{
    // the slot below the highest bits that differ makes all keys different
    int shift = bit - indexBits > KEY_BITS ? bit - KEY_BITS : indexBits;
    uint32_t keyMask = (1u << (bit - shift)) - 1, indexMask = (1u << indexBits) - 1;
    _Alignas(64) int32_t keys[COMPARED_ENTRIES], ranks[COMPARED_ENTRIES] = {0};
    for (uint32_t i = 0; i < COMPARED_ENTRIES; ++i) {
        keys[i] = INT32_MAX;
    }
    for (uint32_t i = 0; i < count; ++i) {
        keys[i] = (int32_t)(wkDigitOf(entries[i], shift, keyMask) << SLOT_BITS | i);
    }
    if (count <= COMPARED_ENTRIES / 2) { // mostly
        rankKeys(keys, count, COMPARED_ENTRIES / 2, ranks);
    } else {
        rankKeys(keys, count, COMPARED_ENTRIES, ranks);
    }
    for (uint32_t i = 0; i < count; ++i) {
        indices[ranks[i]] = (int32_t)((uint32_t)entries[i] & indexMask);
    }
}

// Bits of the next digit: surfaces fill four of eight cubes, so nine bits leave one of 64 entries in each.
WK_FORCE_FN int chooseDigit(uint32_t count)
{
    return count > 128 ? MAX_DIGIT_BITS : 6;
}

// Sorts entries whose bits from `bit` on are equal.
static void sortBucket(wkCurveEntry* entries, wkCurveEntry* scratch, uint32_t count, int bit,
                       int indexBits, int32_t* indices)
{
    if (count <= COMPARED_ENTRIES) {
        compareEntries(entries, count, bit, indexBits, indices);
        return;
    }
    int wanted = bit - chooseDigit(count), shift = wanted > indexBits ? wanted : indexBits;
    uint32_t values = 1u << (bit - shift), mask = values - 1, ends[(1 << MAX_DIGIT_BITS) + 1];
    memset(ends, 0, (values + 1) * sizeof *ends);
    wkCountDigits(entries, count, shift, mask, ends + 1);
    for (uint32_t i = 1; i < values; ++i) {
        ends[i + 1] += ends[i];
    }
    wkMoveByDigit(entries, count, shift, mask, ends, scratch); // starts become ends
    writeIndices(scratch, count, indexBits, indices);
    for (uint32_t i = 0, first = 0; i < values && shift > indexBits; first = ends[i++]) {
        if (ends[i] - first > FEW_ENTRIES) {
            sortBucket(scratch + first, entries + first, ends[i] - first, shift, indexBits,
                       indices + first);
        }
    }
}
