// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Compares all points of a cloud with several hierarchies of spheres. Points are taken in blocks of consecutive ones:
// sensors see neighbours one after another, so that the box of a block rules out most hierarchies at once, and
// registers of points walk through the others together. Floats rule out, doubles answer: a pair counts when its
// distance in doubles is less than the best, and floats leave out no pair that could be.

#include "base/cpu.h"
#include "fit/sphere_tree/scan_item.h"

#include <stdatomic.h>

// Points of a block; a multiple of all numbers of lanes.
#define WK_SCAN_BLOCK 256

// Hierarchies that are compared at once; a multiple of all numbers of lanes.
#define WK_SCAN_TARGETS 16

typedef struct wkScanTarget wkScanTarget;

// The distance of a body from a point in its frame.
typedef double wkScanExactFcn(const wkScanTarget* target, wkVec3d point);

// A hierarchy, and what is asked about it.
struct wkScanTarget {
    wkPlacedSpheres at;
    wkScanExactFcn* exact; // decides about points in spheres; NULL: the spheres decide
    const wkPlacedSphereTree* placed;
    uint8_t*
        touched; // marks spheres that a point touches instead of searching the nearest; NULL: none
};

typedef struct wkPointsScan {
    // bounding spheres of hierarchies; those that are absent are empty
    _Alignas(64) float x[WK_SCAN_TARGETS];
    _Alignas(64) float y[WK_SCAN_TARGETS];
    _Alignas(64) float z[WK_SCAN_TARGETS];
    _Alignas(64) float radii[WK_SCAN_TARGETS];
    _Alignas(64) float sizes[WK_SCAN_TARGETS]; // largest number that occurs: the scale of rounding
    _Atomic float
        bounds[WK_SCAN_TARGETS]; // no pair that is further matters; all threads share them
    _Atomic int64_t badPoint;    // first one whose radius is not valid; WK_SCAN_NONE: none
    wkCloudLayout layout;
    double radius;  // added to that of each point
    wkVec3d origin; // of the floats, in the frame of the points; floats itself
    wkScanTarget targets[WK_SCAN_TARGETS];
    int32_t targetCount;
} wkPointsScan;

// Scans the points first, first + step, ... below `end`.
// @param best array of WK_SCAN_TARGETS, made better
typedef void wkScanPointsFcn(wkPointsScan* scan, int64_t first, int64_t end, int64_t step,
                             wkScanBest* best);

wkScanPointsFcn* wkScanPointsOf(wkIsa isa);
wkScanPointsFcn* wkScanPointsOfMachine(void);
