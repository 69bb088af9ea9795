// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A block of memory with arrays at offsets, so that it can be copied and freed as one.

#include <stdint.h>

// Reserves the next bytes of a block that holds `byteCount` bytes so far and returns their offset. Each array
// starts on a cache line of its own.
static inline uint64_t wkReserve(uint64_t* byteCount, uint64_t bytes)
{
    uint64_t offset = (*byteCount + 63u) & ~(uint64_t)63u;
    *byteCount = offset + bytes;
    return offset;
}
