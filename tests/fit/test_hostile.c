// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Arguments that are wrong are named, and shapes that cannot be covered are refused.

#include "fit_kit.h"

#include <math.h>
#include <string.h>

static wkResult fit(const wkShape* shape, const wkFitDef* def)
{
    wkSphere3d spheres[8];
    int32_t count = -1;
    wkResult result = wkShape_FitSpheres(shape, def, spheres, 8, &count, NULL);
    assert_true(result != wk_ok ? count == 0 : count >= 0);
    return result;
}

static void assertNamed(wkResult result, wkResult expected, const char* word)
{
    assert_int_equal(result, expected);
    assert_non_null(strstr(wkGetLastError(), word));
}

static void wrong_definitions_are_named(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(1.0, 1.0, 1.0);
    wkFitDef def = wkDefaultFitDef();
    def.cookie = 0;
    assertNamed(fit(&box, &def), wk_errorArgument, "wkDefaultFitDef");
    def = wkDefaultFitDef();
    def.count = -1;
    assertNamed(fit(&box, &def), wk_errorRange, "count");
    def = wkDefaultFitDef();
    def.maxCount = 0;
    assertNamed(fit(&box, &def), wk_errorRange, "maxCount");
    def = wkDefaultFitDef();
    def.accuracy = 0.0;
    assertNamed(fit(&box, &def), wk_errorRange, "accuracy");
    def.accuracy = NAN;
    assertNamed(fit(&box, &def), wk_errorNotFinite, "accuracy");
    assertNamed(fit(NULL, NULL), wk_errorArgument, "shape");

    wkSphere3d sphere;
    int32_t count = 0;
    assertNamed(wkShape_FitSpheres(&box, NULL, &sphere, 0, &count, NULL), wk_errorRange,
                "capacity");
    assertNamed(wkShape_FitSpheres(&box, NULL, NULL, 1, &count, NULL), wk_errorArgument, "spheres");
    assertNamed(wkShape_FitSpheres(&box, NULL, &sphere, 1, NULL, NULL), wk_errorArgument, "count");
}

static void shapes_without_end_are_refused(void** state)
{
    (void)state;
    wkVec3d up = {0.0, 0.0, 1.0};
    wkShape halfspace = wkMakeHalfspace(up, 0.0), plane = wkMakePlane(up, 0.0);
    assert_int_equal(fit(&halfspace, NULL), wk_errorUnsupported);
    assert_int_equal(fit(&plane, NULL), wk_errorUnsupported);
    wkShape none = {.type = wk_shapeNone};
    assert_int_not_equal(fit(&none, NULL), wk_ok);
    wkShape broken = wkMakeBox(1.0, 1.0, 1.0);
    broken.box.half.y = NAN;
    assert_int_equal(fit(&broken, NULL), wk_errorNotFinite);
    wkFitInfo report;
    wkSphere3d sphere = {{0.0, 0.0, 0.0}, 1.0};
    assert_int_equal(wkShape_MeasureSpheres(&plane, &sphere, 1, 0.1, &report), wk_errorUnsupported);
}

static void wrong_spheres_are_named(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(1.0, 1.0, 1.0);
    wkFitInfo report;
    wkSphere3d spheres[2] = {{{0.0, 0.0, 0.0}, 1.0}, {{0.0, 0.0, 0.0}, -1.0}};
    assertNamed(wkShape_MeasureSpheres(&box, spheres, 2, 0.1, &report), wk_errorRange,
                "spheres[1]");
    spheres[1].radius = NAN;
    assertNamed(wkShape_MeasureSpheres(&box, spheres, 2, 0.1, &report), wk_errorNotFinite,
                "spheres[1]");
    spheres[1] = spheres[0];
    spheres[1].center.z = INFINITY;
    assertNamed(wkShape_MeasureSpheres(&box, spheres, 2, 0.1, &report), wk_errorNotFinite,
                "spheres[1]");
    assertNamed(wkShape_MeasureSpheres(&box, spheres, 1, 0.0, &report), wk_errorRange, "tolerance");
    assertNamed(wkShape_MeasureSpheres(&box, spheres, 1, 0.1, NULL), wk_errorArgument, "info");
}

// Nothing is left to cover.
static void empty_shapes_have_no_spheres(void** state)
{
    (void)state;
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    wkShape shapes[3] = {wkMakeMesh(mesh), wkMakeSphere(0.1), wkMakeBox(0.1, 0.2, 0.3)};
    for (int i = 0; i < 3; i++) {
        wkSphere3d spheres[8];
        int32_t count = -1;
        wkFitInfo report;
        shapes[i].padding = i == 0 ? 0.0 : -0.2;
        assert_int_equal(wkShape_FitSpheres(&shapes[i], NULL, spheres, 8, &count, &report), wk_ok);
        assert_int_equal(count, 0);
        assert_true(report.coverage == 1.0 && report.gap == 0.0 && report.protrusion == 0.0);
    }
    wkMesh_Destroy(mesh);
}

// More spheres than there is any use for: as many as there are places.
static void far_too_many_spheres_are_dd(void** state)
{
    (void)state;
    static wkSphere3d spheres[3000];
    wkShape point = wkMakeBox(0.0, 0.0, 0.0), segment = wkMakeBox(1.0, 0.0, 0.0);
    wkFitDef def = wkDefaultFitDef();
    int32_t count = 0;
    wkFitInfo report;
    def.count = 300;
    assert_int_equal(wkShape_FitSpheres(&point, &def, spheres, 300, &count, &report), wk_ok);
    assert_int_equal(count, 1);
    assert_int_equal(wkShape_FitSpheres(&segment, &def, spheres, 300, &count, &report), wk_ok);
    assert_in_range(count, 1, 300);
    assert_true(report.protrusion < 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_definitions_are_named),
        cmocka_unit_test(shapes_without_end_are_refused),
        cmocka_unit_test(wrong_spheres_are_named),
        cmocka_unit_test(empty_shapes_have_no_spheres),
        cmocka_unit_test(far_too_many_spheres_are_dd),
    };
    int failed = cmocka_run_group_tests_name("fit.hostile", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
