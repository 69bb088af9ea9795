// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Who answers a pair that is not two convex shapes: by what the two bodies are.

#include "whisker/query.h"

typedef struct wkBodies {
    wkDistanceResult (*distance)(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                 const wkPose* poseB, const wkDistanceRequest* request);
    wkCollideResult (*collide)(const wkShape* a, const wkPose* poseA, const wkShape* b,
                               const wkPose* poseB, const wkCollideRequest* request);
    const char* method; // for docs/pair_matrix.md; NULL: that of the pair table
} wkBodies;

// The row of two shapes in any order. Two convex shapes have no functions there.
const wkBodies* wkBodiesOf(const wkShape* a, const wkShape* b);

// Whether two such bodies, both valid, are not in canonical order. Where both are of one type and stand
// in the same place, what they are made of decides and not where in memory it is.
bool wkAreBodiesSwapped(const wkShape* a, const wkPose* poseA, const wkShape* b,
                        const wkPose* poseB);
