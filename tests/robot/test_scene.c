// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Objects of a robot scene come, go and are held; unknown space is told from obstacles; queries take
// any argument.

#include "plain.h"

#include "whisker/cost.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void setUp(wkSurroundings* all, int kind)
{
    wkMakeSurroundings(&wkSurroundingsKinds[kind], 11, all);
}

static bool isNear(wkPose a, wkPose b)
{
    wkVec3d d = {a.position.x - b.position.x, a.position.y - b.position.y,
                 a.position.z - b.position.z};
    double dot = a.rotation.x * b.rotation.x + a.rotation.y * b.rotation.y +
                 a.rotation.z * b.rotation.z + a.rotation.w * b.rotation.w;
    return fabs(d.x) + fabs(d.y) + fabs(d.z) < 1e-12 && fabs(fabs(dot) - 1.0) < 1e-12;
}

static void objects_keep_their_order_and_names(void** unused)
{
    (void)unused;
    wkSurroundings all;
    setUp(&all, 0);
    int32_t before = wkRobotScene_Count(all.scene);
    char name[32];
    for (int i = 0; i < 40; ++i) {
        snprintf(name, sizeof name, "sphere%d", i);
        assert_int_equal(wkAddSphere(all.scene, name, 0.1, wkMakePose(i, 0.0, 5.0)), wk_ok);
        assert_int_equal(wkAddSphere(all.scene, name, 0.1, wkMakePose(i, 0.0, 5.0)),
                         wk_errorArgument);
    }
    assert_int_equal(wkAddSphere(all.scene, "gripper_link", 0.1, wkIdentityPose()),
                     wk_errorArgument);
    for (int i = 0; i < 40; i += 2) {
        snprintf(name, sizeof name, "sphere%d", i);
        assert_int_equal(wkRobotScene_Remove(all.scene, name), wk_ok);
        assert_int_equal(wkRobotScene_Remove(all.scene, name), wk_errorArgument);
        assert_int_equal(wkRobotScene_Find(all.scene, name), -1);
    }
    assert_int_equal(wkRobotScene_Count(all.scene), before + 20);
    const wkScene* world = wkRobotScene_World(all.scene);
    for (int i = 0; i < 20; ++i) {
        snprintf(name, sizeof name, "sphere%d", 2 * i + 1);
        int32_t number = wkRobotScene_Find(all.scene, name);
        assert_int_equal(number, before + i);
        assert_string_equal(wkRobotScene_Object(all.scene, number).name, name);
        // the inner scene knows it by its number
        wkSceneRequest request = wkDefaultSceneRequest();
        wkShape probe = wkMakeSphere(0.01);
        wkSceneCollideResult hit = wkScene_CollideShape(
            world, &probe, wkRobotScene_Object(all.scene, number).pose, &request);
        wkObjectDef def;
        assert_int_equal(wkScene_Get(world, hit.b, &def), wk_ok);
        assert_int_equal((intptr_t)def.user, number);
    }
    assert_null(wkRobotScene_Object(all.scene, -1).name);
    assert_null(wkRobotScene_Object(all.scene, 10000).name);
    wkFreeSurroundings(&all);
}

// A mesh that a program makes is solid unless it says otherwise, in the world and attached.
static void what_is_inside_of_a_mesh_touches_it(void** unused)
{
    (void)unused;
    static const wkVec3d vertices[] = {{-9, -9, -9}, {27, -9, -9}, {-9, 27, -9}, {-9, -9, 27}};
    static const int32_t triangles[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    for (int isSurface = 0; isSurface < 2; ++isSurface) {
        wkRobot* robot = NULL;
        wkRobotScene* scene = NULL;
        wkRobotState* state = NULL;
        wkMesh* mesh = NULL;
        wkMeshDef def = wkDefaultMeshDef();
        def.vertices = vertices;
        def.vertexCount = 4;
        def.triangles = triangles;
        def.triangleCount = 4;
        def.isSolid = isSurface != 0 ? false : def.isSolid;
        assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
        assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
        wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
        sceneDef.robot = robot;
        assert_int_equal(wkRobotScene_Create(&sceneDef, &scene), wk_ok);
        assert_int_equal(wkRobotState_Create(robot, &state), wk_ok);
        wkShape shape = wkMakeMesh(mesh);
        wkRobotObjectDef object = wkDefaultRobotObjectDef();
        object.name = "shell";
        object.shapes = &shape;
        object.shapeCount = 1;
        assert_int_equal(wkRobotScene_Add(scene, &object), wk_ok);
        assert_int_equal(wkRobotScene_Check(scene, state, NULL).verdict,
                         isSurface != 0 ? wk_verdictFree : wk_verdictWorld);
        // held, it has the other links in it
        assert_int_equal(wkRobotScene_Attach(scene, state, "shell", "gripper_link", NULL, 0),
                         wk_ok);
        assert_int_equal(wkRobotScene_Check(scene, state, NULL).verdict,
                         isSurface != 0 ? wk_verdictFree : wk_verdictSelf);
        wkRobotScene_Destroy(scene);
        wkRobotState_Destroy(state);
        wkRobot_Destroy(robot);
        wkMesh_Destroy(mesh);
    }
}

static void attached_objects_move_with_their_link(void** unused)
{
    (void)unused;
    wkSurroundings all;
    setUp(&all, 1);
    int32_t link = wkRobot_FindLink(all.robot, "gripper_link");
    wkPlaceAtRandom(&all);
    wkPose inLink = wkMakePoseRpy((wkVec3d){0.2, 0.0, 0.1}, 0.1, 0.2, 0.3);
    wkPose pose = wkMulPose(wkRobotState_LinkPose(all.state, link), inLink);
    assert_int_equal(wkAddSphere(all.scene, "apple", 0.04, pose), wk_ok);
    assert_int_equal(wkRobotScene_Detach(all.scene, all.state, "apple"), wk_errorState);
    assert_int_equal(
        wkRobotScene_Attach(all.scene, all.state, "apple", "gripper_link", wkTouchLinks, 2), wk_ok);
    assert_int_equal(wkRobotScene_Attach(all.scene, all.state, "apple", "gripper_link", NULL, 0),
                     wk_errorState);
    assert_int_equal(wkRobotScene_Move(all.scene, "apple", pose), wk_errorState);
    wkRobotObjectInfo attached =
        wkRobotScene_Object(all.scene, wkRobotScene_Find(all.scene, "apple"));
    assert_int_equal(attached.link, link);
    assert_true(isNear(attached.pose, inLink));
    wkPlaceAtRandom(&all);
    assert_int_equal(wkRobotScene_Detach(all.scene, all.state, "apple"), wk_ok);
    wkRobotObjectInfo left = wkRobotScene_Object(all.scene, wkRobotScene_Find(all.scene, "apple"));
    assert_int_equal(left.link, -1);
    assert_true(isNear(left.pose, wkMulPose(wkRobotState_LinkPose(all.state, link), inLink)));
    // what has no end cannot be held, and neither can a map
    wkShape floor = wkMakeHalfspace((wkVec3d){0.0, 0.0, 1.0}, -3.0);
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = "ground";
    def.shapes = &floor;
    def.shapeCount = 1;
    assert_int_equal(wkRobotScene_Add(all.scene, &def), wk_ok);
    assert_int_equal(wkRobotScene_Attach(all.scene, all.state, "ground", "gripper_link", NULL, 0),
                     wk_errorUnsupported);
    const char* absent[] = {"absent"};
    assert_int_equal(wkRobotScene_Attach(all.scene, all.state, "apple", "absent", NULL, 0),
                     wk_errorArgument);
    assert_int_equal(wkRobotScene_Attach(all.scene, all.state, "absent", "gripper_link", NULL, 0),
                     wk_errorArgument);
    assert_int_equal(wkRobotScene_Attach(all.scene, all.state, "apple", "gripper_link", absent, 1),
                     wk_errorArgument);
    // more than there is room for
    char name[32];
    for (int i = 0; i <= WK_MAX_ATTACHED_SHAPES; ++i) {
        snprintf(name, sizeof name, "berry%d", i);
        assert_int_equal(wkAddSphere(all.scene, name, 0.01, pose), wk_ok);
        assert_int_equal(
            wkRobotScene_Attach(all.scene, all.state, name, "gripper_link", wkTouchLinks, 2),
            i < WK_MAX_ATTACHED_SHAPES ? wk_ok : wk_errorRange);
    }
    // in the middle of the list, first and last
    assert_int_equal(wkRobotScene_Remove(all.scene, "berry20"), wk_ok);
    assert_int_equal(wkRobotScene_Detach(all.scene, all.state, "berry0"), wk_ok);
    assert_int_equal(wkRobotScene_Detach(all.scene, all.state, "berry63"), wk_ok);
    for (int i = 1; i < WK_MAX_ATTACHED_SHAPES - 1; ++i) {
        snprintf(name, sizeof name, "berry%d", i);
        int32_t number = wkRobotScene_Find(all.scene, name);
        assert_true(i == 20 ? number < 0 : wkRobotScene_Object(all.scene, number).link == link);
    }
    wkFreeSurroundings(&all);
}

// Says which contacts are fine, and counts how often it is asked.
typedef struct classify {
    bool isPatient;
    int count;
} classify;

static bool classifyContact(const char* nameA, const char* nameB, const wkContact* contact,
                            void* context)
{
    classify* j = (classify*)context;
    assert_true(strcmp(nameA, "button") == 0 || strcmp(nameB, "button") == 0);
    assert_true(contact->depth >= 0.0);
    ++j->count;
    return j->isPatient;
}

static void somebody_decides_about_asked_pairs(void** unused)
{
    (void)unused;
    wkSurroundingsKind none = {.name = "nothing"};
    wkSurroundings all;
    wkMakeSurroundings(&none, 2, &all);
    wkRobotRequest request = wkDefaultRobotRequest();
    wkPose pose = wkRobotState_LinkPose(all.state, wkRobot_FindLink(all.robot, "gripper_link"));
    assert_int_equal(wkRobotScene_Check(all.scene, all.state, &request).verdict, wk_verdictFree);
    assert_int_equal(wkAddSphere(all.scene, "button", 0.03, pose), wk_ok);
    wkRobotCheckResult touch = wkRobotScene_Check(all.scene, all.state, &request);
    assert_int_equal(touch.verdict, wk_verdictWorld);
    assert_string_equal(touch.first.b.name, "button");
    wkAllowed* rules;
    classify j = {true, 0};
    assert_int_equal(wkAllowed_Copy(wkRobotScene_Allowed(all.scene), &rules), wk_ok);
    for (int32_t i = 0; i < wkRobot_Info(all.robot).linkCount; ++i) {
        assert_int_equal(
            wkAllowed_SetFcn(rules, "button", wkRobot_Link(all.robot, i).name, classifyContact, &j),
            wk_ok);
    }
    assert_int_equal(wkRobotScene_SetAllowed(all.scene, rules), wk_ok);
    wkAllowed_Destroy(rules);
    assert_int_equal(wkRobotScene_Check(all.scene, all.state, &request).verdict, wk_verdictFree);
    assert_true(j.count > 0);
    // motions ask as well, and end
    double q1[64];
    wkRobot_DefaultConfiguration(all.robot, q1);
    q1[4] += 0.05;
    wkMotionResult motion = wkRobotScene_CheckMotion(
        all.scene, all.state, wkIdentityPose(), wkRobotState_Configuration(all.state), q1, NULL);
    assert_int_equal(motion.verdict, wk_verdictFree);
    j.isPatient = false;
    j.count = 0;
    touch = wkRobotScene_Check(all.scene, all.state, &request);
    assert_int_equal(touch.verdict, wk_verdictWorld);
    assert_int_equal(j.count, 1);
    wkFreeSurroundings(&all);
}

// A map whose unknown cells are told of.
static void addUnknownMap(wkRobotScene* scene, const wkOctree* map)
{
    wkShape shape = wkMakeOctree(map);
    shape.map.unknown = wk_unknownReported;
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = "map";
    def.shapes = &shape;
    def.shapeCount = 1;
    assert_int_equal(wkRobotScene_Add(scene, &def), wk_ok);
}

// Surroundings of such a map alone, which knows nothing.
static wkOctree* setUpUnknown(wkSurroundings* all)
{
    wkSurroundingsKind none = {.name = "nothing"};
    wkMakeSurroundings(&none, 2, all);
    wkOctree* map;
    assert_int_equal(wkOctree_Create(NULL, &map), wk_ok);
    addUnknownMap(all->scene, map);
    return map;
}

static void unknown_space_is_distinguished_from_obstacles(void** unused)
{
    (void)unused;
    wkSurroundings all;
    wkOctree* map = setUpUnknown(&all);
    wkRobotRequest request = wkDefaultRobotRequest();
    assert_int_equal(wkRobotScene_Check(all.scene, all.state, &request).verdict, wk_verdictUnknown);
    wkAabb room = {{-3.0, -3.0, -1.0}, {3.0, 3.0, 3.0}};
    assert_int_equal(wkOctree_FillBox(map, room, -1.0f), wk_ok);
    assert_int_equal(wkRobotScene_Refresh(all.scene, "map"), wk_ok);
    assert_int_equal(wkRobotScene_Check(all.scene, all.state, &request).verdict, wk_verdictFree);
    wkAabb block = {{-0.3, -0.3, 0.0}, {0.3, 0.3, 0.3}};
    assert_int_equal(wkOctree_FillBox(map, block, 2.0f), wk_ok);
    assert_int_equal(wkRobotScene_Refresh(all.scene, "map"), wk_ok);
    assert_int_equal(wkRobotScene_Check(all.scene, all.state, &request).verdict, wk_verdictWorld);
    wkFreeSurroundings(&all);
    wkOctree_Destroy(map);
}

// A robot that may enter unknown space must still be stopped by walls, whichever is met first.
static void unknown_space_hides_no_obstacle(void** unused)
{
    (void)unused;
    wkSurroundings all;
    wkOctree* map = setUpUnknown(&all);
    wkRobotContact contacts[2];
    wkRobotRequest requests[2] = {wkDefaultRobotRequest(), wkDefaultRobotRequest()};
    requests[1].contacts = contacts;
    requests[1].contactCapacity = 2;
    for (int32_t i = 0; i < wkRobot_Info(all.robot).linkCount; ++i) {
        wkPose pose = wkRobotState_LinkPose(all.state, i);
        assert_int_equal(wkAddSphere(all.scene, "sphere", 0.05, pose), wk_ok);
        bool isMet = wkRobotScene_Remove(all.scene, "map") == wk_ok &&
                     wkRobotScene_Check(all.scene, all.state, NULL).verdict == wk_verdictWorld;
        addUnknownMap(all.scene, map);
        for (int k = 0; k < 2; ++k) {
            wkRobotCheckResult r = wkRobotScene_Check(all.scene, all.state, &requests[k]);
            assert_int_equal(r.verdict, isMet ? wk_verdictWorld : wk_verdictUnknown);
            assert_string_equal(r.first.b.name, isMet ? "sphere" : "map");
        }
        assert_int_equal(wkRobotScene_Remove(all.scene, "sphere"), wk_ok);
    }
    wkFreeSurroundings(&all);
    wkOctree_Destroy(map);
}

static void hostile_arguments_get_safe_answers(void** unused)
{
    (void)unused;
    wkSurroundings all, other;
    setUp(&all, 4);
    setUp(&other, 0);
    wkRobotScene* none;
    assert_int_equal(wkRobotScene_Create(NULL, &none), wk_errorArgument);
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    assert_int_equal(wkRobotScene_Create(&def, &none), wk_errorArgument);
    def.robot = all.robot;
    def.padding = NAN;
    assert_int_equal(wkRobotScene_Create(&def, &none), wk_errorNotFinite);
    def.padding = 1e80;
    assert_int_equal(wkRobotScene_Create(&def, &none), wk_errorRange);
    assert_null(none);
    wkRobotScene_Destroy(NULL);

    assert_int_equal(wkRobotScene_Check(NULL, all.state, NULL).verdict, wk_verdictInvalid);
    assert_int_equal(wkRobotScene_Check(all.scene, NULL, NULL).verdict, wk_verdictInvalid);
    assert_int_equal(wkRobotScene_Check(all.scene, other.state, NULL).verdict, wk_verdictInvalid);
    wkRobotRequest request = wkDefaultRobotRequest();
    request.margin = NAN;
    assert_int_equal(wkRobotScene_Check(all.scene, all.state, &request).verdict, wk_verdictInvalid);
    request = wkDefaultRobotRequest();
    request.group = 1000;
    assert_int_equal(wkRobotScene_Check(all.scene, all.state, &request).verdict, wk_verdictInvalid);
    request = wkDefaultRobotRequest();
    request.cookie = 0;
    assert_int_equal(wkRobotScene_Check(all.scene, all.state, &request).verdict, wk_verdictInvalid);
    wkRobotClearanceResult clearance =
        wkRobotScene_Clearance(all.scene, other.state, NULL, NULL, NULL);
    assert_true(clearance.status == wk_statusInvalid && clearance.distance == -INFINITY);
    assert_int_equal(wkRobotScene_SelfDistances(all.scene, NULL, NULL, NULL, 0), -1);

    double q0[64], q1[64];
    wkRobot_DefaultConfiguration(all.robot, q0);
    wkRobot_DefaultConfiguration(all.robot, q1);
    wkPose origin = wkIdentityPose();
    for (int i = 0; i < wkRobot_Info(all.robot).variableCount; ++i) {
        double value = q1[i];
        q1[i] = NAN;
        assert_int_equal(
            wkRobotScene_CheckMotion(all.scene, all.state, origin, q0, q1, NULL).verdict,
            wk_verdictInvalid);
        assert_int_equal(wkRobotState_Set(all.state, origin, q1), wk_errorNotFinite);
        assert_int_equal(wkRobotScene_Check(all.scene, all.state, NULL).verdict, wk_verdictInvalid);
        assert_true(wkRobotScene_MotionBound(all.scene, all.state, q0, q1, 0) == INFINITY);
        q1[i] = value;
    }
    wkPose broken = {{NAN, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    assert_int_equal(wkRobotScene_CheckMotion(all.scene, all.state, broken, q0, q1, NULL).verdict,
                     wk_verdictInvalid);
    assert_int_equal(wkRobotScene_CheckMotion(all.scene, other.state, origin, q0, q1, NULL).verdict,
                     wk_verdictInvalid);
    assert_int_equal(wkRobotScene_CheckMotion(all.scene, all.state, origin, NULL, q1, NULL).verdict,
                     wk_verdictInvalid);
    q1[1] = 100.0;
    wkMotionResult beyond = wkRobotScene_CheckMotion(all.scene, all.state, origin, q0, q1, NULL);
    assert_true(beyond.verdict == wk_verdictLimits && beyond.contact.variable == 1);
    assert_true(beyond.time == 1.0);
    wkMotionRequest motion = wkDefaultMotionRequest();
    motion.tolerance = NAN;
    assert_int_equal(
        wkRobotScene_CheckMotion(all.scene, all.state, origin, q0, q0, &motion).verdict,
        wk_verdictInvalid);

    assert_int_equal(wkRobotScene_Add(all.scene, NULL), wk_errorArgument);
    assert_int_equal(wkAddSphere(all.scene, "", 0.1, origin), wk_errorArgument);
    assert_int_equal(wkAddSphere(all.scene, "sphere", NAN, origin), wk_errorArgument);
    assert_int_equal(wkAddSphere(all.scene, "sphere", 0.1, broken), wk_errorNotFinite);
    assert_int_equal(wkAddSphere(all.scene, "sphere", 0.1, wkMakePose(1e70, 0.0, 0.0)),
                     wk_errorRange);
    assert_int_equal(wkRobotScene_Find(all.scene, "sphere"), -1);
    assert_int_equal(wkRobotScene_Move(all.scene, "thing1", broken), wk_errorNotFinite);
    assert_int_equal(wkRobotScene_Move(all.scene, NULL, origin), wk_errorArgument);
    assert_int_equal(wkRobotScene_SetPadding(all.scene, 1000, 0.0), wk_errorRange);
    assert_int_equal(wkRobotScene_SetPadding(all.scene, 0, INFINITY), wk_errorNotFinite);
    assert_int_equal(wkRobotScene_SetCategory(all.scene, NULL, 0.0), wk_errorArgument);
    assert_int_equal(wkRobotScene_SetCategory(all.scene, "static", NAN), wk_errorNotFinite);
    assert_non_null(strstr(wkGetLastError(), "safetyDistance is nan"));
    assert_int_equal(wkRobotScene_Attach(all.scene, NULL, "thing1", "gripper_link", NULL, 0),
                     wk_errorArgument);
    assert_int_equal(wkRobotScene_Publish(NULL), wk_errorArgument);
    assert_null(wkRobotScene_Acquire(NULL));
    wkRobotScene_Release(NULL);
    wkFreeSurroundings(&other);
    wkRobotState_Destroy(all.state);
    assert_int_equal(wkRobotState_Create(all.robot, &all.state), wk_ok);
    wkFreeSurroundings(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_keep_their_order_and_names),
        cmocka_unit_test(what_is_inside_of_a_mesh_touches_it),
        cmocka_unit_test(attached_objects_move_with_their_link),
        cmocka_unit_test(somebody_decides_about_asked_pairs),
        cmocka_unit_test(unknown_space_is_distinguished_from_obstacles),
        cmocka_unit_test(unknown_space_hides_no_obstacle),
        cmocka_unit_test(hostile_arguments_get_safe_answers),
    };
    return cmocka_run_group_tests_name("robot.scene", tests, NULL, NULL);
}
