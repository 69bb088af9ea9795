// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file values.h
/// Fields of values that programs hold and functions fill in. Not stable: programs use these values through
/// functions alone, and their fields and sizes may change with the minor number.

#include "whisker/math.h"

/// Warm start for a pair, see query.h.
typedef struct wkPairCache {
    wkVec3d direction;  ///< last normal, in the frame of the pair; zero: empty
    int32_t count;      ///< vertices in use below, for two hulls
    int32_t vertexA[3]; ///< closest vertices of hull A
    int32_t vertexB[3]; ///< closest vertices of hull B
} wkPairCache;

/// Iteration over the cells of a map, see octree.h.
typedef struct wkCellIterator {
    const struct wkOctree* octree; ///< the map
    uint64_t path[17];             ///< current nodes from the root
    uint64_t morton;               ///< current position
    int32_t depth;                 ///< current depth
    int32_t maxDepth;              ///< of the request
    int32_t mix;                   ///< wkMixRule of the request
    float threshold;               ///< log-odds of occupied cells
    uint16_t lowest[3];            ///< key of the lowest cell in the box of the request
    uint16_t highest[3];           ///< key of the highest cell in the box of the request
    bool wantsUnknown;             ///< of the request
    bool wantsFree;                ///< of the request
    bool wantsOccupied;            ///< of the request
} wkCellIterator;

/// State of the computation of a digest, see digest.h.
typedef struct wkDigestBuilder {
    uint64_t state[8];  ///< of BLAKE2b
    uint8_t block[128]; ///< bytes that wait for a full block
    uint64_t byteCount; ///< bytes hashed so far, without those in `block`
    uint32_t used;      ///< bytes in `block`
} wkDigestBuilder;
