// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Cameras in files: our own, those of ROS and plain matrices; what is refused, and with which line.

#include "io_kit.h"

#include "whisker/detail/counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
        {MESSAGE "widht: 3\n", ":9: widht: unknown key of a camera file"},
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
    for (int lens = 0; lens < WK_DISTORTION_COUNT; lens++) {
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cameras_say_what_they_say),
        cmocka_unit_test(cameras_of_ros_are_read),
        cmocka_unit_test(bad_cameras_of_ros_are_refused),
        cmocka_unit_test(matrices_are_cameras),
        cmocka_unit_test(bad_cameras_are_refused_with_their_line),
        cmocka_unit_test(cameras_come_back_to_the_bit),
    };
    int failed = cmocka_run_group_tests_name("io.camera", tests, NULL, NULL);
    wkRemoveFiles();
    return failed;
}
