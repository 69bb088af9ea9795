// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The extent of a hierarchy.

#include "geom/convex.h"
#include "tree/bvh/tree_shape.h"

// Axis-aligned box in the world, with rounding and padding; see wkShape_Bounds.
wkAabb wkTreeBounds(const wkShape* shape, const wkPose* pose);

// Furthest point along a unit direction, in the frame of the tree; zero when it is empty.
wkVec3d wkTreeSupport(const wkShape* shape, wkVec3d direction);
