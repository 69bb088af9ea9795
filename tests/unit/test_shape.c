// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Makers, names, checks, bounds, support and containment.

#include "unit_kit.h"

#include "geom/check.h"

#include "whisker/detail/counts.h"

#include <string.h>

static void makers_halve_and_normalise(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(1.0, 2.0, 3.0);
    assertVecNear(box.box.half, wkVec(0.5, 1.0, 1.5), 0.0);
    assertNear(wkMakeCapsule(1.0, 3.0).capsule.halfLength, 1.5, 0.0);
    wkShape plane = wkMakePlane(wkVec(0.0, 3.0, 4.0), 10.0);
    assertVecNear(plane.plane.normal, wkVec(0.0, 0.6, 0.8), 2e-16);
    assertNear(plane.plane.offset, 2.0, 1e-15);

    // lengths whose square leaves the range of double
    plane = wkMakePlane(wkVec(0.0, 3e-200, 4e-200), 10e-200);
    assertNear(plane.plane.offset, 2.0, 1e-14);
    plane = wkMakeHalfspace(wkVec(0.0, 3e200, 4e200), 10e200);
    assertNear(plane.halfspace.offset, 2.0, 1e-14);

    // a unit normal is left as it is
    plane = wkMakePlane(wkVec(0.6, 0.8, 0.0), 0.3);
    assertNear(plane.plane.normal.x, 0.6, 0.0);
    assertNear(plane.plane.offset, 0.3, 0.0);
}

static void bad_parameters_make_no_shape_and_are_named(void** state)
{
    (void)state;
    wkVec3d zero = wkVec(0.0, 0.0, 0.0);
    const wkShape shapes[] = {
        wkMakeSphere(-1.0),
        wkMakeSphere(INFINITY),
        wkMakeSphere(1e300),
        wkMakeCapsule(1.0, NAN),
        wkMakeCylinder(NAN, 1.0),
        wkMakeCone(1.0, -1.0),
        wkMakeEllipsoid(1.0, -1e-300, 1.0),
        wkMakeHull(NULL),
        wkMakeHalfspace(zero, 1.0),
        wkMakePlane(wkVec(NAN, 0.0, 1.0), 1.0),
        wkMakePlane(wkVec(0.0, 0.0, 1.0), INFINITY),
        wkMakeTriangle(zero, zero, wkVec(0.0, INFINITY, 0.0)),
    };
    for (int i = 0; i < (int)(sizeof shapes / sizeof shapes[0]); ++i) {
        assert_int_equal(shapes[i].type, wk_shapeNone);
        assert_int_equal(wkShape_Check(&shapes[i]), wk_errorArgument);
    }
    wkMakeBox(1.0, -2.0, 1.0);
    assert_non_null(strstr(wkGetLastError(), "box: half.y is -1"));
    wkMakeTriangle(zero, zero, wkVec(0.0, NAN, 0.0));
    assert_non_null(strstr(wkGetLastError(), "triangle: points[2].y"));
}

static void checks_find_fields_that_were_set_by_hand(void** state)
{
    (void)state;
    wkShape shape = wkMakeBox(1.0, 1.0, 1.0);
    assert_int_equal(wkShape_Check(&shape), wk_ok);
    shape.rounding = -0.1;
    assert_int_equal(wkShape_Check(&shape), wk_errorRange);
    shape.rounding = 0.1;
    shape.padding = NAN;
    assert_int_equal(wkShape_Check(&shape), wk_errorNotFinite);
    shape.padding = -5.0;
    assert_int_equal(wkShape_Check(&shape), wk_ok);
    shape.type = (wkShapeType)99;
    assert_int_equal(wkShape_Check(&shape), wk_errorArgument);
    assert_int_equal(wkShape_Check(NULL), wk_errorArgument);
    wkShape plane = wkMakePlane(wkVec(0.0, 0.0, 1.0), 0.0);
    plane.plane.normal.z = 2.0;
    assert_int_equal(wkShape_Check(&plane), wk_errorRange);
}

// `isValid` is the fast twin of `check`: poison one number after the other.
static void valid_means_checked(void** state)
{
    (void)state;
    const double poisons[] = {NAN, INFINITY, -INFINITY, -1.0, 1e61, 1e308};
    wkRng rng = wkMakeRng(UNIT_SEED);
    wkShapeBank bank;
    wkShapeBank_Create(&bank, UNIT_SEED);
    for (int type = 1; type < WK_CONVEX_TYPE_COUNT; ++type) {
        wkShape good = wkRandomShape(&rng, &bank, (wkShapeType)type, 1.0);
        const wkConvexRow* row = wkConvexRowOf(&good);
        assert_true(row->isValid(&good) && row->check(&good) == wk_ok);
        for (int k = 0; k < 6; ++k) {
            for (size_t at = offsetof(wkShape, rounding); at < sizeof good; at += sizeof(double)) {
                bool isPointer = type == wk_shapeHull && at >= offsetof(wkShape, hull);
                wkShape bad = good;
                memcpy((char*)&bad + at, &poisons[k], sizeof(double));
                if (!isPointer) {
                    bool isOk = row->check(&bad) == wk_ok;
                    UNIT_CHECK(row->isValid(&bad) == isOk, &bad, "poison %g at %d", poisons[k],
                               (int)at);
                }
            }
        }
    }
    wkShapeBank_Destroy(&bank);
}

static void names_lead_back_to_types(void** state)
{
    (void)state;
    for (int type = 1; type < WK_CONVEX_TYPE_COUNT; ++type) {
        const char* name = wkShapeTypeName((wkShapeType)type);
        wkShapeType found = wk_shapeNone;
        assert_int_equal(wkShapeTypeFromName(name, &found), wk_ok);
        assert_int_equal(found, type);
    }
    assert_string_equal(wkShapeTypeName(wk_shapeHull), "convex");
    assert_string_equal(wkShapeTypeName(wk_shapeNone), "none");
    assert_string_equal(wkShapeTypeName((wkShapeType)-3), "none");
    wkShapeType kept = wk_shapeBox;
    assert_int_equal(wkShapeTypeFromName("teapot", &kept), wk_errorArgument);
    assert_int_equal(wkShapeTypeFromName("none", &kept), wk_errorArgument);
    assert_int_equal(wkShapeTypeFromName(NULL, &kept), wk_errorArgument);
    assert_int_equal(kept, wk_shapeBox);
}

static void bounds_of_plain_bodies_are_known(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(2.0, 4.0, 6.0);
    box.rounding = 0.25;
    box.padding = 0.25;
    wkAabb bounds = wkShape_Bounds(&box, wkMakePose(10.0, 0.0, 0.0));
    assertVecNear(bounds.lower, wkVec(8.5, -2.5, -3.5), 1e-13);
    assertVecNear(bounds.upper, wkVec(11.5, 2.5, 3.5), 1e-13);

    // along the axis a disc has no thickness, not the square root of rounding
    wkShape disc = wkMakeCylinder(1.0, 0.0);
    bounds =
        wkShape_Bounds(&disc, wkMakePoseRpy(wkVec(0.0, 0.0, 0.0), 1.57079632679489662, 0.0, 0.0));
    assertVecNear(bounds.upper, wkVec(1.0, 0.0, 1.0), 1e-14);

    wkShape thin = wkMakeBox(1.0, 1.0, 0.1);
    thin.padding = -0.2;
    bounds = wkShape_Bounds(&thin, wkIdentityPose());
    assert_true(bounds.lower.z > bounds.upper.z);
}

static void bounds_of_planes_are_finite_across_them_alone(void** state)
{
    (void)state;
    wkShape halfspace = wkMakeHalfspace(wkVec(0.0, 0.0, -1.0), 2.0);
    wkAabb bounds = wkShape_Bounds(&halfspace, wkMakePose(0.0, 0.0, 1.0));
    assertNear(bounds.lower.z, -1.0, 1e-13);
    assert_true(bounds.upper.z == INFINITY && bounds.lower.x == -INFINITY);
    wkShape plane = wkMakePlane(wkVec(1.0, 0.0, 0.0), 2.0);
    plane.rounding = 0.5;
    bounds = wkShape_Bounds(&plane, wkIdentityPose());
    assertNear(bounds.lower.x, 1.5, 1e-13);
    assertNear(bounds.upper.x, 2.5, 1e-13);
    bounds = wkShape_Bounds(&plane, wkMakePoseRpy(wkVec(0.0, 0.0, 0.0), 0.0, 0.0, 1e-9));
    assert_true(bounds.upper.x == INFINITY && bounds.lower.x == -INFINITY);
}

static wkPose randomPose(wkRng* rng, double size)
{
    wkPose pose = wkMakePose(size * wkRngRange(rng, -1.0, 1.0), size * wkRngRange(rng, -1.0, 1.0),
                             size * wkRngRange(rng, -1.0, 1.0));
    pose.rotation = wkRngChance(rng, 3) ? wkRngRightAngles(rng) : wkRngRotation(rng);
    return pose;
}

// Every point of the body is inside its bounds, and each side of them is reached.
static void bounds_hold_the_body_tightly(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    wkShapeBank bank;
    wkShapeBank_Create(&bank, UNIT_SEED);
    for (int type = 1; type < wk_shapeHalfspace; ++type) {
        for (int i = 0; i < 600; ++i) {
            wkShape shape = unitShape(&rng, &bank, (wkShapeType)type, i % UNIT_KIND_COUNT);
            shape.padding = fabs(shape.padding);
            wkPose pose = randomPose(&rng, wkRngChance(&rng, 3) ? 1e5 : 1.0);
            wkAabb bounds = wkShape_Bounds(&shape, pose);
            double slack = 2e-14 * (unitSize(&shape) + wkMaxAbs(pose.position));
            for (int k = 0; k < 6; ++k) {
                double sign = k < 3 ? 1.0 : -1.0;
                int axis = k % 3;
                wkVec3d unit = wkVec(axis == 0, axis == 1, axis == 2);
                wkVec3d tip = wkShape_Support(&shape, pose, wkScale(sign, unit));
                wkVec3d side = sign > 0.0 ? bounds.upper : bounds.lower;
                double gap = sign * wkDot(unit, wkSub(side, tip));
                UNIT_CHECK(gap >= 0.0 && gap <= slack, &shape, "side %d: room %g, slack %g", k, gap,
                           slack);
            }
            wkVec3d tip = wkShape_Support(&shape, pose, wkRngDirection(&rng));
            wkVec3d above = wkSub(bounds.upper, tip), below = wkSub(tip, bounds.lower);
            UNIT_CHECK(wkMinD(wkMinD(above.x, above.y), above.z) >= 0.0 &&
                           wkMinD(wkMinD(below.x, below.y), below.z) >= 0.0,
                       &shape, "a point of the body is out of bounds");
        }
    }
    wkShapeBank_Destroy(&bank);
}

static void support_is_on_the_surface_and_nothing_is_further(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    wkShapeBank bank;
    wkShapeBank_Create(&bank, UNIT_SEED);
    for (int type = 1; type < wk_shapeHalfspace; ++type) {
        for (int i = 0; i < 600; ++i) {
            wkShape shape = unitShape(&rng, &bank, (wkShapeType)type, i % UNIT_KIND_COUNT);
            shape.padding = fabs(shape.padding);
            wkPose pose = randomPose(&rng, 1.0);
            wkVec3d direction = wkScale(wkRngLogRange(&rng, 1e-200, 1e200), wkRngDirection(&rng));
            wkVec3d tip = wkShape_Support(&shape, pose, direction);
            double tolerance = 1e-13 * (unitSize(&shape) + 1.0);
            double gap = wkShape_PointDistance(&shape, pose, tip);
            UNIT_CHECK(fabs(gap) <= tolerance, &shape, "support is off the surface by %g", gap);
            wkVec3d other = wkShape_Support(&shape, pose, wkRngDirection(&rng));
            double further = wkDot(wkNormalizeOr(direction, direction), wkSub(other, tip));
            UNIT_CHECK(further <= tolerance, &shape, "another point is further by %g", further);
        }
    }
    wkShapeBank_Destroy(&bank);
}

static void containment_is_the_sign_of_the_distance(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    wkShapeBank bank;
    wkShapeBank_Create(&bank, UNIT_SEED);
    for (int type = 1; type < WK_CONVEX_TYPE_COUNT; ++type) {
        for (int i = 0; i < 600; ++i) {
            wkShape shape = unitShape(&rng, &bank, (wkShapeType)type, i % UNIT_KIND_COUNT);
            wkPose pose = randomPose(&rng, 1.0);
            wkVec3d local = unitPoint(&rng, &shape);
            wkVec3d point = wkTransformPoint(pose, local);
            double distance = wkShape_PointDistance(&shape, pose, point);
            assert_int_equal(wkShape_ContainsPoint(&shape, pose, point), distance <= 0.0);

            // the distance does not depend on where the shape stands
            double atHome = wkShape_PointDistance(&shape, wkIdentityPose(), local);
            double tolerance = 2e-14 * (unitSize(&shape) + wkMaxAbs(local) + 1.0);
            UNIT_CHECK(fabs(distance - atHome) <= tolerance, &shape, "%g, at home %g", distance,
                       atHome);
        }
    }
    wkShapeBank_Destroy(&bank);
}

// What rounding moves off a surface must still count as touching it.
static void points_of_the_surface_are_contained(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < 2000; ++i) {
        wkVec3d half = wkVec(wkRngRange(&rng, 0.1, 1.0), wkRngRange(&rng, 0.1, 1.0),
                             wkRngRange(&rng, 0.1, 1.0));
        wkShape box = wkMakeBox(2.0 * half.x, 2.0 * half.y, 2.0 * half.z);
        wkPose pose = randomPose(&rng, 1.0);
        pose.position = wkVec(0.0, 0.0, 0.0);
        assert_true(wkShape_ContainsPoint(&box, pose, wkTransformPoint(pose, half)));
    }
}

static void bad_input_is_inside_and_everywhere(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(1.0, 1.0, 1.0);
    wkShape none = wkMakeSphere(-1.0);
    wkPose pose = wkIdentityPose(), broken = wkMakePose(0.0, NAN, 0.0);
    wkVec3d far = wkVec(10.0, 0.0, 0.0), nan = wkVec(NAN, 0.0, 0.0);
    assert_true(wkShape_PointDistance(&box, pose, nan) == -INFINITY);
    assert_true(wkShape_PointDistance(&box, broken, far) == -INFINITY);
    assert_true(wkShape_PointDistance(&none, pose, far) == -INFINITY);
    assert_true(wkShape_PointDistance(NULL, pose, far) == -INFINITY);
    assert_true(wkShape_ContainsPoint(&box, pose, nan));
    assert_true(wkShape_ContainsPoint(&none, pose, far));
    assert_false(wkShape_ContainsPoint(&box, pose, far));
    wkAabb bounds = wkShape_Bounds(&box, broken);
    assert_true(bounds.lower.x == -INFINITY && bounds.upper.z == INFINITY);
    bounds = wkShape_Bounds(&none, pose);
    assert_true(bounds.lower.y == -INFINITY && bounds.upper.y == INFINITY);
    assertVecNear(wkShape_Support(&none, pose, far), wkVec(0.0, 0.0, 0.0), 0.0);
    assert_true(wkIsFiniteVec(wkShape_Support(&box, pose, nan)));
    assert_true(wkIsFiniteVec(wkShape_Support(&box, pose, wkVec(0.0, 0.0, 0.0))));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makers_halve_and_normalise),
        cmocka_unit_test(bad_parameters_make_no_shape_and_are_named),
        cmocka_unit_test(checks_find_fields_that_were_set_by_hand),
        cmocka_unit_test(valid_means_checked),
        cmocka_unit_test(names_lead_back_to_types),
        cmocka_unit_test(bounds_of_plain_bodies_are_known),
        cmocka_unit_test(bounds_of_planes_are_finite_across_them_alone),
        cmocka_unit_test(bounds_hold_the_body_tightly),
        cmocka_unit_test(support_is_on_the_surface_and_nothing_is_further),
        cmocka_unit_test(containment_is_the_sign_of_the_distance),
        cmocka_unit_test(points_of_the_surface_are_contained),
        cmocka_unit_test(bad_input_is_inside_and_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
