// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Simulated depth images: what rays meet, and noise that stay within what they are told to be.

#include "../memory/failing.h"
#include "../unit/unit_kit.h"
#include "lenses.h"

#include "math/vec.h"
#include "whisker/scene.h"

#include <string.h>

#define WIDTH 80
#define HEIGHT 60
#define PIXELS (WIDTH * HEIGHT)

typedef struct thing {
    wkShape shape;
    wkPose pose;
} thing;

// In front of a camera at the origin that looks along z.
static int fillThings(thing things[8])
{
    int count = 0;
    things[count++] = (thing){wkMakeBox(8.0, 8.0, 0.1), wkMakePose(0.0, 0.0, 3.5)};
    things[count++] = (thing){wkMakeSphere(0.3), wkMakePose(-0.5, 0.1, 1.8)};
    things[count++] =
        (thing){wkMakeBox(0.4, 0.3, 0.5), wkMakePoseRpy((wkVec3d){0.5, 0.2, 2.1}, 0.3, 0.5, 0.1)};
    things[count++] = (thing){wkMakeCylinder(0.2, 0.9), wkMakePose(0.1, -0.4, 2.6)};
    things[count++] = (thing){wkMakeSphere(0.4), wkMakePose(0.0, 0.0, -2.0)};
    return count;
}

static wkScene* makeScene(const thing* things, int count, void* user)
{
    wkScene* scene = NULL;
    assert_int_equal(wkScene_Create(NULL, &scene), wk_ok);
    for (int i = 0; i < count; i++) {
        wkObjectDef def = wkDefaultObjectDef();
        wkObjectId id = wk_nullObjectId;
        def.shape = things[i].shape;
        def.pose = things[i].pose;
        def.user = i == 1 ? user : NULL;
        assert_int_equal(wkScene_Add(scene, &def, &id), wk_ok);
    }
    return scene;
}

static wkCamera smallCamera(void)
{
    wkCamera camera = wkDefaultCamera();
    camera.width = WIDTH;
    camera.height = HEIGHT;
    camera.fx = camera.fy = 66.0;
    camera.cx = 0.5 * (WIDTH - 1);
    camera.cy = 0.5 * (HEIGHT - 1);
    return camera;
}

// The nearest thing on the ray of a pixel; -1: none.
static int nearestThing(const thing* things, int count, const wkCamera* camera, wkPose pose, int u,
                        int v, double* depth)
{
    wkVec3d slope = wkCamera_Unproject(camera, u, v);
    double length = wkLength(slope), nearest = INFINITY;
    int found = -1;
    for (int i = 0; i < count && isfinite(slope.z); i++) {
        wkRay ray = {pose.position, wkRotateVector(pose, slope), INFINITY};
        wkRayResult hit = wkShape_RayCast(&things[i].shape, things[i].pose, ray);
        if (hit.isHit && hit.distance < nearest) {
            nearest = hit.distance;
            found = i;
        }
    }
    *depth = nearest / length;
    return found;
}

static void a_perfect_camera_sees_the_nearest_thing(void** state)
{
    (void)state;
    thing things[8];
    int count = fillThings(things), user = 0;
    wkScene* scene = makeScene(things, count, &user);
    static float depths[PIXELS];
    for (int i = 0; i < LENS_COUNT; i++) {
        for (int skips = 0; skips < 2; skips++) {
            wkCamera camera = smallCamera();
            wkPose pose = wkMakePoseRpy((wkVec3d){0.05, 0.02, 0.1}, 0.05, -0.03, 0.2);
            camera.distortion = lensTable[i].distortion;
            memcpy(camera.coefficients, lensTable[i].coefficients, sizeof camera.coefficients);
            assert_int_equal(wkScene_RenderDepth(scene, &camera, pose, NULL,
                                                 skips != 0 ? &user : NULL, NULL, depths),
                             wk_ok);
            for (int p = 0; p < PIXELS; p++) {
                double depth = 0.0;
                int found =
                    nearestThing(things, count, &camera, pose, p % WIDTH, p / WIDTH, &depth);
                bool isObserved = found >= 0 && !(skips != 0 && found == 1);
                assert_int_equal(!isnan(depths[p]), isObserved);
                assert_true(!isObserved || fabs((double)depths[p] - depth) < 1e-6 * depth);
            }
        }
    }
    wkScene_Destroy(scene);
}

static void threads_change_nothing(void** state)
{
    (void)state;
    thing things[8];
    wkScene* scene = makeScene(things, fillThings(things), NULL);
    static float alone[PIXELS], together[PIXELS];
    wkCamera camera = smallCamera();
    wkDepthNoise noise = wkDefaultDepthNoise();
    assert_int_equal(
        wkScene_RenderDepth(scene, &camera, wkIdentityPose(), &noise, NULL, NULL, alone), wk_ok);
    for (int threads = 2; threads < 8; threads += 3) {
        wkParallel parallel = {.threadCount = threads};
        assert_int_equal(wkScene_RenderDepth(scene, &camera, wkIdentityPose(), &noise, NULL,
                                             &parallel, together),
                         wk_ok);
        assert_memory_equal(alone, together, sizeof alone);
    }
    noise.seed = 2;
    assert_int_equal(
        wkScene_RenderDepth(scene, &camera, wkIdentityPose(), &noise, NULL, NULL, together), wk_ok);
    assert_memory_not_equal(alone, together, sizeof alone);
    wkScene_Destroy(scene);
}

static void noise_is_as_large_as_requested(void** state)
{
    (void)state;
    thing wall = {wkMakeBox(20.0, 20.0, 1.0), wkMakePose(0.0, 0.0, 2.5)}; // its face is at 2
    wkScene* scene = makeScene(&wall, 1, NULL);
    static float depths[PIXELS];
    wkCamera camera = smallCamera();
    wkDepthNoise noise = {
        .cookie = wkDefaultDepthNoise().cookie, .noise = 0.01, .maxDepth = 5.0, .seed = 3};
    assert_int_equal(
        wkScene_RenderDepth(scene, &camera, wkIdentityPose(), &noise, NULL, NULL, depths), wk_ok);
    double sum = 0.0, squares = 0.0;
    for (int p = 0; p < PIXELS; p++) {
        double off = ((double)depths[p] - 2.0) / (0.01 * 4.0);
        assert_true(fabs(off) <= 6.0);
        sum += off;
        squares += off * off;
    }
    assert_true(fabs(sum / PIXELS) < 0.06);
    assert_true(fabs(squares / PIXELS - 1.0) < 0.08);

    // steps alone: whole disparities, half a step away at most
    noise.noise = 0.0;
    noise.disparityStep = 0.003;
    assert_int_equal(
        wkScene_RenderDepth(scene, &camera, wkIdentityPose(), &noise, NULL, NULL, depths), wk_ok);
    for (int p = 0; p < PIXELS; p++) {
        double steps = 1.0 / ((double)depths[p] * noise.disparityStep);
        assert_true(fabs(steps - floor(steps + 0.5)) < 1e-3);
        assert_true(fabs((double)depths[p] - 2.0) <= 0.5 * 0.003 * 4.0 * 1.01);
    }
    wkScene_Destroy(scene);
}

static int countMeasured(const float* depths)
{
    int count = 0;
    for (int p = 0; p < PIXELS; p++) {
        count += !isnan(depths[p]);
    }
    return count;
}

static void missing_pixels_are_as_requested(void** state)
{
    (void)state;
    thing things[8];
    wkScene* scene = makeScene(things, fillThings(things), NULL);
    static float perfect[PIXELS], depths[PIXELS];
    wkCamera camera = smallCamera();
    wkPose pose = wkIdentityPose();
    assert_int_equal(wkScene_RenderDepth(scene, &camera, pose, NULL, NULL, NULL, perfect), wk_ok);

    wkDepthNoise noise = {
        .cookie = wkDefaultDepthNoise().cookie, .minDepth = 1.7, .maxDepth = 2.5, .seed = 1};
    assert_int_equal(wkScene_RenderDepth(scene, &camera, pose, &noise, NULL, NULL, depths), wk_ok);
    for (int p = 0; p < PIXELS; p++) {
        bool isInRange = perfect[p] >= 1.7f && perfect[p] <= 2.5f;
        assert_true(isInRange ? depths[p] == perfect[p] : isnan(depths[p]));
    }

    wkDepthNoise drops = {
        .cookie = wkDefaultDepthNoise().cookie, .dropShare = 0.25, .maxDepth = 9.0, .seed = 1};
    assert_int_equal(wkScene_RenderDepth(scene, &camera, pose, &drops, NULL, NULL, depths), wk_ok);
    assert_true(fabs(countMeasured(depths) - 0.75 * countMeasured(perfect)) < 0.03 * PIXELS);

    // a sphere seen from the side at its rim
    wkDepthNoise grazing = {
        .cookie = wkDefaultDepthNoise().cookie, .grazingCosine = 0.5, .maxDepth = 9.0, .seed = 1};
    assert_int_equal(wkScene_RenderDepth(scene, &camera, pose, &grazing, NULL, NULL, depths),
                     wk_ok);
    int lostCount = countMeasured(perfect) - countMeasured(depths);
    assert_true(lostCount > 20 && lostCount < PIXELS / 4);

    // all edges, and nothing but edges: pixels next to a jump
    wkDepthNoise edges = {
        .cookie = wkDefaultDepthNoise().cookie, .edgeShare = 1.0, .maxDepth = 9.0, .seed = 1};
    assert_int_equal(wkScene_RenderDepth(scene, &camera, pose, &edges, NULL, NULL, depths), wk_ok);
    for (int v = 1; v + 1 < HEIGHT; v++) {
        for (int u = 1; u + 1 < WIDTH; u++) {
            const float* d = &perfect[v * WIDTH + u];
            const float around[4] = {d[-1], d[1], d[-WIDTH], d[WIDTH]};
            bool isEdge = false;
            for (int i = 0; i < 4; i++) {
                double jump = fabs((double)around[i] - (double)*d);
                isEdge = isEdge || !(jump <= 0.03 * fmin((double)around[i], (double)*d));
            }
            assert_int_equal(isnan(depths[v * WIDTH + u]), isEdge);
        }
    }
    wkScene_Destroy(scene);
}

static void a_camera_inside_of_a_thing_sees_nothing(void** state)
{
    (void)state;
    thing sphere = {wkMakeSphere(1.0), wkIdentityPose()};
    wkScene* scene = makeScene(&sphere, 1, NULL);
    static float depths[PIXELS];
    wkCamera camera = smallCamera();
    assert_int_equal(
        wkScene_RenderDepth(scene, &camera, wkIdentityPose(), NULL, NULL, NULL, depths), wk_ok);
    assert_int_equal(countMeasured(depths), 0);
    wkScene_Destroy(scene);
}

static void what_is_wrong_is_named(void** state)
{
    (void)state;
    wkScene* scene = makeScene(NULL, 0, NULL);
    static float depths[PIXELS];
    wkCamera camera = smallCamera(), broken = camera;
    wkPose pose = wkIdentityPose(), nowhere = wkMakePose(NAN, 0.0, 0.0);
    broken.fy = 0.0;
    assert_int_equal(wkScene_RenderDepth(NULL, &camera, pose, NULL, NULL, NULL, depths),
                     wk_errorArgument);
    assert_int_equal(wkScene_RenderDepth(scene, NULL, pose, NULL, NULL, NULL, depths),
                     wk_errorArgument);
    assert_int_equal(wkScene_RenderDepth(scene, &camera, pose, NULL, NULL, NULL, NULL),
                     wk_errorArgument);
    assert_int_equal(wkScene_RenderDepth(scene, &broken, pose, NULL, NULL, NULL, depths),
                     wk_errorRange);
    assert_int_equal(wkScene_RenderDepth(scene, &camera, nowhere, NULL, NULL, NULL, depths),
                     wk_errorNotFinite);
    double* fields[7];
    wkDepthNoise noise = wkDefaultDepthNoise();
    fields[0] = &noise.noise;
    fields[1] = &noise.disparityStep;
    fields[2] = &noise.edgeShare;
    fields[3] = &noise.grazingCosine;
    fields[4] = &noise.dropShare;
    fields[5] = &noise.minDepth;
    fields[6] = &noise.maxDepth;
    for (int i = 0; i < 7; i++) {
        noise = wkDefaultDepthNoise();
        *fields[i] = -1.0;
        assert_int_equal(wkScene_RenderDepth(scene, &camera, pose, &noise, NULL, NULL, depths),
                         wk_errorRange);
        *fields[i] = NAN;
        assert_int_equal(wkScene_RenderDepth(scene, &camera, pose, &noise, NULL, NULL, depths),
                         wk_errorNotFinite);
    }
    wkScene_Destroy(scene);
}

static void lack_of_memory_is_reported(void** state)
{
    (void)state;
    failing f = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
    wkSetAllocator(&allocator);
    wkScene* scene = makeScene(NULL, 0, NULL);
    static float depths[PIXELS];
    wkCamera camera = smallCamera();
    wkDepthNoise noise = wkDefaultDepthNoise();
    f.callCount = 0;
    f.failAt = 0;
    assert_int_equal(
        wkScene_RenderDepth(scene, &camera, wkIdentityPose(), &noise, NULL, NULL, depths),
        wk_errorMemory);
    // a perfect camera needs none
    f.callCount = 0;
    assert_int_equal(
        wkScene_RenderDepth(scene, &camera, wkIdentityPose(), NULL, NULL, NULL, depths), wk_ok);
    f.failAt = -1;
    wkScene_Destroy(scene);
    assert_true(f.allocatedBytes == 0);
    wkSetAllocator(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_perfect_camera_sees_the_nearest_thing),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(noise_is_as_large_as_requested),
        cmocka_unit_test(missing_pixels_are_as_requested),
        cmocka_unit_test(a_camera_inside_of_a_thing_sees_nothing),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests_name("sense.take_depth", tests, NULL, NULL);
}
