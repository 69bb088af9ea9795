// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Scans over all vertices or faces of a hull, one set of functions per instruction set.

#include "base/cpu.h"
#include "geom/hull_impl.h"

// Returns the index of the vertex with the largest x * d.x + y * d.y + z * d.z, each product and sum rounded
// in that order; ties go to the lowest index, so all instruction sets agree. Coordinates are 64-byte aligned
// and padded to a multiple of WK_HULL_LANES with copies of vertex 0. Returns 0 for NaN.
typedef int32_t wkHullScanFcn(const double* x, const double* y, const double* z,
                              int32_t paddedCount, wkVec3d direction);

// See wkHullFindWayOut.
typedef wkHullWayOut wkHullWayOutFcn(const wkHull* hull, wkVec3d point, double* depths);

typedef struct wkHullLanes {
    wkHullScanFcn* scan;
    wkHullWayOutFcn* findWayOut;
} wkHullLanes;

// Returns the scans for that instruction set; NULL when it is not present.
const wkHullLanes* wkHullLanesOf(wkIsa isa);

// Returns the scans of this machine, found by the first call.
const wkHullLanes* wkHullLanesOfMachine(void);
