// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "crowd.h"

#include <pthread.h>
#include <stddef.h>

#define THREAD_COUNT 8

typedef struct job {
    wkCrowdFcn* isSame;
    const void* questions;
    int count;
    int first; // where this thread starts
    int step;  // and how it walks, coprime to count
    int differentCount;
} job;

static void* work(void* argument)
{
    job* j = (job*)argument;
    int index = j->first;
    for (int i = 0; i < j->count; i++) {
        j->differentCount += j->isSame(j->questions, index) ? 0 : 1;
        index = (index + j->step) % j->count;
    }
    return NULL;
}

int wkAskInCrowd(wkCrowdFcn* isSame, const void* questions, int count)
{
    pthread_t threads[THREAD_COUNT];
    job jobs[THREAD_COUNT];
    int started = 0, different = 0;
    for (bool isStarted = true; isStarted && started < THREAD_COUNT; started += isStarted) {
        int first = started * count / THREAD_COUNT;
        jobs[started] = (job){isSame, questions, count, first, 1 + 2 * started, 0};
        isStarted = pthread_create(&threads[started], NULL, work, &jobs[started]) == 0;
    }
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
        different += jobs[i].differentCount;
    }
    return started == THREAD_COUNT ? different : -1;
}
