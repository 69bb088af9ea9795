// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One thread changes a scene with a robot and publishes it; others check configurations and motions on
// snapshots. Every snapshot is whole: its objects stand where one round of changes put them.

#include "kit.h"

#include "whisker/robot_scene.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#define READER_COUNT 3
#define OBJECT_COUNT 30
#define ROUND_COUNT 40

typedef struct job {
    const wkRobotScene* scene;
    atomic_bool* isOver;
    long queryCount;
    long brokenCount;
} job;

// In even rounds all objects are far above the robot, in odd ones in its middle; what is held is not
// looked at.
static wkPose poseIn(int round, int object)
{
    return wkMakePose(0.001 * object, 0.0, round % 2 == 0 ? 50.0 : 0.4);
}

static void checkOnce(job* j, const wkRobotScene* snapshot, wkRobotState* state)
{
    int32_t count = wkRobotScene_Count(snapshot);
    double height = wkRobotScene_Object(snapshot, 0).pose.position.z;
    for (int32_t i = 0; i < count; ++i) {
        wkRobotObjectInfo object = wkRobotScene_Object(snapshot, i);
        bool isRight = object.link >= 0 || object.pose.position.z == height;
        j->brokenCount += isRight ? 0 : 1;
    }
    static _Thread_local wkRobotContact contacts[OBJECT_COUNT * 64];
    wkRobotRequest request = wkDefaultRobotRequest();
    request.checksSelf = false;
    request.contacts = contacts;
    request.contactCapacity = OBJECT_COUNT * 64;
    wkRobotCheckResult check = wkRobotScene_Check(snapshot, state, &request);
    j->brokenCount += (check.contactCount > 0) == (height < 10.0) ? 0 : 1;
    for (int32_t i = 0; i < check.contactCount; ++i) {
        j->brokenCount += contacts[i].b.index >= 0 && contacts[i].b.index < count ? 0 : 1;
    }
    wkRobotClearanceResult clearance = wkRobotScene_Clearance(snapshot, state, NULL, NULL, NULL);
    j->brokenCount += clearance.distance == clearance.distance ? 0 : 1;
}

static void* readScene(void* argument)
{
    job* j = (job*)argument;
    wkRobotState* state;
    if (wkRobotState_Create(wkRobotScene_Robot(j->scene), &state) != wk_ok) {
        ++j->brokenCount;
        return NULL;
    }
    while (!atomic_load(j->isOver)) {
        const wkRobotScene* snapshot = wkRobotScene_Acquire(j->scene);
        checkOnce(j, snapshot, state);
        wkRobotScene_Release(snapshot);
        ++j->queryCount;
    }
    wkRobotState_Destroy(state);
    return NULL;
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
    wkRobot* robot;
    wkRobotScene* scene;
    wkRobotState* state;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = robot;
    assert_int_equal(wkRobotScene_Create(&def, &scene), wk_ok);
    assert_int_equal(wkRobotState_Create(robot, &state), wk_ok);
    for (int i = 0; i < OBJECT_COUNT; ++i) {
        char name[32];
        snprintf(name, sizeof name, "thing%d", i);
        wkShape shape = wkMakeSphere(0.1);
        wkRobotObjectDef object = wkDefaultRobotObjectDef();
        object.name = name;
        object.shapes = &shape;
        object.shapeCount = 1;
        object.pose = poseIn(0, i);
        assert_int_equal(wkRobotScene_Add(scene, &object), wk_ok);
    }
    changeAll(scene, state, 0);
    atomic_bool isOver;
    atomic_init(&isOver, false);
    pthread_t threads[READER_COUNT];
    job jobs[READER_COUNT];
    for (int i = 0; i < READER_COUNT; ++i) {
        jobs[i] = (job){.scene = scene, .isOver = &isOver};
        assert_int_equal(pthread_create(&threads[i], NULL, readScene, &jobs[i]), 0);
    }
    for (int round = 1; round <= ROUND_COUNT; ++round) {
        changeAll(scene, state, round);
        struct timespec pause = {0, 10000000L};
        nanosleep(&pause, NULL);
    }
    atomic_store(&isOver, true);
    for (int i = 0; i < READER_COUNT; ++i) {
        pthread_join(threads[i], NULL);
        assert_true(jobs[i].queryCount > 0);
        assert_int_equal(jobs[i].brokenCount, 0);
    }
    wkRobotState_Destroy(state);
    wkRobotScene_Destroy(scene);
    wkRobot_Destroy(robot);
    assert_int_equal(wkGetByteCount(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_see_whole_snapshots),
    };
    return cmocka_run_group_tests_name("snapshots of robot scenes", tests, NULL, NULL);
}
