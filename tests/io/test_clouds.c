// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Clouds from files: every format gives the same cloud, no coordinate of a file comes free by rounding, and
// files that would give a cloud that nothing touches are refused.

#define _POSIX_C_SOURCE 200809L // pipe, dup2

#include "io_kit.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static const float points[] = {1, 2, 3, -4, 5, 6, NAN, 0, 0, 7, -8, 9, 0, 100, -100};

#define POINT_COUNT 5
#define FINITE_COUNT 4

static wkCloud* mustLoad(const char* path, const wkLoadDef* def, wkLoadInfo* info)
{
    wkCloud* cloud = NULL;
    if (wkCloud_Load(path, def, info, &cloud) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return cloud;
}

static void every_format_gives_the_same_cloud(void** state)
{
    (void)state;
    static const char* const names[] = {"a.pcd", "a.ply", "a.npy", "a.bin", "a.csv"};
    static const char text[] = "1,2,3\n-4,5,6\nnan,0,0\n7,-8,9\n0,100,-100\n";
    wkPointData data = {.points = (float*)points, .count = POINT_COUNT};
    wkCloudDef def = wkDefaultCloudDef();
    def.radius = 0.25;
    def.points.data = points;
    def.points.count = POINT_COUNT;
    wkCloud* expected = NULL;
    assert_int_equal(wkCloud_Create(&def, &expected), wk_ok);
    wkLoadDef load = wkDefaultLoadDef();
    load.cloud.radius = 0.25;
    size_t byteCount = wkCloud_Info(expected).byteCount;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char* path = wkTestPath(names[i]);
        if (strcmp(names[i], "a.csv") == 0) {
            wkWriteFile(path, text, sizeof text - 1);
        } else {
            assert_int_equal(wkPointData_Save(path, &data), wk_ok);
        }
        wkLoadInfo info;
        wkCloud* cloud = mustLoad(path, &load, &info);
        assert_int_equal(info.notFiniteCount, POINT_COUNT - FINITE_COUNT);
        assert_int_equal(wkCloud_Info(cloud).byteCount, byteCount);
        assert_memory_equal(wkCloud_Block(cloud), wkCloud_Block(expected), byteCount);
        wkCloud_Destroy(cloud);
    }
    wkCloud_Destroy(expected);
    wkRemoveFiles();
}

// Distance of the given coordinates from the sphere of the first point, at most 0: they lie within it.
static void expectWithin(const wkCloud* cloud, const double given[3])
{
    wkCloudPoint point = wkCloud_Point(cloud, 0);
    double x = point.position.x - given[0], y = point.position.y - given[1];
    double z = point.position.z - given[2];
    double away = sqrt(x * x + y * y + z * z);
    if (!(away <= point.radius)) {
        fail_msg("%.17g outside the sphere of radius %.17g", away, point.radius);
    }
}

static void no_coordinate_comes_free_by_rounding(void** state)
{
    (void)state;
    const char* path = wkTestPath("one.xyz");
    uint64_t seed = 7;
    for (int i = 0; i < 300; i++) {
        double given[3];
        for (int axis = 0; axis < 3; axis++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            given[axis] = ((double)(seed >> 11) / 0x1p53 - 0.5) * 2000.0;
        }
        char text[120];
        int length =
            snprintf(text, sizeof text, "%.17g %.17g %.17g\n", given[0], given[1], given[2]);
        wkWriteFile(path, text, (size_t)length);
        wkCloud* cloud = mustLoad(path, NULL, NULL);
        expectWithin(cloud, given);
        assert_true(wkCloud_Point(cloud, 0).radius < 1e-4);
        wkCloud_Destroy(cloud);

        wkLoadDef load = wkDefaultLoadDef();
        load.scale = (wkVec3d){0.1, -0.3, 0.7};
        cloud = mustLoad(path, &load, NULL);
        double scaled[3] = {given[0] * 0.1, given[1] * -0.3, given[2] * 0.7};
        expectWithin(cloud, scaled);
        wkCloud_Destroy(cloud);
    }
    wkRemoveFiles();
}

static void exact_coordinates_keep_a_radius_of_0(void** state)
{
    (void)state;
    const char* path = wkTestPath("exact.xyz");
    wkWriteFile(path, "0.5 0.25 1024\n", 14);
    wkCloud* cloud = mustLoad(path, NULL, NULL);
    assert_true(wkCloud_Point(cloud, 0).radius == 0.0);
    wkCloud_Destroy(cloud);
    wkRemoveFiles();
}

static void coordinates_that_floats_move_too_far_are_refused(void** state)
{
    (void)state;
    const char* path = wkTestPath("utm.xyz");
    static const char text[] = "500000.123 4649776.337 12.5\n";
    wkWriteFile(path, text, sizeof text - 1);
    wkCloud* cloud = NULL;
    wkResult result = wkCloud_Load(path, NULL, NULL, &cloud);
    wkExpectRefusal(result, cloud, wk_errorRange, "more than maxRounding, 0.0001 m");
    wkLoadDef load = wkDefaultLoadDef();
    load.cloud.maxRounding = 1.0;
    cloud = mustLoad(path, &load, NULL);
    expectWithin(cloud, (const double[3]){500000.123, 4649776.337, 12.5});
    wkCloud_Destroy(cloud);
    wkRemoveFiles();
}

static void clouds_that_nothing_touches_are_refused(void** state)
{
    (void)state;
    static const char* const texts[] = {"# no points\n", "nan 0 0\n1 inf 2\n"};
    const char* path = wkTestPath("none.xyz");
    for (size_t i = 0; i < 2; i++) {
        wkWriteFile(path, texts[i], strlen(texts[i]));
        wkCloud* cloud = NULL;
        wkResult result = wkCloud_Load(path, NULL, NULL, &cloud);
        wkExpectRefusal(result, cloud, wk_errorArgument, "none.xyz: has ");
        wkLoadDef load = wkDefaultLoadDef();
        load.allowsEmpty = true;
        cloud = mustLoad(path, &load, NULL);
        assert_int_equal(wkCloud_Info(cloud).pointCount, 0);
        wkCloud_Destroy(cloud);
    }
    wkRemoveFiles();
}

static void wrong_calls_are_refused(void** state)
{
    (void)state;
    const char* path = wkTestPath("a.xyz");
    wkWriteFile(path, "1 2 3\n", 6);
    wkCloud* cloud = NULL;
    wkLoadDef load = {0};
    wkExpectRefusal(wkCloud_Load(path, &load, NULL, &cloud), cloud, wk_errorArgument, "wkLoadDef");
    load = wkDefaultLoadDef();
    load.cloud.cookie = 0;
    wkExpectRefusal(wkCloud_Load(path, &load, NULL, &cloud), cloud, wk_errorArgument, "wkCloudDef");
    load = wkDefaultLoadDef();
    load.cloud.radius = -1.0;
    wkExpectRefusal(wkCloud_Load(path, &load, NULL, &cloud), cloud, wk_errorRange, "radius");
    load.cloud.radius = NAN;
    wkExpectRefusal(wkCloud_Load(path, &load, NULL, &cloud), cloud, wk_errorNotFinite, "radius");
    assert_int_equal(wkCloud_Load(NULL, NULL, NULL, &cloud), wk_errorArgument);
    assert_int_equal(wkCloud_Load(path, NULL, NULL, NULL), wk_errorArgument);
    wkWriteFile(path, "1 2\n", 4);
    wkExpectRefusal(wkCloud_Load(path, NULL, NULL, &cloud), cloud, wk_errorParse, "a.xyz:1");
    assert_int_equal(wkCloud_Load("nowhere.pcd", NULL, NULL, &cloud), wk_errorFile);
    wkRemoveFiles();
}

// A pipe has no size: it is read to its end.
static void pipes_are_read(void** state)
{
    (void)state;
    static const char text[] = "FIELDS x y z\nPOINTS 2\nDATA ascii\n1 2 3\n4 5 6\n";
    int ends[2], before = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_true(write(ends[1], text, sizeof text - 1) == (ssize_t)sizeof text - 1);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    wkCloud* cloud = mustLoad("-", NULL, NULL);
    dup2(before, STDIN_FILENO);
    close(before);
    assert_int_equal(wkCloud_Info(cloud).pointCount, 2);
    wkCloud_Destroy(cloud);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_gives_the_same_cloud),
        cmocka_unit_test(no_coordinate_comes_free_by_rounding),
        cmocka_unit_test(exact_coordinates_keep_a_radius_of_0),
        cmocka_unit_test(coordinates_that_floats_move_too_far_are_refused),
        cmocka_unit_test(clouds_that_nothing_touches_are_refused),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(pipes_are_read),
    };
    return cmocka_run_group_tests_name("io.clouds", tests, NULL, NULL);
}
