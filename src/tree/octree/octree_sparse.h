// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The effect of rays on cells that are too far apart for a grid: bricks by name.

#include "tree/octree/octree_brick.h"
#include "tree/octree/octree_ray.h"

typedef struct wkBrickTable {
    wkScanBrick* bricks;
    wkSortKey* names; // of the bricks in the same order, with their index as the value
    int32_t* slots;   // bricks by hashed name, counted from 1; 0: free
    int32_t count;
    int32_t capacity; // a power of two; there are twice as many slots
} wkBrickTable;

// @return false when out of memory
bool wkMakeBrickTable(wkBrickTable* table);
void wkFreeBrickTable(wkBrickTable* table);

// Marks a cell as hit. @return false when out of memory; `isNew` reports whether it was not marked before
bool wkHitInBricks(wkBrickTable* table, const int32_t key[3], bool* isNew);

// Removes the mark of a cell that has been marked.
void wkUnhitInBricks(wkBrickTable* table, const int32_t key[3]);

// Marks the cells that a ray crosses. @return false when out of memory
bool wkTraceInBricks(wkBrickTable* table, const wkGridRaySource* source, wkGridRay* gridRay);

// Reads a brick by the value of its name.
bool wkReadTableBrick(const void* table, int64_t value, wkScanBrick* brick);
