// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What a robot scene keeps: meshes that change, edits that fail and change nothing, snapshots that stay
// as they are, and queries that allocate nothing.

#include "memory/failing.h"
#include "plain.h"

#include <stdio.h>

static void setUp(wkSurroundings* all, int kind)
{
    wkMakeSurroundings(&wkSurroundingsKinds[kind], 11, all);
}

// Vertices of a tetrahedron.
static const wkVec3d smallVertices[4] = {
    {0.0, 0.0, 0.0}, {0.1, 0.0, 0.0}, {0.0, 0.1, 0.0}, {0.0, 0.0, 0.1}};
static const wkVec3d largeVertices[4] = {
    {-9.0, -9.0, 0.3}, {9.0, -9.0, 0.3}, {0.0, 9.0, 0.3}, {0.0, 0.0, 0.9}};
static const int32_t sides[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};

static wkMeshBuilder* buildSmall(void)
{
    wkMeshBuilder* builder;
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false;
    assert_int_equal(wkMeshBuilder_Create(&def, &builder), wk_ok);
    assert_int_equal(wkMeshBuilder_BeginModel(builder, 4, 4), wk_ok);
    assert_int_equal(wkMeshBuilder_AddPart(builder, smallVertices, 4, sides, 4), wk_ok);
    assert_int_equal(wkMeshBuilder_EndModel(builder), wk_ok);
    return builder;
}

static void replaceVertices(wkMeshBuilder* builder, const wkVec3d* vertices)
{
    assert_int_equal(wkMeshBuilder_BeginReplace(builder), wk_ok);
    assert_int_equal(wkMeshBuilder_ReplaceVertices(builder, 0, vertices, 4), wk_ok);
    assert_int_equal(wkMeshBuilder_EndReplace(builder, true), wk_ok);
}

static wkResult addMesh(wkRobotScene* scene, const wkMesh* mesh, wkPose pose)
{
    // twice the same, and one that is something else
    wkShape shapes[3] = {wkMakeMesh(mesh), wkMakeSphere(0.01), wkMakeMesh(mesh)};
    wkPose poses[3] = {wkIdentityPose(), wkIdentityPose(), wkMakePose(0.0, 0.0, 0.05)};
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = "mesh";
    def.shapes = shapes;
    def.poses = poses;
    def.shapeCount = 3;
    def.pose = pose;
    return wkRobotScene_Add(scene, &def);
}

// With memory for something new, and without.
static void meshes_that_changed_are_met_where_they_are(void** unused)
{
    (void)unused;
    wkSurroundingsKind kind = {.name = "nothing", .isMeshed = true};
    wkSurroundings all;
    wkMakeSurroundings(&kind, 2, &all);
    wkMeshBuilder* builder = buildSmall();
    assert_int_equal(addMesh(all.scene, wkMeshBuilder_Mesh(builder), wkMakePose(1.5, 1.5, 0.0)),
                     wk_ok);
    failing f = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(wkRobotScene_Check(all.scene, all.state, NULL).verdict, wk_verdictFree);
        assert_int_equal(wkRobotScene_Publish(all.scene), wk_ok);
        const wkRobotScene* snapshot = wkRobotScene_Acquire(all.scene);
        replaceVertices(builder, largeVertices);
        if (i % 2 == 1) {
            f.failAt = f.callCount;
            wkSetAllocator(&allocator);
        }
        assert_int_equal(wkRobotScene_Refresh(all.scene, "mesh"), wk_ok);
        wkSetAllocator(NULL);
        assert_int_equal(wkRobotScene_Check(all.scene, all.state, NULL).verdict, wk_verdictWorld);
        replaceVertices(builder, smallVertices);
        assert_int_equal(wkRobotScene_Check(snapshot, all.state, NULL).verdict, wk_verdictFree);
        wkRobotScene_Release(snapshot);
        assert_int_equal(wkRobotScene_Refresh(all.scene, "mesh"), wk_ok);
    }
    wkFreeSurroundings(&all);
    wkMeshBuilder_Destroy(builder);
}

// Everything that a query says about a scene, in a number.
static double digestOf(const wkRobotScene* scene, wkRobotState* state)
{
    static wkRobotContact contacts[256];
    wkRobotRequest request = wkDefaultRobotRequest();
    request.contacts = contacts;
    request.contactCapacity = 256;
    wkRobotCheckResult check = wkRobotScene_Check(scene, state, &request);
    double sum = check.contactCount + 0.01 * wkRobotScene_Count(scene);
    for (int32_t i = 0; i < check.contactCount; ++i) {
        sum += 1e-3 * (contacts[i].a.index + 7 * contacts[i].b.index + contacts[i].b.shape);
    }
    return sum + wkRobotScene_Clearance(scene, state, NULL, NULL, NULL).distance;
}

typedef wkResult storyFcn(wkRobotScene* scene, const wkRobotState* state);

static wkResult addStory(wkRobotScene* scene, const wkRobotState* state)
{
    (void)state;
    return wkAddSphere(scene, "new", 0.3, wkMakePose(0.3, 0.3, 0.6));
}

static const wkMesh* storyMesh;

static wkResult addMeshStory(wkRobotScene* scene, const wkRobotState* state)
{
    (void)state;
    return addMesh(scene, storyMesh, wkMakePose(0.3, 0.3, 0.6));
}

static wkResult attachStory(wkRobotScene* scene, const wkRobotState* state)
{
    return wkRobotScene_Attach(scene, state, "thing1", "gripper_link", wkTouchLinks, 2);
}

static wkResult detachStory(wkRobotScene* scene, const wkRobotState* state)
{
    return wkRobotScene_Detach(scene, state, "mug");
}

static wkResult removeStory(wkRobotScene* scene, const wkRobotState* state)
{
    (void)state;
    return wkRobotScene_Remove(scene, "mug");
}

static wkResult paddingStory(wkRobotScene* scene, const wkRobotState* state)
{
    (void)state;
    return wkRobotScene_SetPadding(scene, -1, 0.02);
}

static wkResult rulesStory(wkRobotScene* scene, const wkRobotState* state)
{
    (void)state;
    return wkRobotScene_SetAllowed(scene, NULL);
}

static wkResult categoryStory(wkRobotScene* scene, const wkRobotState* state)
{
    (void)state;
    return wkRobotScene_SetCategory(scene, "new category", 0.1);
}

static wkResult moveStory(wkRobotScene* scene, const wkRobotState* state)
{
    (void)state;
    return wkRobotScene_Move(scene, "thing2", wkMakePose(0.1, 0.2, 0.9));
}

static wkResult publishStory(wkRobotScene* scene, const wkRobotState* state)
{
    (void)state;
    return wkRobotScene_Publish(scene);
}

static const struct {
    const char* name;
    storyFcn* fcn;
} stories[] = {
    {"add", addStory},         {"add mesh", addMeshStory},  {"attach", attachStory},
    {"detach", detachStory},   {"remove", removeStory},     {"padding", paddingStory},
    {"rules", rulesStory},     {"category", categoryStory}, {"move", moveStory},
    {"publish", publishStory},
};

static void edits_that_fail_change_nothing(void** unused)
{
    (void)unused;
    wkMeshBuilder* builder = buildSmall();
    storyMesh = wkMeshBuilder_Mesh(builder);
    failing f = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
    wkSetAllocator(&allocator);
    for (size_t s = 0; s < sizeof stories / sizeof stories[0]; ++s) {
        int failureCount = 0;
        for (long n = 0; n < 10000; ++n) {
            wkSurroundings all;
            setUp(&all, 4);
            wkPlaceAtRandom(&all);
            double before = digestOf(all.scene, all.state);
            f.callCount = 0;
            f.failAt = n;
            wkResult result = stories[s].fcn(all.scene, all.state);
            bool hasFailed = f.callCount > n;
            f.failAt = -1;
            if (result != wk_ok) {
                assert_int_equal(result, wk_errorMemory);
                if (digestOf(all.scene, all.state) != before) {
                    fail_msg("%s: failure %ld has changed something", stories[s].name, n);
                }
                assert_int_equal(stories[s].fcn(all.scene, all.state), wk_ok);
                ++failureCount;
            }
            wkFreeSurroundings(&all);
            if (!hasFailed) {
                break;
            }
        }
        // all but moves allocate
        assert_true(failureCount > 0 || stories[s].fcn == moveStory);
        assert_int_equal(f.allocatedBytes, 0);
    }
    wkSetAllocator(NULL);
    wkMeshBuilder_Destroy(builder);
}

static void scenes_are_created_whole_or_not_at_all(void** unused)
{
    (void)unused;
    wkRobot* robot;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    size_t attached = wkGetByteCount();
    failing f = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
    wkSetAllocator(&allocator);
    bool hasFailed = true;
    for (long n = 0; hasFailed; ++n) {
        f.callCount = 0;
        f.failAt = n;
        wkRobotSceneDef def = wkDefaultRobotSceneDef();
        def.robot = robot;
        wkRobotScene* scene;
        wkResult result = wkRobotScene_Create(&def, &scene);
        hasFailed = f.callCount > n;
        assert_int_equal(result, hasFailed ? wk_errorMemory : wk_ok);
        assert_int_equal(scene == NULL, hasFailed);
        wkRobotScene_Destroy(scene);
        assert_int_equal(f.allocatedBytes, 0);
    }
    wkSetAllocator(NULL);
    assert_int_equal(wkGetByteCount(), attached);
    wkRobot_Destroy(robot);
}

static void queries_allocate_nothing(void** unused)
{
    (void)unused;
    failing f = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
    wkSetAllocator(&allocator);
    wkSurroundings all;
    setUp(&all, 5);
    assert_int_equal(wkRobotScene_Publish(all.scene), wk_ok);
    const wkRobotScene* snapshot = wkRobotScene_Acquire(all.scene);
    double q0[64], q1[64], distances[64], gradient[64];
    uint64_t seed = 4;
    wkRobot_RandomConfiguration(all.robot, &seed, q0);
    wkRobot_RandomConfiguration(all.robot, &seed, q1);
    static wkSelfDistance selves[400];
    long before = f.callCount;
    const wkRobotScene* scenes[2] = {all.scene, snapshot};
    for (int i = 0; i < 2; ++i) {
        wkRobotScene_Check(scenes[i], all.state, NULL);
        wkRobotScene_Clearance(scenes[i], all.state, NULL, distances, gradient);
        assert_true(wkRobotScene_SelfDistances(scenes[i], all.state, NULL, selves, 400) > 10);
        for (int k = 0; k < 4; ++k) {
            wkMotionRequest request = wkDefaultMotionRequest();
            request.wantsFirst = k % 2 == 0;
            request.isCertified = k < 2;
            wkRobotScene_CheckMotion(scenes[i], all.state, wkIdentityPose(), q0, q1, &request);
        }
        assert_true(digestOf(scenes[i], all.state) == digestOf(all.scene, all.state));
    }
    assert_int_equal(f.callCount, before);
    wkRobotScene_Release(snapshot);
    wkFreeSurroundings(&all);
    wkSetAllocator(NULL);
}

static void snapshots_do_not_change(void** unused)
{
    (void)unused;
    wkSurroundings all;
    setUp(&all, 5);
    assert_null(wkRobotScene_Acquire(all.scene));
    const wkRobotScene* kept[8];
    double digests[8];
    for (int i = 0; i < 8; ++i) {
        assert_int_equal(wkRobotScene_Publish(all.scene), wk_ok);
        kept[i] = wkRobotScene_Acquire(all.scene);
        digests[i] = digestOf(kept[i], all.state);
        char name[16];
        snprintf(name, sizeof name, "thing%d", 2 * i);
        if (i % 2 == 0) {
            assert_int_equal(wkRobotScene_Remove(all.scene, name), wk_ok);
        } else {
            assert_int_equal(
                wkRobotScene_Attach(all.scene, all.state, name, "gripper_link", NULL, 0), wk_ok);
        }
        assert_int_equal(wkRobotScene_SetPadding(all.scene, -1, 0.01 * i), wk_ok);
    }
    assert_int_equal(wkRobotScene_Remove(all.scene, "mug"), wk_ok);
    for (int i = 0; i < 8; ++i) {
        assert_true(digestOf(kept[i], all.state) == digests[i]);
        assert_int_equal(wkRobotScene_Remove((wkRobotScene*)kept[i], "hat"), wk_errorArgument);
        wkRobotScene_Release(kept[i]);
    }
    wkFreeSurroundings(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_that_changed_are_met_where_they_are),
        cmocka_unit_test(edits_that_fail_change_nothing),
        cmocka_unit_test(scenes_are_created_whole_or_not_at_all),
        cmocka_unit_test(queries_allocate_nothing),
        cmocka_unit_test(snapshots_do_not_change),
    };
    return cmocka_run_group_tests_name("robot.scene_memory", tests, NULL, NULL);
}
