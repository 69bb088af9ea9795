// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The built-in robot in spheres: every body is covered, counts are met to the sphere, and threads change
// nothing.

#include "fit_kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static wkRobot* robot;

static int createRobot(void** state)
{
    (void)state;
    return wkRobot_CreateBuiltIn(&robot) == wk_ok ? 0 : 1;
}

static int destroyRobot(void** state)
{
    (void)state;
    wkRobot_Destroy(robot);
    return 0;
}

static wkSphereModel* fitRobot(const wkSphereFitDef* fit)
{
    wkSphereModel* model = NULL;
    if (wkSphereModel_Fit(robot, fit, &model) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return model;
}

// Random points of every body are in spheres of its link.
static void checkCovering(const wkSphereModel* model)
{
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int32_t b = 0; b < wkRobot_Info(robot).bodyCount; b++) {
        wkBodyInfo body = wkRobot_Body(robot, b);
        fitCheckCovered(model, &body, 500, &rng);
    }
}

static void every_body_is_covered(void** state)
{
    (void)state;
    static const int32_t counts[] = {14, 37, 20 + WK_CASES(189)};
    double before = INFINITY;
    for (int i = 0; i < 3; i++) {
        wkSphereFitDef fit = wkDefaultSphereFitDef();
        fit.count = counts[i];
        wkSphereModel* model = fitRobot(&fit);
        wkSphereModelInfo info = wkSphereModel_Info(model);
        assert_true(info.isCovering && info.sphereCount == counts[i]);
        assert_true(info.protrusion < before);
        before = info.protrusion;
        checkCovering(model);
        wkSphereModel_Destroy(model);
    }
}

static void accuracy_and_padding_are_kept(void** state)
{
    (void)state;
    wkSphereFitDef fit = wkDefaultSphereFitDef();
    fit.accuracy = 0.05;
    wkSphereModel* model = fitRobot(&fit);
    wkSphereModelInfo info = wkSphereModel_Info(model);
    assert_true(info.isCovering && info.protrusion <= 0.05);
    fit.padding = 0.01;
    wkSphereModel* padded = fitRobot(&fit);
    assert_int_equal(wkSphereModel_Info(padded).sphereCount, info.sphereCount);
    assert_true(fabs(wkSphereModel_Info(padded).protrusion - info.protrusion - 0.01) < 1e-12);
    for (int32_t i = 0; i < info.sphereCount; i++) {
        double more = wkSphereModel_Sphere(padded, i).sphere.radius -
                      wkSphereModel_Sphere(model, i).sphere.radius;
        assert_true(fabs(more - 0.01) < 1e-12);
    }
    wkSphereModel_Destroy(padded);
    wkSphereModel_Destroy(model);
}

static void links_have_counts_of_their_own(void** state)
{
    (void)state;
    int32_t linkCount = wkRobot_Info(robot).linkCount;
    int32_t* counts = calloc((size_t)linkCount, sizeof *counts);
    assert_non_null(counts);
    int32_t asked = 0, links = 0;
    for (int32_t i = 0; i < linkCount; i++) {
        counts[i] = i % 3 == 0 ? 0 : 1 + i % 4;
        bool hasBodies = wkRobot_Link(robot, i).bodyCount > 0;
        asked += hasBodies ? counts[i] : 0;
        links += hasBodies && counts[i] > 0;
    }
    wkSphereFitDef fit = wkDefaultSphereFitDef();
    fit.linkCounts = counts;
    wkSphereModel* model = fitRobot(&fit);
    wkSphereModelInfo info = wkSphereModel_Info(model);
    assert_true(info.sphereCount <= asked && info.linkCount == links && !info.isCovering);
    for (int32_t i = 0; i < linkCount; i++) {
        wkFitInfo report;
        wkLinkSpheres own = wkSphereModel_Link(model, i);
        assert_true(own.count <= counts[i]);
        assert_int_equal(wkSphereModel_Measure(model, i, 0.002, &report), wk_ok);
        assert_int_equal(report.sphereCount, own.count);
        assert_true(own.count == 0 || report.gap < 0.002);
    }
    wkSphereModel_Destroy(model);
    free(counts);
}

static void threads_change_nothing(void** state)
{
    (void)state;
    wkSphereFitDef fit = wkDefaultSphereFitDef();
    fit.count = 40;
    wkSphereModel* alone = fitRobot(&fit);
    wkParallel parallel = {.threadCount = 3};
    fit.parallel = &parallel;
    wkSphereModel* together = fitRobot(&fit);
    for (int32_t i = 0; i < 40; i++) {
        wkLinkSphere a = wkSphereModel_Sphere(alone, i), b = wkSphereModel_Sphere(together, i);
        assert_int_equal(a.link, b.link);
        assert_memory_equal(&a.sphere, &b.sphere, sizeof a.sphere);
    }
    wkSphereModel_Destroy(together);
    wkSphereModel_Destroy(alone);
}

static void assertRefused(const wkSphereFitDef* fit, wkResult expected, const char* word)
{
    wkSphereModel* model = (wkSphereModel*)&expected;
    assert_int_equal(wkSphereModel_Fit(robot, fit, &model), expected);
    assert_null(model);
    assert_non_null(strstr(wkGetLastError(), word));
}

static void wrong_fits_are_named(void** state)
{
    (void)state;
    wkSphereFitDef fit = wkDefaultSphereFitDef();
    fit.cookie = 0;
    assertRefused(&fit, wk_errorArgument, "wkDefaultSphereFitDef");
    fit = wkDefaultSphereFitDef();
    fit.count = -1;
    assertRefused(&fit, wk_errorRange, "count");
    fit.count = 3;
    assertRefused(&fit, wk_errorRange, "links have bodies");
    fit = wkDefaultSphereFitDef();
    fit.accuracy = NAN;
    assertRefused(&fit, wk_errorNotFinite, "accuracy");
    fit.accuracy = 0.0;
    assertRefused(&fit, wk_errorRange, "accuracy");
    fit = wkDefaultSphereFitDef();
    fit.padding = -1.0;
    assertRefused(&fit, wk_errorRange, "padding");
    double accuracies[64] = {0.0, 0.01, -1.0};
    fit = wkDefaultSphereFitDef();
    fit.linkAccuracies = accuracies;
    assertRefused(&fit, wk_errorRange, "linkAccuracies[2]");
}

// The spheres alone, as they come from a file.
static wkSphereModel* copySpheres(const wkSphereModel* model, int32_t leftOut)
{
    int32_t count = wkSphereModel_Info(model).sphereCount, kept = 0;
    wkLinkSphere* spheres = calloc((size_t)count, sizeof *spheres);
    assert_non_null(spheres);
    for (int32_t i = 0; i < count; i++) {
        if (i != leftOut) {
            spheres[kept++] = wkSphereModel_Sphere(model, i);
        }
    }
    wkSphereModel* copy = NULL;
    assert_int_equal(wkSphereModel_Create(robot, spheres, kept, &copy), wk_ok);
    free(spheres);
    return copy;
}

static void spheres_of_a_fit_are_proven_again(void** state)
{
    (void)state;
    wkSphereFitDef fit = wkDefaultSphereFitDef();
    fit.accuracy = 0.06;
    wkSphereModel* model = fitRobot(&fit);
    wkSphereModel* copy = copySpheres(model, -1);
    wkSphereModel* worse = copySpheres(model, wkSphereModel_Info(model).sphereCount / 2);
    wkParallel parallel = {.threadCount = 3};
    assert_false(wkSphereModel_Info(copy).isCovering);
    assert_int_equal(wkSphereModel_Prove(copy, 0.005, &parallel), wk_ok);
    assert_int_equal(wkSphereModel_Prove(worse, 0.005, NULL), wk_ok);
    assert_true(wkSphereModel_Info(copy).isCovering);
    assert_true(wkSphereModel_Info(copy).protrusion <=
                wkSphereModel_Info(model).protrusion + 0.005);
    assert_false(wkSphereModel_Info(worse).isCovering);
    assert_int_equal(wkSphereModel_Prove(NULL, 0.005, NULL), wk_errorArgument);
    assert_int_not_equal(wkSphereModel_Prove(copy, -1.0, NULL), wk_ok);
    assert_true(wkSphereModel_Info(copy).isCovering);
    wkSphereModel_Destroy(worse);
    wkSphereModel_Destroy(copy);
    wkSphereModel_Destroy(model);
}

// A caller who has enough after a few calls.
typedef struct impatient {
    int callsLeft;
    int64_t done;
} impatient;

static bool isPatient(int64_t done, int64_t total, void* context)
{
    impatient* caller = context;
    assert_true(done >= caller->done && done <= total);
    caller->done = done;
    return caller->callsLeft-- > 0;
}

static void a_fit_reports_its_progress_and_can_be_cancelled(void** state)
{
    (void)state;
    size_t before = wkGetByteCount();
    const wkParallel parallel = {.threadCount = 2};
    for (int calls = 0; calls < 3; calls++) {
        impatient caller = {.callsLeft = calls};
        wkSphereModel* model = NULL;
        wkSphereFitDef fit = wkDefaultSphereFitDef();
        fit.progress = isPatient;
        fit.progressContext = &caller;
        fit.parallel = calls > 0 ? &parallel : NULL;
        assert_int_equal(wkSphereModel_Fit(robot, &fit, &model), wk_errorCancelled);
        assert_null(model);
        assert_int_equal(wkGetByteCount(), before);
        assert_int_equal(caller.callsLeft, -1); // not called again
    }
    impatient caller = {.callsLeft = 1 << 30};
    wkSphereModel* model = NULL;
    wkSphereFitDef fit = wkDefaultSphereFitDef();
    fit.accuracy = 0.08;
    fit.progress = isPatient;
    fit.progressContext = &caller;
    assert_int_equal(wkSphereModel_Fit(robot, &fit, &model), wk_ok);
    assert_true(caller.done > 0);
    wkSphereModel_Destroy(model);
}

// A total number of spheres cannot be shared between no links.
static void a_robot_without_bodies_has_no_spheres(void** state)
{
    (void)state;
    const char* links[] = {"only"};
    wkRobotDef def = wkDefaultRobotDef();
    def.links = links;
    def.linkCount = 1;
    wkRobot* empty = NULL;
    assert_int_equal(wkRobot_Create(&def, &empty), wk_ok);
    for (int32_t count = 0; count <= 10; count += 10) {
        wkSphereFitDef fit = wkDefaultSphereFitDef();
        fit.count = count;
        wkSphereModel* model = NULL;
        assert_int_equal(wkSphereModel_Fit(empty, &fit, &model), wk_ok);
        assert_int_equal(wkSphereModel_Info(model).sphereCount, 0);
        wkSphereModel_Destroy(model);
    }
    wkRobot_Destroy(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_robot_without_bodies_has_no_spheres),
        cmocka_unit_test(a_fit_reports_its_progress_and_can_be_cancelled),
        cmocka_unit_test(every_body_is_covered),
        cmocka_unit_test(accuracy_and_padding_are_kept),
        cmocka_unit_test(links_have_counts_of_their_own),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(spheres_of_a_fit_are_proven_again),
        cmocka_unit_test(wrong_fits_are_named),
    };
    int failed = cmocka_run_group_tests_name("fit.robot", tests, createRobot, destroyRobot);
    wkKitEnd();
    return failed;
}
