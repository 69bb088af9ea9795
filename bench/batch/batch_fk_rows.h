// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bench.h"

// Forward kinematics in lanes, in the program of inner parts.
void wkRunBatchFkRows(wkBench* bench);
