// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Meshes of links are solid: what is inside of one touches it, in every kind of query. A link that is a box of
// twelve triangles is known by heart; robots of others are compared with the winding number of every
// triangle, one after the other.

#include "../data_files.h"
#include "batch_kit.h"

#include "whisker/detail/counts.h"

#include <math.h>
#include <string.h>

#define POINT_COUNT WK_CASES(300)
#define STATE_COUNT WK_CASES(1500)

// A cube of 40 cm on an arm of 50 cm that turns, as the file that a robot names.
static const char cube[] = "v -.2 -.2 -.2\nv .2 -.2 -.2\nv .2 .2 -.2\nv -.2 .2 -.2\n"
                           "v -.2 -.2 .2\nv .2 -.2 .2\nv .2 .2 .2\nv -.2 .2 .2\n"
                           "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
static const char arm[] =
    "<robot name='arm'><link name='base'/><link name='box'><collision><geometry>"
    "<mesh filename='solid_links_cube.obj'/></geometry></collision></link><joint name='turn' "
    "type='revolute'><parent link='base'/><child link='box'/><axis xyz='0 0 1'/>"
    "<origin xyz='0 0 0'/><limit lower='-3' upper='3'/></joint></robot>";

static wkRobot* parseArm(wkRobotMeshMode mode)
{
    FILE* file = fopen("solid_links_cube.obj", "w");
    assert_non_null(file);
    fputs(cube, file);
    assert_int_equal(fclose(file), 0);
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    options.mode = mode;
    wkRobot* robot = NULL;
    wkResult result = wkRobot_Parse(arm, strlen(arm), NULL, 0, &options, NULL, &robot);
    if (result != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    remove("solid_links_cube.obj");
    return robot;
}

static void addShape(wkRobotScene* scene, const char* name, wkShape shape, wkPose pose)
{
    wkRobotObjectDef object = wkDefaultRobotObjectDef();
    object.name = name;
    object.shapes = &shape;
    object.shapeCount = 1;
    object.pose = pose;
    assert_int_equal(wkRobotScene_Add(scene, &object), wk_ok);
}

static wkRobotScene* makeScene(const wkRobot* robot)
{
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = robot;
    wkRobotScene* scene;
    assert_int_equal(wkRobotScene_Create(&def, &scene), wk_ok);
    return scene;
}

static uint8_t askBatch(const wkRobotScene* scene, const wkSphereModel* model,
                        wkExactness exactness, const double* q)
{
    wkBatchDef def = wkDefaultBatchDef();
    def.scene = scene;
    def.spheres = model;
    def.exactness = exactness;
    wkBatch* batch = wkCreateBatch(&def);
    uint8_t verdict = WK_VERDICT_COUNT;
    assert_int_equal(wkBatch_CheckStates(batch, NULL, q, 1, &verdict), wk_ok);
    wkBatch_Destroy(batch);
    return verdict;
}

static void everybody_finds_an_obstacle_inside_of_a_link(void** state)
{
    (void)state;
    static const wkShapeType kinds[] = {wk_shapeSphere, wk_shapeBox, wk_shapeMesh};
    wkRobot* robot = parseArm(wk_robotMeshSolid);
    wkSphereModel* model = wkSpheresOnBodies(robot, 1.0);
    wkRobotState* robotState;
    assert_int_equal(wkRobotState_Create(robot, &robotState), wk_ok);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        wkRobotScene* scene = makeScene(robot);
        wkShape shapes[WK_SHAPE_TYPE_COUNT] = {
            [wk_shapeSphere] = wkMakeSphere(0.01), [wk_shapeBox] = wkMakeBox(0.02, 0.03, 0.01)};
        wkMesh* mesh = NULL;
        if (kinds[i] == wk_shapeMesh) {
            const wkVec3d vertices[] = {{0, 0, 0}, {0.02, 0, 0}, {0, 0.02, 0}, {0, 0, 0.02}};
            const int32_t triangles[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
            wkMeshDef def = wkDefaultMeshDef();
            def.isSolid = false;
            def.vertices = vertices;
            def.vertexCount = 4;
            def.triangles = triangles;
            def.triangleCount = 4;
            assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
            shapes[wk_shapeMesh] = wkMakeMesh(mesh);
        }
        addShape(scene, "thing", shapes[kinds[i]], wkMakePose(0.05, -0.03, 0.02));
        const double from[] = {-0.5}, to[] = {0.7};
        assert_int_equal(wkRobotState_Set(robotState, wkIdentityPose(), from), wk_ok);
        wkRobotCheckResult check = wkRobotScene_Check(scene, robotState, NULL);
        assert_int_equal(check.verdict, wk_verdictWorld);
        assert_string_equal(check.first.a.name, "box");

        // 16 cm at least to the nearest face, and the thing itself has to get out
        wkRobotClearanceResult clearance =
            wkRobotScene_Clearance(scene, robotState, NULL, NULL, NULL);
        assert_true(clearance.distance < -0.1);
        wkMotionRequest request = wkDefaultMotionRequest();
        for (int isCertified = 0; isCertified < 2; ++isCertified) {
            request.isCertified = isCertified != 0;
            wkMotionResult motion =
                wkRobotScene_CheckMotion(scene, robotState, wkIdentityPose(), from, to, &request);
            assert_int_equal(motion.verdict, wk_verdictWorld);
            assert_true(motion.freeUntil == 0.0);
        }
        assert_int_equal(askBatch(scene, model, wk_exactnessSpheres, from), wk_verdictWorld);
        assert_int_equal(askBatch(scene, model, wk_exactnessFilter, from), wk_verdictWorld);
        wkRobotScene_Destroy(scene);
        wkMesh_Destroy(mesh);
    }
    wkRobotState_Destroy(robotState);
    wkSphereModel_Destroy(model);
    wkRobot_Destroy(robot);
}

// The filter lets shapes overrule spheres; a link without shapes has none that could.
static void the_filter_wants_shapes_where_spheres_are(void** state)
{
    (void)state;
    wkRobot* robot = parseArm(wk_robotMeshSolid);
    wkRobotScene* scene = makeScene(robot);
    int32_t bare = wkRobot_FindLink(robot, "base"), box = wkRobot_FindLink(robot, "box");
    const wkLinkSphere spheres[] = {{bare, {{0.0, 0.0, 0.0}, 0.1}}, {box, {{0.0, 0.0, 0.0}, 0.4}}};
    wkSphereModel* model = NULL;
    assert_int_equal(wkSphereModel_Create(robot, spheres, 2, &model), wk_ok);
    wkBatchDef def = wkDefaultBatchDef();
    def.scene = scene;
    def.spheres = model;
    wkBatch* batch = wkCreateBatch(&def);
    wkBatch_Destroy(batch);
    def.exactness = wk_exactnessFilter;
    assert_int_equal(wkBatch_Create(&def, &batch), wk_errorArgument);
    assert_null(batch);
    assert_non_null(strstr(wkGetLastError(), "link 'base' has spheres but no collision shape"));
    wkSphereModel_Destroy(model);
    wkRobotScene_Destroy(scene);
    wkRobot_Destroy(robot);
}

// The surface alone is there for those who ask for it.
static void a_surface_has_nothing_inside(void** state)
{
    (void)state;
    wkRobot* robot = parseArm(wk_robotMeshSurface);
    wkRobotScene* scene = makeScene(robot);
    addShape(scene, "thing", wkMakeSphere(0.01), wkIdentityPose());
    wkRobotState* robotState;
    assert_int_equal(wkRobotState_Create(robot, &robotState), wk_ok);
    assert_int_equal(wkRobotScene_Check(scene, robotState, NULL).verdict, wk_verdictFree);
    wkRobotState_Destroy(robotState);
    wkRobotScene_Destroy(scene);
    wkRobot_Destroy(robot);
}

static wkRobot* loadRobot(const char* name)
{
    char path[WK_DATA_PATH_CAPACITY];
    snprintf(path, sizeof path, "robots/%s.urdf", name);
    return wkLoadDataRobot(path, NULL);
}

static wkVec3d minus(wkVec3d a, wkVec3d b)
{
    return (wkVec3d){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double dot(wkVec3d a, wkVec3d b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static wkVec3d cross(wkVec3d a, wkVec3d b)
{
    return (wkVec3d){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Sum of the solid angles of all triangles, in full turns (Van Oosterom and Strackee 1983).
static double windingOf(const wkMesh* mesh, wkVec3d point)
{
    double sum = 0.0;
    for (int32_t i = 0; i < wkMesh_Info(mesh).triangleCount; ++i) {
        wkTriangle t = wkMesh_Triangle(mesh, i);
        wkVec3d a = minus(t.points[0], point), b = minus(t.points[1], point);
        wkVec3d c = minus(t.points[2], point);
        double la = sqrt(dot(a, a)), lb = sqrt(dot(b, b)), lc = sqrt(dot(c, c));
        sum += atan2(dot(a, cross(b, c)),
                     la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return sum / 6.283185307179586;
}

// A point deep enough within a watertight mesh, in its own frame. False where none was found.
static bool findInside(const wkMesh* mesh, wkRng* rng, wkVec3d* point)
{
    wkAabb box = wkMesh_Info(mesh).bounds;
    for (int i = 0; i < 50; ++i) {
        *point = (wkVec3d){wkRngRange(rng, box.lower.x, box.upper.x),
                           wkRngRange(rng, box.lower.y, box.upper.y),
                           wkRngRange(rng, box.lower.z, box.upper.z)};
        if (fabs(windingOf(mesh, *point)) > 0.5) {
            return true;
        }
    }
    return false;
}

static const char* const robots[] = {"kuka_lwr/kuka_lwr", "panda/panda",
                                     "ur5_robotiq85/ur5_robotiq85"};

static void no_sphere_inside_of_a_link_of_real_robots_is_free(void** state)
{
    (void)state;
    for (size_t r = 0; r < sizeof robots / sizeof *robots; ++r) {
        wkRobot* robot = loadRobot(robots[r]);
        if (robot == NULL) {
            continue;
        }
        wkRobotState* robotState;
        assert_int_equal(wkRobotState_Create(robot, &robotState), wk_ok);
        wkRobotScene* scene = makeScene(robot);
        addShape(scene, "bead", wkMakeSphere(0.0005), wkIdentityPose());
        wkRobotRequest request = wkDefaultRobotRequest();
        request.checksSelf = false;
        wkRng rng = wkMakeRng(7 + r);
        double* rows = wkRandomRows(robot, 3, POINT_COUNT);
        int foundCount = 0;
        for (int i = 0; i < POINT_COUNT; ++i) {
            const double* q = rows + (size_t)i * (size_t)wkRobot_Info(robot).variableCount;
            int32_t body = wkRngBelow(&rng, wkRobot_Info(robot).bodyCount);
            const wkShape* shape = wkRobot_Body(robot, body).shape;
            wkVec3d point;
            bool isSolid = shape->type == wk_shapeMesh && wkMesh_Info(shape->mesh).isClosed &&
                           wkMesh_Info(shape->mesh).triangleCount < 5000;
            if (!isSolid || !findInside(shape->mesh, &rng, &point)) {
                continue;
            }
            assert_int_equal(wkRobotState_Set(robotState, wkIdentityPose(), q), wk_ok);
            wkPose at = wkIdentityPose();
            at.position = wkTransformPoint(wkRobotState_BodyPose(robotState, body), point);
            assert_int_equal(wkRobotScene_Move(scene, "bead", at), wk_ok);
            if (wkRobotScene_Check(scene, robotState, &request).verdict != wk_verdictWorld ||
                !(wkRobotScene_Clearance(scene, robotState, &request, NULL, NULL).distance <=
                  0.0)) {
                fail_msg("%s: (%g, %g, %g) in body %d is free", robots[r], point.x, point.y,
                         point.z, (int)body);
            }
            foundCount++;
        }
        print_message("%s: %d spheres inside\n", robots[r], foundCount);
        assert_true(foundCount > POINT_COUNT / 8);
        free(rows);
        wkRobotScene_Destroy(scene);
        wkRobotState_Destroy(robotState);
        wkRobot_Destroy(robot);
    }
}

// Spheres cover the solid links: what they call free is free, and what they touch the shapes decide.
static void batches_and_checks_do_not_contradict_each_other(void** state)
{
    (void)state;
    for (size_t r = 0; r < 2; ++r) {
        wkRobot* robot = loadRobot(robots[r]);
        if (robot == NULL) {
            continue;
        }
        int32_t length = wkRobot_Info(robot).variableCount;
        wkSphereModel* model = NULL;
        wkSphereFitDef fit = wkDefaultSphereFitDef();
        fit.accuracy = 0.04;
        assert_int_equal(wkSphereModel_Fit(robot, &fit, &model), wk_ok);
        wkRobotState* robotState;
        assert_int_equal(wkRobotState_Create(robot, &robotState), wk_ok);
        wkRobotScene* scene = makeScene(robot);
        for (int i = 0; i < 6; ++i) {
            char name[16];
            snprintf(name, sizeof name, "bead%d", i);
            double turn = i;
            addShape(scene, name, wkMakeSphere(0.01),
                     wkMakePose(0.35 * cos(turn), 0.35 * sin(turn), 0.3 + 0.1 * i));
        }
        double* rows = wkRandomRows(robot, 9, STATE_COUNT);
        uint8_t* verdicts = (uint8_t*)malloc(2 * STATE_COUNT);
        assert_non_null(verdicts);
        wkBatchDef def = wkDefaultBatchDef();
        def.scene = scene;
        def.spheres = model;
        def.checksSelf = false; // robots without an SRDF touch themselves everywhere
        for (int k = 0; k < 2; ++k) {
            def.exactness = k == 0 ? wk_exactnessSpheres : wk_exactnessFilter;
            wkBatch* batch = wkCreateBatch(&def);
            assert_int_equal(
                wkBatch_CheckStates(batch, NULL, rows, STATE_COUNT, verdicts + k * STATE_COUNT),
                wk_ok);
            wkBatch_Destroy(batch);
        }
        wkRobotRequest request = wkDefaultRobotRequest();
        request.checksSelf = false;
        int touchCount = 0;
        for (int i = 0; i < STATE_COUNT; ++i) {
            const double* q = rows + (size_t)i * (size_t)length;
            assert_int_equal(wkRobotState_Set(robotState, wkIdentityPose(), q), wk_ok);
            wkVerdict exact = wkRobotScene_Check(scene, robotState, &request).verdict;
            bool isMissed = exact != wk_verdictFree && verdicts[i] == wk_verdictFree;
            if (isMissed || verdicts[STATE_COUNT + i] != exact) {
                fail_msg("%s: row %d: check %s, spheres %s, filter %s", robots[r], i,
                         wkVerdictName(exact), wkVerdictName((wkVerdict)verdicts[i]),
                         wkVerdictName((wkVerdict)verdicts[STATE_COUNT + i]));
            }
            touchCount += exact != wk_verdictFree ? 1 : 0;
        }
        print_message("%s: %d of %d touch\n", robots[r], touchCount, STATE_COUNT);
        assert_true(touchCount > 0);
        free(verdicts);
        free(rows);
        wkRobotScene_Destroy(scene);
        wkRobotState_Destroy(robotState);
        wkSphereModel_Destroy(model);
        wkRobot_Destroy(robot);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybody_finds_an_obstacle_inside_of_a_link),
        cmocka_unit_test(the_filter_wants_shapes_where_spheres_are),
        cmocka_unit_test(a_surface_has_nothing_inside),
        cmocka_unit_test(no_sphere_inside_of_a_link_of_real_robots_is_free),
        cmocka_unit_test(batches_and_checks_do_not_contradict_each_other),
    };
    return cmocka_run_group_tests_name("batch.solid_links", tests, NULL, NULL);
}
