// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What surface_kernel.c leaves to surface_kernel_few.c, compiled for the same instruction set.

#include "simd/simd.h"
#include "tree/bvh/bvh.h"

// Most items that are parted without bins.
#ifndef WK_FEW_ITEMS
#define WK_FEW_ITEMS 16
#endif

// Splits a range of three to WK_FEW_ITEMS items.
wkSplitRangeFcn WK_KERNEL(wkSurfaceSplitFew);
