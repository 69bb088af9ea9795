// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Dynamic trees stay in shape whatever is done to them: links, boxes, heights, leaves, memory.

#include "dyn_check.h"

static dynModel model;
static wkDynLeaf leaves[DYN_MAX_LEAVES];

static void builds_are_in_shape(void** state)
{
    (void)state;
    static const int32_t counts[] = {0, 1, 2, 3, 4, 7, 100, 1500};
    wkRng rng = wkMakeRng(1);
    for (int kind = 0; kind <= dynKindCount; ++kind) {
        for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
            dynFill(&model, &rng, kind, counts[i]);
            for (int quality = wk_dynFast; quality <= wk_dynFull; ++quality) {
                wkDynTree* tree = dynBuild(&model, (wkDynQuality)quality);
                dynCheckTree(tree, &model);
                assert_true(dynHeight(tree) <= 128);
                wkDynTree_Destroy(tree);
            }
        }
    }
    assert_int_equal(wkGetByteCount(), 0);
}

static void randomChange(wkDynTree* tree, wkRng* rng, int kind, int32_t limit)
{
    int32_t name = wkRngBelow(rng, limit);
    wkDynLeaf leaf = {dynBox(rng, kind < dynKindCount ? kind : wkRngBelow(rng, dynKindCount), name),
                      name};
    int action = wkRngBelow(rng, 8);
    if (action == 0) {
        wkDynTree_Remove(tree, name);
        model.count -= model.isIn[name];
        model.isIn[name] = false;
    } else if (action == 1) {
        wkDynTree_Refine(tree);
    } else if (model.isIn[name]) {
        wkDynTree_Move(tree, name, leaf.box);
        model.boxes[name] = leaf.box;
    } else {
        assert_int_equal(wkDynTree_Insert(tree, &leaf), wk_ok);
        model.isIn[name] = true;
        model.boxes[name] = leaf.box;
        ++model.count;
    }
}

static void changes_keep_it_in_shape(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(2);
    for (int kind = 0; kind <= dynKindCount; ++kind) {
        for (int32_t limit = 5; limit <= 500; limit *= 10) {
            dynFill(&model, &rng, kind, limit / 2);
            wkDynTree* tree = dynBuild(&model, (wkDynQuality)(limit / 50 % 2));
            for (int i = 0; i < 40; ++i) {
                for (int k = 0; k < limit / 2; ++k) {
                    randomChange(tree, &rng, kind, limit);
                }
                dynCheckTree(tree, &model);
            }
            for (int32_t name = 0; name < limit; ++name) {
                wkDynTree_Remove(tree, name);
            }
            memset(&model, 0, sizeof model);
            dynCheckTree(tree, &model);
            wkDynTree_Destroy(tree);
        }
    }
}

// Each box holds the one before, which the search for the best sibling would make a chain.
static void insertion_in_the_worst_order_stays_shallow(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(4);
    static const int kinds[] = {1, 2, 4, 8};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        dynFill(&model, &rng, kinds[i], DYN_MAX_LEAVES);
        wkDynTree* tree = dynCreate();
        for (int32_t name = 0; name < DYN_MAX_LEAVES; ++name) {
            wkDynLeaf leaf = {model.boxes[name], name};
            assert_int_equal(wkDynTree_Insert(tree, &leaf), wk_ok);
        }
        dynCheckTree(tree, &model);
        assert_true((uint32_t)dynHeight(tree) <= wkDynHeightLimit(DYN_MAX_LEAVES));
        wkDynTree_Destroy(tree);
    }
}

static void copies_are_equal_and_apart(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(5);
    wkDynTree* copy = dynCreate();
    for (int32_t count = 0; count < 1000; count = 3 * count + 1) {
        dynFill(&model, &rng, 0, count);
        wkDynTree* tree = dynBuild(&model, wk_dynFull);
        assert_int_equal(wkDynTree_Copy(tree, copy), wk_ok);
        assert_int_equal(wkDynTree_Copy(copy, copy), wk_ok);
        wkDynTree_Destroy(tree);
        dynCheckTree(copy, &model);
    }
    // a smaller one after a larger one
    dynFill(&model, &rng, 0, 3);
    wkDynTree* tree = dynBuild(&model, wk_dynFull);
    assert_int_equal(wkDynTree_Copy(tree, copy), wk_ok);
    wkDynTree_Remove(tree, 1);
    dynCheckTree(copy, &model);
    wkDynTree_Destroy(tree);
    wkDynTree_Destroy(copy);
}

static void names_that_cannot_be_are_refused(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(6);
    dynFill(&model, &rng, 0, 20);
    wkDynTree* tree = dynBuild(&model, wk_dynFull);
    static const int32_t names[] = {7, -1, INT32_MAX};
    for (int i = 0; i < 3; ++i) {
        wkDynLeaf leaf = {model.boxes[0], names[i]};
        assert_int_equal(wkDynTree_Insert(tree, &leaf), wk_errorArgument);
    }
    dynLeaves(&model, leaves);
    leaves[5].name = -3;
    assert_int_equal(wkDynTree_Build(tree, leaves, 20, wk_dynFull), wk_errorRange);
    wkDynTree_Remove(tree, 1000);
    wkDynTree_Remove(tree, -1);
    wkDynTree_Move(tree, 1000, model.boxes[0]);
    dynCheckTree(tree, &model);
    wkDynTree_Destroy(tree);
    wkDynTree_Destroy(NULL);
}

// Morton trees cost more than full ones to ask, and refining makes up for it.
static void refining_reaches_the_full_quality(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(7);
    dynFill(&model, &rng, 0, 2000);
    wkDynTree* full = dynBuild(&model, wk_dynFull);
    wkDynTree* tree = dynBuild(&model, wk_dynFast);
    double goal = wkDynTree_Cost(full), before = wkDynTree_Cost(tree);
    assert_true(before > goal);
    for (int i = 0; i < 4000; ++i) {
        wkDynTree_Refine(tree);
    }
    dynCheckTree(tree, &model);
    assert_true(wkDynTree_Cost(tree) < 1.02 * goal);
    wkDynTree_Destroy(full);
    wkDynTree_Destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(builds_are_in_shape),
        cmocka_unit_test(changes_keep_it_in_shape),
        cmocka_unit_test(insertion_in_the_worst_order_stays_shallow),
        cmocka_unit_test(copies_are_equal_and_apart),
        cmocka_unit_test(names_that_cannot_be_are_refused),
        cmocka_unit_test(refining_reaches_the_full_quality),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
