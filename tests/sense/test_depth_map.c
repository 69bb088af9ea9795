// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Depth maps: lenses that bend, masks, several cameras, distances, and what is refused.

#include "depth_map_kit.h"

static wkDepthVerdict verdictOn(const wkDepthMap* map, double x, double y, double z, double radius)
{
    wkSphere3d sphere = {{x, y, z}, radius};
    return wkDepthMap_CheckSpheres(&map, 1, &sphere, 1, wk_depthByPyramid, NULL);
}

// By the definition alone, with the lens as it is.
static bool isPointFree(const wkTestImage* made, const wkDepthMapDef* trust, wkVec3d p)
{
    const wkCamera* c = &made->image.camera;
    double u = 0.0, v = 0.0;
    if (!wkCamera_Project(c, p, &u, &v)) {
        return false;
    }
    u = floor(u + 0.5);
    v = floor(v + 0.5);
    if (!(u >= 0 && v >= 0 && u < c->width && v < c->height)) {
        return false;
    }
    double depth = (double)made->depths[(size_t)v * (size_t)c->width + (size_t)u];
    return p.z <= depth - trust->noise - trust->noiseSquare * depth * depth;
}

static void bent_images_prove_no_more(void** state)
{
    (void)state;
    wkDepthMapDef trust = wkDefaultDepthMapDef();
    int freeCount = 0;
    for (int n = 0; n < LENS_COUNT; ++n) {
        wkRng rng = wkMakeRng(50u + (uint64_t)n);
        wkTestImage made = wkMakeTestImage(&rng, 160, 120);
        wkCamera lens = cameraWith(&lensTable[n]);
        lens.width = 160;
        lens.height = 120;
        lens.fx = lens.fy = 110.0;
        lens.cx = 79.5;
        lens.cy = 59.5;
        made.image.camera = lens;
        made.image.pose = wkIdentityPose();
        wkDepthMap* map = mapOf(&made.image, &trust, NULL);
        wkCamera straight = wkDepthMap_Info(map).camera;
        assert_int_equal(straight.distortion, wk_distortionNone);
        for (int i = 0; i < 800; ++i) {
            wkSphere3d sphere = wkTestSphere(&rng, &straight);
            if (wkDepthMap_CheckSpheres((const wkDepthMap* const*)&map, 1, &sphere, 1,
                                        wk_depthByPyramid, NULL) != wk_depthFree) {
                continue;
            }
            ++freeCount;
            for (int k = 0; k < 100; ++k) {
                wkVec3d way = wkRngDirection(&rng);
                wkVec3d p = wkMulAdd(sphere.center, sphere.radius, way);
                assert_true(isPointFree(&made, &trust, p));
            }
        }
        wkDepthMap_Destroy(map);
        free(made.depths);
    }
    print_message("%d spheres free behind %d lenses\n", freeCount, LENS_COUNT);
    assert_true(freeCount > 20 * LENS_COUNT);
}

// A wall at two metres with a sphere before it.
static wkTestImage sphereBeforeWall(wkSphere3d sphere)
{
    wkRng rng = wkMakeRng(1);
    wkTestImage made = wkMakeTestImage(&rng, 160, 120);
    wkCamera camera = wkDefaultCamera();
    camera.width = 160;
    camera.height = 120;
    camera.fx = camera.fy = 130.0;
    camera.cx = 79.5;
    camera.cy = 59.5;
    made.image.camera = camera;
    made.image.pose = wkIdentityPose();
    for (int32_t v = 0; v < 120; ++v) {
        for (int32_t u = 0; u < 160; ++u) {
            wkVec3d ray = wkCamera_Unproject(&camera, u, v);
            double along = wkDot(ray, sphere.center), square = wkDot(ray, ray);
            double inside = along * along - square * (wkDot(sphere.center, sphere.center) -
                                                      sphere.radius * sphere.radius);
            double depth = inside > 0.0 ? (along - sqrt(inside)) / square : 2.0;
            made.depths[v * 160 + u] = (float)depth;
        }
    }
    return made;
}

static void own_pixels_are_no_obstacles(void** state)
{
    (void)state;
    wkSphere3d own = {{0.1, 0.0, 1.0}, 0.15};
    wkTestImage made = sphereBeforeWall(own);
    wkDepthMask mask = {&own, 1, 0.02, wk_maskShadow};

    wkDepthMap* map = mapOf(&made.image, NULL, NULL);
    assert_int_equal(wkDepthMap_Info(map).maskedCount, 0);
    assert_int_equal(verdictOn(map, 0.1, 0.0, 1.0, 0.15), wk_depthHit);
    assert_int_equal(verdictOn(map, 0.1, 0.0, 1.5, 0.05), wk_depthOccluded);
    wkDepthMap_Destroy(map);

    map = mapOf(&made.image, NULL, &mask);
    assert_true(wkDepthMap_Info(map).maskedCount > 500);
    assert_int_equal(verdictOn(map, 0.1, 0.0, 1.0, 0.15), wk_depthUnobserved);
    assert_int_equal(verdictOn(map, 0.1, 0.0, 1.5, 0.05), wk_depthUnobserved);
    assert_int_equal(verdictOn(map, 0.1, 0.0, 0.7, 0.05), wk_depthFree); // before it
    assert_int_equal(verdictOn(map, 0.1, 0.0, 2.0, 0.5), wk_depthHit);   // the wall around
    wkDepthMap_Destroy(map);

    mask.rule = wk_maskRemove;
    map = mapOf(&made.image, NULL, &mask);
    assert_int_equal(verdictOn(map, 0.1, 0.0, 0.7, 0.05), wk_depthUnobserved);
    assert_int_equal(verdictOn(map, -0.25, 0.0, 0.7, 0.05), wk_depthFree);
    wkDepthMap_Destroy(map);
    free(made.depths);
}

static void any_camera_proves_free(void** state)
{
    (void)state;
    wkSphere3d own = {{0.0, 0.0, 1.0}, 0.15};
    wkTestImage made = sphereBeforeWall(own);
    wkDepthMap* first = mapOf(&made.image, NULL, NULL);
    // another one looks at the same sphere from the side: behind it is free
    wkTestImage side = sphereBeforeWall((wkSphere3d){{0.0, 0.0, 1.0}, 0.15});
    side.image.pose = wkMakePoseRpy(wkVec(1.0, 0.0, 1.0), 0.0, -1.5707963267948966, 0.0);
    wkDepthMap* second = mapOf(&side.image, NULL, NULL);
    const wkDepthMap* maps[2] = {first, second};
    const struct {
        wkSphere3d sphere;
        wkDepthVerdict one, other, both;
    } cases[] = {
        {{{0.0, 0.0, 1.4}, 0.05}, wk_depthOccluded, wk_depthFree, wk_depthFree},
        {{{0.0, 0.0, 1.0}, 0.15}, wk_depthHit, wk_depthHit, wk_depthHit},
        {{{0.0, 0.0, 0.5}, 0.05}, wk_depthFree, wk_depthFree, wk_depthFree},
        {{{0.8, 0.0, 2.0}, 0.05}, wk_depthHit, wk_depthUnobserved, wk_depthHit},
        {{{-0.5, 0.0, 1.0}, 0.05}, wk_depthFree, wk_depthOccluded, wk_depthFree},
        {{{5.0, 0.0, 1.0}, 0.05}, wk_depthUnobserved, wk_depthUnobserved, wk_depthUnobserved},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        for (int m = 0; m < WK_DEPTH_METHOD_COUNT; ++m) {
            const wkSphere3d* b = &cases[i].sphere;
            wkDepthVerdict both = WK_DEPTH_VERDICT_COUNT;
            wkDepthMethod method = (wkDepthMethod)m;
            assert_int_equal(wkDepthMap_CheckSpheres(maps, 1, b, 1, method, NULL), cases[i].one);
            assert_int_equal(wkDepthMap_CheckSpheres(maps + 1, 1, b, 1, method, NULL),
                             cases[i].other);
            assert_int_equal(wkDepthMap_CheckSpheres(maps, 2, b, 1, method, &both), cases[i].both);
            assert_int_equal(both, cases[i].both);
        }
    }
    assert_int_equal(wkDepthMap_CheckSpheres(maps, 0, &cases[0].sphere, 1, wk_depthByPixels, NULL),
                     wk_depthUnobserved);
    assert_int_equal(wkDepthMap_CheckSpheres(maps, 2, NULL, 0, wk_depthByPixels, NULL),
                     wk_depthUnchecked);
    wkDepthMap_Destroy(first);
    wkDepthMap_Destroy(second);
    free(made.depths);
    free(side.depths);
}

// The distance to a pixel as the header has it.
static double pixelDistance(const wkDepthMap* map, const wkCameraSphere* sphere, int32_t u,
                            int32_t v)
{
    size_t i = (size_t)v * (size_t)map->pitch + (size_t)u;
    double end = (double)map->surfaceEnd[i], low = (double)map->freeTo[i], high = end;
    if (end < 0.0) {
        return INFINITY;
    }
    wkVec3d ray = wkCamera_Unproject(&map->camera, u, v);
    for (int k = 0; k < 200; ++k) { // the nearest point of the piece, by thirds
        double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
        bool isFirst = wkLength(wkSub(wkScale(a, ray), sphere->center)) <
                       wkLength(wkSub(wkScale(b, ray), sphere->center));
        high = isFirst ? b : high;
        low = isFirst ? low : a;
    }
    double reach = map->halfPixel * wkMaxD(end, wkMaxD(sphere->deepest, 0.0));
    return wkLength(wkSub(wkScale(low, ray), sphere->center)) - sphere->radius - reach;
}

static void clearance_is_the_least(void** state)
{
    (void)state;
    static const int32_t sizes[][2] = {{1, 1}, {9, 7}, {40, 30}, {70, 65}};
    for (int n = 0; n < 12; ++n) {
        wkRng rng = wkMakeRng(900u + (uint64_t)n);
        const int32_t* size = sizes[n % 4];
        wkTestImage made = wkMakeTestImage(&rng, size[0], size[1]);
        wkDepthMapDef trust = wkTestTrust(&rng);
        wkDepthMap* map = mapOf(&made.image, &trust, NULL);
        for (int i = 0; i < 20; ++i) {
            wkSphere3d sphere =
                wkSphereInWorld(made.image.pose, wkTestSphere(&rng, &made.image.camera));
            wkCameraSphere inCamera;
            assert_true(wkDepthMap_Place(map, &sphere, &inCamera));
            double least = INFINITY;
            for (int32_t k = 0; k < size[0] * size[1]; ++k) {
                least = fmin(least, pixelDistance(map, &inCamera, k % size[0], k / size[0]));
            }
            double cutoff = wkRngChance(&rng, 2) ? INFINITY : wkRngRange(&rng, 0.01, 1.0);
            wkDepthClearanceResult c =
                wkDepthMap_Clearance((const wkDepthMap* const*)&map, 1, &sphere, 1, cutoff);
            if (least >= cutoff) {
                assert_true(c.sphere == -1 && c.distance == cutoff);
                continue;
            }
            assert_true(fabs(c.distance - least) < 1e-6 * (1.0 + fabs(least)));
            assert_true(c.sphere == 0 && c.map == 0);
            assert_true(fabs(wkLength(c.normal) - 1.0) < 1e-9);
            wkDepthVerdict verdict = wkDepthMap_CheckSpheres((const wkDepthMap* const*)&map, 1,
                                                             &sphere, 1, wk_depthByPixels, NULL);
            assert_true(verdict != wk_depthHit || c.distance <= 0.0);
        }
        wkDepthMap_Destroy(map);
        free(made.depths);
    }
}

// A sphere that is none has no distance: neither the cutoff, nor that of another sphere.
static void no_sphere_has_no_clearance(void** state)
{
    (void)state;
    wkDepthMap* map = NULL;
    assert_int_equal(wkDepthMap_Create(8, 8, &map), wk_ok);
    const wkSphere3d none[] = {{{NAN, 0.0, 0.0}, 0.1},
                               {{0.0, INFINITY, 0.0}, 0.1},
                               {{0.0, 0.0, 1.0}, NAN},
                               {{0.0, 0.0, 1.0}, -0.1}};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; ++i) {
        wkSphere3d spheres[2] = {{{0.0, 0.0, 1.0}, 0.1}, none[i]};
        for (int32_t mapCount = 0; mapCount < 2; ++mapCount) {
            wkDepthClearanceResult c =
                wkDepthMap_Clearance((const wkDepthMap* const*)&map, mapCount, spheres, 2, 0.5);
            assert_true(isnan(c.distance) && c.sphere == 1 && c.map == -1);
        }
    }
    wkDepthMap_Destroy(map);
}

static void refuses_what_is_wrong(void** state)
{
    (void)state;
    wkDepthMap* map = (wkDepthMap*)1;
    assert_int_equal(wkDepthMap_Create(0, 10, &map), wk_errorRange);
    assert_null(map);
    assert_int_equal(wkDepthMap_Create(10, 16385, &map), wk_errorRange);
    assert_int_equal(wkDepthMap_Create(10, 10, NULL), wk_errorArgument);
    wkDepthMap_Destroy(NULL);
    assert_int_equal(wkDepthMap_Info(NULL).byteCount, 0);

    wkTestImage made = sphereBeforeWall((wkSphere3d){{0.0, 0.0, 1.0}, 0.15});
    map = mapOf(&made.image, NULL, NULL);
    wkDepthMapDef trust = wkDefaultDepthMapDef();
    wkDepthMask mask = {NULL, 0, 0.0, wk_maskShadow};
    wkSphere3d bad = {{NAN, 0.0, 0.0}, 1.0};
    const struct {
        double* field;
        double value;
        wkResult result;
        const char* word;
    } cases[] = {
        {&made.image.camera.fx, 0.0, wk_errorRange, "fx"},
        {&made.image.camera.fy, NAN, wk_errorNotFinite, "fy"},
        {&made.image.pose.position.x, NAN, wk_errorNotFinite, "pose"},
        {&made.image.scale, 0.0, wk_errorRange, "scale"},
        {&trust.noise, -1.0, wk_errorRange, "noise"},
        {&trust.maxDepth, NAN, wk_errorNotFinite, "maxDepth"},
        {&trust.minDepth, INFINITY, wk_errorNotFinite, "minDepth"},
        {&trust.thickness, -0.1, wk_errorRange, "thickness"},
        {&trust.padding, INFINITY, wk_errorNotFinite, "padding"},
        {&mask.padding, -1.0, wk_errorRange, "padding"},
    };
    wkDepthMapInfo before = wkDepthMap_Info(map);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        double kept = *cases[i].field;
        *cases[i].field = cases[i].value;
        assert_int_equal(wkDepthMap_Update(map, &made.image, &trust, &mask), cases[i].result);
        assert_non_null(strstr(wkGetLastError(), cases[i].word));
        *cases[i].field = kept;
    }
    mask.spheres = &bad;
    mask.count = 1;
    assert_int_equal(wkDepthMap_Update(map, &made.image, &trust, &mask), wk_errorNotFinite);
    mask.spheres = NULL;
    assert_int_equal(wkDepthMap_Update(map, &made.image, &trust, &mask), wk_errorArgument);
    mask.count = 0;
    mask.rule = (wkMaskRule)(wk_maskRemove + 1);
    assert_int_equal(wkDepthMap_Update(map, &made.image, &trust, &mask), wk_errorArgument);
    assert_non_null(strstr(wkGetLastError(), "rule"));
    assert_int_equal(wkDepthMap_Update(map, NULL, NULL, NULL), wk_errorArgument);
    assert_int_equal(wkDepthMap_Update(NULL, &made.image, NULL, NULL), wk_errorArgument);
    made.image.camera.width = 161;
    assert_int_equal(wkDepthMap_Update(map, &made.image, NULL, NULL), wk_errorRange);
    wkDepthMapInfo after = wkDepthMap_Info(map);
    assert_int_equal(after.measuredCount, before.measuredCount);
    assert_true(after.camera.fx == before.camera.fx && after.camera.fy == before.camera.fy);
    assert_true(after.pose.position.x == before.pose.position.x);
    assert_true(after.def.noise == before.def.noise);
    assert_int_equal(verdictOn(map, 0.0, 0.0, 0.5, 0.05), wk_depthFree);
    wkDepthMap_Destroy(map);
    free(made.depths);
}

// Nothing was measured, nothing was taken in, a camera that sees next to nothing, or nearly all.
static void nothing_is_free_where_nothing_is_observed(void** state)
{
    (void)state;
    wkDepthMap* map = NULL;
    assert_int_equal(wkDepthMap_Create(64, 48, &map), wk_ok);
    const wkDepthMap* maps[1] = {map};
    wkSphere3d sphere = {{0.0, 0.0, 1.0}, 0.1};
    for (int m = 0; m < WK_DEPTH_METHOD_COUNT; ++m) {
        assert_int_equal(wkDepthMap_CheckSpheres(maps, 1, &sphere, 1, (wkDepthMethod)m, NULL),
                         wk_depthUnobserved);
    }
    assert_int_equal(wkDepthMap_Clearance(maps, 1, &sphere, 1, INFINITY).sphere, -1);
    static uint16_t pixels[64 * 48];
    wkDepthImage image = wkDefaultDepthImage();
    image.camera.width = 64;
    image.camera.height = 48;
    image.camera.cx = 31.5;
    image.camera.cy = 23.5;
    image.pixels = pixels;
    const double focals[] = {1e-6, 0.3, 50.0, 1e9};
    for (int k = 0; k < 4; ++k) {
        image.camera.fx = image.camera.fy = focals[k];
        assert_int_equal(wkDepthMap_Update(map, &image, NULL, NULL), wk_ok);
        assert_int_equal(wkDepthMap_Info(map).measuredCount, 0);
        for (int m = 0; m < WK_DEPTH_METHOD_COUNT; ++m) {
            assert_int_equal(wkDepthMap_CheckSpheres(maps, 1, &sphere, 1, (wkDepthMethod)m, NULL),
                             wk_depthUnobserved);
        }
    }
    wkDepthMap_Destroy(map);
}

static void names_are_known(void** state)
{
    (void)state;
    assert_string_equal(wkDepthVerdictName(wk_depthOccluded), "occluded");
    assert_string_equal(wkDepthVerdictName(WK_DEPTH_VERDICT_COUNT), "invalid");
    assert_string_equal(wkDepthMethodName(wk_depthByLines), "lines");
    assert_string_equal(wkDepthMethodName(WK_DEPTH_METHOD_COUNT), "invalid");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bent_images_prove_no_more),
        cmocka_unit_test(own_pixels_are_no_obstacles),
        cmocka_unit_test(any_camera_proves_free),
        cmocka_unit_test(clearance_is_the_least),
        cmocka_unit_test(no_sphere_has_no_clearance),
        cmocka_unit_test(refuses_what_is_wrong),
        cmocka_unit_test(nothing_is_free_where_nothing_is_observed),
        cmocka_unit_test(names_are_known),
    };
    return cmocka_run_group_tests_name("sense.depth_map", tests, NULL, NULL);
}
