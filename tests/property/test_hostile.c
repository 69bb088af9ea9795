// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Input that is not valid: every query says so and gives the safe verdict, touching.

#include "asserts.h"
#include "kit.h"

#include "whisker/detail/counts.h"

#include <float.h>
#include <string.h>

static void assertSafe(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                       const char* what)
{
    wkContact contacts[WK_MAX_CONTACTS];
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = -1e6;
    wkDistanceResult d = wkDistance(a, poseA, b, poseB, NULL);
    wkCollideResult plain = wkCollide(a, poseA, b, poseB, &request);
    request.contacts = contacts;
    request.contactCapacity = WK_MAX_CONTACTS;
    wkCollideResult full = wkCollide(a, poseA, b, poseB, &request);
    wkPenetrationResult p = wkPenetration(a, poseA, b, poseB);
    bool isSaid = d.status == wk_statusInvalid && plain.status == wk_statusInvalid &&
                  full.status == wk_statusInvalid && p.status == wk_statusInvalid;
    bool isSafe = d.distance == -INFINITY && plain.isTouching && full.isTouching &&
                  full.contactCount >= 0 && full.contactCount <= WK_MAX_CONTACTS;
    if (!isSaid || !isSafe) {
        fail_msg("%s (%s-%s): distance %g %s, touching %d %s, with contacts %d %s, penetration %s",
                 what, a != NULL ? wkShapeTypeName(a->type) : "NULL",
                 b != NULL ? wkShapeTypeName(b->type) : "NULL", d.distance, wkStatusName(d.status),
                 plain.isTouching, wkStatusName(plain.status), full.isTouching,
                 wkStatusName(full.status), wkStatusName(p.status));
    }
}

static void assertSafeBothWays(const wkShape* bad, wkPose pose, const char* what)
{
    for (int type = 1; type < WK_CONVEX_TYPE_COUNT; type++) {
        wkRng rng = wkMakeRng((uint64_t)type);
        wkShape good = wkRandomShape(&rng, wkKitBank(), (wkShapeType)type, 1.0);
        assertSafe(bad, pose, &good, wkMakePose(5.0, 0.0, 0.0), what);
        assertSafe(&good, wkMakePose(5.0, 0.0, 0.0), bad, pose, what);
    }
}

static void broken_poses_are_touching(void** state)
{
    (void)state;
    for (int type = 1; type < WK_CONVEX_TYPE_COUNT; type++) {
        wkRng rng = wkMakeRng((uint64_t)type);
        wkShape shape = wkRandomShape(&rng, wkKitBank(), (wkShapeType)type, 1.0);
        for (int i = 0; i < BROKEN_POSE_COUNT; i++) {
            assertSafeBothWays(&shape, brokenPose(i), "broken pose");
        }
    }
}

static wkPose rotatedPose(double x, double length)
{
    wkPose pose = {{x, 0.3, 0.2}, {0.5 * length, -0.1 * length, 0.7 * length, 0.5 * length}};
    return pose;
}

static void assertSameAnswer(const wkShape* a, const wkShape* b, double lengthA, double lengthB)
{
    wkPose poseA = rotatedPose(0.0, lengthA), poseB = rotatedPose(0.6, lengthB);
    wkDistanceResult expected =
        wkDistance(a, rotatedPose(0.0, 1.0), b, rotatedPose(0.6, 1.0), NULL);
    wkDistanceResult r = wkDistance(a, poseA, b, poseB, NULL);
    wkCollideResult c = wkCollide(a, poseA, b, poseB, NULL);
    if (!(fabs(r.distance - expected.distance) <= 1e-12 * fabs(expected.distance) + 1e-12) ||
        c.isTouching != (r.distance <= 0.0) || c.status == wk_statusInvalid) {
        fail_msg("%s-%s, rotations of length %g and %g: distance %.17g, of length 1 %.17g; %s",
                 wkShapeTypeName(a->type), wkShapeTypeName(b->type), lengthA, lengthB, r.distance,
                 expected.distance, wkStatusName(c.status));
    }
}

// Rotations count whatever their length, up to where their squares leave the range of double.
static void rotations_of_any_length_are_rotations(void** state)
{
    (void)state;
    static const double lengths[] = {2e-154, 1e-139, 1e-80, 1e-3, 3.0, 1e80, 1e139};
    static const double refused[] = {0.0, 1e-156, 1e-300, 2e140, 1e300};
    for (int type = 1; type < WK_CONVEX_TYPE_COUNT; type++) {
        wkRng rng = wkMakeRng((uint64_t)type);
        wkShape shape = wkRandomShape(&rng, wkKitBank(), (wkShapeType)type, 1.0);
        for (int i = 0; i < (int)(sizeof refused / sizeof refused[0]); i++) {
            assert_false(wkIsValidPose(rotatedPose(0.0, refused[i])));
            assertSafeBothWays(&shape, rotatedPose(0.0, refused[i]), "rotation out of range");
        }
        for (int other = 1; other < WK_CONVEX_TYPE_COUNT; other++) {
            wkShape b = wkRandomShape(&rng, wkKitBank(), (wkShapeType)other, 1.0);
            for (int i = 0; i < (int)(sizeof lengths / sizeof lengths[0]); i++) {
                assert_true(wkIsValidPose(rotatedPose(0.0, lengths[i])));
                assertSameAnswer(&shape, &b, lengths[i], 1.0);
                assertSameAnswer(&shape, &b, 1.0, lengths[i]);
                assertSameAnswer(&shape, &b, lengths[i], lengths[i]);
            }
        }
    }
}

// Which of the numbers of a shape's member must be refused when negative;
// the others may have any sign.
typedef struct sizesOfType {
    int count;     // numbers in the member
    bool isLength; // they are sizes, never negative
} sizesOfType;

// clang-format off
static const sizesOfType sizes[WK_CONVEX_TYPE_COUNT] = {
    [wk_shapeSphere]    = {1, true},
    [wk_shapeCapsule]   = {2, true},
    [wk_shapeBox]       = {3, true},
    [wk_shapeCylinder]  = {2, true},
    [wk_shapeCone]      = {2, true},
    [wk_shapeEllipsoid] = {3, true},
    [wk_shapeTriangle]  = {9, false},
    [wk_shapeHull]      = {0, false},
    [wk_shapeHalfspace] = {4, false},
    [wk_shapePlane]     = {4, false},
};
// clang-format on

static void broken_shapes_are_touching(void** state)
{
    (void)state;
    static const double values[] = {NAN, INFINITY, -INFINITY, -1.0};
    for (int type = 1; type < WK_CONVEX_TYPE_COUNT; type++) {
        wkRng rng = wkMakeRng((uint64_t)type);
        wkShape shape = wkRandomShape(&rng, wkKitBank(), (wkShapeType)type, 1.0);
        for (int v = 0; v < 4; v++) {
            wkShape bad = shape;
            bad.rounding = values[v];
            assertSafeBothWays(&bad, wkIdentityPose(), "broken rounding");
            bad = shape;
            bad.padding = values[v];
            if (v < 3) {
                assertSafeBothWays(&bad, wkIdentityPose(), "broken padding");
            }
            for (int i = 0; i < sizes[type].count && (v < 3 || sizes[type].isLength); i++) {
                bad = shape;
                (&bad.triangle.points[0].x)[i] = values[v];
                assertSafeBothWays(&bad, wkIdentityPose(), "broken size");
            }
        }
    }
}

static void shapes_that_are_none_are_touching(void** state)
{
    (void)state;
    wkShape none;
    memset(&none, 0, sizeof none);
    assertSafeBothWays(&none, wkIdentityPose(), "no type");
    none.type = (wkShapeType)77;
    assertSafeBothWays(&none, wkIdentityPose(), "unknown type");
    none.type = (wkShapeType)-3;
    assertSafeBothWays(&none, wkIdentityPose(), "negative type");
    wkShape hull = {.type = wk_shapeHull};
    assertSafeBothWays(&hull, wkIdentityPose(), "hull without a hull");
    assertSafeBothWays(NULL, wkIdentityPose(), "no shape");
    wkShape flat = wkMakeHalfspace((wkVec3d){0.0, 0.0, 1.0}, 0.0);
    flat.halfspace.normal.z = 0.0;
    assertSafeBothWays(&flat, wkIdentityPose(), "zero normal");

    // what makers refuse
    wkShape refused[] = {wkMakeSphere(-1.0), wkMakeBox(1.0, NAN, 1.0), wkMakeCapsule(INFINITY, 1.0),
                         wkMakePlane((wkVec3d){0.0, 0.0, 0.0}, 1.0), wkMakeHull(NULL)};
    for (int i = 0; i < (int)(sizeof refused / sizeof refused[0]); i++) {
        assert_int_equal(refused[i].type, wk_shapeNone);
        assertSafeBothWays(&refused[i], wkIdentityPose(), "refused by its maker");
    }
}

static void broken_requests_are_touching(void** state)
{
    (void)state;
    wkShape sphere = wkMakeSphere(0.5);
    wkPose far = wkMakePose(10.0, 0.0, 0.0);
    wkCollideRequest collide = wkDefaultCollideRequest();
    collide.margin = NAN;
    assert_true(wkCollide(&sphere, wkIdentityPose(), &sphere, far, &collide).isTouching);
    wkDistanceRequest distance = wkDefaultDistanceRequest();
    distance.cutoff = NAN;
    assert_true(wkDistance(&sphere, wkIdentityPose(), &sphere, far, &distance).distance <= 9.0);
    distance.cutoff = INFINITY;
    distance.tolerance = NAN;
    assert_true(wkDistance(&sphere, wkIdentityPose(), &sphere, far, &distance).distance <= 9.0);
}

// Finite but beyond every stated range: no NaN, no trap, no "free" that is not.
static void extreme_numbers_give_numbers(void** state)
{
    (void)state;
    static const double extremes[] = {1e-320, 1e-160, 1e-30, 1e30, 1e150, 1e300, DBL_MAX};
    for (int type = 1; type < WK_CONVEX_TYPE_COUNT; type++) {
        for (int other = 1; other < WK_CONVEX_TYPE_COUNT; other++) {
            for (int i = 0; i < 7; i++) {
                wkRng rng = wkMakeRng((uint64_t)(type * 16 + other));
                wkShape a = wkRandomShape(&rng, wkKitBank(), (wkShapeType)type, 1.0);
                wkShape b = wkRandomShape(&rng, wkKitBank(), (wkShapeType)other, 1.0);
                for (int k = 0; sizes[type].isLength && k < sizes[type].count; k++) {
                    (&a.triangle.points[0].x)[k] = extremes[i];
                }
                wkPose poseB = wkMakePose(extremes[(i + other) % 7], 0.0, 0.0);
                wkDistanceResult r = wkDistance(&a, wkIdentityPose(), &b, poseB, NULL);
                wkCollideResult c = wkCollide(&a, wkIdentityPose(), &b, poseB, NULL);
                if (!(r.distance <= INFINITY) || c.isTouching != (r.distance <= 0.0)) {
                    wkScenePair pair = {a, b, wkIdentityPose(), poseB};
                    wkPrintPair(stdout, &pair);
                    fail_msg("distance %g (%s), touching %d", r.distance, wkStatusName(r.status),
                             c.isTouching);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(broken_poses_are_touching, ignoreAsserts, restoreAsserts),
        cmocka_unit_test_setup_teardown(rotations_of_any_length_are_rotations, ignoreAsserts,
                                        restoreAsserts),
        cmocka_unit_test_setup_teardown(broken_shapes_are_touching, ignoreAsserts, restoreAsserts),
        cmocka_unit_test_setup_teardown(shapes_that_are_none_are_touching, ignoreAsserts,
                                        restoreAsserts),
        cmocka_unit_test_setup_teardown(broken_requests_are_touching, ignoreAsserts,
                                        restoreAsserts),
        cmocka_unit_test_setup_teardown(extreme_numbers_give_numbers, ignoreAsserts,
                                        restoreAsserts),
    };
    int failed = cmocka_run_group_tests_name("hostile input", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
