// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Tests of points in SIMD lanes. Single precision decides the points that are clear of a limit by more than its
// rounding; the others are reported, and double precision decides them.

#include "base/cpu.h"

#include <stdbool.h>
#include <stdint.h>

// Points that are tested together; bit i of a set of them is point i.
#define WK_FILTER_BLOCK 64

// Positions relative to the origin of a run.
typedef struct wkFilterBlock {
    _Alignas(64) float x[WK_FILTER_BLOCK];
    _Alignas(64) float y[WK_FILTER_BLOCK];
    _Alignas(64) float z[WK_FILTER_BLOCK];
} wkFilterBlock;

// Share of the lengths in a test by which rounding can be wrong at most: sixteen units in the last place.
#define WK_FILTER_ROUNDING 0x1p-20

// A range of distances from a position, as squares.
typedef struct wkRangeTest {
    float center[3];
    float minInside;  // from here on certainly inside
    float minOutside; // below certainly outside
    float maxInside;
    float maxOutside;
} wkRangeTest;

// A box whose axes are the rows.
typedef struct wkBoxTest {
    float center[3];
    float rows[3][3];
    float lower[3];
    float upper[3];
    float reach; // largest coordinate of the center, which has its own rounding
    bool
        isAligned; // coordinates are exact: those from `exact[0]` on and up to `exact[3]` are inside, and so on
    float exact[6];
} wkBoxTest;

// Cells of a grid along each axis, and cells that share a list of spheres.
#define WK_SPHERE_CELLS 32
#define WK_SPHERE_COARSE 8
#define WK_SPHERE_SHARED (WK_SPHERE_CELLS / WK_SPHERE_COARSE)

#define WK_SPHERE_GROUP 16

typedef struct wkSphereGroup {
    _Alignas(64) float x[WK_SPHERE_GROUP];
    _Alignas(64) float y[WK_SPHERE_GROUP];
    _Alignas(64) float z[WK_SPHERE_GROUP];
    _Alignas(64) float inner
        [WK_SPHERE_GROUP]; // squared distance up to which a point is certainly inside
    _Alignas(64) float outer[WK_SPHERE_GROUP]; // above, certainly outside
} wkSphereGroup;

typedef struct wkSphereList {
    int32_t first; // group
    int32_t count; // of groups
} wkSphereList;

// What is known of a cell; from wk_cellMixed on, the list of spheres that decides, plus wk_cellMixed.
typedef enum wkSphereCell {
    wk_cellOutside = 0,
    wk_cellInside = 1,
    wk_cellMixed = 2,
} wkSphereCell;

// A union of spheres in a grid around them.
typedef struct wkSphereTest {
    float lower[3]; // of the grid
    float upper[3];
    float scale[3];       // cells per metre
    const int32_t* cells; // x fastest: wkSphereCell
    const wkSphereList* lists;
    const wkSphereGroup* groups;
} wkSphereTest;

// Boxes with parallel axes, and one around all of them; rounded outward.
typedef struct wkBoxListTest {
    const float (*boxes)[6]; // lower and upper corner
    int32_t count;
    float all[6];
} wkBoxListTest;

// A sphere between the sensor and points. All numbers are relative to the sensor.
typedef struct wkShadowSphere {
    float center[3];
    float apart; // squared distance of the center less the squared radius; 0 or less: always unsure
    float squared; // squared distance of the center
    float
        tolerance; // of products of squared distances, as a share of the squared distance of a point
    bool isBound;  // it contains a body, which decides
} wkShadowSphere;

typedef struct wkShadowTest {
    float sensor[3];
    const wkShadowSphere* spheres;
    int32_t count;
    float leastSquare; // points nearer to the sensor are unsure
} wkShadowTest;

typedef struct wkFilterLanes {
    // points with finite coordinates
    uint64_t (*findFinite)(const wkFilterBlock* block);
    // stores `first` plus the number of each bit, ascending, and up to WK_FILTER_BLOCK numbers behind them
    void (*packIndices)(int32_t first, uint64_t bits, int32_t* indices);
    // points inside; all of `unsure` must be decided again, and are not in the result
    uint64_t (*testRange)(const wkRangeTest* test, const wkFilterBlock* block, uint64_t asked,
                          uint64_t* unsure);
    uint64_t (*testBox)(const wkBoxTest* test, const wkFilterBlock* block, uint64_t asked,
                        uint64_t* unsure);
    uint64_t (*testSpheres)(const wkSphereTest* test, const wkFilterBlock* block, uint64_t asked,
                            uint64_t* unsure);
    // points in the shadow of spheres that they are not in
    uint64_t (*testShadows)(const wkShadowTest* test, const wkFilterBlock* block, uint64_t asked,
                            uint64_t* unsure);
    // points in one of the boxes, or more
    uint64_t (*findBoxed)(const wkBoxListTest* test, const wkFilterBlock* block, uint64_t asked);
} wkFilterLanes;

// NULL when the instruction set is not available.
const wkFilterLanes* wkFilterLanesOf(wkIsa isa);

// Kernels for this machine.
const wkFilterLanes* wkFilterLanesOfMachine(void);
