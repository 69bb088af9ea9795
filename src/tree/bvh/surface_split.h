// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Interface between surface_kernel.c and surface_kernel_few.c, compiled for the same instruction set.

#include "simd/simd.h"
#include "tree/bvh/bvh.h"

// Maximum number of items that are split without bins.
#ifndef WK_FEW_ITEMS
#define WK_FEW_ITEMS 16
#endif

// Splits a range of three to WK_FEW_ITEMS items.
wkSplitRangeFcn WK_KERNEL(wkSurfaceSplitFew);
