// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Loops over tasks: on the calling thread, on a pool of threads that lives as long as the loop, or on the
// threads of the host program.

#include "base/parallel.h"

#include "base/thread_pool.h"

#include "whisker/detail/library.h"

void wkRunTasks(const wkParallel* parallel, wkTaskFcn* task, void* context, int32_t taskCount)
{
    if (parallel != NULL && parallel->run != NULL) {
        parallel->run(task, context, taskCount, parallel->host);
        return;
    }
    int32_t threadCount = taskCount > 1 ? wkCountThreads(parallel) : 1;
    if (threadCount == 1) {
        for (int32_t i = 0; i < taskCount; ++i) {
            task(context, i);
        }
        return;
    }
    wkThreadPool pool;
    wkThreadPool_Start(&pool, threadCount < taskCount ? threadCount : taskCount);
    wkThreadPool_Run(&pool, task, context, taskCount);
    wkThreadPool_Stop(&pool);
}
