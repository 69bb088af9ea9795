// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The functions for a pair that is not two convex shapes, by the classes of the two bodies.

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

// Whether two such bodies, both valid, are not in canonical order. Where both have the same type and
// pose, their content decides and not their address in memory.
bool wkAreBodiesSwapped(const wkShape* a, const wkPose* poseA, const wkShape* b,
                        const wkPose* poseB);
