// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Finds pairs of parts of a program that must not touch.

#include "batch/program_builder.h"

// Marks, in a square matrix over the parts, pairs (a < b) that the rules of a scene leave to be checked.
// @return number of pairs
int32_t wkMarkPairs(const wkRobotScene* scene, const wkProgramBuilder* builder, uint8_t* arePairs);
