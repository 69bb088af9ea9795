// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Pairs of shapes that are difficult on purpose: touching by 1e-15, on a grid, parallel, rim on
// edge, needle against plate, huge against tiny, without size, inside each other.

#include "shapes.h"
#include "whisker/query.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wkScenePair {
    wkShape a;
    wkShape b;
    wkPose poseA;
    wkPose poseB;
} wkScenePair;

typedef wkScenePair wkNastyFcn(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b);

// One way to make a pair.
typedef struct wkNastyKind {
    const char* name;
    wkNastyFcn* make;
} wkNastyKind;

// All ways, ordinary ones first.
extern const wkNastyKind wkNastyKinds[];
extern const int wkNastyKindCount;

// Moves B along the line of closest approach until the signed distance is about `gap`.
void wkSetGap(wkScenePair* pair, double gap);

// The same pair with A and B exchanged.
wkScenePair wkSwapPair(const wkScenePair* pair);

// Largest length in a pair: what errors are measured against.
double wkPairScale(const wkScenePair* pair);

// Prints a pair twice: as C that can be pasted into a test, and as a line for `whisker ask`.
void wkPrintPair(FILE* file, const wkScenePair* pair);

#ifdef __cplusplus
}
#endif
