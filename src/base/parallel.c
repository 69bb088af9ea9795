// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Loops over tasks: on the calling thread, on threads that live as long as the loop, or on those of the host
// program. A thread that has finished a task takes the next one.

#define _POSIX_C_SOURCE 200809L // sysconf

#include "base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

// At most this many threads are started: the work done here does not gain from more.
#define MAX_THREADS 64

typedef struct loop {
    wkTaskFcn* task;
    void* context;
    int32_t taskCount;
    atomic_int next;
} loop;

static void* takeTasks(void* argument)
{
    loop* l = (loop*)argument;
    for (;;) {
        int32_t task = atomic_fetch_add(&l->next, 1);
        if (task >= l->taskCount) {
            return NULL;
        }
        l->task(l->context, task);
    }
}

static int32_t countThreads(const wkParallel* parallel, int32_t taskCount)
{
    int64_t count = 1;
    if (parallel != NULL) {
        count = parallel->threadCount > 0 ? parallel->threadCount : sysconf(_SC_NPROCESSORS_ONLN);
    }
    count = count < taskCount ? count : taskCount;
    return (int32_t)(count < MAX_THREADS ? count : MAX_THREADS);
}

void wkRunTasks(const wkParallel* parallel, wkTaskFcn* task, void* context, int32_t taskCount)
{
    if (parallel != NULL && parallel->run != NULL) {
        parallel->run(task, context, taskCount, parallel->host);
        return;
    }
    loop l = {task, context, taskCount, 0};
    pthread_t threads[MAX_THREADS];
    int32_t started = 0, wanted = countThreads(parallel, taskCount) - 1;

    // a thread that cannot be started leaves its tasks to the others
    while (started < wanted && pthread_create(&threads[started], NULL, takeTasks, &l) == 0) {
        ++started;
    }
    takeTasks(&l);
    for (int32_t i = 0; i < started; ++i) {
        pthread_join(threads[i], NULL);
    }
}
