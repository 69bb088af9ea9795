// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Counts entries by a digit and moves them to their buckets. Neighbours in the memory of a sensor are neighbours in
// space and mostly have the same digit, so that each would wait for the counter that the one before has changed.
// Four parts of the entries are therefore taken in turn.

#include "base/compiler.h"
#include "tree/cloud/cloud_kernel.h"

// The bits of an entry from `shift` on, 0 to 63, that are in the mask.
WK_FORCE_FN uint32_t wkDigitOf(wkCurveEntry entry, int shift, uint32_t mask)
{
    return (uint32_t)(entry >> shift) & mask;
}

// Adds the number of entries with each digit to `counts`.
WK_FORCE_FN void wkCountDigits(const wkCurveEntry* entries, uint32_t count, int shift,
                               uint32_t mask, uint32_t* counts)
{
    uint32_t part = count / 4;
    for (uint32_t i = 0; i < part; ++i) {
        ++counts[wkDigitOf(entries[i], shift, mask)];
        ++counts[wkDigitOf(entries[i + part], shift, mask)];
        ++counts[wkDigitOf(entries[i + 2 * part], shift, mask)];
        ++counts[wkDigitOf(entries[i + 3 * part], shift, mask)];
    }
    for (uint32_t i = 4 * part; i < count; ++i) {
        ++counts[wkDigitOf(entries[i], shift, mask)];
    }
}

// Moves an entry to the start of those with its digit, which becomes the next one.
WK_FORCE_FN void wkMoveEntry(wkCurveEntry entry, int shift, uint32_t mask, uint32_t* starts,
                             wkCurveEntry* to)
{
    to[starts[wkDigitOf(entry, shift, mask)]++] = entry;
}

WK_FORCE_FN void wkMoveByDigit(const wkCurveEntry* entries, uint32_t count, int shift,
                               uint32_t mask, uint32_t* starts, wkCurveEntry* to)
{
    uint32_t part = count / 4;
    for (uint32_t i = 0; i < part; ++i) {
        wkMoveEntry(entries[i], shift, mask, starts, to);
        wkMoveEntry(entries[i + part], shift, mask, starts, to);
        wkMoveEntry(entries[i + 2 * part], shift, mask, starts, to);
        wkMoveEntry(entries[i + 3 * part], shift, mask, starts, to);
    }
    for (uint32_t i = 4 * part; i < count; ++i) {
        wkMoveEntry(entries[i], shift, mask, starts, to);
    }
}
