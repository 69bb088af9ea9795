// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Work on as many threads as the machine has processors.

typedef void wkWorkFcn(void* context, int item);

// Calls `fcn` for every item below `count`, in any order, and returns when all are done.
void wkRunOnThreads(wkWorkFcn* fcn, void* context, int count);
