// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Which parts of a program must not touch.

#include "batch/program_builder.h"

// Marks, in a square of as many as there are parts, pairs (a < b) that the rules of a scene leave.
// @return how many
int32_t wkMarkPairs(const wkRobotScene* scene, const wkProgramBuilder* builder, uint8_t* arePairs);
