// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The built-in robot: what it has, that it stands well, and that its pairs are right.

#include "robot_kit.h"

#include "whisker/query.h"

typedef struct fixture {
    wkRobot* robot;
    wkRobotInfo info;
    double q[16];
    wkPose poses[32];
} fixture;

static int setUp(void** state)
{
    static fixture f;
    assert_int_equal(wkRobot_CreateBuiltIn(&f.robot), wk_ok);
    f.info = wkRobot_Info(f.robot);
    assert_true(f.info.variableCount <= 16 && f.info.linkCount <= 32);
    *state = &f;
    return 0;
}

static int tearDown(void** state)
{
    wkRobot_Destroy(((fixture*)*state)->robot);
    assert_int_equal(wkGetByteCount(), 0);
    return 0;
}

static wkPose bodyPose(const fixture* f, int32_t body)
{
    wkBodyInfo info = wkRobot_Body(f->robot, body);
    return wkMulPose(f->poses[info.link], info.pose);
}

static bool doLinksTouch(const fixture* f, int32_t a, int32_t b)
{
    wkLinkInfo linkA = wkRobot_Link(f->robot, a), linkB = wkRobot_Link(f->robot, b);
    for (int32_t i = linkA.firstBody; i < linkA.firstBody + linkA.bodyCount; i++) {
        for (int32_t j = linkB.firstBody; j < linkB.firstBody + linkB.bodyCount; j++) {
            wkBodyInfo bodyA = wkRobot_Body(f->robot, i), bodyB = wkRobot_Body(f->robot, j);
            wkPose poseA = bodyPose(f, i), poseB = bodyPose(f, j);
            if (wkCollide(bodyA.shape, poseA, bodyB.shape, poseB, NULL).isTouching) {
                return true;
            }
        }
    }
    return false;
}

// Whether a pair is disabled, and why.
static const char* reasonOf(const fixture* f, int32_t a, int32_t b)
{
    for (int32_t i = 0; i < f->info.disabledPairCount; i++) {
        wkDisabledPairInfo pair = wkRobot_DisabledPair(f->robot, i);
        if (pair.linkA == a && pair.linkB == b) {
            return pair.reason;
        }
    }
    return "";
}

static void it_has_what_the_header_says(void** state)
{
    const fixture* f = (const fixture*)*state;
    static const struct {
        const char* name;
        int32_t variableCount;
    } groups[] = {{"arm", 7}, {"gripper", 1}, {"torso", 1}, {"head", 2}, {"arm_with_torso", 8}};
    for (int i = 0; i < 5; i++) {
        wkGroupInfo group = wkRobot_Group(f->robot, wkRobot_FindGroup(f->robot, groups[i].name));
        assert_string_equal(group.name, groups[i].name);
        assert_int_equal(group.variableCount, groups[i].variableCount);
    }
    static const char* const names[] = {"home", "ready", "tucked", "open", "closed"};
    for (int i = 0; i < 5; i++) {
        assert_true(wkRobot_FindNamedState(f->robot, -1, names[i]) >= 0);
    }
    assert_int_equal(f->info.endEffectorCount, 1);
    assert_int_equal(wkRobot_EndEffector(f->robot, 0).group,
                     wkRobot_FindGroup(f->robot, "gripper"));
    int32_t follower = wkRobot_FindJoint(f->robot, "right_finger_joint");
    assert_int_equal(wkRobot_Joint(f->robot, follower).mimic,
                     wkRobot_FindJoint(f->robot, "left_finger_joint"));
}

static void the_camera_points_forward(void** state)
{
    fixture* f = (fixture*)*state;
    wkRobot_DefaultConfiguration(f->robot, f->q);
    wkRobot_LinkPoses(f->robot, wkIdentityPose(), f->q, f->poses);
    wkPose camera = f->poses[wkRobot_FindLink(f->robot, "head_camera")];
    const wkVec3d z = {0, 0, 1}, y = {0, 1, 0};
    assert_true(wkRotateVector(camera, z).x > 1.0 - 1e-12);
    assert_true(wkRotateVector(camera, y).z < -1.0 + 1e-12);
    // nothing of the head is in front of it
    for (int32_t i = 0; i < f->info.bodyCount; i++) {
        wkBodyInfo body = wkRobot_Body(f->robot, i);
        assert_false(wkShape_ContainsPoint(body.shape, bodyPose(f, i), camera.position));
    }
}

static void it_stands_on_the_floor(void** state)
{
    fixture* f = (fixture*)*state;
    wkRobot_DefaultConfiguration(f->robot, f->q);
    wkRobot_LinkPoses(f->robot, wkIdentityPose(), f->q, f->poses);
    double lowest = INFINITY, highest = -INFINITY;
    for (int32_t i = 0; i < f->info.bodyCount; i++) {
        wkAabb box = wkShape_Bounds(wkRobot_Body(f->robot, i).shape, bodyPose(f, i));
        lowest = fmin(lowest, box.lower.z);
        highest = fmax(highest, box.upper.z);
    }
    assert_true(fabs(lowest) < 1e-9);
    assert_true(highest > 1.2 && highest < 1.5);
}

static void named_states_are_within_limits_and_free(void** state)
{
    fixture* f = (fixture*)*state;
    for (int32_t s = -1; s < f->info.stateCount; s++) {
        wkRobot_DefaultConfiguration(f->robot, f->q);
        if (s >= 0) {
            assert_int_equal(wkRobot_ApplyNamedState(f->robot, s, f->q), wk_ok);
        }
        assert_int_equal(wkRobot_FindBeyondLimits(f->robot, f->q, 0.0), -1);
        wkRobot_LinkPoses(f->robot, wkIdentityPose(), f->q, f->poses);
        for (int32_t a = 0; a < f->info.linkCount; a++) {
            for (int32_t b = a + 1; b < f->info.linkCount; b++) {
                if (reasonOf(f, a, b)[0] == '\0' && doLinksTouch(f, a, b)) {
                    fail_msg("%s: %s touches %s", wkRobot_NamedState(f->robot, s).name,
                             wkRobot_Link(f->robot, a).name, wkRobot_Link(f->robot, b).name);
                }
            }
        }
    }
}

static void neighbours_hold_together_and_never_means_never(void** state)
{
    fixture* f = (fixture*)*state;
    uint64_t seed = 17;
    for (int n = 0; n < 300; n++) {
        wkRobot_RandomConfiguration(f->robot, &seed, f->q);
        wkRobot_LinkPoses(f->robot, wkIdentityPose(), f->q, f->poses);
        for (int32_t i = 0; i < f->info.disabledPairCount; i++) {
            wkDisabledPairInfo pair = wkRobot_DisabledPair(f->robot, i);
            bool isAdjacent = strcmp(pair.reason, "Adjacent") == 0;
            if (doLinksTouch(f, pair.linkA, pair.linkB) != isAdjacent) {
                fail_msg("state %d: %s and %s, %s", n, wkRobot_Link(f->robot, pair.linkA).name,
                         wkRobot_Link(f->robot, pair.linkB).name, pair.reason);
            }
        }
    }
    for (int32_t i = 0; i < f->info.jointCount; i++) {
        wkJointInfo joint = wkRobot_Joint(f->robot, i);
        if (wkRobot_Link(f->robot, joint.childLink).bodyCount > 0) {
            assert_string_equal(reasonOf(f, joint.parentLink, joint.childLink), "Adjacent");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_has_what_the_header_says),
        cmocka_unit_test(the_camera_points_forward),
        cmocka_unit_test(it_stands_on_the_floor),
        cmocka_unit_test(named_states_are_within_limits_and_free),
        cmocka_unit_test(neighbours_hold_together_and_never_means_never),
    };
    return cmocka_run_group_tests_name("robot.builtin", tests, setUp, tearDown);
}
