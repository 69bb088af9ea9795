// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Depth images in files: there and back, how failures are named, and that no byte or failing allocation does
// harm. Cameras are in test_camera.c.

#include "io_kit.h"

#include "../memory/failing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 31
#define HEIGHT 17

// Every kind of number: none, the least, the most, and such as need both bytes.
static void fillPixels(uint16_t* pixels, int count)
{
    for (int i = 0; i < count; i++) {
        pixels[i] = (uint16_t)(i % 5 == 0 ? 0 : i % 7 == 0 ? 65535 : 40503 * i + 1);
    }
}

static wkBytes readBytes(const char* path)
{
    wkBytes bytes = {0};
    uint8_t buffer[4096];
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    for (size_t n = fread(buffer, 1, sizeof buffer, file); n > 0;
         n = fread(buffer, 1, sizeof buffer, file)) {
        wkBytes_Add(&bytes, buffer, n);
    }
    fclose(file);
    return bytes;
}

static wkBytes smallFile(void)
{
    uint16_t pixels[WIDTH * HEIGHT];
    fillPixels(pixels, WIDTH * HEIGHT);
    wkDepthData data = {WIDTH, HEIGHT, pixels};
    const char* path = wkTestPath("small.png");
    assert_int_equal(wkDepthData_Save(path, &data), wk_ok);
    return readBytes(path);
}

static void images_come_back_as_they_were(void** state)
{
    (void)state;
    uint16_t pixels[WIDTH * HEIGHT];
    fillPixels(pixels, WIDTH * HEIGHT);
    const int sizes[][2] = {{WIDTH, HEIGHT}, {1, 1}, {1, HEIGHT}, {WIDTH, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        wkDepthData data = {sizes[i][0], sizes[i][1], pixels}, *back = NULL;
        const char* path = wkTestPath("back.png");
        assert_int_equal(wkDepthData_Save(path, &data), wk_ok);
        assert_int_equal(wkDepthData_Load(path, &back), wk_ok);
        assert_int_equal(back->width, data.width);
        assert_int_equal(back->height, data.height);
        size_t count = (size_t)data.width * (size_t)data.height;
        assert_memory_equal(back->pixels, pixels, count * sizeof *pixels);
        wkDepthData_Destroy(back);
    }
}

// The file of 2 x 2 pixels 0x0102, 0xff00, 0, 0xffff with rows as they are, put together by hand.
static void bytes_are_in_the_order_of_png(void** state)
{
    (void)state;
    static const uint8_t file[] = {
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49,
        0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x10, 0x00,
        0x00, 0x00, 0x00, 0x07, 0x4d, 0x8e, 0xbb, 0x00, 0x00, 0x00, 0x15, 0x49, 0x44,
        0x41, 0x54, 0x78, 0x01, 0x01, 0x0a, 0x00, 0xf5, 0xff, 0x00, 0x01, 0x02, 0xff,
        0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0x0a, 0x19, 0x03, 0x01, 0x58, 0xe1, 0x3f,
        0x2a, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
    wkDepthData* data = NULL;
    if (wkDepthData_Parse(file, sizeof file, &data) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    const uint16_t expected[4] = {0x0102, 0xff00, 0, 0xffff};
    assert_memory_equal(data->pixels, expected, sizeof expected);
    wkDepthData_Destroy(data);
}

static void every_cut_is_refused_with_the_name(void** state)
{
    (void)state;
    wkBytes bytes = smallFile();
    for (size_t count = 0; count < bytes.count; count++) {
        wkDepthData* data = NULL;
        wkResult result = wkDepthData_Parse(bytes.data, count, &data);
        assert_int_equal(result, wk_errorParse);
        assert_null(data);
        assert_true(strncmp(wkGetLastError(), "png: ", 5) == 0);
    }
    const char* path = wkTestPath("cut.png");
    wkDepthData* data = NULL;
    wkWriteFile(path, bytes.data, bytes.count / 2);
    assert_int_equal(wkDepthData_Load(path, &data), wk_errorParse);
    assert_non_null(strstr(wkGetLastError(), "cut.png"));
    wkBytes_Free(&bytes);
}

// Any byte may be wrong: an error, or an image, and no harm.
static void broken_bytes_do_no_harm(void** state)
{
    (void)state;
    wkBytes bytes = smallFile();
    int refusedCount = 0;
    for (size_t i = 0; i < bytes.count; i++) {
        for (int bit = 0; bit < 8; bit += 3) {
            wkDepthData* data = NULL;
            bytes.data[i] ^= (uint8_t)(1 << bit);
            refusedCount += wkDepthData_Parse(bytes.data, bytes.count, &data) != wk_ok;
            wkDepthData_Destroy(data);
            bytes.data[i] ^= (uint8_t)(1 << bit);
        }
    }
    assert_true(refusedCount > (int)bytes.count);
    wkBytes_Free(&bytes);
}

static void other_pictures_are_refused_in_words(void** state)
{
    (void)state;
    // header chunks of 8-bit grey and of colour; the rest of the file is not looked at
    static const struct {
        const char* name;
        const char* words;
        wkResult result;
    } rows[] = {{"grey8", "8-bit grey", wk_errorUnsupported},
                {"colour", "8-bit colour", wk_errorUnsupported},
                {"huge", "16384 x 16384", wk_errorParse}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", FUZZ_CORPUS "/png", rows[i].name);
        wkDepthData* data = NULL;
        assert_int_equal(wkDepthData_Load(path, &data), rows[i].result);
        assert_non_null(strstr(wkGetLastError(), rows[i].words));
        assert_non_null(strstr(wkGetLastError(), rows[i].name));
    }
    wkDepthData* data = NULL;
    assert_int_equal(wkDepthData_Load("no such file.png", &data), wk_errorFile);
    assert_int_equal(wkDepthData_Parse("width 640", 9, &data), wk_errorParse);
    assert_int_equal(wkDepthData_Parse(NULL, 9, &data), wk_errorArgument);
    assert_int_equal(wkDepthData_Load(NULL, &data), wk_errorArgument);
}

// An allocator that knows the largest block it was asked for.
static size_t largestBlock;

static void* allocateMeasured(size_t byteCount, void* context)
{
    (void)context;
    largestBlock = byteCount > largestBlock ? byteCount : largestBlock;
    return aligned_alloc(64, (byteCount + 63) / 64 * 64);
}

static void releaseMeasured(void* memory, size_t byteCount, void* context)
{
    (void)byteCount;
    (void)context;
    free(memory);
}

// Pixels of another size than the camera's are not decoded.
static void the_size_is_compared_first(void** state)
{
    (void)state;
    enum {
        side = 4096
    };
    uint16_t* pixels = calloc((size_t)side * side, sizeof *pixels);
    wkDepthData large = {side, side, pixels};
    const char* path = wkTestPath("large.png");
    assert_int_equal(wkDepthData_Save(path, &large), wk_ok);
    free(pixels);
    const wkAllocator allocator = {allocateMeasured, releaseMeasured, NULL};
    wkSetAllocator(&allocator);
    largestBlock = 0;
    wkCamera camera = wkDefaultCamera();
    wkDepthData* data = NULL;
    assert_int_equal(wkDepthData_LoadFor(path, &camera, &data), wk_errorRange);
    assert_null(data);
    assert_non_null(strstr(wkGetLastError(), "4096 x 4096"));
    assert_non_null(strstr(wkGetLastError(), "640 x 480"));
    assert_true(largestBlock < 1000000);
    assert_int_equal(wkDepthData_LoadFor(path, NULL, &data), wk_errorArgument);
    camera.width = camera.height = side;
    assert_int_equal(wkDepthData_LoadFor(path, &camera, &data), wk_ok);
    wkDepthData_Destroy(data);
    wkSetAllocator(NULL);
    wkRemoveFiles();
}

static void interlaced_rows_are_put_in_order(void** state)
{
    (void)state;
    wkDepthData* data = NULL;
    assert_int_equal(wkDepthData_Load(FUZZ_CORPUS "/png/interlaced", &data), wk_ok);
    assert_int_equal(data->width, 9);
    assert_int_equal(data->height, 10);
    for (int v = 0; v < 10; v++) {
        for (int u = 0; u < 9; u++) {
            assert_int_equal(data->pixels[v * 9 + u], (u * 257 + v * 1031) & 0xffff);
        }
    }
    wkDepthData_Destroy(data);
}

static void sizes_that_are_none_are_not_saved(void** state)
{
    (void)state;
    uint16_t pixel = 1;
    const char* path = wkTestPath("none.png");
    const wkDepthData rows[] = {{0, 1, &pixel}, {1, -1, &pixel}, {16385, 1, &pixel}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(wkDepthData_Save(path, &rows[i]), wk_errorRange);
    }
    wkDepthData empty = {1, 1, NULL};
    assert_int_equal(wkDepthData_Save(path, &empty), wk_errorArgument);
    wkDepthData one = {1, 1, &pixel};
    assert_int_equal(wkDepthData_Save("no/such/folder/a.png", &one), wk_errorFile);
}

static void depths_are_rounded_to_units(void** state)
{
    (void)state;
    const float depths[6] = {1.0004f, NAN, 0.0004f, 65.535f, 70.0f, 1.0006f};
    wkDepthImage image = wkDefaultDepthImage();
    image.camera.width = 3;
    image.camera.height = 2;
    image.pixels = depths;
    image.type = wk_depthFloat;
    image.scale = 1.0;
    const char* path = wkTestPath("units.png");
    assert_int_equal(wkDepthImage_Save(path, &image, 0.001), wk_ok);
    wkDepthData* data = NULL;
    assert_int_equal(wkDepthData_Load(path, &data), wk_ok);
    const uint16_t expected[6] = {1000, 0, 0, 65535, 0, 1001};
    assert_memory_equal(data->pixels, expected, sizeof expected);
    wkDepthData_Destroy(data);
    assert_int_equal(wkDepthImage_Save(path, &image, 0.0), wk_errorArgument);
    image.pixels = NULL;
    assert_int_equal(wkDepthImage_Save(path, &image, 0.001), wk_errorArgument);
}

static void no_memory_is_no_harm(void** state)
{
    (void)state;
    wkBytes bytes = smallFile();
    failing f = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
    wkSetAllocator(&allocator);
    int failureCount = 0;
    for (long n = 0;; n++) {
        wkDepthData* data = NULL;
        f.callCount = 0;
        f.failAt = n;
        wkResult result = wkDepthData_Parse(bytes.data, bytes.count, &data);
        bool isOver = f.callCount <= n;
        if (result != wk_ok) {
            assert_int_equal(result, wk_errorMemory);
            failureCount++;
        }
        wkDepthData_Destroy(data);
        assert_true(f.allocatedBytes == 0);
        if (isOver) {
            assert_int_equal(result, wk_ok);
            break;
        }
    }
    assert_true(failureCount >= 4);

    uint16_t pixels[WIDTH * HEIGHT];
    fillPixels(pixels, WIDTH * HEIGHT);
    wkDepthData data = {WIDTH, HEIGHT, pixels};
    for (long n = 0;; n++) {
        f.callCount = 0;
        f.failAt = n;
        wkResult result = wkDepthData_Save(wkTestPath("memory.png"), &data);
        assert_true(f.allocatedBytes == 0);
        assert_true(result == wk_ok || result == wk_errorMemory);
        if (f.callCount <= n) {
            assert_int_equal(result, wk_ok);
            break;
        }
    }
    wkSetAllocator(NULL);
    wkBytes_Free(&bytes);
}

// Files of others: all of the size that their camera says, and with something to see.
static void real_images_load_with_their_cameras(void** state)
{
    (void)state;
    wkSkipWithoutData("depth");
    static const char* const files[][2] = {
        {"realsense_d435", "frame_0.png"},
        {"apc_shelf_bin_b", "frame-000000.depth.png"},
        {"tum_fr3_sitting_rpy", "depth/1341846092.023879.png"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[1024];
        wkDepthImage image = wkDefaultDepthImage();
        wkDepthData* data = NULL;
        snprintf(path, sizeof path, "%s/depth/%s/intrinsics.txt", wkDataFolder(), files[i][0]);
        if (wkDepthImage_LoadCamera(path, &image) != wk_ok) {
            fail_msg("%s", wkGetLastError());
        }
        snprintf(path, sizeof path, "%s/depth/%s/%s", wkDataFolder(), files[i][0], files[i][1]);
        if (wkDepthData_Load(path, &data) != wk_ok) {
            fail_msg("%s", wkGetLastError());
        }
        assert_int_equal(data->width, image.camera.width);
        assert_int_equal(data->height, image.camera.height);
        image.pixels = data->pixels;
        assert_int_equal(wkDepthImage_Check(&image), wk_ok);
        int measuredCount = 0;
        for (int v = 0; v < data->height; v++) {
            for (int u = 0; u < data->width; u++) {
                float depth = wkDepthImage_At(&image, u, v);
                measuredCount += depth > 0.1f && depth < 10.0f;
            }
        }
        assert_true(measuredCount > data->width * data->height / 4);
        wkDepthData_Destroy(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_come_back_as_they_were),
        cmocka_unit_test(bytes_are_in_the_order_of_png),
        cmocka_unit_test(every_cut_is_refused_with_the_name),
        cmocka_unit_test(broken_bytes_do_no_harm),
        cmocka_unit_test(other_pictures_are_refused_in_words),
        cmocka_unit_test(the_size_is_compared_first),
        cmocka_unit_test(interlaced_rows_are_put_in_order),
        cmocka_unit_test(sizes_that_are_none_are_not_saved),
        cmocka_unit_test(depths_are_rounded_to_units),
        cmocka_unit_test(no_memory_is_no_harm),
        cmocka_unit_test(real_images_load_with_their_cameras),
    };
    int failed = cmocka_run_group_tests_name("io.depth", tests, NULL, NULL);
    wkRemoveFiles();
    return failed;
}
