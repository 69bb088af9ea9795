// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rays of a scan, and points that are processed together.

#include "tree/octree/octree_impl.h"
#include "tree/octree/octree_ray_item.h"

#define WK_POINTS_PER_PIECE 512

// Points of a scan that are processed together.
typedef struct wkPiece {
    float x[WK_POINTS_PER_PIECE];
    float y[WK_POINTS_PER_PIECE];
    float z[WK_POINTS_PER_PIECE];
} wkPiece;

// Transforms all points of a piece into the map.
void wkMovePiece(const wkGridRaySource* source, wkPiece* piece, int32_t count);
