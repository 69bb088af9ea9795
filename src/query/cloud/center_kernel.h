// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Which points of a block of A may have a near point in a block of B, in single precision: |a - b|^2 is expanded to
// |a|^2 + (|b|^2 - 2 a b), three multiply-adds and a minimum for a pair. Positions are relative to an origin near the
// points of A, so that little is lost where points are close.

#include "base/cpu.h"
#include "query/cloud/center_item.h"

typedef struct wkCentersA {
    _Alignas(64) float x[WK_CENTERS_A]; // relative to the origin, times -2
    float y[WK_CENTERS_A];
    float z[WK_CENTERS_A];
    float squares[WK_CENTERS_A]; // squared lengths of the relative positions
} wkCentersA;

typedef struct wkCentersB {
    double x[WK_CENTERS_B]; // in the frame of A
    double y[WK_CENTERS_B];
    double z[WK_CENTERS_B];
    float localX[WK_CENTERS_B]; // relative to the origin
    float localY[WK_CENTERS_B];
    float localZ[WK_CENTERS_B];
    float squares[WK_CENTERS_B];
} wkCentersB;

// Bounds the error of |a|^2 + (|b|^2 - 2 a b) as a share of the square of |a| + |b|, in units of 2^-24: rounding of
// positions 2, of squares 3, of products 1, of three sums 3, and of the last sum 1; and a fifth more.
#define WK_CENTER_ERROR (12.0 * 0x1p-24)

typedef struct wkCenterLanes {
    // moves B to an origin: fills the local positions and squares
    // @return the largest square; not below any, and not finite where one is not
    float (*moveToOrigin)(wkCentersB* b, int32_t count, const double origin[3]);
    // @return a bit for each point of a tile of A, from `first` on, whose least squared distance from the points of
    // B is not above the limit, up to WK_CENTER_ERROR
    uint64_t (*findNear)(const wkCentersA* a, int32_t first, const wkCentersB* b, int32_t count,
                         float limit);
} wkCenterLanes;

// NULL when the instruction set is not available.
const wkCenterLanes* wkCenterLanesOf(wkIsa isa);

// Kernels for this machine.
const wkCenterLanes* wkCenterLanesOfMachine(void);
