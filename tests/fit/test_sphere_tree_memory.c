// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Making and loading sphere trees survives the failure of any allocation; queries about them allocate nothing.

#include "sphere_tree_kit.h"

#include "memory/fail_every.h"

static wkResult makeAndCopy(void)
{
    wkShape shapes[2] = {wkMakeBox(0.3, 0.2, 0.1), wkMakeSphere(0.1)};
    wkSphereTreeBody bodies[2] = {{&shapes[0], wkIdentityPose()},
                                  {&shapes[1], wkMakePose(0.1, 0.0, 0.0)}};
    wkSphereTreeDef def = treeDefOf(bodies, 2, 12);
    wkSphereTree *tree = NULL, *copy = NULL;
    wkResult result = wkSphereTree_Create(&def, &tree);
    assert_int_equal(result == wk_ok, tree != NULL);
    if (result == wk_ok) {
        size_t byteCount = wkSphereTree_Info(tree).byteCount;
        result = wkSphereTree_FromBlock(wkSphereTree_Block(tree), byteCount, &copy);
        assert_int_equal(result == wk_ok, copy != NULL);
    }
    wkSphereTree_Destroy(copy);
    wkSphereTree_Destroy(tree);
    return result;
}

static wkResult makeForLink(void)
{
    wkRobot* robot = NULL;
    wkSphereTree* tree = NULL;
    wkSphereTreeDef def = treeDefOf(NULL, 0, 4);
    wkResult result = wkRobot_CreateBuiltIn(&robot);
    if (result == wk_ok) {
        int32_t link = 0;
        while (wkRobot_Link(robot, link).bodyCount == 0) {
            link++;
        }
        result = wkSphereTree_CreateForLink(robot, link, &def, &tree);
    }
    wkSphereTree_Destroy(tree);
    wkRobot_Destroy(robot);
    return result;
}

static void trees_survive_a_failing_allocator(void** state)
{
    (void)state;
    assert_true(failEveryAllocation(makeAndCopy) > 12);
    assert_true(failEveryAllocation(makeForLink) > 12);
}

static void queries_allocate_nothing(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(0.3, 0.2, 0.1);
    wkSphereTreeBody body = {&box, wkIdentityPose()};
    wkSphereTreeDef def = treeDefOf(&body, 1, 30);
    wkSphereTree* tree = makeTree(&def);
    failing counted = {0, 0, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &counted};
    wkSetAllocator(&allocator);
    float points[9] = {0.0f, 0.0f, 0.0f, 0.5f, 0.0f, 0.0f, 0.5f, 0.1f, 0.2f};
    wkCloudView view = wkDefaultCloudDef().points;
    view.data = points;
    view.count = 3;
    wkPlacedSphereTree placed[2] = {{tree, wkIdentityPose(), NULL, 0},
                                    {tree, wkMakePose(1.0, 0.0, 0.0), &body, 1}};
    wkSphereTreeResult results[2];
    uint8_t touched[60];
    double volumes[2];
    wkParallel parallel = {.threadCount = 2};
    wkSphereTreeRequest request = wkDefaultSphereTreeRequest();
    request.parallel = &parallel;
    wkPose here = wkIdentityPose();
    assert_int_equal(wkPlacedSphereTree_PointDistances(placed, 2, &view, here, &request, results),
                     wk_ok);
    assert_int_equal(
        wkPlacedSphereTree_PointVolumes(placed, 2, &view, here, &request, touched, 60, volumes),
        wk_ok);
    wkDistanceOfSphereTrees(&placed[0], &placed[1], NULL);
    wkPenetrationVolume(&placed[0], &placed[1]);
    assert_int_equal(counted.callCount, 0);
    wkSetAllocator(NULL);
    wkSphereTree_Destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_survive_a_failing_allocator),
        cmocka_unit_test(queries_allocate_nothing),
    };
    int failed = cmocka_run_group_tests_name("fit.sphere_tree_memory", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
