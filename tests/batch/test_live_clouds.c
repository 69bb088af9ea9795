// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Batches about a scene with a live cloud: a frame makes a batch refuse, a refresh makes it answer about the new
// frame alone, and a stream that is out of date leaves nothing free.

#include "robot/stream_kit.h"

#define COUNT 96
#define POINTS 120

static wkSphereModel* fitSpheres(const wkRobot* robot)
{
    wkSphereFitDef def = wkDefaultSphereFitDef();
    def.accuracy = 0.1;
    wkSphereModel* spheres;
    assert_int_equal(wkSphereModel_Fit(robot, &def, &spheres), wk_ok);
    return spheres;
}

static void fillConfigurations(const wkRobot* robot, double* q)
{
    uint64_t seed = 77;
    int32_t length = wkRobot_Info(robot).variableCount;
    for (int i = 0; i < COUNT; ++i) {
        wkRobot_RandomConfiguration(robot, &seed, q + (ptrdiff_t)i * length);
    }
}

// Answers of the batch are those of a batch made for this frame alone, and free only where the scene says so.
static int assertLikeNew(const streamCase* c, const wkBatchDef* def, const wkBatch* batch,
                         const double* q)
{
    uint8_t verdicts[COUNT], expected[COUNT];
    wkBatch* fresh;
    assert_int_equal(wkBatch_Create(def, &fresh), wk_ok);
    assert_int_equal(wkBatch_CheckStates(batch, NULL, q, COUNT, verdicts), wk_ok);
    assert_int_equal(wkBatch_CheckStates(fresh, NULL, q, COUNT, expected), wk_ok);
    wkBatch_Destroy(fresh);
    int32_t length = wkRobot_Info(c->robot).variableCount;
    int worldCount = 0;
    for (int i = 0; i < COUNT; ++i) {
        assert_int_equal(verdicts[i], expected[i]);
        assert_int_equal(wkRobotState_Set(c->state, wkIdentityPose(), q + (ptrdiff_t)i * length),
                         wk_ok);
        wkVerdict exact = verdictOf(c->scene, c->state);
        assert_true(verdicts[i] != wk_verdictFree || exact == wk_verdictFree);
        worldCount += exact == wk_verdictWorld;
    }
    return worldCount;
}

static void batches_follow_the_frames(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(9);
    streamCase c = makeStreamCase();
    c.def.frameCount = 2;
    c.def.cloud.radius = 0.01;
    openStream(&c);
    wkBatchDef def = wkDefaultBatchDef();
    def.scene = c.scene;
    wkSphereModel* spheres = fitSpheres(c.robot);
    def.spheres = spheres;
    def.exactness = wk_exactnessFilter;
    static double q[COUNT * 32];
    fillConfigurations(c.robot, q);
    wkBatch* batch;
    assert_int_equal(wkBatch_Create(&def, &batch), wk_errorState); // no frame yet
    float points[3 * POINTS];
    int worldCount = 0;
    for (int k = 0; k < 6; ++k) {
        // the same number of points each time, so that clouds come to lie where freed ones were
        randomPoints(&rng, points, POINTS);
        wkCloudFrame frame = frameOf(points, POINTS, k);
        assert_int_equal(wkCloudStream_Push(c.stream, &frame), wk_ok);
        uint8_t verdicts[COUNT];
        if (k == 0) {
            assert_int_equal(wkBatch_Create(&def, &batch), wk_ok);
        } else {
            assert_int_equal(wkBatch_CheckStates(batch, NULL, q, COUNT, verdicts), wk_errorState);
            assert_int_equal(verdicts[0], wk_verdictInvalid);
            assert_int_equal(wkBatch_Refresh(batch), wk_ok);
        }
        worldCount += assertLikeNew(&c, &def, batch, q);
    }
    assert_true(worldCount > 0);
    assert_int_equal(wkCloudStream_Expire(c.stream, 1e6), wk_ok);
    uint8_t verdicts[COUNT];
    assert_int_equal(wkBatch_CheckStates(batch, NULL, q, COUNT, verdicts), wk_errorState);
    assert_int_equal(verdicts[COUNT - 1], wk_verdictInvalid);
    assert_int_equal(wkBatch_Refresh(batch), wk_errorState);
    assertSaid("out of date");
    assert_int_equal(wkBatch_CheckStates(batch, NULL, q, COUNT, verdicts), wk_errorState);
    wkBatch_Destroy(batch);
    wkSphereModel_Destroy(spheres);
    freeStreamCase(&c);
}

// A batch about a snapshot answers about its frames while others come.
static void batches_of_snapshots_keep_their_frame(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(10);
    streamCase c = makeStreamCase();
    openStream(&c);
    wkSphereModel* spheres = fitSpheres(c.robot);
    static double q[COUNT * 32];
    fillConfigurations(c.robot, q);
    float points[3 * POINTS];
    randomPoints(&rng, points, POINTS);
    wkCloudFrame frame = frameOf(points, POINTS, 0.0);
    assert_int_equal(wkCloudStream_Push(c.stream, &frame), wk_ok);
    const wkRobotScene* snapshot = wkRobotScene_Acquire(c.scene);
    wkBatchDef def = wkDefaultBatchDef();
    def.scene = snapshot;
    def.spheres = spheres;
    wkBatch* batch;
    assert_int_equal(wkBatch_Create(&def, &batch), wk_ok);
    uint8_t before[COUNT], after[COUNT];
    assert_int_equal(wkBatch_CheckStates(batch, NULL, q, COUNT, before), wk_ok);
    for (int k = 1; k < 8; ++k) {
        randomPoints(&rng, points, POINTS);
        frame.time = k;
        assert_int_equal(wkCloudStream_Push(c.stream, &frame), wk_ok);
    }
    assert_int_equal(wkBatch_CheckStates(batch, NULL, q, COUNT, after), wk_ok);
    assert_memory_equal(before, after, COUNT);
    wkBatch_Destroy(batch);
    wkRobotScene_Release(snapshot);
    wkSphereModel_Destroy(spheres);
    freeStreamCase(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_follow_the_frames),
        cmocka_unit_test(batches_of_snapshots_keep_their_frame),
    };
    return cmocka_run_group_tests_name("batches about live clouds", tests, NULL, NULL);
}
