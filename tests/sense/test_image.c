// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Depth images: their fields, and what single pixels say.

#include "../unit/unit_kit.h"

#include "whisker/depth_image.h"
#include "whisker/detail/counts.h"

#include <string.h>

static const uint16_t whole[6] = {0, 1, 1000, 65535, 7, 8};

static wkDepthImage smallImage(void)
{
    wkDepthImage image = wkDefaultDepthImage();
    image.camera.width = 3;
    image.camera.height = 2;
    image.pixels = whole;
    return image;
}

static void whole_numbers_are_scaled(void** state)
{
    (void)state;
    wkDepthImage image = smallImage();
    assert_int_equal(wkDepthImage_Check(&image), wk_ok);
    assert_true(isnan(wkDepthImage_At(&image, 0, 0)));
    assert_true(wkDepthImage_At(&image, 2, 0) == 1.0f);
    assert_true(wkDepthImage_At(&image, 0, 1) == 65.535f);
    image.scale = 0.0002;
    assert_true(wkDepthImage_At(&image, 2, 0) == 0.2f);
    assert_true(isnan(wkDepthImage_At(&image, 3, 0)) && isnan(wkDepthImage_At(&image, -1, 0)));
    assert_true(isnan(wkDepthImage_At(&image, 0, 2)) && isnan(wkDepthImage_At(&image, 0, -1)));
}

static void floats_are_metres(void** state)
{
    (void)state;
    const float depths[8] = {1.5f, NAN, -1.0f, 0.0f, INFINITY, 2.5f, 9.0f, 9.0f};
    wkDepthImage image = smallImage();
    image.pixels = depths;
    image.type = wk_depthFloat;
    image.scale = 1.0;
    image.camera.width = 2;
    image.camera.height = 2;
    image.rowBytes = 16;
    assert_int_equal(wkDepthImage_Check(&image), wk_ok);
    assert_true(wkDepthImage_At(&image, 0, 0) == 1.5f && isnan(wkDepthImage_At(&image, 1, 0)));
    assert_true(isnan(wkDepthImage_At(&image, 0, 1)) && wkDepthImage_At(&image, 1, 1) == 2.5f);
    image.rowBytes = 8;
    assert_true(isnan(wkDepthImage_At(&image, 0, 1)) && isnan(wkDepthImage_At(&image, 1, 1)));
}

// Makes one thing wrong with an image.
typedef void spoilFcn(wkDepthImage* image);
typedef struct spoiled {
    const char* word;
    spoilFcn* spoil;
    wkResult result;
} spoiled;

// clang-format off
static void noPixels(wkDepthImage* i)     { i->pixels = NULL; }
static void noCookie(wkDepthImage* i)     { i->cookie = 0; }
static void noWidth(wkDepthImage* i)      { i->camera.width = 0; }
static void hugeHeight(wkDepthImage* i)   { i->camera.height = 16385; }
static void noFocus(wkDepthImage* i)      { i->camera.fx = 0.0; }
static void nanFocus(wkDepthImage* i)     { i->camera.fy = NAN; }
static void endlessMiddle(wkDepthImage* i){ i->camera.cx = INFINITY; }
static void nanTerm(wkDepthImage* i)      { i->camera.coefficients[7] = NAN; }
static void oddLens(wkDepthImage* i)      { i->camera.distortion = WK_DISTORTION_COUNT; }
static void oddType(wkDepthImage* i)      { i->type = (wkDepthType)2; }
static void nanPose(wkDepthImage* i)      { i->pose.position.y = NAN; }
static void farPose(wkDepthImage* i)      { i->pose.position.z = -1e61; }
static void noRotation(wkDepthImage* i)       { memset(&i->pose.rotation, 0, sizeof i->pose.rotation); }
static void shortRows(wkDepthImage* i)    { i->rowBytes = 4; }
static void oddRows(wkDepthImage* i)      { i->rowBytes = 7; }
static void noScale(wkDepthImage* i)      { i->scale = 0.0; }
static void nanScale(wkDepthImage* i)     { i->scale = NAN; }

static const spoiled spoiledTable[] = {
    {"pixels",          noPixels,      wk_errorArgument},
    {"wkDefault",       noCookie,      wk_errorArgument},
    {"width",           noWidth,       wk_errorRange},
    {"height",          hugeHeight,    wk_errorRange},
    {"fx",              noFocus,       wk_errorRange},
    {"fy",              nanFocus,      wk_errorNotFinite},
    {"cx",              endlessMiddle, wk_errorNotFinite},
    {"coefficients[7]", nanTerm,       wk_errorNotFinite},
    {"distortion",      oddLens,       wk_errorRange},
    {"type",            oddType,       wk_errorRange},
    {"pose",            nanPose,       wk_errorNotFinite},
    {"pose",            noRotation,        wk_errorNotFinite},
    {"pose",            farPose,       wk_errorRange},
    {"rowBytes",        shortRows,     wk_errorRange},
    {"rowBytes",        oddRows,       wk_errorRange},
    {"scale",           noScale,       wk_errorRange},
    {"scale",           nanScale,      wk_errorNotFinite},
};
// clang-format on

static void what_is_wrong_is_named(void** state)
{
    (void)state;
    assert_int_equal(wkDepthImage_Check(NULL), wk_errorArgument);
    for (size_t i = 0; i < sizeof spoiledTable / sizeof spoiledTable[0]; i++) {
        wkDepthImage image = smallImage();
        spoiledTable[i].spoil(&image);
        assert_int_equal(wkDepthImage_Check(&image), spoiledTable[i].result);
        assert_non_null(strstr(wkGetLastError(), spoiledTable[i].word));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_are_scaled),
        cmocka_unit_test(floats_are_metres),
        cmocka_unit_test(what_is_wrong_is_named),
    };
    return cmocka_run_group_tests_name("sense.image", tests, NULL, NULL);
}
