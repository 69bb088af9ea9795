// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Depth maps at the ends of their ranges: narrow pixels, far cameras, lenses that bend too much, pixels
// that stand for several ones, and rows that begin at odd bytes.

#include "../unit/unit_kit.h"
#include "depth_kit.h"
#include "lenses.h"

#include "sense/depth_map.h"

#include "whisker/detail/counts.h"

#include <string.h>

#define WIDTH 32
#define HEIGHT 24

static wkDepthMap* mapOf(const wkDepthImage* image, const wkDepthMapDef* trust,
                         const wkDepthMask* mask)
{
    wkDepthMap* map = NULL;
    assert_int_equal(wkDepthMap_Create(image->camera.width, image->camera.height, &map), wk_ok);
    assert_int_equal(wkDepthMap_Update(map, image, trust, mask), wk_ok);
    return map;
}

// Millimetres, all the same.
static wkDepthImage wallAt(uint16_t depth, uint16_t* pixels)
{
    wkDepthImage image = wkDefaultDepthImage();
    image.camera.width = WIDTH;
    image.camera.height = HEIGHT;
    image.camera.fx = image.camera.fy = 40.0;
    image.camera.cx = 0.5 * (WIDTH - 1);
    image.camera.cy = 0.5 * (HEIGHT - 1);
    image.pixels = pixels;
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        pixels[i] = depth;
    }
    return image;
}

// A point that a pixel sees at a depth.
static wkSphere3d pointAt(const wkCamera* c, double u, double v, double z)
{
    wkSphere3d point = {{(u - c->cx) / c->fx * z, (v - c->cy) / c->fy * z, z}, 0.0};
    return point;
}

// The rays of one pixel or another meet every point in view, however narrow the pixels are.
static void points_behind_walls_are_never_free(void** state)
{
    (void)state;
    static uint16_t pixels[WIDTH * HEIGHT];
    wkRng rng = wkMakeRng(31);
    for (int power = 0; power <= 9; ++power) {
        double focal = pow(10.0, power);
        wkDepthImage image = wallAt(1000, pixels);
        image.camera.fx = image.camera.fy = focal;
        wkDepthMap* map = mapOf(&image, NULL, NULL);
        for (int i = 0; i < 300; ++i) {
            double u = wkRngRange(&rng, 0.0, WIDTH - 1.0), v = wkRngRange(&rng, 0.0, HEIGHT - 1.0);
            wkSphere3d point = pointAt(&image.camera, u, v, wkRngLogRange(&rng, 1.1, 1e5));
            for (int m = 0; m < WK_DEPTH_METHOD_COUNT; ++m) {
                wkDepthVerdict verdict = wkDepthMap_CheckSpheres((const wkDepthMap* const*)&map, 1,
                                                                 &point, 1, (wkDepthMethod)m, NULL);
                if (verdict != wk_depthOccluded) {
                    fail_msg("focal length %g, %s: a point at %g m behind (%g, %g) is %s", focal,
                             wkDepthMethodName((wkDepthMethod)m), point.center.z, u, v,
                             wkDepthVerdictName(verdict));
                }
            }
        }
        wkDepthMap_Destroy(map);
    }
}

static void far_cameras_have_distances(void** state)
{
    (void)state;
    static uint16_t pixels[WIDTH * HEIGHT];
    static const double offsets[] = {1e3, 1e30, 1e60, 1e61, 1e155, 1e308};
    wkDepthImage image = wallAt(1000, pixels);
    wkDepthMap* map = mapOf(&image, NULL, NULL);
    const wkSphere3d sphere = {{0.0, 0.0, 0.5}, 0.1};
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; ++i) {
        image.pose.position = wkVec(offsets[i], -offsets[i], offsets[i]);
        wkResult result = wkDepthMap_Update(map, &image, NULL, NULL);
        assert_int_equal(result, offsets[i] <= 1e60 ? wk_ok : wk_errorRange);
        wkDepthClearanceResult c =
            wkDepthMap_Clearance((const wkDepthMap* const*)&map, 1, &sphere, 1, INFINITY);
        assert_true(c.distance <= 2.0 * fmin(offsets[i], 1e60) && c.sphere == 0);
        assert_true(wkDepthMap_CheckSpheres((const wkDepthMap* const*)&map, 1, &sphere, 1,
                                            wk_depthByLines, NULL) != wk_depthFree);
    }
    wkDepthMap_Destroy(map);
}

// Next to a pole of the model pixels would stand for most of the image each: they prove nothing, while the
// middle of the image, which is bent little, does.
static void lenses_prove_nothing_where_they_bend_too_much(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(8);
    wkTestImage made = wkMakeTestImage(&rng, 640, 480);
    wkCamera lens = wkDefaultCamera();
    lens.distortion = wk_distortionBrown;
    lens.coefficients[5] = -1.0;
    lens.fx = lens.fy = 238.0;
    made.image.camera = lens;
    for (int i = 0; i < 640 * 480; ++i) {
        made.depths[i] = 1.0f;
    }
    wkDepthMap* map = mapOf(&made.image, NULL, NULL);
    wkDepthMapInfo info = wkDepthMap_Info(map);
    assert_true(info.measuredCount > 640 * 480 / 2 && info.measuredCount < 640 * 480 * 9 / 10);
    for (int i = 0; i < 4; ++i) {
        double x = i % 2 == 0 ? -0.5 : 639.5, y = i / 2 == 0 ? -0.5 : 479.5;
        wkVec3d vertex = {0.9 * (x - info.camera.cx) / info.camera.fx,
                          0.9 * (y - info.camera.cy) / info.camera.fy, 0.9};
        wkSphere3d sphere = {wkTransformPoint(info.pose, vertex), 1e-3};
        wkSphere3d middle = {wkTransformPoint(info.pose, wkVec(0.0, 0.0, 0.9)), 1e-3};
        const wkDepthMap* maps[1] = {map};
        assert_int_not_equal(wkDepthMap_CheckSpheres(maps, 1, &sphere, 1, wk_depthByPixels, NULL),
                             wk_depthFree);
        assert_int_equal(wkDepthMap_CheckSpheres(maps, 1, &middle, 1, wk_depthByPixels, NULL),
                         wk_depthFree);
    }
    wkDepthMap_Destroy(map);
    free(made.depths);
}

// A wall with a post before it, seen by a lens that could bend: pixels beside the post stand for both.
typedef struct postScene {
    uint16_t words[WIDTH * HEIGHT];
    float floats[WIDTH * HEIGHT];
    wkDepthImage images[2]; // of both kinds
} postScene;

#define POST 16

static void makePost(postScene* scene, uint16_t post, uint16_t wall)
{
    wkDepthImage image = wallAt(wall, scene->words);
    image.camera.distortion = wk_distortionBrown;
    for (int v = 0; v < HEIGHT; ++v) {
        scene->words[v * WIDTH + POST] = post;
    }
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        scene->floats[i] = 0.001f * (float)scene->words[i];
    }
    scene->images[0] = scene->images[1] = image;
    scene->images[1].type = wk_depthFloat;
    scene->images[1].scale = 1.0;
    scene->images[1].pixels = scene->floats;
}

static void straightened_pixels_keep_all_their_surfaces(void** state)
{
    (void)state;
    static postScene scene;
    makePost(&scene, 1000, 3000);
    const struct {
        double maxDepth, z;
        wkDepthVerdict verdict;
    } cases[] = {
        {INFINITY, 0.9, wk_depthFree}, {INFINITY, 1.0, wk_depthHit},
        {INFINITY, 3.0, wk_depthHit},  {INFINITY, 3.5, wk_depthOccluded},
        {2.0, 1.0, wk_depthHit},       {2.0, 3.0, wk_depthOccluded},
    };
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; ++i) {
        const wkDepthImage* image = &scene.images[i % 2];
        wkDepthMapDef trust = wkDefaultDepthMapDef();
        trust.maxDepth = cases[i / 2].maxDepth;
        wkDepthMap* map = mapOf(image, &trust, NULL);
        for (int u = POST - 1; u <= POST + 1; ++u) {
            wkCamera camera = wkDepthMap_Info(map).camera;
            wkSphere3d point = pointAt(&camera, u, HEIGHT / 2, cases[i / 2].z);
            assert_int_equal(wkDepthMap_CheckSpheres((const wkDepthMap* const*)&map, 1, &point, 1,
                                                     wk_depthByPyramid, NULL),
                             cases[i / 2].verdict);
        }
        wkDepthMap_Destroy(map);
    }
}

// What a pixel shows first decides whether it is the robot's own.
static void masks_take_what_straightened_pixels_show_first(void** state)
{
    (void)state;
    static postScene scene;
    makePost(&scene, 1000, 2000);
    const struct {
        double z; // of the robot
        wkDepthVerdict verdict;
    } cases[] = {{1.0, wk_depthUnobserved}, {2.0, wk_depthHit}, {1.5, wk_depthHit}};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; ++i) {
        const wkSphere3d own = {{0.0, 0.0, cases[i / 2].z}, 0.2};
        const wkDepthMask mask = {&own, 1, 0.01, wk_maskShadow};
        wkDepthMap* map = mapOf(&scene.images[i % 2], NULL, &mask);
        wkCamera camera = wkDepthMap_Info(map).camera;
        for (int u = POST - 1; u <= POST + 1; ++u) {
            wkSphere3d point = pointAt(&camera, u, HEIGHT / 2, 1.0);
            assert_int_equal(wkDepthMap_CheckSpheres((const wkDepthMap* const*)&map, 1, &point, 1,
                                                     wk_depthByPyramid, NULL),
                             cases[i / 2].verdict);
        }
        wkDepthMap_Destroy(map);
    }
}

static void rows_may_begin_at_any_byte(void** state)
{
    (void)state;
    static postScene scene;
    static char bytes[WIDTH * HEIGHT * sizeof(float) + 8];
    static float points[2][WIDTH * HEIGHT * 3];
    makePost(&scene, 1000, 2000);
    for (int i = 0; i < 2 * LENS_COUNT; ++i) {
        wkDepthImage image = scene.images[i % 2];
        wkCamera lens = cameraWith(&lensTable[i / 2]);
        image.camera.distortion = lens.distortion;
        memcpy(image.camera.coefficients, lens.coefficients, sizeof lens.coefficients);
        wkDepthImage odd = image;
        odd.pixels = bytes + 1;
        memcpy(bytes + 1, image.pixels, i % 2 == 0 ? sizeof scene.words : sizeof scene.floats);
        wkDepthMap *map = mapOf(&image, NULL, NULL), *oddMap = mapOf(&odd, NULL, NULL);
        for (int32_t k = 0; k < HEIGHT * map->pitch; ++k) {
            assert_true(map->freeTo[k] == oddMap->freeTo[k]);
            assert_true(map->surfaceEnd[k] == oddMap->surfaceEnd[k]);
        }
        wkDepthMap_Destroy(map);
        wkDepthMap_Destroy(oddMap);
        int32_t count = wkDepthImage_Points(&image, NULL, points[0], NULL, WIDTH * HEIGHT);
        assert_int_equal(wkDepthImage_Points(&odd, NULL, points[1], NULL, WIDTH * HEIGHT), count);
        assert_memory_equal(points[0], points[1], (size_t)count * 3 * sizeof(float));
        assert_true(wkDepthImage_At(&image, 3, 3) == wkDepthImage_At(&odd, 3, 3));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_behind_walls_are_never_free),
        cmocka_unit_test(far_cameras_have_distances),
        cmocka_unit_test(lenses_prove_nothing_where_they_bend_too_much),
        cmocka_unit_test(straightened_pixels_keep_all_their_surfaces),
        cmocka_unit_test(masks_take_what_straightened_pixels_show_first),
        cmocka_unit_test(rows_may_begin_at_any_byte),
    };
    return cmocka_run_group_tests_name("sense.depth_limits", tests, NULL, NULL);
}
