// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Boxes that divide a mesh into parts that are nearly convex.

#include "robot/body_set.h"

// Boxes of one mesh at most.
#define WK_MESH_BOXES 8

// Divides the mesh of a body.
// @param most boxes to divide it into
// @param boxes set, in the frame of the mesh; together they contain it
// @return how many: 1 for other shapes, and for meshes that fill their hull
int32_t wkDivideBody(const wkCollisionBody* body, int32_t most, wkAabb boxes[WK_MESH_BOXES]);
