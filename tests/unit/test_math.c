// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Poses: known answers, and the laws of rigid motions.

#include "math/within.h"
#include "unit_kit.h"

#define TOLERANCE 4e-15

static wkPose randomPose(wkRng* rng)
{
    wkPose pose = {wkScale(wkRngRange(rng, 0.0, 10.0), wkRngDirection(rng)), wkRngRotation(rng)};
    return pose;
}

static void identity_changes_nothing(void** state)
{
    (void)state;
    wkVec3d p = wkVec(1.0, -2.0, 3.0);
    assertVecNear(wkTransformPoint(wkIdentityPose(), p), p, 0.0);
    assertVecNear(wkTransformPoint(wkMakePose(4.0, 5.0, 6.0), p), wkVec(5.0, 3.0, 9.0), 0.0);
    assertVecNear(wkRotateVector(wkMakePose(4.0, 5.0, 6.0), p), p, 0.0);
}

static void quarter_rotations_permute_the_axes(void** state)
{
    (void)state;
    const double quarter = acos(0.0);
    wkVec3d zero = wkVec(0.0, 0.0, 0.0);
    wkPose aboutZ = {zero, wkMakeQuat(wkVec(0.0, 0.0, 3.0), quarter)};
    assertVecNear(wkTransformPoint(aboutZ, wkVec(1.0, 0.0, 0.0)), wkVec(0.0, 1.0, 0.0), 4e-16);
    wkPose aboutX = {zero, wkMakeQuat(wkVec(1e-200, 0.0, 0.0), quarter)};
    assertVecNear(wkTransformPoint(aboutX, wkVec(0.0, 1.0, 0.0)), wkVec(0.0, 0.0, 1.0), 4e-16);
    wkPose none = {zero, wkMakeQuat(zero, quarter)};
    assertVecNear(wkTransformPoint(none, wkVec(1.0, 2.0, 3.0)), wkVec(1.0, 2.0, 3.0), 0.0);
}

// URDF: about the fixed axes, first x, then y, then z.
static void roll_pitch_yaw_rotation_about_fixed_axes(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < 1000; ++i) {
        double roll = wkRngRange(&rng, -4.0, 4.0), pitch = wkRngRange(&rng, -4.0, 4.0);
        double yaw = wkRngRange(&rng, -4.0, 4.0);
        wkVec3d p = wkRngDirection(&rng);
        double cr = cos(roll), sr = sin(roll), cp = cos(pitch), sp = sin(pitch);
        double cy = cos(yaw), sy = sin(yaw);
        wkVec3d afterX = wkVec(p.x, cr * p.y - sr * p.z, sr * p.y + cr * p.z);
        wkVec3d afterY =
            wkVec(cp * afterX.x + sp * afterX.z, afterX.y, cp * afterX.z - sp * afterX.x);
        wkVec3d afterZ =
            wkVec(cy * afterY.x - sy * afterY.y, sy * afterY.x + cy * afterY.y, afterY.z);
        wkPose pose = wkMakePoseRpy(wkVec(1.0, 2.0, 3.0), roll, pitch, yaw);
        assertVecNear(wkTransformPoint(pose, p), wkAdd(afterZ, wkVec(1.0, 2.0, 3.0)), TOLERANCE);
    }
}

static void products_are_compositions(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < 1000; ++i) {
        wkPose a = randomPose(&rng), b = randomPose(&rng);
        wkVec3d p = wkRngDirection(&rng);
        wkVec3d expected = wkTransformPoint(a, wkTransformPoint(b, p));
        assertVecNear(wkTransformPoint(wkMulPose(a, b), p), expected, 10.0 * TOLERANCE);
        wkVec3d back = wkTransformPoint(wkInvPose(a), wkTransformPoint(a, p));
        assertVecNear(back, p, 10.0 * TOLERANCE);
        double length = wkLength(wkRotateVector(a, p));
        assertNear(length, 1.0, TOLERANCE);
    }
}

static void length_of_a_rotation_does_not_count(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    const double scales[] = {1e-100, 1e-3, 1e3, 1e100, -1.0};
    for (int i = 0; i < 500; ++i) {
        wkPose pose = randomPose(&rng), other = randomPose(&rng), scaled = pose;
        double s = scales[i % 5];
        wkQuat q = {s * pose.rotation.x, s * pose.rotation.y, s * pose.rotation.z,
                    s * pose.rotation.w};
        scaled.rotation = q;
        wkVec3d p = wkRngDirection(&rng);
        assertVecNear(wkTransformPoint(scaled, p), wkTransformPoint(pose, p), TOLERANCE);
        assertVecNear(wkTransformPoint(wkMulPose(scaled, other), p),
                      wkTransformPoint(wkMulPose(pose, other), p), 10.0 * TOLERANCE);
        assertVecNear(wkTransformPoint(wkInvPose(scaled), p), wkTransformPoint(wkInvPose(pose), p),
                      10.0 * TOLERANCE);
    }
}

static void long_chains_stay_rotations(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    wkPose chain = wkIdentityPose();
    for (int i = 0; i < 100000; ++i) {
        wkPose turn = {wkVec(0.0, 0.0, 0.0), wkRngRotation(&rng)};
        chain = wkMulPose(chain, turn);
    }
    wkQuat q = chain.rotation;
    assertNear(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1.0, TOLERANCE);
}

static void broken_poses_are_not_valid(void** state)
{
    (void)state;
    assert_true(wkIsValidPose(wkIdentityPose()));
    for (int field = 0; field < 7; ++field) {
        const double values[] = {NAN, INFINITY, -INFINITY};
        for (int i = 0; i < 3; ++i) {
            wkPose pose = wkMakePose(1.0, 2.0, 3.0);
            double* const fields[] = {&pose.position.x, &pose.position.y, &pose.position.z,
                                      &pose.rotation.x, &pose.rotation.y, &pose.rotation.z,
                                      &pose.rotation.w};
            *fields[field] = values[i];
            assert_false(wkIsValidPose(pose));
        }
    }
    wkPose zero = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
    assert_false(wkIsValidPose(zero));
    assert_true(wkIsValidPose(wkMakePose(1e300, -1e300, 0.0)));
}

static void nothing_that_is_not_a_number_is_within_a_limit(void** state)
{
    (void)state;
    const double values[] = {NAN, INFINITY, -INFINITY, 2.5, -2.5};
    for (int axis = 0; axis < 3; ++axis) {
        wkVec3d inside = {-2.0, 1.0, 0.5};
        assert_true(wkIsVecWithin(inside, 2.0));
        for (int i = 0; i < 5; ++i) {
            wkVec3d outside = inside;
            double* const coordinates[] = {&outside.x, &outside.y, &outside.z};
            *coordinates[axis] = values[i];
            assert_false(wkIsVecWithin(outside, 2.0));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identity_changes_nothing),
        cmocka_unit_test(quarter_rotations_permute_the_axes),
        cmocka_unit_test(roll_pitch_yaw_rotation_about_fixed_axes),
        cmocka_unit_test(products_are_compositions),
        cmocka_unit_test(length_of_a_rotation_does_not_count),
        cmocka_unit_test(long_chains_stay_rotations),
        cmocka_unit_test(broken_poses_are_not_valid),
        cmocka_unit_test(nothing_that_is_not_a_number_is_within_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
