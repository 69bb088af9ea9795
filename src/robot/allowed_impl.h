// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the files about allowed pairs share.

#include "robot/robot_impl.h"
#include "whisker/allowed.h"

// Exchanges all rules.
void wkAllowed_Swap(wkAllowed* a, wkAllowed* b);

// Whether a joint holds two links together, links without bodies between them passed over, or only
// fixed joints are between them.
//
// Two links that hang on one without bodies, each by a joint that moves, such as two fingers on a
// frame, are not: they can come together without being attached together.
bool wkAreNeighbours(const wkRobot* robot, int32_t linkA, int32_t linkB);

// The same where links may have something else than bodies.
// @param things of each link, not below 0 where it has some; NULL: there are none
bool wkAreAttachedTogether(const wkRobot* robot, int32_t linkA, int32_t linkB,
                           const int32_t* things);

// Whether somebody has said what becomes of a pair, or of one of its names.
bool wkAllowed_HasRule(const wkAllowed* allowed, const char* nameA, const char* nameB);
