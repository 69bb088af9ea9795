// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A layer under construction: blocks of 16 x 16 x 16 cells and the objects near each.

#include "batch/field_build.h"

// Cells along an edge of a block.
#define WK_BLOCK_CELLS (WK_FIELD_SPLIT * WK_FIELD_SPLIT)

// The entries of the bricks of a block.
typedef struct wkBlockEntries {
    wkFieldEntry* entries;
    size_t count;
    bool hasFailed; // out of memory
} wkBlockEntries;

typedef struct wkLayerBuild {
    const wkField* field;
    wkFieldLayer* layer;
    uint32_t* words;
    const wkFieldLanes* lanes;
    int32_t blocks[3];
    float wider;     // rounding of the position of a cell, in metres
    int32_t* starts; // first index of each block in `bodies`, and the end
    int32_t* bodies; // objects by block
    wkBlockEntries* made;
} wkLayerBuild;

// Builds the bricks and cells of a block, as a task.
void wkMakeBlock(void* build, int32_t block);

// Finds the first cell of a brick of a block. @return false when it is beyond the grid
bool wkCellOfBrick(const wkLayerBuild* build, int32_t block, int brick, int32_t cell[3]);

WK_FN size_t wkCellAt(const wkFieldGrid* grid, int32_t x, int32_t y, int32_t z)
{
    return (size_t)x + (size_t)grid->count[0] * ((size_t)y + (size_t)grid->count[1] * (size_t)z);
}
