// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A layer on its way: blocks of 16 x 16 x 16 cells and the objects in front of each.

#include "batch/field_build.h"

// Cells along an edge of a block.
#define WK_BLOCK_CELLS (WK_FIELD_SPLIT * WK_FIELD_SPLIT)

// The entries of the bricks of a block.
typedef struct wkBlockEntries {
    wkFieldEntry* entries;
    size_t count;
    bool hasFailed; // there was no memory
} wkBlockEntries;

typedef struct wkLayerBuild {
    const wkField* field;
    wkFieldLayer* layer;
    uint32_t* words;
    const wkFieldLanes* lanes;
    int32_t blocks[3];
    float wider;     // what rounding may do to the place of a cell, in metres
    int32_t* starts; // of each block in `bodies`, and the end
    int32_t* bodies; // objects by block
    wkBlockEntries* made;
} wkLayerBuild;

// Makes the bricks and cells of a block: a task of its own.
void wkMakeBlock(void* build, int32_t block);

// The first cell of a brick of a block. @return false when it is beyond the grid
bool wkCellOfBrick(const wkLayerBuild* build, int32_t block, int brick, int32_t cell[3]);

WK_FN wkFieldBrick* wkBrickAt(const wkFieldLayer* layer, const int32_t cell[3])
{
    const int32_t* count = layer->grid.count;
    return &layer->bricks[cell[0] / WK_FIELD_SPLIT +
                          count[0] / WK_FIELD_SPLIT *
                              (cell[1] / WK_FIELD_SPLIT +
                               count[1] / WK_FIELD_SPLIT * (cell[2] / WK_FIELD_SPLIT))];
}

WK_FN size_t wkCellAt(const wkFieldGrid* grid, int32_t x, int32_t y, int32_t z)
{
    return (size_t)x + (size_t)grid->count[0] * ((size_t)y + (size_t)grid->count[1] * (size_t)z);
}
