// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Threads that sleep until there is a loop over tasks to share. The thread that runs a loop takes part in it,
// and no loop depends on the others: where a thread cannot be started or does not wake in time, the rest of
// the tasks is left to those that are there.
//
// Safe after fork(): in the child, which has none of the threads, loops run on the calling thread.

#include "whisker/base.h"

#include <pthread.h>
#include <sys/types.h>

// Maximum number of threads: the work done here does not gain from more.
#define WK_MAX_THREADS 64

typedef struct wkTaskLoop wkTaskLoop;

typedef struct wkThreadPool {
    pthread_mutex_t mutex;  // of the fields up to `isStopping`
    pthread_cond_t hasLoop; // helpers sleep on it
    pthread_cond_t isLeft;  // the thread that runs a loop sleeps on it
    const wkTaskLoop* loop; // NULL: none
    int32_t wantedCount;    // helpers that may still join it
    int32_t busyCount;      // helpers in it
    bool isStopping;
    pid_t process; // that has the threads
    int32_t helperCount;
    pthread_t helpers[WK_MAX_THREADS - 1];
} wkThreadPool;

// Returns the number of threads that a wkParallel asks for, the calling one included, from 1 to
// WK_MAX_THREADS. With a `run` of the host program: the number that it may use at once.
int32_t wkCountThreads(const wkParallel* parallel);

// Starts the threads, without allocating.
// @param threadCount with the calling one; as many as the system grants are started
void wkThreadPool_Start(wkThreadPool* pool, int32_t threadCount);

// Ends the threads. No loop may be running.
void wkThreadPool_Stop(wkThreadPool* pool);

// Calls `task(context, i)` for every i below `taskCount`, and returns when all calls have returned. A loop
// that is run while the threads share another one, or from a task of it, runs on the calling thread alone.
void wkThreadPool_Run(wkThreadPool* pool, wkTaskFcn* task, void* context, int32_t taskCount);

// Returns a wkParallel whose loops run on the pool.
wkParallel wkThreadPool_Parallel(wkThreadPool* pool);
