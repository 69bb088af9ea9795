// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Clearance fields of points on a GPU against all points in doubles: a sphere is never free where a point touches it, and
// touches only where a point is within a stated slack; for clouds of all kinds and spheres near their points; failures of
// the GPU at every call.

#include "cuda_runtime_api.h"
#include "failing_gpu.h"
#include "gpu_field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void verdicts_are_those_of_all_points(void** state)
{
    (void)state;
    static fieldCase c;
    wkRng rng = wkMakeRng(wkKitSeed());
    openCuda(&c.cuda);
    for (int i = 0; i < wkKitCasesOfKinds(4, 1) * cloudKindCount; i++) {
        drawFieldDef(&c, &rng);
        for (int frame = 0; frame < 2; frame++) { // nothing of a frame stays
            drawFieldCloud(&c, &rng, (cloudKind)((i + frame) % cloudKindCount));
            updateField(&c);
            drawFieldSpheres(&c, &rng);
            checkFieldSpheres(&c);
            checkFieldVerdicts(&c);
            checkFieldCounts(&c);
        }
        expectSameElsewhere(&c);
        wkCudaField_Destroy(c.field);
    }
    wkCuda_Destroy(c.cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

// A field with one point in the middle.
static void openPoint(fieldCase* c)
{
    memset(c, 0, sizeof *c);
    openCuda(&c->cuda);
    c->def = wkDefaultCudaFieldDef();
    c->def.cuda = c->cuda;
    c->def.cellSize = 0.1;
    c->def.pointCapacity = 100000;
    c->def.pointBytes = (size_t)1 << 20;
    c->def.ownCapacity = MOST_OWN;
    c->longest = 2.0;
    c->count = 1;
    c->pose = wkIdentityPose();
    c->view = wkMakeCloudView(c->bytes, 1);
    assert_int_equal(wkCudaField_Create(&c->def, &c->field), wk_ok);
}

static void closePoint(fieldCase* c)
{
    wkCudaField_Destroy(c->field);
    wkCuda_Destroy(c->cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

static void expectVerdict(fieldCase* c, float x, float radius, wkVerdict expected)
{
    _Alignas(16) const float sphere[4] = {x, 0.0f, 0.0f, radius};
    uint8_t verdict = 0x55;
    assert_int_equal(wkCudaField_CheckSpheres(c->field, sphere, wk_memoryHost, 1, &verdict), wk_ok);
    assert_int_equal(verdict, expected);
}

static void nothing_is_known_without_a_frame(void** state)
{
    (void)state;
    static fieldCase c;
    openPoint(&c);
    assert_false(wkCudaField_Info(c.field).isKnown);
    expectVerdict(&c, 0.5f, 0.01f, wk_verdictWorld);
    updateField(&c);
    expectVerdict(&c, 0.5f, 0.01f, wk_verdictFree);
    expectVerdict(&c, 0.5f, 0.2f, wk_verdictFree);
    expectVerdict(&c, 0.5f, 0.21f, wk_verdictWorld); // beyond the reach
    expectVerdict(&c, 0.1f, 0.0999f, wk_verdictFree);
    expectVerdict(&c, 0.1f, 0.1f, wk_verdictWorld);
    expectVerdict(&c, 1.0f, 0.01f, wk_verdictFree);
    expectVerdict(&c, 3.0f, 0.01f, wk_verdictWorld); // beyond the region
    uint8_t verdict = 7;
    assert_int_equal(wkCudaField_CheckSpheres(c.field, NULL, wk_memoryHost, 0, &verdict), wk_ok);
    assert_int_equal(verdict, 7);

    // a frame that is refused leaves nothing known
    c.view.count = 100001;
    assert_int_equal(tryFieldUpdate(&c, &c.view, wk_memoryHost), wk_errorRange);
    assert_non_null(strstr(wkGetLastError(), "pointCapacity is 100000"));
    assert_false(wkCudaField_Info(c.field).isKnown);
    expectVerdict(&c, 0.5f, 0.01f, wk_verdictWorld);
    c.view.count = 0;
    updateField(&c);
    expectVerdict(&c, 0.0f, 0.2f, wk_verdictFree);
    closePoint(&c);
}

static void expectFrameRefused(fieldCase* c, wkResult expected, const char* words)
{
    assert_int_equal(tryFieldUpdate(c, &c->view, wk_memoryHost), expected);
    assert_non_null(strstr(wkGetLastError(), words));
    expectVerdict(c, 0.5f, 0.01f, wk_verdictWorld);
    assert_int_equal(wkCudaField_Info(c->field).pointCount, 0);
}

static void bad_frames_are_refused(void** state)
{
    (void)state;
    static fieldCase c;
    openPoint(&c);
    wkCloudView good = c.view;
    c.pose.position.x = NAN;
    expectFrameRefused(&c, wk_errorNotFinite, "pose is not finite");
    c.pose.position.x = 1e16;
    expectFrameRefused(&c, wk_errorRange, "pose.position");
    c.pose = wkIdentityPose();
    c.radius = -0.1;
    expectFrameRefused(&c, wk_errorRange, "radius is -0.1");
    c.radius = 0.0;
    c.ownCount = 4;
    expectFrameRefused(&c, wk_errorRange, "ownCount is 4");
    c.ownCount = 1;
    c.own[0].radius = NAN;
    expectFrameRefused(&c, wk_errorNotFinite, "ownSpheres[0]");
    c.own[0] = (wkSphere3d){{0.0, 0.0, INFINITY}, 0.1};
    expectFrameRefused(&c, wk_errorNotFinite, "ownSpheres[0]");
    c.ownPadding = -1.0;
    expectFrameRefused(&c, wk_errorRange, "ownPadding is -1");
    c.ownPadding = 0.0;
    c.ownCount = 0;
    c.view.xOffset = -5;
    expectFrameRefused(&c, wk_errorRange, "xOffset");
    // the first of the points with a bad radius
    c.view = good;
    c.view.count = 900;
    c.view.stride = 16;
    c.view.radiusOffset = 12;
    for (int i = 0; i < 900; i++) {
        float radius = i == 612 || i == 613 || i == 899 ? -1.0f : 0.0f;
        memcpy(c.bytes + 16 * i + 12, &radius, sizeof radius);
    }
    expectFrameRefused(&c, wk_errorRange, "point 612 ");
    assert_int_equal(wkCudaField_Update(NULL, &good, wk_memoryHost, c.pose, NULL),
                     wk_errorArgument);
    assert_int_equal(wkCudaField_Update(c.field, NULL, wk_memoryHost, c.pose, NULL),
                     wk_errorArgument);
    assert_int_equal(wkCudaField_Update(c.field, &good, (wkCudaMemory)2, c.pose, NULL),
                     wk_errorArgument);
    c.view = good;
    updateField(&c);
    expectVerdict(&c, 0.5f, 0.01f, wk_verdictFree);
    closePoint(&c);
}

static void expectSpheresRefused(wkCudaField* field, const float* spheres, wkCudaMemory memory,
                                 int64_t count, wkResult expected, const char* words)
{
    uint8_t verdict = 1;
    assert_int_equal(wkCudaField_CheckSpheres(field, spheres, memory, count, &verdict), expected);
    assert_non_null(strstr(wkGetLastError(), words));
    assert_int_equal(verdict, count > 0 ? wk_verdictUnchecked : 1);
}

static void bad_spheres_are_refused(void** state)
{
    (void)state;
    static fieldCase c;
    openPoint(&c);
    const float* s = c.spheres[0];
    expectSpheresRefused(NULL, s, wk_memoryHost, 1, wk_errorArgument, "field is NULL");
    expectSpheresRefused(c.field, NULL, wk_memoryHost, 1, wk_errorArgument, "spheres are NULL");
    expectSpheresRefused(c.field, s, (wkCudaMemory)9, 1, wk_errorArgument, "memory is 9");
    expectSpheresRefused(c.field, s, wk_memoryHost, -1, wk_errorRange, "count is -1");
    expectSpheresRefused(c.field, s + 1, wk_memoryDevice, 1, wk_errorArgument, "aligned");
    assert_int_equal(wkCudaField_CheckSpheres(c.field, s, wk_memoryHost, 1, NULL),
                     wk_errorArgument);
    closePoint(&c);
}

static void expectNoField(const wkCudaFieldDef* def, wkResult expected, const char* words)
{
    wkCudaField* field = (wkCudaField*)&field;
    assert_int_equal(wkCudaField_Create(def, &field), expected);
    assert_non_null(strstr(wkGetLastError(), words));
    assert_null(field);
}

static void bad_definitions_are_refused(void** state)
{
    (void)state;
    wkCudaFieldDef good = wkDefaultCudaFieldDef(), def = good;
    expectNoField(NULL, wk_errorArgument, "wkCudaFieldDef");
    expectNoField(&def, wk_errorArgument, "cuda is NULL");
    openCuda(&good.cuda);
    assert_int_equal(wkCudaField_Create(&good, NULL), wk_errorArgument);
    def = good;
    def.region.lower.y = NAN;
    expectNoField(&def, wk_errorNotFinite, "region");
    def = good;
    def.region.upper.z = -1.0;
    expectNoField(&def, wk_errorRange, "region");
    const double sizes[] = {-1.0, 1e-9, 2.0 / 255.0, NAN, INFINITY};
    for (int i = 0; i < 5; i++) {
        def = good;
        def.cellSize = sizes[i];
        expectNoField(&def, wk_errorRange, "cellSize");
    }
    const double reaches[] = {0.0, -1.0, 1.0, NAN, INFINITY};
    for (int i = 0; i < 5; i++) {
        def = good;
        def.reach = reaches[i];
        expectNoField(&def, wk_errorRange, "reach");
    }
    def = good;
    def.pointCapacity = 0;
    expectNoField(&def, wk_errorRange, "pointCapacity is 0");
    def = good;
    def.pointBytes = 1000;
    expectNoField(&def, wk_errorRange, "pointBytes is 1000");
    def = good;
    def.ownCapacity = -1;
    expectNoField(&def, wk_errorRange, "ownCapacity is -1");
    if (emulatedIsUsed()) {
        emulatedSetMemory((size_t)1 << 20);
        expectNoField(&good, wk_errorMemory, "bytes on the GPU");
        emulatedSetMemory((size_t)1 << 30);
    }
    wkCudaField_Destroy(NULL);
    wkCudaFieldInfo none = wkCudaField_Info(NULL);
    assert_true(!none.isKnown && none.byteCount == 0);
    wkCuda_Destroy(good.cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

// More points than a slot has, and more spheres than have verdicts at once.
static void frames_of_any_size_are_sent(void** state)
{
    (void)state;
    static fieldCase c;
    openPoint(&c);
    int32_t count = 60000;
    float(*points)[3] = malloc((size_t)count * sizeof *points);
    assert_non_null(points);
    for (int32_t i = 0; i < count; i++) {
        points[i][0] = i == count - 1 ? 0.0f : 0.6f;
        points[i][1] = points[i][2] = 0.0f;
    }
    c.view = wkMakeCloudView(points, count);
    updateField(&c);
    assert_int_equal(wkCudaField_Info(c.field).pointCount, count);
    expectVerdict(&c, 0.1f, 0.0999f, wk_verdictFree);
    expectVerdict(&c, 0.1f, 0.11f, wk_verdictWorld);
    expectVerdict(&c, 0.5f, 0.11f, wk_verdictWorld);
    expectVerdict(&c, 0.5f, 0.0999f, wk_verdictFree);
    free(points);
    closePoint(&c);
}

// Creates a field, updates it and checks spheres; every failure leaves all verdicts unchecked.
static wkResult runStory(void* context)
{
    fieldCase* c = (fieldCase*)context;
    wkCudaDef cudaDef = wkDefaultCudaDef();
    memset(c->verdicts, wk_verdictFree, sizeof c->verdicts);
    c->cuda = NULL;
    c->field = NULL;
    wkResult result = wkCuda_Create(&cudaDef, &c->cuda);
    if (result == wk_ok) {
        c->def.cuda = c->cuda;
        result = wkCudaField_Create(&c->def, &c->field);
    }
    if (result == wk_ok) {
        result = tryFieldUpdate(c, &c->view, wk_memoryHost);
    }
    if (result == wk_ok) {
        result = wkCudaField_CheckSpheres(c->field, c->spheres[0], wk_memoryHost, 20, c->verdicts);
        for (int i = 0; i < 20; i++) {
            assert_true(result == wk_ok ? isFieldVerdictRight(c, c->spheres[i], c->verdicts[i])
                                        : c->verdicts[i] == wk_verdictUnchecked);
        }
    }
    wkCudaField_Destroy(c->field);
    wkCuda_Destroy(c->cuda);
    return result;
}

static void any_call_may_fail(void** state)
{
    (void)state;
    static fieldCase c;
    wkRng rng = wkMakeRng(wkKitSeed());
    openPoint(&c);
    c.def.cellSize = 0.3;
    c.def.pointCapacity = MOST_POINTS;
    drawFieldCloud(&c, &rng, surfacePoints);
    drawFieldSpheres(&c, &rng);
    closePoint(&c);
    failEverywhere(runStory, &c);
}

static void frames_without_a_finite_point_are_refused(void** state)
{
    (void)state;
    static fieldCase c;
    openPoint(&c);
    float points[3][3] = {{NAN, 0.0f, 0.0f}, {0.0f, INFINITY, 0.0f}, {0.0f, 0.0f, NAN}};
    wkCloudView view = wkMakeCloudView(points, 3);
    wkCudaFieldRequest request = wkDefaultCudaFieldRequest();
    for (int count = 0; count <= 3; count += 3) {
        view.count = count;
        updateField(&c);
        assert_int_equal(wkCudaField_Update(c.field, &view, wk_memoryHost, c.pose, &request),
                         wk_errorArgument);
        assert_non_null(strstr(wkGetLastError(), "allowsEmpty"));
        assert_false(wkCudaField_Info(c.field).isKnown);
        expectVerdict(&c, 0.5f, 0.01f, wk_verdictWorld);
    }
    points[1][1] = 5.0f; // far away, and finite
    assert_int_equal(wkCudaField_Update(c.field, &view, wk_memoryHost, c.pose, &request), wk_ok);
    expectVerdict(&c, 0.5f, 0.01f, wk_verdictFree);
    closePoint(&c);
}

// A GPU that fails during an update leaves nothing known until the next frame.
static void a_failed_update_leaves_nothing_free(void** state)
{
    (void)state;
    static fieldCase c;
    openPoint(&c);
    wkResult result = wk_errorDevice;
    for (int call = 0; emulatedIsUsed() && result != wk_ok; call++) {
        emulatedFailCall(-1, 0, 0);
        updateField(&c);
        expectVerdict(&c, 0.5f, 0.01f, wk_verdictFree);
        emulatedFailCall(call, 700, 0);
        result = tryFieldUpdate(&c, &c.view, wk_memoryHost);
        emulatedFailCall(-1, 0, 0);
        expectVerdict(&c, 0.5f, 0.01f, result == wk_ok ? wk_verdictFree : wk_verdictWorld);
        assert_true(call < 30);
    }
    closePoint(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_those_of_all_points),
        cmocka_unit_test(nothing_is_known_without_a_frame),
        cmocka_unit_test(bad_frames_are_refused),
        cmocka_unit_test(frames_without_a_finite_point_are_refused),
        cmocka_unit_test(bad_spheres_are_refused),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(frames_of_any_size_are_sent),
        cmocka_unit_test(any_call_may_fail),
        cmocka_unit_test(a_failed_update_leaves_nothing_free),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
