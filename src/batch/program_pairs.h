// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Which parts of a program must not touch.

#include "batch/program.h"

// Marks, in a square of `partCount`, pairs (a < b) that the rules of a scene leave.
// @param partOfSide by side; -1: none
// @return how many
int32_t wkMarkPairs(const wkRobotScene* scene, const wkPart* parts, int32_t partCount,
                    const int32_t* partOfSide, uint8_t* arePairs);
