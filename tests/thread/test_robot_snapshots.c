// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One thread changes a scene with a robot and publishes it; others check configurations and motions on
// snapshots. Every snapshot is whole: its objects stand where one round of changes put them.

#include "kit.h"
#include "robot_readers.h"

#include <stdio.h>

#define OBJECT_COUNT 30
#define ROUND_COUNT 40

// In even rounds all objects are far above the robot, in odd ones in its middle; what is held is not
// looked at.
static wkPose poseIn(int round, int object)
{
    return wkMakePose(0.001 * object, 0.0, round % 2 == 0 ? 50.0 : 0.4);
}

static long checkSnapshot(const wkRobotScene* snapshot, wkRobotState* state)
{
    long brokenCount = 0;
    int32_t count = wkRobotScene_Count(snapshot);
    double height = wkRobotScene_Object(snapshot, 0).pose.position.z;
    for (int32_t i = 0; i < count; ++i) {
        wkRobotObjectInfo object = wkRobotScene_Object(snapshot, i);
        bool isRight = object.link >= 0 || object.pose.position.z == height;
        brokenCount += isRight ? 0 : 1;
    }
    static _Thread_local wkRobotContact contacts[OBJECT_COUNT * 64];
    wkRobotRequest request = wkDefaultRobotRequest();
    request.checksSelf = false;
    request.contacts = contacts;
    request.contactCapacity = OBJECT_COUNT * 64;
    wkRobotCheckResult check = wkRobotScene_Check(snapshot, state, &request);
    brokenCount += (check.contactCount > 0) == (height < 10.0) ? 0 : 1;
    for (int32_t i = 0; i < check.contactCount; ++i) {
        brokenCount += contacts[i].b.index >= 0 && contacts[i].b.index < count ? 0 : 1;
    }
    wkRobotClearanceResult clearance = wkRobotScene_Clearance(snapshot, state, NULL, NULL, NULL);
    return brokenCount + (clearance.distance == clearance.distance ? 0 : 1);
}

static long readScene(void* context, int reader)
{
    const robotReaders* r = (const robotReaders*)context;
    const wkRobotScene* snapshot = wkRobotScene_Acquire(r->built.scene);
    long brokenCount = checkSnapshot(snapshot, r->states[reader]);
    wkRobotScene_Release(snapshot);
    return brokenCount;
}

static void changeAll(wkRobotScene* scene, const wkRobotState* state, int round)
{
    char name[32];
    for (int i = 0; i < OBJECT_COUNT; ++i) {
        snprintf(name, sizeof name, "thing%d", i);
        if (i > 0 && i == round % OBJECT_COUNT) {
            assert_int_equal(wkRobotScene_Attach(scene, state, name, "gripper_link", NULL, 0),
                             wk_ok);
        }
        int32_t number = wkRobotScene_Find(scene, name);
        if (wkRobotScene_Object(scene, number).link >= 0 && i == (round - 1) % OBJECT_COUNT) {
            assert_int_equal(wkRobotScene_Detach(scene, state, name), wk_ok);
        }
        if (wkRobotScene_Object(scene, number).link < 0) {
            assert_int_equal(wkRobotScene_Move(scene, name, poseIn(round, i)), wk_ok);
        }
    }
    assert_int_equal(wkRobotScene_Publish(scene), wk_ok);
}

static void readers_see_whole_snapshots(void** unused)
{
    (void)unused;
    robotReaders r = makeRobotReaders();
    const wkRobotState* state = r.built.state;
    for (int i = 0; i < OBJECT_COUNT; ++i) {
        char name[32];
        snprintf(name, sizeof name, "thing%d", i);
        wkShape shape = wkMakeSphere(0.1);
        wkRobotObjectDef object = wkDefaultRobotObjectDef();
        object.name = name;
        object.shapes = &shape;
        object.shapeCount = 1;
        object.pose = poseIn(0, i);
        assert_int_equal(wkRobotScene_Add(r.built.scene, &object), wk_ok);
    }
    changeAll(r.built.scene, state, 0);
    wkReaders_Start(&r.readers, readScene, &r);
    for (int round = 1; round <= ROUND_COUNT; ++round) {
        changeAll(r.built.scene, state, round);
        wkPause(0.01);
    }
    wkReaders_Stop(&r.readers);
    freeRobotReaders(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_see_whole_snapshots),
    };
    return cmocka_run_group_tests_name("snapshots of robot scenes", tests, NULL, NULL);
}
