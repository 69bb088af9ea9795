// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Sphere trees are the same with any number of threads, and making them can be cancelled.

#include "sphere_tree_kit.h"

static void threads_give_the_same_tree(void** state)
{
    (void)state;
    wkModel model = {0};
    assert_true(wkModel_AddKnot(&model, 0.2, 0.06, 48, 8));
    wkMesh* mesh = fitMakeSolid(&model);
    wkShape shape = wkMakeMesh(mesh);
    wkSphereTreeBody body = {&shape, wkIdentityPose()};
    wkSphereTreeDef def = treeDefOf(&body, 1, 150);
    wkSphereTree* alone = makeTree(&def);
    for (int32_t threads = 2; threads <= 5; threads += 3) {
        wkParallel parallel = {.threadCount = threads};
        def.parallel = &parallel;
        wkSphereTree* together = makeTree(&def);
        size_t byteCount = wkSphereTree_Info(alone).byteCount;
        assert_int_equal(byteCount, wkSphereTree_Info(together).byteCount);
        assert_memory_equal(wkSphereTree_Block(alone), wkSphereTree_Block(together), byteCount);
        wkSphereTree_Destroy(together);
    }
    wkSphereTree_Destroy(alone);
    wkMesh_Destroy(mesh);
    wkModel_Free(&model);
}

static bool countCalls(int64_t done, int64_t total, void* context)
{
    assert_true(done >= 0 && done <= total && total > 0);
    int* left = context;
    return --*left > 0;
}

static void long_work_can_be_cancelled(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(1.0, 1.0, 1.0);
    wkSphereTreeBody body = {&box, wkIdentityPose()};
    wkSphereTreeDef def = treeDefOf(&body, 1, 3000);
    int left = 1;
    def.progress = countCalls;
    def.progressContext = &left;
    wkSphereTree* tree = NULL;
    assert_int_equal(wkSphereTree_Create(&def, &tree), wk_errorCancelled);
    assert_null(tree);
    // while outer spheres are made
    def.innerCount = 0;
    left = 1;
    assert_int_equal(wkSphereTree_Create(&def, &tree), wk_errorCancelled);
    assert_null(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_give_the_same_tree),
        cmocka_unit_test(long_work_can_be_cancelled),
    };
    int failed = cmocka_run_group_tests_name("fit.sphere_tree_threads", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
