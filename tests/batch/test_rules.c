// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Rules and paddings for links that have balls and no shapes, and paddings below zero: a ball that must
// not touch is never called free.

#include "batch_kit.h"
#include "robot_kit.h"

#include <math.h>

#define LINK_COUNT 4
#define BALL_RADIUS 0.05

static const char* const links[LINK_COUNT] = {"a", "b", "c", "d"};

// A chain that folds: each link is 0.3 long, and turns about z.
static wkRobot* makeChain(void)
{
    wkJointDef joints[LINK_COUNT - 1];
    for (int i = 0; i < LINK_COUNT - 1; ++i) {
        joints[i] = wkDefaultJointDef();
        joints[i].name = links[i + 1];
        joints[i].type = wk_jointRevolute;
        joints[i].parent = links[i];
        joints[i].child = links[i + 1];
        joints[i].origin = wkMakePose(i > 0 ? 0.3 : 0.0, 0.0, 0.0);
        joints[i].lower = -3.2;
        joints[i].upper = 3.2;
    }
    wkRobotDef def = wkDefaultRobotDef();
    def.links = links;
    def.linkCount = LINK_COUNT;
    def.joints = joints;
    def.jointCount = LINK_COUNT - 1;
    return wkCreateRobot(&def);
}

typedef struct chain {
    wkRobot* robot;
    wkSphereModel* model;
    wkRobotScene* scene;
} chain;

// Each link has a ball at `along` on its x axis.
static chain makeScene(double along)
{
    chain c = {.robot = makeChain()};
    wkLinkBall balls[LINK_COUNT];
    for (int32_t i = 0; i < LINK_COUNT; ++i) {
        wkLinkBall ball = {i, {{along, 0.0, 0.0}, BALL_RADIUS}};
        balls[i] = ball;
    }
    assert_int_equal(wkSphereModel_Create(c.robot, balls, LINK_COUNT, &c.model), wk_ok);
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = c.robot;
    def.allowsEmpty = true; // spheres are all there is
    assert_int_equal(wkRobotScene_Create(&def, &c.scene), wk_ok);
    return c;
}

static void freeScene(chain* c)
{
    wkRobotScene_Destroy(c->scene);
    wkSphereModel_Destroy(c->model);
    wkRobot_Destroy(c->robot);
}

static wkVerdict verdictOf(const chain* c, const wkRobotScene* scene, const double* q)
{
    wkBatchDef def = wkDefaultBatchDef();
    def.scene = scene;
    def.spheres = c->model;
    wkBatch* batch = wkCreateBatch(&def);
    uint8_t verdict = wk_verdictCount;
    assert_int_equal(wkBatch_CheckStates(batch, q, 1, &verdict), wk_ok);
    wkBatch_Destroy(batch);
    return (wkVerdict)verdict;
}

static void setRule(chain* c, const char* a, const char* b, wkAllowedRule rule)
{
    wkAllowed* rules;
    assert_int_equal(wkAllowed_Copy(wkRobotScene_Allowed(c->scene), &rules), wk_ok);
    assert_int_equal(wkAllowed_Set(rules, a, b, rule), wk_ok);
    assert_int_equal(wkRobotScene_SetAllowed(c->scene, rules), wk_ok);
    wkAllowed_Destroy(rules);
}

static void links_with_balls_between_are_no_neighbours(void** state)
{
    (void)state;
    chain c = makeScene(0.2);
    // d lies on b, and the ball of c is between them in the tree
    const double folded[LINK_COUNT - 1] = {1.5, 3.14159, 3.14159};
    const double straight[LINK_COUNT - 1] = {1.0, 0.0, 0.0};
    assert_int_equal(verdictOf(&c, c.scene, straight), wk_verdictFree);
    assert_int_equal(verdictOf(&c, c.scene, folded), wk_verdictSelf);
    setRule(&c, "b", "d", wk_ruleAllowed);
    assert_int_equal(verdictOf(&c, c.scene, folded), wk_verdictFree);
    freeScene(&c);
}

static void a_rule_counts_for_neighbours(void** state)
{
    (void)state;
    chain c = makeScene(0.03);
    const double straight[LINK_COUNT - 1] = {0.0, 0.0, 0.0};
    assert_int_equal(verdictOf(&c, c.scene, straight), wk_verdictFree);
    setRule(&c, "a", "b", wk_ruleChecked);
    assert_int_equal(verdictOf(&c, c.scene, straight), wk_verdictSelf);
    freeScene(&c);
}

static void what_is_held_is_looked_at_with_bare_links(void** state)
{
    (void)state;
    const char* const touching[1] = {"c"};
    for (int32_t touchCount = 0; touchCount < 2; ++touchCount) {
        chain c = makeScene(0.2);
        const double straight[LINK_COUNT - 1] = {0.0, 0.0, 0.0};
        wkRobotState* robotState;
        assert_int_equal(wkRobotState_Create(c.robot, &robotState), wk_ok);
        assert_int_equal(wkRobotState_Set(robotState, wkIdentityPose(), straight), wk_ok);
        // the ball of c is at 0.5
        assert_int_equal(wkAddBall(c.scene, "mug", 0.02, wkMakePose(0.5, 0.0, 0.05)), wk_ok);
        assert_int_equal(wkRobotScene_Attach(c.scene, robotState, "mug", "d", touching, touchCount),
                         wk_ok);
        assert_int_equal(verdictOf(&c, c.scene, straight),
                         touchCount > 0 ? wk_verdictFree : wk_verdictSelf);
        wkRobotState_Destroy(robotState);
        freeScene(&c);
    }
}

static void snapshots_know_the_padding_of_bare_links(void** state)
{
    (void)state;
    chain c = makeScene(0.2);
    const double straight[LINK_COUNT - 1] = {0.0, 0.0, 0.0};
    assert_int_equal(wkAddBall(c.scene, "ball", 0.1, wkMakePose(0.8, 0.2, 0.0)), wk_ok);
    assert_int_equal(verdictOf(&c, c.scene, straight), wk_verdictFree);
    assert_int_equal(wkRobotScene_SetPadding(c.scene, 3, 0.06), wk_ok);
    assert_int_equal(wkRobotScene_Publish(c.scene), wk_ok);
    const wkRobotScene* snapshot = wkRobotScene_Acquire(c.scene);
    assert_int_equal(verdictOf(&c, c.scene, straight), wk_verdictWorld);
    assert_int_equal(verdictOf(&c, snapshot, straight), wk_verdictWorld);
    wkRobotScene_Release(snapshot);
    freeScene(&c);
}

static void padding_below_zero_takes_nothing_from_balls(void** state)
{
    (void)state;
    const double paddings[2] = {-0.04, -0.3};
    for (int i = 0; i < 2; ++i) {
        chain c = makeScene(0.2);
        const double straight[LINK_COUNT - 1] = {0.0, 0.0, 0.0};
        assert_int_equal(wkRobotScene_SetPadding(c.scene, -1, paddings[i]), wk_ok);
        // a wire, which no ball of less than nothing is inside of
        wkShape wire = wkMakeCapsule(0.001, 2.0);
        wkRobotObjectDef def = wkDefaultRobotObjectDef();
        def.name = "wire";
        def.shapes = &wire;
        def.shapeCount = 1;
        def.pose = wkMakePose(0.8, 0.02, 0.0);
        assert_int_equal(wkRobotScene_Add(c.scene, &def), wk_ok);
        assert_int_equal(verdictOf(&c, c.scene, straight), wk_verdictWorld);
        freeScene(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_with_balls_between_are_no_neighbours),
        cmocka_unit_test(a_rule_counts_for_neighbours),
        cmocka_unit_test(what_is_held_is_looked_at_with_bare_links),
        cmocka_unit_test(snapshots_know_the_padding_of_bare_links),
        cmocka_unit_test(padding_below_zero_takes_nothing_from_balls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
