// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Ray casts. Along a ray the signed distance is convex, so a hit is proved by a distance of zero
// where it is reported and a positive one before, and a miss by the smallest distance on the ray.

#include "unit_kit.h"

#include "whisker/detail/counts.h"
#include "whisker/query.h"

static wkRay makeRay(wkVec3d origin, wkVec3d direction)
{
    wkRay ray = {origin, direction, INFINITY};
    return ray;
}

static void checkHit(wkShape shape, wkVec3d origin, wkVec3d direction, double distance,
                     wkVec3d normal)
{
    wkRayResult r = wkShape_RayCast(&shape, wkIdentityPose(), makeRay(origin, direction));
    UNIT_CHECK(r.isHit && r.status == wk_statusExact, &shape, "no hit");
    assertNear(r.distance, distance, 1e-14);
    assertVecNear(r.normal, normal, 1e-14);
    assertVecNear(r.point, wkMulAdd(origin, distance, wkNormalizeOr(direction, direction)), 1e-14);
}

static void every_shape_is_hit_where_it_stands(void** state)
{
    (void)state;
    wkVec3d right = wkVec(1.0, 0.0, 0.0), left = wkVec(-1.0, 0.0, 0.0);
    wkVec3d up = wkVec(0.0, 0.0, 1.0), down = wkVec(0.0, 0.0, -1.0);
    wkVec3d fromLeft = wkVec(-5.0, 0.0, 0.0), above = wkVec(0.0, 0.0, 5.0);
    checkHit(wkMakeSphere(1.0), fromLeft, wkVec(7.0, 0.0, 0.0), 4.0, left);
    checkHit(wkMakeBox(2.0, 4.0, 6.0), fromLeft, right, 4.0, left);
    checkHit(wkMakeCapsule(1.0, 4.0), fromLeft, right, 4.0, left);
    checkHit(wkMakeCapsule(1.0, 4.0), above, down, 2.0, up);
    checkHit(wkMakeCylinder(1.0, 4.0), fromLeft, right, 4.0, left);
    checkHit(wkMakeCylinder(1.0, 4.0), above, down, 3.0, up);
    checkHit(wkMakeCone(3.0, 4.0), wkVec(-6.5, 0.0, 0.0), right, 5.0, wkVec(-0.8, 0.0, 0.6));
    checkHit(wkMakeCone(3.0, 4.0), wkVec(1.0, 0.0, -5.0), up, 3.0, down);
    checkHit(wkMakeEllipsoid(1.0, 2.0, 3.0), fromLeft, right, 4.0, left);
    checkHit(wkMakeHalfspace(up, 1.0), above, down, 4.0, up);
    checkHit(wkMakePlane(up, 1.0), above, down, 4.0, up);
    checkHit(wkMakePlane(up, 1.0), wkVec(0.0, 0.0, -5.0), up, 6.0, down);
    wkShape triangle =
        wkMakeTriangle(wkVec(-1.0, -1.0, 0.0), wkVec(3.0, -1.0, 0.0), wkVec(-1.0, 3.0, 0.0));
    checkHit(triangle, above, down, 5.0, up);
    checkHit(triangle, wkVec(0.0, 0.0, -5.0), up, 5.0, down);
    checkHit(triangle, fromLeft, right, 4.0, left);
}

static void rounding_and_padding_move_the_surface(void** state)
{
    (void)state;
    wkVec3d fromLeft = wkVec(-5.0, 0.0, 0.0);
    wkVec3d right = wkVec(1.0, 0.0, 0.0), left = wkVec(-1.0, 0.0, 0.0);
    wkShape shapes[] = {wkMakeSphere(1.0),        wkMakeBox(2.0, 2.0, 2.0),
                        wkMakeCylinder(1.0, 2.0), wkMakeEllipsoid(1.0, 2.0, 3.0),
                        wkMakeCapsule(1.0, 2.0),  wkMakeHalfspace(left, 1.0)};
    for (int i = 0; i < (int)(sizeof shapes / sizeof shapes[0]); ++i) {
        shapes[i].rounding = 0.5;
        checkHit(shapes[i], fromLeft, right, 3.5, left);
        shapes[i].padding = -0.75;
        checkHit(shapes[i], fromLeft, right, 4.25, left);
    }
}

static void rays_end_at_their_length(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(2.0, 2.0, 2.0);
    wkRay ray = {wkVec(-5.0, 0.0, 0.0), wkVec(1.0, 0.0, 0.0), 3.0};
    assert_false(wkShape_RayCast(&box, wkIdentityPose(), ray).isHit);
    ray.maxDistance = 4.0;
    assert_true(wkShape_RayCast(&box, wkIdentityPose(), ray).isHit);
    box.rounding = 0.5;
    ray.maxDistance = 3.25;
    assert_false(wkShape_RayCast(&box, wkIdentityPose(), ray).isHit);
    ray.maxDistance = 0.0;
    ray.origin.x = 0.0;
    assert_true(wkShape_RayCast(&box, wkIdentityPose(), ray).isHit);
}

static void a_ray_that_starts_inside_hits_at_once(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(2.0, 2.0, 2.0);
    wkVec3d origin = wkVec(0.75, 0.0, 0.0);
    wkRayResult r = wkShape_RayCast(&box, wkIdentityPose(), makeRay(origin, wkVec(-1.0, 0.0, 0.0)));
    assert_true(r.isHit);
    assertNear(r.distance, 0.0, 0.0);
    assertVecNear(r.point, origin, 0.0);
    assertVecNear(r.normal, wkVec(1.0, 0.0, 0.0), 0.0);
}

static void rays_through_vertices_and_along_faces_hit(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(2.0, 2.0, 2.0);
    const wkRay rays[] = {
        makeRay(wkVec(-5.0, 1.0, 0.0), wkVec(1.0, 0.0, 0.0)),
        makeRay(wkVec(-5.0, 1.0, 1.0), wkVec(1.0, 0.0, 0.0)),
        makeRay(wkVec(-3.0, -3.0, -3.0), wkVec(1.0, 1.0, 1.0)),
        makeRay(wkVec(0.0, 2.0, 0.0), wkVec(1.0, -1.0, 0.0)),
    };
    for (int i = 0; i < 4; ++i) {
        assert_true(wkShape_RayCast(&box, wkIdentityPose(), rays[i]).isHit);
    }
    wkShape sphere = wkMakeSphere(1.0);
    wkRay tangent = makeRay(wkVec(-5.0, 1.0, 0.0), wkVec(1.0, 0.0, 0.0));
    assert_true(wkShape_RayCast(&sphere, wkIdentityPose(), tangent).isHit);
}

static void bad_input_is_a_hit_that_says_so(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(1.0, 1.0, 1.0);
    wkShape none = wkMakeSphere(-1.0);
    wkPose pose = wkMakePose(10.0, 0.0, 0.0);
    wkPose broken = wkMakePose(NAN, 0.0, 0.0);
    wkRay good = makeRay(wkVec(0.0, 0.0, 0.0), wkVec(0.0, 1.0, 0.0));
    wkRay bad[6] = {good, good, good, good, good, good};
    bad[0].direction = wkVec(0.0, 0.0, 0.0);
    bad[1].direction.x = NAN;
    bad[2].direction.x = INFINITY;
    bad[3].origin.z = NAN;
    bad[4].maxDistance = NAN;
    bad[5].maxDistance = -1.0;
    assert_false(wkShape_RayCast(&box, pose, good).isHit);
    for (int i = 0; i < 6; ++i) {
        wkRayResult r = wkShape_RayCast(&box, pose, bad[i]);
        assert_true(r.isHit && r.status == wk_statusInvalid && r.distance == 0.0);
    }
    assert_int_equal(wkShape_RayCast(&none, pose, good).status, wk_statusInvalid);
    assert_int_equal(wkShape_RayCast(NULL, pose, good).status, wk_statusInvalid);
    assert_int_equal(wkShape_RayCast(&box, broken, good).status, wk_statusInvalid);
    assert_true(wkShape_RayCast(&box, broken, good).isHit);
}

// Smallest signed distance on the ray, by golden section: the function is convex.
static double smallestOnRay(const wkShape* shape, wkPose pose, wkVec3d origin, wkVec3d direction,
                            double from, double to)
{
    for (int i = 0; i < 90; ++i) {
        double a = from + 0.382 * (to - from), b = from + 0.618 * (to - from);
        double atA = wkShape_PointDistance(shape, pose, wkMulAdd(origin, a, direction));
        double atB = wkShape_PointDistance(shape, pose, wkMulAdd(origin, b, direction));
        if (atA < atB) {
            to = b;
        } else {
            from = a;
        }
    }
    return wkShape_PointDistance(shape, pose, wkMulAdd(origin, from, direction));
}

static void checkRay(const wkShape* shape, wkPose pose, wkRay ray, double tolerance)
{
    wkRayResult r = wkShape_RayCast(shape, pose, ray);
    wkVec3d direction = wkNormalizeOr(ray.direction, ray.direction);
    double start = wkShape_PointDistance(shape, pose, ray.origin);
    const char* words = "pose %.17g %.17g %.17g, %.17g %.17g %.17g %.17g\n"
                        "origin %.17g %.17g %.17g, direction %.17g %.17g %.17g\n%s: %g, at %g";
#define CHECK_RAY(condition, what, value)                                                          \
    UNIT_CHECK(condition, shape, words, pose.position.x, pose.position.y, pose.position.z,         \
               pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w, ray.origin.x,   \
               ray.origin.y, ray.origin.z, ray.direction.x, ray.direction.y, ray.direction.z,      \
               what, value, r.distance)

    CHECK_RAY(r.status == wk_statusExact, "status", (double)r.status);
    if (!r.isHit) {
        double reach = unitSize(shape) + wkLength(wkSub(ray.origin, pose.position));
        double smallest = smallestOnRay(shape, pose, ray.origin, direction, 0.0, 3.0 * reach);
        CHECK_RAY(smallest > -tolerance, "missed, smallest distance", smallest);
        return;
    }
    double end = wkShape_PointDistance(shape, pose, r.point);
    CHECK_RAY(fabs(wkLength(r.normal) - 1.0) < 1e-14, "normal", wkLength(r.normal));
    if (!(start > 0.0)) {
        CHECK_RAY(r.distance == 0.0, "starts inside", start);
        return;
    }
    tolerance += 1e-14 * r.distance;
    CHECK_RAY(fabs(end) <= tolerance, "distance of the hit", end);
    CHECK_RAY(wkDot(r.normal, direction) <= 1e-6, "leaves", wkDot(r.normal, direction));
    for (int i = 1; i < 8; ++i) {
        double before = r.distance * (1.0 - pow(10.0, -0.75 * i));
        double gap = wkShape_PointDistance(shape, pose, wkMulAdd(ray.origin, before, direction));
        CHECK_RAY(gap > -tolerance, "was inside before", gap);
    }
#undef CHECK_RAY
}

static wkRay aimedRay(wkRng* rng, const wkShape* shape, wkPose pose)
{
    double size = unitSize(shape);
    double away = size * wkRngLogRange(rng, 0.5, wkRngChance(rng, 4) ? 1e5 : 10.0);
    wkVec3d origin = wkMulAdd(pose.position, away, wkRngDirection(rng));
    wkVec3d target = wkTransformPoint(pose, unitPoint(rng, shape));
    wkRay ray = makeRay(origin, wkSub(target, origin));
    if (wkRngChance(rng, 5)) {
        ray.direction = wkRngDirection(rng);
    } else if (wkRngChance(rng, 5)) {
        // along an axis of the shape, where spans divide by zero
        int axis = wkRngBelow(rng, 3);
        wkVec3d unit = wkVec(axis == 0, axis == 1, axis == 2);
        ray.direction = wkRotateVector(pose, wkScale(wkRngSign(rng), unit));
        ray.origin = wkMulSub(target, away, ray.direction);
    }
    return ray;
}

static void hits_lie_on_the_surface_and_misses_are_free(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    wkShapeBank bank;
    wkShapeBank_Create(&bank, UNIT_SEED);
    for (int type = 1; type < WK_CONVEX_TYPE_COUNT; ++type) {
        for (int i = 0; i < 1500; ++i) {
            wkShape shape = unitShape(&rng, &bank, (wkShapeType)type, i % UNIT_KIND_COUNT);
            if (wkRngChance(&rng, 3)) {
                shape.padding = unitSize(&shape) * wkRngRange(&rng, -0.1, 0.2);
            }
            wkPose pose = wkMakePose(wkRngUnit(&rng), wkRngUnit(&rng), wkRngUnit(&rng));
            if (wkRngChance(&rng, 2)) {
                pose.rotation = wkRngRotation(&rng);
            }
            wkRay ray = aimedRay(&rng, &shape, pose);
            double away = wkLength(wkSub(ray.origin, pose.position));
            // grazing rays multiply rounding by the inverse of the angle, most of all at edges
            double share = type == wk_shapeHull ? 1e-9 : 1e-12;
            double tolerance = share * (unitSize(&shape) + away) + 2e-15 * wkLength(ray.origin);
            checkRay(&shape, pose, ray, tolerance);
        }
    }
    wkShapeBank_Destroy(&bank);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_is_hit_where_it_stands),
        cmocka_unit_test(rounding_and_padding_move_the_surface),
        cmocka_unit_test(rays_end_at_their_length),
        cmocka_unit_test(a_ray_that_starts_inside_hits_at_once),
        cmocka_unit_test(rays_through_vertices_and_along_faces_hit),
        cmocka_unit_test(bad_input_is_a_hit_that_says_so),
        cmocka_unit_test(hits_lie_on_the_surface_and_misses_are_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
