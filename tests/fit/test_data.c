// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Real robots of others: all of their links are covered, and filled with spheres. WHISKER_DATA names the folder; without it the
// tests are skipped.

#include "../data_files.h"
#include "fit_kit.h"
#include "sphere_tree_kit.h"

#include <math.h>
#include <stdlib.h>

static wkRobot* loadRobot(const char* name)
{
    char path[WK_DATA_PATH_CAPACITY];
    snprintf(path, sizeof path, "robots/%s", name);
    return wkLoadDataRobot(path, NULL);
}

static void checkRobot(const char* name, int32_t count)
{
    wkRobot* robot = loadRobot(name);
    if (robot == NULL) {
        return;
    }
    wkSphereFitDef fit = wkDefaultSphereFitDef();
    fit.count = count;
    wkSphereModel* model = NULL;
    if (wkSphereModel_Fit(robot, &fit, &model) != wk_ok) {
        fail_msg("%s: %s", name, wkGetLastError());
    }
    wkSphereModelInfo info = wkSphereModel_Info(model);
    assert_true(info.isCovering && info.sphereCount == count);
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int32_t b = 0; b < wkRobot_Info(robot).bodyCount; b++) {
        wkBodyInfo body = wkRobot_Body(robot, b);
        fitCheckCovered(model, &body, 1000, &rng);
    }
    wkSphereModel_Destroy(model);
    wkRobot_Destroy(robot);
}

static void robots_of_others_are_covered(void** state)
{
    (void)state;
    checkRobot("panda/panda.urdf", 59);
    checkRobot("fetch/fetch.urdf", 60);
    checkRobot("kuka_lwr/kuka_lwr.urdf", 30);
}

// Signed distance of a point in the frame of a link from the bodies of the link.
static double distanceToLink(const wkRobot* robot, wkLinkInfo link, wkVec3d point)
{
    double least = INFINITY;
    for (int32_t i = 0; i < link.bodyCount; i++) {
        wkBodyInfo body = wkRobot_Body(robot, link.firstBody + i);
        wkPointResult found = wkShape_ClosestPoint(body.shape, body.pose, point, INFINITY);
        least = fmin(least, found.distance);
    }
    return least;
}

#define TREE_POINTS 300

// The interval of a tree contains the exact distance of points about it.
static void checkInterval(const wkRobot* robot, wkLinkInfo link, const wkSphereTree* tree,
                          wkRng* rng)
{
    wkSphere3d around = wkSphereTree_Info(tree).around;
    float points[3 * TREE_POINTS];
    double exact = INFINITY;
    for (int i = 0; i < TREE_POINTS; i++) {
        double length = around.radius * wkRngRange(rng, 0.5, 1.5);
        wkVec3d point = wkSceneAdd(around.center, wkSceneScale(wkRngDirection(rng), length));
        float* p = points + 3 * i;
        p[0] = (float)point.x;
        p[1] = (float)point.y;
        p[2] = (float)point.z;
        point = wkSceneVec((double)p[0], (double)p[1], (double)p[2]);
        exact = fmin(exact, distanceToLink(robot, link, point));
    }
    wkCloudView view = wkDefaultCloudDef().points;
    view.data = points;
    view.count = TREE_POINTS;
    wkPlacedSphereTree placed = {.tree = tree, .pose = wkIdentityPose()};
    wkSphereTreeResult found;
    assert_int_equal(
        wkPlacedSphereTree_PointDistances(&placed, 1, &view, wkIdentityPose(), NULL, &found),
        wk_ok);
    assert_true(found.lower <= fmax(exact, 0.0) && found.upper >= exact);
}

static void checkTrees(const char* name)
{
    wkRobot* robot = loadRobot(name);
    if (robot == NULL) {
        return;
    }
    wkRng rng = wkMakeRng(wkKitSeed());
    wkSphereTreeDef def = treeDefOf(NULL, 0, WK_CASES(100));
    def.outerCount = 3;
    for (int32_t i = 0; i < wkRobot_Info(robot).linkCount; i++) {
        wkSphereTree* tree = NULL;
        wkLinkInfo link = wkRobot_Link(robot, i);
        assert_int_equal(wkSphereTree_CreateForLink(robot, i, &def, &tree), wk_ok);
        if (tree == NULL) {
            continue;
        }
        checkApart(tree);
        for (int32_t k = 0; k < wkSphereTree_Info(tree).innerCount; k++) {
            wkSphere3d s = wkSphereTree_InnerSphere(tree, k);
            assert_true(distanceToLink(robot, link, s.center) <= -s.radius);
        }
        checkInterval(robot, link, tree, &rng);
        wkSphereTree_Destroy(tree);
    }
    wkRobot_Destroy(robot);
}

static void robots_of_others_are_filled(void** state)
{
    (void)state;
    checkTrees("panda/panda.urdf");
    checkTrees("kuka_lwr/kuka_lwr.urdf");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robots_of_others_are_covered),
        cmocka_unit_test(robots_of_others_are_filled),
    };
    int failed = cmocka_run_group_tests_name("fit.data", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
