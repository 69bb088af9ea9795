// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Distances of sphere trees: known answers, nothing free that is not proven, input that is not valid.

#include "sphere_tree_kit.h"

#include <string.h>

static void two_equal_spheres_share_a_lens(void** state)
{
    (void)state;
    wkShape sphere = wkMakeSphere(1.0);
    wkSphereTreeBody body = {&sphere, wkIdentityPose()};
    wkSphereTreeDef def = treeDefOf(&body, 1, 1);
    wkSphereTree* tree = makeTree(&def);
    double radius = wkSphereTree_InnerSphere(tree, 0).radius;
    wkPlacedSphereTree a = {.tree = tree, .pose = wkIdentityPose()};
    wkPlacedSphereTree b = {.tree = tree, .pose = wkMakePose(1.0, 0.0, 0.0)};
    // two caps of height r - 1/2
    double height = radius - 0.5;
    double lens = 2.0 * acos(-1.0) * height * height * (3.0 * radius - height) / 3.0;
    assert_true(fabs(wkPenetrationVolume(&a, &b) - lens) < 1e-9);
    wkSphereTreeResult r = wkDistanceOfSphereTrees(&a, &b, NULL);
    assert_true(r.verdict == wk_sphereCollision && fabs(r.upper - (1.0 - 2.0 * radius)) < 1e-9);
    b.pose = wkMakePose(5.0, 0.0, 0.0);
    r = wkDistanceOfSphereTrees(&a, &b, NULL);
    assert_true(r.verdict == wk_sphereFree && r.lower > 2.9 && r.upper >= 3.0);
    assert_true(wkPenetrationVolume(&a, &b) == 0.0);
    wkSphereTreeRequest request = wkDefaultSphereTreeRequest();
    request.maxDistance = 1.0;
    r = wkDistanceOfSphereTrees(&a, &b, &request);
    assert_true(r.upper == INFINITY && fabs(r.lower - 1.0) < 1e-9 && r.sphere == -1);
    request.margin = 0.5;
    assert_int_equal(wkDistanceOfSphereTrees(&a, &b, &request).verdict, wk_sphereFree);
    request.margin = 1.5;
    assert_int_equal(wkDistanceOfSphereTrees(&a, &b, &request).verdict, wk_sphereUndecided);
    b.tree = NULL;
    assert_int_equal(wkDistanceOfSphereTrees(&a, &b, NULL).verdict, wk_sphereUndecided);
    assert_true(isnan(wkPenetrationVolume(&a, &b)));
    wkSphereTree_Destroy(tree);
}

// No points, points that are not finite, points far away: nothing is free that is not proven.
static void nothing_is_free_by_accident(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(1.0, 1.0, 1.0);
    wkSphereTreeBody body = {&box, wkIdentityPose()};
    wkSphereTreeDef def = treeDefOf(&body, 1, 20);
    wkSphereTree* tree = makeTree(&def);
    wkPlacedSphereTree placed[2] = {{.tree = tree, .pose = wkIdentityPose()},
                                    {.tree = NULL, .pose = wkIdentityPose()}};
    wkSphereTreeResult r[2];
    float points[6] = {0.0f, 0.0f, 0.0f, 1e6f, 0.0f, 0.0f};
    wkCloudView view = wkDefaultCloudDef().points;
    view.data = points;
    wkPose here = wkIdentityPose();
    wkSphereTreeRequest empty = wkDefaultSphereTreeRequest();
    empty.allowsEmpty = true;
    assert_int_equal(wkPlacedSphereTree_PointDistances(placed, 2, &view, here, NULL, r),
                     wk_errorArgument);
    assert_int_equal(r[0].verdict, wk_sphereUndecided);
    assert_int_equal(wkPlacedSphereTree_PointDistances(placed, 2, &view, here, &empty, r), wk_ok);
    assert_true(r[0].verdict == wk_sphereFree && r[0].point == -1 && r[0].upper == INFINITY);
    assert_int_equal(r[1].verdict, wk_sphereUndecided);
    // a point in a vertex of the box: in an outer sphere, in no inner one
    points[0] = points[1] = points[2] = 0.4999f;
    view.count = 1;
    assert_int_equal(wkPlacedSphereTree_PointDistances(placed, 1, &view, wkIdentityPose(), NULL, r),
                     wk_ok);
    assert_true(r[0].verdict == wk_sphereUndecided && r[0].lower == 0.0 && r[0].upper > 0.0);
    placed[0].bodies = &body;
    placed[0].bodyCount = 1;
    assert_int_equal(wkPlacedSphereTree_PointDistances(placed, 1, &view, wkIdentityPose(), NULL, r),
                     wk_ok);
    assert_true(r[0].verdict == wk_sphereCollision && fabs(r[0].upper + 0.0001) < 1e-6);
    placed[0].bodies = NULL;
    placed[0].bodyCount = 0;
    points[0] = NAN;
    view.count = 2;
    assert_int_equal(wkPlacedSphereTree_PointDistances(placed, 1, &view, wkIdentityPose(), NULL, r),
                     wk_ok);
    assert_true(r[0].verdict == wk_sphereFree && r[0].point == 1 && r[0].upper > 999998.0);
    points[3] = NAN; // a covered lens
    assert_int_equal(wkPlacedSphereTree_PointDistances(placed, 1, &view, here, NULL, r),
                     wk_errorArgument);
    assert_int_equal(r[0].verdict, wk_sphereUndecided);
    points[3] = 3e38f;
    assert_int_equal(wkPlacedSphereTree_PointDistances(placed, 1, &view, wkIdentityPose(), NULL, r),
                     wk_ok);
    assert_true(r[0].verdict == wk_sphereFree && r[0].lower <= 1e15);
    // zeros are not free
    wkSphereTreeResult zero;
    memset(&zero, 0, sizeof zero);
    assert_int_not_equal(zero.verdict, wk_sphereFree);
    assert_string_equal(wkSphereVerdictName(zero.verdict), "undecided");
    assert_string_equal(wkSphereVerdictName(wk_sphereFree), "free");
    assert_string_equal(wkSphereVerdictName(wk_sphereCollision), "collision");
    assert_string_equal(wkSphereVerdictName((wkSphereVerdict)7), "none");
    wkSphereTree_Destroy(tree);
}

static void expectNamed(wkResult result, wkResult expected, const char* words)
{
    assert_int_equal(result, expected);
    assert_non_null(strstr(wkGetLastError(), words));
}

static void wrong_arguments_are_named(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(1.0, 1.0, 1.0);
    wkSphereTreeBody body = {&box, wkIdentityPose()};
    wkSphereTreeDef def = treeDefOf(&body, 1, 2);
    wkSphereTree* tree = makeTree(&def);
    wkPlacedSphereTree placed = {.tree = tree, .pose = wkIdentityPose()};
    wkSphereTreeResult r;
    float point[3] = {0.0f, 0.0f, 0.0f};
    wkCloudView view = wkDefaultCloudDef().points;
    view.data = point;
    view.count = 1;
    wkPose here = wkIdentityPose();
    wkSphereTreeRequest request = wkDefaultSphereTreeRequest();
    request.maxDistance = NAN;
    expectNamed(wkPlacedSphereTree_PointDistances(&placed, 1, &view, here, &request, &r),
                wk_errorNotFinite, "maxDistance");
    request = wkDefaultSphereTreeRequest();
    request.cookie = 0;
    expectNamed(wkPlacedSphereTree_PointDistances(&placed, 1, &view, here, &request, &r),
                wk_errorArgument, "wkDefaultSphereTreeRequest");
    expectNamed(wkPlacedSphereTree_PointDistances(&placed, -1, &view, here, NULL, &r),
                wk_errorArgument, "treeCount");
    expectNamed(wkPlacedSphereTree_PointDistances(&placed, 1, NULL, here, NULL, &r),
                wk_errorArgument, "points");
    view.stride = 4;
    view.count = 2;
    expectNamed(wkPlacedSphereTree_PointDistances(&placed, 1, &view, here, NULL, &r), wk_errorRange,
                "stride");
    view.stride = 0;
    view.count = 1;
    placed.pose.rotation.w = NAN;
    expectNamed(wkPlacedSphereTree_PointDistances(&placed, 1, &view, here, NULL, &r),
                wk_errorNotFinite, "tree 0");
    assert_int_equal(r.verdict, wk_sphereUndecided);
    placed.pose = here;
    placed.pose.position.x = NAN;
    expectNamed(wkPlacedSphereTree_PointDistances(&placed, 1, &view, here, NULL, &r),
                wk_errorNotFinite, "tree 0");
    assert_int_equal(r.verdict, wk_sphereUndecided);
    assert_int_equal(wkDistanceOfSphereTrees(&placed, &placed, NULL).verdict, wk_sphereUndecided);
    placed.pose = here;
    placed.bodies = &body; // none of them: nothing would be near the points
    expectNamed(wkPlacedSphereTree_PointDistances(&placed, 1, &view, here, NULL, &r),
                wk_errorArgument, "bodyCount is 0");
    assert_int_equal(r.verdict, wk_sphereUndecided);
    // bodies of another link
    wkShape small = wkMakeSphere(0.01);
    wkSphereTreeBody other = {&small, wkMakePose(9.0, 0.0, 0.0)};
    placed.bodies = &other;
    placed.bodyCount = 1;
    expectNamed(wkPlacedSphereTree_PointDistances(&placed, 1, &view, here, NULL, &r),
                wk_errorArgument, "tree 0: its bodies are");
    assert_int_equal(r.verdict, wk_sphereUndecided);
    placed.bodies = NULL;
    placed.bodyCount = 0;
    here.position.y = NAN;
    expectNamed(wkPlacedSphereTree_PointDistances(&placed, 1, &view, here, NULL, &r),
                wk_errorNotFinite, "points");
    here.position.y = 0.0;
    here.position.z = INFINITY;
    expectNamed(wkPlacedSphereTree_PointDistances(&placed, 1, &view, here, NULL, &r),
                wk_errorNotFinite, "points");
    wkSphereTree_Destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_equal_spheres_share_a_lens),
        cmocka_unit_test(nothing_is_free_by_accident),
        cmocka_unit_test(wrong_arguments_are_named),
    };
    int failed = cmocka_run_group_tests_name("fit.sphere_tree_answers", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
