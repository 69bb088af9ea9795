// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One thread changes a map and hands out copies; others read them meanwhile, change some of their
// own, and destroy them. What a copy holds never changes under its reader. The thread sanitizer
// watches the pages that they share, and the doors that queries find for each other.

#include "kit.h"
#include "whisker/octree.h"
#include "whisker/query.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define READER_COUNT 4
#define ROUND_COUNT 150
#define WIDTH 40

// A copy, and what its cells add up to.
typedef struct snapshot {
    wkOctree* octree;
    double sum;
    uint64_t seed;
} snapshot;

// Where the writer leaves a snapshot for one reader.
typedef struct desk {
    _Atomic(snapshot*) next;
    atomic_bool isClosed;
    int readCount;
    int wrongCount;
} desk;

static wkCellKey someKey(wkRng* rng)
{
    wkCellKey key = {(uint16_t)(32768 + wkRngBelow(rng, WIDTH)),
                     (uint16_t)(32768 + wkRngBelow(rng, WIDTH)),
                     (uint16_t)(32768 + wkRngBelow(rng, WIDTH))};
    return key;
}

static double sumCells(const wkOctree* octree)
{
    double sum = 0.0;
    wkCellIterator iterator = wkOctree_Cells(octree, NULL);
    wkCell cell;
    while (wkCellIterator_Next(&iterator, &cell)) {
        sum += (double)cell.logOdds * cell.size * (1.0 + cell.center.x);
    }
    return sum;
}

static bool changeSome(wkOctree* octree, wkRng* rng, int count)
{
    bool isDone = true;
    for (int i = 0; i < count && isDone; i++) {
        isDone = wkOctree_Observe(octree, someKey(rng), wkRngChance(rng, 2)) == wk_ok;
    }
    return isDone;
}

// Reads a snapshot twice, then goes on with it as a map of its own, with a copy beside it.
static bool isValid(const snapshot* s)
{
    wkRng rng = wkMakeRng(s->seed);
    wkOctree* copy = NULL;
    bool isSame = sumCells(s->octree) == s->sum && wkOctree_Copy(s->octree, &copy) == wk_ok;
    isSame = isSame && changeSome(s->octree, &rng, 20) && sumCells(copy) == s->sum;
    wkOctree_Destroy(copy);
    return isSame;
}

static void* readSnapshots(void* argument)
{
    desk* d = (desk*)argument;
    bool isClosed = false;
    while (!isClosed) {
        isClosed = atomic_load(&d->isClosed);
        snapshot* s = atomic_exchange(&d->next, NULL);
        if (s != NULL) {
            d->readCount++;
            d->wrongCount += isValid(s) ? 0 : 1;
            wkOctree_Destroy(s->octree);
            free(s);
        }
    }
    return NULL;
}

static snapshot* makeSnapshot(const wkOctree* octree, uint64_t seed)
{
    snapshot* s = (snapshot*)calloc(1, sizeof *s);
    assert_non_null(s);
    assert_int_equal(wkOctree_Copy(octree, &s->octree), wk_ok);
    s->sum = sumCells(octree);
    s->seed = seed;
    return s;
}

// A snapshot that was not fetched gives way to the newer one.
static void leaveSnapshot(desk* d, snapshot* s)
{
    snapshot* stale = atomic_exchange(&d->next, s);
    if (stale != NULL) {
        wkOctree_Destroy(stale->octree);
        free(stale);
    }
}

static void copies_are_read_while_the_map_is_written(void** state)
{
    (void)state;
    static desk desks[READER_COUNT];
    pthread_t threads[READER_COUNT];
    for (int i = 0; i < READER_COUNT; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, readSnapshots, &desks[i]), 0);
    }
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Create(NULL, &octree), wk_ok);
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int round = 0; round < ROUND_COUNT; round++) {
        assert_true(changeSome(octree, &rng, 100));
        leaveSnapshot(&desks[round % READER_COUNT], makeSnapshot(octree, wkRngNext(&rng)));
    }
    wkOctree_Destroy(octree);
    int readCount = 0;
    for (int i = 0; i < READER_COUNT; i++) {
        atomic_store(&desks[i].isClosed, true);
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        readCount += desks[i].readCount;
        assert_int_equal(desks[i].wrongCount, 0);
    }
    assert_true(readCount >= READER_COUNT);
    assert_int_equal(wkGetByteCount(), 0);
}

#define SPHERE_COUNT 60

// Counts the spheres along a line that touch the map.
static int countTouched(const wkOctree* octree)
{
    wkShape map = wkMakeOctree(octree), sphere = wkMakeSphere(0.06);
    int count = 0;
    for (int i = 0; i < SPHERE_COUNT; i++) {
        wkPose pose = wkMakePose(0.04 * i, 0.03 * i, 0.02 * i);
        count += wkCollide(&sphere, pose, &map, wkIdentityPose(), NULL).isTouching ? 1 : 0;
    }
    return count;
}

typedef struct source {
    const wkOctree* octree;
    int touchedCount;
    bool hasCopied;
} source;

// Copies the map while others ask it.
static void* askMap(void* argument)
{
    source* a = (source*)argument;
    wkOctree* copy = NULL;
    a->hasCopied = wkOctree_Copy(a->octree, &copy) == wk_ok;
    a->touchedCount = countTouched(a->octree);
    a->hasCopied = a->hasCopied && countTouched(copy) == a->touchedCount;
    wkOctree_Destroy(copy);
    return NULL;
}

static void first_queries_after_a_change_agree(void** state)
{
    (void)state;
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Create(NULL, &octree), wk_ok);
    wkRng rng = wkMakeRng(wkKitSeed());
    int touchedCount = 0;
    for (int round = 0; round < 20; round++) {
        assert_true(changeSome(octree, &rng, 300));
        source sources[READER_COUNT];
        pthread_t threads[READER_COUNT];
        for (int i = 0; i < READER_COUNT; i++) {
            sources[i] = (source){.octree = octree};
            assert_int_equal(pthread_create(&threads[i], NULL, askMap, &sources[i]), 0);
        }
        for (int i = 0; i < READER_COUNT; i++) {
            assert_int_equal(pthread_join(threads[i], NULL), 0);
        }
        int expected = countTouched(octree);
        for (int i = 0; i < READER_COUNT; i++) {
            assert_true(sources[i].hasCopied);
            assert_int_equal(sources[i].touchedCount, expected);
        }
        touchedCount += expected;
    }
    assert_true(touchedCount > 0);
    wkOctree_Destroy(octree);
    assert_int_equal(wkGetByteCount(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_read_while_the_map_is_written),
        cmocka_unit_test(first_queries_after_a_change_agree),
    };
    return cmocka_run_group_tests_name("octrees shared between threads", tests, NULL, NULL);
}
