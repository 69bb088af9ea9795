// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Random shapes of every type for tests: ordinary, on a grid, stretched, without size.

#include "rng.h"
#include "whisker/detail/counts.h"
#include "whisker/hull.h"
#include "whisker/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

// Number of shape types that can be queried; their values are 1 ... WK_SCENE_TYPE_COUNT.
#define WK_SCENE_TYPE_COUNT (WK_CONVEX_TYPE_COUNT - 1)

// What kind of hull a bank holds at a place.
typedef enum wkBankKind {
    wk_bankSolid, // with volume, up to about 100 vertices
    wk_bankLarge, // with volume, enough vertices for hill climbing
    wk_bankFlat,  // a polygon, a segment or a point
    wk_bankTiny,  // about 1e-4 across
    wk_bankHuge,  // about 1e4 across
    wk_bankKindCount,
} wkBankKind;

#define WK_BANK_CAPACITY 64

// Owns the hulls that scenes borrow.
typedef struct wkShapeBank {
    wkHull* hulls[WK_BANK_CAPACITY];
    wkBankKind kinds[WK_BANK_CAPACITY];
    int count;
} wkShapeBank;

// The hull of some points; NULL when it fails.
wkHull* wkHullOfPoints(const wkVec3d* points, int count);

// Fills the bank. Without qhull it holds the one hull whose faces are known: a cube.
void wkShapeBank_Create(wkShapeBank* bank, uint64_t seed);

void wkShapeBank_Destroy(wkShapeBank* bank);

// A hull of that kind, or any when the bank has none.
const wkHull* wkShapeBank_Pick(const wkShapeBank* bank, wkRng* rng, wkBankKind kind);

// A random shape of ordinary proportions, sometimes rounded or padded.
// Bounded sizes are near `size`.
wkShape wkRandomShape(wkRng* rng, const wkShapeBank* bank, wkShapeType type, double size);

// Sizes that are multiples of `step`, no rounding: faces meet exactly on a grid.
wkShape wkGridShape(wkRng* rng, const wkShapeBank* bank, wkShapeType type, double step);

// One or two dimensions longer than the others by up to `aspect`.
wkShape wkStretchedShape(wkRng* rng, const wkShapeBank* bank, wkShapeType type, double size,
                         double aspect);

// Some or all sizes are zero: a point, a segment, a flat box.
wkShape wkZeroSizeShape(wkRng* rng, const wkShapeBank* bank, wkShapeType type);

// Radius of a sphere about the frame's origin that holds the shape; for half-spaces and
// planes one that meets the surface.
double wkShapeReach(const wkShape* shape);

#ifdef __cplusplus
}
#endif
