// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Runs work on all processors of the machine.

typedef void wkWorkFcn(void* context, int item);

// Calls `fcn` for every item below `count`, in any order, and returns when all are done.
void wkRunOnThreads(wkWorkFcn* fcn, void* context, int count);
