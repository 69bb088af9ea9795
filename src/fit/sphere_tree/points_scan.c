// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Selects the kernel that scans points.

#include "fit/sphere_tree/points_scan.h"

#include "base/isa_table.h"

WK_DEFINE_LANES(wkScanPointsFcn, wkScanPoints)
