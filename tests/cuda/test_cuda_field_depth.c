// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Depth images into a clearance field on a GPU: the field of their points, without those of the robot itself; failures of
// the GPU at every call.

#include "../sense/depth_kit.h"
#include "emulated_calls.h"
#include "gpu_field.h"

#include <string.h>

// A field of the points of a camera, and the image.
typedef struct depthCase {
    fieldCase c;
    wkTestImage room;
    wkPixelRequest pixels;
    wkCudaCamera* camera;
    float points[97 * 70][3]; // of the CPU
    int32_t index[97 * 70];
} depthCase;

static void openDepth(depthCase* d, wkRng* rng)
{
    memset(d, 0, sizeof *d);
    fieldCase* c = &d->c;
    openCuda(&c->cuda);
    d->room = wkMakeTestImage(rng, 97, 70);
    d->pixels = wkDefaultPixelRequest();
    d->pixels.step = 1 + wkRngBelow(rng, 2);
    wkCudaCameraDef def = wkDefaultCudaCameraDef();
    def.cuda = c->cuda;
    def.camera = d->room.image.camera;
    def.pixels = d->pixels;
    assert_int_equal(wkCudaCamera_Create(&def, &d->camera), wk_ok);
    drawFieldDef(c, rng);
    wkCudaField_Destroy(c->field);
    // around a point in the image
    wkVec3d p = wkTransformPoint(d->room.image.pose, (wkVec3d){0.0, 0.0, 1.0});
    c->def.region.lower = (wkVec3d){p.x - 0.5, p.y - 0.6, p.z - 0.7};
    c->def.region.upper = (wkVec3d){p.x + 0.5, p.y + 0.6, p.z + 0.7};
    c->def.cellSize = 0.05;
    c->def.reach = 0.2;
    c->def.pointCapacity = 97 * 70;
    assert_int_equal(wkCudaField_Create(&c->def, &c->field), wk_ok);
    c->longest = 1.4;
    c->pose = d->room.image.pose;
    c->radius = 0.01;
    c->own[0] = (wkSphere3d){p, 0.3};
    c->ownCount = 1;
    c->count = wkDepthImage_Points(&d->room.image, &d->pixels, d->points[0], d->index, 97 * 70);
    c->view = wkMakeCloudView(d->points, c->count);
}

static void closeDepth(depthCase* d)
{
    wkCudaField_Destroy(d->c.field);
    wkCudaCamera_Destroy(d->camera);
    wkCuda_Destroy(d->c.cuda);
    free(d->room.depths);
    assert_int_equal(emulatedByteCount(), 0);
}

static wkResult updateFromDepth(depthCase* d, wkCudaMemory memory)
{
    wkCudaFieldRequest request = fieldRequestOf(&d->c);
    return wkCudaField_UpdateFromDepth(d->c.field, d->camera, &d->room.image, memory, &request);
}

static void depth_images_are_their_points(void** state)
{
    (void)state;
    static depthCase d;
    static uint8_t expected[MOST_SPHERES];
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < wkKitCases(6); i++) {
        openDepth(&d, &rng);
        for (int32_t k = 0; k < MOST_SPHERES; k++) {
            wkVec3d at = drawInRegion(&d.c.def.region, &rng, 0.0);
            float sphere[4] = {(float)at.x, (float)at.y, (float)at.z,
                               (float)wkRngRange(&rng, 0.0, 0.2)};
            memcpy(d.c.spheres[k], sphere, sizeof sphere);
        }
        updateField(&d.c);
        checkFieldSpheres(&d.c);
        memcpy(expected, d.c.verdicts, sizeof expected);
        wkCudaFieldInfo byPoints = wkCudaField_Info(d.c.field);
        assert_int_equal(updateFromDepth(&d, wk_memoryHost), wk_ok);
        checkFieldSpheres(&d.c);
        assert_memory_equal(expected, d.c.verdicts, sizeof expected);
        wkCudaFieldInfo info = wkCudaField_Info(d.c.field);
        assert_int_equal(info.pointCount, byPoints.pointCount);
        assert_int_equal(info.ownCount, byPoints.ownCount);
        assert_int_equal(info.beyondCount, byPoints.beyondCount);

        // an image of another camera is refused, and nothing is known
        d.room.image.camera.fx += 1.0;
        assert_int_equal(updateFromDepth(&d, wk_memoryHost), wk_errorArgument);
        assert_non_null(strstr(wkGetLastError(), "fx"));
        assert_false(wkCudaField_Info(d.c.field).isKnown);
        assert_int_equal(
            wkCudaField_UpdateFromDepth(NULL, d.camera, &d.room.image, wk_memoryHost, NULL),
            wk_errorArgument);
        assert_int_equal(
            wkCudaField_UpdateFromDepth(d.c.field, NULL, &d.room.image, wk_memoryHost, NULL),
            wk_errorArgument);
        closeDepth(&d);
    }
}

// A GPU that fails while points are made of pixels leaves nothing known.
static void a_failed_image_leaves_nothing_free(void** state)
{
    (void)state;
    static depthCase d;
    wkRng rng = wkMakeRng(wkKitSeed());
    openDepth(&d, &rng);
    wkResult result = wk_errorDevice;
    for (int call = 0; emulatedIsUsed() && result != wk_ok; call++) {
        assert_int_equal(updateFromDepth(&d, wk_memoryHost), wk_ok);
        emulatedFailCall(call, 700, 0);
        result = updateFromDepth(&d, wk_memoryHost);
        emulatedFailCall(-1, 0, 0);
        assert_int_equal(wkCudaField_Info(d.c.field).isKnown, result == wk_ok);
        assert_true(call < 40);
    }
    closeDepth(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_images_are_their_points),
        cmocka_unit_test(a_failed_image_leaves_nothing_free),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
