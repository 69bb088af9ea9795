// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the files about allowed pairs share.

#include "robot/robot.h"
#include "whisker/allowed.h"

// Exchanges all rules.
void wkAllowed_Swap(wkAllowed* a, wkAllowed* b);

// Whether a joint holds two links together, links without bodies between them passed over, or only
// fixed joints are between them.
//
// Two links that hang on one without bodies, each by a joint that moves, such as two fingers on a
// frame, are not: they can come together without being held together.
bool wkAreNeighbours(const wkRobot* robot, int32_t linkA, int32_t linkB);
