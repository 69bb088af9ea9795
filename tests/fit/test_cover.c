// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Spheres cover every shape of the scenes, and stick out no further than is told: random points of surfaces
// and of spheres say so, which know nothing of the proofs.

#include "fit_kit.h"
#include "scenes/fields.h"

#include <math.h>
#include <string.h>

#define MOST_SPHERES 64

static void checkSpheres(const wkShape* shape, const char* name, int32_t asked, uint64_t seed)
{
    wkSphere3d spheres[MOST_SPHERES];
    wkFitInfo report = {0}, measured = {0};
    wkFitDef def = wkDefaultFitDef();
    int32_t count = 0;
    def.count = asked;
    if (wkShape_FitSpheres(shape, &def, spheres, MOST_SPHERES, &count, &report) != wk_ok) {
        fail_msg("%s: %s", name, wkGetLastError());
    }
    assert_in_range(count, 0, asked);
    assert_true(report.sphereCount == count && report.coverage == 1.0 && report.gap == 0.0);

    fitSurface surface;
    fitSurface_Create(shape, &surface);
    wkRng rng = wkMakeRng(seed);
    double slack = FIT_ROUNDING * (surface.size + wkShapeReach(shape));
    double gap = fitWorstGap(&surface, spheres, count, WK_CASES(2000), &rng);
    double out = fitWorstProtrusion(shape, spheres, count, WK_CASES(200), &rng);
    double tolerance = 1e-3 * surface.size + 1e-300;
    // points behind the holes of a mesh may count as inside, as far as they are from its triangles
    if (shape->type == wk_shapeMesh && !wkMesh_Info(shape->mesh).isClosed) {
        out = 0.0;
    }
    if (gap > slack || out > report.protrusion + slack) {
        fail_msg("%s, %d spheres: gap %g, sticks out %g of %g", name, (int)count, gap, out,
                 report.protrusion);
    }
    if (count > 0) {
        assert_int_equal(wkShape_MeasureSpheres(shape, spheres, count, tolerance, &measured),
                         wk_ok);
        if (measured.gap > 4.0 * tolerance || measured.protrusion < out - slack) {
            fail_msg("%s, %d spheres: measured gap %g, sticks out %g", name, (int)count,
                     measured.gap, measured.protrusion);
        }
    }
    fitSurface_Destroy(&surface);
}

static void convex_shapes_are_covered(void** state)
{
    (void)state;
    static const int32_t counts[] = {1, 4, 13};
    for (int i = 0; i < FIT_CONVEX_COUNT; i++) {
        wkRng rng = wkMakeRng(wkKitSeed() + (uint64_t)i);
        for (int k = 0; k < 3; k++) {
            wkShape shape = wkRandomShape(&rng, wkKitBank(), fitConvexTypes[i], 0.3);
            checkSpheres(&shape, wkShapeTypeName(shape.type), counts[k], wkRngNext(&rng));
        }
    }
}

static void stretched_shapes_are_covered(void** state)
{
    (void)state;
    for (int i = 0; i < FIT_CONVEX_COUNT; i++) {
        wkRng rng = wkMakeRng(wkKitSeed() + (uint64_t)i);
        wkShape shape = wkStretchedShape(&rng, wkKitBank(), fitConvexTypes[i], 0.3, 20.0);
        checkSpheres(&shape, wkShapeTypeName(shape.type), 7, wkRngNext(&rng));
    }
}

static void shapes_without_size_are_covered(void** state)
{
    (void)state;
    for (int i = 0; i < FIT_CONVEX_COUNT; i++) {
        wkRng rng = wkMakeRng(wkKitSeed() + (uint64_t)i);
        for (int k = 0; k < 4; k++) {
            wkShape shape = wkZeroSizeShape(&rng, wkKitBank(), fitConvexTypes[i]);
            checkSpheres(&shape, wkShapeTypeName(shape.type), 3, wkRngNext(&rng));
        }
    }
}

static void padding_is_covered(void** state)
{
    (void)state;
    for (int i = 0; i < FIT_CONVEX_COUNT; i++) {
        wkRng rng = wkMakeRng(wkKitSeed() + (uint64_t)i);
        wkShape shape = wkRandomShape(&rng, wkKitBank(), fitConvexTypes[i], 0.3);
        shape.rounding = 0.03;
        shape.padding = 0.02;
        checkSpheres(&shape, wkShapeTypeName(shape.type), 5, wkRngNext(&rng));
    }
}

static void meshes_of_every_sort_are_covered(void** state)
{
    (void)state;
    static wkZoo zoo;
    assert_true(wkZoo_Create(&zoo, wkKitSeed()));
    for (int row = 0; row < WK_ZOO_COUNT; row++) {
        wkMesh* solid = fitMakeSolid(&zoo.rows[row].model);
        wkShape shape = wkMakeMesh(solid);
        checkSpheres(&shape, zoo.rows[row].name, 1, (uint64_t)row);
        checkSpheres(&shape, zoo.rows[row].name, 9, (uint64_t)row);
        wkMesh_Destroy(solid);
    }
    wkZoo_Destroy(&zoo);
}

static void surfaces_have_the_spheres_of_solids(void** state)
{
    (void)state;
    static wkZoo zoo;
    assert_true(wkZoo_Create(&zoo, wkKitSeed()));
    wkMesh* solid = fitMakeSolid(&zoo.rows[3].model);
    wkShape a = wkMakeMesh(solid), b = wkMakeMesh(zoo.rows[3].variants[0]);
    wkSphere3d spheresA[8], spheresB[8];
    memset(spheresA, 0, sizeof spheresA);
    memset(spheresB, 0, sizeof spheresB);
    wkFitDef def = wkDefaultFitDef();
    int32_t countA = 0, countB = 0;
    def.count = 8;
    assert_int_equal(wkShape_FitSpheres(&a, &def, spheresA, 8, &countA, NULL), wk_ok);
    assert_int_equal(wkShape_FitSpheres(&b, &def, spheresB, 8, &countB, NULL), wk_ok);
    assert_int_equal(countA, countB);
    assert_memory_equal(spheresA, spheresB, sizeof spheresA);
    wkMesh_Destroy(solid);
    wkZoo_Destroy(&zoo);
}

static void height_fields_are_covered(void** state)
{
    (void)state;
    for (int kind = 0; kind < WK_FIELD_KIND_COUNT; kind++) {
        wkFieldScene scene;
        assert_true(wkFieldScene_Create(kind, 9, 7, 5, &scene));
        wkShape shape = wkMakeHeightField(scene.field);
        checkSpheres(&shape, wkFieldKindName(kind), 12, (uint64_t)kind);
        wkFieldScene_Destroy(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convex_shapes_are_covered),
        cmocka_unit_test(stretched_shapes_are_covered),
        cmocka_unit_test(shapes_without_size_are_covered),
        cmocka_unit_test(padding_is_covered),
        cmocka_unit_test(meshes_of_every_sort_are_covered),
        cmocka_unit_test(surfaces_have_the_spheres_of_solids),
        cmocka_unit_test(height_fields_are_covered),
    };
    int failed = cmocka_run_group_tests_name("fit.cover", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
