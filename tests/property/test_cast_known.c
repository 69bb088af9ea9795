// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Casts with known answers: closed forms, grazing contacts, rotations, sizes from tiny to huge, bad input.

#include "asserts.h"
#include "cast_check.h"
#include "whisker/whisker.h"

#define HALF_TURN 3.14159265358979323846

static wkPose rotatedPose(wkVec3d position, wkVec3d axis, double angle)
{
    wkPose pose = {position, wkMakeQuat(axis, angle)};
    return pose;
}

// Fails when the bracket of an exact result does not hold the truth, up to `slack` of rounding.
static void assertTime(const wkCastResult* r, double truth, double slack)
{
    bool holds = r->time <= truth + slack && r->touchingBy >= truth - slack;
    if (!r->isTouching || r->status != wk_statusExact || !holds || r->touchingBy - r->time > 1e-6) {
        fail_msg("%s, touching %d, between %.17g and %.17g, truth %.17g", wkStatusName(r->status),
                 (int)r->isTouching, r->time, r->touchingBy, truth);
    }
}

static void assertFree(const wkCastResult* r)
{
    if (r->isTouching || r->status != wk_statusExact || r->time != 1.0) {
        fail_msg("%s, touching %d, between %.17g and %.17g, expected free", wkStatusName(r->status),
                 (int)r->isTouching, r->time, r->touchingBy);
    }
}

static wkCastResult castLinear(const wkShape* a, wkPose a0, wkPose a1, const wkShape* b, wkPose b0,
                               wkPose b1)
{
    wkBodyMotion motionA = wkMakeLinearMotion(a0, a1), motionB = wkMakeLinearMotion(b0, b1);
    return wkCast(a, &motionA, b, &motionB, NULL);
}

// First time at which two points that move linearly are `reach` apart, or infinity.
static double meetingTime(wkVec3d start, wkVec3d way, double reach)
{
    double a = wkSceneDot(way, way), b = wkSceneDot(start, way);
    double c = wkSceneDot(start, start) - reach * reach, square = b * b - a * c;
    double time = square >= 0.0 ? (-b - sqrt(square)) / a : INFINITY;
    return time >= 0.0 && time <= 1.0 ? time : INFINITY;
}

static void spheres_meet_when_the_closed_form_says(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    int contactCount = 0;
    for (int i = 0; i < wkKitCases(5000); i++) {
        double size = wkRngLogRange(&rng, 1e-3, 1e3);
        wkShape a = wkMakeSphere(size * wkRngUnit(&rng)), b = wkMakeSphere(size * wkRngUnit(&rng));
        double reach = a.sphere.radius + b.sphere.radius;
        wkVec3d at = wkSceneScale(wkRngDirection(&rng), wkRngRange(&rng, 1.01, 3.0) * reach);
        wkVec3d aim = wkSceneScale(wkRngDirection(&rng), wkRngRange(&rng, 0.0, 1.2) * reach);
        wkVec3d way = wkSceneScale(wkSceneSub(aim, at), wkRngRange(&rng, 0.1, 5.0));
        wkVec3d wayA = wkSceneScale(wkRngDirection(&rng), reach);
        wkPose a0 = wkIdentityPose(), a1 = {wayA, wkRngRotation(&rng)};
        wkPose b0 = {at, wkRngRotation(&rng)};
        wkPose b1 = {wkSceneAdd(wkSceneAdd(at, way), wayA), wkRngRotation(&rng)};
        wkCastResult r = castLinear(&a, a0, a1, &b, b0, b1);
        double truth = meetingTime(at, way, reach);
        if (truth < INFINITY) {
            assertTime(&r, truth, 1e-9);
            contactCount++;
        } else if (r.status == wk_statusExact) {
            assertFree(&r);
        }
        assert_true(r.iterations < 100);
    }
    assert_true(contactCount > wkKitCases(5000) / 3);
}

static void a_box_falls_on_the_ground(void** state)
{
    (void)state;
    wkShape ground = wkMakeHalfspace(wkSceneVec(0.0, 0.0, 1.0), 0.0);
    wkShape box = wkMakeBox(1.0, 1.0, 1.0);
    wkPose here = wkIdentityPose();
    wkCastResult r = castLinear(&ground, here, here, &box, wkMakePose(0.0, 0.0, 2.5),
                                wkMakePose(0.0, 0.0, -1.5));
    assertTime(&r, 0.5, 1e-12);
    assert_true(fabs(r.normal.z - 1.0) < 1e-12 && fabs(r.pointA.z) < 1e-12);
    assert_true(r.distance > 0.0 && r.distance < 1e-5 && r.iterations <= 4);

    // on an edge: the height of the middle is half the diagonal
    wkVec3d axis = wkSceneVec(1.0, 0.0, 0.0);
    r = castLinear(&box, rotatedPose(wkSceneVec(0.0, 0.0, 2.5), axis, HALF_TURN / 4.0),
                   rotatedPose(wkSceneVec(0.0, 0.0, -1.5), axis, HALF_TURN / 4.0), &ground, here,
                   here);
    assertTime(&r, (2.5 - sqrt(0.5)) / 4.0, 1e-12);
    assert_true(fabs(r.normal.z + 1.0) < 1e-12);
}

// A sphere on an arm of 2 m, from the x axis to the y axis, meets a wall at y = 1.5 with its radius of 0.5.
static void a_screw_meets_a_wall_at_its_angle(void** state)
{
    (void)state;
    wkShape sphere = wkMakeSphere(0.5), wall = wkMakePlane(wkSceneVec(0.0, 1.0, 0.0), 1.5);
    wkVec3d axis = wkSceneVec(0.0, 0.0, 1.0);
    wkBodyMotion motion = wkMakeScrewMotion(
        wkMakePose(2.0, 0.0, 0.0), rotatedPose(wkSceneVec(0.0, 2.0, 0.0), axis, HALF_TURN / 2.0));
    wkBodyMotion here = wkMakeStaticMotion(wkIdentityPose());
    wkCastResult r = wkCast(&sphere, &motion, &wall, &here, NULL);
    assertTime(&r, 1.0 / 3.0, 1e-12);

    // the wall turns instead, in its own frame
    wkBodyMotion turning = wkMakeScrewMotion(
        wkIdentityPose(), rotatedPose(wkSceneVec(0.0, 0.0, 0.0), axis, -HALF_TURN / 2.0));
    wkBodyMotion away = wkMakeStaticMotion(wkMakePose(2.0, 0.0, 0.0));
    r = wkCast(&wall, &turning, &sphere, &away, NULL);
    assertTime(&r, 1.0 / 3.0, 1e-12);
}

// A vertex of a spinning box is sqrt(0.5) away from its axis.
static void spinning_boxes_reach_as_far_as_their_vertices(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(1.0, 1.0, 1.0), wall = wkMakeBox(1.0, 10.0, 10.0);
    wkVec3d axis = wkSceneVec(0.0, 0.0, 1.0), origin = wkSceneVec(0.0, 0.0, 0.0);
    wkPose start = rotatedPose(origin, axis, 0.0), end = rotatedPose(origin, axis, 1.5);
    double reach = 0.65; // met when cos(45 degrees - angle) * sqrt(0.5) is as much
    wkPose near = wkMakePose(0.5 + reach, 0.0, 0.0), far = wkMakePose(1.21, 0.0, 0.0);
    wkCastResult r = castLinear(&box, start, end, &wall, near, near);
    assertTime(&r, (HALF_TURN / 4.0 - acos(reach / sqrt(0.5))) / 1.5, 1e-12);
    r = castLinear(&box, start, end, &wall, far, far);
    assertFree(&r);
    assert_true(r.iterations < 100);
}

// A needle of 10 m spins by three rotations between two walls, a millimetre apart from its ends.
static void spinning_needles_miss_and_hit(void** state)
{
    (void)state;
    wkShape needle = wkMakeCapsule(1e-4, 10.0), sphere = wkMakeSphere(0.1);
    wkMotionSample samples[7];
    wkVec3d axis = wkSceneVec(0.0, 1.0, 0.0), origin = wkSceneVec(0.0, 0.0, 0.0);
    for (int i = 0; i < 7; i++) {
        samples[i].time = i / 6.0;
        samples[i].pose = rotatedPose(origin, axis, i * 0.5 * HALF_TURN + 0.3);
    }
    wkBodyMotion spinning = wkMakeSampledMotion(samples, 7);
    wkBodyMotion beyond = wkMakeStaticMotion(wkMakePose(0.0, 0.0, 5.1011));
    wkCastResult r = wkCast(&needle, &spinning, &sphere, &beyond, NULL);
    assertFree(&r);
    wkBodyMotion within = wkMakeStaticMotion(wkMakePose(0.0, 0.0, 5.099));
    r = wkCast(&needle, &spinning, &sphere, &within, NULL);
    assert_true(r.isTouching && r.status == wk_statusExact && r.iterations < 200);

    // beside the plane of the needle
    wkBodyMotion beside = wkMakeStaticMotion(wkMakePose(0.0, 0.101, 3.0));
    r = wkCast(&needle, &spinning, &sphere, &beside, NULL);
    assertFree(&r);
    wkBodyMotion inPlane = wkMakeStaticMotion(wkMakePose(3.0, 0.09, 0.0));
    r = wkCast(&sphere, &inPlane, &needle, &spinning, NULL);
    assert_true(r.isTouching && r.status == wk_statusExact);
}

// A sphere passes over another with a gap, or an overlap, far below what steps of equal length find.
static void grazing_contacts_take_tens_of_queries(void** state)
{
    (void)state;
    wkShape sphere = wkMakeSphere(1.0), other = wkMakeEllipsoid(1.0, 1.0, 1.0);
    wkPose here = wkIdentityPose();
    const double gaps[] = {1e-3, 1e-5, 1e-7, 1e-9, 1e-11};
    for (int i = 0; i < 5; i++) {
        const wkShape* shapes[2] = {&sphere, &other};
        for (int k = 0; k < 2; k++) {
            // pairs without a closed form have fewer digits
            if (k == 1 && gaps[i] < 1e-8) {
                continue;
            }
            wkPose miss0 = wkMakePose(-3.0, 0.0, 2.0 + gaps[i]);
            wkPose miss1 = wkMakePose(4.0, 0.0, 2.0 + gaps[i]);
            wkCastResult r = castLinear(&sphere, here, here, shapes[k], miss0, miss1);
            assertFree(&r);
            assert_true(r.iterations <= 60);
            wkPose hit0 = wkMakePose(-3.0, 0.0, 2.0 - gaps[i]);
            wkPose hit1 = wkMakePose(4.0, 0.0, 2.0 - gaps[i]);
            r = castLinear(&sphere, here, here, shapes[k], hit0, hit1);
            double truth = meetingTime(hit0.position, wkSceneVec(7.0, 0.0, 0.0), 2.0);
            assertTime(&r, truth, k == 0 ? 1e-8 : 1e-6);
            assert_true(r.iterations <= 60);
        }
    }
}

static void a_box_moves_along_the_ground(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(1.0, 1.0, 1.0), ground = wkMakeBox(10.0, 10.0, 1.0);
    wkPose here = wkMakePose(0.0, 0.0, -0.5);
    wkCastResult r = castLinear(&ground, here, here, &box, wkMakePose(-3.0, 0.0, 0.5 + 1e-9),
                                wkMakePose(3.0, 1.0, 0.5 + 1e-9));
    assertFree(&r);
    assert_true(r.iterations <= 2);
    r = castLinear(&ground, here, here, &box, wkMakePose(-3.0, 0.0, 0.5),
                   wkMakePose(3.0, 1.0, 0.5));
    assert_true(r.isTouching && r.time == 0.0);
}

static void bodies_that_touch_at_the_start_touch_at_0(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(1.0, 1.0, 1.0);
    wkPose here = wkIdentityPose();
    wkCastResult r =
        castLinear(&box, here, here, &box, wkMakePose(0.75, 0.0, 0.0), wkMakePose(5.0, 0.0, 0.0));
    assert_true(r.isTouching && r.time == 0.0 && r.touchingBy == 0.0 && r.status == wk_statusExact);
    assert_true(fabs(r.distance + 0.25) < 1e-12 && fabs(r.normal.x - 1.0) < 1e-12);
}

static void motions_that_are_shared_have_no_contact(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    wkShape box = wkMakeBox(1.0, 1.0, 1.0);
    wkPose start = {wkSceneVec(1.0, 2.0, 3.0), wkRngRotation(&rng)};
    wkPose end = {wkSceneVec(-30.0, 10.0, 3.0), wkRngRotation(&rng)};
    wkPose beside = wkMakePose(1.05, 0.0, 0.0);
    wkBodyMotion a = wkMakeScrewMotion(start, end);
    wkBodyMotion b = wkMakeScrewMotion(wkMulPose(start, beside), wkMulPose(end, beside));
    wkCastResult r = wkCast(&box, &a, &box, &b, NULL);
    assertFree(&r);
    assert_true(r.iterations < 100);
}

// The same scene at every size, and far away from the origin of the world.
static void sizes_and_positions_make_no_difference(void** state)
{
    (void)state;
    for (int power = -4; power <= 6; power++) {
        double size = pow(10.0, power);
        wkShape box = wkMakeBox(size, size, size), sphere = wkMakeSphere(0.5 * size);
        for (int i = 0; i < 2; i++) {
            double x = i == 0 ? 0.0 : 1e5 * size;
            wkPose here = wkMakePose(x, 0.0, 0.0);
            wkVec3d end = wkSceneVec(x - 3.0 * size, 0.1 * size, 0.0);
            wkCastResult r =
                castLinear(&box, here, here, &sphere, wkMakePose(x + 3.0 * size, 0.1 * size, 0.0),
                           rotatedPose(end, wkSceneVec(1.0, 2.0, 0.0), 2.0));
            assertTime(&r, 1.0 / 3.0, 1e-9);
        }
    }
    wkShape tiny = wkMakeSphere(1e-4), huge = wkMakeBox(1e4, 1e4, 1e4);
    wkPose here = wkIdentityPose();
    wkCastResult r = castLinear(&huge, here, here, &tiny, wkMakePose(0.0, 0.0, 6e3),
                                wkMakePose(100.0, 0.0, 4e3));
    assertTime(&r, 0.5, 1e-7);
}

static void parallel_planes_move(void** state)
{
    (void)state;
    wkShape a = wkMakePlane(wkSceneVec(0.0, 0.0, 1.0), 0.0);
    wkShape b = wkMakeHalfspace(wkSceneVec(0.0, 0.0, -1.0), 0.0);
    wkPose here = wkIdentityPose(), above = wkMakePose(0.0, 0.0, 1.0);
    wkCastResult r = castLinear(&a, here, here, &b, above, wkMakePose(5.0, 0.0, -1.0));
    assertTime(&r, 0.5, 1e-9);
    r = castLinear(&a, here, here, &b, above, wkMakePose(5.0, 0.0, 2.0));
    assertFree(&r);

    // planes that are not parallel meet somewhere, however far
    r = castLinear(&a, here, here, &b, above,
                   rotatedPose(above.position, wkSceneVec(1.0, 0.0, 0.0), 0.1));
    assert_true(r.isTouching && r.time < 1e-3);
}

// A plane that turns over has its normal on the same side of the world before and after a sphere has passed through
// it: the sides that count are those of the plane.
static void planes_that_turn_over_meet_what_passes_through(void** state)
{
    (void)state;
    wkShape plane = wkMakePlane(
        wkSceneVec(-0.98267733571569316, 0.15621171238540554, 0.099715368847163449), 0.0);
    wkShape sphere = wkMakeSphere(0.0065362046087846385);
    wkPose a0 = {
        {0.0, 0.0, 0.0},
        {0.38533769079448255, -0.061926487504522371, 0.84302617082980702, -0.37011734557375303}};
    wkPose a1 = {
        {0.0, 0.0, 0.0},
        {-0.075263338830590595, -0.37597216965081032, 0.49449757704654834, -0.78003365553752035}};
    wkPose b0 = wkMakePose(0.42503207313785296, 0.13932851823173548, -0.30936830633596829);
    wkPose b1 = wkMakePose(0.55247210210202502, 0.0051034671146982791, -0.30268430192416435);
    wkCastResult r = castLinear(&plane, a0, a1, &sphere, b0, b1);
    assertTime(&r, 0.73998925, 1e-6);
    r = castLinear(&sphere, b0, b1, &plane, a0, a1);
    assertTime(&r, 0.73998925, 1e-6);
}

static void assertRefused(wkCastResult r)
{
    assert_true(r.isTouching && r.time == 0.0 && r.status == wk_statusInvalid);
}

// Twice as fast as it says.
static wkPose lie(double t, void* context)
{
    (void)context;
    return wkMakePose(3.0 - 2.0 * t, 0.0, 0.0);
}

static wkPose breakHalfway(double t, void* context)
{
    (void)context;
    return wkMakePose(t < 0.5 ? 3.0 - t : NAN, 0.0, 0.0);
}

static void bad_input_touches_at_0(void** state)
{
    (void)state;
    wkShape sphere = wkMakeSphere(0.5), none = {.type = wk_shapeNone};
    wkBodyMotion here = wkMakeStaticMotion(wkIdentityPose());
    wkBodyMotion there = wkMakeStaticMotion(wkMakePose(3.0, 0.0, 0.0));
    wkBodyMotion noMotion = {.kind = wk_bodyMotionNone};
    wkCastResult good = wkCast(&sphere, &here, &sphere, &there, NULL);
    assert_true(!good.isTouching && good.iterations <= 1);
    assertRefused(wkCast(&none, &here, &sphere, &there, NULL));
    assertRefused(wkCast(NULL, &here, &sphere, &there, NULL));
    assertRefused(wkCast(&sphere, &here, NULL, &there, NULL));
    assertRefused(wkCast(&sphere, NULL, &sphere, &there, NULL));
    assertRefused(wkCast(&sphere, &here, &sphere, &noMotion, NULL));
    wkBodyMotion broken = there;
    broken.pose.position.y = NAN;
    assertRefused(wkCast(&sphere, &here, &sphere, &broken, NULL));
    wkCastRequest request = wkDefaultCastRequest();
    request.margin = NAN;
    assertRefused(wkCast(&sphere, &here, &sphere, &there, &request));
    request = wkDefaultCastRequest();
    request.tolerance = NAN;
    assertRefused(wkCast(&sphere, &here, &sphere, &there, &request));
    request.tolerance = -1.0;
    assertRefused(wkCast(&sphere, &here, &sphere, &there, &request));
    wkCastRequest zeroed = {0};
    assertRefused(wkCast(&sphere, &here, &sphere, &there, &zeroed));

    wkBodyMotion lying = wkMakeFunctionMotion(lie, NULL, 1.0, 0.0);
    assertRefused(wkCast(&sphere, &here, &sphere, &lying, NULL));
    wkBodyMotion breaking = wkMakeFunctionMotion(breakHalfway, NULL, 100.0, 0.0);
    assertRefused(wkCast(&sphere, &here, &sphere, &breaking, NULL));
    lying.function.maxSpeed = 2.0;
    wkCastResult r = wkCast(&sphere, &here, &sphere, &lying, NULL);
    assertTime(&r, 1.0, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_meet_when_the_closed_form_says),
        cmocka_unit_test(a_box_falls_on_the_ground),
        cmocka_unit_test(a_screw_meets_a_wall_at_its_angle),
        cmocka_unit_test(spinning_boxes_reach_as_far_as_their_vertices),
        cmocka_unit_test(spinning_needles_miss_and_hit),
        cmocka_unit_test(grazing_contacts_take_tens_of_queries),
        cmocka_unit_test(a_box_moves_along_the_ground),
        cmocka_unit_test(bodies_that_touch_at_the_start_touch_at_0),
        cmocka_unit_test(motions_that_are_shared_have_no_contact),
        cmocka_unit_test(sizes_and_positions_make_no_difference),
        cmocka_unit_test(parallel_planes_move),
        cmocka_unit_test(planes_that_turn_over_meet_what_passes_through),
        cmocka_unit_test_setup_teardown(bad_input_touches_at_0, ignoreAsserts, restoreAsserts),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    wkKitEnd();
    return failures;
}
