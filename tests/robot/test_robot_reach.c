// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What a robot can reach within a short time: no state within reach touches a point that was left out.

#include "cases.h"
#include "memory/malloc_hook.h"
#include "plain.h"
#include "robot_kit.h"

#include "whisker/robot_reach.h"

#include <math.h>

#define SEED 20260118u
#define LINKS 9
#define VARIABLES (7 * LINKS)
#define SPHERES 4096
#define DURATION 0.15
#define MARGIN 0.01

typedef struct reachCase {
    const wkRobot* robot;
    wkRobotScene* scene;
    wkRobotState* state;
    wkRobotState* later;
    const double* rates;
    wkReachRequest request;
    wkSphere3d spheres[SPHERES];
    int32_t count;
} reachCase;

static void openCase(reachCase* c, const wkRobot* robot)
{
    memset(c, 0, sizeof *c);
    c->robot = robot;
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = robot;
    assert_int_equal(wkRobotScene_Create(&def, &c->scene), wk_ok);
    assert_int_equal(wkRobotState_Create(robot, &c->state), wk_ok);
    assert_int_equal(wkRobotState_Create(robot, &c->later), wk_ok);
    c->request = wkDefaultReachRequest();
    c->request.duration = DURATION;
    c->request.margin = MARGIN;
}

static void closeCase(reachCase* c)
{
    wkRobotState_Destroy(c->later);
    wkRobotState_Destroy(c->state);
    wkRobotScene_Destroy(c->scene);
}

static double drawPart(wkRng* rng)
{
    return wkRngChance(rng, 2) ? wkRngSign(rng) : wkRngRange(rng, -1.0, 1.0); // often all of it
}

// Rotates a quaternion by an angle about any axis.
static void rotateQuat(wkRng* rng, double angle, double* q)
{
    wkVec3d axis = wkRngDirection(rng);
    double s = sin(0.5 * angle);
    wkPose turn = wkIdentityPose(), old = wkIdentityPose();
    turn.rotation = (wkQuat){s * axis.x, s * axis.y, s * axis.z, cos(0.5 * angle)};
    old.rotation = (wkQuat){q[0], q[1], q[2], q[3]};
    wkQuat new = wkMulPose(turn, old).rotation;
    q[0] = new.x;
    q[1] = new.y;
    q[2] = new.z;
    q[3] = new.w;
}

static double rateOf(const reachCase* c, int variable)
{
    return c->rates != NULL ? c->rates[variable] : wkRobot_Variable(c->robot, variable).velocity;
}

// Draws a state that the rates allow.
static void drawLater(wkRng* rng, reachCase* c)
{
    double q[VARIABLES];
    int count = wkRobot_Info(c->robot).variableCount;
    memcpy(q, wkRobotState_Configuration(c->state), sizeof(double) * (size_t)count);
    for (int i = 0; i < count; i++) {
        double change = DURATION * rateOf(c, i) * drawPart(rng);
        if (wkRobot_Variable(c->robot, i).kind == wk_variableRotation) {
            rotateQuat(rng, change, &q[i]);
            i += 3;
        } else {
            q[i] += change;
        }
    }
    wkVec3d root = wkRobotState_LinkPose(c->state, 0).position, direction = wkRngDirection(rng);
    wkPose base = wkRobotState_LinkPose(c->state, 0);
    double quat[4] = {base.rotation.x, base.rotation.y, base.rotation.z, base.rotation.w};
    rotateQuat(rng, DURATION * c->request.baseRotation * drawPart(rng), quat);
    base.rotation = (wkQuat){quat[0], quat[1], quat[2], quat[3]};
    base.position = wkSceneAdd(root, wkSceneScale(direction, DURATION * c->request.baseVelocity));
    assert_int_equal(wkRobotState_Set(c->later, base, q), wk_ok);
}

static bool isLeftOut(const reachCase* c, wkVec3d p)
{
    for (int i = 0; i < c->count; i++) {
        wkVec3d apart = wkSceneSub(p, c->spheres[i].center);
        if (wkSceneLength(apart) <= c->spheres[i].radius) {
            return false;
        }
    }
    return true;
}

// Points next to the spheres that are outside of all of them.
static int checkLeftOut(wkRng* rng, const reachCase* c)
{
    int found = 0;
    for (int n = 0; n < 40; n++) {
        const wkSphere3d* s = &c->spheres[wkRngBelow(rng, c->count)];
        double share = 1.0 + 0.01 * wkRngUnit(rng);
        wkVec3d p = wkSceneAdd(s->center, wkSceneScale(wkRngDirection(rng), share * s->radius));
        if (!isLeftOut(c, p)) {
            continue;
        }
        found++;
        for (int b = 0; b < wkRobot_Info(c->robot).bodyCount; b++) {
            wkPose pose = wkRobotState_BodyPose(c->later, b);
            double d = wkShape_PointDistance(wkRobot_Body(c->robot, b).shape, pose, p);
            if (!(d > MARGIN - 1e-9)) {
                fail_msg("body %d reaches a point that was left out: %g", b, d);
            }
        }
    }
    return found;
}

static void checkCase(wkRng* rng, reachCase* c)
{
    double q[VARIABLES];
    uint64_t seed = wkRngNext(rng);
    int found = 0;
    for (int n = 0; n < 5; n++) {
        wkRobot_RandomConfiguration(c->robot, &seed, q);
        wkPose base = wkMakePose(wkRngRange(rng, -5.0, 5.0), 1.0, 0.0);
        base.rotation = wkRngRotation(rng);
        assert_int_equal(wkRobotState_Set(c->state, base, q), wk_ok);
        wkResult result = wkRobotScene_ReachSpheres(c->scene, c->state, &c->request, c->spheres,
                                                    SPHERES, &c->count);
        if (result != wk_ok) {
            fail_msg("%s", wkGetLastError());
        }
        assert_true(c->count > 0);
        for (int k = 0; k < 20; k++) {
            drawLater(rng, c);
            found += checkLeftOut(rng, c);
        }
    }
    assert_true(found > 20);
}

static void the_built_in_robot_stays_within_reach(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(SEED);
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    static reachCase c;
    openCase(&c, robot);
    checkCase(&rng, &c); // with the velocities of the robot
    closeCase(&c);
    wkRobot_Destroy(robot);
}

// Trees with joints of every type, planar, floating and mimic joints among them.
static void random_robots_stay_within_reach(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(SEED + 1);
    static reachCase c;
    for (int n = 0; n < WK_CASES(25); n++) {
        wkTestRobot made = wkMakeTestRobot(wkRngNext(&rng), LINKS, 1 + n % 3);
        wkBodyDef bodies[LINKS];
        for (int i = 0; i < LINKS; i++) {
            bodies[i] = (wkBodyDef){.link = made.links[i], .pose = wkIdentityPose()};
            double scale = i % 2 == 0 ? 1.0 : 1e-3; // small ones leave no slack in their spheres
            bodies[i].shape = wkMakeBox(scale * (0.1 + 0.4 * wkRngUnit(&rng)), 0.1 * scale,
                                        0.2 * scale * wkRngUnit(&rng));
            bodies[i].pose.position.x = wkRngRange(&rng, -0.3, 0.3);
            bodies[i].pose.rotation = wkRngRotation(&rng);
        }
        made.def.bodies = bodies;
        made.def.bodyCount = LINKS;
        wkRobot* robot = wkCreateRobot(&made.def);
        double rates[VARIABLES];
        for (int i = 0; i < VARIABLES; i++) {
            rates[i] =
                wkRngChance(&rng, 4) ? 0.0 : wkRngLogRange(&rng, 0.1, n % 5 == 0 ? 40.0 : 4.0);
        }
        openCase(&c, robot);
        c.rates = rates;
        c.request.velocities = rates;
        c.request.baseVelocity = n % 2 == 0 ? 0.0 : 1.0;
        c.request.baseRotation = n % 2 == 0 ? 0.0 : 0.5;
        checkCase(&rng, &c);
        closeCase(&c);
        wkRobot_Destroy(robot);
        wkFreeTestRobot(&made);
    }
}

// One joint moves a small body: the bound is its exact displacement, and the largest change needs all of it.
static void one_joint_is_bounded_tightly(void** state)
{
    (void)state;
    const double size = 1e-4, rate = 3.0;
    const char* links[] = {"root", "mimicked", "tip"};
    for (int type = wk_jointRevolute; type <= wk_jointPrismatic; type++) {
        for (int isMimic = 0; isMimic < 2; isMimic++) {
            wkJointDef joints[2] = {wkDefaultJointDef(), wkDefaultJointDef()};
            for (int i = 0; i < 2; i++) {
                joints[i].type = i == 0 && !isMimic ? wk_jointFixed : (wkJointType)type;
                joints[i].name = i == 0 ? "first" : "second";
                joints[i].parent = "root";
                joints[i].child = links[1 + i];
                joints[i].velocity = rate;
            }
            joints[1].mimic = isMimic ? "first" : NULL;
            joints[1].mimicFactor = isMimic ? -2.0 : 1.0;
            wkBodyDef body = {.link = "tip", .shape = wkMakeSphere(size)};
            body.pose = wkMakePose(0.7, 0.2, 0.4);
            wkRobotDef def = wkDefaultRobotDef();
            def.links = links;
            def.linkCount = 3;
            def.joints = joints;
            def.jointCount = 2;
            def.bodies = &body;
            def.bodyCount = 1;
            wkRobot* robot = wkCreateRobot(&def);
            static reachCase c;
            openCase(&c, robot);
            assert_int_equal(wkRobotScene_ReachSpheres(c.scene, c.state, &c.request, c.spheres,
                                                       SPHERES, &c.count),
                             wk_ok);
            double q = rate * DURATION;
            assert_int_equal(wkRobotState_Set(c.later, wkIdentityPose(), &q), wk_ok);
            wkVec3d p = wkRobotState_BodyPose(c.later, 0).position;
            double moved = wkSceneLength(wkSceneSub(p, c.spheres[0].center));
            double bound = c.spheres[0].radius - MARGIN - size;
            assert_true(c.count == 1 && moved <= bound && bound <= moved + size);
            closeCase(&c);
            wkRobot_Destroy(robot);
        }
    }
}

// An attached object reaches further than the links.
static void attached_objects_belong_to_the_robot(void** state)
{
    (void)state;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    static reachCase c;
    openCase(&c, robot);
    wkPose hand = wkRobotState_LinkPose(c.state, wkRobot_FindLink(robot, "gripper_link"));
    wkVec3d tip = wkTransformPoint(hand, (wkVec3d){1.0, 0.0, 0.0});
    wkPose pose = hand;
    pose.position = tip;
    assert_int_equal(wkAddSphere(c.scene, "tool", 0.05, pose), wk_ok);
    assert_int_equal(
        wkRobotScene_ReachSpheres(c.scene, c.state, NULL, c.spheres, SPHERES, &c.count), wk_ok);
    assert_true(isLeftOut(&c, tip));
    int32_t before = c.count;
    assert_int_equal(wkRobotScene_Attach(c.scene, c.state, "tool", "gripper_link", NULL, 0), wk_ok);
    long calls = wkMallocCalls();
    assert_int_equal(
        wkRobotScene_ReachSpheres(c.scene, c.state, NULL, c.spheres, SPHERES, &c.count), wk_ok);
    assert_int_equal(wkMallocCalls(), calls);
    assert_true(c.count > before && !isLeftOut(&c, tip));
    closeCase(&c);
    wkRobot_Destroy(robot);
}

static void nothing_moves_in_no_time(void** state)
{
    (void)state;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    static reachCase c;
    openCase(&c, robot);
    double volumes[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        c.request.duration = 0.1 * i;
        assert_int_equal(
            wkRobotScene_ReachSpheres(c.scene, c.state, &c.request, c.spheres, SPHERES, &c.count),
            wk_ok);
        for (int k = 0; k < c.count; k++) {
            volumes[i] += pow(c.spheres[k].radius, 3.0);
        }
    }
    assert_true(volumes[0] < volumes[1] && volumes[1] < volumes[2]);
    closeCase(&c);
    wkRobot_Destroy(robot);
}

static void expectRefused(const reachCase* c, wkResult expected, const char* words)
{
    int32_t count = -1;
    wkSphere3d spheres[2];
    wkResult result =
        wkRobotScene_ReachSpheres(c->scene, c->state, &c->request, spheres, 2, &count);
    if (result != expected || strstr(wkGetLastError(), words) == NULL) {
        fail_msg("expected \"%s\" and %d, found \"%s\" and %d", words, (int)expected,
                 wkGetLastError(), (int)result);
    }
}

static void what_is_not_known_is_refused(void** state)
{
    (void)state;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    static reachCase c;
    openCase(&c, robot);
    wkReachRequest good = c.request;
    expectRefused(&c, wk_errorRange, "capacity is 2");
    c.request.duration = -1.0;
    expectRefused(&c, wk_errorRange, "duration");
    c.request = good;
    c.request.margin = NAN;
    expectRefused(&c, wk_errorNotFinite, "margin");
    c.request = good;
    double rates[VARIABLES] = {0.0};
    rates[2] = INFINITY;
    c.request.velocities = rates;
    expectRefused(&c, wk_errorRange, "velocity of variable 'head_tilt_joint'");
    rates[2] = -1.0;
    expectRefused(&c, wk_errorRange, "head_tilt_joint");
    c.request = good;
    double q[VARIABLES] = {NAN};
    assert_int_not_equal(wkRobotState_Set(c.state, wkIdentityPose(), q), wk_ok);
    expectRefused(&c, wk_errorState, "not valid");
    closeCase(&c);
    wkRobot_Destroy(robot);
}

// Velocities of descriptions: kept, and refused where they are no rates.
static void velocities_are_part_of_a_robot(void** state)
{
    (void)state;
    const char* links[] = {"a", "b"};
    wkJointDef joint = wkDefaultJointDef();
    joint.type = wk_jointRevolute;
    joint.name = "j";
    joint.parent = "a";
    joint.child = "b";
    wkRobotDef def = wkDefaultRobotDef();
    def.links = links;
    def.linkCount = 2;
    def.joints = &joint;
    def.jointCount = 1;
    wkRobot* robot = wkCreateRobot(&def);
    assert_true(wkRobot_Variable(robot, 0).velocity == INFINITY);
    wkRobot_Destroy(robot);
    joint.velocity = 2.5;
    robot = wkCreateRobot(&def);
    assert_true(wkRobot_Variable(robot, 0).velocity == 2.5);
    wkRobot_Destroy(robot);
    const double bad[] = {0.0, -1.0, NAN};
    for (int i = 0; i < 3; i++) {
        joint.velocity = bad[i];
        wkResult result = wkRobot_Create(&def, &robot);
        assert_int_equal(result, i < 2 ? wk_errorRange : wk_errorNotFinite);
        assert_non_null(strstr(wkGetLastError(), "velocity"));
    }
}

// A point that is out of reach may still be nearer than its safety distance.
static void safety_distances_belong_to_the_reach(void** state)
{
    (void)state;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    static reachCase c;
    openCase(&c, robot);
    c.request.duration = 0.0;
    static wkSphere3d plain[SPHERES];
    int32_t count = 0;
    assert_int_equal(
        wkRobotScene_ReachSpheres(c.scene, c.state, &c.request, plain, SPHERES, &count), wk_ok);
    assert_int_equal(wkRobotScene_SetCategory(c.scene, "people", 0.5), wk_ok);
    assert_int_equal(wkRobotScene_SetCategory(c.scene, "handled", -0.01), wk_ok);
    assert_int_equal(wkRobotScene_Publish(c.scene), wk_ok);
    const wkRobotScene* snapshot = wkRobotScene_Acquire(c.scene);
    const wkRobotScene* scenes[] = {c.scene, snapshot};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(
            wkRobotScene_ReachSpheres(scenes[k], c.state, &c.request, c.spheres, SPHERES, &c.count),
            wk_ok);
        assert_int_equal(c.count, count);
        for (int i = 0; i < count; i++) {
            assert_true(fabs(c.spheres[i].radius - plain[i].radius - 0.5) < 1e-9);
        }
    }
    wkRobotScene_Release(snapshot);
    assert_int_equal(wkRobotScene_SetCategory(c.scene, "people", 0.0), wk_ok);
    assert_int_equal(
        wkRobotScene_ReachSpheres(c.scene, c.state, &c.request, c.spheres, SPHERES, &c.count),
        wk_ok);
    assert_true(c.spheres[0].radius == plain[0].radius);
    closeCase(&c);
    wkRobot_Destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_built_in_robot_stays_within_reach),
        cmocka_unit_test(random_robots_stay_within_reach),
        cmocka_unit_test(one_joint_is_bounded_tightly),
        cmocka_unit_test(attached_objects_belong_to_the_robot),
        cmocka_unit_test(nothing_moves_in_no_time),
        cmocka_unit_test(safety_distances_belong_to_the_reach),
        cmocka_unit_test(what_is_not_known_is_refused),
        cmocka_unit_test(velocities_are_part_of_a_robot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
