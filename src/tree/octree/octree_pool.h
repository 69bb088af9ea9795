// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Whole pools of blocks, for creating, copying and destroying maps.

#include "tree/octree/octree_impl.h"

// Makes a pool without pages.
void wkOctreePoolInit(wkOctreePool* pool, int32_t blocksPerPage);

// Releases all pages.
void wkOctreePoolClear(wkOctreePool* pool);

// Makes `copy`, which is overwritten, share all pages.
// @return false when out of memory: `copy` is empty
bool wkOctreePoolShare(const wkOctreePool* pool, wkOctreePool* copy);

size_t wkOctreePoolBytes(const wkOctreePool* pool);
