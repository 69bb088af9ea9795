// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// From a depth image to verdicts in one submission: the verdicts of an update of the field and a check after it; frames
// without a point; failures of the GPU at every call.

#include "../sense/depth_kit.h"
#include "gpu_batch.h"

#include <string.h>

#define WIDTH 97
#define HEIGHT 70
#define NEAR 0.4 // metres: as far as the arm reaches
#define FAR 3.0

typedef struct frameCase {
    batchOnGpu b;
    wkTestImage room;
    wkCudaCamera* camera;
    wkCudaField* field;
    wkCudaFrame frame;
    uint8_t* found;
} frameCase;

static void makeField(const frameCase* f, wkCudaField** field)
{
    wkCudaFieldDef def = wkDefaultCudaFieldDef();
    def.cuda = f->b.cuda;
    def.region = (wkAabb){{-1.5, -1.5, -1.0}, {1.5, 1.5, 2.0}};
    def.cellSize = 0.1;
    def.reach = 0.5;
    def.pointCapacity = WIDTH * HEIGHT;
    assert_int_equal(wkCudaField_Create(&def, field), wk_ok);
}

static void openFrame(frameCase* f, uint64_t seed)
{
    memset(f, 0, sizeof *f);
    openBatch(&f->b, 0, wk_exactnessSpheres, true);
    assert_int_equal(tryGpu(&f->b), wk_ok);
    wkRng rng = wkMakeRng(seed);
    f->room = wkMakeTestImage(&rng, WIDTH, HEIGHT);
    // in front of the robot, looking at it, and with a few pixels as far away as the robot
    f->room.image.pose = wkMakePose(1.3, 0.0, 0.6);
    f->room.image.pose.rotation = (wkQuat){0.5, -0.5, -0.5, 0.5};
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        f->room.depths[i] = (float)wkRngRange(&rng, wkRngChance(&rng, 30) ? NEAR : FAR - 0.1, FAR);
    }
    wkCudaCameraDef camera = wkDefaultCudaCameraDef();
    camera.cuda = f->b.cuda;
    camera.camera = f->room.image.camera;
    assert_int_equal(wkCudaCamera_Create(&camera, &f->camera), wk_ok);
    makeField(f, &f->field);
    f->frame = wkDefaultCudaFrame();
    f->frame.field = f->field;
    f->frame.camera = f->camera;
    f->frame.image = &f->room.image;
    f->frame.points.radius = 0.02;
    f->found = (uint8_t*)malloc((size_t)f->b.count + 64);
    assert_non_null(f->found);
}

static void closeFrame(frameCase* f)
{
    free(f->found);
    wkCudaField_Destroy(f->field);
    wkCudaCamera_Destroy(f->camera);
    free(f->room.depths);
    closeGpu(&f->b);
    closeBatch(&f->b);
    assert_int_equal(emulatedByteCount(), 0);
}

static wkResult checkFrame(frameCase* f, const wkCudaStatesRequest* request)
{
    memset(f->found, 0xee, (size_t)f->b.count + 64);
    return wkCudaBatch_CheckFrame(f->b.onGpu, &f->frame, f->b.c.rows, f->b.count, request,
                                  f->found);
}

// Fails unless all verdicts are unchecked and nothing is known of the field.
static void expectNothing(const frameCase* f)
{
    for (int32_t i = 0; i < f->b.count; i++) {
        assert_int_equal(f->found[i], wk_verdictUnchecked);
    }
    assert_false(wkCudaField_Info(f->field).isKnown);
}

// Takes the verdicts of two calls for those that are expected.
// @return how many the points change
static int expectTwoCalls(frameCase* f)
{
    wkCudaStatesRequest request = wkDefaultCudaStatesRequest();
    request.fields = &f->field;
    request.fieldCount = 1;
    uint8_t* before = (uint8_t*)malloc((size_t)f->b.count);
    assert_non_null(before);
    memcpy(before, f->b.expected, (size_t)f->b.count);
    assert_int_equal(wkCudaField_UpdateFromDepth(f->field, f->camera, &f->room.image, wk_memoryHost,
                                                 &f->frame.points),
                     wk_ok);
    assert_int_equal(
        wkCudaBatch_CheckStates(f->b.onGpu, f->b.c.rows, f->b.count, &request, f->b.expected),
        wk_ok);
    int changed = 0;
    for (int32_t i = 0; i < f->b.count; i++) {
        changed += before[i] == wk_verdictFree && f->b.expected[i] == wk_verdictWorld;
    }
    free(before);
    return changed;
}

static void one_submission_gives_the_verdicts_of_two(void** state)
{
    (void)state;
    static frameCase f;
    int changed = 0;
    for (int i = 0; i < wkKitCases(3); i++) {
        openFrame(&f, wkKitSeed() + (uint64_t)i);
        changed += expectTwoCalls(&f);
        wkCudaFieldInfo info = wkCudaField_Info(f.field);
        wkCudaFieldRequest none = f.frame.points;
        none.allowsEmpty = true;
        wkCloudView empty = wkMakeCloudView(f.room.depths, 0);
        assert_int_equal(
            wkCudaField_Update(f.field, &empty, wk_memoryHost, wkIdentityPose(), &none), wk_ok);
        assert_int_equal(checkFrame(&f, NULL), wk_ok);
        compareVerdicts(&f.b, f.found, false);
        assert_int_equal(wkCudaField_Info(f.field).pointCount, info.pointCount);
        wkCudaStatesRequest request = wkDefaultCudaStatesRequest();
        request.asBits = true;
        assert_int_equal(checkFrame(&f, &request), wk_ok);
        compareVerdicts(&f.b, f.found, true);

        // beside another field, which nothing is known of
        wkCudaField* other = NULL;
        makeField(&f, &other);
        request = wkDefaultCudaStatesRequest();
        request.fields = &other;
        request.fieldCount = 1;
        assert_int_equal(checkFrame(&f, &request), wk_ok);
        for (int32_t k = 0; k < f.b.count; k++) {
            assert_int_not_equal(f.found[k], wk_verdictFree);
        }
        wkCudaField_Destroy(other);
        closeFrame(&f);
    }
    assert_true(changed > 0);
}

static void frames_that_are_refused_leave_nothing_free(void** state)
{
    (void)state;
    static frameCase f;
    openFrame(&f, wkKitSeed());
    const wkCudaFrame good = f.frame;
    wkCudaStatesRequest request = wkDefaultCudaStatesRequest();
    assert_int_equal(checkFrame(&f, NULL), wk_ok);
    assert_int_equal(wkCudaBatch_CheckFrame(f.b.onGpu, NULL, f.b.c.rows, f.b.count, NULL, f.found),
                     wk_errorArgument);
    f.frame.field = NULL;
    assert_int_equal(checkFrame(&f, NULL), wk_errorArgument);
    assert_non_null(strstr(wkGetLastError(), "field of the frame is NULL"));
    f.frame = good;
    request.fields = &f.field;
    request.fieldCount = 1;
    assert_int_equal(checkFrame(&f, &request), wk_errorArgument);
    assert_non_null(strstr(wkGetLastError(), "fields[0] is that of the frame"));
    request.fieldCount = 4;
    assert_int_equal(checkFrame(&f, &request), wk_errorRange);
    f.frame.points.radius = NAN;
    assert_int_equal(checkFrame(&f, NULL), wk_errorRange);
    expectNothing(&f);

    // a covered lens
    f.frame = good;
    memset(f.room.depths, 0, WIDTH * HEIGHT * sizeof(float));
    assert_int_equal(checkFrame(&f, NULL), wk_errorArgument);
    assert_non_null(strstr(wkGetLastError(), "allowsEmpty"));
    expectNothing(&f);
    f.frame.points.allowsEmpty = true;
    assert_int_equal(checkFrame(&f, NULL), wk_ok);
    assert_true(wkCudaField_Info(f.field).isKnown);
    closeFrame(&f);
}

static void a_frame_that_fails_leaves_nothing_free(void** state)
{
    (void)state;
    static frameCase f;
    openFrame(&f, wkKitSeed());
    f.b.count = 40;
    wkResult result = wk_errorDevice;
    for (int call = 0; emulatedIsUsed() && result != wk_ok; call++) {
        emulatedFailCall(call, 700, 0);
        result = checkFrame(&f, NULL);
        emulatedFailCall(-1, 0, 0);
        if (result != wk_ok) {
            assert_int_equal(result, wk_errorDevice);
            expectNothing(&f);
        }
        assert_true(call < 80);
    }
    closeFrame(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_submission_gives_the_verdicts_of_two),
        cmocka_unit_test(frames_that_are_refused_leave_nothing_free),
        cmocka_unit_test(a_frame_that_fails_leaves_nothing_free),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
