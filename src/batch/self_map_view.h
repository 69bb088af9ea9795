// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What kernels read of maps of joint values, see self_map.h. The common subset of C, C++ and CUDA.

#include "base/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Maps of a batch at most.
#define WK_MOST_MAPS 32

#define WK_MAP_VARIABLES 2

// Cells along a variable, as powers of two: of a map of one variable, and of a map of two.
#define WK_MAP_LINE_LEVELS 12
#define WK_MAP_PLANE_LEVELS 9

// Values that are looked up, in radians or metres: floats resolve these well.
#define WK_MAP_REACH 8.0
// Distance outside the first and the last cell that still belongs to them.
#define WK_MAP_TOLERANCE 1e-5

// One block of memory that means the same wherever it lies: the words are at an offset.
typedef struct wkSelfMap {
    size_t byteCount; // of the map with its words
    int32_t variableCount;
    int32_t variables[WK_MAP_VARIABLES];
    int32_t count;                     // cells along each variable, a power of two
    float lower[WK_MAP_VARIABLES];     // where the first cell begins
    float scale[WK_MAP_VARIABLES];     // cells per radian or metre
    bool isWhole[WK_MAP_VARIABLES];    // values a full revolution apart are the same
    float tolerance[WK_MAP_VARIABLES]; // WK_MAP_TOLERANCE in cells
    bool settles;   // touching cells touch; false: the tests of pairs decide about these, too
    bool decides;   // open cells count as touching; false: the tests of pairs decide about them
    size_t wordsAt; // offset of the words in bytes from the start
} wkSelfMap;

// Returns the words of a map: 16 cells each; those along the last variable are consecutive.
WK_FN const uint32_t* wkMapWords(const wkSelfMap* map)
{
    return (const uint32_t*)(const void*)((const char*)map + map->wordsAt);
}

// Bits of a cell. Zero: open.
typedef enum wkMapVerdict {
    wk_mapOpen = 0,
    wk_mapApart = 1,
    wk_mapTouching = 2,
    wk_mapOutside = 4, // the configuration is not in the map
} wkMapVerdict;

#define WK_MAP_WORD_CELLS 16
