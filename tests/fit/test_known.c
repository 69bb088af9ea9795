// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Shapes whose best spheres are known, accuracies that are met, and the same spheres with any number of
// threads.

#include "fit_kit.h"

#include <math.h>
#include <string.h>

#define MOST_SPHERES 256

static int32_t fitCount(const wkShape* shape, int32_t asked, wkSphere3d* spheres, wkFitInfo* report)
{
    wkFitDef def = wkDefaultFitDef();
    int32_t count = 0;
    def.count = asked;
    assert_int_equal(wkShape_FitSpheres(shape, &def, spheres, MOST_SPHERES, &count, report), wk_ok);
    return count;
}

static void spheres_stay_as_they_are(void** state)
{
    (void)state;
    wkSphere3d spheres[MOST_SPHERES];
    wkFitInfo report;
    wkShape shape = wkMakeSphere(0.25);
    assert_int_equal(fitCount(&shape, 5, spheres, &report), 1);
    assert_true(spheres[0].radius == 0.25 && spheres[0].center.x == 0.0 &&
                report.protrusion < 1e-8);
    shape.padding = 0.05;
    assert_int_equal(fitCount(&shape, 5, spheres, &report), 1);
    assert_true(fabs(spheres[0].radius - 0.3) < 1e-15);
}

// Neighbours meet on the side, and the spheres at the ends touch them from inside.
static void capsules_have_spheres_along_their_axis(void** state)
{
    (void)state;
    wkSphere3d spheres[MOST_SPHERES];
    wkFitInfo report;
    wkShape shape = wkMakeCapsule(0.1, 0.6);
    for (int32_t asked = 1; asked <= 12; asked++) {
        assert_int_equal(fitCount(&shape, asked, spheres, &report), asked);
        double p = spheres[0].radius - 0.1;
        double length = 2.0 * p + 2.0 * (asked - 1) * sqrt(p * (0.2 + p));
        assert_true(fabs(length - 0.6) < 1e-6);
        for (int32_t i = 0; i < asked; i++) {
            assert_true(spheres[i].center.x == 0.0 && spheres[i].center.y == 0.0);
        }
        assert_true(report.protrusion >= p - 1e-9 && report.protrusion <= p + 1e-3);
    }
}

static void one_sphere_around_a_box_is_about_its_middle(void** state)
{
    (void)state;
    wkSphere3d spheres[MOST_SPHERES];
    wkFitInfo report;
    wkShape shape = wkMakeBox(0.2, 0.4, 0.6);
    assert_int_equal(fitCount(&shape, 1, spheres, &report), 1);
    double diagonal = sqrt(0.01 + 0.04 + 0.09);
    assert_true(spheres[0].radius >= diagonal && spheres[0].radius < 1.02 * diagonal);
    assert_true(report.protrusion >= diagonal - 0.1 - 1e-6);
    assert_true(report.protrusion < 1.05 * (diagonal - 0.1));
}

// A sphere in each vertex of a cube, at a quarter of its edge: nothing sticks out less.
static void eight_spheres_cover_a_cube_well(void** state)
{
    (void)state;
    wkSphere3d spheres[MOST_SPHERES];
    wkFitInfo report;
    wkShape shape = wkMakeBox(1.0, 1.0, 1.0);
    assert_int_equal(fitCount(&shape, 8, spheres, &report), 8);
    double best = 0.25 * (sqrt(3.0) - 1.0);
    assert_true(report.protrusion >= 0.9 * best && report.protrusion < 1.2 * best);
}

static void more_spheres_stick_out_less(void** state)
{
    (void)state;
    wkSphere3d spheres[MOST_SPHERES];
    wkFitInfo report;
    wkShape shape = wkMakeCylinder(0.1, 0.5);
    double before = INFINITY;
    for (int32_t asked = 1; asked <= 64; asked *= 4) {
        fitCount(&shape, asked, spheres, &report);
        assert_true(report.protrusion < before);
        before = report.protrusion;
    }
    assert_true(before < 0.02);
}

static void accuracies_are_met(void** state)
{
    (void)state;
    wkSphere3d spheres[MOST_SPHERES];
    wkFitInfo report;
    wkShape shapes[] = {wkMakeBox(0.2, 0.3, 0.4), wkMakeCylinder(0.1, 0.5), wkMakeCapsule(0.1, 0.5),
                        wkMakeCone(0.1, 0.3)};
    static const double accuracies[] = {0.1, 0.04, 0.02};
    for (int i = 0; i < 4; i++) {
        int32_t before = 0;
        for (int k = 0; k < 3; k++) {
            wkFitDef def = wkDefaultFitDef();
            int32_t count = 0;
            def.accuracy = accuracies[k];
            def.maxCount = MOST_SPHERES;
            assert_int_equal(
                wkShape_FitSpheres(&shapes[i], &def, spheres, MOST_SPHERES, &count, &report),
                wk_ok);
            assert_true(report.protrusion <= accuracies[k] && count >= before);
            before = count;
        }
        assert_true(before > 1 && before < 256);
    }
}

static void limits_hold_whatever_the_accuracy(void** state)
{
    (void)state;
    wkSphere3d spheres[MOST_SPHERES];
    wkShape shape = wkMakeBox(1.0, 1.0, 1.0);
    wkFitDef def = wkDefaultFitDef();
    int32_t count = 0;
    def.accuracy = 1e-4;
    def.maxCount = 5;
    assert_int_equal(wkShape_FitSpheres(&shape, &def, spheres, MOST_SPHERES, &count, NULL), wk_ok);
    assert_int_equal(count, 5);
    def.maxCount = 100;
    assert_int_equal(wkShape_FitSpheres(&shape, &def, spheres, 3, &count, NULL), wk_ok);
    assert_int_equal(count, 3);
}

static void threads_change_nothing(void** state)
{
    (void)state;
    wkModel model = {0};
    assert_true(wkModel_AddKnot(&model, 0.1, 0.04, 48, 12));
    wkMesh* mesh = fitMakeSolid(&model);
    wkShape shape = wkMakeMesh(mesh);
    wkSphere3d first[24], again[24];
    memset(first, 0, sizeof first);
    wkFitDef def = wkDefaultFitDef();
    int32_t count = 0;
    def.count = 24;
    assert_int_equal(wkShape_FitSpheres(&shape, &def, first, 24, &count, NULL), wk_ok);
    for (int threads = 1; threads <= 4; threads++) {
        memset(again, 0, sizeof again);
        wkParallel parallel = {.threadCount = threads};
        def.parallel = &parallel;
        assert_int_equal(wkShape_FitSpheres(&shape, &def, again, 24, &count, NULL), wk_ok);
        assert_memory_equal(first, again, sizeof first);
    }
    wkMesh_Destroy(mesh);
    wkModel_Free(&model);
}

// What is left out is measured: half of a box is not covered.
static void missing_spheres_are_measured(void** state)
{
    (void)state;
    wkShape shape = wkMakeBox(2.0, 1.0, 1.0);
    wkSphere3d sphere = {{-1.0, 0.0, 0.0}, 1.0};
    wkFitInfo report;
    assert_int_equal(wkShape_MeasureSpheres(&shape, &sphere, 1, 0.01, &report), wk_ok);
    double gap = sqrt(4.0 + 0.5) - 1.0;
    assert_true(report.gap >= gap && report.gap < gap + 0.02);
    assert_true(report.coverage > 0.3 && report.coverage < 0.6);
    assert_true(report.protrusion >= 1.0 && report.protrusion < 1.011);
    assert_int_equal(wkShape_MeasureSpheres(&shape, NULL, 0, 0.01, &report), wk_ok);
    assert_true(report.coverage == 0.0 && report.gap == INFINITY && report.protrusion == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_stay_as_they_are),
        cmocka_unit_test(capsules_have_spheres_along_their_axis),
        cmocka_unit_test(one_sphere_around_a_box_is_about_its_middle),
        cmocka_unit_test(eight_spheres_cover_a_cube_well),
        cmocka_unit_test(more_spheres_stick_out_less),
        cmocka_unit_test(accuracies_are_met),
        cmocka_unit_test(limits_hold_whatever_the_accuracy),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(missing_spheres_are_measured),
    };
    int failed = cmocka_run_group_tests_name("fit.known", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
