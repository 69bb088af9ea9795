// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Spheres before depth images of real cameras, with all their holes: what is free is free, and all methods
// say the same. Without the files the tests are skipped.

#include "io_kit.h"

#include "whisker/depth.h"
#include "whisker/detail/counts.h"

#include <math.h>

#define SPHERE_COUNT 2000

static const struct {
    const char* image;
    const char* camera;
} files[] = {
    {"apc_shelf_bin_b/frame-000004.depth.png", "apc_shelf_bin_b/intrinsics.txt"},
    {"realsense_d435/frame_0.png", "realsense_d435/intrinsics.txt"},
    {"tum_fr3_sitting_rpy/depth/1341846092.023879.png", "tum_fr3_sitting_rpy/intrinsics.txt"},
};

// From 0 to 1, the same on every machine.
static double unit(uint64_t* state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

// By the definition alone.
static bool isPointFree(const wkDepthImage* image, const wkDepthMapDef* trust, wkVec3d p)
{
    double u = 0.0, v = 0.0;
    if (!wkCamera_Project(&image->camera, p, &u, &v)) {
        return false;
    }
    double depth = (double)wkDepthImage_At(image, (int32_t)floor(u + 0.5), (int32_t)floor(v + 0.5));
    return p.z <= depth - trust->noise - trust->noiseSquare * depth * depth;
}

static void checkFreeSphere(const wkDepthImage* image, const wkDepthMapDef* trust,
                            wkSphere3d sphere, uint64_t* state)
{
    for (int k = 0; k < 50; ++k) {
        double z = 2.0 * unit(state) - 1.0, angle = 6.283185307179586 * unit(state);
        double side = sphere.radius * sqrt(1.0 - z * z);
        wkVec3d p = {sphere.center.x + side * cos(angle), sphere.center.y + side * sin(angle),
                     sphere.center.z + sphere.radius * z};
        assert_true(isPointFree(image, trust, p));
    }
}

static void checkImage(const wkDepthImage* image, int counts[WK_DEPTH_VERDICT_COUNT])
{
    wkDepthMapDef trust = wkDefaultDepthMapDef();
    wkDepthMap* map = NULL;
    assert_int_equal(wkDepthMap_Create(image->camera.width, image->camera.height, &map), wk_ok);
    assert_int_equal(wkDepthMap_Update(map, image, &trust, NULL), wk_ok);
    const wkDepthMap* maps[1] = {map};
    static wkSphere3d spheres[SPHERE_COUNT];
    static wkDepthVerdict verdicts[WK_DEPTH_METHOD_COUNT][SPHERE_COUNT];
    uint64_t state = 1;
    for (int i = 0; i < SPHERE_COUNT; ++i) {
        double z = 0.1 + 3.0 * unit(&state) * unit(&state);
        double u = image->camera.width * unit(&state), v = image->camera.height * unit(&state);
        wkVec3d ray = wkCamera_Unproject(&image->camera, u, v);
        spheres[i] = (wkSphere3d){{z * ray.x, z * ray.y, z}, 0.06 * unit(&state) * z};
    }
    for (int m = 0; m < WK_DEPTH_METHOD_COUNT; ++m) {
        wkDepthMap_CheckSpheres(maps, 1, spheres, SPHERE_COUNT, (wkDepthMethod)m, verdicts[m]);
        assert_memory_equal(verdicts[m], verdicts[0], sizeof verdicts[0]);
    }
    for (int i = 0; i < SPHERE_COUNT; ++i) {
        ++counts[verdicts[0][i]];
        if (verdicts[0][i] == wk_depthFree) {
            checkFreeSphere(image, &trust, spheres[i], &state);
        }
    }
    wkDepthMap_Destroy(map);
}

static void free_spheres_are_free(void** state)
{
    (void)state;
    wkSkipWithoutData("depth");
    int counts[WK_DEPTH_VERDICT_COUNT] = {0};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        char path[1024], camera[1024];
        wkDepthData* data = NULL;
        wkDepthImage image = wkDefaultDepthImage();
        snprintf(path, sizeof path, "%s/depth/%s", wkDataFolder(), files[i].image);
        snprintf(camera, sizeof camera, "%s/depth/%s", wkDataFolder(), files[i].camera);
        assert_int_equal(wkDepthImage_LoadCamera(camera, &image), wk_ok);
        assert_int_equal(wkDepthData_Load(path, &data), wk_ok);
        image.camera.width = data->width;
        image.camera.height = data->height;
        image.pixels = data->pixels;
        checkImage(&image, counts);
        wkDepthData_Destroy(data);
    }
    printf("free %d, unobserved %d, occluded %d, hit %d\n", counts[wk_depthFree],
           counts[wk_depthUnobserved], counts[wk_depthOccluded], counts[wk_depthHit]);
    assert_true(counts[wk_depthFree] > 100 && counts[wk_depthHit] > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(free_spheres_are_free)};
    return cmocka_run_group_tests_name("io.depth_verdicts", tests, NULL, NULL);
}
