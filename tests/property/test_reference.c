// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The judge is judged first: the reference solver against formulas that fit on one line, and its
// two methods against each other.

#include "kit.h"

#include "reference/reference.h"

#define CASE_COUNT 200

static wkPose randomPose(wkRng* rng, double spread)
{
    wkPose pose = {wkSceneScale(wkRngDirection(rng), spread * wkRngUnit(rng)), wkRngRotation(rng)};
    return pose;
}

static void assertBracket(wkReference r, double truth, double width)
{
    bool isInside = r.lower <= truth + 1e-14 && r.upper >= truth - 1e-14;
    if (!isInside || !(r.upper - r.lower <= width)) {
        fail_msg("truth %.17g, bracket %.17g ... %.17g", truth, r.lower, r.upper);
    }
}

static void spheres_are_apart_by_their_radii(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < CASE_COUNT; i++) {
        wkShape a = wkMakeSphere(wkRngUnit(&rng));
        wkShape b = wkMakeEllipsoid(0.3, 0.3, 0.3);
        wkPose poseA = randomPose(&rng, 1.0), poseB = randomPose(&rng, 1.0);
        double between = wkSceneLength(wkSceneSub(poseB.position, poseA.position));
        wkReference r = wkReferenceDistance(&a, poseA, &b, poseB, WK_REFERENCE_BUDGET);
        assertBracket(r, between - a.sphere.radius - 0.3, 1e-12);
    }
}

static void boxes_without_rotation_are_apart_by_coordinates(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < CASE_COUNT; i++) {
        wkShape a = wkMakeBox(1.0, 0.5, 0.25);
        wkShape b = wkMakeBox(0.25, 2.0, 0.5);
        wkVec3d p = wkSceneScale(wkRngDirection(&rng), wkRngRange(&rng, 0.0, 3.0));
        wkVec3d gap = {fabs(p.x) - 0.625, fabs(p.y) - 1.25, fabs(p.z) - 0.375};
        wkVec3d outside = {fmax(gap.x, 0.0), fmax(gap.y, 0.0), fmax(gap.z, 0.0)};
        double inside = fmax(gap.x, fmax(gap.y, gap.z));
        double truth = inside > 0.0 ? wkSceneLength(outside) : inside;
        wkPose poseB = wkMakePose(p.x, p.y, p.z);
        assertBracket(wkReferenceDistance(&a, wkIdentityPose(), &b, poseB, 1), truth, 1e-14);
        wkReference searched =
            wkReferenceSearch(&a, wkIdentityPose(), &b, poseB, WK_REFERENCE_BUDGET);
        assertBracket(searched, truth, 1e-12);
    }
}

static void upright_cylinders_are_apart_in_two_dimensions(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < CASE_COUNT; i++) {
        wkShape a = wkMakeCylinder(0.5, 1.0);
        wkShape b = wkMakeCylinder(0.25, 2.0);
        wkVec3d p = wkSceneScale(wkRngDirection(&rng), wkRngRange(&rng, 0.1, 3.0));
        double side = hypot(p.x, p.y) - 0.75;
        double up = fabs(p.z) - 1.5;
        double inside = fmax(side, up);
        double truth = inside > 0.0 ? hypot(fmax(side, 0.0), fmax(up, 0.0)) : inside;
        wkPose poseB = wkMakePose(p.x, p.y, p.z);
        wkReference r = wkReferenceDistance(&a, wkIdentityPose(), &b, poseB, WK_REFERENCE_BUDGET);
        assertBracket(r, truth, 1e-6);
    }
}

// All axes and closest features, or a search over the sphere of directions: the same number.
static bool methodsAgree(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    (void)seed;
    if (!wkArePolytopes(pair)) {
        return true;
    }
    int budget = WK_REFERENCE_BUDGET / 40;
    wkReference x = wkReferenceDistance(&pair->a, pair->poseA, &pair->b, pair->poseB, budget);
    wkReference y = wkReferenceSearch(&pair->a, pair->poseA, &pair->b, pair->poseB, budget);
    double rounding = 1e-15 * wkPairScale(pair);
    if (!(x.lower <= y.upper + rounding) || !(y.lower <= x.upper + rounding)) {
        return wkBroken(message, "features %.17g ... %.17g, search %.17g ... %.17g", x.lower,
                        x.upper, y.lower, y.upper);
    }
    double width = x.upper - x.lower;
    if (!(width <= 1e-12 * wkPairScale(pair))) {
        return wkBroken(message, "features leave a bracket of %g: %.17g ... %.17g", width, x.lower,
                        x.upper);
    }
    return true;
}

static void methods_agree_on_polytopes(void** state)
{
    (void)state;
    wkCheckLaw("methods_agree_on_polytopes", methodsAgree, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_are_apart_by_their_radii),
        cmocka_unit_test(boxes_without_rotation_are_apart_by_coordinates),
        cmocka_unit_test(upright_cylinders_are_apart_in_two_dimensions),
        cmocka_unit_test(methods_agree_on_polytopes),
    };
    int failed = cmocka_run_group_tests_name("reference solver", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
