// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Dynamic trees without memory: what fails leaves them as they were, and visits need none.

#include "dyn_check.h"
#include "memory/failing.h"

#define LEAF_COUNT 300

static dynModel model;
static dynModel before;
static wkDynLeaf leaves[DYN_MAX_LEAVES];
static failing memory = {0, -1, 0};

static void failAt(long call)
{
    memory.callCount = 0;
    memory.failAt = call;
}

typedef wkResult change(wkDynTree* tree, const wkDynTree* other);

static wkResult buildFast(wkDynTree* tree, const wkDynTree* other)
{
    (void)other;
    return wkDynTree_Build(tree, leaves, model.count, wk_dynFast);
}

static wkResult buildFull(wkDynTree* tree, const wkDynTree* other)
{
    (void)other;
    return wkDynTree_Build(tree, leaves, model.count, wk_dynFull);
}

static wkResult copyOther(wkDynTree* tree, const wkDynTree* other)
{
    return wkDynTree_Copy(other, tree);
}

static wkResult insertOne(wkDynTree* tree, const wkDynTree* other)
{
    (void)other;
    wkDynLeaf leaf = {model.boxes[model.count - 1], model.count - 1};
    return wkDynTree_Insert(tree, &leaf);
}

// A change that fails at its first, second, ... allocation, until it succeeds.
static void checkChange(change* apply, const wkDynTree* start, const wkDynTree* other)
{
    long call = 0;
    for (wkResult result = wk_errorMemory; result != wk_ok; ++call) {
        failAt(-1);
        wkDynTree* tree = dynCreate();
        assert_int_equal(wkDynTree_Copy(start, tree), wk_ok);
        failAt(call);
        result = apply(tree, other);
        assert_true(result == wk_ok || result == wk_errorMemory);
        dynCheckTree(tree, result == wk_ok ? &model : &before);
        failAt(-1);
        wkDynTree_Destroy(tree);
        assert_true(call < 10);
    }
    // at least one allocation failed
    assert_true(call > 1);
}

static void failures_change_nothing(void** state)
{
    (void)state;
    static change* const changes[] = {buildFast, buildFull, copyOther};
    wkRng rng = wkMakeRng(21);
    dynFill(&before, &rng, 0, 20);
    dynFill(&model, &rng, 0, LEAF_COUNT);
    wkDynTree* start = dynBuild(&before, wk_dynFull);
    wkDynTree* other = dynBuild(&model, wk_dynFull);
    dynLeaves(&model, leaves);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
        checkChange(changes[i], start, other);
    }
    wkDynTree_Destroy(start);
    wkDynTree_Destroy(other);

    failAt(0);
    wkDynTree* none = NULL;
    assert_int_equal(wkDynTree_Create(&none), wk_errorMemory);
    assert_null(none);
    failAt(-1);
    assert_int_equal(memory.allocatedBytes, 0);
}

// A copy has no more room than it needs, so that one leaf more takes memory.
static void insertions_that_fail_change_nothing(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(22);
    for (int32_t count = 20; count <= 200; count += 33) {
        dynFill(&model, &rng, 0, count);
        before = model;
        before.isIn[--before.count] = false;
        wkDynTree* start = dynBuild(&before, wk_dynFull);
        checkChange(insertOne, start, NULL);
        wkDynTree_Destroy(start);
    }
    assert_int_equal(memory.allocatedBytes, 0);
}

static bool seeLeaf(int32_t name, void* context)
{
    (void)name;
    ++*(long*)context;
    return true;
}

static bool seePair(int32_t a, int32_t b, void* context)
{
    (void)a;
    (void)b;
    ++*(long*)context;
    return true;
}

static void visits_and_moves_allocate_nothing(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(23);
    dynFill(&model, &rng, 0, LEAF_COUNT);
    wkDynTree* tree = dynBuild(&model, wk_dynFast);
    dynLeaves(&model, leaves);
    failAt(-1);
    long visitCount = 0;
    double limit = 1.0;
    wkFloatBox box = dynBox(&rng, 8, 0);
    wkDynTree_VisitBox(tree, &box, seeLeaf, &visitCount);
    wkDynTree_VisitPairs(tree, seePair, &visitCount);
    wkDynTree_VisitPairsOf(tree, tree, seePair, &visitCount);
    wkDynTree_VisitRay(tree, wkVec(0, 0, 0), wkVec(1, 2, 3), &limit, seeLeaf, &visitCount);
    wkDynTree_VisitNear(tree, &box, &limit, seeLeaf, &visitCount);
    wkDynTree_VisitNearPairs(tree, &limit, seePair, &visitCount);
    wkDynTree_VisitNearPairsOf(tree, tree, &limit, seePair, &visitCount);
    for (int32_t name = 0; name < LEAF_COUNT; ++name) {
        wkDynTree_Move(tree, name, dynBox(&rng, 0, name));
        wkDynTree_Refine(tree);
    }
    for (int32_t name = 0; name < LEAF_COUNT; ++name) {
        wkDynTree_Remove(tree, name);
        assert_int_equal(wkDynTree_Insert(tree, &leaves[name]), wk_ok);
    }
    assert_true(visitCount > LEAF_COUNT);
    assert_int_equal(memory.callCount, 0);
    wkDynTree_Destroy(tree);
}

int main(void)
{
    const wkAllocator allocator = {allocateOrFail, releaseCounted, &memory};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failures_change_nothing),
        cmocka_unit_test(insertions_that_fail_change_nothing),
        cmocka_unit_test(visits_and_moves_allocate_nothing),
    };
    wkSetAllocator(&allocator);
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    wkSetAllocator(NULL);
    return status;
}
