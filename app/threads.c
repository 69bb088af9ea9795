// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Threads that take items one by one until none is left.

#include "threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#define MAX_THREADS 16

typedef struct work {
    wkWorkFcn* fcn;
    void* context;
    int count;
    atomic_int next;
} work;

static void* takeItems(void* argument)
{
    work* shared = argument;
    for (int item = 0; (item = atomic_fetch_add(&shared->next, 1)) < shared->count;) {
        shared->fcn(shared->context, item);
    }
    return NULL;
}

void wkRunOnThreads(wkWorkFcn* fcn, void* context, int count)
{
    work shared = {.fcn = fcn, .context = context, .count = count};
    atomic_init(&shared.next, 0);
    long processorCount = sysconf(_SC_NPROCESSORS_ONLN);
    pthread_t threads[MAX_THREADS];
    int started = 0;
    while (started + 1 < processorCount && started < MAX_THREADS &&
           pthread_create(&threads[started], NULL, takeItems, &shared) == 0) {
        started++;
    }
    takeItems(&shared);
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
}
