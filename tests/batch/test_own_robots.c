// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Small robots of tests/robots, from their files to the verdicts of batches, without data of others: an arm with
// a gripper, a gantry, a rover. They have joints of every common type, mimic joints, a concave mesh and meshes
// with holes. Verdicts are compared with a plain check of every pair of shapes.

#include "../kit.h"
#include "batch_kit.h"

#include "whisker/detail/counts.h"
#include "whisker/io.h"

#include <math.h>
#include <string.h>

#define STATE_COUNT WK_CASES(1500)
#define MOTION_COUNT WK_CASES(40)
#define INSTANT_COUNT WK_CASES(100)
#define OBJECT_COUNT 12
#define PATH_CAPACITY 1024

// What the files of a robot describe.
typedef struct ownRobot {
    const char* name;
    int32_t links, joints, variables, bodies, groups, states, endEffectors, pairs;
    int64_t triangles;
    double reach; // metres from the root within which objects are placed
} ownRobot;

static const ownRobot robots[] = {
    {"reacher", 9, 8, 7, 8, 2, 3, 1, 8, 50, 1.0},
    {"gantry", 5, 4, 4, 7, 1, 1, 0, 4, 28, 1.0},
    {"rover", 8, 7, 6, 8, 2, 2, 0, 6, 10, 1.5},
};

#define ROBOT_COUNT (sizeof robots / sizeof *robots)

static wkRobot* loadRobot(const char* name, wkRobotMeshMode mode, wkRobotLoadInfo* report)
{
    char urdf[PATH_CAPACITY], srdf[PATH_CAPACITY];
    snprintf(urdf, sizeof urdf, "%s/%s.urdf", OWN_ROBOTS, name);
    snprintf(srdf, sizeof srdf, "%s/%s.srdf", OWN_ROBOTS, name);
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    options.srdf = srdf;
    options.mode = mode;
    wkRobot* robot = NULL;
    if (wkRobot_Load(urdf, &options, report, &robot) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return robot;
}

static void files_have_all_their_parts(void** state)
{
    (void)state;
    for (size_t i = 0; i < ROBOT_COUNT; ++i) {
        for (int mode = 0; mode < WK_ROBOT_MESH_MODE_COUNT; ++mode) {
            wkRobotLoadInfo report;
            wkRobot* robot = loadRobot(robots[i].name, (wkRobotMeshMode)mode, &report);
            wkRobotInfo info = wkRobot_Info(robot);
            assert_string_equal(info.name, robots[i].name);
            assert_int_equal(info.linkCount, robots[i].links);
            assert_int_equal(info.jointCount, robots[i].joints);
            assert_int_equal(info.variableCount, robots[i].variables);
            assert_int_equal(info.bodyCount, robots[i].bodies);
            assert_int_equal(info.groupCount, robots[i].groups);
            assert_int_equal(info.stateCount, robots[i].states);
            assert_int_equal(info.endEffectorCount, robots[i].endEffectors);
            assert_int_equal(info.disabledPairCount, robots[i].pairs);
            assert_int_equal(report.triangleCount, robots[i].triangles);
            assert_int_equal(report.unknownPairCount, 0);
            wkRobot_Destroy(robot);
        }
    }
    assert_int_equal(wkGetByteCount(), 0);
}

static wkMeshInfo meshOfLink(const wkRobot* robot, const char* link)
{
    wkLinkInfo info = wkRobot_Link(robot, wkRobot_FindLink(robot, link));
    for (int32_t i = 0; i < info.bodyCount; ++i) {
        const wkShape* shape = wkRobot_Body(robot, info.firstBody + i).shape;
        if (shape->type == wk_shapeMesh) {
            return wkMesh_Info(shape->mesh);
        }
    }
    fail_msg("link %s has no mesh", link);
    return (wkMeshInfo){0};
}

static void meshes_are_watertight_or_said_not_to_be(void** state)
{
    (void)state;
    wkRobotLoadInfo report;
    wkRobot* reacher = loadRobot("reacher", wk_robotMeshSolid, &report);
    assert_non_null(strstr(report.warning, "sleeve.obj"));
    assert_non_null(strstr(report.warning, "not watertight"));
    wkMeshInfo palm = meshOfLink(reacher, "palm"), forearm = meshOfLink(reacher, "forearm");
    assert_true(palm.isClosed && !palm.isConvex);
    assert_true(!forearm.isClosed && forearm.boundaryLoopCount == 1);
    wkRobot_Destroy(reacher);

    wkRobot* gantry = loadRobot("gantry", wk_robotMeshSolid, &report);
    assert_int_equal(report.warningCount, 0);
    assert_true(meshOfLink(gantry, "carriage").isClosed);
    wkRobot_Destroy(gantry);

    wkRobot* rover = loadRobot("rover", wk_robotMeshSolid, &report);
    assert_non_null(strstr(report.warning, "bin.stl"));
    assert_int_equal(meshOfLink(rover, "chassis").boundaryLoopCount, 1);
    wkRobot_Destroy(rover);
}

// A variable of a configuration.
typedef struct setting {
    const char* variable;
    double value;
} setting;

#define QUARTER 1.5707963267948966

static const struct {
    const char* robot;
    const char* link;
    const char* state; // named state that is applied first; NULL: none
    setting settings[4];
    wkVec3d position; // by hand from the file
} known[] = {
    {"reacher", "palm", "up", {{NULL, 0.0}}, {0.0, 0.0, 1.1}},
    {"reacher", "palm", "forward", {{NULL, 0.0}}, {0.9, 0.0, 0.2}},
    {"reacher", "palm", "forward", {{"waist", QUARTER}}, {0.0, 0.9, 0.2}},
    {"reacher", "finger_left", "forward", {{"grip", 0.03}}, {1.01, 0.0, 0.165}},
    {"reacher", "finger_right", "forward", {{"grip", 0.03}}, {1.01, 0.0, 0.235}},
    {"gantry", "bridge", "pick", {{NULL, 0.0}}, {0.3, 0.0, 1.12}},
    {"gantry", "carriage", "pick", {{NULL, 0.0}}, {0.3, -0.2, 1.12}},
    {"gantry", "tool", "pick", {{NULL, 0.0}}, {0.5, -0.2, 0.52}},
    {"rover",
     "mast",
     NULL,
     {{"drive/x", 1.0}, {"drive/y", 2.0}, {"drive/angle", QUARTER}},
     {1.0, 2.25, 0.32}},
    {"rover",
     "head",
     "looking",
     {{"drive/y", 2.0}},
     {0.25 + 0.65 * 0.09983341664682815, 2.0, 0.32 + 0.65 * 0.9950041652780258}},
};

static void configure(const wkRobot* robot, const char* name, const setting* settings, double* q)
{
    wkRobot_DefaultConfiguration(robot, q);
    for (int32_t i = 0; i < wkRobot_Info(robot).stateCount && name != NULL; ++i) {
        if (strcmp(wkRobot_NamedState(robot, i).name, name) == 0) {
            assert_int_equal(wkRobot_ApplyNamedState(robot, i, q), wk_ok);
        }
    }
    for (; settings->variable != NULL; ++settings) {
        int32_t variable = wkRobot_FindVariable(robot, settings->variable);
        assert_true(variable >= 0);
        q[variable] = settings->value;
    }
}

static void links_are_where_the_files_put_them(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        wkRobot* robot = loadRobot(known[i].robot, wk_robotMeshSolid, NULL);
        double q[8];
        wkPose poses[16];
        configure(robot, known[i].state, known[i].settings, q);
        wkRobot_LinkPoses(robot, wkIdentityPose(), q, poses);
        wkVec3d found = poses[wkRobot_FindLink(robot, known[i].link)].position;
        wkVec3d wanted = known[i].position;
        if (fabs(found.x - wanted.x) + fabs(found.y - wanted.y) + fabs(found.z - wanted.z) >
            1e-12) {
            fail_msg("%s: %s is at (%g %g %g), expected (%g %g %g)", known[i].robot, known[i].link,
                     found.x, found.y, found.z, wanted.x, wanted.y, wanted.z);
        }
        wkRobot_Destroy(robot);
    }
}

static wkRobotScene* makeScene(const wkRobot* robot)
{
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = robot;
    wkRobotScene* scene = NULL;
    assert_int_equal(wkRobotScene_Create(&def, &scene), wk_ok);
    return scene;
}

static void addShape(wkRobotScene* scene, const char* name, const wkShape* shape, wkPose pose)
{
    wkRobotObjectDef object = wkDefaultRobotObjectDef();
    object.name = name;
    object.shapes = shape;
    object.shapeCount = 1;
    object.pose = pose;
    assert_int_equal(wkRobotScene_Add(scene, &object), wk_ok);
}

// Returns true when a shape touches the root link, which would make every configuration a contact.
static bool touchesRoot(const wkRobot* robot, const wkShape* shape, wkPose pose)
{
    bool isTouching = false;
    for (int32_t i = 0; i < wkRobot_Link(robot, 0).bodyCount; ++i) {
        wkBodyInfo body = wkRobot_Body(robot, i);
        isTouching = isTouching || wkCollide(body.shape, body.pose, shape, pose, NULL).isTouching;
    }
    return isTouching;
}

static void addObjects(wkRobotScene* scene, double reach)
{
    wkRng rng = wkMakeRng(16);
    for (int i = 0; i < OBJECT_COUNT; ++i) {
        char name[16];
        snprintf(name, sizeof name, "box%d", i);
        double size = wkRngRange(&rng, 0.05, 0.15);
        double away = reach * wkRngRange(&rng, 0.4, 1.0), angle = wkRngRange(&rng, -3.1, 3.1);
        double height = wkRngRange(&rng, 0.0, 1.2);
        wkShape box = wkMakeBox(size, 0.5 * size, 2.0 * size);
        wkPose pose = wkMakePose(away * cos(angle), away * sin(angle), height);
        pose.rotation = wkRngRotation(&rng);
        if (!touchesRoot(wkRobotScene_Robot(scene), &box, pose)) {
            addShape(scene, name, &box, pose);
        }
    }
}

static bool isDisabled(const wkRobot* robot, int32_t linkA, int32_t linkB)
{
    for (int32_t i = 0; i < wkRobot_Info(robot).disabledPairCount; ++i) {
        wkDisabledPairInfo pair = wkRobot_DisabledPair(robot, i);
        if ((pair.linkA == linkA && pair.linkB == linkB) ||
            (pair.linkA == linkB && pair.linkB == linkA)) {
            return true;
        }
    }
    return linkA == linkB;
}

// Checks every shape of the robot with every other one that is not disabled, and with every object.
static bool touchesByPairs(const wkRobotScene* scene, const wkRobotState* state)
{
    const wkRobot* robot = wkRobotScene_Robot(scene);
    int32_t count = wkRobot_Info(robot).bodyCount;
    for (int32_t a = 0; a < count; ++a) {
        wkBodyInfo body = wkRobot_Body(robot, a);
        wkPose pose = wkRobotState_BodyPose(state, a);
        for (int32_t b = a + 1; b < count; ++b) {
            wkBodyInfo other = wkRobot_Body(robot, b);
            if (!isDisabled(robot, body.link, other.link) &&
                wkCollide(body.shape, pose, other.shape, wkRobotState_BodyPose(state, b), NULL)
                    .isTouching) {
                return true;
            }
        }
        for (int32_t i = 0; i < wkRobotScene_Count(scene); ++i) {
            wkPose local = wkIdentityPose();
            const wkShape* shape = wkRobotScene_ObjectShape(scene, i, 0, &local);
            wkPose object = wkMulPose(wkRobotScene_Object(scene, i).pose, local);
            if (wkCollide(body.shape, pose, shape, object, NULL).isTouching) {
                return true;
            }
        }
    }
    return false;
}

// Compares a batch with what is known of each row: free ones may be lost to spheres, others never found free.
static int countFree(const wkRobotScene* scene, const wkSphereModel* model, wkExactness exactness,
                     const double* rows, const bool* isFree)
{
    wkBatchDef def = wkDefaultBatchDef();
    def.scene = scene;
    def.spheres = model;
    def.exactness = exactness;
    wkBatch* batch = wkCreateBatch(&def);
    assert_true(wkBatch_Info(batch).isCovering);
    uint8_t verdicts[STATE_COUNT];
    int freeCount = 0;
    assert_int_equal(wkBatch_CheckStates(batch, NULL, rows, STATE_COUNT, verdicts), wk_ok);
    for (int i = 0; i < STATE_COUNT; ++i) {
        if (verdicts[i] == wk_verdictFree && !isFree[i]) {
            fail_msg("%s: row %d is called free and touches", wkExactnessName(exactness), i);
        }
        freeCount += verdicts[i] == wk_verdictFree ? 1 : 0;
    }
    wkBatch_Destroy(batch);
    return freeCount;
}

// One of the robots in a scene, and its state.
typedef struct ownCase {
    wkRobot* robot;
    wkRobotScene* scene;
    wkRobotState* configuration;
} ownCase;

static ownCase openCase(const char* name)
{
    ownCase c = {.robot = loadRobot(name, wk_robotMeshSolid, NULL)};
    c.scene = makeScene(c.robot);
    assert_int_equal(wkRobotState_Create(c.robot, &c.configuration), wk_ok);
    return c;
}

static void closeCase(ownCase* c)
{
    wkRobotState_Destroy(c->configuration);
    wkRobotScene_Destroy(c->scene);
    wkRobot_Destroy(c->robot);
}

static void verdicts_are_those_of_every_pair(void** state)
{
    (void)state;
    for (size_t i = 0; i < ROBOT_COUNT; ++i) {
        ownCase c = openCase(robots[i].name);
        addObjects(c.scene, robots[i].reach);
        double* rows = wkRandomRows(c.robot, 4 + i, STATE_COUNT);
        bool isFree[STATE_COUNT];
        int freeCount = 0;
        for (int k = 0; k < STATE_COUNT; ++k) {
            const double* q = rows + (size_t)k * (size_t)robots[i].variables;
            assert_int_equal(wkRobotState_Set(c.configuration, wkIdentityPose(), q), wk_ok);
            isFree[k] = !touchesByPairs(c.scene, c.configuration);
            wkVerdict verdict = wkRobotScene_Check(c.scene, c.configuration, NULL).verdict;
            assert_int_equal(verdict == wk_verdictFree, isFree[k]);
            freeCount += isFree[k] ? 1 : 0;
        }
        assert_true(freeCount > STATE_COUNT / 20 && freeCount < STATE_COUNT);
        wkSphereModel* model = NULL;
        assert_int_equal(wkSphereModel_Fit(c.robot, NULL, &model), wk_ok);
        int bySpheres = countFree(c.scene, model, wk_exactnessSpheres, rows, isFree);
        int byDefault = countFree(c.scene, model, wk_exactnessRefined, rows, isFree);
        print_message("%s: of %d configurations %d are free, %d by default, %d by spheres\n",
                      robots[i].name, STATE_COUNT, freeCount, byDefault, bySpheres);
        assert_true(byDefault > 0);
        assert_int_equal(countFree(c.scene, model, wk_exactnessFilter, rows, isFree), freeCount);
        free(rows);
        wkSphereModel_Destroy(model);
        closeCase(&c);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

static void free_motions_are_free_at_every_instant(void** state)
{
    (void)state;
    for (size_t i = 0; i < ROBOT_COUNT; ++i) {
        ownCase c = openCase(robots[i].name);
        addObjects(c.scene, robots[i].reach);
        wkBatchDef def = wkDefaultBatchDef();
        wkSphereModel* model = wkSpheresOnBodies(c.robot, 1.0);
        def.scene = c.scene;
        def.spheres = model;
        wkBatch* batch = wkCreateBatch(&def);
        double* from = wkRandomRows(c.robot, 5, MOTION_COUNT);
        double* to = wkNeighbourRows(c.robot, from, 6, MOTION_COUNT, 0.3);
        wkBatchMotionResult results[MOTION_COUNT];
        assert_int_equal(wkBatch_CheckMotions(batch, NULL, from, to, MOTION_COUNT, NULL, results),
                         wk_ok);
        for (int k = 0; k < MOTION_COUNT; ++k) {
            size_t row = (size_t)k * (size_t)robots[i].variables;
            for (int t = 0; t <= INSTANT_COUNT && results[k].verdict == wk_verdictFree; ++t) {
                double q[8];
                wkRobot_Interpolate(c.robot, from + row, to + row, (double)t / INSTANT_COUNT, q);
                assert_int_equal(wkRobotState_Set(c.configuration, wkIdentityPose(), q), wk_ok);
                assert_false(touchesByPairs(c.scene, c.configuration));
            }
        }
        free(from);
        free(to);
        wkBatch_Destroy(batch);
        wkSphereModel_Destroy(model);
        closeCase(&c);
    }
}

// A bead at a point of a link, in the frame of the link.
static const struct {
    const char* robot;
    const char* link;
    wkVec3d point;
    bool isTouching;
} beads[] = {
    {"reacher", "palm", {0.0, 0.0, 0.01}, true},     // within the palm
    {"reacher", "palm", {0.05, 0.0, 0.06}, true},    // within a prong
    {"reacher", "palm", {0.0, 0.0, 0.06}, false},    // between the prongs
    {"reacher", "forearm", {0.01, 0.0, 0.2}, true},  // within the tube, which a lid closes
    {"reacher", "forearm", {0.0, 0.0, 0.37}, true},  // just below its opening
    {"rover", "chassis", {-0.2, 0.0, 0.15}, true},   // within the bin
    {"rover", "chassis", {-0.2, 0.0, 0.21}, false},  // above the bin
    {"gantry", "carriage", {0.0, 0.0, 0.17}, true},  // within the scaled fork
    {"gantry", "carriage", {0.0, 0.0, 0.08}, false}, // between its prongs
};

static void beads_inside_of_links_touch(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof beads / sizeof *beads; ++i) {
        ownCase c = openCase(beads[i].robot);
        double q[8];
        configure(c.robot, "up", &(setting){NULL, 0.0}, q);
        assert_int_equal(wkRobotState_Set(c.configuration, wkIdentityPose(), q), wk_ok);
        wkPose link =
            wkRobotState_LinkPose(c.configuration, wkRobot_FindLink(c.robot, beads[i].link));
        wkShape bead = wkMakeSphere(0.002);
        wkPose pose = {wkTransformPoint(link, beads[i].point), link.rotation};
        addShape(c.scene, "bead", &bead, pose);
        wkRobotRequest request = wkDefaultRobotRequest();
        request.checksSelf = false;
        wkRobotCheckResult check = wkRobotScene_Check(c.scene, c.configuration, &request);
        if ((check.verdict == wk_verdictWorld) != beads[i].isTouching) {
            fail_msg("bead %zu in link %s of %s: %s", i, beads[i].link, beads[i].robot,
                     wkVerdictName(check.verdict));
        }
        closeCase(&c);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

static void an_attached_object_moves_with_the_gripper(void** state)
{
    (void)state;
    static const char* const touch[] = {"finger_left", "finger_right"};
    ownCase c = openCase("reacher");
    double up[8], forward[8];
    uint8_t verdicts[2];
    configure(c.robot, "up", &(setting){NULL, 0.0}, up);
    configure(c.robot, "forward", &(setting){NULL, 0.0}, forward);
    assert_int_equal(wkRobotState_Set(c.configuration, wkIdentityPose(), up), wk_ok);
    wkShape rod = wkMakeCapsule(0.01, 0.1), wall = wkMakeBox(0.1, 0.5, 0.5);
    addShape(c.scene, "rod", &rod, wkMakePose(0.0, 0.0, 1.35));
    addShape(c.scene, "wall", &wall,
             wkMakePose(1.2, 0.0, 0.2)); // its face is at 1.15 m, the palm's end at 1.07
    assert_int_equal(wkRobotScene_Check(c.scene, c.configuration, NULL).verdict, wk_verdictFree);
    for (int isAttached = 0; isAttached < 2; ++isAttached) {
        if (isAttached != 0) {
            assert_int_equal(wkRobotState_Set(c.configuration, wkIdentityPose(), up), wk_ok);
            assert_int_equal(wkRobotScene_Attach(c.scene, c.configuration, "rod", "palm", touch, 2),
                             wk_ok);
        }
        assert_int_equal(wkRobotState_Set(c.configuration, wkIdentityPose(), forward), wk_ok);
        wkVerdict wanted = isAttached != 0 ? wk_verdictWorld : wk_verdictFree;
        assert_int_equal(wkRobotScene_Check(c.scene, c.configuration, NULL).verdict, wanted);
        wkBatchDef def = wkDefaultBatchDef();
        def.scene = c.scene;
        wkBatch* batch = wkCreateBatch(&def);
        assert_int_equal(wkBatch_CheckStates(batch, NULL, forward, 1, verdicts), wk_ok);
        assert_int_equal(verdicts[0], wanted);
        wkBatch_Destroy(batch);
    }
    closeCase(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_have_all_their_parts),
        cmocka_unit_test(meshes_are_watertight_or_said_not_to_be),
        cmocka_unit_test(links_are_where_the_files_put_them),
        cmocka_unit_test(verdicts_are_those_of_every_pair),
        cmocka_unit_test(free_motions_are_free_at_every_instant),
        cmocka_unit_test(beads_inside_of_links_touch),
        cmocka_unit_test(an_attached_object_moves_with_the_gripper),
    };
    return cmocka_run_group_tests_name("batch.own_robots", tests, NULL, NULL);
}
