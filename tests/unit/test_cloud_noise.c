// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Probabilities of noisy clouds: known answers, monotony, narrow bounds, limits, bad input. Samples and sums over
// points are in test_cloud_noise_samples.c.

#include "math/gaussian.h"
#include "noise_kit.h"

static wkNoiseResult askOne(noisePoint point, const wkShape* body, wkPose pose, double margin)
{
    wkCloud* cloud = noiseCloud(&point, 1);
    wkShape shape = wkMakeCloud(cloud);
    wkNoiseRequest request = wkDefaultNoiseRequest();
    request.margin = margin;
    wkNoiseResult r = wkCollisionProbability(&shape, wkIdentityPose(), body, pose, &request);
    wkCloud_Destroy(cloud);
    return r;
}

static void expectKnown(wkNoiseResult r, double expected)
{
    assert_int_equal(r.status, wk_noiseBounded);
    double width = 1e-9 * expected + 1e-12;
    if (!(r.lower <= expected + width && r.upper >= expected - width &&
          r.upper - r.lower <= 4.0 * width)) {
        fail_msg("[%.17g, %.17g], expected %.17g", r.lower, r.upper, expected);
    }
    assert_int_equal(r.partA, 0);
    assert_true(r.independentLower >= r.lower && r.independentUpper <= r.upper);
}

static void tails_are_those_of_tables(void** state)
{
    (void)state;
    assertNear(wkNormalTail(0.0), 0.5, 1e-15);
    assertNear(wkNormalTail(1.0), 0.15865525393145705, 1e-15);
    assertNear(wkNormalTail(-3.0), 0.9986501019683699, 1e-15);
    assertNear(wkNormalTail(6.0), 9.865876450376946e-10, 1e-21);
    assertNear(wkChiTail(0.0), 1.0, 1e-15);
    assertNear(wkChiTail(1.0), 0.8012519569012008, 1e-14); // Maxwell's distribution
    assertNear(wkChiTail(3.0), 0.029290886534888236, 1e-14);
    assert_true(wkChiTail(INFINITY) == 0.0 && wkNormalTail(INFINITY) == 0.0);
    assertNear(wkSlabProbability(-1.0, 2.0).lower, 0.8185946141203637, 1e-11);
    assert_true(wkSlabProbability(1.0, -1.0).upper == 0.0);
}

// The probability of a sphere is the integral over its slices, which are discs.
static void spheres_agree_with_an_integral(void** state)
{
    (void)state;
    const double distances[] = {0.0, 1e-6, 1e-4, 0.3, 1.0, 4.0, 9.0};
    const double radii[] = {0.01, 0.5, 1.0, 3.0, 8.0};
    for (size_t i = 0; i < 7; i++) {
        for (size_t k = 0; k < 5; k++) {
            double a = distances[i], radius = radii[k], sum = 0.0;
            const int steps = 20000;
            double h = 2.0 * radius / steps;
            for (int s = 0; s < steps; s++) {
                double x = -radius + (s + 0.5) * h, disc = radius * radius - x * x;
                sum += h * exp(-0.5 * (a + x) * (a + x)) / sqrt(2.0 * NOISE_PI) *
                       (1.0 - exp(-0.5 * disc));
            }
            wkProbability p = wkSphereProbability(a, radius);
            double error = 1e-6 * sum; // of the integral
            if (!(p.lower <= sum + error && p.upper >= sum - error)) {
                fail_msg("distance %g, radius %g: [%.17g, %.17g], integral %.17g", a, radius,
                         p.lower, p.upper, sum);
            }
            assert_true(p.upper - p.lower <= 1e-3 * sum + 1e-12);
        }
    }
}

static void closed_forms_are_exact(void** state)
{
    (void)state;
    noisePoint p = {0.02f, 0.0f, 0.25f, 0.125f, 0.0625f};
    wkPose identity = wkIdentityPose();
    wkShape floor = wkMakeHalfspace((wkVec3d){0.0, 0.0, 1.0}, 0.0);
    expectKnown(askOne(p, &floor, identity, 0.0), wkNormalTail(2.0));
    expectKnown(askOne(p, &floor, identity, 0.0625), wkNormalTail(1.0));
    expectKnown(askOne(p, &floor, wkMakePose(5.0, 6.0, 0.125), 0.0), wkNormalTail(0.0));
    wkShape wall = wkMakePlane((wkVec3d){0.0, 0.0, 1.0}, 0.0);
    expectKnown(askOne(p, &wall, identity, 0.0), wkNormalTail(2.0) - wkNormalTail(6.0));

    // the box is aligned with the noise in whatever pose
    noisePoint bare = {0.0f, 0.0f, 0.25f, 0.0f, 0.0625f};
    wkShape box = wkMakeBox(0.25, 0.125, 0.375);
    double across = (1.0 - 2.0 * wkNormalTail(2.0)) * (1.0 - 2.0 * wkNormalTail(1.0));
    double along = wkNormalTail(1.0) - wkNormalTail(7.0);
    expectKnown(askOne(bare, &box, identity, 0.0), across * along);
    wkPose turned = {{0.0, 0.0, 0.0}, {0.0, 0.0, sqrt(0.5), sqrt(0.5)}};
    expectKnown(askOne(bare, &box, turned, 0.0), across * along);

    wkShape sphere = wkMakeSphere(0.125);
    noisePoint near = {0.0f, 0.0f, 0.25f, 0.0625f, 0.0625f};
    wkProbability known = wkSphereProbability(4.0, 3.0);
    expectKnown(askOne(near, &sphere, identity, 0.0), known.lower);
}

static void probability_grows_with_the_margin_and_the_deviation(void** state)
{
    (void)state;
    wkShape sphere = wkMakeSphere(0.2), floor = wkMakeHalfspace((wkVec3d){0.0, 0.0, 1.0}, 0.0);
    wkShape box = wkMakeBox(0.2, 0.3, 0.4);
    const wkShape* shapes[] = {&sphere, &floor, &box};
    for (size_t k = 0; k < 3; k++) {
        double before = 0.0;
        for (int i = 0; i < 30; i++) {
            noisePoint p = {0.1f, 0.2f, 0.4f, 0.0f, 0.05f};
            wkNoiseResult r = askOne(p, shapes[k], wkIdentityPose(), 0.01 * i);
            assert_true(r.lower <= r.upper && r.upper >= before);
            before = r.lower;
        }
        // away from a half-space by a distance, more noise reaches it more often
        before = 0.0;
        for (int i = 1; i < 30 && k == 1; i++) {
            noisePoint p = {0.1f, 0.2f, 0.4f, 0.0f, 0.02f * (float)i};
            wkNoiseResult r = askOne(p, shapes[k], wkIdentityPose(), 0.0);
            assert_true(r.upper >= before);
            before = r.lower;
        }
    }
}

// Bounds of convex bodies and solids narrow with more distances, and never cross.
static void refinement_narrows(void** state)
{
    (void)state;
    noiseBodies bodies;
    noiseBodies_Create(&bodies);
    wkRng rng = wkMakeRng(UNIT_SEED + 4);
    double widths[3] = {0.0, 0.0, 0.0};
    const int counts[3] = {0, 256, 2048};
    for (int n = 0; n < 4 * (WK_SCENE_TYPE_COUNT + kindCount); n++) {
        wkShape body = noiseBody(&bodies, &rng, n);
        wkPose pose = {{0.1, 0.0, -0.1}, wkRngRotation(&rng)};
        noisePoint points[1];
        drawPoints(&rng, &body, pose, points, 1);
        wkCloud* cloud = noiseCloud(points, 1);
        wkShape shape = wkMakeCloud(cloud);
        double lower = 0.0, upper = 1.0;
        for (int k = 0; k < 3; k++) {
            wkNoiseRequest request = wkDefaultNoiseRequest();
            request.refinementCount = counts[k];
            wkNoiseResult r =
                wkCollisionProbability(&shape, wkIdentityPose(), &body, pose, &request);
            UNIT_CHECK(r.lower <= upper && r.upper >= lower, &body, "[%g, %g], was [%g, %g]",
                       r.lower, r.upper, lower, upper);
            lower = fmax(lower, r.lower), upper = fmin(upper, r.upper);
            widths[k] += r.upper - r.lower;
        }
        wkCloud_Destroy(cloud);
    }
    assert_true(widths[1] < widths[0] && widths[2] < 0.9 * widths[1]);
    noiseBodies_Destroy(&bodies);
}

// Where noise is small beside a body, as that of sensors is, bounds of single points are narrow.
static void bounds_of_small_noise_are_narrow(void** state)
{
    (void)state;
    noiseBodies bodies;
    noiseBodies_Create(&bodies);
    wkRng rng = wkMakeRng(UNIT_SEED + 6);
    enum {
        types = WK_SCENE_TYPE_COUNT + kindCount,
        rounds = 20
    };
    double sums[types] = {0.0};
    for (int n = 0; n < types * rounds; n++) {
        wkShape body = noiseBody(&bodies, &rng, n);
        wkPose pose = {{0.1, 0.0, -0.1}, wkRngRotation(&rng)};
        wkVec3d at = wkScale(wkRngRange(&rng, 0.0, 1.0), wkRngDirection(&rng));
        wkPointResult closest = wkShape_ClosestPoint(&body, pose, at, INFINITY);
        at = wkMulAdd(closest.point, 0.002 * wkRngRange(&rng, -1.0, 3.0), closest.normal);
        noisePoint point = {(float)at.x, (float)at.y, (float)at.z, 0.0f, 0.002f};
        wkNoiseResult r = askOne(point, &body, pose, 0.0);
        sums[n % types] += (r.upper - r.lower) / rounds;
    }
    // in order of the types; points near edges have the widest, and cells of a map have many edges
    const double widest[types] = {1e-4, 0.02, 0.02, 0.15, 0.15, 0.05, 0.05, 0.15,
                                  1e-4, 1e-4, 0.2,  0.2,  0.2,  0.2,  1e-4};
    for (int i = 0; i < types; i++) {
        if (!(sums[i] <= widest[i])) {
            fail_msg("body %d: width %g, expected at most %g", i, sums[i], widest[i]);
        }
    }
    noiseBodies_Destroy(&bodies);
}

static void bad_input_is_never_safe(void** state)
{
    (void)state;
    wkPose identity = wkIdentityPose();
    wkShape sphere = wkMakeSphere(0.2), none = {0};
    noisePoint point = {5.0f, 0.0f, 0.0f, 0.0f, 0.001f};
    wkCloud* cloud = noiseCloud(&point, 1);
    wkCloud* empty = noiseCloud(&point, 0);
    wkShape shape = wkMakeCloud(cloud), nothing = wkMakeCloud(empty);
    wkPose broken = wkMakePose(NAN, 0.0, 0.0);
    wkNoiseResult results[20];
    int count = 0;
    results[count++] = wkCollisionProbability(&sphere, identity, &sphere, identity, NULL);
    results[count++] = wkCollisionProbability(&shape, identity, &none, identity, NULL);
    results[count++] = wkCollisionProbability(&none, identity, &shape, identity, NULL);
    results[count++] = wkCollisionProbability(NULL, identity, &shape, identity, NULL);
    results[count++] = wkCollisionProbability(&shape, broken, &sphere, identity, NULL);
    results[count++] = wkCollisionProbability(&shape, identity, &sphere, broken, NULL);
    const double bad[] = {NAN, INFINITY, -1.0};
    for (int i = 0; i < 3; i++) {
        wkNoiseRequest request = wkDefaultNoiseRequest();
        request.deviationA = bad[i];
        results[count++] = wkCollisionProbability(&shape, identity, &sphere, identity, &request);
        request = wkDefaultNoiseRequest();
        request.tolerance = bad[i];
        results[count++] = wkCollisionProbability(&shape, identity, &sphere, identity, &request);
    }
    wkNoiseRequest request = wkDefaultNoiseRequest();
    request.margin = NAN;
    results[count++] = wkCollisionProbability(&shape, identity, &sphere, identity, &request);
    request = wkDefaultNoiseRequest();
    noisePoint twins[2] = {{0.0f, 0.0f, 2.0f, 0.0f, 0.1f}, {0.0f, 0.0f, 2.0f, 0.0f, 0.9f}};
    wkCloudDef merging = wkDefaultCloudDef();
    merging.points = wkMakeCloudView(twins, 2);
    merging.points.stride = sizeof(noisePoint);
    merging.mergesDuplicates = true;
    wkCloud* merged = NULL;
    assert_int_equal(wkCloud_Create(&merging, &merged), wk_ok);
    wkShape thinned = wkMakeCloud(merged);
    // without noise the spheres cover each other, with noise they do not
    assert_int_equal(wkCollisionProbability(&thinned, identity, &sphere, identity, &request).status,
                     wk_noiseBounded);
    request.deviationA = 0.1;
    results[count++] = wkCollisionProbability(&thinned, identity, &sphere, identity, &request);
    assert_non_null(strstr(wkGetLastError(), "1 points of A are merged"));
    wkCloud_Destroy(merged);
    // a filter removed the other one before the cloud was made
    merging.points.count = 1;
    merging.mergesDuplicates = false;
    merging.mergedCount = 1;
    assert_int_equal(wkCloud_Create(&merging, &merged), wk_ok);
    assert_int_equal(wkCloud_Info(merged).mergedCount, 1);
    thinned = wkMakeCloud(merged);
    results[count++] = wkCollisionProbability(&thinned, identity, &sphere, identity, &request);
    assert_non_null(strstr(wkGetLastError(), "1 points of A are merged"));
    wkCloud_Destroy(merged);
    request.deviationA = 0.0;
    request.deviationB = 0.1; // of a sphere, whose noise nothing accounts for
    results[count++] = wkCollisionProbability(&shape, identity, &sphere, identity, &request);
    assert_non_null(strstr(wkGetLastError(), "deviationB is 0.1, and B is no cloud"));
    for (int i = 0; i < count; i++) {
        assert_int_equal(results[i].status, wk_noiseInvalid);
        assert_true(results[i].lower == 0.0 && results[i].upper == 1.0);
        assert_true(results[i].independentUpper == 1.0);
    }
    wkNoiseResult r = wkCollisionProbability(&nothing, identity, &sphere, identity, NULL);
    assert_true(r.status == wk_noiseEmpty && r.upper == 0.0);
    r = wkCollisionProbability(&shape, identity, &nothing, identity, NULL);
    assert_true(r.status == wk_noiseEmpty && r.upper == 0.0);
    wkCloud_Destroy(cloud);
    wkCloud_Destroy(empty);
    assert_string_equal(wkNoiseStatusName(wk_noiseStopped), "stopped");
    assert_string_equal(wkNoiseStatusName((wkNoiseStatus)77), "none");

    point.deviation = NAN;
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = &point;
    def.points.count = 1;
    def.points.deviationOffset = offsetof(noisePoint, deviation);
    assert_int_not_equal(wkCloud_Create(&def, &cloud), wk_ok);
}

static void extreme_noise_and_little_work_are_bounded(void** state)
{
    (void)state;
    noiseBodies bodies;
    noiseBodies_Create(&bodies);
    wkRng rng = wkMakeRng(UNIT_SEED + 5);
    const float deviations[] = {1e-30f, 1e-6f, 1e6f, 1e15f};
    for (int n = 0; n < 4 * (WK_SCENE_TYPE_COUNT + kindCount); n++) {
        wkShape body = noiseBody(&bodies, &rng, n);
        noisePoint points[100];
        for (int i = 0; i < 100; i++) {
            points[i] = (noisePoint){(float)i, 0.5f, 0.0f, 0.0f, deviations[(n + i) % 4]};
        }
        wkCloud* cloud = noiseCloud(points, 100);
        wkShape shape = wkMakeCloud(cloud);
        wkPose identity = wkIdentityPose();
        wkNoiseRequest request = wkDefaultNoiseRequest();
        wkNoiseResult r = wkCollisionProbability(&shape, identity, &body, identity, &request);
        assert_int_equal(r.status, wk_noiseBounded);
        assert_true(r.lower >= 0.0 && r.lower <= r.upper && r.upper <= 1.0);
        request.maxWork = 3;
        r = wkCollisionProbability(&shape, identity, &body, identity, &request);
        assert_true(r.upper == 1.0 || r.status == wk_noiseBounded);
        assert_true(r.status == wk_noiseStopped ? r.upper == 1.0 : true);
        wkCloud_Destroy(cloud);
    }
    noiseBodies_Destroy(&bodies);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tails_are_those_of_tables),
        cmocka_unit_test(spheres_agree_with_an_integral),
        cmocka_unit_test(closed_forms_are_exact),
        cmocka_unit_test(probability_grows_with_the_margin_and_the_deviation),
        cmocka_unit_test(refinement_narrows),
        cmocka_unit_test(bounds_of_small_noise_are_narrow),
        cmocka_unit_test(bad_input_is_never_safe),
        cmocka_unit_test(extreme_noise_and_little_work_are_bounded),
    };
    return cmocka_run_group_tests_name("noisy clouds", tests, NULL, NULL);
}
