// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a batch must say, found the plain way: the place of every sphere in double, its distance to every
// shape, every pair of spheres that the rules leave, every pixel of the depth images. Objects that the
// robot holds are left out.

#include "whisker/batch.h"

// A batch as the plain way sees it.
typedef struct wkPlainBatch {
    wkBatchDef def;
    int32_t sphereCount;
    int32_t linkCount;
    int32_t* links;      // of the spheres
    wkSphere3d* spheres; // room for those of a configuration
    bool* isChecked;     // of two links, by linkCount * a + b
    int32_t slotCount;
    wkAabb* bounds; // of the shapes around; empty: there is none
} wkPlainBatch;

// @param def its spheres must be there
wkPlainBatch wkMakePlainBatch(const wkBatchDef* def);
void wkFreePlainBatch(wkPlainBatch* batch);

// An object as batches see it: padding below zero takes nothing from its core.
wkShape wkPlainWhole(wkShape shape);

// Distances above this are not told.
#define WK_PLAIN_CUTOFF 0.05

// How far a configuration is from each thing that a batch looks at: not above 0 means touching.
typedef struct wkPlainDistances {
    bool isFinite;
    bool isBeyondLimits;
    double self;
    double world;            // shapes, and occupied cells of maps
    double unknown;          // cells of maps that are not known, where they are reported
    wkVerdict depth;         // of the worst sphere, with the margin
    wkVerdict depthOfLarger; // with spheres that are larger by the band
} wkPlainDistances;

// @param band metres by which verdicts may be off on the safe side
wkPlainDistances wkPlainDistancesOf(const wkPlainBatch* batch, const double* q, double band);

// Whether a verdict is right: nothing that touches was missed, and what it names is no further away
// than the band.
// @return NULL, or what is wrong with it
const char* wkFindFault(const wkBatchDef* def, const wkPlainDistances* distances, wkVerdict verdict,
                        double band);
