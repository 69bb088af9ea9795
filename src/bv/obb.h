// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Oriented boxes, the common tongue of all volumes: every kind can say which box is around it, and
// a convex shape is a box to a walk.

#include "math/frame.h"

typedef struct wkObb {
    wkFrame frame; // centre and axes
    wkVec3d half;  // half extents along the axes, >= 0
} wkObb;
