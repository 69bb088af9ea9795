// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file id.h
/// Ids of objects in scenes and of cells in maps: structs of 8 bytes that are passed by value.
///
/// An id of all zeros is null: it names no object and no cell. Compare ids with `_Equals`, not by their
/// field. `_ToBits` returns a number to print, to hash or to send; `_FromBits` turns it back into the id.

#include "whisker/base.h"

/// Marks the functions of a header that are compiled into the program.
#define WK_INLINE static inline

/// Id of an object of a scene. Ids of removed objects are not reused.
typedef struct wkObjectId {
    uint64_t bits; ///< for the library: programs use wkObjectId_ToBits and wkObjectId_FromBits
} wkObjectId;

/// The id of no object.
static const wkObjectId wk_nullObjectId = {0};

/// Returns whether an id names no object. An id that is not null may be that of a removed object: see
/// wkScene_Has.
WK_INLINE bool wkObjectId_IsNull(wkObjectId id)
{
    return id.bits == 0;
}

/// Returns whether two ids are equal.
WK_INLINE bool wkObjectId_Equals(wkObjectId a, wkObjectId b)
{
    return a.bits == b.bits;
}

/// Returns an id as a number, different for each object of a scene; 0 for wk_nullObjectId.
WK_INLINE uint64_t wkObjectId_ToBits(wkObjectId id)
{
    return id.bits;
}

/// Returns the id of a number of wkObjectId_ToBits. Scenes refuse ids that they did not give out.
WK_INLINE wkObjectId wkObjectId_FromBits(uint64_t bits)
{
    wkObjectId id = {bits};
    return id;
}

/// Id of a cube of cells of a map: a single cell, or a larger cube of equal ones.
typedef struct wkCellId {
    int64_t bits; ///< for the library: programs use wkCellId_ToBits and wkCellId_FromBits
} wkCellId;

/// The id of no cell.
static const wkCellId wk_nullCellId = {0};

/// Returns whether an id names no cell.
WK_INLINE bool wkCellId_IsNull(wkCellId id)
{
    return id.bits == 0;
}

/// Returns whether two ids are equal.
WK_INLINE bool wkCellId_Equals(wkCellId a, wkCellId b)
{
    return a.bits == b.bits;
}

/// Returns an id as a number, as contacts, distances and rays report the cell of a map (`partA`, `partB`,
/// `part`): the interleaved bits (x lowest) of the key of its lowest cell, times 32, plus its depth, plus 1.
/// It is positive and below 2^53; 0 for wk_nullCellId.
WK_INLINE int64_t wkCellId_ToBits(wkCellId id)
{
    return id.bits;
}

/// Returns the id of a number of wkCellId_ToBits, or of the part of a map that a query reports. Maps refuse
/// numbers that name no cell, such as the part -1.
WK_INLINE wkCellId wkCellId_FromBits(int64_t bits)
{
    wkCellId id = {bits};
    return id;
}
