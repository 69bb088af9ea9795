// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Spheres cover solids throughout: a point deep inside of a large link is inside a sphere, spheres around the
// surface alone are found not to cover, and a small obstacle inside of a link is found by a batch.

#include "fit_kit.h"
#include "whisker/batch.h"

#include <math.h>
#include <string.h>

#define MOST_SPHERES 1024
#define ACCURACY (WK_CASES(5) < 5 ? 0.08 : 0.03) // metres; sanitizers fit fewer spheres

// Points of a shape that no sphere has, of some random ones inside.
static int countBare(const wkShape* shape, const wkSphere3d* spheres, int32_t count, int points,
                     wkRng* rng)
{
    wkAabb box = wkShape_Bounds(shape, wkIdentityPose());
    int bare = 0;
    for (int i = 0; i < points; i++) {
        wkVec3d point = {wkRngRange(rng, box.lower.x, box.upper.x),
                         wkRngRange(rng, box.lower.y, box.upper.y),
                         wkRngRange(rng, box.lower.z, box.upper.z)};
        bool isInside = wkShape_ContainsPoint(shape, wkIdentityPose(), point), isHad = false;
        for (int32_t k = 0; k < count && isInside && !isHad; k++) {
            wkVec3d way = wkSceneSub(point, spheres[k].center);
            isHad = wkSceneDot(way, way) <= spheres[k].radius * spheres[k].radius;
        }
        bare += isInside && !isHad ? 1 : 0;
    }
    return bare;
}

static void check_filled(const wkShape* shape, double accuracy, wkRng* rng)
{
    static wkSphere3d spheres[MOST_SPHERES];
    int32_t count = 0;
    wkFitInfo report;
    wkFitDef def = wkDefaultFitDef();
    def.accuracy = accuracy;
    assert_int_equal(wkShape_FitSpheres(shape, &def, spheres, MOST_SPHERES, &count, &report),
                     wk_ok);
    assert_int_equal(countBare(shape, spheres, count, WK_CASES(20000), rng), 0);
    assert_int_equal(wkShape_MeasureSpheres(shape, spheres, count, INFINITY, &report), wk_ok);
    assert_true(report.gap == 0.0 && report.protrusion == INFINITY);
    assert_int_equal(wkShape_MeasureSpheres(shape, spheres, count, 0.05 * accuracy, &report),
                     wk_ok);
    assert_true(report.gap == 0.0 && report.protrusion <= 1.1 * accuracy);
}

static void large_solids_are_covered_throughout(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    wkShape box = wkMakeBox(1.0, 0.8, 0.6), cylinder = wkMakeCylinder(0.4, 0.9);
    wkShape ellipsoid = wkMakeEllipsoid(0.5, 0.4, 0.3), cone = wkMakeCone(0.5, 0.8);
    check_filled(&box, ACCURACY, &rng);
    check_filled(&cylinder, ACCURACY, &rng);
    check_filled(&ellipsoid, ACCURACY, &rng);
    check_filled(&cone, ACCURACY, &rng);
}

static void a_count_is_kept_with_spheres_inside(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    wkShape box = wkMakeBox(1.0, 1.0, 1.0);
    for (int32_t asked = 4; asked <= 64; asked *= 2) {
        wkSphere3d spheres[64];
        int32_t count = 0;
        wkFitInfo report;
        wkFitDef def = wkDefaultFitDef();
        def.count = asked;
        assert_int_equal(wkShape_FitSpheres(&box, &def, spheres, 64, &count, &report), wk_ok);
        assert_true(count <= asked && report.gap == 0.0);
        assert_int_equal(countBare(&box, spheres, count, WK_CASES(20000), &rng), 0);
    }
}

// Spheres on a grid over the six faces of a box: all of its surface is inside one, and its middle is not.
static int32_t coverFaces(double half, int cells, wkSphere3d* spheres)
{
    int32_t count = 0;
    double size = 2.0 * half / cells, radius = 0.75 * size;
    for (int face = 0; face < 6; face++) {
        for (int i = 0; i < cells * cells; i++) {
            double u = -half + size * (i % cells + 0.5), v = -half + size * (i / cells + 0.5);
            double w = face % 2 == 0 ? -half : half;
            wkVec3d centers[3] = {{w, u, v}, {u, w, v}, {u, v, w}};
            spheres[count++] = (wkSphere3d){centers[face / 2], radius};
        }
    }
    return count;
}

static void a_hollow_cover_does_not_cover(void** state)
{
    (void)state;
    static wkSphere3d spheres[6 * 64 + 1];
    wkShape box = wkMakeBox(1.0, 1.0, 1.0);
    int32_t count = coverFaces(0.5, 8, spheres);
    wkFitInfo report;
    assert_int_equal(wkShape_MeasureSpheres(&box, spheres, count, 1e-3, &report), wk_ok);
    assert_true(report.coverage == 1.0 && report.gap > 0.3); // the middle is 0.4 from all spheres
    spheres[count] = (wkSphere3d){{0.0, 0.0, 0.0}, 0.72};
    assert_int_equal(wkShape_MeasureSpheres(&box, spheres, count + 1, 1e-3, &report), wk_ok);
    assert_true(report.gap == 0.0);
}

// A robot with a base that is one large box.
static wkRobot* makeRobot(void)
{
    const char* links[] = {"base", "arm"};
    wkJointDef joint = wkDefaultJointDef();
    joint.name = "turn";
    joint.type = wk_jointRevolute;
    joint.parent = "base";
    joint.child = "arm";
    joint.lower = -1.0;
    joint.upper = 1.0;
    joint.origin = wkMakePose(0.0, 0.0, 0.8);
    wkBodyDef bodies[2] = {{"base", NULL, wkMakeBox(1.0, 1.0, 1.0), wkIdentityPose()},
                           {"arm", NULL, wkMakeCapsule(0.05, 0.3), wkIdentityPose()}};
    wkRobotDef def = wkDefaultRobotDef();
    def.links = links;
    def.linkCount = 2;
    def.joints = &joint;
    def.jointCount = 1;
    def.bodies = bodies;
    def.bodyCount = 2;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_Create(&def, &robot), wk_ok);
    return robot;
}

static void an_obstacle_deep_inside_a_link_is_found(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    wkRobot* robot = makeRobot();
    wkSphereModel* model = NULL;
    assert_int_equal(wkSphereModel_Fit(robot, NULL, &model), wk_ok);
    for (int i = 0; i < WK_CASES(20); i++) {
        wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
        sceneDef.robot = robot;
        wkRobotScene* scene = NULL;
        assert_int_equal(wkRobotScene_Create(&sceneDef, &scene), wk_ok);
        wkRobotObjectDef object = wkDefaultRobotObjectDef();
        wkShape small = wkMakeSphere(0.005);
        object.name = "small";
        object.shapes = &small;
        object.shapeCount = 1;
        object.pose = wkMakePose(wkRngRange(&rng, -0.45, 0.45), wkRngRange(&rng, -0.45, 0.45),
                                 wkRngRange(&rng, -0.45, 0.45));
        assert_int_equal(wkRobotScene_Add(scene, &object), wk_ok);
        wkBatchDef def = wkDefaultBatchDef();
        def.scene = scene;
        def.spheres = model;
        wkBatch* batch = NULL;
        assert_int_equal(wkBatch_Create(&def, &batch), wk_ok);
        double q = 0.5;
        uint8_t verdict = wk_verdictFree;
        assert_int_equal(wkBatch_CheckStates(batch, NULL, &q, 1, &verdict), wk_ok);
        assert_int_equal(verdict, wk_verdictWorld);
        wkBatch_Destroy(batch);
        wkRobotScene_Destroy(scene);
    }
    wkSphereModel_Destroy(model);
    wkRobot_Destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_solids_are_covered_throughout),
        cmocka_unit_test(a_count_is_kept_with_spheres_inside),
        cmocka_unit_test(a_hollow_cover_does_not_cover),
        cmocka_unit_test(an_obstacle_deep_inside_a_link_is_found),
    };
    int result = cmocka_run_group_tests(tests, NULL, NULL);
    wkKitEnd();
    return result;
}
