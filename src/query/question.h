// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From a caller's arguments to a question in canonical order, and from the answer back: the one
// place where validity and the order of arguments are settled.

#include "solve/pair.h"

// Puts the arguments in canonical order and checks them. The limits are the caller's to fill.
// @return false when a shape or a pose is not valid
bool wkMakeQuestion(const wkShape* a, const wkPose* poseA, const wkShape* b, const wkPose* poseB,
                    wkQuestion* question);

// Asks the pair table. The answer is in canonical order.
void wkAsk(const wkQuestion* question, wkDistanceResult* answer);
