// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Loops over tasks: on the calling thread, or by the host program.

#include "base/parallel.h"

void wkRunTasks(const wkParallel* parallel, wkTaskFcn* task, void* context, int32_t taskCount)
{
    if (parallel != NULL && parallel->run != NULL) {
        parallel->run(task, context, taskCount, parallel->host);
        return;
    }
    for (int32_t i = 0; i < taskCount; ++i) {
        task(context, i);
    }
}
