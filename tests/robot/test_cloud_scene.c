// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Robots among point clouds: what every query says is what a sphere at each point says. The tests of scenes, motions
// and batches have clouds among their surroundings; here the points are taken one by one, without a cloud.

#include "cloud_world.h"
#include "memory/failing.h"

#include "whisker/detail/counts.h"

#include <math.h>
#include <string.h>

// Compares check and clearance with the points one by one. Returns the distance.
static double compareState(cloudWorld* world, const char* what, int number)
{
    wkRobotRequest request = worldRequest();
    nearest plain = findNearest(world);
    wkRobotClearanceResult clearance =
        wkRobotScene_Clearance(world->scene, world->state, &request, NULL, NULL);
    wkRobotCheckResult check = wkRobotScene_Check(world->scene, world->state, &request);
    bool isTouching = check.verdict == wk_verdictWorld;
    // depths of overlaps are those of the deepest sphere, which the plain way finds too
    bool isSame = fabs(clearance.distance - plain.distance) < 1e-6 &&
                  isTouching == (clearance.distance <= 0.0);
    if (!isSame) {
        fail_msg("%s %d: %s, %.17g m, and the points say %.17g m", what, number,
                 wkVerdictName(check.verdict), clearance.distance, plain.distance);
    }
    assert_string_equal(clearance.b.name, cloudNames[plain.cloud]);
    if (plain.distance > -cloudSafetyDistances[plain.cloud] && clearance.a.kind == wk_sideLink) {
        assert_int_equal(clearance.closest.partB, plain.point);
        assert_int_equal(clearance.a.index, plain.link);
    }
    return plain.distance;
}

static void states_are_as_far_as_their_nearest_point(void** unused)
{
    (void)unused;
    cloudWorld world;
    makeWorld(1, &world);
    int touchingCount = 0;
    const int count = WK_CASES(60);
    for (int i = 0; i < count; ++i) {
        placeAtRandom(&world);
        touchingCount += compareState(&world, "state", i) <= 0.0 ? 1 : 0;
    }
    assert_true(touchingCount > count / 20 && touchingCount < count - count / 4);
    freeWorld(&world);
}

static void allowed_pairs_are_not_checked(void** unused)
{
    (void)unused;
    cloudWorld world;
    makeWorld(2, &world);
    wkAllowed* rules;
    assert_int_equal(wkAllowed_Copy(wkRobotScene_Allowed(world.scene), &rules), wk_ok);
    assert_int_equal(wkAllowed_Set(rules, "gripper_link", "shelf", wk_ruleAllowed), wk_ok);
    assert_int_equal(wkAllowed_SetDefault(rules, "person", wk_ruleAllowed, NULL, NULL), wk_ok);
    assert_int_equal(wkAllowed_Set(rules, "person", "elbow_flex_link", wk_ruleChecked), wk_ok);
    assert_int_equal(wkRobotScene_SetAllowed(world.scene, rules), wk_ok);
    wkAllowed_Destroy(rules);
    for (int i = 0; i < WK_CASES(20); ++i) {
        placeAtRandom(&world);
        compareState(&world, "state with rules", i);
    }
    freeWorld(&world);
}

static void attached_objects_are_checked_against_clouds(void** unused)
{
    (void)unused;
    cloudWorld world;
    makeWorld(3, &world);
    placeAtRandom(&world);
    int32_t gripper = wkRobot_FindLink(world.robot, "gripper_link");
    wkShape tray = wkMakeBox(0.05, 0.4, 0.02);
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = "tray";
    def.shapes = &tray;
    def.shapeCount = 1;
    def.pose = wkMulPose(wkRobotState_LinkPose(world.state, gripper), wkMakePose(0.15, 0.0, 0.0));
    assert_int_equal(wkRobotScene_Add(world.scene, &def), wk_ok);
    assert_int_equal(wkRobotScene_Attach(world.scene, world.state, "tray", "gripper_link", NULL, 0),
                     wk_ok);
    int attachedCount = 0;
    wkRobotRequest request = worldRequest();
    for (int i = 0; i < 30; ++i) {
        placeAtRandom(&world);
        compareState(&world, "state with a tray", i);
        attachedCount +=
            wkRobotScene_Clearance(world.scene, world.state, &request, NULL, NULL).a.kind ==
                    wk_sideAttached
                ? 1
                : 0;
    }
    assert_true(attachedCount > 0);
    freeWorld(&world);
}

// Attaching needs a body that spheres cover: a cloud has none, its hull has.
static void a_cloud_is_not_attached(void** unused)
{
    (void)unused;
    cloudWorld world;
    makeWorld(4, &world);
    placeAtRandom(&world);
    assert_int_equal(
        wkRobotScene_Attach(world.scene, world.state, "shelf", "gripper_link", NULL, 0),
        wk_errorUnsupported);
    assert_non_null(strstr(wkGetLastError(), "shelf has a shape of type cloud"));
    compareState(&world, "after the refusal", 0);
    freeWorld(&world);
}

static double nearestOfMotion(cloudWorld* world, const double* q0, const double* q1, int count,
                              double* first)
{
    double least = INFINITY, q[64];
    *first = 2.0;
    for (int i = 0; i <= count; ++i) {
        wkRobot_Interpolate(world->robot, q0, q1, (double)i / count, q);
        assert_int_equal(wkRobotState_Set(world->state, wkIdentityPose(), q), wk_ok);
        double d = findNearest(world).distance;
        *first = d <= 0.0 && *first > 1.0 ? (double)i / count : *first;
        least = fmin(least, d);
    }
    return least;
}

static void motions_are_those_of_dense_samples(void** unused)
{
    (void)unused;
    cloudWorld world;
    makeWorld(5, &world);
    int verdicts[WK_VERDICT_COUNT] = {0};
    for (int i = 0; i < 30; ++i) {
        double q0[64], q1[64], first = 2.0;
        uint64_t seed = wkRngNext(&world.rng);
        wkRobot_RandomConfiguration(world.robot, &seed, q0);
        wkRobot_RandomConfiguration(world.robot, &seed, q1);
        wkRobot_Interpolate(world.robot, q0, q1, 0.3, q1);
        wkMotionRequest request = wkDefaultMotionRequest();
        request.check = worldRequest();
        request.wantsFirst = true;
        request.isCertified = i % 3 != 2;
        wkMotionResult result =
            wkRobotScene_CheckMotion(world.scene, world.state, wkIdentityPose(), q0, q1, &request);
        ++verdicts[result.verdict];
        double least = nearestOfMotion(&world, q0, q1, 40, &first);
        if (request.isCertified &&
            (first < result.freeUntil || (result.verdict == wk_verdictFree && least <= 0.0))) {
            fail_msg("motion %d: %s, free until %.17g, a sample touches at %.17g", i,
                     wkVerdictName(result.verdict), result.freeUntil, first);
        }
        if (result.verdict == wk_verdictWorld) {
            double q[64];
            wkRobot_Interpolate(world.robot, q0, q1, result.time, q);
            assert_int_equal(wkRobotState_Set(world.state, wkIdentityPose(), q), wk_ok);
            assert_true(findNearest(&world).distance <= 1e-9);
            assert_true(result.time <= first + 1e-3 || !request.isCertified);
        }
    }
    assert_true(verdicts[wk_verdictFree] > 2 && verdicts[wk_verdictWorld] > 2);
    freeWorld(&world);
}

static void queries_allocate_nothing(void** unused)
{
    (void)unused;
    failing counted = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &counted};
    wkSetAllocator(&allocator);
    cloudWorld world;
    makeWorld(8, &world);
    counted.callCount = 0;
    counted.failAt = 0;
    for (int i = 0; i < 10; ++i) {
        placeAtRandom(&world);
        double gradient[64], distances[64], q0[64], q1[64];
        wkRobotContact contacts[16];
        wkRobotRequest request = worldRequest();
        request.contacts = contacts;
        request.contactCapacity = 16;
        request.wantsContacts = true;
        wkRobotScene_Check(world.scene, world.state, &request);
        wkRobotScene_Clearance(world.scene, world.state, NULL, distances, gradient);
        uint64_t seed = wkRngNext(&world.rng);
        wkRobot_RandomConfiguration(world.robot, &seed, q0);
        wkRobot_RandomConfiguration(world.robot, &seed, q1);
        wkRobotScene_CheckMotion(world.scene, world.state, wkIdentityPose(), q0, q1, NULL);
    }
    assert_int_equal(counted.callCount, 0);
    counted.failAt = -1;
    freeWorld(&world);
    wkSetAllocator(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_as_far_as_their_nearest_point),
        cmocka_unit_test(allowed_pairs_are_not_checked),
        cmocka_unit_test(attached_objects_are_checked_against_clouds),
        cmocka_unit_test(a_cloud_is_not_attached),
        cmocka_unit_test(motions_are_those_of_dense_samples),
        cmocka_unit_test(queries_allocate_nothing),
    };
    return cmocka_run_group_tests_name("robot.cloud_scene", tests, NULL, NULL);
}
