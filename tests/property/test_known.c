// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Known answers of pair queries, and the smallest inputs of faults that
// were repaired: each stays here.

#include "kit.h"

static wkPose poseOf(double x, double y, double z, double qx, double qy, double qz, double qw)
{
    wkPose pose = {{x, y, z}, {qx, qy, qz, qw}};
    return pose;
}

static void assertDistance(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                           double truth, double tolerance)
{
    wkDistanceResult r = wkDistance(a, poseA, b, poseB, NULL);
    bool isSafe = r.distance <= truth + 1e-14 * fmax(1.0, fabs(truth));
    if (!isSafe || !(r.distance >= truth - tolerance)) {
        wkScenePair pair = {*a, *b, poseA, poseB};
        wkPrintPair(stdout, &pair);
        fail_msg("distance %.17g (%s), truth %.17g", r.distance, wkStatusName(r.status), truth);
    }
}

static int countContacts(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                         wkContact* contacts)
{
    wkCollideRequest request = wkDefaultCollideRequest();
    request.contacts = contacts;
    request.contactCapacity = WK_MAX_CONTACTS;
    return wkCollide(a, poseA, b, poseB, &request).contactCount;
}

static void faces_give_manifolds(void** state)
{
    (void)state;
    wkContact c[WK_MAX_CONTACTS];
    wkShape floorBox = wkMakeBox(4.0, 4.0, 1.0);
    wkShape ground = wkMakeHalfspace(wkSceneVec(0.0, 0.0, 1.0), 0.5);
    wkPose here = wkIdentityPose();
    wkShape box = wkMakeBox(1.0, 1.0, 1.0);
    wkShape cylinder = wkMakeCylinder(0.5, 1.0);
    wkShape capsule = wkMakeCapsule(0.5, 1.0);
    wkShape sphere = wkMakeSphere(0.5);
    wkPose above = wkMakePose(0.3, 0.2, 0.99);
    wkPose lying = poseOf(0.3, 0.2, 0.99, 0.0, 1.0, 0.0, 1.0);
    assert_in_range(countContacts(&floorBox, here, &box, above, c), 4, WK_MAX_CONTACTS);
    assert_in_range(countContacts(&ground, here, &box, above, c), 4, WK_MAX_CONTACTS);
    assert_in_range(countContacts(&floorBox, here, &cylinder, above, c), 3, WK_MAX_CONTACTS);
    assert_in_range(countContacts(&floorBox, here, &cylinder, lying, c), 2, WK_MAX_CONTACTS);
    assert_in_range(countContacts(&floorBox, here, &capsule, lying, c), 2, WK_MAX_CONTACTS);
    assert_int_equal(countContacts(&floorBox, here, &sphere, above, c), 1);
    assert_true(fabs(c[0].depth - 0.01) < 1e-12 && c[0].normal.z > 0.999);
}

static void boxes_that_cross_overlap_on_their_common_part(void** state)
{
    (void)state;
    // the overlap is the square of side 0.5 between x and y in [0, 0.5]
    wkContact c[WK_MAX_CONTACTS];
    wkShape box = wkMakeBox(1.0, 1.0, 1.0);
    int count = countContacts(&box, wkIdentityPose(), &box, wkMakePose(0.5, 0.5, 0.75), c);
    assert_in_range(count, 4, WK_MAX_CONTACTS);
    for (int i = 0; i < count; i++) {
        assert_true(c[i].point.x > -1e-9 && c[i].point.x < 0.5 + 1e-9);
        assert_true(c[i].point.y > -1e-9 && c[i].point.y < 0.5 + 1e-9);
        assert_true(fabs(c[i].depth - 0.25) < 1e-12);
    }
}

static void sphere_stands_off_a_halfspace(void** state)
{
    (void)state;
    wkShape sphere = wkMakeSphere(0.5);
    wkShape ground = wkMakeHalfspace(wkSceneVec(0.0, 0.0, 1.0), 0.0);
    assertDistance(&sphere, wkMakePose(0.0, 0.0, 2.0), &ground, wkIdentityPose(), 1.5, 1e-14);
}

static void degenerate_triangle_is_a_segment(void** state)
{
    (void)state;
    wkShape point = wkMakeSphere(0.0);
    wkShape segment = wkMakeTriangle(wkSceneVec(1.0, 0.0, 0.0), wkSceneVec(0.0, 0.0, 0.0),
                                     wkSceneVec(0.0, 0.0, 0.0));
    assertDistance(&point, wkMakePose(0.5, 3.0, 4.0), &segment, wkIdentityPose(), 5.0, 1e-13);
}

static void tolerance_never_reports_too_much(void** state)
{
    (void)state;
    wkShape a = wkMakeBox(0.8, 0.8, 0.6);
    wkShape b = wkMakeBox(1.0, 1.0, 0.6);
    wkPose poseB = poseOf(0.8, -0.1, -0.06, 0.7, 0.2, 0.6, 0.3);
    wkDistanceRequest request = wkDefaultDistanceRequest();
    double exact = wkDistance(&a, wkIdentityPose(), &b, poseB, &request).distance;
    request.tolerance = 0.052;
    double rough = wkDistance(&a, wkIdentityPose(), &b, poseB, &request).distance;
    assert_true(rough <= exact + 1e-14 && rough >= exact - 0.052);
}

static void verdict_of_concentric_spheres_is_the_distance(void** state)
{
    (void)state;
    wkShape sphere = wkMakeSphere(0.2);
    wkPose here = wkIdentityPose();
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = wkDistance(&sphere, here, &sphere, here, NULL).distance;
    assert_true(wkCollide(&sphere, here, &sphere, here, &request).isTouching);
    request.margin = nextafter(request.margin, -INFINITY);
    assert_false(wkCollide(&sphere, here, &sphere, here, &request).isTouching);
}

static void capsule_and_cylinder_on_one_axis_are_exact(void** state)
{
    (void)state;
    wkShape capsule = wkMakeCapsule(0.2, 0.8);
    wkShape cylinder = wkMakeCylinder(0.3, 0.2);
    assertDistance(&capsule, wkIdentityPose(), &cylinder, wkIdentityPose(), -0.5, 1e-6);
}

static void flat_cones_apart_are_apart(void** state)
{
    (void)state;
    wkShape needle = wkMakeCone(0.0002, 0.04);
    wkShape plate = wkMakeCone(20.0, 0.0014);
    assertDistance(&needle, wkIdentityPose(), &plate,
                   poseOf(-0.2, -2.0, 4.0, -0.08, -0.9, 0.2, 0.2), 2.449886497809225, 1e-5);
}

static void parallel_boxes_that_just_touch_are_exact(void** state)
{
    (void)state;
    wkShape a = wkMakeBox(0.8, 0.6, 0.6);
    wkShape b = wkMakeBox(0.4, 0.2, 0.6);
    wkPose pose = poseOf(-1.9, -0.94, 1.2, 0.69, -0.21, -0.6, 0.35);
    wkDistanceResult r = wkDistance(&a, pose, &b, pose, NULL);
    assert_true(fabs(r.distance + 0.4) < 1e-12);
    wkPose moved = pose;
    moved.position = wkSceneSub(pose.position, wkSceneScale(r.normal, r.distance));
    assertDistance(&a, pose, &b, moved, 0.0, 1e-12);
}

static void segment_in_a_box_has_contacts_on_itself(void** state)
{
    (void)state;
    wkContact c[WK_MAX_CONTACTS];
    wkShape segment = wkMakeBox(0.0, 0.12, 0.0);
    wkShape box = wkMakeBox(0.4, 1.0, 0.6);
    int count = countContacts(&segment, wkIdentityPose(), &box, wkIdentityPose(), c);
    for (int i = 0; i < count; i++) {
        double off = wkShape_PointDistance(&segment, wkIdentityPose(), c[i].point);
        assert_true(off <= 0.5 * c[i].depth + 1e-12);
    }
}

// Cores that all but lie along each other cross at one point and miss each other elsewhere.
static void capsules_that_cross_at_a_tiny_angle_touch_where_they_cross(void** state)
{
    (void)state;
    wkContact c[WK_MAX_CONTACTS];
    wkShape capsule = wkMakeCapsule(0.1, 1.0);
    wkPose above = poseOf(0.0, 0.15, 0.0, 0.0, 1e-3, 0.0, 1.0);
    assert_in_range(countContacts(&capsule, wkIdentityPose(), &capsule, above, c), 3, 3);
    assert_true(fabs(c[0].depth - 0.05) < 1e-14);
    assert_true(fabs(c[0].point.x) < 1e-14 && fabs(c[0].point.z) < 1e-12);
    assert_true(fabs(c[0].point.y - 0.075) < 1e-14);
}

// The rim that was tried after the cap must not leave its numbers behind.
static void triangle_over_the_base_of_a_cone_is_exact(void** state)
{
    (void)state;
    wkShape triangle =
        wkMakeTriangle(wkSceneVec(-1400.0, 1300.0, -3400.0), wkSceneVec(-2200.0, -8000.0, 5300.0),
                       wkSceneVec(1600.0, 1500.0, -3900.0));
    wkShape cone = wkMakeCone(4600.0, 4600.0);
    assertDistance(&triangle, wkIdentityPose(), &cone,
                   poseOf(4100.0, -1600.0, -17000.0, 0.87, 0.49, 0.0044, -0.019), 10646.368909851,
                   1e-8);
}

// The tip on the axis is as far back from the cone's side all around.
static void tip_on_the_axis_of_a_cone_leaves_through_its_side(void** state)
{
    (void)state;
    const wkVec3d tips[6] = {{0.5, 0.0, 0.0},  {-0.5, 0.0, 0.0}, {0.0, 0.5, 0.0},
                             {0.0, -0.5, 0.0}, {0.0, 0.0, 0.5},  {0.0, 0.0, -0.5}};
    wkHullDef def = wkDefaultHullDef();
    def.points = tips;
    def.pointCount = 6;
    wkHull* hull = NULL;
    assert_int_equal(wkHull_Create(&def, &hull), wk_ok);
    wkShape octahedron = wkMakeHull(hull), cone = wkMakeCone(0.8, 0.4);
    assertDistance(&cone, wkIdentityPose(), &octahedron, wkIdentityPose(), -0.7 * 0.8 / sqrt(0.8),
                   1e-12);
    wkHull_Destroy(hull);
}

// A segment level with an edge up to the last digits, whose closest point only turns.
static void capsule_all_but_along_a_triangle_is_exact(void** state)
{
    (void)state;
    wkShape capsule = wkMakeCapsule(0.1, 0.4);
    wkShape triangle = wkMakeTriangle(wkSceneVec(0.1, -0.1, -0.2), wkSceneVec(-0.2, 0.0, -0.2),
                                      wkSceneVec(-0.1, 0.1, -0.1));
    assertDistance(&capsule, poseOf(0.0, 0.0, 0.0, 1.0, -1.0, -1.0, 1.0), &triangle,
                   poseOf(0.0, 0.199999999999, 0.0, 1.0, -1.0, -1.0, 1.0), 0.0414213562366024,
                   1e-13);
}

// All ways out of the disc are about as short: the points have to be found afterwards.
static void flat_ellipsoid_in_a_cone_has_points_on_both(void** state)
{
    (void)state;
    wkShape disc = wkMakeEllipsoid(0.8, 0.0, 0.9), cone = wkMakeCone(0.17, 0.6);
    wkPose here = wkIdentityPose();
    wkDistanceResult r = wkDistance(&disc, here, &cone, here, NULL);
    assert_true(fabs(r.distance + 0.17) < 1e-9);
    assert_true(fabs(wkShape_PointDistance(&disc, here, r.pointA)) < 1e-9);
    assert_true(fabs(wkShape_PointDistance(&cone, here, r.pointB)) < 1e-9);
}

static void negative_padding_is_safe_without_signs(void** state)
{
    (void)state;
    wkShape a = wkMakeEllipsoid(0.4, 0.1, 0.3);
    a.rounding = 0.02;
    a.padding = -0.03;
    wkShape b = wkMakeEllipsoid(0.3, 0.3, 0.4);
    wkPose poseB = wkMakePose(0.36, -0.2, 0.51);
    wkDistanceRequest request = wkDefaultDistanceRequest();
    double full = wkDistance(&a, wkIdentityPose(), &b, poseB, &request).distance;
    request.isSigned = false;
    assert_true(wkDistance(&a, wkIdentityPose(), &b, poseB, &request).distance <= full + 1e-9);
}

// The axis of a turned cylinder is along the normal but for its last digits, which have no direction.
static void cylinder_stands_straight_on_a_halfspace(void** state)
{
    (void)state;
    double s = sqrt(0.5);
    wkShape cylinder = wkMakeCylinder(0.3, 0.5), cone = wkMakeCone(0.3, 0.5);
    wkShape ground = wkMakeHalfspace(wkSceneVec(0.0, 0.0, 1.0), -1.0);
    wkPose pose = poseOf(0.0, 0.68, 0.0, -s, 0.0, 0.0, s);
    wkPose below = poseOf(0.0, 0.55, 0.0, -s, 0.0, 0.0, s);
    assertDistance(&cylinder, pose, &ground, below, 0.88, 1e-14);
    assertDistance(&cone, pose, &ground, below, 0.88, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_give_manifolds),
        cmocka_unit_test(cylinder_stands_straight_on_a_halfspace),
        cmocka_unit_test(boxes_that_cross_overlap_on_their_common_part),
        cmocka_unit_test(sphere_stands_off_a_halfspace),
        cmocka_unit_test(degenerate_triangle_is_a_segment),
        cmocka_unit_test(tolerance_never_reports_too_much),
        cmocka_unit_test(verdict_of_concentric_spheres_is_the_distance),
        cmocka_unit_test(capsule_and_cylinder_on_one_axis_are_exact),
        cmocka_unit_test(flat_cones_apart_are_apart),
        cmocka_unit_test(parallel_boxes_that_just_touch_are_exact),
        cmocka_unit_test(segment_in_a_box_has_contacts_on_itself),
        cmocka_unit_test(capsules_that_cross_at_a_tiny_angle_touch_where_they_cross),
        cmocka_unit_test(triangle_over_the_base_of_a_cone_is_exact),
        cmocka_unit_test(tip_on_the_axis_of_a_cone_leaves_through_its_side),
        cmocka_unit_test(capsule_all_but_along_a_triangle_is_exact),
        cmocka_unit_test(flat_ellipsoid_in_a_cone_has_points_on_both),
        cmocka_unit_test(negative_padding_is_safe_without_signs),
    };
    return cmocka_run_group_tests_name("known answers of pair queries", tests, NULL, NULL);
}
