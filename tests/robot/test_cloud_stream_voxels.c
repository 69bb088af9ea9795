// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Voxels of live frames: a point that is kept covers those that it stands for, and nothing forgets that it does.

#include "cases.h"
#include "stream_kit.h"

#define COUNT 200

// x, y, z and a radius of each point.
static wkCloudFrame frameWithRadii(const float* points, int64_t count, double time)
{
    wkCloudFrame frame = frameOf(points, count, time);
    frame.points.stride = 4 * sizeof *points;
    frame.points.radiusOffset = 3 * (int32_t)sizeof *points;
    return frame;
}

// No point comes free by a voxel step, whatever the radii of the points.
static void voxels_cover_the_points_that_they_remove(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(14);
    streamCase c = makeStreamCase();
    wkFilterStep steps[] = {wkMakeVoxelFilter(0.2), wkMakeVoxelFilter(0.3)};
    c.def.steps = steps;
    c.def.stepCount = 2;
    c.def.cloud.radius = 0.01;
    openStream(&c);
    float points[COUNT][4];
    for (int k = 0; k < WK_CASES(20); ++k) {
        double size = k % 2 == 0 ? 1.0 : 0.19; // many voxels, or a single one
        for (int i = 0; i < COUNT; ++i) {
            for (int axis = 0; axis < 3; ++axis) {
                points[i][axis] = (float)wkRngRange(&rng, 0.0, size);
            }
            points[i][3] = (float)wkRngRange(&rng, 0.0, 1.0);
        }
        wkCloudFrame frame = frameWithRadii(points[0], COUNT, k);
        assert_int_equal(wkCloudStream_Push(c.stream, &frame), wk_ok);
        assert_true(wkCloudStream_Info(c.stream).mergedCount > COUNT / 4);
        assert_int_equal(wkCloudStream_Info(c.stream).removedCount, 0);
        const wkCloud* clouds[WK_MAX_STREAM_FRAMES];
        wkPose poses[WK_MAX_STREAM_FRAMES];
        assert_int_equal(cloudsOf(c.scene, clouds, poses), 1);
        wkShape cloud = wkMakeCloud(clouds[0]);
        for (int i = 0; i < COUNT; ++i) {
            wkVec3d p = {(double)points[i][0], (double)points[i][1], (double)points[i][2]};
            double distance = wkShape_PointDistance(&cloud, wkIdentityPose(), p);
            assert_true(distance <= -(double)points[i][3] - 0.01 + 1e-12);
        }
    }
    freeStreamCase(&c);
}

// A voxel step removes a point, so its radius is seen by no cloud; but it is covered by that of another point.
static void radii_of_points_in_voxels_are_checked(void** unused)
{
    (void)unused;
    streamCase c = makeStreamCase();
    wkFilterStep voxels = wkMakeVoxelFilter(1.0);
    c.def.steps = &voxels;
    c.def.stepCount = 1;
    openStream(&c);
    const struct {
        float x, radius;
        wkResult result;
        double largest; // radius of the cloud without the reach of the step
    } rows[] = {
        {0.9f, 0.3f, wk_ok, 0.3},
        {0.9f, NAN, wk_errorNotFinite, 0.0},
        {0.9f, -0.1f, wk_errorRange, 0.0},
        {0.9f, INFINITY, wk_errorNotFinite, 0.0},
        {0.9f, 1e20f, wk_errorRange, 0.0},
        {NAN, NAN, wk_ok, 0.1}, // not finite: left out with its radius
        {NAN, 1e20f, wk_ok, 0.1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        float points[3][4] = {{0.5f, 0.5f, 0.5f, 0.1f},
                              {0.8f, 0.8f, 0.8f, 0.1f},
                              {rows[i].x, 0.9f, 0.9f, rows[i].radius}};
        wkCloudFrame frame = frameWithRadii(points[0], 3, (double)i);
        assert_int_equal(wkCloudStream_Push(c.stream, &frame), rows[i].result);
        if (rows[i].result != wk_ok) {
            assertSaid("point 2: radius is");
            continue;
        }
        const wkCloud* clouds[WK_MAX_STREAM_FRAMES];
        wkPose poses[WK_MAX_STREAM_FRAMES];
        assert_int_equal(cloudsOf(c.scene, clouds, poses), 1);
        double reach = wkCloudStream_Info(c.stream).steps[0].reach;
        assert_true(fabs(wkCloud_Info(clouds[0]).maxRadius - reach - rows[i].largest) < 1e-6);
    }
    freeStreamCase(&c);
}

// A point that a voxel step has kept covers where others were measured, not where noise may put them.
static void probabilities_of_thinned_frames_are_refused(void** unused)
{
    (void)unused;
    wkShape body = wkMakeSphere(0.1);
    wkPose at = wkMakePose(5.4, 5.03, 5.03);
    const float points[2][4] = {{5.025f, 5.025f, 5.025f, 0.001f}, {5.04f, 5.03f, 5.03f, 0.2f}};
    for (int k = 0; k < 4; ++k) {
        bool isThinned = k % 2 == 0, hasDeviations = k < 2;
        streamCase c = makeStreamCase();
        wkFilterStep voxels = wkMakeVoxelFilter(isThinned ? 0.05 : 0.001);
        c.def.steps = &voxels;
        c.def.stepCount = 1;
        openStream(&c);
        wkCloudFrame frame = frameOf(points[0], 2, 1.0);
        frame.points.stride = sizeof points[0];
        frame.points.deviationOffset = hasDeviations ? 3 * (int32_t)sizeof(float) : -1;
        assert_int_equal(wkCloudStream_Push(c.stream, &frame), wk_ok);
        assert_int_equal(wkCloudStream_Info(c.stream).mergedCount, isThinned ? 1 : 0);
        wkPose pose;
        int32_t object = wkRobotScene_Find(c.scene, "camera");
        const wkShape* cloud = wkRobotScene_ObjectShape(c.scene, object, 0, &pose);
        wkNoiseRequest request = wkDefaultNoiseRequest();
        request.deviationA = hasDeviations ? 0.0 : 0.1;
        wkNoiseResult r = wkCollisionProbability(cloud, pose, &body, at, &request);
        assert_int_equal(r.status, isThinned ? wk_noiseInvalid : wk_noiseBounded);
        assert_true(isThinned ? r.upper == 1.0 : r.upper < 1.0 && r.lower > 0.0);
        request.deviationB = request.deviationA;
        request.deviationA = 0.0;
        r = wkCollisionProbability(&body, at, cloud, pose, &request);
        assert_int_equal(r.status, isThinned ? wk_noiseInvalid : wk_noiseBounded);
        freeStreamCase(&c);
    }
}

// A point that is kept stands for the others of its voxel: a step that removed it would remove an obstacle with it.
static void no_step_comes_after_voxels(void** unused)
{
    (void)unused;
    streamCase c = makeStreamCase();
    wkFilterRobot none = {0};
    wkAabb box = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}};
    const wkFilterStep after[] = {
        wkMakeRangeFilter((wkVec3d){0.0, 0.0, 0.0}, 0.0, 1.0),
        wkMakeBoxFilter(box, wkIdentityPose()),
        wkMakeDistanceFilter(none, 1.0),
        wkMakeSelfFilter(none, 0.02),
        wkMakeStatisticalFilter(4, 2.0),
        wkMakeRadiusFilter(0.4, 1),
    };
    wkFilterStep steps[3] = {wkMakeVoxelFilter(0.1), wkMakeVoxelFilter(0.2)};
    c.def.steps = steps;
    for (size_t i = 0; i < sizeof after / sizeof after[0]; ++i) {
        steps[2] = after[i];
        c.def.stepCount = 3;
        assert_int_equal(wkCloudStream_Create(&c.def, &c.stream), wk_errorArgument);
        assertSaid("steps[2] is after the voxel step steps[1]");
        steps[1] = after[i];
        assert_int_equal(wkCloudStream_Create(&c.def, &c.stream), wk_errorArgument);
        assertSaid("steps[1] is after the voxel step steps[0]");
        steps[1] = steps[0];
    }
    steps[0] = after[3];
    c.def.stepCount = 2;
    openStream(&c);
    freeStreamCase(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(voxels_cover_the_points_that_they_remove),
        cmocka_unit_test(radii_of_points_in_voxels_are_checked),
        cmocka_unit_test(probabilities_of_thinned_frames_are_refused),
        cmocka_unit_test(no_step_comes_after_voxels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
