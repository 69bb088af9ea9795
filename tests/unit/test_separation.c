// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Translations that take a cloud out of a body: known answers, every sphere checked on its own, and many directions
// tried in small steps.

#include "noise_kit.h"

#include "whisker/separation.h"

#define STEP 0.002
#define DIRECTIONS 200

static wkSeparationResult separate(const noisePoint* points, int count, const wkShape* body)
{
    wkCloud* cloud = noiseCloud(points, count);
    wkShape shape = wkMakeCloud(cloud);
    wkSeparationResult r = wkSeparation(body, wkIdentityPose(), &shape, wkIdentityPose(), NULL);
    wkCloud_Destroy(cloud);
    return r;
}

static void known_depths_are_found(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(1.0, 1.0, 0.2);
    noisePoint one = {0.1f, 0.0f, 0.0625f, 0.0f, 0.0f};
    wkSeparationResult r = separate(&one, 1, &box);
    assert_int_equal(r.status, wk_statusExact);
    assertNear(r.depth, 0.0375, 1e-5);
    assertVecNear(r.translation, wkVec(0.0, 0.0, 0.0375), 1e-5);

    // near both faces: each alone is 2 cm deep, together they leave by one side
    noisePoint two[] = {{0.0f, 0.0f, 0.08f, 0.0f, 0.0f}, {0.0f, 0.0f, -0.08f, 0.0f, 0.0f}};
    r = separate(two, 2, &box);
    assert_int_equal(r.status, wk_statusBound);
    assertNear(r.lower, 0.02, 1e-6);
    assertNear(r.depth, 0.18, 1e-4);
    assert_int_equal(r.partA, -1);
    assert_true(r.partB == 0 || r.partB == 1);

    wkShape floor = wkMakeHalfspace((wkVec3d){0.0, 0.0, 1.0}, 0.0);
    noisePoint below[] = {{0.0f, 0.0f, -0.5f, 0.125f, 0.0f}, {3.0f, 0.0f, 1.0f, 0.0f, 0.0f}};
    r = separate(below, 2, &floor);
    assert_int_equal(r.status, wk_statusExact);
    assertNear(r.depth, 0.625, 1e-5);

    noisePoint outside = {0.0f, 0.0f, 3.0f, 0.0f, 0.0f};
    r = separate(&outside, 1, &box);
    assert_true(r.status == wk_statusExact && r.depth == 0.0 && r.lower == 0.0);
}

// Whether all spheres are outside after a translation, each on its own.
static bool isFree(const noisePoint* points, int count, const wkShape* body, wkVec3d translation,
                   double margin)
{
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = margin;
    for (int i = 0; i < count; i++) {
        wkShape sphere = wkMakeSphere((double)points[i].radius);
        wkPose pose =
            wkMakePose((double)points[i].x + translation.x, (double)points[i].y + translation.y,
                       (double)points[i].z + translation.z);
        if (wkCollide(body, wkIdentityPose(), &sphere, pose, &request).isTouching) {
            return false;
        }
    }
    return true;
}

static double shortestOfMany(wkRng* rng, const noisePoint* points, int count, const wkShape* body)
{
    double best = INFINITY;
    for (int i = 0; i < DIRECTIONS; i++) {
        wkVec3d direction = wkRngDirection(rng);
        for (double length = 0.0; length < fmin(best, 4.0); length += STEP) {
            if (isFree(points, count, body, wkScale(length, direction), 0.0)) {
                best = length;
            }
        }
    }
    return best;
}

static void translations_separate_and_are_short(void** state)
{
    (void)state;
    noiseBodies bodies;
    noiseBodies_Create(&bodies);
    wkRng rng = wkMakeRng(UNIT_SEED);
    int cases = 0;
    double longer = 0.0;
    for (int n = 0; n < WK_CASES(10) * (WK_SCENE_TYPE_COUNT + kindCount); n++) {
        wkShape body = noiseBody(&bodies, &rng, n);
        noisePoint points[6];
        int count = 1 + wkRngBelow(&rng, 6);
        for (int i = 0; i < count; i++) {
            wkVec3d at = wkScale(wkRngRange(&rng, 0.0, 0.4), wkRngDirection(&rng));
            points[i] = (noisePoint){(float)at.x, (float)at.y, (float)at.z, 0.02f, 0.0f};
        }
        wkSeparationResult r = separate(points, count, &body);
        assert_true(r.status == wk_statusExact || r.status == wk_statusBound);
        UNIT_CHECK(isFree(points, count, &body, r.translation, 0.0), &body, "case %d", n);
        UNIT_CHECK(!isFree(points, count, &body, r.translation, 1.1e-5) || r.depth == 0.0, &body,
                   "case %d: more than the tolerance is left", n);
        assertNear(wkLength(r.translation), r.depth, 1e-12);
        double best = shortestOfMany(&rng, points, count, &body);
        UNIT_CHECK(r.lower <= best, &body, "case %d: bound %g, but %g separates", n, r.lower, best);
        UNIT_CHECK(r.depth <= 1.2 * best + STEP, &body,
                   "case %d: %g after %d queries, but %g separates", n, r.depth, r.queryCount,
                   best);
        cases += r.depth > 0.0;
        longer = fmax(longer, r.depth / (best + STEP));
    }
    assert_true(cases > 10);
    print_message("at most %.2f times the shortest of %d directions\n", longer, DIRECTIONS);
    noiseBodies_Destroy(&bodies);
}

static void a_given_direction_is_kept(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(1.0, 1.0, 0.2);
    noisePoint one = {0.1f, 0.0f, 0.0625f, 0.0f, 0.0f};
    wkCloud* cloud = noiseCloud(&one, 1);
    wkShape shape = wkMakeCloud(cloud);
    wkPose identity = wkIdentityPose();
    wkSeparationRequest request = wkDefaultSeparationRequest();
    request.direction = wkVec(3e-200, 0.0, 0.0); // any length
    wkSeparationResult r = wkSeparation(&box, identity, &shape, identity, &request);
    assertVecNear(r.translation, wkVec(0.4, 0.0, 0.0), 2e-5);
    assert_int_equal(r.status, wk_statusBound);
    r = wkSeparation(&shape, identity, &box, identity, &request); // the box moves
    assertVecNear(r.translation, wkVec(0.6, 0.0, 0.0), 2e-5);

    // into a half-space no translation separates
    wkShape floor = wkMakeHalfspace((wkVec3d){0.0, 0.0, 1.0}, 0.5);
    request.direction = wkVec(0.0, 0.0, -1.0);
    r = wkSeparation(&floor, identity, &shape, identity, &request);
    assert_true(r.status == wk_statusUnbounded && r.depth == INFINITY);
    assert_true(r.translation.x == 0.0 && r.translation.y == 0.0 && r.translation.z == 0.0);
    wkCloud_Destroy(cloud);
}

static void bad_input_is_invalid(void** state)
{
    (void)state;
    wkShape sphere = wkMakeSphere(1.0), none = {0};
    noisePoint one = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    wkCloud *cloud = noiseCloud(&one, 1), *empty = noiseCloud(&one, 0);
    wkShape shape = wkMakeCloud(cloud), nothing = wkMakeCloud(empty);
    wkPose identity = wkIdentityPose();
    assert_int_equal(wkSeparation(&shape, identity, &none, identity, NULL).status,
                     wk_statusInvalid);
    assert_int_equal(wkSeparation(NULL, identity, &shape, identity, NULL).status, wk_statusInvalid);
    wkPose broken = wkMakePose(NAN, 0.0, 0.0);
    wkSeparationResult r = wkSeparation(&shape, broken, &sphere, identity, NULL);
    assert_true(r.status == wk_statusInvalid && r.depth == INFINITY);
    wkSeparationRequest request = wkDefaultSeparationRequest();
    request.tolerance = 0.0;
    assert_int_equal(wkSeparation(&shape, identity, &sphere, identity, &request).status,
                     wk_statusInvalid);
    assert_non_null(strstr(wkGetLastError(), "tolerance"));
    r = wkSeparation(&nothing, identity, &sphere, identity, NULL);
    assert_true(r.depth == 0.0 && r.status == wk_statusExact);
    request = wkDefaultSeparationRequest();
    request.maxQueries = 2;
    r = wkSeparation(&shape, identity, &sphere, identity, &request);
    assert_true(r.queryCount <= 2 && r.depth >= r.lower);
    wkCloud_Destroy(cloud);
    wkCloud_Destroy(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_depths_are_found),
        cmocka_unit_test(translations_separate_and_are_short),
        cmocka_unit_test(a_given_direction_is_kept),
        cmocka_unit_test(bad_input_is_invalid),
    };
    return cmocka_run_group_tests_name("separation", tests, NULL, NULL);
}
