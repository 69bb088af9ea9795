// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Balls for what a robot holds.

#include "robot/crew.h"

// Balls of the shapes that are held, one shape after the other, in their frames.
typedef struct wkHeldBalls {
    wkBall* balls;
    int32_t count;
    int32_t counts[WK_MAX_ATTACHED_SHAPES]; // of each shape
    size_t byteCount;
} wkHeldBalls;

// Whether a member is held, and there is something of it.
bool wkIsHeld(const wkRobotScene* scene, const wkCrewMember* member);

// @return wk_errorMemory; to be freed all the same
wkResult wkHeldBalls_Create(const wkRobotScene* scene, wkHeldBalls* held);

void wkHeldBalls_Free(wkHeldBalls* held);
