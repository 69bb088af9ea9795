// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Keys and their interleaved bits: x lowest, three bits per level, the root's children highest.

#include "base/compiler.h"
#include "whisker/octree.h"

WK_FN uint64_t wkSpreadKey(uint16_t key)
{
    uint64_t bits = key;
    bits = (bits | bits << 16) & 0x0000ff0000ffu;
    bits = (bits | bits << 8) & 0x00f00f00f00fu;
    bits = (bits | bits << 4) & 0x0c30c30c30c3u;
    return (bits | bits << 2) & 0x249249249249u;
}

WK_FN uint64_t wkMortonOfKey(wkCellKey key)
{
    return wkSpreadKey(key.x) | wkSpreadKey(key.y) << 1 | wkSpreadKey(key.z) << 2;
}
