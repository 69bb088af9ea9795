// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Projection of points onto cores. The truth is the dual: for a convex body the signed distance is
// the largest n . p - h(n) over unit n, where h is the support function; no other formula is
// needed.

#include "unit_kit.h"

#include "geom/project.h"

#include "whisker/detail/counts.h"

// Rounding of a projection and of the dual, as a share of shape and point.
#define TOLERANCE 8e-15

typedef struct known {
    wkVec3d point;
    double distance;
    wkVec3d normal;
} known;

static void checkKnown(wkShape shape, const known* cases, int count)
{
    for (int i = 0; i < count; ++i) {
        wkProjection p = wkConvexRowOf(&shape)->project(&shape, cases[i].point);
        UNIT_CHECK(fabs(p.distance - cases[i].distance) <= 4e-15 &&
                       wkMaxAbs(wkSub(p.normal, cases[i].normal)) <= 1e-15,
                   &shape, "case %d: distance %.17g, normal %g %g %g", i, p.distance, p.normal.x,
                   p.normal.y, p.normal.z);
        wkVec3d back = wkMulAdd(p.point, p.distance, p.normal);
        assertVecNear(back, cases[i].point, 4e-15);
    }
}

#define CHECK_KNOWN(shape, cases) checkKnown(shape, cases, (int)(sizeof cases / sizeof cases[0]))

static void box_leaves_through_the_nearest_face(void** state)
{
    (void)state;
    const known cases[] = {
        {{2.0, 0.0, 0.0}, 1.0, {1.0, 0.0, 0.0}},      {{0.5, 0.0, 0.0}, -0.5, {1.0, 0.0, 0.0}},
        {{0.0, -1.75, 0.0}, -0.25, {0.0, -1.0, 0.0}}, {{1.0, 2.0, 3.0}, 0.0, {0.0, 0.0, 1.0}},
        {{1.0, 0.0, 0.0}, 0.0, {1.0, 0.0, 0.0}},      {{-4.0, 6.0, 0.0}, 5.0, {-0.6, 0.8, 0.0}},
    };
    CHECK_KNOWN(wkMakeBox(2.0, 4.0, 6.0), cases);
}

static void cylinder_has_side_cap_and_rim(void** state)
{
    (void)state;
    const known cases[] = {
        {{3.0, 0.0, 0.5}, 2.0, {1.0, 0.0, 0.0}},      {{0.2, 0.0, 3.0}, 1.0, {0.0, 0.0, 1.0}},
        {{0.0, -4.0, -6.0}, 5.0, {0.0, -0.6, -0.8}},  {{0.0, 0.0, 0.0}, -1.0, {1.0, 0.0, 0.0}},
        {{0.0, 0.0, -1.75}, -0.25, {0.0, 0.0, -1.0}}, {{1.0, 0.0, 2.0}, 0.0, {0.0, 0.0, 1.0}},
    };
    CHECK_KNOWN(wkMakeCylinder(1.0, 4.0), cases);
}

static void cone_has_apex_side_rim_and_base(void** state)
{
    (void)state;
    // height 4, radius 3: the side has normal (0.8, 0.6)
    const known cases[] = {
        {{0.0, 0.0, 5.0}, 3.0, {0.0, 0.0, 1.0}},    {{0.0, 0.0, -4.0}, 2.0, {0.0, 0.0, -1.0}},
        {{3.1, 0.0, 1.2}, 2.0, {0.8, 0.0, 0.6}},    {{6.0, 0.0, -6.0}, 5.0, {0.6, 0.0, -0.8}},
        {{0.0, 0.0, -1.5}, -0.5, {0.0, 0.0, -1.0}}, {{0.7, 0.0, 0.4}, -0.4, {0.8, 0.0, 0.6}},
    };
    CHECK_KNOWN(wkMakeCone(3.0, 4.0), cases);
}

static void ellipsoid_is_exact_on_its_axes(void** state)
{
    (void)state;
    const known cases[] = {
        {{3.0, 0.0, 0.0}, 2.0, {1.0, 0.0, 0.0}},
        {{0.0, -5.0, 0.0}, 3.0, {0.0, -1.0, 0.0}},
        {{0.0, 0.0, 3.0}, 0.0, {0.0, 0.0, 1.0}},
        {{0.0, 0.0, 0.0}, -1.0, {1.0, 0.0, 0.0}},
    };
    CHECK_KNOWN(wkMakeEllipsoid(1.0, 2.0, 3.0), cases);
}

static void triangle_is_two_sided(void** state)
{
    (void)state;
    const known cases[] = {
        {{1.0, 1.0, 2.0}, 2.0, {0.0, 0.0, 1.0}},     {{1.0, 1.0, -2.0}, 2.0, {0.0, 0.0, -1.0}},
        {{1.0, 1.0, 0.0}, 0.0, {0.0, 0.0, 1.0}},     {{2.0, -3.0, 4.0}, 5.0, {0.0, -0.6, 0.8}},
        {{-3.0, -4.0, 0.0}, 5.0, {-0.6, -0.8, 0.0}},
    };
    wkShape shape =
        wkMakeTriangle(wkVec(0.0, 0.0, 0.0), wkVec(4.0, 0.0, 0.0), wkVec(0.0, 4.0, 0.0));
    CHECK_KNOWN(shape, cases);
}

static void planes_and_halfspaces_are_signed_by_side(void** state)
{
    (void)state;
    const known solid[] = {{{0.0, 0.0, 3.0}, 2.0, {0.0, 0.0, 1.0}},
                           {{0.0, 0.0, -1.0}, -2.0, {0.0, 0.0, 1.0}}};
    const known surface[] = {{{0.0, 0.0, 3.0}, 2.0, {0.0, 0.0, 1.0}},
                             {{0.0, 0.0, -1.0}, 2.0, {0.0, 0.0, -1.0}},
                             {{5.0, 0.0, 1.0}, 0.0, {0.0, 0.0, 1.0}}};
    CHECK_KNOWN(wkMakeHalfspace(wkVec(0.0, 0.0, 2.0), 2.0), solid);
    CHECK_KNOWN(wkMakePlane(wkVec(0.0, 0.0, 2.0), 2.0), surface);
}

static void nothing_has_a_normal_too(void** state)
{
    (void)state;
    wkVec3d zero = wkVec(0.0, 0.0, 0.0);
    const wkShape shapes[] = {wkMakeSphere(0.0),
                              wkMakeCapsule(0.0, 0.0),
                              wkMakeBox(0.0, 0.0, 0.0),
                              wkMakeCylinder(0.0, 0.0),
                              wkMakeCone(0.0, 0.0),
                              wkMakeEllipsoid(0.0, 0.0, 0.0),
                              wkMakeTriangle(zero, zero, zero)};
    for (int i = 0; i < 7; ++i) {
        wkProjection p = wkConvexRowOf(&shapes[i])->project(&shapes[i], zero);
        UNIT_CHECK(p.distance == 0.0 && wkMaxAbs(p.point) == 0.0, &shapes[i], "%g", p.distance);
        assertVecNear(p.normal, wkVec(0.0, 0.0, 1.0), 0.0);
        p = wkConvexRowOf(&shapes[i])->project(&shapes[i], wkVec(3.0, 0.0, -4.0));
        assertNear(p.distance, 5.0, 1e-15);
        assertVecNear(p.normal, wkVec(0.6, 0.0, -0.8), 1e-15);
    }
}

// n . point - h(n) for a unit n.
static double dual(const wkShape* shape, wkVec3d point, wkVec3d normal)
{
    return wkDot(normal, wkSub(point, wkConvexRowOf(shape)->support(shape, normal)));
}

// Fails with the inputs when `error` exceeds `limit`, or is not a number.
static void checkError(const wkShape* shape, wkVec3d point, const char* what, double error,
                       double limit)
{
    UNIT_CHECK(error <= limit, shape, "point %.17g %.17g %.17g: %s is off by %g", point.x, point.y,
               point.z, what, error);
}

static void checkCertificate(wkRng* rng, const wkShape* shape, wkVec3d point)
{
    wkProjection p = wkConvexRowOf(shape)->project(shape, point);
    double tolerance = TOLERANCE * (unitSize(shape) + wkMaxAbs(point));
    wkVec3d back = wkMulAdd(p.point, p.distance, p.normal);
    checkError(shape, point, "length of the normal", fabs(wkLength(p.normal) - 1.0), 1e-15);
    checkError(shape, point, "point + distance * normal", wkMaxAbs(wkSub(back, point)), tolerance);

    // hulls do not say which of the faces about a vertex is meant when the gap is mere rounding
    bool isRounding = shape->type == wk_shapeHull && fabs(p.distance) < 1e3 * tolerance;
    if (!wkConvexRowOf(shape)->isBounded || isRounding) {
        return;
    }
    double gap = fabs(dual(shape, point, p.normal) - p.distance);
    checkError(shape, point, "distance by the normal", gap, tolerance);
    for (int i = 0; i < 8; ++i) {
        wkVec3d other = wkRngDirection(rng);
        double share = i < 2 ? 1.0 : pow(10.0, -i);
        other = wkNormalizeOr(wkMulAdd(p.normal, share, other), other);
        double better = dual(shape, point, other) - p.distance;
        checkError(shape, point, "distance by another normal", better, tolerance);
    }
}

static void projection_is_the_best_dual(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    wkShapeBank bank;
    wkShapeBank_Create(&bank, UNIT_SEED);
    for (int type = 1; type < WK_CONVEX_TYPE_COUNT; ++type) {
        for (int i = 0; i < 3000; ++i) {
            wkShape shape = unitShape(&rng, &bank, (wkShapeType)type, i % UNIT_KIND_COUNT);
            checkCertificate(&rng, &shape, unitPoint(&rng, &shape));
        }
    }
    wkShapeBank_Destroy(&bank);
}

// Solvers decide by these spheres alone when they can.
static void spheres_contain_the_core_and_are_inside_it(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    wkShapeBank bank;
    wkShapeBank_Create(&bank, UNIT_SEED);
    for (int type = 1; type < wk_shapeHalfspace; ++type) {
        for (int i = 0; i < 2000; ++i) {
            wkShape shape = unitShape(&rng, &bank, (wkShapeType)type, i % UNIT_KIND_COUNT);
            const wkConvexRow* row = wkConvexRowOf(&shape);
            wkInnerOuterSpheres sphere = row->sphere(&shape);
            double tolerance = TOLERANCE * unitSize(&shape);
            wkVec3d tip = row->support(&shape, wkRngDirection(&rng));
            double beyond = wkLength(wkSub(tip, sphere.center)) - sphere.radius;
            double inside = row->project(&shape, sphere.center).distance;
            checkError(&shape, tip, "outer sphere", beyond, tolerance);
            checkError(&shape, sphere.center, "inner sphere", inside + sphere.innerRadius,
                       tolerance);
        }
    }
    wkShapeBank_Destroy(&bank);
}

// Ellipsoids are the only core that iterates: all aspects, inside, near the middle planes and the
// centre.
static void ellipsoid_converges_everywhere(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < 30000; ++i) {
        wkVec3d radii = wkVec(wkRngLogRange(&rng, 1e-5, 1.0), wkRngLogRange(&rng, 1e-5, 1.0), 1.0);
        if (wkRngChance(&rng, 3)) {
            radii.y = radii.x * (1.0 + wkRngLogRange(&rng, 1e-16, 1e-3));
        }
        wkShape shape = wkMakeEllipsoid(radii.x, radii.y, radii.z);
        wkVec3d share = wkVec(wkRngLogRange(&rng, 1e-20, 2.0), wkRngLogRange(&rng, 1e-20, 2.0),
                              wkRngLogRange(&rng, 1e-20, 2.0));
        if (wkRngChance(&rng, 2)) {
            // the edge of the middle plane's inner part, where the root meets the pole
            double edge = (1.0 - radii.x) * (1.0 + radii.x);
            share.z = edge * (1.0 + wkRngRange(&rng, -1.0, 1.0) * wkRngLogRange(&rng, 1e-16, 0.1));
        }
        checkCertificate(&rng, &shape, wkMulVec(radii, share));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_leaves_through_the_nearest_face),
        cmocka_unit_test(cylinder_has_side_cap_and_rim),
        cmocka_unit_test(cone_has_apex_side_rim_and_base),
        cmocka_unit_test(ellipsoid_is_exact_on_its_axes),
        cmocka_unit_test(triangle_is_two_sided),
        cmocka_unit_test(planes_and_halfspaces_are_signed_by_side),
        cmocka_unit_test(nothing_has_a_normal_too),
        cmocka_unit_test(projection_is_the_best_dual),
        cmocka_unit_test(spheres_contain_the_core_and_are_inside_it),
        cmocka_unit_test(ellipsoid_converges_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
