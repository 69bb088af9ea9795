// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// An accumulator of cost survives the failure of any allocation: what it had is what it has, and
// nothing is lost. Asking it takes no memory.

#include "failing.h"
#include "kit.h"
#include "whisker/whisker.h"

static const wkPose ends[2] = {{{-1.0, 0.1, 0.2}, {0.0, 0.0, 0.0, 1.0}},
                               {{2.0, 0.5, 0.7}, {0.1, 0.2, 0.3, 0.9}}};

static wkOctree* createMap(void)
{
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Create(NULL, &octree), wk_ok);
    wkAabb room = {{-2.0, -0.1, -2.0}, {0.4, 2.0, 2.0}};
    assert_int_equal(wkOctree_FillBox(octree, room, -0.5f), wk_ok);
    return octree;
}

static bool isSame(wkCostInfo a, wkCostInfo b)
{
    return a.boxCount == b.boxCount && a.cellCount == b.cellCount && a.volume == b.volume &&
           a.weightedVolume == b.weightedVolume;
}

// Fails at the first allocation, then at the second, until there are no more.
static void addUntilItWorks(wkCost* cost, const wkShape* map, const wkShape* link, failing* f)
{
    wkCostInfo before = wkCost_Info(cost);
    wkResult result = wk_errorMemory;
    long n = 0;
    for (; result != wk_ok; ++n) {
        f->callCount = 0;
        f->failAt = n;
        result = wkCost_AddMotion(cost, map, wkIdentityPose(), link, ends, 2);
        f->failAt = -1;
        assert_true(result == wk_ok || result == wk_errorMemory);
        assert_true(result == wk_ok || isSame(wkCost_Info(cost), before));
    }
    assert_true(n > 4);
    assert_true(wkCost_Info(cost).cellCount > before.cellCount);
}

static void additions_survive_a_failing_allocator(void** state)
{
    (void)state;
    failing f = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
    wkSetAllocator(&allocator);
    wkOctree* octree = createMap();
    wkShape map = wkMakeOctree(octree), arm = wkMakeCapsule(0.1, 0.6),
            endEffector = wkMakeSphere(0.3);
    f.callCount = f.failAt = 0;
    wkCost* cost = NULL;
    assert_int_equal(wkCost_Create(NULL, &cost), wk_errorMemory);
    assert_null(cost);
    assert_int_equal(wkCost_Create(NULL, &cost), wk_ok);
    addUntilItWorks(cost, &map, &arm, &f);
    addUntilItWorks(cost, &map, &endEffector, &f);

    // asking takes no memory
    wkCostBox boxes[10];
    f.callCount = 0;
    assert_true(wkCost_Boxes(cost, boxes, 10) == wkCost_Info(cost).boxCount);
    assert_int_equal(f.callCount, 0);
    wkCost_Destroy(cost);
    wkOctree_Destroy(octree);
    assert_int_equal(f.allocatedBytes, 0);
    assert_int_equal(wkGetByteCount(), 0);
    wkSetAllocator(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(additions_survive_a_failing_allocator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
