// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Points of depth images, and maps made from images: as pixel by pixel, and as from an array.

#include "../memory/failing.h"
#include "../unit/unit_kit.h"
#include "lenses.h"

#include "scenes/rng.h"

#include <string.h>

#define MOST_PIXELS (1300 * 12)

// Surfaces with steps between them, holes, and some wrong pixels.
static void fillDepths(wkRng* rng, uint16_t* pixels, int width, int height)
{
    for (int v = 0; v < height; v++) {
        for (int u = 0; u < width; u++) {
            double depth = 1200.0 + 300.0 * sin(u * 0.05) + (u / 40 % 2) * 500.0 + 3.0 * v;
            bool isHole = wkRngBelow(rng, 20) == 0;
            bool isWrong = wkRngBelow(rng, 50) == 0;
            pixels[v * width + u] = (uint16_t)(isHole    ? 0.0
                                               : isWrong ? wkRngRange(rng, 1.0, 65535.0)
                                                         : depth);
        }
    }
}

static wkDepthImage makeImage(const uint16_t* pixels, int width, int height)
{
    wkDepthImage image = wkDefaultDepthImage();
    image.camera.width = width;
    image.camera.height = height;
    image.camera.fx = image.camera.fy = 0.8 * width;
    image.camera.cx = 0.5 * (width - 1);
    image.camera.cy = 0.5 * (height - 1);
    image.pixels = pixels;
    image.pose = wkMakePoseRpy((wkVec3d){0.3, -0.2, 1.1}, 0.2, -0.4, 0.7);
    return image;
}

static bool jumps(float depth, float other, double maxJump)
{
    return !isnan(other) &&
           fabs((double)depth - (double)other) > maxJump * fmin((double)depth, (double)other);
}

// Whether the filter takes a pixel, as its fields say.
static bool isTaken(const wkDepthImage* image, const wkPixelRequest* filter, int u, int v)
{
    float depth = wkDepthImage_At(image, u, v);
    return u % filter->step == 0 && v % filter->step == 0 && (double)depth >= filter->minDepth &&
           (double)depth <= filter->maxDepth &&
           !jumps(depth, wkDepthImage_At(image, u - 1, v), filter->maxJump) &&
           !jumps(depth, wkDepthImage_At(image, u + 1, v), filter->maxJump) &&
           !jumps(depth, wkDepthImage_At(image, u, v - 1), filter->maxJump) &&
           !jumps(depth, wkDepthImage_At(image, u, v + 1), filter->maxJump);
}

static void checkPoints(const wkDepthImage* image, const wkPixelRequest* filter)
{
    static float points[3 * MOST_PIXELS];
    static int32_t pixels[MOST_PIXELS];
    static bool isThere[MOST_PIXELS];
    int width = image->camera.width, height = image->camera.height;
    memset(isThere, 0, sizeof isThere);
    int32_t count = wkDepthImage_Points(image, filter, points, pixels, MOST_PIXELS);
    assert_int_equal(wkDepthImage_Points(image, filter, NULL, NULL, 0), count);
    for (int32_t i = 0; i < count; i++) {
        int u = pixels[i] % width, v = pixels[i] / width;
        const float* p = &points[3 * i];
        wkVec3d slope = wkCamera_Unproject(&image->camera, u, v);
        double depth = (double)wkDepthImage_At(image, u, v);
        assert_true((double)p[2] == depth);
        assert_true(fabs((double)p[0] - slope.x * depth) < 1e-6 * depth);
        assert_true(fabs((double)p[1] - slope.y * depth) < 1e-6 * depth);
        assert_true(!isThere[pixels[i]] && (i == 0 || pixels[i] != pixels[i - 1]));
        isThere[pixels[i]] = true;
    }
    for (int i = 0; i < width * height; i++) {
        int u = i % width, v = i / width;
        bool isObserved = isfinite(wkCamera_Unproject(&image->camera, u, v).x);
        assert_int_equal(isThere[i], isObserved && isTaken(image, filter, u, v));
    }
}

static const int sizes[][2] = {{1, 1}, {7, 5}, {511, 4}, {512, 3}, {513, 3}, {1300, 12}, {64, 48}};
#define SIZE_COUNT ((int)(sizeof sizes / sizeof sizes[0]))

static void points_are_those_of_the_pixels(void** state)
{
    (void)state;
    static uint16_t pixels[MOST_PIXELS];
    wkRng rng = wkMakeRng(4);
    for (int i = 0; i < SIZE_COUNT; i++) {
        fillDepths(&rng, pixels, sizes[i][0], sizes[i][1]);
        wkDepthImage image = makeImage(pixels, sizes[i][0], sizes[i][1]);
        for (int k = 0; k < 8; k++) {
            wkPixelRequest filter = wkDefaultPixelRequest();
            filter.step = k % 2 == 0 ? 1 : 3;
            filter.minDepth = (k & 2) != 0 ? 1.0 : 0.0;
            filter.maxDepth = (k & 2) != 0 ? 1.9 : INFINITY;
            filter.maxJump = (k & 4) != 0 ? 0.05 : INFINITY;
            checkPoints(&image, &filter);
        }
    }
}

static void lenses_bend_points(void** state)
{
    (void)state;
    static uint16_t pixels[MOST_PIXELS];
    wkRng rng = wkMakeRng(5);
    fillDepths(&rng, pixels, 64, 48);
    for (int i = 0; i < LENS_COUNT; i++) {
        wkDepthImage image = makeImage(pixels, 64, 48);
        wkPixelRequest filter = wkDefaultPixelRequest();
        image.camera.distortion = lensTable[i].distortion;
        memcpy(image.camera.coefficients, lensTable[i].coefficients,
               sizeof image.camera.coefficients);
        checkPoints(&image, &filter);
    }
}

static void only_the_capacity_is_written(void** state)
{
    (void)state;
    const uint16_t pixels[6] = {1000, 1000, 0, 1000, 1000, 1000};
    wkDepthImage image = makeImage(pixels, 3, 2);
    float points[9] = {7.0f, 7.0f, 7.0f, 7.0f, 7.0f, 7.0f, 7.0f, 7.0f, 7.0f};
    int32_t numbers[3] = {7, 7, 7};
    assert_int_equal(wkDepthImage_Points(&image, NULL, points, numbers, 2), 5);
    assert_true(points[5] == 1.0f && points[6] == 7.0f && numbers[1] == 1 && numbers[2] == 7);
}

static void bad_filters_give_no_points(void** state)
{
    (void)state;
    const uint16_t pixels[6] = {1000, 1000, 0, 1000, 1000, 1000};
    wkDepthImage image = makeImage(pixels, 3, 2);
    for (int i = 0; i < 6; i++) {
        wkPixelRequest filter = wkDefaultPixelRequest();
        filter.step = i == 0 ? 0 : 1;
        filter.minDepth = i == 1 ? -1.0 : i == 2 ? NAN : i == 3 ? 2.0 : 0.0;
        filter.maxDepth = i == 3 ? 1.0 : INFINITY;
        filter.maxJump = i == 4 ? NAN : INFINITY;
        filter.cookie = i == 5 ? 0 : filter.cookie;
        assert_int_equal(wkDepthImage_Points(&image, &filter, NULL, NULL, 0), 0);
    }
    image.camera.fx = 0.0;
    assert_int_equal(wkDepthImage_Points(&image, NULL, NULL, NULL, 0), 0);
}

static wkOctree* makeMap(void)
{
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = 0.08;
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Create(&def, &octree), wk_ok);
    return octree;
}

// Cell by cell, to the bit.
static bool isSame(const wkOctree* a, const wkOctree* b)
{
    wkCellIterator inA = wkOctree_Cells(a, NULL), inB = wkOctree_Cells(b, NULL);
    wkCell cellA, cellB;
    bool isMore = true;
    while (isMore) {
        isMore = wkCellIterator_Next(&inA, &cellA);
        if (wkCellIterator_Next(&inB, &cellB) != isMore) {
            return false;
        }
        if (isMore &&
            (memcmp(&cellA.key, &cellB.key, sizeof cellA.key) != 0 || cellA.depth != cellB.depth ||
             memcmp(&cellA.logOdds, &cellB.logOdds, sizeof cellA.logOdds) != 0)) {
            return false;
        }
    }
    return true;
}

// Inserts an image in both ways, twice; all cells and counts must agree.
static void checkInsert(const wkDepthImage* image, const wkPixelRequest* filter, const wkScan* scan)
{
    static float points[3 * MOST_PIXELS];
    wkOctree *a = makeMap(), *b = makeMap();
    wkPose mapFromWorld = wkMakePoseRpy((wkVec3d){-0.4, 0.2, 0.1}, 0.0, 0.1, -0.3);
    wkScan array = *scan;
    array.points =
        (wkPointsView){points, wkDepthImage_Points(image, filter, points, NULL, MOST_PIXELS), 0};
    array.frame = wkMulPose(mapFromWorld, image->pose);
    for (int i = 0; i < 2; i++) {
        wkScanInfo reportA = {0}, reportB = {0};
        assert_int_equal(wkOctree_InsertDepth(a, image, filter, scan, mapFromWorld, &reportA),
                         wk_ok);
        assert_int_equal(wkOctree_Insert(b, &array, &reportB), wk_ok);
        assert_memory_equal(&reportA, &reportB, sizeof reportA);
        assert_true(isSame(a, b));
    }
    wkOctree_Destroy(a);
    wkOctree_Destroy(b);
}

static void maps_are_those_of_the_points(void** state)
{
    (void)state;
    static uint16_t pixels[MOST_PIXELS];
    wkRng rng = wkMakeRng(6);
    wkParallel parallel = {.threadCount = 3};
    for (int i = 0; i < SIZE_COUNT; i++) {
        fillDepths(&rng, pixels, sizes[i][0], sizes[i][1]);
        wkDepthImage image = makeImage(pixels, sizes[i][0], sizes[i][1]);
        for (int k = 0; k < 8; k++) {
            wkPixelRequest filter = wkDefaultPixelRequest();
            filter.maxDepth = 5.0;
            filter.maxJump = (k & 1) != 0 ? 0.05 : INFINITY;
            wkScan scan = wkDefaultScan();
            scan.isExact = (k & 2) != 0;
            scan.maxRange = (k & 4) != 0 ? 1.5 : INFINITY;
            scan.parallel = (k & 1) != 0 ? &parallel : NULL;
            checkInsert(&image, &filter, &scan);
        }
    }
}

static void maps_of_bent_images_are_those_of_the_points(void** state)
{
    (void)state;
    static uint16_t pixels[MOST_PIXELS];
    wkRng rng = wkMakeRng(7);
    wkScan scan = wkDefaultScan();
    fillDepths(&rng, pixels, 64, 48);
    for (int i = 0; i < LENS_COUNT; i++) {
        wkDepthImage image = makeImage(pixels, 64, 48);
        wkPixelRequest filter = wkDefaultPixelRequest();
        filter.maxDepth = 5.0;
        image.camera.distortion = lensTable[i].distortion;
        memcpy(image.camera.coefficients, lensTable[i].coefficients,
               sizeof image.camera.coefficients);
        checkInsert(&image, &filter, &scan);
    }
}

static void bad_images_leave_the_map_alone(void** state)
{
    (void)state;
    const uint16_t pixels[6] = {1000, 1000, 0, 1000, 1000, 1000};
    wkDepthImage image = makeImage(pixels, 3, 2);
    wkOctree* map = makeMap();
    wkPose nowhere = wkMakePose(NAN, 0.0, 0.0), here = wkIdentityPose();
    wkScan scan = wkDefaultScan();
    assert_int_equal(wkOctree_InsertDepth(NULL, &image, NULL, NULL, here, NULL), wk_errorArgument);
    assert_int_equal(wkOctree_InsertDepth(map, NULL, NULL, NULL, here, NULL), wk_errorArgument);
    assert_int_equal(wkOctree_InsertDepth(map, &image, NULL, NULL, nowhere, NULL),
                     wk_errorNotFinite);
    scan.decay = 2.0;
    assert_int_equal(wkOctree_InsertDepth(map, &image, NULL, &scan, here, NULL), wk_errorRange);
    image.camera.fx = NAN;
    assert_int_equal(wkOctree_InsertDepth(map, &image, NULL, NULL, here, NULL), wk_errorNotFinite);
    assert_int_equal(wkOctree_Info(map).leafCount, 0);
    wkOctree_Destroy(map);
}

static void no_memory_leaves_the_map_as_it_was(void** state)
{
    (void)state;
    static uint16_t pixels[MOST_PIXELS];
    wkRng rng = wkMakeRng(8);
    failing f = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
    wkSetAllocator(&allocator);
    fillDepths(&rng, pixels, 64, 48);
    wkDepthImage image = makeImage(pixels, 64, 48);
    wkPixelRequest filter = wkDefaultPixelRequest();
    filter.maxDepth = 5.0;
    wkOctree *map = makeMap(), *before = NULL;
    assert_int_equal(wkOctree_InsertDepth(map, &image, &filter, NULL, wkIdentityPose(), NULL),
                     wk_ok);
    int failureCount = 0;
    for (long n = 0;; n++) {
        f.failAt = -1;
        assert_int_equal(wkOctree_Copy(map, &before), wk_ok);
        f.callCount = 0;
        f.failAt = n;
        wkResult result =
            wkOctree_InsertDepth(map, &image, &filter, NULL, wkMakePose(0.1, 0.0, 0.0), NULL);
        bool isOver = f.callCount <= n;
        f.failAt = -1;
        failureCount += result != wk_ok;
        // without memory for a grid there is a slower way
        assert_true(result == wk_ok || (result == wk_errorMemory && !isOver));
        assert_int_equal(isSame(map, before), result != wk_ok);
        wkOctree_Destroy(before);
        if (isOver) {
            break;
        }
    }
    assert_true(failureCount >= 4);
    wkOctree_Destroy(map);
    assert_true(f.allocatedBytes == 0);
    wkSetAllocator(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_those_of_the_pixels),
        cmocka_unit_test(lenses_bend_points),
        cmocka_unit_test(only_the_capacity_is_written),
        cmocka_unit_test(bad_filters_give_no_points),
        cmocka_unit_test(maps_are_those_of_the_points),
        cmocka_unit_test(maps_of_bent_images_are_those_of_the_points),
        cmocka_unit_test(bad_images_leave_the_map_alone),
        cmocka_unit_test(no_memory_leaves_the_map_as_it_was),
    };
    return cmocka_run_group_tests_name("sense.points", tests, NULL, NULL);
}
