// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Depth images and cameras in files: there and back, how failures are named, and that no byte or failing
// allocation does harm.

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

static void interlaced_rows_find_their_places(void** state)
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

static wkResult parseCamera(const char* text, wkDepthImage* image)
{
    return wkDepthImage_ParseCamera(text, strlen(text), image);
}

#define SMALL "width 4\nheight 3\nfx 2\nfy 2.5\n"

static void cameras_say_what_they_say(void** state)
{
    (void)state;
    wkDepthImage image = wkDefaultDepthImage();
    assert_int_equal(parseCamera("# TUM\nwidth 640\r\nheight 480\nfx 535.4\nfy\t539.2\ncx 320.1\n\n"
                                 "cy 247.6\ndepth_units_m 0.0002",
                                 &image),
                     wk_ok);
    assert_true(image.camera.width == 640 && image.camera.height == 480);
    assert_true(image.camera.fx == 535.4 && image.camera.fy == 539.2);
    assert_true(image.camera.cx == 320.1 && image.camera.cy == 247.6 && image.scale == 0.0002);
    assert_int_equal(image.camera.distortion, wk_distortionNone);

    assert_int_equal(parseCamera(SMALL, &image), wk_ok);
    assert_true(image.camera.cx == 1.5 && image.camera.cy == 1.0 && image.scale == 0.001);
    assert_true(image.pose.rotation.w == 1.0 && image.pose.position.x == 0.0);

    assert_int_equal(parseCamera(SMALL "distortion 0.0 0.0 0.0 0.0 0.0\n", &image), wk_ok);
    assert_int_equal(image.camera.distortion, wk_distortionNone);
    assert_int_equal(parseCamera(SMALL "distortion .1 .2 .3 .4 .5\n", &image), wk_ok);
    assert_int_equal(image.camera.distortion, wk_distortionBrown);
    assert_true(image.camera.coefficients[4] == 0.5 && image.camera.coefficients[5] == 0.0);
    assert_int_equal(parseCamera(SMALL "distortion_model fisheye\npose 1 2 3 0 0 0 2\n", &image),
                     wk_ok);
    assert_int_equal(image.camera.distortion, wk_distortionFisheye);
    assert_true(image.pose.position.z == 3.0 && image.pose.rotation.w == 2.0);

    // what the file does not say stays, NaN as well: programs can tell
    assert_int_equal(parseCamera(SMALL, &image), wk_ok);
    assert_true(image.pose.position.z == 3.0 && image.pose.rotation.w == 2.0);
    image.pose.position.x = NAN;
    assert_int_equal(parseCamera(SMALL, &image), wk_ok);
    assert_true(isnan(image.pose.position.x));
    assert_int_equal(parseCamera(SMALL "pose nan 0 0 0 0 0 1\n", &image), wk_errorNotFinite);
}

// Builds without libyaml refuse what ROS writes.
static bool readsYaml(void)
{
    wkDepthImage image;
    return parseCamera("K: []\n", &image) != wk_errorUnsupported;
}

#define CALIBRATION                                                                                \
    "image_width: 640\nimage_height: 480\ncamera_name: head\ncamera_matrix:\n  rows: 3\n"          \
    "  cols: 3\n  data: [535.4, 0, 320.1, 0, 539.2, 247.6, 0, 0, 1]\n"                             \
    "rectification_matrix: {rows: 3, cols: 3, data: [1, 0, 0, 0, 1, 0, 0, 0, 1]}\n"                \
    "projection_matrix: {rows: 3, cols: 4, data: [1, 0, 2, 0, 0, 1, 2, 0, 0, 0, 1, 0]}\n"
#define MESSAGE                                                                                    \
    "header: {seq: 7, stamp: {secs: 1, nsecs: 2}, frame_id: \"camera\"}\nheight: 480\nwidth: "     \
    "640\n"                                                                                        \
    "K: [535.4, 0.0, 320.1, 0.0, 539.2, 247.6, 0.0, 0.0, 1.0]\nbinning_x: 0\nbinning_y: 0\n"       \
    "R: [1, 0, 0, 0, 1, 0, 0, 0, 1]\nP: [1, 0, 2, 0, 0, 1, 2, 0, 0, 0, 1, 0]\n"

static void cameras_of_ros_are_read(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        wkDistortion distortion;
        double first, last;
    } rows[] = {
        {CALIBRATION, wk_distortionNone, 0.0, 0.0},
        {CALIBRATION "distortion_model: plumb_bob\n"
                     "distortion_coefficients: {rows: 1, cols: 5, data: [0.1, 2, 3, 4, 0]}\n",
         wk_distortionBrown, 0.1, 0.0},
        {CALIBRATION "distortion_model: equidistant\n"
                     "distortion_coefficients: {rows: 1, cols: 4, data: [0.1, 0.01, 0, 0]}\n",
         wk_distortionFisheye, 0.1, 0.0},
        {MESSAGE "distortion_model: rational_polynomial\n"
                 "D: [0.1, 0, 0, 0, 0, 0, 0, 0.25, 0, 0, 0, 0]\n---\n",
         wk_distortionBrown, 0.1, 0.25},
        {"---\n" MESSAGE "distortion_model: \"plumb_bob\"\nD: [0.0, 0.0, 0.0, 0.0, 0.0]\n"
         "roi:\n  x_offset: 0\n  y_offset: 0\n  height: 480\n  width: 640\n  do_rectify: False\n",
         wk_distortionNone, 0.0, 0.0},
        {MESSAGE "distortion_model: ''\nD: []\n", wk_distortionNone, 0.0, 0.0},
    };
    if (!readsYaml()) {
        skip();
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wkDepthImage image = wkDefaultDepthImage();
        if (parseCamera(rows[i].text, &image) != wk_ok) {
            fail_msg("%d: %s", (int)i, wkGetLastError());
        }
        const wkCamera* c = &image.camera;
        assert_true(c->width == 640 && c->height == 480 && c->fx == 535.4 && c->fy == 539.2);
        assert_true(c->cx == 320.1 && c->cy == 247.6 && image.scale == 0.001);
        assert_int_equal(c->distortion, rows[i].distortion);
        assert_true(c->coefficients[0] == rows[i].first && c->coefficients[7] == rows[i].last);
    }
    wkDepthImage image = wkDefaultDepthImage();
    assert_int_equal(
        parseCamera(MESSAGE "depth_units_m: 0.0002\npose: [1, 2, 3, 0, 0, 0, 1]\n", &image), wk_ok);
    assert_true(image.scale == 0.0002 && image.pose.position.z == 3.0);
}

static void bad_cameras_of_ros_are_refused(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        const char* words;
    } rows[] = {
        {"width: 640\nheight: 480\n", "camera_matrix (or K) is missing"},
        {MESSAGE "widht: 3\n", ":9: widht: it is no key of a camera"},
        {MESSAGE "k: [1, 0, 0, 0, 1, 0, 0, 0]\n", ":9: k: 8 numbers, expected 9"},
        {MESSAGE "D: [0, 0, 0, 0, 0, 0, 0, 0, 0.5]\n", ":9: D: coefficient 9 is 0.5"},
        {MESSAGE "distortion_model: division\n", ":9: distortion_model: \"division\" is none of"},
        {MESSAGE "roi: {x_offset: 0, y_offset: 8, height: 0, width: 0}\n",
         "y_offset 8) is not read"},
        {MESSAGE "distortion_model: fisheye\nD: [0, 0, 0, 0, 1]\n", "has 4 coefficients"},
        {MESSAGE "distortion_model: none\nD: [1, 0, 0, 0]\n", "but a coefficient is not 0"},
        {MESSAGE "---\nwidth: 3\n", ":10: another message follows"},
        {"width: 640\nheight: 480\nK: [0, 0, 0, 0, 0, 0, 0, 0, 0]\n",
         ":3: K: its focal lengths are 0"},
        {"width: 640\nheight: 480\nK: [1, 0.5, 0, 0, 1, 0, 0, 0, 1]\n", ":3: K: its skew"},
        {"width: 640\nheight: 480\nK: [1, 0, 0, 0, 1, 0, 0, 0, 2]\n", ":3: K: it is not fx 0 cx"},
        {"width: 640\nheight: 480\nbinning_x: 2\nK: [1, 0, 0, 0, 1, 0, 0, 0, 1]\n",
         ":3: binning_x: binning of 2 pixels is not read"},
        {"width: 640\nK: [1, 0, 0, 0, 1, 0, 0, 0, 1]\n", "height is 0"},
        {"width: [1\n", "YAML: "},
    };
    if (!readsYaml()) {
        skip();
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wkDepthImage image = wkDefaultDepthImage();
        assert_int_not_equal(parseCamera(rows[i].text, &image), wk_ok);
        if (strstr(wkGetLastError(), rows[i].words) == NULL) {
            fail_msg("%s instead of %s", wkGetLastError(), rows[i].words);
        }
        assert_true(image.camera.fx == 525.0);
    }
}

static void matrices_are_cameras(void** state)
{
    (void)state;
    static const char* const good[] = {"535.4 0 320.1\n0 539.2 247.6\n0 0 1\n",
                                       "# K\n535.4,0,320.1, 0;539.2;247.6,0,0,1"};
    for (int i = 0; i < 2; i++) {
        wkDepthImage image = wkDefaultDepthImage();
        assert_int_equal(parseCamera(good[i], &image), wk_ok);
        assert_true(image.camera.fx == 535.4 && image.camera.cy == 247.6);
        assert_true(image.camera.width == 0 && image.camera.height == 0);
    }
    wkDepthImage image = wkDefaultDepthImage();
    assert_int_equal(
        parseCamera("2 0 1\n0 2 1\n0 0 1\nwidth 4\nheight 3\npose 1 2 3 0 0 0 1", &image), wk_ok);
    assert_true(image.camera.width == 4 && image.pose.position.y == 2.0);
    static const struct {
        const char* text;
        const char* words;
    } bad[] = {
        {"1 0 1\n0 1 1\n", "6 numbers of a 3x3 matrix, expected nine"},
        {"1 0 1\n0 1 1\n0 0 1 0\n", ":3: more than the nine"},
        {"1 0 1\n0 1 x\n", ":2: \"x\" is no number"},
        {"1 0,5 1\n0 1 1\n0 0 1\n", ":3: more than the nine"},
        {"1 2 1\n0 1 1\n0 0 1\n", "the 3x3 matrix: its skew"},
        {"1 0 1\n0 1 1\n0 0 1\nfx 3\n", "fx is there, and in the 3x3 matrix too"},
        {"1 0 1\n0 1 1\n0 0 1\nwidth 3\n", "height is 0"},
        {"-1 0 1\n0 1 1\n0 0 1\n", "fx is -1"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_not_equal(parseCamera(bad[i].text, &image), wk_ok);
        if (strstr(wkGetLastError(), bad[i].words) == NULL) {
            fail_msg("%s instead of %s", wkGetLastError(), bad[i].words);
        }
    }
}

static void bad_cameras_are_refused_with_their_line(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        const char* words;
        wkResult result;
    } rows[] = {
        {"", "width is missing", wk_errorParse},
        {"width 4\nheight 3\nfx 2\n", "fy is missing", wk_errorParse},
        {SMALL "widht 4\n", ":5: \"widht\" is no key", wk_errorParse},
        {SMALL "width 4\n", ":5: width is there a second time", wk_errorParse},
        {"width 4 5\n", ":1: width", wk_errorParse},
        {"width\n", ":1: width", wk_errorParse},
        {"\nwidth four\n", ":2: width: \"four\" is no number", wk_errorParse},
        {"width 4.5\n", ":1: width: 4.5 is no whole number", wk_errorParse},
        {"width 1e30\n", "is no whole number", wk_errorParse},
        {SMALL "distortion 1 2 3\n", ":5: distortion", wk_errorParse},
        {SMALL "distortion 1 2 3 4 5 6 7 8 9\n", ":5: distortion", wk_errorParse},
        {SMALL "distortion_model oval\n", ":5: distortion_model: \"oval\"", wk_errorParse},
        {SMALL "distortion_model\n", ":5: distortion_model", wk_errorParse},
        {SMALL "pose 0 0 0 0 0 0 0\n", "pose", wk_errorNotFinite},
        {SMALL "depth_units_m 0\n", "depth_units_m", wk_errorRange},
        {"width 0\nheight 3\nfx 2\nfy 2\n", "width is 0", wk_errorRange},
        {"width 4\nheight 3\nfx 0\nfy 2\n", "fx is 0", wk_errorRange},
        {"width 4\nheight 3\nfx nan\nfy 2\n", "fx is nan", wk_errorNotFinite},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wkDepthImage image = wkDefaultDepthImage();
        assert_int_equal(parseCamera(rows[i].text, &image), rows[i].result);
        if (strstr(wkGetLastError(), rows[i].words) == NULL) {
            fail_msg("%s, not %s", wkGetLastError(), rows[i].words);
        }
        assert_int_equal(image.camera.width, 640);
    }
    wkDepthImage image = wkDefaultDepthImage();
    const char* path = wkTestPath("camera.txt");
    wkWriteFile(path, "width x\n", 8);
    assert_int_equal(wkDepthImage_LoadCamera(path, &image), wk_errorParse);
    assert_non_null(strstr(wkGetLastError(), "camera.txt:1: "));
    assert_int_equal(wkDepthImage_LoadCamera("no such file.txt", &image), wk_errorFile);
}

static void cameras_come_back_to_the_bit(void** state)
{
    (void)state;
    for (int lens = 0; lens < wk_distortionCount; lens++) {
        wkDepthImage image = wkDefaultDepthImage(), back = image;
        image.camera.fx = 1.0 / 3.0;
        image.camera.distortion = (wkDistortion)lens;
        for (int i = 0; i < 8 && lens > 0; i++) {
            image.camera.coefficients[i] = 0.1 / (i + 1.0);
        }
        image.scale = 1.0 / 7.0;
        image.pose.position.y = -2.0 / 3.0;
        image.pose.rotation.x = 0.7;
        const char* path = wkTestPath("camera_back.txt");
        assert_int_equal(wkDepthImage_SaveCamera(path, &image), wk_ok);
        assert_int_equal(wkDepthImage_LoadCamera(path, &back), wk_ok);
        const wkCamera *a = &back.camera, *b = &image.camera;
        assert_true(a->fx == b->fx && a->fy == b->fy && a->cx == b->cx && a->cy == b->cy);
        assert_true(a->width == b->width && a->height == b->height);
        assert_int_equal(a->distortion, b->distortion);
        assert_memory_equal(a->coefficients, b->coefficients, sizeof a->coefficients);
        assert_memory_equal(&back.pose, &image.pose, sizeof image.pose);
        assert_true(back.scale == image.scale);
    }
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
        int seenCount = 0;
        for (int v = 0; v < data->height; v++) {
            for (int u = 0; u < data->width; u++) {
                float depth = wkDepthImage_At(&image, u, v);
                seenCount += depth > 0.1f && depth < 10.0f;
            }
        }
        assert_true(seenCount > data->width * data->height / 4);
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
        cmocka_unit_test(interlaced_rows_find_their_places),
        cmocka_unit_test(sizes_that_are_none_are_not_saved),
        cmocka_unit_test(depths_are_rounded_to_units),
        cmocka_unit_test(no_memory_is_no_harm),
        cmocka_unit_test(cameras_say_what_they_say),
        cmocka_unit_test(bad_cameras_are_refused_with_their_line),
        cmocka_unit_test(cameras_of_ros_are_read),
        cmocka_unit_test(bad_cameras_of_ros_are_refused),
        cmocka_unit_test(matrices_are_cameras),
        cmocka_unit_test(cameras_come_back_to_the_bit),
        cmocka_unit_test(real_images_load_with_their_cameras),
    };
    int failed = cmocka_run_group_tests_name("io.depth", tests, NULL, NULL);
    wkRemoveFiles();
    return failed;
}
