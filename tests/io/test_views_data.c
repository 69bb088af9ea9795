// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Views of a shelf by a camera on an arm, with the poses that the arm had, become one cloud: each view agrees with the
// others where they are, and not at the poses of others. Without the files the test is skipped.

#include "io_kit.h"

#include "whisker/cloud_views.h"
#include "whisker/io.h"
#include "whisker/query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "depth/apc_shelf_bin_b"
#define VIEW_COUNT 5
#define CAPACITY 6000

typedef struct view {
    wkPose pose;
    float points[3 * CAPACITY];
    int32_t count;
} view;

// The rotation of a matrix whose trace is above -1, as all of these are.
static wkQuat quatOf(double m[3][4])
{
    double w = 0.5 * sqrt(fmax(1.0 + m[0][0] + m[1][1] + m[2][2], 1e-12));
    wkQuat q = {(m[2][1] - m[1][2]) / (4.0 * w), (m[0][2] - m[2][0]) / (4.0 * w),
                (m[1][0] - m[0][1]) / (4.0 * w), w};
    return q;
}

// Reads the pose of a frame from the text of its camera.
static wkPose readPose(const char* text, int frame)
{
    char heading[64];
    snprintf(heading, sizeof heading, "(camera pose) for frame-%06d", frame);
    const char* at = strstr(text, heading);
    assert_non_null(at);
    at += strlen(heading);
    double m[3][4];
    for (int i = 0; i < 12; i++) {
        char* end;
        m[i / 4][i % 4] = strtod(at, &end);
        assert_true(end > at);
        at = end;
    }
    wkPose pose = {{m[0][3], m[1][3], m[2][3]}, quatOf(m)};
    return pose;
}

static void readView(const char* text, int frame, view* v)
{
    char path[1024];
    wkDepthImage image = wkDefaultDepthImage();
    wkDepthData* data = NULL;
    snprintf(path, sizeof path, "%s/" FOLDER "/intrinsics.txt", wkDataFolder());
    assert_int_equal(wkDepthImage_LoadCamera(path, &image), wk_ok);
    snprintf(path, sizeof path, "%s/" FOLDER "/frame-%06d.depth.png", wkDataFolder(), frame);
    assert_int_equal(wkDepthData_Load(path, &data), wk_ok);
    image.pixels = data->pixels;
    wkPixelRequest request = wkDefaultPixelRequest();
    request.step = 10;
    v->count = wkDepthImage_Points(&image, &request, v->points, NULL, CAPACITY);
    v->pose = readPose(text, frame);
    assert_true(v->count > 500 && v->count <= CAPACITY);
    wkDepthData_Destroy(data);
}

static void addView(wkCloudBuilder* builder, const view* v, wkPose pose)
{
    wkSensorViewDef def = wkDefaultSensorViewDef();
    def.points = wkMakeCloudView(v->points, v->count);
    def.pose = pose;
    assert_int_equal(wkCloudBuilder_AddView(builder, &def), wk_ok);
}

// Share of the points of the first view, at some pose, that have a point of the others within 3 cm.
static double agreement(const view* views, wkPose pose)
{
    wkCloudBuilder* builder;
    wkCloud* cloud;
    assert_int_equal(wkCloudBuilder_Create(&builder), wk_ok);
    for (int i = 1; i < VIEW_COUNT; i++) {
        addView(builder, &views[i], views[i].pose);
    }
    assert_int_equal(wkCloudBuilder_Build(builder, NULL, &cloud), wk_ok);
    assert_int_equal(wkCloud_Info(cloud).pointCount, wkCloudBuilder_Info(builder).pointCount);
    wkShape all = wkMakeCloud(cloud), probe = wkMakeSphere(0.03);
    int agreedCount = 0;
    for (int32_t i = 0; i < views[0].count; i++) {
        const float* p = &views[0].points[3 * i];
        wkVec3d at = wkTransformPoint(pose, (wkVec3d){(double)p[0], (double)p[1], (double)p[2]});
        wkPose center = wkMakePose(at.x, at.y, at.z);
        agreedCount += wkCollide(&probe, center, &all, wkIdentityPose(), NULL).isTouching;
    }
    wkCloud_Destroy(cloud);
    wkCloudBuilder_Destroy(builder);
    return (double)agreedCount / views[0].count;
}

static void views_of_a_shelf_agree(void** state)
{
    (void)state;
    wkSkipWithoutData(FOLDER);
    char path[1024];
    snprintf(path, sizeof path, "%s/" FOLDER "/cam.info.txt", wkDataFolder());
    wkBytes text = wkReadFile(path);
    wkBytes_AddNumber(&text, 0, 1, false);
    static view views[VIEW_COUNT];
    for (int i = 0; i < VIEW_COUNT; i++) {
        readView((const char*)text.data, i, &views[i]);
    }
    double right = agreement(views, views[0].pose), wrong = agreement(views, views[3].pose);
    print_message("%.3f of the points agree, and %.3f at the pose of another view\n", right, wrong);
    assert_true(right > 0.7 && right > 1.3 * wrong);
    wkBytes_Free(&text);
    assert_int_equal(wkGetByteCount(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_of_a_shelf_agree),
    };
    return cmocka_run_group_tests_name("views of data", tests, NULL, NULL);
}
