// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A pool of threads. A helper joins a loop under the mutex and takes tasks without it; the thread that runs
// the loop takes tasks until none is left, admits no more helpers, and waits for those that are in it.

#define _POSIX_C_SOURCE 200809L // sysconf, pthread_sigmask

#include "base/thread_pool.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

struct wkTaskLoop {
    wkTaskFcn* task;
    void* context;
    int32_t taskCount;
    atomic_int* next; // of the thread that runs the loop
};

static void takeTasks(const wkTaskLoop* loop)
{
    for (;;) {
        int32_t task = atomic_fetch_add(loop->next, 1);
        if (task >= loop->taskCount) {
            return;
        }
        loop->task(loop->context, task);
    }
}

int32_t wkCountThreads(const wkParallel* parallel)
{
    if (parallel == NULL) {
        return 1;
    }
    long count = parallel->threadCount > 0 ? parallel->threadCount : sysconf(_SC_NPROCESSORS_ONLN);
    return (int32_t)(count < 1 ? 1 : count < WK_MAX_THREADS ? count : WK_MAX_THREADS);
}

static void* help(void* argument)
{
    wkThreadPool* pool = (wkThreadPool*)argument;
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while (!pool->isStopping && pool->wantedCount == 0) {
            pthread_cond_wait(&pool->hasLoop, &pool->mutex);
        }
        if (pool->isStopping) {
            break;
        }
        --pool->wantedCount;
        ++pool->busyCount;
        const wkTaskLoop* loop = pool->loop;
        pthread_mutex_unlock(&pool->mutex);
        takeTasks(loop);
        pthread_mutex_lock(&pool->mutex);
        --pool->busyCount;
        if (pool->busyCount == 0) {
            pthread_cond_signal(&pool->isLeft);
        }
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

void wkThreadPool_Start(wkThreadPool* pool, int32_t threadCount)
{
    memset(pool, 0, sizeof *pool);
    if (threadCount <= 1) {
        return;
    }
    pool->process = getpid();
    bool isReady = pthread_mutex_init(&pool->mutex, NULL) == 0 &&
                   pthread_cond_init(&pool->hasLoop, NULL) == 0 &&
                   pthread_cond_init(&pool->isLeft, NULL) == 0;
    int32_t most = threadCount < WK_MAX_THREADS ? threadCount : WK_MAX_THREADS;

    // helpers inherit the mask: signals of the host program are for its own threads
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (isReady && pool->helperCount < most - 1 &&
           pthread_create(&pool->helpers[pool->helperCount], NULL, help, pool) == 0) {
        ++pool->helperCount;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void wkThreadPool_Stop(wkThreadPool* pool)
{
    // a child process has a copy of the pool, but not its threads, which the copy believes to be waiting
    if (pool->helperCount == 0 || pool->process != getpid()) {
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    pool->isStopping = true;
    pthread_cond_broadcast(&pool->hasLoop);
    pthread_mutex_unlock(&pool->mutex);
    for (int32_t i = 0; i < pool->helperCount; ++i) {
        pthread_join(pool->helpers[i], NULL);
    }
    pthread_cond_destroy(&pool->isLeft);
    pthread_cond_destroy(&pool->hasLoop);
    pthread_mutex_destroy(&pool->mutex);
}

// Offers a loop to the helpers, and wakes as many as there are tasks for.
// @return false when they share another one
static bool offerLoop(wkThreadPool* pool, const wkTaskLoop* loop)
{
    pthread_mutex_lock(&pool->mutex);
    bool isFree = pool->loop == NULL;
    if (isFree) {
        int32_t others = loop->taskCount - 1;
        pool->loop = loop;
        pool->wantedCount = others < pool->helperCount ? others : pool->helperCount;
        for (int32_t i = 0; i < pool->wantedCount; ++i) {
            pthread_cond_signal(&pool->hasLoop);
        }
    }
    pthread_mutex_unlock(&pool->mutex);
    return isFree;
}

static void withdrawLoop(wkThreadPool* pool)
{
    pthread_mutex_lock(&pool->mutex);
    pool->wantedCount = 0;
    while (pool->busyCount > 0) {
        pthread_cond_wait(&pool->isLeft, &pool->mutex);
    }
    pool->loop = NULL;
    pthread_mutex_unlock(&pool->mutex);
}

void wkThreadPool_Run(wkThreadPool* pool, wkTaskFcn* task, void* context, int32_t taskCount)
{
    atomic_int next = 0;
    wkTaskLoop loop = {task, context, taskCount, &next};
    bool hasHelpers = taskCount > 1 && pool->helperCount > 0 && pool->process == getpid();
    bool isShared = hasHelpers && offerLoop(pool, &loop);
    takeTasks(&loop);
    if (isShared) {
        withdrawLoop(pool);
    }
}

static void runOnPool(wkTaskFcn* task, void* context, int32_t taskCount, void* host)
{
    wkThreadPool_Run((wkThreadPool*)host, task, context, taskCount);
}

wkParallel wkThreadPool_Parallel(wkThreadPool* pool)
{
    wkParallel parallel = {.run = runOnPool, .host = pool, .threadCount = pool->helperCount + 1};
    return parallel;
}
