// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Internal functions shared by the files about the allowed collision matrix.

#include "robot/robot_impl.h"
#include "whisker/allowed.h"

// Exchanges all rules of two matrices.
void wkAllowed_Swap(wkAllowed* a, wkAllowed* b);

// Returns whether two links are adjacent: joined by one joint, where links without bodies between them are
// skipped, or joined by fixed joints alone.
//
// Two links that hang on one without bodies, each by a movable joint, such as two fingers on a
// frame, are not adjacent: they can collide.
bool wkAreNeighbours(const wkRobot* robot, int32_t linkA, int32_t linkB);

// Does the same where something else than bodies decides which links count.
// @param things one for each link, at least 0 where the link has some; NULL: no link has any
bool wkAreAttachedTogether(const wkRobot* robot, int32_t linkA, int32_t linkB,
                           const int32_t* things);

// Returns whether there is a rule for a pair, or a default for one of its names.
bool wkAllowed_HasRule(const wkAllowed* allowed, const char* nameA, const char* nameB);
