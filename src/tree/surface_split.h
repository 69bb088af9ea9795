// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What lane_surface.c leaves to lane_surface_few.c, compiled for the same instruction set.

#include "simd/simd.h"
#include "tree/bvh.h"

// Most items that are parted without bins.
#ifndef WK_FEW_ITEMS
#define WK_FEW_ITEMS 16
#endif

// Splits a range of three to WK_FEW_ITEMS items.
wkSplitRangeFcn WK_LANE(wkSurfaceSplitFew);
