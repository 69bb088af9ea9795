// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Meshes in questions that are not valid, or beyond every stated range: the safe verdict, finite
// numbers, no trap.

#include "asserts.h"
#include "kit.h"
#include "scenes/mesh_zoo.h"

#include <float.h>

static wkZoo zoo;

static void assertInvalid(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB)
{
    wkContact contacts[4];
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = -1e6;
    wkDistanceResult d = wkDistance(a, poseA, b, poseB, NULL);
    wkCollideResult plain = wkCollide(a, poseA, b, poseB, &request);
    request.contacts = contacts;
    request.contactCapacity = 4;
    wkCollideResult full = wkCollide(a, poseA, b, poseB, &request);
    assert_true(d.status == wk_statusInvalid && d.distance == -INFINITY);
    assert_true(plain.status == wk_statusInvalid && plain.isTouching);
    assert_true(full.status == wk_statusInvalid && full.isTouching && full.contactCount == 0);
}

// Against every convex shape and a mesh, in both orders.
static void assertInvalidAgainstAll(const wkShape* bad, wkPose pose)
{
    wkPose beside = wkMakePose(5.0, 0.0, 0.0);
    for (int type = 1; type <= wk_shapeMesh; type++) {
        wkRng rng = wkMakeRng((uint64_t)type);
        wkShape good = type == wk_shapeMesh
                           ? wkMakeMesh(zoo.rows[2].variants[0])
                           : wkRandomShape(&rng, wkKitBank(), (wkShapeType)type, 1.0);
        assertInvalid(bad, pose, &good, beside);
        assertInvalid(&good, beside, bad, pose);
    }
}

static void broken_poses_of_meshes_are_touching(void** state)
{
    (void)state;
    for (int row = 0; row < WK_ZOO_COUNT; row++) {
        wkShape mesh = wkMakeMesh(zoo.rows[row].variants[(7 * row) % WK_ZOO_VARIANTS]);
        for (int i = 0; i < BROKEN_POSE_COUNT; i++) {
            assertInvalidAgainstAll(&mesh, brokenPose(i));
        }
    }
}

static void broken_meshes_are_touching(void** state)
{
    (void)state;
    wkShape none = {.type = wk_shapeMesh};
    assertInvalidAgainstAll(&none, wkIdentityPose());
    static const double values[] = {NAN, INFINITY, -INFINITY, -1.0};
    for (int v = 0; v < 4; v++) {
        wkShape bad = wkMakeMesh(zoo.rows[3].variants[0]);
        bad.rounding = values[v];
        assertInvalidAgainstAll(&bad, wkIdentityPose());
        bad.rounding = 0.0;
        bad.padding = values[v < 3 ? v : 0];
        assertInvalidAgainstAll(&bad, wkIdentityPose());
    }
    wkShape mesh = wkMakeMesh(zoo.rows[3].variants[0]);
    assertInvalid(NULL, wkIdentityPose(), &mesh, wkIdentityPose());
    assertInvalid(&mesh, wkIdentityPose(), NULL, wkIdentityPose());
}

static void broken_requests_are_safe(void** state)
{
    (void)state;
    wkShape mesh = wkMakeMesh(zoo.rows[2].variants[0]), sphere = wkMakeSphere(0.5);
    const wkShape* others[2] = {&mesh, &sphere};
    wkPose far = wkMakePose(10.0, 0.0, 0.0);
    for (int i = 0; i < 2; i++) {
        double truth = wkDistance(&mesh, wkIdentityPose(), others[i], far, NULL).distance;
        wkContact contacts[2];
        wkCollideRequest collide = wkDefaultCollideRequest();
        collide.margin = NAN;
        assert_true(wkCollide(&mesh, wkIdentityPose(), others[i], far, &collide).isTouching);
        collide.margin = 100.0;
        collide.contacts = contacts;
        static const int32_t capacities[] = {-1, 0, INT32_MIN};
        for (int k = 0; k < 3; k++) {
            collide.contactCapacity = capacities[k];
            wkCollideResult r = wkCollide(&mesh, wkIdentityPose(), others[i], far, &collide);
            assert_true(r.isTouching && r.contactCount == 0);
        }
        collide.contacts = NULL;
        collide.contactCapacity = 1000;
        wkCollideResult r = wkCollide(&mesh, wkIdentityPose(), others[i], far, &collide);
        assert_true(r.isTouching && r.contactCount == 0);
        static const double numbers[] = {NAN, -1.0, INFINITY, -INFINITY};
        for (int k = 0; k < 4; k++) {
            wkDistanceRequest distance = wkDefaultDistanceRequest();
            distance.tolerance = numbers[k];
            double got = wkDistance(&mesh, wkIdentityPose(), others[i], far, &distance).distance;
            assert_true(got <= truth);
            distance.tolerance = 0.0;
            distance.cutoff = numbers[k];
            got = wkDistance(&mesh, wkIdentityPose(), others[i], far, &distance).distance;
            assert_true(got <= truth && (numbers[k] != numbers[k] || got > -INFINITY));
        }
    }
}

static bool isFinite(wkVec3d v)
{
    return fabs(v.x) <= DBL_MAX && fabs(v.y) <= DBL_MAX && fabs(v.z) <= DBL_MAX;
}

// As far from each other and as padded as is allowed, and empty ones: numbers all the same. Further
// apart, triangles are not valid in each other's frame.
static void answers_are_finite(void** state)
{
    (void)state;
    static const double lengths[] = {0.0, 1e-300, 1e-30, 1e18, 1e30, 1e58, 1e139};
    for (int row = 0; row < WK_ZOO_COUNT; row++) {
        for (int type = 1; type <= wk_shapeMesh; type++) {
            for (int i = 0; i < 7; i++) {
                wkRng rng = wkMakeRng((uint64_t)(type * 16 + row));
                wkShape a = wkMakeMesh(zoo.rows[row].variants[(5 * i + row) % WK_ZOO_VARIANTS]);
                wkShape b = type == wk_shapeMesh
                                ? wkMakeMesh(zoo.rows[(row + i) % WK_ZOO_COUNT].variants[i])
                                : wkRandomShape(&rng, wkKitBank(), (wkShapeType)type, 1.0);
                a.padding = fmin(lengths[(i + type) % 7], 1e30);
                wkPose poseB = {{0.0, 0.6 * lengths[i], -0.5 * lengths[i]}, wkRngRotation(&rng)};
                wkDistanceResult r = wkDistance(&a, wkIdentityPose(), &b, poseB, NULL);
                wkCollideResult c = wkCollide(&a, wkIdentityPose(), &b, poseB, NULL);
                if (lengths[i] > 1e100) {
                    assert_true(r.status == wk_statusInvalid && c.isTouching);
                    continue;
                }
                if (!(fabs(r.distance) <= DBL_MAX) || !isFinite(r.pointA) || !isFinite(r.pointB) ||
                    !isFinite(r.normal) || c.isTouching != (r.distance <= 0.0)) {
                    fail_msg("%s and %s, %g apart, padding %g: distance %g, touching %d",
                             zoo.rows[row].name, wkShapeTypeName(b.type), lengths[i], a.padding,
                             r.distance, c.isTouching);
                }
            }
        }
    }
}

int main(void)
{
    if (!wkZoo_Create(&zoo, wkKitSeed())) {
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(broken_poses_of_meshes_are_touching, ignoreAsserts,
                                        restoreAsserts),
        cmocka_unit_test_setup_teardown(broken_meshes_are_touching, ignoreAsserts, restoreAsserts),
        cmocka_unit_test_setup_teardown(broken_requests_are_safe, ignoreAsserts, restoreAsserts),
        cmocka_unit_test_setup_teardown(answers_are_finite, ignoreAsserts, restoreAsserts),
    };
    int failed = cmocka_run_group_tests_name("hostile questions about meshes", tests, NULL, NULL);
    wkZoo_Destroy(&zoo);
    wkKitEnd();
    return failed;
}
