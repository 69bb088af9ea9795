// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Pairs of bodies of about the same size in poses of four kinds, from a seed: the scenes of the
// pair benchmarks, shared with tests and with programs in C++.

#include "whisker/whisker.h"

#ifdef __cplusplus
extern "C" {
#endif

// The bodies, each with one fixed size of about half a metre to a metre.
typedef enum wkBody {
    wk_bodySphere,
    wk_bodyBox,
    wk_bodyCapsule,
    wk_bodyCylinder,
    wk_bodyCone,
    wk_bodyEllipsoid,
    wk_bodyConvex,
    wk_bodyTriangle,
    wk_bodyHalfspace,
    wk_bodyPlane,
    wk_bodyCount,
} wkBody;

// The first so many bodies are solid and bounded: 28 pairs.
#define WK_SOLID_BODY_COUNT 7

// How a pair stands.
typedef enum wkPairKind {
    wk_pairMixed,       // centres apart by 0 to 1.45 times the sum of the bounding radii
    wk_pairSeparated,   // bounding spheres 0.01 m to 1 m apart
    wk_pairNear,        // surfaces within 3 % of the size, apart or overlapping
    wk_pairOverlapping, // centres inside both bodies
    wk_pairKindCount,
} wkPairKind;

// Two poses of one scene.
typedef struct wkPosePair {
    wkPose a;
    wkPose b;
} wkPosePair;

// The ten bodies as shapes. The convex one borrows `hull`.
typedef struct wkPairBodies {
    wkShape shapes[wk_bodyCount];
    wkHull* hull;
} wkPairBodies;

// Makes the bodies; false when memory is short.
bool wkPairBodies_Create(wkPairBodies* set);

void wkPairBodies_Destroy(wkPairBodies* set);

const char* wkBodyName(wkBody body);

const char* wkPairKindName(wkPairKind kind);

// Radius of the sphere about the origin around a body; 0 for half-space and plane.
double wkBodyRadius(const wkPairBodies* set, wkBody body);

// Fills `poses` with the scenes of one pair; the same seed gives the same scenes.
void wkMakePairPoses(const wkPairBodies* set, wkBody a, wkBody b, wkPairKind kind, uint64_t seed,
                     int count, wkPosePair* poses);

// A hull of `count` vertices scattered over an egg of about 0.55 m; NULL
// when this build has no qhull.
wkHull* wkMakeScatteredHull(int count, uint64_t seed);

// Coherent motion: body B drifts around A by steps of about 1 cm and 1 degree, from a deep overlap
// to half of `radiusSum` apart and back.
void wkMakeDriftPoses(double radiusSum, uint64_t seed, int count, wkPosePair* poses);

#ifdef __cplusplus
}
#endif
