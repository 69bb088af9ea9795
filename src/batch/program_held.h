// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Balls for what a robot holds.

#include "robot/crew.h"

// What the balls of a shape depend on: borrowed geometry may change, or another one may come to stand
// in its place, so that its numbers count and not where it is.
typedef struct wkHeldKey {
    wkShape shape;
    uint64_t content; // of a hull or a mesh
} wkHeldKey;

// Balls of the shapes that are held, one shape after the other, in their frames.
typedef struct wkHeldBalls {
    wkBall* balls;
    int32_t count;
    int32_t shapeCount;
    int32_t counts[WK_MAX_ATTACHED_SHAPES]; // of each shape
    wkHeldKey* keys;                        // likewise
    size_t byteCount;                       // of balls and keys together
} wkHeldBalls;

// Whether a member is held, and there is something of it.
bool wkIsHeld(const wkRobotScene* scene, const wkCrewMember* member);

// @param earlier balls of before: shapes that are among them are not fitted again
// @return wk_errorMemory; to be freed all the same
wkResult wkHeldBalls_Create(const wkRobotScene* scene, const wkHeldBalls* earlier,
                            wkHeldBalls* held);

void wkHeldBalls_Free(wkHeldBalls* held);
