// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Probabilities of noisy clouds against the plain way: Monte Carlo samples with confidence intervals, sums over single
// points, and the verdict of wkCollide where noise is small; for every type of body.

#include "noise_kit.h"

// A sample of the true positions of all points.
static bool isSampleTouching(wkRng* rng, const noisePoint* points, int count, const wkShape* body,
                             wkPose pose, double margin, double padding, bool isShared)
{
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = margin;
    bool isTouching = false;
    wkVec3d shared = drawNoise(rng, 1.0);
    for (int i = 0; i < count; i++) {
        const noisePoint* p = &points[i];
        wkVec3d noise =
            isShared ? wkScale((double)p->deviation, shared) : drawNoise(rng, (double)p->deviation);
        wkShape sphere = wkMakeSphere((double)p->radius);
        sphere.padding = padding;
        wkPose at =
            wkMakePose((double)p->x + noise.x, (double)p->y + noise.y, (double)p->z + noise.z);
        isTouching = isTouching || wkCollide(&sphere, at, body, pose, &request).isTouching;
    }
    return isTouching;
}

static void bounds_hold_the_frequency_of_samples(void** state)
{
    (void)state;
    noiseBodies bodies;
    noiseBodies_Create(&bodies);
    wkRng rng = wkMakeRng(UNIT_SEED);
    const int samples = WK_CASES(2000);
    for (int n = 0; n < 6 * (WK_SCENE_TYPE_COUNT + kindCount); n++) {
        wkShape body = noiseBody(&bodies, &rng, n);
        wkPose pose = {{0.1, 0.0, -0.1}, wkRngRotation(&rng)};
        noisePoint points[8];
        int count = drawPoints(&rng, &body, pose, points, n % 3 == 0 ? 1 : 8);
        wkNoiseRequest request = wkDefaultNoiseRequest();
        const double margins[] = {0.0, 0.01, 0.0, -0.01, 0.0};
        request.margin = margins[n % 5];
        wkCloud* cloud = noiseCloud(points, count);
        wkShape shape = wkMakeCloud(cloud);
        shape.padding = n % 7 == 0 ? 0.004 : n % 7 == 3 ? -0.004 : 0.0;
        wkNoiseResult r = wkCollisionProbability(&shape, wkIdentityPose(), &body, pose, &request);
        assert_int_equal(r.status, wk_noiseBounded);
        assert_true(0.0 <= r.lower && r.lower <= r.independentLower && r.upper <= 1.0);
        assert_true(r.independentLower <= r.independentUpper && r.independentUpper <= r.upper);
        assert_true(r.partA < count && (r.partA >= 0 || r.lower == 0.0) &&
                    r.partUpper <= r.upper + 1e-9);
        for (int isShared = 0; isShared < 2; isShared++) {
            int hits = 0;
            for (int s = 0; s < samples; s++) {
                hits += isSampleTouching(&rng, points, count, &body, pose, request.margin,
                                         shape.padding, isShared == 1);
            }
            interval observed = confidence(hits, samples);
            double lower = isShared == 1 ? r.lower : r.independentLower;
            double upper = isShared == 1 ? r.upper : r.independentUpper;
            UNIT_CHECK(lower <= observed.upper && upper >= observed.lower, &body,
                       "case %d, %d points, shared noise %d: [%g, %g], sampled %d of %d", n, count,
                       isShared, lower, upper, hits, samples);
        }
        wkCloud_Destroy(cloud);
    }
    noiseBodies_Destroy(&bodies);
}

static void two_noisy_clouds_hold_the_frequency_of_samples(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 1);
    const int samples = WK_CASES(2000);
    for (int n = 0; n < 30; n++) {
        noisePoint a[6], b[6];
        int countA = 1 + wkRngBelow(&rng, 6), countB = 1 + wkRngBelow(&rng, 6);
        bool isNoisyA = n % 3 != 0, isNoisyB = n % 3 != 1;
        for (int i = 0; i < 6; i++) {
            a[i] =
                (noisePoint){(float)wkRngRange(&rng, -0.3, 0.3), (float)wkRngRange(&rng, -0.3, 0.3),
                             0.0f, 0.02f, isNoisyA ? 0.05f : 0.0f};
            b[i] =
                (noisePoint){(float)wkRngRange(&rng, -0.3, 0.3), (float)wkRngRange(&rng, -0.3, 0.3),
                             0.15f, 0.03f, isNoisyB ? 0.04f : 0.0f};
        }
        wkCloud *cloudA = noiseCloud(a, countA), *cloudB = noiseCloud(b, countB);
        wkShape shapeA = wkMakeCloud(cloudA), shapeB = wkMakeCloud(cloudB);
        wkPose identity = wkIdentityPose();
        wkNoiseResult r = wkCollisionProbability(&shapeA, identity, &shapeB, identity, NULL);
        wkNoiseResult swapped = wkCollisionProbability(&shapeB, identity, &shapeA, identity, NULL);
        assert_int_equal(r.status, wk_noiseBounded);
        assertNear(swapped.lower, r.lower, 1e-9);
        assertNear(swapped.upper, r.upper, 1e-4);
        assert_true(swapped.partA == r.partB && swapped.partB == r.partA);
        int hits = 0;
        for (int s = 0; s < samples; s++) {
            bool isTouching = false;
            wkVec3d placed[6];
            for (int k = 0; k < countB; k++) {
                placed[k] = wkAdd(wkVec((double)b[k].x, (double)b[k].y, (double)b[k].z),
                                  drawNoise(&rng, (double)b[k].deviation));
            }
            for (int i = 0; i < countA; i++) {
                wkVec3d at = wkAdd(wkVec((double)a[i].x, (double)a[i].y, (double)a[i].z),
                                   drawNoise(&rng, (double)a[i].deviation));
                for (int k = 0; k < countB; k++) {
                    isTouching = isTouching || wkLength(wkSub(at, placed[k])) <= 0.05;
                }
            }
            hits += isTouching;
        }
        interval observed = confidence(hits, samples);
        if (!(r.independentLower <= observed.upper && r.independentUpper >= observed.lower)) {
            fail_msg("case %d: [%g, %g], sampled %d of %d", n, r.independentLower,
                     r.independentUpper, hits, samples);
        }
        wkCloud_Destroy(cloudA);
        wkCloud_Destroy(cloudB);
    }
}

// What is pruned adds no more than the tolerance: the result is that of the points one by one.
static void pruned_walks_add_no_more_than_the_tolerance(void** state)
{
    (void)state;
    noiseBodies bodies;
    noiseBodies_Create(&bodies);
    wkRng rng = wkMakeRng(UNIT_SEED + 2);
    static noisePoint points[2000];
    for (int n = 0; n < 2 * (WK_SCENE_TYPE_COUNT + kindCount) - 2; n++) {
        wkShape body = noiseBody(&bodies, &rng, n);
        wkPose pose = {{0.2, 0.0, -0.1}, wkRngRotation(&rng)};
        const int count = WK_CASES(1000);
        for (int i = 0; i < count; i++) {
            wkVec3d at = wkScale(wkRngRange(&rng, 0.7, 3.0), wkRngDirection(&rng));
            points[i] = (noisePoint){(float)at.x, (float)at.y, (float)at.z, 0.0f,
                                     (float)wkRngLogRange(&rng, 1e-3, 3e-2)};
        }
        wkCloud* cloud = noiseCloud(points, count);
        wkShape shape = wkMakeCloud(cloud);
        wkNoiseRequest request = wkDefaultNoiseRequest();
        request.refinementCount = 0;
        wkNoiseResult r = wkCollisionProbability(&shape, wkIdentityPose(), &body, pose, &request);
        double lower = 0.0, upper = 0.0;
        for (int i = 0; i < count; i++) {
            wkCloud* single = noiseCloud(&points[i], 1);
            wkShape one = wkMakeCloud(single);
            request.tolerance = 1e-12;
            wkNoiseResult p = wkCollisionProbability(&one, wkIdentityPose(), &body, pose, &request);
            lower = fmax(lower, p.lower);
            upper += p.upper;
            wkCloud_Destroy(single);
        }
        if (r.lower < 1.0 - 1e-4) {
            UNIT_CHECK(fabs(r.lower - lower) <= 1e-12, &body, "%g, one by one %g", r.lower, lower);
            UNIT_CHECK(r.upper <= fmin(1.0, upper) + 1e-4 + 1e-9, &body, "%g, one by one %g",
                       r.upper, upper);
            UNIT_CHECK(r.upper >= fmin(1.0, upper) - 1e-4 - 1e-9, &body, "%g, one by one %g",
                       r.upper, upper);
            int64_t chances = body.type == wk_shapeCloud ? 40 * count : count;
            assert_int_equal(r.evaluatedCount + r.prunedCount, chances);
        }
        wkCloud_Destroy(cloud);
    }
    noiseBodies_Destroy(&bodies);
}

// Without noise, and with very little, the verdict is that of wkCollide.
static void little_noise_gives_the_verdict_of_collide(void** state)
{
    (void)state;
    noiseBodies bodies;
    noiseBodies_Create(&bodies);
    wkRng rng = wkMakeRng(UNIT_SEED + 3);
    int touching = 0, cases = 20 * (WK_SCENE_TYPE_COUNT + kindCount);
    for (int n = 0; n < cases; n++) {
        wkShape body = noiseBody(&bodies, &rng, n);
        wkPose pose = {{0.1, 0.0, -0.1}, wkRngRotation(&rng)};
        noisePoint points[20];
        int count = 1 + wkRngBelow(&rng, 20);
        for (int i = 0; i < count; i++) {
            wkVec3d at = wkScale(wkRngRange(&rng, 0.0, 2.0), wkRngDirection(&rng));
            points[i] = (noisePoint){(float)at.x, (float)at.y, (float)at.z, 0.01f,
                                     n % 2 == 0 ? 0.0f : 1e-9f};
        }
        wkCloud* cloud = noiseCloud(points, count);
        wkShape shape = wkMakeCloud(cloud);
        bool isTouching = wkCollide(&shape, wkIdentityPose(), &body, pose, NULL).isTouching;
        wkNoiseResult r = wkCollisionProbability(&shape, wkIdentityPose(), &body, pose, NULL);
        double expected = isTouching ? 1.0 : 0.0; // far points may add up to the tolerance
        UNIT_CHECK(r.lower >= expected - 1e-11 && r.upper <= expected + 1e-4, &body,
                   "[%g, %g], expected %g", r.lower, r.upper, expected);
        touching += isTouching;
        wkCloud_Destroy(cloud);
    }
    assert_true(touching > cases / 10 && touching < cases * 9 / 10);
    noiseBodies_Destroy(&bodies);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold_the_frequency_of_samples),
        cmocka_unit_test(two_noisy_clouds_hold_the_frequency_of_samples),
        cmocka_unit_test(pruned_walks_add_no_more_than_the_tolerance),
        cmocka_unit_test(little_noise_gives_the_verdict_of_collide),
    };
    return cmocka_run_group_tests_name("noisy clouds, sampled", tests, NULL, NULL);
}
