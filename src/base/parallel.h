// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Loops over tasks that do not depend on each other.

#include "whisker/base.h"

// Calls `task(context, i)` for every i below `taskCount`, in any order; returns when all are done.
// NULL: on the calling thread.
void wkRunTasks(const wkParallel* parallel, wkTaskFcn* task, void* context, int32_t taskCount);
