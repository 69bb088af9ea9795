// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Scans over all vertices of a hull, one set of functions per instruction set.

#include "base/cpu.h"
#include "geom/hull.h"

// Index of the vertex with the largest x * d.x + y * d.y + z * d.z, each product and sum
// rounded in that order; ties go to the lowest index, so all instruction sets agree.
// Coordinates are 64-byte aligned and padded to a multiple of WK_HULL_LANES with copies of
// vertex 0. 0 when nothing compares.
typedef int32_t wkHullScanFcn(const double* x, const double* y, const double* z,
                              int32_t paddedCount, wkVec3d direction);

// The same along many directions at once, with lanes for the directions: `vertices[k]` is what
// wkHullScanFcn answers for (dx[k], dy[k], dz[k]). Directions are 64-byte aligned; their number is
// a multiple of WK_HULL_LANES.
typedef void wkHullScanManyFcn(const double* x, const double* y, const double* z, int32_t count,
                               const double* dx, const double* dy, const double* dz,
                               int32_t paddedDirections, int32_t* vertices);

// See wkHullFindWayOut.
typedef wkHullWayOut wkHullWayOutFcn(const wkHull* hull, const wkHullSweep* sweep, double* sides,
                                     double* depths);

// See wkHullPlace.
typedef void wkHullPlaceFcn(const wkHull* hull, const wkFrame* frame, wkHullPlaced* placed);

typedef struct wkHullLanes {
    wkHullScanFcn* scan;
    wkHullScanManyFcn* scanMany;
    wkHullWayOutFcn* findWayOut;
    wkHullPlaceFcn* place;
} wkHullLanes;

// Scans for that instruction set; NULL when it is not present.
const wkHullLanes* wkHullLanesOf(wkIsa isa);
