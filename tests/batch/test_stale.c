// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Maps and meshes that change under robot scenes, snapshots and batches: bounds and hulls that were computed
// before do not hold any more, and no query may call anything free until it is refreshed.

#include "stale_kit.h"

// A sphere on a slide along x, from which objects are 2 m away.
typedef struct robotCase {
    madeRobot made;
    wkRobot* robot;
    wkRobotScene* scene;
    wkRobotState* state;
    wkSphereModel* model;
} robotCase;

static robotCase* makeRobotCase(void)
{
    static robotCase c;
    memset(&c, 0, sizeof c);
    madeStart(&c.made);
    int root = madeLink(&c.made, -1, wk_jointFixed, wkIdentityPose());
    int translation = madeLink(&c.made, root, wk_jointPrismatic, wkMakePose(2.05, 0.05, 0.05));
    madeBody(&c.made, translation, wkMakeSphere(0.1), wkIdentityPose());
    assert_int_equal(wkRobot_Create(&c.made.def, &c.robot), wk_ok);
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = c.robot;
    assert_int_equal(wkRobotScene_Create(&def, &c.scene), wk_ok);
    assert_int_equal(wkRobotState_Create(c.robot, &c.state), wk_ok);
    const double q[1] = {0.0};
    assert_int_equal(wkRobotState_Set(c.state, wkIdentityPose(), q), wk_ok);
    c.model = wkSpheresOnBodies(c.robot, 1.0);
    return &c;
}

static void freeRobotCase(robotCase* c)
{
    wkSphereModel_Destroy(c->model);
    wkRobotState_Destroy(c->state);
    wkRobotScene_Destroy(c->scene);
    wkRobot_Destroy(c->robot);
}

static void addObject(wkRobotScene* scene, const char* name, wkShape shape)
{
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = name;
    def.shapes = &shape;
    def.shapeCount = 1;
    assert_int_equal(wkRobotScene_Add(scene, &def), wk_ok);
}

static wkVerdict motionVerdict(const robotCase* c, const wkRobotScene* scene, bool isCertified)
{
    const double q0[1] = {-0.1}, q1[1] = {0.1};
    wkMotionRequest request = wkDefaultMotionRequest();
    request.isCertified = isCertified;
    return wkRobotScene_CheckMotion(scene, c->state, wkIdentityPose(), q0, q1, &request).verdict;
}

static void assertStaleRobotScene(const robotCase* c, const wkRobotScene* scene, int32_t map)
{
    const double q[1] = {0.0};
    assert_int_equal(wkRobotState_Set(c->state, wkIdentityPose(), q), wk_ok);
    assert_int_equal(wkRobotScene_Check(scene, c->state, NULL).verdict, wk_verdictInvalid);
    double link[8];
    wkRobotClearanceResult clearance = wkRobotScene_Clearance(scene, c->state, NULL, link, NULL);
    assert_true(clearance.distance == -INFINITY && link[1] == -INFINITY);
    assert_int_equal(clearance.status, wk_statusInvalid);
    assert_int_equal(wkRobotScene_SelfDistances(scene, c->state, NULL, NULL, 0), -1);
    assert_int_equal(motionVerdict(c, scene, true), wk_verdictInvalid);
    assert_int_equal(motionVerdict(c, scene, false), wk_verdictInvalid);
    assert_true(wkRobotScene_MotionBound(scene, c->state, q, q, 1) == INFINITY);
    assert_int_equal(wkScene_CollidePairs(wkRobotScene_World(scene), NULL).status,
                     wkRobotScene_Object(scene, map < 0 ? 0 : map).link < 0 ? wk_statusInvalid
                                                                            : wk_statusExact);
    wkCost* cost;
    assert_int_equal(wkCost_Create(NULL, &cost), wk_ok);
    assert_int_equal(wkRobotState_Set(c->state, wkIdentityPose(), q), wk_ok);
    assert_int_equal(wkRobotScene_AddCost(scene, c->state, map, cost), wk_errorState);
    assert_int_equal(wkRobotScene_AddMotionCost(scene, c->state, wkIdentityPose(), q, q, map, cost),
                     wk_errorState);
    wkCost_Destroy(cost);
}

// What every public call of a batch says.
static void assertBatch(const wkBatch* batch, wkResult expected, wkVerdict verdict)
{
    const double rows[2] = {0.0, 0.01};
    uint8_t verdicts[2] = {0, 0};
    assert_int_equal(wkBatch_CheckStates(batch, NULL, rows, 2, verdicts), expected);
    float clearances[2] = {1.0f, 1.0f};
    assert_int_equal(wkBatch_Clearances(batch, NULL, rows, 2, 1.0, clearances), expected);
    wkBatchMotionResult motions[2];
    memset(motions, 0, sizeof motions);
    assert_int_equal(wkBatch_CheckMotions(batch, NULL, rows, rows, 2, NULL, motions), expected);
    float spheres[2 * 4 * 64] = {0.0f};
    assert_int_equal(wkBatch_PlaceSpheres(batch, NULL, rows, 2, spheres), expected);
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(verdicts[i], verdict);
        assert_int_equal(motions[i].verdict, verdict);
        assert_int_equal(clearances[i] != clearances[i], expected != wk_ok);
    }
    assert_int_equal(spheres[0] != spheres[0], expected != wk_ok);
    if (expected == wk_errorState) {
        assertSays("has changed");
    }
}

static wkBatch* makeBatch(const robotCase* c)
{
    wkBatchDef def = wkDefaultBatchDef();
    def.scene = c->scene;
    def.spheres = c->model;
    return wkCreateBatch(&def);
}

// A map or mesh that reaches the robot after its change.
static void checkRobotScene(robotCase* c, void (*change)(void*), void* context)
{
    int32_t map = wkRobotScene_Find(c->scene, "thing");
    assert_int_equal(wkRobotScene_Check(c->scene, c->state, NULL).verdict, wk_verdictFree);
    wkBatch* batch = makeBatch(c);
    assertBatch(batch, wk_ok, wk_verdictFree);
    change(context);
    assertStaleRobotScene(c, c->scene, map);
    assertSays("thing");
    assertBatch(batch, wk_errorState, wk_verdictInvalid);
    assert_int_equal(wkBatch_Refresh(batch), wk_errorState);
    // nothing but a refresh helps
    assert_int_equal(wkRobotScene_SetCategory(c->scene, "static", 0.0), wk_ok);
    assert_int_equal(wkRobotScene_SetPadding(c->scene, -1, 0.0), wk_ok);
    assert_int_equal(wkRobotScene_Move(c->scene, "thing", wkIdentityPose()), wk_ok);
    assertStaleRobotScene(c, c->scene, map);
    assert_int_equal(wkRobotScene_Publish(c->scene), wk_ok);
    const wkRobotScene* snapshot = wkRobotScene_Acquire(c->scene);
    assertStaleRobotScene(c, snapshot, map);
    assert_int_equal(wkRobotScene_Refresh(c->scene, "thing"), wk_ok);
    assertStaleRobotScene(c, snapshot, map);
    wkRobotScene_Release(snapshot);
    const double q[1] = {0.0};
    assert_int_equal(wkRobotState_Set(c->state, wkIdentityPose(), q), wk_ok);
    assert_int_equal(wkRobotScene_Check(c->scene, c->state, NULL).verdict, wk_verdictWorld);
    assert_int_equal(motionVerdict(c, c->scene, true), wk_verdictWorld);
    assert_true(wkRobotScene_Clearance(c->scene, c->state, NULL, NULL, NULL).distance <= 0.0);
    // the batch has not heard of it yet
    assertBatch(batch, wk_errorState, wk_verdictInvalid);
    assert_int_equal(wkBatch_Refresh(batch), wk_ok);
    assertBatch(batch, wk_ok, wk_verdictWorld);
    wkBatch_Destroy(batch);
}

static void occupyFar(void* context)
{
    occupy((wkOctree*)context, FAR_CELL);
}

static void moveFar(void* context)
{
    moveMesh((wkMeshBuilder*)context, 2.0);
}

static void robot_scenes_and_batches_notice_maps_that_changed(void** state)
{
    (void)state;
    robotCase* c = makeRobotCase();
    wkOctree* map = makeMap();
    occupy(map, NEAR_CELL);
    addObject(c->scene, "thing", wkMakeOctree(map));
    checkRobotScene(c, occupyFar, map);
    freeRobotCase(c);
    wkOctree_Destroy(map);
    assert_int_equal(wkGetByteCount(), 0);
}

static void robot_scenes_and_batches_notice_meshes_that_moved(void** state)
{
    (void)state;
    robotCase* c = makeRobotCase();
    wkMeshBuilder* builder = makeBuilder();
    addObject(c->scene, "thing", wkMakeMesh(wkMeshBuilder_Mesh(builder)));
    checkRobotScene(c, moveFar, builder);
    freeRobotCase(c);
    wkMeshBuilder_Destroy(builder);
    assert_int_equal(wkGetByteCount(), 0);
}

// Objects that the robot holds have boxes of their own, and their hulls wait until they are put down.
static void meshes_that_move_while_they_are_attached_are_noticed(void** state)
{
    (void)state;
    robotCase* c = makeRobotCase();
    wkMeshBuilder* builder = makeBuilder();
    addObject(c->scene, "thing", wkMakeMesh(wkMeshBuilder_Mesh(builder)));
    addObject(c->scene, "wall", wkMakeBox(0.1, 4.0, 4.0));
    assert_int_equal(wkRobotScene_Move(c->scene, "wall", wkMakePose(5.0, 0.0, 0.0)), wk_ok);
    assert_int_equal(wkRobotScene_Attach(c->scene, c->state, "thing", "l1", NULL, 0), wk_ok);
    assert_int_equal(wkRobotScene_Check(c->scene, c->state, NULL).verdict, wk_verdictFree);
    wkBatch* batch = makeBatch(c);
    moveMesh(builder, 5.0);
    assertStaleRobotScene(c, c->scene, 0);
    assertSays("thing");
    assertBatch(batch, wk_errorState, wk_verdictInvalid);
    // put down without a refresh: its hull is that of before
    assert_int_equal(wkRobotScene_Detach(c->scene, c->state, "thing"), wk_ok);
    assertStaleRobotScene(c, c->scene, 0);
    assert_int_equal(wkRobotScene_Attach(c->scene, c->state, "thing", "l1", NULL, 0), wk_ok);
    assert_int_equal(wkRobotScene_Refresh(c->scene, "thing"), wk_ok);
    assert_int_equal(wkRobotScene_Check(c->scene, c->state, NULL).verdict, wk_verdictWorld);
    assert_int_equal(wkBatch_Refresh(batch), wk_ok);
    assertBatch(batch, wk_ok, wk_verdictWorld);
    wkBatch_Destroy(batch);
    freeRobotCase(c);
    wkMeshBuilder_Destroy(builder);
    assert_int_equal(wkGetByteCount(), 0);
}

static void a_robot_whose_mesh_has_moved_is_not_checked(void** state)
{
    (void)state;
    static madeRobot made;
    memset(&made, 0, sizeof made);
    wkMeshBuilder* builder = makeBuilder();
    madeStart(&made);
    int root = madeLink(&made, -1, wk_jointFixed, wkIdentityPose());
    madeBody(&made, root, wkMakeMesh(wkMeshBuilder_Mesh(builder)), wkIdentityPose());
    wkRobot* robot;
    assert_int_equal(wkRobot_Create(&made.def, &robot), wk_ok);
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = robot;
    wkRobotScene* scene;
    wkRobotState* at;
    assert_int_equal(wkRobotScene_Create(&def, &scene), wk_ok);
    assert_int_equal(wkRobotState_Create(robot, &at), wk_ok);
    assert_int_equal(wkRobotState_Set(at, wkIdentityPose(), NULL), wk_ok);
    addObject(scene, "wall", wkMakeSphere(0.5));
    assert_int_equal(wkRobotScene_Move(scene, "wall", wkMakePose(2.0, 0.0, 0.0)), wk_ok);
    assert_int_equal(wkRobotScene_Check(scene, at, NULL).verdict, wk_verdictFree);
    moveMesh(builder, 2.0);
    assert_int_equal(wkRobotScene_Check(scene, at, NULL).verdict, wk_verdictInvalid);
    assertSays("l0");
    // another body set of the same robot has the same hulls
    assert_int_equal(wkRobotScene_SetPadding(scene, -1, 0.0), wk_ok);
    assert_int_equal(wkRobotScene_Check(scene, at, NULL).verdict, wk_verdictInvalid);
    wkRobotState_Destroy(at);
    wkRobotScene_Destroy(scene);
    wkRobot_Destroy(robot);
    wkMeshBuilder_Destroy(builder);
    assert_int_equal(wkGetByteCount(), 0);
}

static void batches_notice_objects_that_come_go_and_move(void** state)
{
    (void)state;
    robotCase* c = makeRobotCase();
    addObject(c->scene, "thing", wkMakeSphere(0.1));
    wkBatch* batch = makeBatch(c);
    assertBatch(batch, wk_ok, wk_verdictFree);
    assert_int_equal(wkRobotScene_Move(c->scene, "thing", wkMakePose(2.0, 0.0, 0.0)), wk_ok);
    assertBatch(batch, wk_errorState, wk_verdictInvalid);
    assert_int_equal(wkBatch_Refresh(batch), wk_ok);
    assertBatch(batch, wk_ok, wk_verdictWorld);
    assert_int_equal(wkRobotScene_Remove(c->scene, "thing"), wk_ok);
    assertBatch(batch, wk_errorState, wk_verdictInvalid);
    assert_int_equal(wkBatch_Refresh(batch), wk_ok);
    assertBatch(batch, wk_ok, wk_verdictFree);
    // a change that was refused is none
    assert_int_equal(wkRobotScene_Remove(c->scene, "thing"), wk_errorArgument);
    assertBatch(batch, wk_ok, wk_verdictFree);
    wkBatch_Destroy(batch);
    freeRobotCase(c);
    assert_int_equal(wkGetByteCount(), 0);
}

// Fronts know which mesh they are of by its content: after a change they start from the root.
static void fronts_start_again_when_a_mesh_has_moved(void** state)
{
    (void)state;
    wkMeshBuilder *a = makeBuilder(), *b = makeBuilder();
    moveMesh(b, 3.0);
    wkShape shapeA = wkMakeMesh(wkMeshBuilder_Mesh(a)), shapeB = wkMakeMesh(wkMeshBuilder_Mesh(b));
    wkFront* front;
    assert_int_equal(wkFront_Create(0, &front), wk_ok);
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.front = front;
    wkPose at = wkIdentityPose();
    const double slots[] = {3.0, 0.25, 7.0, 0.0, 1.0};
    for (int i = 0; i < 5; ++i) {
        moveMesh(b, slots[i]);
        double with = wkDistance(&shapeA, at, &shapeB, at, &request).distance;
        double without = wkDistance(&shapeA, at, &shapeB, at, NULL).distance;
        assert_true(with == without && fabs(with - slots[i]) < 1e-9);
    }
    wkFront_Destroy(front);
    wkMeshBuilder_Destroy(a);
    wkMeshBuilder_Destroy(b);
    assert_int_equal(wkGetByteCount(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robot_scenes_and_batches_notice_maps_that_changed),
        cmocka_unit_test(robot_scenes_and_batches_notice_meshes_that_moved),
        cmocka_unit_test(meshes_that_move_while_they_are_attached_are_noticed),
        cmocka_unit_test(a_robot_whose_mesh_has_moved_is_not_checked),
        cmocka_unit_test(batches_notice_objects_that_come_go_and_move),
        cmocka_unit_test(fronts_start_again_when_a_mesh_has_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
