// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Pools of threads: every task of every loop runs once, whichever thread starts the loop.

#define _POSIX_C_SOURCE 200809L // fork

#include "base/parallel.h"
#include "base/thread_pool.h"

#include "whisker/detail/library.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define TASK_COUNT 97
#define LOOP_COUNT 200
#define CALLER_COUNT 4

typedef struct counts {
    wkThreadPool* pool;
    atomic_int ofTasks[TASK_COUNT];
} counts;

static void countTask(void* context, int32_t task)
{
    atomic_fetch_add(&((counts*)context)->ofTasks[task], 1);
}

static bool areAll(counts* c, int32_t taskCount, int expected)
{
    bool areAll = true;
    for (int32_t i = 0; i < TASK_COUNT; i++) {
        areAll = areAll && atomic_load(&c->ofTasks[i]) == (i < taskCount ? expected : 0);
    }
    return areAll;
}

static void every_task_runs_once_in_every_loop(void** state)
{
    (void)state;
    static const int32_t threadCounts[] = {0, 1, 2, 3, WK_MAX_THREADS, 1000};
    for (size_t i = 0; i < sizeof threadCounts / sizeof *threadCounts; i++) {
        wkThreadPool pool;
        wkThreadPool_Start(&pool, threadCounts[i]);
        assert_in_range(pool.helperCount, 0, WK_MAX_THREADS - 1);
        assert_int_equal(wkThreadPool_Parallel(&pool).threadCount, pool.helperCount + 1);
        for (int32_t taskCount = 0; taskCount <= TASK_COUNT; taskCount++) {
            counts c = {.pool = &pool};
            wkThreadPool_Run(&pool, countTask, &c, taskCount);
            assert_true(areAll(&c, taskCount, 1));
        }
        wkThreadPool_Stop(&pool);
    }
}

static void a_pool_that_runs_nothing_ends(void** state)
{
    (void)state;
    for (int i = 0; i < LOOP_COUNT; i++) {
        wkThreadPool pool;
        wkThreadPool_Start(&pool, 3);
        wkThreadPool_Stop(&pool);
    }
}

static void runInner(void* context, int32_t task)
{
    (void)task;
    counts* c = (counts*)context;
    wkThreadPool_Run(c->pool, countTask, c, TASK_COUNT);
}

static void loops_may_run_inside_of_loops(void** state)
{
    (void)state;
    wkThreadPool pool;
    wkThreadPool_Start(&pool, 3);
    counts c = {.pool = &pool};
    wkParallel parallel = wkThreadPool_Parallel(&pool);
    wkRunTasks(&parallel, runInner, &c, 11);
    assert_true(areAll(&c, TASK_COUNT, 11));
    wkThreadPool_Stop(&pool);
}

static void* runLoops(void* argument)
{
    counts* c = (counts*)argument;
    for (int i = 0; i < LOOP_COUNT; i++) {
        wkThreadPool_Run(c->pool, countTask, c, TASK_COUNT);
    }
    return NULL;
}

static void many_threads_may_ask_for_loops(void** state)
{
    (void)state;
    wkThreadPool pool;
    wkThreadPool_Start(&pool, 3);
    pthread_t callers[CALLER_COUNT];
    static counts ofCallers[CALLER_COUNT];
    for (int i = 0; i < CALLER_COUNT; i++) {
        memset(&ofCallers[i], 0, sizeof ofCallers[i]);
        ofCallers[i].pool = &pool;
        assert_int_equal(pthread_create(&callers[i], NULL, runLoops, &ofCallers[i]), 0);
    }
    for (int i = 0; i < CALLER_COUNT; i++) {
        pthread_join(callers[i], NULL);
        assert_true(areAll(&ofCallers[i], TASK_COUNT, LOOP_COUNT));
    }
    wkThreadPool_Stop(&pool);
}

// The child has a copy of the pool and none of its threads.
static void a_child_process_does_all_tasks_itself(void** state)
{
    (void)state;
    wkThreadPool pool;
    wkThreadPool_Start(&pool, 3);
    counts before = {.pool = &pool};
    wkThreadPool_Run(&pool, countTask, &before, TASK_COUNT);
    pid_t child = fork();
    if (child == 0) {
        counts c = {.pool = &pool};
        alarm(60); // rather than wait forever
        wkThreadPool_Run(&pool, countTask, &c, TASK_COUNT);
        wkThreadPool_Stop(&pool);
        _exit(areAll(&c, TASK_COUNT, 1) ? 0 : 1);
    }
    int status = -1;
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    wkThreadPool_Stop(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_runs_once_in_every_loop),
        cmocka_unit_test(a_pool_that_runs_nothing_ends),
        cmocka_unit_test(loops_may_run_inside_of_loops),
        cmocka_unit_test(many_threads_may_ask_for_loops),
        cmocka_unit_test(a_child_process_does_all_tasks_itself),
    };
    return cmocka_run_group_tests_name("thread pools", tests, NULL, NULL);
}
