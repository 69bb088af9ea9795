// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Whole pools of blocks, for those who create, copy and destroy maps.

#include "tree/octree/octree_impl.h"

// Without pages.
void wkOctreePoolInit(wkOctreePool* pool, int32_t blocksPerPage);

// Leaves all pages.
void wkOctreePoolClear(wkOctreePool* pool);

// Makes `copy`, which is overwritten, share all pages.
// @return false when there is no memory: `copy` is empty
bool wkOctreePoolShare(const wkOctreePool* pool, wkOctreePool* copy);

size_t wkOctreePoolBytes(const wkOctreePool* pool);
