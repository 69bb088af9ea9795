// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Random numbers that are the same on every machine.

#include "scene_math.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wkRng {
    uint64_t state;
} wkRng;

wkRng wkMakeRng(uint64_t seed);

// 64 random bits (SplitMix64).
uint64_t wkRngNext(wkRng* rng);

// Uniform in [0, 1).
double wkRngUnit(wkRng* rng);

// Uniform in [lower, upper).
double wkRngRange(wkRng* rng, double lower, double upper);

// Its logarithm is uniform: as many small numbers as large ones. Both ends > 0.
double wkRngLogRange(wkRng* rng, double lower, double upper);

// Uniform in 0 ... count - 1.
int wkRngBelow(wkRng* rng, int count);

// True in one of `oneIn` cases.
bool wkRngChance(wkRng* rng, int oneIn);

// -1 or 1.
double wkRngSign(wkRng* rng);

// Uniform on the unit sphere.
wkVec3d wkRngDirection(wkRng* rng);

// Uniform over all rotations.
wkQuat wkRngRotation(wkRng* rng);

// One of the 24 rotations that map the axes onto each other, with exact numbers where they exist.
wkQuat wkRngRightAngles(wkRng* rng);

#ifdef __cplusplus
}
#endif
