// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The walks over boxes, compiled once per instruction set.

#include "base/cpu.h"
#include "query/tree/distance_walk.h"

typedef struct wkBoxLanes {
    void (*walkTrees)(wkTreesWalk* walk); // both trees have boxes
    void (*walkTree)(wkBoxWalk* walk);
} wkBoxLanes;

// NULL when the instruction set is not available.
const wkBoxLanes* wkBoxLanesOf(wkIsa isa);

// Kernels for this machine.
const wkBoxLanes* wkBoxLanesOfMachine(void);
