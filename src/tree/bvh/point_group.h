// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The points of a cloud, eight at a time. Code of this header is C, C++ and CUDA.

#include "math/vec.h"

#include <stdint.h>

// Slots of a node, and items of a leaf.
#define WK_TREE_WIDTH 8

// Eight points that are the centres of spheres: the items of a leaf, which begins at a multiple of eight. Slots
// behind the last item repeat it.
typedef struct wkPointGroup {
    float x[WK_TREE_WIDTH];
    float y[WK_TREE_WIDTH];
    float z[WK_TREE_WIDTH];
} wkPointGroup;

// The position of a point of an array of groups.
WK_FN wkVec3d wkGroupPosition(const wkPointGroup* groups, int32_t rank)
{
    const wkPointGroup* group = &groups[rank / WK_TREE_WIDTH];
    int slot = rank % WK_TREE_WIDTH;
    wkVec3d position = {(double)group->x[slot], (double)group->y[slot], (double)group->z[slot]};
    return position;
}
