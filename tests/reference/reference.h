// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A slow solver that is right: it brackets the signed distance of any pair by two numbers that are
// both proven. It shares no code with the library but the shapes' fields and the vertices of hulls.
//
// The signed distance is the largest value of g(n) = min over b of n.b - max over a of
// n.a, over all unit n. Every n gives a lower bound; the upper bound comes from points of
// the bodies (separated pairs), from all axes of a polytope pair, or from a search over
// the whole sphere of directions.

#include "whisker/query.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wkReference {
    double lower;     // signed distance is at least this
    double upper;     // and at most this
    wkVec3d normal;   // the direction that proves `lower`
    bool isUnbounded; // no translation separates the pair
} wkReference;

// Support points the search over directions may ask for; a degenerate pair (a circle or sphere of
// equally good directions) uses all of them and answers with a wider bracket.
#define WK_REFERENCE_BUDGET 200000

// Brackets the signed distance of two valid shapes at valid poses, to about 1e-12 of their
// size where the budget allows.
wkReference wkReferenceDistance(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                                int budget);

// g(normal): a proven lower bound of the signed distance, in extended precision. Any length but
// zero. Minus infinity when one of the shapes is unbounded along the normal.
double wkReferenceGap(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                      wkVec3d normal);

// The search over directions alone, also for polytopes: the two ways check each other.
wkReference wkReferenceSearch(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                              int budget);

#ifdef __cplusplus
}
#endif
