// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Surfaces that separate two noisy clouds: known positions, the frequency of samples that cross them, bad input.

#include "memory/fail_every.h"
#include "noise_kit.h"

#include "math/gaussian.h"
#include "whisker/cloud_classifier.h"

#define SIDE 12
#define COUNT (SIDE * SIDE)

// A square of 40 cm at a height, bent like a sphere of that radius; infinite: flat.
static void drawSquare(noisePoint* points, double height, double bend, float radius,
                       float deviation)
{
    for (int i = 0; i < COUNT; i++) {
        double x = 0.4 * (i % SIDE) / (SIDE - 1) - 0.2, y = 0.4 * (i / SIDE) / (SIDE - 1) - 0.2;
        double z = height - 0.5 * (x * x + y * y) / bend;
        points[i] = (noisePoint){(float)x, (float)y, (float)z, radius, deviation};
    }
}

static wkCloudClassifier* make(const wkCloudClassifierDef* def)
{
    wkCloudClassifier* classifier = NULL;
    if (wkCloudClassifier_Create(def, &classifier) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return classifier;
}

static wkCloudClassifierDef defOf(const wkCloud* a, const wkCloud* b)
{
    wkCloudClassifierDef def = wkDefaultCloudClassifierDef();
    def.a = a;
    def.b = b;
    return def;
}

// The surface is as many deviations away from both squares.
static void surfaces_divide_the_gap_by_the_noise(void** state)
{
    (void)state;
    const float deviations[][2] = {{0.005f, 0.005f}, {0.004f, 0.002f}, {0.001f, 0.006f}};
    for (int k = 0; k < 3; k++) {
        noisePoint a[COUNT], b[COUNT];
        drawSquare(a, 0.02, INFINITY, 0.0f, deviations[k][0]);
        drawSquare(b, -0.01, INFINITY, 0.0f, deviations[k][1]);
        wkCloud *cloudA = noiseCloud(a, COUNT), *cloudB = noiseCloud(b, COUNT);
        wkCloudClassifierDef def = defOf(cloudA, cloudB);
        def.poseA = def.poseB = wkMakePose(5.0, 6.0, 7.0);
        wkCloudClassifier* c = make(&def);
        wkCloudClassifierInfo info = wkCloudClassifier_Info(c);
        assert_true(info.isConverged && info.pointCount == 2 * COUNT && info.wrongCount == 0);
        double sigmaA = (double)deviations[k][0], sigmaB = (double)deviations[k][1];
        double expected = 0.02 - 0.03 * sigmaA / (sigmaA + sigmaB);
        wkClassifierValue value =
            wkCloudClassifier_Evaluate(c, wkVec(5.01, 5.98, 7.0 + expected + 0.004));
        assertNear(value.distance, 0.004, 0.003); // it bends a little towards the edges
        assert_true(value.value > 0.0 && value.normal.z > 0.98);
        double each = wkNormalTail(0.03 / (sigmaA + sigmaB));
        double all = 1.0 - pow(1.0 - each, 2.0 * COUNT);
        assertNear(info.probability, all, 0.05 + 0.2 * all);
        wkCloudClassifier_Destroy(c);
        wkCloud_Destroy(cloudA);
        wkCloud_Destroy(cloudB);
    }
}

// Samples of the noise in which some sphere reaches across the surface.
static int countCrossings(wkRng* rng, const wkCloudClassifier* c, const noisePoint* points,
                          double side, bool* isCrossed, int samples)
{
    int count = 0;
    for (int s = 0; s < samples; s++) {
        for (int i = 0; i < COUNT && !isCrossed[s]; i++) {
            wkVec3d at = wkAdd(wkVec((double)points[i].x, (double)points[i].y, (double)points[i].z),
                               drawNoise(rng, (double)points[i].deviation));
            double distance = side * wkCloudClassifier_Evaluate(c, at).distance;
            isCrossed[s] = distance <= (double)points[i].radius;
        }
        count += isCrossed[s];
    }
    return count;
}

static void estimates_are_near_the_frequency_of_samples(void** state)
{
    (void)state;
    enum {
        samples = WK_CASES(150)
    };
    wkRng rng = wkMakeRng(UNIT_SEED);
    const double bends[] = {INFINITY, 0.5, -0.4};
    double worst = 0.0;
    for (int n = 0; n < 9; n++) {
        noisePoint a[COUNT], b[COUNT];
        double gap = wkRngRange(&rng, 0.02, 0.05), bend = bends[n % 3];
        float radius = n % 2 == 0 ? 0.0f : 0.002f;
        drawSquare(a, 0.5 * gap, bend, radius, 0.006f);
        drawSquare(b, -0.5 * gap, bend, radius, 0.004f);
        wkCloud *cloudA = noiseCloud(a, COUNT), *cloudB = noiseCloud(b, COUNT);
        wkCloudClassifierDef def = defOf(cloudA, cloudB);
        wkCloudClassifier* c = make(&def);
        wkCloudClassifierInfo info = wkCloudClassifier_Info(c);
        assert_true(info.isConverged);
        bool isCrossed[samples] = {false};
        countCrossings(&rng, c, a, 1.0, isCrossed, samples);
        int hits = countCrossings(&rng, c, b, -1.0, isCrossed, samples);
        interval observed = confidence(hits, samples);
        double error = fmax(observed.lower - info.probability, info.probability - observed.upper);
        worst = fmax(worst, error);
        wkCloudClassifier_Destroy(c);
        wkCloud_Destroy(cloudA);
        wkCloud_Destroy(cloudB);
    }
    if (worst > 0.02) {
        fail_msg("estimates are outside of the confidence interval by %g", worst);
    }
}

static void order_and_poses_do_not_matter(void** state)
{
    (void)state;
    noisePoint a[COUNT], b[COUNT];
    drawSquare(a, 0.012, 0.7, 0.0f, 0.005f);
    drawSquare(b, -0.012, 0.7, 0.0f, 0.003f);
    wkCloud *cloudA = noiseCloud(a, COUNT), *cloudB = noiseCloud(b, COUNT);
    wkCloudClassifierDef def = defOf(cloudA, cloudB);
    wkCloudClassifier* c = make(&def);
    wkCloudClassifierInfo first = wkCloudClassifier_Info(c);
    wkCloudClassifier_Destroy(c);
    c = make(&def);
    wkCloudClassifierInfo again = wkCloudClassifier_Info(c);
    assert_true(again.probability == first.probability &&
                again.iterationCount == first.iterationCount);
    wkCloudClassifier_Destroy(c);
    def = defOf(cloudB, cloudA);
    def.poseA = def.poseB = (wkPose){{100.0, -50.0, 3.0}, {0.5, 0.5, 0.5, 0.5}};
    c = make(&def);
    wkCloudClassifierInfo swapped = wkCloudClassifier_Info(c);
    assertNear(swapped.probability, first.probability, 0.02);
    wkCloudClassifier_Destroy(c);
    wkCloud_Destroy(cloudA);
    wkCloud_Destroy(cloudB);
}

static void overlapping_clouds_collide_and_far_ones_do_not(void** state)
{
    (void)state;
    noisePoint a[COUNT], b[COUNT];
    drawSquare(a, 0.0, INFINITY, 0.0f, 0.002f);
    drawSquare(b, 0.0, 0.3, 0.0f, 0.002f); // through the middle of the other one
    for (int i = 0; i < COUNT; i++) {
        b[i].z += 0.02f;
    }
    wkCloud *cloudA = noiseCloud(a, COUNT), *cloudB = noiseCloud(b, COUNT);
    wkCloudClassifierDef def = defOf(cloudA, cloudB);
    def.maxIterations = 20000;
    wkCloudClassifier* c = make(&def);
    // surfaces that cross are separated where possible, at a noise that cannot be told from the gap
    assert_true(wkCloudClassifier_Info(c).probability > 0.9);
    wkCloudClassifier_Destroy(c);

    def = defOf(cloudA, cloudA);
    def.maxIterations = 20000;
    c = make(&def); // the same cloud twice
    assert_true(wkCloudClassifier_Info(c).probability > 0.99);
    wkCloudClassifier_Destroy(c);

    def = defOf(cloudA, cloudB);
    def.poseB = wkMakePose(0.0, 0.0, 3.0);
    def.maxPoints = 64;
    c = make(&def);
    wkCloudClassifierInfo info = wkCloudClassifier_Info(c);
    assert_true(info.probability < 1e-6 && info.pointCount == 64 && info.wrongCount == 0);
    assert_true(info.partA >= 0 && info.partA < COUNT && info.partB >= 0 && info.partB < COUNT);
    wkCloudClassifier_Destroy(c);
    wkCloud_Destroy(cloudA);
    wkCloud_Destroy(cloudB);
}

static void expectRefused(const wkCloudClassifierDef* def, wkResult expected, const char* words)
{
    wkCloudClassifier* c = NULL;
    wkResult result = wkCloudClassifier_Create(def, &c);
    if (result != expected || c != NULL || strstr(wkGetLastError(), words) == NULL) {
        fail_msg("expected \"%s\" and %d, found \"%s\" and %d", words, (int)expected,
                 wkGetLastError(), (int)result);
    }
}

static void bad_input_is_refused(void** state)
{
    (void)state;
    noisePoint points[2] = {{0.0f, 0.0f, 0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 0.0f, 0.0f}};
    wkCloud *cloud = noiseCloud(points, 2), *empty = noiseCloud(points, 0);
    wkCloudClassifierDef def = defOf(cloud, NULL);
    expectRefused(&def, wk_errorArgument, "b is NULL");
    def = defOf(empty, cloud);
    expectRefused(&def, wk_errorArgument, "a is empty");
    def = defOf(cloud, cloud);
    def.penalty = NAN;
    expectRefused(&def, wk_errorNotFinite, "penalty");
    def = defOf(cloud, cloud);
    def.maxPoints = 1;
    expectRefused(&def, wk_errorRange, "maxPoints");
    def = defOf(cloud, cloud);
    def.poseB.position.x = INFINITY;
    expectRefused(&def, wk_errorNotFinite, "pose");
    def = defOf(cloud, cloud);
    def.maxIterations = 1;
    wkCloudClassifier* c = make(&def); // four points at one position, without noise
    assert_true(wkCloudClassifier_Info(c).probability == 1.0);
    wkClassifierValue value = wkCloudClassifier_Evaluate(c, wkVec(1.0, 2.0, 3.0));
    assert_true(value.value == value.value && value.distance == value.distance);
    wkCloudClassifier_Destroy(c);
    wkCloud_Destroy(cloud);
    wkCloud_Destroy(empty);
}

static wkResult makeOne(void)
{
    noisePoint a = {0.0f, 0.0f, 0.1f, 0.0f, 0.01f}, b = {0.0f, 0.0f, -0.1f, 0.0f, 0.01f};
    wkCloudDef def = wkDefaultCloudDef();
    def.points.count = 1;
    def.points.data = &a;
    wkCloud *cloudA = NULL, *cloudB = NULL;
    wkResult result = wkCloud_Create(&def, &cloudA);
    def.points.data = &b;
    result = result == wk_ok ? wkCloud_Create(&def, &cloudB) : result;
    wkCloudClassifier* c = NULL;
    if (result == wk_ok) {
        wkCloudClassifierDef pair = defOf(cloudA, cloudB);
        result = wkCloudClassifier_Create(&pair, &c);
    }
    wkCloudClassifier_Destroy(c);
    wkCloud_Destroy(cloudA);
    wkCloud_Destroy(cloudB);
    return result;
}

static void classifiers_survive_a_failing_allocator(void** state)
{
    (void)state;
    assert_true(failEveryAllocation(makeOne) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surfaces_divide_the_gap_by_the_noise),
        cmocka_unit_test(estimates_are_near_the_frequency_of_samples),
        cmocka_unit_test(order_and_poses_do_not_matter),
        cmocka_unit_test(overlapping_clouds_collide_and_far_ones_do_not),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(classifiers_survive_a_failing_allocator),
    };
    return cmocka_run_group_tests_name("classifiers of clouds", tests, NULL, NULL);
}
