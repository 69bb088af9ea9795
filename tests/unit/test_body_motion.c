// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Motions of a body: known answers, bounds on speeds against differences of poses, and refusals.

#include "query/cast/motion_row.h"
#include "unit_kit.h"
#include "whisker/whisker.h"

#define CONTROL_COUNT 7
#define SAMPLE_COUNT 5

// Of the angle between two rotations as this test computes it.
#define TEST_ROUNDING 2e-15

// Arrays that motions borrow.
typedef struct paths {
    wkSplineControl controls[CONTROL_COUNT];
    wkMotionSample samples[SAMPLE_COUNT];
} paths;

static wkPose randomPose(wkRng* rng, double size)
{
    wkPose pose = {wkScale(wkRngRange(rng, 0.0, size), wkRngDirection(rng)), wkRngRotation(rng)};
    return pose;
}

// Swings about a point with an amplitude of 1 m and 1 radian.
static wkPose swing(double t, void* context)
{
    double rate = *(const double*)context;
    wkPose pose = {wkVec(sin(rate * t), 0.0, 0.0), wkMakeQuat(wkVec(0.0, 0.0, 1.0), cos(rate * t))};
    return pose;
}

static wkBodyMotion swinging(double* rate)
{
    wkBodyMotion motion = wkMakeFunctionMotion(swing, rate, *rate, *rate);
    motion.function.maxAcceleration = *rate * *rate;
    motion.function.maxAngularAcceleration = *rate * *rate;
    return motion;
}

// A motion of each kind but the first, with sizes from small to large.
static wkBodyMotion randomMotion(wkRng* rng, wkBodyMotionKind kind, paths* storage)
{
    static double rate = 3.0;
    double size = wkRngLogRange(rng, 1e-3, 1e3), angle = wkRngLogRange(rng, 1e-9, 3.0);
    wkPose start = randomPose(rng, size), end = start;
    end.position = wkMulAdd(start.position, size * wkRngUnit(rng), wkRngDirection(rng));
    wkPose rotation = {wkVec(0.0, 0.0, 0.0), wkMakeQuat(wkRngDirection(rng), angle)};
    end.rotation = wkMulPose(rotation, start).rotation;
    for (int i = 0; i < CONTROL_COUNT; ++i) {
        storage->controls[i].position = wkScale(size, wkRngDirection(rng));
        storage->controls[i].rotation = wkScale(4.0 * wkRngUnit(rng), wkRngDirection(rng));
    }
    for (int i = 0; i < SAMPLE_COUNT; ++i) {
        storage->samples[i].time = (i + 0.9 * wkRngUnit(rng)) / SAMPLE_COUNT;
        storage->samples[i].pose = randomPose(rng, size);
    }
    switch (kind) {
    case wk_bodyMotionStatic:
        return wkMakeStaticMotion(start);
    case wk_bodyMotionLinear:
        return wkMakeLinearMotion(start, end);
    case wk_bodyMotionScrew:
        return wkMakeScrewMotion(start, end);
    case wk_bodyMotionSpline:
        return wkMakeSplineMotion(storage->controls, 4 + wkRngBelow(rng, CONTROL_COUNT - 3));
    case wk_bodyMotionSampled:
        return wkMakeSampledMotion(storage->samples, 1 + wkRngBelow(rng, SAMPLE_COUNT));
    default:
        return swinging(&rate);
    }
}

static void linear_motions_interpolate_poses(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < 1000; ++i) {
        wkPose start = randomPose(&rng, 3.0), end = randomPose(&rng, 3.0);
        wkBodyMotion motion = wkMakeLinearMotion(start, end);
        double t = wkRngUnit(&rng);
        wkPose pose = wkBodyMotion_PoseAt(&motion, t), expected = wkInterpolatePose(start, end, t);
        assert_memory_equal(&pose, &expected, sizeof pose);
    }
}

static void screws_start_and_end_at_their_poses(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < 1000; ++i) {
        paths storage;
        wkBodyMotion motion = randomMotion(&rng, wk_bodyMotionScrew, &storage);
        double size = wkSumAbs(motion.ends.start.position) + wkSumAbs(motion.ends.end.position);
        wkVec3d p = wkRngDirection(&rng);
        wkVec3d start = wkTransformPoint(motion.ends.start, p);
        wkVec3d end = wkTransformPoint(motion.ends.end, p);
        assertVecNear(wkTransformPoint(wkBodyMotion_PoseAt(&motion, 0.0), p), start,
                      1e-14 * (1.0 + size));
        assertVecNear(wkTransformPoint(wkBodyMotion_PoseAt(&motion, 1.0), p), end,
                      1e-14 * (1.0 + size));
    }
}

// The path of a point does not depend on the frame of the body: a property of screws alone.
static void screws_do_not_depend_on_the_frame(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < 1000; ++i) {
        wkPose start = randomPose(&rng, 1.0), end = randomPose(&rng, 1.0);
        wkPose other = randomPose(&rng, 1.0);
        wkBodyMotion motion = wkMakeScrewMotion(start, end);
        wkBodyMotion same = wkMakeScrewMotion(wkMulPose(start, other), wkMulPose(end, other));
        double t = wkRngUnit(&rng);
        wkVec3d p = wkRngDirection(&rng);
        wkVec3d a = wkTransformPoint(wkBodyMotion_PoseAt(&motion, t), wkTransformPoint(other, p));
        wkVec3d b = wkTransformPoint(wkBodyMotion_PoseAt(&same, t), p);

        // near half a turn rounding may choose the other way round
        bool isClear = fabs(wkRelativeQuat(start.rotation, end.rotation).w) > 1e-6;
        assertVecNear(a, b, isClear ? 1e-12 : INFINITY);
    }
}

static void a_quarter_screw_is_a_quarter_circle(void** state)
{
    (void)state;
    wkPose start = wkMakePose(2.0, 0.0, 0.0);
    wkPose end = {wkVec(0.0, 2.0, 1.0), wkMakeQuat(wkVec(0.0, 0.0, 1.0), acos(0.0))};
    wkBodyMotion motion = wkMakeScrewMotion(start, end);
    wkPose middle = wkBodyMotion_PoseAt(&motion, 0.5);
    assertVecNear(middle.position, wkVec(sqrt(2.0), sqrt(2.0), 0.5), 1e-15);
}

// A spline of equal steps is a straight line between the inner controls.
static void even_splines_are_straight(void** state)
{
    (void)state;
    wkSplineControl controls[6];
    for (int i = 0; i < 6; ++i) {
        controls[i].position = wkVec(i, 2.0 * i, 0.0);
        controls[i].rotation = wkVec(0.0, 0.0, 0.1 * i);
    }
    wkBodyMotion motion = wkMakeSplineMotion(controls, 6);
    for (int i = 0; i <= 30; ++i) {
        double t = i / 30.0, at = 1.0 + 3.0 * t;
        wkPose pose = wkBodyMotion_PoseAt(&motion, t);
        wkQuat rotation = wkMakeQuat(wkVec(0.0, 0.0, 1.0), 0.1 * at);
        assertVecNear(pose.position, wkVec(at, 2.0 * at, 0.0), 1e-14);
        assertNear(pose.rotation.z, rotation.z, 1e-15);
    }
}

static void sampled_motions_pass_their_poses(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < 1000; ++i) {
        paths storage;
        wkBodyMotion motion = randomMotion(&rng, wk_bodyMotionSampled, &storage);
        const wkMotionSample* samples = storage.samples;
        for (int k = 0; k < motion.sampled.count; ++k) {
            wkPose pose = wkBodyMotion_PoseAt(&motion, samples[k].time);
            assert_memory_equal(&pose, &samples[k].pose, sizeof pose);
        }
        wkPose first = wkBodyMotion_PoseAt(&motion, 0.5 * samples[0].time);
        assert_memory_equal(&first, &samples[0].pose, sizeof first);
        wkPose last = wkBodyMotion_PoseAt(&motion, 1.0);
        assert_memory_equal(&last, &samples[motion.sampled.count - 1].pose, sizeof last);
    }
}

static double angleBetween(wkPose a, wkPose b)
{
    return 2.0 * wkWayBetween(a.rotation, b.rotation).halfAngle;
}

// Angular velocity in the world between two near poses.
static wkVec3d rotationBetween(wkPose a, wkPose b)
{
    wkRotationWay way = wkWayBetween(a.rotation, b.rotation);
    return wkScale(2.0 * way.halfAngle, wkRotateVector(a, way.axis));
}

// Rates of a random interval against differences of poses inside it.
static void checkRates(const wkPreparedMotion* prepared, double t0, double t1, wkRng* rng)
{
    wkMotionRates rates = prepared->row->rates(prepared, t0, t1);
    double a = t0 + (t1 - t0) * wkRngUnit(rng), b = t0 + (t1 - t0) * wkRngUnit(rng);
    wkPose poseA = wkMotionPoseAt(prepared, a), poseB = wkMotionPoseAt(prepared, b);
    double apart = fabs(b - a), slack = 2.0 * prepared->positionRounding;
    double length = wkLength(wkSub(poseB.position, poseA.position));
    double angle = angleBetween(poseA, poseB);
    if (!(length <= rates.speed * apart + slack) ||
        !(angle <= rates.angularSpeed * apart + 2.0 * prepared->angleRounding + TEST_ROUNDING)) {
        fail_msg("%s: %.17g m and %.17g rad in %.17g, bounds %.17g and %.17g", prepared->row->name,
                 length, angle, apart, rates.speed, rates.angularSpeed);
    }

    // second differences; those of rotations are accurate to the third order
    double h = 1e-3 * (t1 - t0), m = t0 + (t1 - t0) * wkRngRange(rng, 0.01, 0.99);
    wkPose before = wkMotionPoseAt(prepared, m - h), at = wkMotionPoseAt(prepared, m);
    wkPose after = wkMotionPoseAt(prepared, m + h);
    wkVec3d bend = wkSub(wkAdd(before.position, after.position), wkScale(2.0, at.position));
    wkVec3d spin = wkSub(rotationBetween(at, after), rotationBetween(before, at));
    double turn = rates.angularSpeed * h;
    double limit = rates.angularAcceleration * h * h * 1.01 + turn * turn * turn;
    if (!(wkLength(bend) <= rates.acceleration * h * h + 4.0 * slack) ||
        !(wkLength(spin) <= limit + 8.0 * prepared->angleRounding + TEST_ROUNDING)) {
        fail_msg("%s: bend %g m and %g rad in %g, bounds %g and %g", prepared->row->name,
                 wkLength(bend), wkLength(spin), h, rates.acceleration, rates.angularAcceleration);
    }
}

static void rates_bound_all_differences(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < WK_CASES(3000); ++i) {
        for (int kind = 1; kind < WK_BODY_MOTION_KIND_COUNT; ++kind) {
            paths storage;
            wkBodyMotion motion = randomMotion(&rng, (wkBodyMotionKind)kind, &storage);
            wkPreparedMotion prepared;
            wkPrepareMotion(&motion, &prepared);
            double start = wkRngUnit(&rng), end = wkMotionNextKnot(&prepared, start);
            assert_true(end > start && end <= 1.0);
            checkRates(&prepared, start, start + (end - start) * wkRngUnit(&rng), &rng);
        }
    }
}

// From knot to knot every motion ends at 1.
static void knots_lead_to_the_end(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < 1000; ++i) {
        paths storage;
        wkBodyMotion motion = randomMotion(
            &rng, wkRngChance(&rng, 2) ? wk_bodyMotionSpline : wk_bodyMotionSampled, &storage);
        wkPreparedMotion prepared;
        wkPrepareMotion(&motion, &prepared);
        int knotCount = 0;
        for (double t = 0.0; t < 1.0; t = wkMotionNextKnot(&prepared, t)) {
            ++knotCount;
        }
        assert_in_range(knotCount, 1, CONTROL_COUNT + SAMPLE_COUNT);
    }
}

static void expectNone(wkBodyMotion motion, const char* words)
{
    assert_int_equal(motion.kind, wk_bodyMotionNone);
    if (strstr(wkGetLastError(), words) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", wkGetLastError(), words);
    }
}

static void bad_motions_are_refused(void** state)
{
    (void)state;
    wkPose good = wkIdentityPose(), far = wkMakePose(1e61, 0.0, 0.0),
           nan = wkMakePose(0.0, NAN, 0.0);
    wkPose zero = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
    wkPose twice = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 2.0}};
    expectNone(wkMakeStaticMotion(nan), "static motion: pose.position.y is nan");
    expectNone(wkMakeLinearMotion(good, far), "linear motion: end.position");
    expectNone(wkMakeLinearMotion(zero, good), "linear motion: start.rotation has length 0");
    expectNone(wkMakeScrewMotion(good, twice), "screw motion: end.rotation has length 2");

    wkSplineControl controls[4] = {0};
    expectNone(wkMakeSplineMotion(controls, 3), "count is 3, must be at least 4");
    expectNone(wkMakeSplineMotion(NULL, 4), "controls is NULL");
    controls[2].rotation.y = INFINITY;
    expectNone(wkMakeSplineMotion(controls, 4), "controls[2].rotation is (0 inf 0)");
    controls[2].rotation.y = 1e7;
    expectNone(wkMakeSplineMotion(controls, 4), "controls[2].rotation");

    wkMotionSample samples[3] = {{0.0, good}, {0.5, good}, {0.5, good}};
    expectNone(wkMakeSampledMotion(samples, 3), "samples[2].time is 0.5, must be above 0.5");
    expectNone(wkMakeSampledMotion(samples, 0), "count is 0");
    expectNone(wkMakeSampledMotion(NULL, 2), "samples is NULL");
    samples[2].time = 5.0;
    expectNone(wkMakeSampledMotion(samples, 3), "samples[2].time is 5, must be 0 to 1");
    samples[2].time = NAN;
    expectNone(wkMakeSampledMotion(samples, 3), "samples[2].time is nan");
    samples[2] = (wkMotionSample){1.0, twice};
    expectNone(wkMakeSampledMotion(samples, 3), "samples[2].pose.rotation has length 2");

    double rate = 1.0;
    expectNone(wkMakeFunctionMotion(NULL, NULL, 1.0, 1.0), "poseAt is NULL");
    expectNone(wkMakeFunctionMotion(swing, &rate, INFINITY, 1.0), "maxSpeed is inf");
    expectNone(wkMakeFunctionMotion(swing, &rate, 1.0, -1.0), "maxAngularSpeed is -1");
    wkBodyMotion motion = swinging(&rate);
    motion.function.maxAcceleration = NAN;
    assert_int_equal(wkBodyMotion_Check(&motion), wk_errorNotFinite);
}

static void invalid_motions_have_no_pose(void** state)
{
    (void)state;
    wkBodyMotion none = {.kind = wk_bodyMotionNone}, unknown = {.kind = (wkBodyMotionKind)99};
    wkBodyMotion standing = wkMakeStaticMotion(wkIdentityPose());
    assert_false(wkIsValidPose(wkBodyMotion_PoseAt(NULL, 0.5)));
    assert_false(wkIsValidPose(wkBodyMotion_PoseAt(&none, 0.5)));
    assert_false(wkIsValidPose(wkBodyMotion_PoseAt(&unknown, 0.5)));
    assert_false(wkIsValidPose(wkBodyMotion_PoseAt(&standing, NAN)));
    assert_true(wkIsValidPose(wkBodyMotion_PoseAt(&standing, INFINITY)));
    assert_int_equal(wkBodyMotion_Check(NULL), wk_errorArgument);
    assert_string_equal(wkBodyMotionKindName(unknown.kind), "none");
    assert_string_equal(wkBodyMotionKindName(wk_bodyMotionSampled), "sampled");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_motions_interpolate_poses),
        cmocka_unit_test(screws_start_and_end_at_their_poses),
        cmocka_unit_test(screws_do_not_depend_on_the_frame),
        cmocka_unit_test(a_quarter_screw_is_a_quarter_circle),
        cmocka_unit_test(even_splines_are_straight),
        cmocka_unit_test(sampled_motions_pass_their_poses),
        cmocka_unit_test(rates_bound_all_differences),
        cmocka_unit_test(knots_lead_to_the_end),
        cmocka_unit_test(bad_motions_are_refused),
        cmocka_unit_test(invalid_motions_have_no_pose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
