// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Mass properties: known answers, and the integrals over fine triangulations.

#include "unit_kit.h"

#include "geom/elliptic.h"
#include "geom/steiner.h"

#include <string.h>

static void volumes_of_plain_bodies_are_known(void** state)
{
    (void)state;
    wkShape sphere = wkMakeSphere(2.0), box = wkMakeBox(1.0, 2.0, 3.0);
    wkShape capsule = wkMakeCapsule(1.0, 3.0), cylinder = wkMakeCylinder(2.0, 3.0);
    wkShape cone = wkMakeCone(2.0, 3.0), ellipsoid = wkMakeEllipsoid(1.0, 2.0, 3.0);
    assertNear(wkShape_Mass(&sphere).volume, 32.0 / 3.0 * WK_PI, 1e-13);
    assertNear(wkShape_Mass(&box).volume, 6.0, 1e-14);
    assertNear(wkShape_Mass(&capsule).volume, (3.0 + 4.0 / 3.0) * WK_PI, 1e-13);
    assertNear(wkShape_Mass(&cylinder).volume, 12.0 * WK_PI, 1e-13);
    assertNear(wkShape_Mass(&cone).volume, 4.0 * WK_PI, 1e-13);
    assertNear(wkShape_Mass(&ellipsoid).volume, 8.0 * WK_PI, 1e-13);

    // the centre of a cone is a quarter of its height above the base
    assertVecNear(wkShape_Mass(&cone).centroid, wkVec(0.0, 0.0, -0.75), 1e-15);
}

static void inertia_of_a_box_is_known(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(1.0, 2.0, 3.0);
    wkMass mass = wkShape_Mass(&box);
    assertNear(mass.inertia[0][0], 6.5, 1e-14);
    assertNear(mass.inertia[1][1], 5.0, 1e-14);
    assertNear(mass.inertia[2][2], 2.5, 1e-14);
    assertNear(mass.inertia[0][1], 0.0, 0.0);
}

static void bodies_without_volume_have_none(void** state)
{
    (void)state;
    wkShape triangle =
        wkMakeTriangle(wkVec(0.0, 0.0, 0.0), wkVec(3.0, 0.0, 0.0), wkVec(0.0, 3.0, 0.0));
    wkShape plane = wkMakePlane(wkVec(0.0, 0.0, 1.0), 2.0);
    wkShape halfspace = wkMakeHalfspace(wkVec(0.0, 0.0, 1.0), 2.0);
    assertNear(wkShape_Mass(&triangle).volume, 0.0, 0.0);
    assertVecNear(wkShape_Mass(&triangle).centroid, wkVec(1.0, 1.0, 0.0), 1e-15);
    assertNear(wkShape_Mass(&plane).volume, 0.0, 0.0);
    assert_true(wkShape_Mass(&halfspace).volume == INFINITY);
    assertNear(wkShape_Mass(NULL).volume, 0.0, 0.0);
}

// Rounding without a core is a sphere, around a segment a capsule.
static void degenerate_cores_swell_into_each_other(void** state)
{
    (void)state;
    wkShape sphere = wkMakeSphere(0.5);
    wkShape rod = wkMakeCapsule(0.5, 2.0);
    wkShape points[] = {wkMakeBox(0.0, 0.0, 0.0), wkMakeCylinder(0.0, 0.0), wkMakeCone(0.0, 0.0),
                        wkMakeEllipsoid(0.0, 0.0, 0.0)};
    wkShape segments[] = {wkMakeBox(0.0, 0.0, 2.0), wkMakeCylinder(0.0, 2.0), wkMakeCone(0.0, 2.0),
                          wkMakeEllipsoid(0.0, 0.0, 1.0)};
    wkShape discs[] = {wkMakeCylinder(1.0, 0.0), wkMakeCone(1.0, 0.0),
                       wkMakeEllipsoid(1.0, 1.0, 0.0)};
    discs[0].rounding = 0.5;
    for (int i = 0; i < 4; ++i) {
        points[i].rounding = 0.5;
        segments[i].rounding = 0.5;
        assertNear(wkShape_Mass(&points[i]).volume, wkShape_Mass(&sphere).volume, 1e-15);
        assertNear(wkShape_Mass(&segments[i]).volume, wkShape_Mass(&rod).volume, 1e-15);
    }
    for (int i = 1; i < 3; ++i) {
        discs[i].rounding = 0.5;
        assertNear(wkShape_Mass(&discs[i]).volume, wkShape_Mass(&discs[0]).volume, 1e-14);
    }
}

// Area of a spheroid (a, a, c) in closed form.
static double spheroidArea(double a, double c)
{
    if (c > a) {
        double e = sqrt(1.0 - a * a / (c * c));
        return 2.0 * WK_PI * a * a * (1.0 + c / (a * e) * asin(e));
    }
    double e = sqrt(1.0 - c * c / (a * a));
    return 2.0 * WK_PI * a * a * (1.0 + (1.0 - e * e) / e * atanh(e));
}

static void areas_of_ellipsoids_are_exact(void** state)
{
    (void)state;
    assertNear(wkSupportIntegral(1.0, 1.0, 1.0), 4.0 * WK_PI, 1e-14);
    assertNear(wkSupportIntegral(0.0, 0.0, 3.0), 6.0 * WK_PI, 1e-14);
    assertNear(wkSupportIntegral(1.0, 1.0, 0.0), WK_PI * WK_PI, 1e-14);
    assertNear(wkSupportIntegral(0.0, 0.0, 0.0), 0.0, 0.0);
    for (double c = 1e-3; c < 1e4; c *= 3.0) {
        double expected = spheroidArea(1.0, c);
        assertNear(wkSupportIntegral(c, c, 1.0), expected, 1e-12 * expected);
        assertNear(wkSupportIntegral(1.0, c, c), expected, 1e-12 * expected);
    }
}

// Volume, first and second moments of a closed triangulation about the origin.
static wkMass massOf(const wkTriangulation* t)
{
    wkMass mass;
    memset(&mass, 0, sizeof mass);
    wkVec3d first = wkVec(0.0, 0.0, 0.0);
    double second[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < t->triangleCount; ++i) {
        const int32_t* k = t->indices + 3 * i;
        wkVec3d a = t->vertices[k[0]], b = t->vertices[k[1]], c = t->vertices[k[2]];
        double volume = wkDot(a, wkCross(b, c)) / 6.0;
        wkVec3d sum = wkAdd(a, wkAdd(b, c));
        wkVec3d squares = wkAdd(wkMulVec(a, a), wkAdd(wkMulVec(b, b), wkMulVec(c, c)));
        wkVec3d moment = wkScale(volume / 20.0, wkAdd(squares, wkMulVec(sum, sum)));
        mass.volume += volume;
        first = wkMulAdd(first, 0.25 * volume, sum);
        second[0] += moment.x;
        second[1] += moment.y;
        second[2] += moment.z;
    }
    mass.centroid = wkScale(1.0 / mass.volume, first);
    wkVec3d c = mass.centroid;
    second[0] -= mass.volume * c.x * c.x;
    second[1] -= mass.volume * c.y * c.y;
    second[2] -= mass.volume * c.z * c.z;
    for (int i = 0; i < 3; ++i) {
        mass.inertia[i][i] = second[(i + 1) % 3] + second[(i + 2) % 3];
    }
    return mass;
}

static wkMass massOfTriangles(const wkShape* shape, int segments)
{
    wkTriangulation t;
    memset(&t, 0, sizeof t);
    assert_int_equal(wkShape_Triangulate(shape, segments, 1.0, &t), wk_ok);
    t.vertexCapacity = t.vertexCount;
    t.triangleCapacity = t.triangleCount;
    t.vertices = (wkVec3d*)malloc(sizeof(wkVec3d) * (size_t)t.vertexCount);
    t.indices = (int32_t*)malloc(3 * sizeof(int32_t) * (size_t)t.triangleCount);
    assert_int_equal(wkShape_Triangulate(shape, segments, 1.0, &t), wk_ok);
    wkMass mass = massOf(&t);
    free(t.vertices);
    free(t.indices);
    return mass;
}

static void mass_agrees_with_dd_triangles(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    wkShapeBank bank;
    wkShapeBank_Create(&bank, UNIT_SEED);
    for (int type = 1; type < wk_shapeHalfspace; ++type) {
        for (int i = 0; i < 6; ++i) {
            wkShape shape = wkRandomShape(&rng, &bank, (wkShapeType)type, 1.0);
            shape.padding = 0.0;
            shape.rounding = i % 2 == 0 ? 0.0 : 0.3;
            wkMass exact = wkShape_Mass(&shape);
            if (exact.volume == 0.0) {
                continue;
            }
            // an inscribed polyhedron is too small, by a share that falls with the square of
            // segments; a rounded hull is drawn by a globe of normals, which cuts its faces off
            bool isGlobe = type == wk_shapeHull && shape.rounding > 0.0;
            double share = isGlobe ? 0.03 : 6e-4;
            wkMass near = massOfTriangles(&shape, 200);
            UNIT_CHECK(near.volume <= exact.volume * (1.0 + 1e-12) &&
                           near.volume >= exact.volume * (1.0 - share),
                       &shape, "volume %.12g, by triangles %.12g", exact.volume, near.volume);
            if (shape.rounding > 0.0) {
                continue;
            }
            assertVecNear(near.centroid, exact.centroid, share);
            for (int k = 0; k < 3; ++k) {
                UNIT_CHECK(fabs(near.inertia[k][k] - exact.inertia[k][k]) <=
                               3.0 * share * exact.inertia[k][k],
                           &shape, "inertia %d: %.12g, by triangles %.12g", k, exact.inertia[k][k],
                           near.inertia[k][k]);
            }
        }
    }
    wkShapeBank_Destroy(&bank);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_of_plain_bodies_are_known),
        cmocka_unit_test(inertia_of_a_box_is_known),
        cmocka_unit_test(bodies_without_volume_have_none),
        cmocka_unit_test(degenerate_cores_swell_into_each_other),
        cmocka_unit_test(areas_of_ellipsoids_are_exact),
        cmocka_unit_test(mass_agrees_with_dd_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
