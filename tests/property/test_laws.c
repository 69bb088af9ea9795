// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks the laws over all ordered pairs of types and all kinds of scenes. The case counts are per
// pair of types and kind of scene: 100 pairs times 21 kinds times the count.

#include "laws.h"

// clang-format off
#define LAW_LIST(ROW)                                              \
    ROW(answers_are_finite,                 wkLawAnswersAreFinite,               16) \
    ROW(order_does_not_matter,              wkLawOrderDoesNotMatter,             16) \
    ROW(points_are_apart_by_distance,       wkLawPointsAreApartByTheDistance,    16) \
    ROW(points_lie_on_the_surfaces,         wkLawPointsLieOnTheSurfaces,         16) \
    ROW(normal_proves_the_distance,         wkLawNormalProvesTheDistance,        16) \
    ROW(motion_of_world_does_not_matter,    wkLawMotionOfTheWorldDoesNotMatter,  16) \
    ROW(inflation_lowers_the_distance,      wkLawInflationLowersTheDistance,     16) \
    ROW(moving_back_makes_them_touch,       wkLawMovingBackMakesThemTouch,       16) \
    ROW(collide_agrees_with_distance,       wkLawCollideAgreesWithDistance,      16) \
    ROW(penetration_agrees,                 wkLawPenetrationAgreesWithDistance,  16) \
    ROW(contacts_describe_the_overlap,      wkLawContactsDescribeTheOverlap,     16) \
    ROW(contacts_respect_the_buffer,        wkLawContactsRespectTheBuffer,       16) \
    ROW(cutoff_keeps_the_verdict,           wkLawCutoffKeepsTheVerdict,          16) \
    ROW(tolerance_gives_a_lower_bound,      wkLawToleranceGivesALowerBound,      16) \
    ROW(unsigned_distance_is_zero_inside,   wkLawUnsignedDistanceIsZeroInside,   16) \
    ROW(cache_keeps_the_answer,             wkLawCacheKeepsTheAnswer,            16) \
    ROW(foreign_cache_does_no_harm,         wkLawForeignCacheDoesNoHarm,         16) \
    ROW(point_distance_is_the_truth,        wkLawPointDistanceIsTheTruth,         2) \
    ROW(support_is_the_furthest_point,      wkLawSupportIsTheFurthestPoint,      16) \
    ROW(bounds_are_tight,                   wkLawBoundsAreTight,                 16) \
    ROW(ray_stops_at_the_surface,           wkLawRayStopsAtTheSurface,           16) \
    ROW(distance_is_never_above_the_truth,  wkLawDistanceIsNeverAboveTheTruth,    2) \
    ROW(distance_is_the_truth,              wkLawDistanceIsTheTruth,              6)
// clang-format on

#define DEFINE_TEST(NAME, LAW, COUNT)                                                              \
    static void NAME(void** state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        wkCheckLaw(#NAME, LAW, COUNT);                                                             \
    }
LAW_LIST(DEFINE_TEST)

#define TEST_ROW(NAME, LAW, COUNT) cmocka_unit_test(NAME),

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {LAW_LIST(TEST_ROW)};
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    int failed = cmocka_run_group_tests_name("laws of pair queries", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
