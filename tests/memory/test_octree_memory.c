// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Maps survive the failure of any allocation in any function that may fail: nothing is lost, and the
// map is what it was before, whether its memory is its own or shared with a copy.

#include "failing.h"
#include "kit.h"
#include "whisker/octree.h"

#include <math.h>
#include <string.h>

// Cells enough for several pages of both kinds.
#define CELL_COUNT 6000
#define INTERVAL 48

static wkCellKey someKey(wkRng* rng)
{
    wkCellKey key = {(uint16_t)(32768 + wkRngBelow(rng, INTERVAL)),
                     (uint16_t)(32768 + wkRngBelow(rng, INTERVAL)),
                     (uint16_t)(32768 + wkRngBelow(rng, INTERVAL))};
    return key;
}

static wkOctree* createMap(void)
{
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Create(NULL, &octree), wk_ok);
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < CELL_COUNT; i++) {
        assert_int_equal(wkOctree_Observe(octree, someKey(&rng), wkRngChance(&rng, 3)), wk_ok);
    }
    return octree;
}

static bool isSameMap(const wkOctree* a, const wkOctree* b)
{
    wkCellRequest filter = wkDefaultCellRequest();
    filter.wantsUnknown = true;
    wkCellIterator cellsA = wkOctree_Cells(a, &filter), cellsB = wkOctree_Cells(b, &filter);
    wkCell cellA, cellB;
    bool hasA = true, hasB = true, isSame = true;
    while (hasA && isSame) {
        hasA = wkCellIterator_Next(&cellsA, &cellA);
        hasB = wkCellIterator_Next(&cellsB, &cellB);
        isSame = hasA == hasB &&
                 (!hasA || (wkCellId_Equals(cellA.id, cellB.id) && cellA.state == cellB.state &&
                            cellA.logOdds == cellB.logOdds));
    }
    return isSame && wkOctree_Info(a).version == wkOctree_Info(b).version;
}

static wkResult growNewPart(wkOctree* octree)
{
    wkCellKey far = {17, 4711, 60000};
    return wkOctree_Observe(octree, far, true);
}

static wkResult addToCell(wkOctree* octree)
{
    wkCellKey key = {32770, 32771, 32772};
    return wkOctree_AddLogOdds(octree, key, 0.125f);
}

static wkResult replaceCube(wkOctree* octree)
{
    wkCellKey key = {32770, 32771, 32772};
    return wkOctree_SetLogOdds(octree, key, 12, 0.25f);
}

static wkResult fillBox(wkOctree* octree)
{
    wkAabb box = {{-0.3, 0.22, 0.31}, {0.97, 1.4, 1.6}};
    return wkOctree_FillBox(octree, box, 0.375f);
}

static wkResult forgetBox(wkOctree* octree)
{
    wkAabb box = {{0.1, 0.22, 0.31}, {0.97, 1.4, 1.6}};
    return wkOctree_FillBox(octree, box, NAN);
}

static wkResult makeCopy(wkOctree* octree)
{
    wkOctree* copy = octree;
    wkResult result = wkOctree_Copy(octree, &copy);
    assert_true((copy != NULL) == (result == wk_ok));
    wkOctree_Destroy(copy);
    return result;
}

static wkResult coarsen(wkOctree* octree)
{
    wkOctree* coarse = octree;
    wkResult result = wkOctree_Coarsen(octree, 1, wk_mixUnknown, &coarse);
    assert_true((coarse != NULL) == (result == wk_ok));
    wkOctree_Destroy(coarse);
    return result;
}

static wkResult resample(wkOctree* octree)
{
    wkOctree* other = octree;
    wkResult result = wkOctree_Resample(octree, 0.07, wk_mixUnknown, &other);
    assert_true((other != NULL) == (result == wk_ok));
    wkOctree_Destroy(other);
    return result;
}

typedef struct story {
    const char* name;
    wkResult (*recordProgress)(wkOctree* octree);
    long allocationCount; // at least, when pages are shared
} story;

// clang-format off
static const story stories[] = {
    {"grow",     growNewPart,    2},
    {"add",      addToCell,      2},
    {"replace",  replaceCube,    1},
    {"fill",     fillBox,        6},
    {"forget",   forgetBox,      6},
    {"harden",   wkOctree_ToMaximumLikelihood, 8},
    {"copy",     makeCopy,       5},
    {"coarsen",  coarsen,        6},
    {"resample", resample,       6},
};
// clang-format on

// Fails at the first allocation, then at the second, until there are no more.
static void reportUntilItWorks(const story* s, failing* f, bool isShared)
{
    wkOctree *octree = createMap(), *before = createMap(), *copy = NULL;
    if (isShared) {
        assert_int_equal(wkOctree_Copy(octree, &copy), wk_ok);
    }
    wkResult result = wk_errorMemory;
    long n = 0;
    for (; result != wk_ok; ++n) {
        f->callCount = 0;
        f->failAt = n;
        result = s->recordProgress(octree);
        f->failAt = -1;
        bool isKept = result == wk_ok || isSameMap(octree, before);
        if ((result != wk_ok && result != wk_errorMemory) || !isKept) {
            fail_msg("%s, failure %ld: %s, the map is %s", s->name, n, wkResultName(result),
                     isKept ? "the same" : "another");
        }
        if (isShared && !isSameMap(copy, before)) {
            fail_msg("%s, failure %ld: the copy changed", s->name, n);
        }
    }
    assert_true(!isShared || n > s->allocationCount);
    wkOctree_Destroy(octree);
    wkOctree_Destroy(before);
    wkOctree_Destroy(copy);
    assert_int_equal(f->allocatedBytes, 0);
    assert_int_equal(wkGetByteCount(), 0);
}

static void maps_survive_a_failing_allocator(void** state)
{
    (void)state;
    failing f = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
    wkSetAllocator(&allocator);
    for (size_t i = 0; i < sizeof stories / sizeof *stories; ++i) {
        reportUntilItWorks(&stories[i], &f, false);
        reportUntilItWorks(&stories[i], &f, true);
    }
    wkSetAllocator(NULL);
}

static void creating_survives_a_failing_allocator(void** state)
{
    (void)state;
    failing f = {0, 0, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
    wkSetAllocator(&allocator);
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Create(NULL, &octree), wk_errorMemory);
    assert_null(octree);
    assert_int_equal(wkOctree_Create(NULL, &octree), wk_ok);
    wkOctree_Destroy(octree);
    assert_int_equal(f.allocatedBytes, 0);
    wkSetAllocator(NULL);
}

// Reading takes no memory.
static void asking_about_cells_allocates_nothing(void** state)
{
    (void)state;
    failing f = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
    wkSetAllocator(&allocator);
    wkOctree *octree = createMap(), *copy = NULL;
    assert_int_equal(wkOctree_Copy(octree, &copy), wk_ok);
    f.callCount = 0;
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < 100; i++) {
        wkCell cell = wkOctree_CellAt(octree, someKey(&rng));
        assert_int_equal(wkOctree_FindCell(copy, cell.id, &cell), wk_ok);
    }
    assert_true(isSameMap(octree, copy));
    assert_int_equal(f.callCount, 0);
    wkOctree_Destroy(octree);
    wkOctree_Destroy(copy);
    wkSetAllocator(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_survive_a_failing_allocator),
        cmocka_unit_test(creating_survives_a_failing_allocator),
        cmocka_unit_test(asking_about_cells_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
