// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The groups of rows about dynamic trees.

#include "bench.h"

void wkRunTableOneRows(wkBench* bench);
void wkRunMovingTreeRows(wkBench* bench);
