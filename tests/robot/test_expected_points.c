// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Points that a scene explains, and unexpected ones that become an object.

#include "builtin_scene.h"
#include "cases.h"
#include "memory/fail_every.h"
#include "memory/malloc_hook.h"
#include "plain.h"
#include "robot_kit.h"

#include "whisker/expected_points.h"

#include <math.h>

#define SEED 20260119u
#define POINTS 700
#define TOLERANCE 0.03

static float points[3 * POINTS];
static int32_t labels[POINTS];

static bool isNear(const wkShape* shape, wkPose pose, wkVec3d point)
{
    double d = wkShape_PointDistance(shape, pose, point);
    bool isMeasured = shape->type == wk_shapeOctree || shape->type == wk_shapeCloud;
    return d <= TOLERANCE && (isMeasured || d >= -TOLERANCE);
}

static wkPose objectPose(const wkSurroundings* all, int object)
{
    wkRobotObjectInfo info = wkRobotScene_Object(all->scene, object);
    return info.link < 0 ? info.pose
                         : wkMulPose(wkRobotState_LinkPose(all->state, info.link), info.pose);
}

static bool isOnObject(const wkSurroundings* all, int object, wkVec3d point)
{
    for (int i = 0; i < wkRobotScene_Object(all->scene, object).shapeCount; i++) {
        wkPose pose = wkIdentityPose();
        const wkShape* shape = wkRobotScene_ObjectShape(all->scene, object, i, &pose);
        if (isNear(shape, wkMulPose(objectPose(all, object), pose), point)) {
            return true;
        }
    }
    return false;
}

static bool isOnRobot(const wkSurroundings* all, wkVec3d point)
{
    for (int i = 0; i < wkRobot_Info(all->robot).bodyCount; i++) {
        if (isNear(wkRobot_Body(all->robot, i).shape, wkRobotState_BodyPose(all->state, i),
                   point)) {
            return true;
        }
    }
    return false;
}

static int32_t expectedLabel(const wkSurroundings* all, wkVec3d point)
{
    if (isOnRobot(all, point)) {
        return wk_pointRobot;
    }
    for (int i = 0; i < wkRobotScene_Count(all->scene); i++) {
        bool isKnown = strcmp(wkRobotScene_Object(all->scene, i).category, "unknown") != 0;
        if (isKnown && isOnObject(all, i, point)) {
            return wk_pointObject + i;
        }
    }
    return wk_pointUnexpected;
}

// Some in the room, some near objects or links, some not finite.
static void drawPoints(const wkSurroundings* all, wkRng* rng)
{
    for (int i = 0; i < POINTS; i++) {
        wkVec3d p = {wkRngRange(rng, -2.0, 2.0), wkRngRange(rng, -2.0, 2.0),
                     wkRngRange(rng, -0.2, 2.0)};
        if (i % 3 == 1 && wkRobotScene_Count(all->scene) > 0) {
            p = objectPose(all, wkRngBelow(rng, wkRobotScene_Count(all->scene))).position;
        } else if (i % 3 == 2) {
            int link = wkRngBelow(rng, wkRobot_Info(all->robot).linkCount);
            p = wkRobotState_LinkPose(all->state, link).position;
        }
        p = wkSceneAdd(p, wkSceneScale(wkRngDirection(rng), wkRngRange(rng, 0.0, 0.3)));
        points[3 * i] = (float)p.x;
        points[3 * i + 1] = i % 50 == 49 ? NAN : (float)p.y;
        points[3 * i + 2] = (float)p.z;
    }
}

static wkExpectRequest makeRequest(void)
{
    wkExpectRequest request = wkDefaultExpectRequest();
    request.points.data = points;
    request.points.count = POINTS;
    request.tolerance = TOLERANCE;
    return request;
}

static void labels_are_those_of_all_shapes(void** state)
{
    (void)state;
    int counts[3] = {0, 0, 0}; // robot, object, unexpected
    for (int kind = 0; kind < WK_SURROUNDINGS_COUNT; kind++) {
        wkSurroundings all;
        wkMakeSurroundings(&wkSurroundingsKinds[kind], SEED + (uint64_t)kind, &all);
        wkRng rng = wkMakeRng(SEED + (uint64_t)kind);
        for (int n = 0; n < WK_CASES(5); n++) {
            wkPlaceAtRandom(&all);
            drawPoints(&all, &rng);
            wkExpectRequest request = makeRequest();
            wkExpectInfo info;
            wkResult result =
                wkRobotScene_FindExpected(all.scene, all.state, &request, labels, &info);
            assert_int_equal(result, wk_ok);
            for (int i = 0; i < POINTS; i++) {
                wkVec3d p = {(double)points[3 * i], (double)points[3 * i + 1],
                             (double)points[3 * i + 2]};
                int32_t expected = i % 50 == 49 ? wk_pointNotFinite : expectedLabel(&all, p);
                if (labels[i] != expected) {
                    fail_msg("%s: point %d has label %d, expected %d",
                             wkSurroundingsKinds[kind].name, i, (int)labels[i], (int)expected);
                }
            }
            assert_int_equal(info.notFiniteCount, POINTS / 50);
            assert_int_equal(info.robotCount + info.objectCount + info.attachedCount +
                                 info.unexpectedCount + info.notFiniteCount,
                             POINTS);
            counts[0] += info.robotCount;
            counts[1] += info.objectCount;
            counts[2] += info.unexpectedCount;
        }
        wkFreeSurroundings(&all);
    }
    assert_true(counts[0] > 100 && counts[1] > 100 && counts[2] > 100);
}

// The loop of a monitor: what is new becomes an object that the robot must avoid.
static void unexpected_points_become_an_object(void** state)
{
    (void)state;
    wkBuiltInScene made = wkMakeBuiltInScene();
    wkRobotScene* scene = made.scene;
    wkRobotState* placed = made.state;
    assert_int_equal(wkAddSphere(scene, "known", 0.1, wkMakePose(2.0, 0.0, 0.5)), wk_ok);
    assert_int_equal(wkRobotScene_SetCategory(scene, "unknown", 0.25), wk_ok);
    // one point on the known sphere, and one 0.2 m in front of the base, in a frame of its own
    const double given[] = {1.0, 0.1, 0.0, -0.53, 0.0, -0.3};
    wkExpectRequest request = wkDefaultExpectRequest();
    request.points.data = given;
    request.points.count = 2;
    request.points.isDouble = true;
    request.pose = wkMakePose(1.0, 0.0, 0.5);
    wkExpectInfo info;
    wkResult result = wkRobotScene_ReplaceUnexpected(scene, placed, &request, "new", 0.001, &info);
    if (result != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    assert_true(info.objectCount == 1 && info.unexpectedCount == 1);
    wkRobotObjectInfo object = wkRobotScene_Object(scene, wkRobotScene_Find(scene, "new"));
    assert_string_equal(object.category, "unknown");
    wkPose inObject;
    const wkShape* shape =
        wkRobotScene_ObjectShape(scene, wkRobotScene_Find(scene, "new"), 0, &inObject);
    wkCloudPoint point = wkCloud_Point(shape->cloud, 0);
    assert_int_equal(point.index, 1);
    wkVec3d world = wkTransformPoint(object.pose, point.position);
    assert_true(fabs(world.x - 0.47) < 1e-6 && fabs(world.z - 0.2) < 1e-6);
    wkRobotRequest check = wkDefaultRobotRequest();
    check.checksSelf = false;
    wkRobotCheckResult checked = wkRobotScene_Check(scene, placed, &check);
    assert_int_equal(checked.verdict, wk_verdictWorld);
    assert_string_equal(checked.first.b.name, "new");

    // the next frame has nothing new: the object stays, without points, and is not explained by itself before
    assert_int_equal(wkRobotScene_FindExpected(scene, placed, &request, labels, NULL), wk_ok);
    assert_int_equal(labels[1], wk_pointUnexpected);
    request.points.count = 1;
    assert_int_equal(wkRobotScene_ReplaceUnexpected(scene, placed, &request, "new", 0.0, &info),
                     wk_ok);
    assert_int_equal(info.unexpectedCount, 0);
    assert_int_equal(wkRobotScene_Check(scene, placed, &check).verdict, wk_verdictFree);
    wkFreeBuiltInScene(&made);
}

// Threads label points of their own.
static void threads_give_the_same_labels(void** state)
{
    (void)state;
    enum {
        MANY = 20000
    };
    static float many[3 * MANY];
    static int32_t alone[MANY], shared[MANY];
    wkSurroundings all;
    wkMakeSurroundings(&wkSurroundingsKinds[0], SEED, &all);
    wkRng rng = wkMakeRng(SEED);
    for (int i = 0; i < 3 * MANY; i++) {
        many[i] = (float)wkRngRange(&rng, -1.0, 1.0);
    }
    wkExpectRequest request = makeRequest();
    request.points.data = many;
    request.points.count = MANY;
    wkExpectInfo infos[2];
    assert_int_equal(wkRobotScene_FindExpected(all.scene, all.state, &request, alone, &infos[0]),
                     wk_ok);
    wkParallel parallel = {.threadCount = 3};
    request.parallel = &parallel;
    assert_int_equal(wkRobotScene_FindExpected(all.scene, all.state, &request, shared, &infos[1]),
                     wk_ok);
    assert_memory_equal(alone, shared, sizeof alone);
    assert_memory_equal(&infos[0], &infos[1], sizeof infos[0]);
    wkFreeSurroundings(&all);
}

static wkSurroundings failingScene;

static wkResult replaceOnce(void)
{
    wkExpectRequest request = makeRequest();
    wkRobotScene* scene = NULL;
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = failingScene.robot;
    wkResult result = wkRobotScene_Create(&def, &scene);
    if (result == wk_ok) {
        result =
            wkRobotScene_ReplaceUnexpected(scene, failingScene.state, &request, "new", 0.0, NULL);
        assert_int_equal(wkRobotScene_Count(scene), result == wk_ok ? 1 : 0);
    }
    wkRobotScene_Destroy(scene);
    return result;
}

static void memory_is_checked(void** state)
{
    (void)state;
    wkMakeSurroundings(&wkSurroundingsKinds[0], SEED, &failingScene);
    wkRng rng = wkMakeRng(SEED);
    drawPoints(&failingScene, &rng);
    assert_true(failEveryAllocation(replaceOnce) > 5);
    wkExpectRequest request = makeRequest();
    long before = wkMallocCalls();
    wkRobotScene_FindExpected(failingScene.scene, failingScene.state, &request, labels, NULL);
    assert_int_equal(wkMallocCalls(), before);
    wkFreeSurroundings(&failingScene);
}

static void bad_requests_label_nothing(void** state)
{
    (void)state;
    wkSurroundings all;
    wkMakeSurroundings(&wkSurroundingsKinds[0], SEED, &all);
    wkExpectRequest requests[6];
    for (int i = 0; i < 6; i++) {
        requests[i] = makeRequest();
    }
    requests[0].tolerance = -1.0;
    requests[1].tolerance = NAN;
    requests[2].unknownCategory = NULL;
    requests[3].points.data = NULL;
    requests[4].pose.position.x = INFINITY;
    requests[5].points.xOffset = -5;
    for (int i = 0; i < 6; i++) {
        labels[0] = wk_pointNone;
        assert_int_not_equal(
            wkRobotScene_FindExpected(all.scene, all.state, &requests[i], labels, NULL), wk_ok);
        assert_int_equal(labels[0], wk_pointNone);
        assert_int_not_equal(
            wkRobotScene_ReplaceUnexpected(all.scene, all.state, &requests[i], "new", 0.0, NULL),
            wk_ok);
        assert_int_equal(wkRobotScene_Find(all.scene, "new"), -1);
    }
    wkExpectRequest good = makeRequest();
    assert_int_equal(wkRobotScene_FindExpected(all.scene, NULL, &good, labels, NULL),
                     wk_errorState);
    assert_int_equal(wkRobotScene_FindExpected(all.scene, all.state, &good, NULL, NULL),
                     wk_errorArgument);
    assert_int_not_equal(
        wkRobotScene_ReplaceUnexpected(all.scene, all.state, &good, NULL, 0.0, NULL), wk_ok);
    assert_int_not_equal(
        wkRobotScene_ReplaceUnexpected(all.scene, all.state, &good, "new", -1.0, NULL), wk_ok);
    wkFreeSurroundings(&all);
}

static wkResult replace(wkSurroundings* all, const wkExpectRequest* request, const char* name)
{
    return wkRobotScene_ReplaceUnexpected(all->scene, all->state, request, name, 0.01, NULL);
}

// A sensor that sees nothing must not clear what it saw before, nor may a wrong name remove a wall.
static void blind_frames_and_known_objects_change_nothing(void** state)
{
    (void)state;
    wkSurroundings all;
    wkMakeSurroundings(&wkSurroundingsKinds[0], SEED, &all);
    wkRng rng = wkMakeRng(SEED);
    drawPoints(&all, &rng);
    wkExpectRequest request = makeRequest();
    assert_int_equal(replace(&all, &request, "new"), wk_ok);
    int32_t before = wkRobotScene_Find(all.scene, "new");
    const wkShape* shape = wkRobotScene_ObjectShape(all.scene, before, 0, NULL);
    assert_true(wkCloud_Info(shape->cloud).pointCount > 0);
    static float blind[30];
    for (int i = 0; i < 30; i++) {
        blind[i] = NAN;
    }
    wkExpectRequest covered = makeRequest();
    covered.points = wkMakeCloudView(blind, 10);
    assert_int_equal(replace(&all, &covered, "new"), wk_errorArgument);
    assert_non_null(strstr(wkGetLastError(), "none of 10 points is finite"));
    covered.points.count = 0;
    assert_int_equal(replace(&all, &covered, "new"), wk_errorArgument);
    shape = wkRobotScene_ObjectShape(all.scene, before, 0, NULL);
    assert_true(wkCloud_Info(shape->cloud).pointCount > 0);
    covered.allowsEmpty = true;
    assert_int_equal(replace(&all, &covered, "new"), wk_ok);

    const char* known = wkRobotScene_Object(all.scene, 0).name;
    assert_int_equal(replace(&all, &request, known), wk_errorArgument);
    assert_non_null(strstr(wkGetLastError(), "is of category"));
    assert_int_equal(wkRobotScene_SetStale(all.scene, known, true), wk_ok);
    assert_int_equal(replace(&all, &request, "new"), wk_errorState);
    assert_non_null(strstr(wkGetLastError(), "is out of date"));
    wkFreeSurroundings(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_those_of_all_shapes),
        cmocka_unit_test(unexpected_points_become_an_object),
        cmocka_unit_test(threads_give_the_same_labels),
        cmocka_unit_test(memory_is_checked),
        cmocka_unit_test(blind_frames_and_known_objects_change_nothing),
        cmocka_unit_test(bad_requests_label_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
