// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Rules and paddings for links that have spheres and no shapes, and paddings below zero: a sphere that must
// not touch is never called free.

#include "batch_kit.h"
#include "math/vec.h"
#include "robot_kit.h"

#include "whisker/detail/counts.h"

#include <math.h>

#define LINK_COUNT 4
#define SPHERE_RADIUS 0.05

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

// Each link has a sphere at `along` on its x axis.
static chain makeScene(double along)
{
    chain c = {.robot = makeChain()};
    wkLinkSphere spheres[LINK_COUNT];
    for (int32_t i = 0; i < LINK_COUNT; ++i) {
        wkLinkSphere sphere = {i, {{along, 0.0, 0.0}, SPHERE_RADIUS}};
        spheres[i] = sphere;
    }
    assert_int_equal(wkSphereModel_Create(c.robot, spheres, LINK_COUNT, &c.model), wk_ok);
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
    uint8_t verdict = WK_VERDICT_COUNT;
    assert_int_equal(wkBatch_CheckStates(batch, NULL, q, 1, &verdict), wk_ok);
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

static void links_with_spheres_between_are_no_neighbours(void** state)
{
    (void)state;
    chain c = makeScene(0.2);
    // d lies on b, and the sphere of c is between them in the tree
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

static void what_is_attached_is_looked_at_with_bare_links(void** state)
{
    (void)state;
    const char* const touching[1] = {"c"};
    for (int32_t touchCount = 0; touchCount < 2; ++touchCount) {
        chain c = makeScene(0.2);
        const double straight[LINK_COUNT - 1] = {0.0, 0.0, 0.0};
        wkRobotState* robotState;
        assert_int_equal(wkRobotState_Create(c.robot, &robotState), wk_ok);
        assert_int_equal(wkRobotState_Set(robotState, wkIdentityPose(), straight), wk_ok);
        // the sphere of c is at 0.5
        assert_int_equal(wkAddSphere(c.scene, "mug", 0.02, wkMakePose(0.5, 0.0, 0.05)), wk_ok);
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
    assert_int_equal(wkAddSphere(c.scene, "sphere", 0.1, wkMakePose(0.8, 0.2, 0.0)), wk_ok);
    assert_int_equal(verdictOf(&c, c.scene, straight), wk_verdictFree);
    assert_int_equal(wkRobotScene_SetPadding(c.scene, 3, 0.06), wk_ok);
    assert_int_equal(wkRobotScene_Publish(c.scene), wk_ok);
    const wkRobotScene* snapshot = wkRobotScene_Acquire(c.scene);
    assert_int_equal(verdictOf(&c, c.scene, straight), wk_verdictWorld);
    assert_int_equal(verdictOf(&c, snapshot, straight), wk_verdictWorld);
    wkRobotScene_Release(snapshot);
    freeScene(&c);
}

static void padding_below_zero_takes_nothing_from_spheres(void** state)
{
    (void)state;
    const double paddings[2] = {-0.04, -0.3};
    for (int i = 0; i < 2; ++i) {
        chain c = makeScene(0.2);
        const double straight[LINK_COUNT - 1] = {0.0, 0.0, 0.0};
        assert_int_equal(wkRobotScene_SetPadding(c.scene, -1, paddings[i]), wk_ok);
        // a wire, which no sphere of less than nothing is inside of
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

// A link that slides along x, and an object.
typedef struct drawnInRow {
    const char* name;
    wkShape body;
    wkShape object;
    wkPose pose; // of the object
    double linkPadding;
    double safetyDistance;
    double margin;
} drawnInRow;

static wkShape padded(wkShape shape, double padding)
{
    shape.padding = padding;
    return shape;
}

static wkRobot* makeSlider(wkShape body)
{
    static const char* const names[2] = {"base", "slide"};
    wkJointDef joint = wkDefaultJointDef();
    joint.name = "joint";
    joint.type = wk_jointPrismatic;
    joint.parent = names[0];
    joint.child = names[1];
    joint.axis = wkVec(1.0, 0.0, 0.0);
    joint.lower = -1.0;
    joint.upper = 1.0;
    wkBodyDef bodies = {.link = names[1], .shape = body, .pose = wkIdentityPose()};
    wkRobotDef def = wkDefaultRobotDef();
    def.links = names;
    def.linkCount = 2;
    def.joints = &joint;
    def.jointCount = 1;
    def.bodies = &bodies;
    def.bodyCount = 1;
    return wkCreateRobot(&def);
}

static wkRobotScene* makeSliderScene(const wkRobot* robot, const drawnInRow* row)
{
    wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
    sceneDef.robot = robot;
    sceneDef.padding = row->linkPadding;
    wkRobotScene* scene;
    assert_int_equal(wkRobotScene_Create(&sceneDef, &scene), wk_ok);
    assert_int_equal(wkRobotScene_SetCategory(scene, "things", row->safetyDistance), wk_ok);
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = "thing";
    def.category = "things";
    def.shapes = &row->object;
    def.shapeCount = 1;
    def.pose = row->pose;
    assert_int_equal(wkRobotScene_Add(scene, &def), wk_ok);
    return scene;
}

// Where the shapes touch, no batch is free, be it about states or motions.
static void assertNotFree(const wkRobotScene* scene, const wkSphereModel* model,
                          const drawnInRow* row, double from)
{
    const double to = from + 0.005;
    for (int exactness = 0; exactness < WK_EXACTNESS_COUNT; ++exactness) {
        wkBatchDef def = wkDefaultBatchDef();
        def.scene = scene;
        def.spheres = model;
        def.exactness = (wkExactness)exactness;
        def.margin = row->margin;
        wkBatch* batch = wkCreateBatch(&def);
        uint8_t verdict = wk_verdictFree;
        wkBatchMotionResult motion;
        float clearance = 1.0f;
        assert_int_equal(wkBatch_CheckStates(batch, NULL, &from, 1, &verdict), wk_ok);
        assert_int_equal(wkBatch_CheckMotions(batch, NULL, &from, &to, 1, NULL, &motion), wk_ok);
        assert_int_equal(wkBatch_Clearances(batch, NULL, &from, 1, 1.0, &clearance), wk_ok);
        if (verdict != wk_verdictWorld || motion.verdict == wk_verdictFree || clearance > 0.0f) {
            fail_msg("%s, exactness %d: %s, motion %s, clearance %g", row->name, exactness,
                     wkVerdictName(verdict), wkVerdictName(motion.verdict), (double)clearance);
        }
        wkBatch_Destroy(batch);
    }
}

static void what_is_drawn_in_is_never_free_where_it_touches(void** state)
{
    (void)state;
    wkShape cube = padded(wkMakeBox(0.4, 0.4, 0.4), -0.1), pea = wkMakeSphere(0.01);
    wkShape plate = wkMakeBox(0.4, 0.4, 0.02), wall = wkMakeBox(0.02, 0.4, 0.4);
    wkPose outer = wkMakePose(0.19, 0.19, 0.19), middle = wkIdentityPose();
    const drawnInRow rows[] = {
        {"padding of the link", cube, pea, outer, 0.1, 0.0, 0.0},
        {"margin", cube, pea, outer, 0.0, 0.0, 0.1},
        {"category", cube, pea, outer, 0.0, 0.1, 0.0},
        {"padding of the object", cube, padded(pea, 0.1), outer, 0.0, 0.0, 0.0},
        {"sphere without a radius", padded(wkMakeSphere(0.1), -0.3), padded(pea, 0.3), middle, 0.0,
         0.0, 0.0},
        {"capsule without a radius", padded(wkMakeCapsule(0.1, 0.2), -0.3), padded(pea, 0.3),
         wkMakePose(0.0, 0.0, 0.1), 0.0, 0.0, 0.0},
        {"category below zero", plate, wall, middle, 0.0, -0.05, 0.0},
        {"object drawn in", plate, padded(wall, -0.05), middle, 0.0, 0.0, 0.0},
        {"half space", padded(wkMakeBox(0.4, 0.4, 0.4), -0.1),
         wkMakeHalfspace(wkVec(-0.57735026918962576, -0.57735026918962576, -0.57735026918962576),
                         -0.2264),
         middle, 0.0, 0.0, 0.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        wkRobot* robot = makeSlider(rows[i].body);
        wkRobotScene* scene = makeSliderScene(robot, &rows[i]);
        wkSphereModel* model;
        wkRobotState* robotState;
        const double zero = 0.0;
        assert_int_equal(wkSphereModel_Fit(robot, NULL, &model), wk_ok);
        assert_int_equal(wkRobotState_Create(robot, &robotState), wk_ok);
        assert_int_equal(wkRobotState_Set(robotState, wkIdentityPose(), &zero), wk_ok);
        wkRobotRequest request = wkDefaultRobotRequest();
        request.margin = rows[i].margin;
        assert_int_equal(wkRobotScene_Check(scene, robotState, &request).verdict, wk_verdictWorld);
        assertNotFree(scene, model, &rows[i], zero);
        wkRobotState_Destroy(robotState);
        wkSphereModel_Destroy(model);
        wkRobotScene_Destroy(scene);
        wkRobot_Destroy(robot);
    }
}

// Spheres that leave the vertices of a body open do not cover it, whatever its padding is.
static void spheres_of_what_is_left_are_no_cover(void** state)
{
    (void)state;
    wkRobot* robot = makeSlider(padded(wkMakeBox(0.4, 0.4, 0.4), -0.1));
    wkLinkSphere sphere = {1, {{0.0, 0.0, 0.0}, 0.3}};
    wkSphereModel* model;
    assert_int_equal(wkSphereModel_Create(robot, &sphere, 1, &model), wk_ok);
    wkFitInfo report;
    assert_int_equal(wkSphereModel_Measure(model, 1, 1e-6, &report), wk_ok);
    assert_true(report.gap > 0.03); // of vertices, 0.346 away
    wkSphereModel_Destroy(model);
    wkRobot_Destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_with_spheres_between_are_no_neighbours),
        cmocka_unit_test(a_rule_counts_for_neighbours),
        cmocka_unit_test(what_is_attached_is_looked_at_with_bare_links),
        cmocka_unit_test(snapshots_know_the_padding_of_bare_links),
        cmocka_unit_test(padding_below_zero_takes_nothing_from_spheres),
        cmocka_unit_test(what_is_drawn_in_is_never_free_where_it_touches),
        cmocka_unit_test(spheres_of_what_is_left_are_no_cover),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
