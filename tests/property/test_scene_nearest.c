// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The nearest object of a scene at distances where a search takes its next step: rounding must not let an object pass
// for one that was visited before.

#include "scene_kit.h"

#include "whisker/cloud.h"

#define OBJECT_COUNT 200
#define FIRST_REACH 0.05 // of the searches below, in metres
#define STEP_COUNT 6

// What is searched from: content that begins at a coordinate of x.
typedef struct content {
    wkShape shape;
    double first;   // the reach that the search starts with
    double further; // what culls add to a reach, but for rounding
} content;

// A box of the crowd behind a gap along x. The first one is as wide as all others, so that its ends are those of its
// group.
static void drawBox(wkRng* rng, int i, double end, wkShape* box, wkPose* pose)
{
    double length = wkRngRange(rng, 0.01, 0.05);
    double behind = i == 0 ? 0.0 : wkRngRange(rng, 0.02, 0.5);
    double sides[2] = {i == 0 ? 0.2 : wkRngRange(rng, 0.01, 0.19),
                       i == 0 ? 0.2 : wkRngRange(rng, 0.01, 0.19)};
    *box = wkMakeBox(length, sides[0], sides[1]);
    *pose = wkMakePose(end - behind - 0.5 * length, 0.0, 0.0);
}

// All objects move after the scene was built, so that the broad phase packs them in groups.
static void checkNearest(wkRng* rng, const content* from, double start)
{
    wkObjectId ids[OBJECT_COUNT], id;
    wkPose poses[OBJECT_COUNT];
    wkSceneDef def = wkDefaultSceneDef();
    def.slack = 0.0;
    wkScene* scene = NULL;
    assert_int_equal(wkScene_Create(&def, &scene), wk_ok);
    wkObjectDef object = wkDefaultObjectDef();
    double reach = ldexp(from->first, wkRngBelow(rng, STEP_COUNT)) + from->further;
    double gap = reach + wkRngRange(rng, 0.0, 5e-6) * (start + 1.0), nearest = INFINITY;
    for (int i = 0; i < OBJECT_COUNT; ++i) {
        drawBox(rng, i, start - gap, &object.shape, &poses[i]);
        object.pose = poses[i];
        object.pose.position.y += 5.0;
        assert_int_equal(wkScene_Add(scene, &object, &ids[i]), wk_ok);
        nearest = fmin(
            nearest,
            wkDistance(&from->shape, wkIdentityPose(), &object.shape, poses[i], NULL).distance);
    }
    object.shape = from->shape;
    object.pose = wkIdentityPose();
    assert_int_equal(wkScene_Add(scene, &object, &id), wk_ok);
    wkScene_Update(scene);
    for (int i = 0; i < OBJECT_COUNT; ++i) {
        assert_int_equal(wkScene_Move(scene, ids[i], poses[i]), wk_ok);
    }
    wkScene_Update(scene);
    double found = wkScene_DistanceObject(scene, id, NULL).closest.distance;
    wkScene_Destroy(scene);
    if (!(fabs(found - nearest) <= 1e-9)) {
        fail_msg("content at x = %g, gap %.17g: nearest at %.17g, found %.17g", start, gap, nearest,
                 found);
    }
}

static const double starts[] = {1.0, 3.0, 10.0, 1000.0};
#define START_COUNT ((int)(sizeof starts / sizeof starts[0]))

// The search starts with 0.005 of the extent of the cloud.
static void clouds_find_the_nearest_object(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int n = 0; n < wkKitCases(3000); ++n) {
        double start = starts[n % START_COUNT];
        float points[2][3] = {{(float)start, 0.0f, 0.0f}, {(float)start + 1.0f, 0.0f, 0.0f}};
        wkCloudDef def = wkDefaultCloudDef();
        def.points = wkMakeCloudView(points, 2);
        wkCloud* cloud = NULL;
        assert_int_equal(wkCloud_Create(&def, &cloud), wk_ok);
        content from = {wkMakeCloud(cloud), 0.005 + 1e-9, 0.0};
        checkNearest(&rng, &from, start);
        wkCloud_Destroy(cloud);
    }
}

// The search starts with the size of a cell.
static void maps_find_the_nearest_object(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed() + 1);
    for (int i = 0; i < START_COUNT; ++i) {
        wkOctreeDef def = wkDefaultOctreeDef();
        def.resolution = FIRST_REACH;
        wkOctree* octree = NULL;
        assert_int_equal(wkOctree_Create(&def, &octree), wk_ok);
        double start = floor(starts[i] / FIRST_REACH) * FIRST_REACH;
        wkAabb cell = {{start + 0.1 * FIRST_REACH, 0.1 * FIRST_REACH, 0.1 * FIRST_REACH},
                       {start + 0.9 * FIRST_REACH, 0.9 * FIRST_REACH, 0.9 * FIRST_REACH}};
        assert_int_equal(wkOctree_FillBox(octree, cell, 2.0f), wk_ok);
        content from = {wkMakeOctree(octree), FIRST_REACH, 0.02 * FIRST_REACH};
        for (int n = 0; n < wkKitCases(600); ++n) {
            checkNearest(&rng, &from, start);
        }
        wkOctree_Destroy(octree);
    }
}

// Broad phases without a search for the nearest visit boxes around the box of the shape, which is 1 m long here and
// ends 1 m before the origin. An object begins so little behind the origin that the gap rounds to 1 m.
static void boxes_beyond_the_last_visit_are_visited_next(void** state)
{
    (void)state;
    wkShape shape = wkMakeBox(0.999999998, 0.5, 0.5);
    wkPose pose = wkMakePose(-1.5, 0.0, 0.0);
    for (int phase = 0; phase < WK_BROAD_PHASE_COUNT; ++phase) {
        for (int exponent = -66; exponent < -43; ++exponent) {
            double size = ldexp(1.1, exponent);
            wkSceneDef def = wkDefaultSceneDef();
            def.broadPhase = (wkBroadPhase)phase;
            def.slack = 0.0;
            wkScene* scene = NULL;
            assert_int_equal(wkScene_Create(&def, &scene), wk_ok);
            wkObjectDef object = wkDefaultObjectDef();
            object.shape = wkMakeBox(size, 1e-6, 1e-6);
            object.pose = wkMakePose(1.1 * size, 0.0, 0.0);
            wkObjectId id;
            assert_int_equal(wkScene_Add(scene, &object, &id), wk_ok);
            object.shape = wkMakeBox(1e-3, 1e-3, 1e-3);
            object.pose = wkMakePose(3.0, 0.0, 0.0);
            assert_int_equal(wkScene_Add(scene, &object, &id), wk_ok);
            wkScene_Update(scene);
            double found = wkScene_DistanceShape(scene, &shape, pose, NULL).closest.distance;
            wkScene_Destroy(scene);
            if (!(fabs(found - 1.0) <= 1e-6)) {
                fail_msg("%s, object of %g m: nearest at 1, found %.17g",
                         wkBroadPhaseName((wkBroadPhase)phase), size, found);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clouds_find_the_nearest_object),
        cmocka_unit_test(maps_find_the_nearest_object),
        cmocka_unit_test(boxes_beyond_the_last_visit_are_visited_next),
    };
    int failed = cmocka_run_group_tests_name("property.scene_nearest", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
