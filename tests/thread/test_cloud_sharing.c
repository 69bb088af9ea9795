// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Frames become clouds, on threads of the library, while other threads ask about older clouds: all get the bits that
// one thread alone gets.

#include "crowd.h"
#include "kit.h"

#include "whisker/cloud.h"
#include "whisker/query.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define POINTS 70000 // several chunks of every loop
#define QUESTIONS 211

static float frame[POINTS][4];

static wkCloudDef makeDef(const wkParallel* parallel)
{
    wkCloudDef def = wkDefaultCloudDef();
    def.points = wkMakeCloudView(frame, POINTS);
    def.points.stride = sizeof frame[0];
    def.radius = 0.01;
    def.parallel = parallel;
    return def;
}

static wkDistanceResult ask(const wkCloud* cloud, int index)
{
    wkShape shape = wkMakeCloud(cloud), box = wkMakeBox(0.1, 0.2, 0.1 + 0.001 * index);
    wkPose pose = wkMakePose(0.01 * (index - QUESTIONS / 2), 0.3, 0.05 * (index % 7));
    return wkDistance(&box, pose, &shape, wkIdentityPose(), NULL);
}

typedef struct questions {
    const wkCloud* cloud;
    wkDistanceResult expected[QUESTIONS];
} questions;

static bool isSameAgain(const void* given, int index)
{
    const questions* q = given;
    wkDistanceResult found = ask(q->cloud, index);
    return found.distance == q->expected[index].distance && found.partB == q->expected[index].partB;
}

typedef struct camera {
    const wkCloud* first;
    atomic_bool isStopping;
    int differing; // frames with other bytes
} camera;

// Makes clouds of the same frame until it is stopped, each with another number of threads.
static void* takeFrames(void* context)
{
    camera* c = context;
    for (int n = 0; n == 0 || !atomic_load(&c->isStopping); n++) {
        wkParallel parallel = {.threadCount = 1 + n % 3};
        wkCloudDef def = makeDef(&parallel);
        wkCloud* cloud = NULL;
        bool isSame = wkCloud_Create(&def, &cloud) == wk_ok &&
                      memcmp(wkCloud_Block(cloud), wkCloud_Block(c->first),
                             wkCloud_Info(c->first).byteCount) == 0;
        c->differing += isSame ? 0 : 1;
        wkCloud_Destroy(cloud);
    }
    return NULL;
}

static void frames_arrive_while_others_ask(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < POINTS; i++) {
        for (int k = 0; k < 3; k++) {
            frame[i][k] = (float)wkRngRange(&rng, -1.0, 1.0);
        }
    }
    wkCloudDef def = makeDef(NULL);
    wkCloud* cloud = NULL;
    assert_int_equal(wkCloud_Create(&def, &cloud), wk_ok);
    static questions q;
    q.cloud = cloud;
    for (int i = 0; i < QUESTIONS; i++) {
        q.expected[i] = ask(cloud, i);
    }
    camera c = {.first = cloud};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, takeFrames, &c), 0);
    assert_int_equal(wkAskInCrowd(isSameAgain, &q, QUESTIONS), 0);
    atomic_store(&c.isStopping, true);
    pthread_join(thread, NULL);
    assert_int_equal(c.differing, 0);
    wkCloud_Destroy(cloud);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_arrive_while_others_ask),
    };
    int failed = cmocka_run_group_tests_name("threads and clouds", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
