// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What clouds are not made of: views and radii that are not valid, no points at all, and damaged blocks.

#include "cloud_kit.h"

#include "whisker/query.h"

// A definition without points, and a covered lens: everything would be free.
static void clouds_without_points_are_refused(void** state)
{
    (void)state;
    wkCloudDef none = wkDefaultCloudDef();
    expectRefused(&none, wk_errorArgument, "none of 0 points is finite");
    const float blind[6] = {NAN, 0.0f, 0.0f, 1.0f, INFINITY, 0.0f};
    wkCloudDef covered = wkDefaultCloudDef();
    covered.points = wkMakeCloudView(blind, 2);
    expectRefused(&covered, wk_errorArgument, "none of 2 points is finite");
    covered.spacing = 0.1;
    expectRefused(&covered, wk_errorArgument, "allowsEmpty");
    covered.allowsEmpty = true;
    wkCloud* cloud = makeCloud(&covered);
    assert_int_equal(wkCloud_Info(cloud).notFiniteCount, 2);
    wkCloud_Destroy(cloud);
}

static void bad_views_are_refused(void** state)
{
    (void)state;
    static float points[30];
    wkCloudDef def = cloudDefOf(points, 10);
    def.cookie = 0;
    expectRefused(&def, wk_errorArgument, "wkDefaultCloudDef");
    def = cloudDefOf(NULL, 10);
    expectRefused(&def, wk_errorArgument, "data is NULL");
    def = cloudDefOf(points, -1);
    expectRefused(&def, wk_errorRange, "count");
    def = cloudDefOf(points, INT64_MAX);
    expectRefused(&def, wk_errorRange, "count");
    def = cloudDefOf(points, 10);
    def.points.stride = 8;
    expectRefused(&def, wk_errorRange, "stride is 8");
    def.points.stride = -8;
    expectRefused(&def, wk_errorRange, "stride is -8");
    def.points.stride = INT64_MIN;
    expectRefused(&def, wk_errorRange, "stride");
    def.points.stride = INT64_MAX;
    expectRefused(&def, wk_errorRange, "stride");
    def = cloudDefOf(points, 10);
    def.points = (wkCloudView){.data = points, .count = 10, .stride = 12}; // all offsets are 0
    expectRefused(&def, wk_errorRange, "yOffset is 0: they overlap");
    def = cloudDefOf(points, 10);
    def.points.radiusOffset = 8; // z
    expectRefused(&def, wk_errorRange, "radiusOffset is 8");
    def = cloudDefOf(points, 10);
    def.points.byteCount = sizeof points - 1;
    expectRefused(&def, wk_errorRange, "byteCount");
    def.points.stride = -12;
    expectRefused(&def, wk_errorArgument, "negative stride");
    def = cloudDefOf(points, 10);
    def.points.xOffset = -1;
    expectRefused(&def, wk_errorRange, "xOffset");
    def = cloudDefOf(points, 10);
    def.points.zOffset = -2;
    expectRefused(&def, wk_errorRange, "zOffset");
    def = cloudDefOf(points, 10);
    def.points.xOffset = INT32_MAX;
    expectRefused(&def, wk_errorRange, "xOffset");
    def = cloudDefOf(points, 10);
    def.radius = -1.0;
    expectRefused(&def, wk_errorRange, "radius");
    def.radius = NAN;
    expectRefused(&def, wk_errorNotFinite, "radius");
    def = cloudDefOf(points, 10);
    def.spacing = 1e-9;
    expectRefused(&def, wk_errorRange, "spacing");
    def = cloudDefOf(points, 10);
    def.origin.y = INFINITY;
    expectRefused(&def, wk_errorNotFinite, "origin.y");
    def = cloudDefOf(points, 10);
    def.mergedCount = -1;
    expectRefused(&def, wk_errorRange, "mergedCount");
}

static void bad_radii_are_refused_by_point(void** state)
{
    (void)state;
    static message messages[10];
    wkCloudDef def = cloudDefOf(messages, 10);
    layoutOfMessage(&def);
    messages[7].radius = -1.0f;
    expectRefused(&def, wk_errorRange, "point 7: radius is -1");
    messages[7].radius = NAN;
    expectRefused(&def, wk_errorNotFinite, "point 7: radius");
    messages[7].radius = 1e20f;
    expectRefused(&def, wk_errorRange, "point 7: radius");
    messages[7].radius = 0.0f;
    messages[3].deviation = -0.5f;
    expectRefused(&def, wk_errorRange, "point 3: deviation");
    messages[3].x = NAN; // left out, and so is its deviation
    wkCloud_Destroy(makeCloud(&def));
    messages[5].y = 3e38f;
    expectRefused(&def, wk_errorRange, "point 5: y");
}

static wkCloud* cloudForBlocks(void)
{
    wkRng rng = wkMakeRng(UNIT_SEED + 5);
    static message messages[200];
    for (int32_t i = 0; i < 200; i++) {
        messages[i].x = (float)wkRngRange(&rng, -1.0, 1.0);
        messages[i].y = (float)wkRngRange(&rng, -1.0, 1.0);
    }
    wkCloudDef def = cloudDefOf(messages, 200);
    layoutOfMessage(&def);
    return makeCloud(&def);
}

static void blocks_load_and_map(void** state)
{
    (void)state;
    wkCloud* cloud = cloudForBlocks();
    wkCloudInfo info = wkCloud_Info(cloud);
    wkCloud* copy = NULL;
    assert_int_equal(wkCloud_FromBlock(wkCloud_Block(cloud), info.byteCount + 5, &copy), wk_ok);
    assert_memory_equal(wkCloud_Block(copy), wkCloud_Block(cloud), info.byteCount);
    const wkCloud* mapped = NULL;
    assert_int_equal(wkCloud_MapBlock(wkCloud_Block(copy), info.byteCount, &mapped), wk_ok);
    assert_ptr_equal(mapped, copy);
    assert_int_equal(wkCloud_MapBlock((const char*)copy + 1, info.byteCount, &mapped),
                     wk_errorArgument);
    assert_int_equal(wkCloud_MapBlock(NULL, 0, &mapped), wk_errorArgument);
    wkCloud_Destroy(copy);
    assert_int_equal(wkCloud_FromBlock(NULL, 0, &copy), wk_errorArgument);
    wkCloud_Destroy(cloud);
}

static void damaged_blocks_are_refused(void** state)
{
    (void)state;
    wkCloud* cloud = cloudForBlocks();
    size_t byteCount = wkCloud_Info(cloud).byteCount;
    char* bytes = malloc(byteCount);
    wkRng rng = wkMakeRng(UNIT_SEED + 6);
    for (int n = 0; n < 4000; n++) {
        memcpy(bytes, cloud, byteCount);
        size_t at = (size_t)wkRngBelow(&rng, (int)(n % 2 == 0 ? sizeof(wkCloud) : byteCount));
        bytes[at] = (char)(bytes[at] ^ (char)(1 << wkRngBelow(&rng, 8)));
        wkCloud* copy = NULL;
        assert_int_not_equal(wkCloud_FromBlock(bytes, byteCount, &copy), wk_ok);
        assert_null(copy);
        // with a checksum that fits it loads, or a check by content refuses it; no walk goes astray
        wkCloud* forged = (wkCloud*)bytes;
        if (forged->byteCount == byteCount) {
            wkSealCloud(forged);
            if (wkCloud_FromBlock(bytes, byteCount, &copy) == wk_ok) {
                wkShape shape = wkMakeCloud(copy), sphere = wkMakeSphere(0.2);
                wkDistance(&shape, wkIdentityPose(), &sphere, wkMakePose(0.5, 0.2, 0.1), NULL);
                wkCloud_Destroy(copy);
            }
        }
    }
    for (size_t length = 0; length < byteCount; length += 61) {
        wkCloud* copy = NULL;
        assert_int_not_equal(wkCloud_FromBlock(cloud, length, &copy), wk_ok);
        assert_null(copy);
    }
    free(bytes);
    wkCloud_Destroy(cloud);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clouds_without_points_are_refused),
        cmocka_unit_test(bad_views_are_refused),
        cmocka_unit_test(bad_radii_are_refused_by_point),
        cmocka_unit_test(blocks_load_and_map),
        cmocka_unit_test(damaged_blocks_are_refused),
    };
    return cmocka_run_group_tests_name("input of clouds", tests, NULL, NULL);
}
