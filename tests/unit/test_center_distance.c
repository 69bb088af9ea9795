// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The nearest points of two clouds: every method and instruction set gives the least distance of double precision, to
// the bit, and symmetric in the clouds.

#include "query/cloud/center_search.h"
#include "unit_kit.h"

#include "base/cpu.h"
#include "query/cloud/center_kernel.h"
#include "scenes/point_layouts.h"
#include "whisker/center_distance.h"
#include "whisker/octree.h"

#define MAX_POINTS 3000

static wkCloud* drawCloud(wkRng* rng, layout kind, int32_t count)
{
    static float points[3 * MAX_POINTS];
    for (int32_t i = 0; i < 3 * count; i++) {
        points[i] = coordinateOf(rng, kind, i / 3, i % 3);
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.allowsEmpty = true;
    def.points.data = points;
    def.points.count = count;
    def.radius = wkRngChance(rng, 3) ? 0.05 : 0.0; // must not count
    wkCloud* cloud = NULL;
    assert_int_equal(wkCloud_Create(&def, &cloud), wk_ok);
    return cloud;
}

// All pairs, in double precision.
static double leastDistance(const wkCloud* a, wkPose poseA, const wkCloud* b, wkPose poseB)
{
    wkMat3d rotation;
    wkCenterSearch all = {.a = a, .b = b};
    all.bInA = wkRelativeFrame(&poseA, &poseB, &rotation);
    double least = INFINITY;
    for (int32_t k = 0; k < b->pointCount; k++) {
        wkVec3d point = wkCenterOfB(&all, k);
        for (int32_t i = 0; i < a->pointCount; i++) {
            double square = wkCenterSquare(wkCloudPosition(a, i), point);
            least = square < least ? square : least;
        }
    }
    return sqrt(least);
}

static wkPose drawPose(wkRng* rng, double reach)
{
    wkVec3d direction = wkRngDirection(rng);
    double length = wkRngRange(rng, 0.0, reach);
    wkPose pose = wkMakePose(length * direction.x, length * direction.y, length * direction.z);
    pose.rotation = wkRngChance(rng, 2) ? wkRngRightAngles(rng) : wkRngRotation(rng);
    return pose;
}

static void checkResult(const wkCenterResult* r, const wkCloud* a, wkPose poseA, const wkCloud* b,
                        wkPose poseB, double expected)
{
    if (r->distance != expected || r->status != wk_statusExact) {
        fail_msg("%s of %d and %d points: %.17g, expected %.17g", wkCenterMethodName(r->method),
                 (int)a->pointCount, (int)b->pointCount, r->distance, expected);
    }
    wkVec3d pointA = wkTransformPoint(poseA, wkCloud_Point(a, r->rankA).position);
    wkVec3d pointB = wkTransformPoint(poseB, wkCloud_Point(b, r->rankB).position);
    double scale = 1e-12 * (wkMaxAbs(pointA) + wkMaxAbs(pointB) + r->distance);
    assert_true(wkMaxAbs(wkSub(pointA, r->pointA)) <= scale);
    assert_true(wkMaxAbs(wkSub(pointB, r->pointB)) <= scale);
    assert_true(fabs(sqrt(wkCenterSquare(pointA, pointB)) - expected) <= scale);
}

// Both methods, both orders, all instruction sets.
static void checkPair(const wkCloud* a, wkPose poseA, const wkCloud* b, wkPose poseB)
{
    bool isSwapped = a->pointCount > b->pointCount; // the frame of the smaller one is used
    double expected =
        isSwapped ? leastDistance(b, poseB, a, poseA) : leastDistance(a, poseA, b, poseB);
    wkCenterRequest request = wkDefaultCenterRequest();
    int chosen = (int)wkGetIsa();
    for (int method = wk_centersChosen; method <= wk_centersHierarchy; method++) {
        request.method = (wkCenterMethod)method;
        wkCenterResult first = {.rankA = -1};
        for (int isa = 0; isa < wk_isaCount; isa++) {
            if (wkCenterLanesOf((wkIsa)isa) == NULL) {
                continue;
            }
            wkChosenIsa = isa;
            wkCenterResult r = wkCenterDistance(a, poseA, b, poseB, &request);
            wkCenterResult back = wkCenterDistance(b, poseB, a, poseA, &request);
            checkResult(&r, a, poseA, b, poseB, expected);
            assert_true(back.distance == r.distance);
            first = first.rankA < 0 ? r : first;
            assert_true(first.rankA == r.rankA && first.rankB == r.rankB);
            assert_true(a == b || (back.rankA == r.rankB && back.rankB == r.rankA));
        }
    }
    wkChosenIsa = chosen;
}

static void every_method_gives_the_least_distance(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    const int32_t counts[] = {1, 2, 9, 63, 64, 65, 257, 769, 1600};
    int countCount = (int)(sizeof counts / sizeof counts[0]);
    for (int i = 0; i < WK_CASES(120); i++) {
        layout kindA = (layout)(i % layoutCount), kindB = (layout)wkRngBelow(&rng, layoutCount);
        wkCloud* a = drawCloud(&rng, kindA, counts[wkRngBelow(&rng, countCount)]);
        wkCloud* b = drawCloud(&rng, kindB, counts[wkRngBelow(&rng, countCount)]);
        // equal counts have an order by poses, which the oracle does not repeat
        if (a->pointCount != b->pointCount) {
            double reach = wkRngChance(&rng, 2) ? 3.0 : 0.1;
            checkPair(a, drawPose(&rng, reach), b, drawPose(&rng, reach));
        }
        wkCloud_Destroy(a);
        wkCloud_Destroy(b);
    }
}

// The least square of single precision is off by more than the distance itself here.
static void near_touching_points_are_found_far_from_the_origin(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 1);
    for (int i = 0; i < WK_CASES(20); i++) {
        wkCloud* a = drawCloud(&rng, layoutUniform, 900);
        wkCloud* b = drawCloud(&rng, layoutUniform, 1500);
        wkVec3d from = wkCloud_Point(a, wkRngBelow(&rng, 900)).position;
        wkVec3d to = wkCloud_Point(b, wkRngBelow(&rng, 1500)).position;
        double gap = wkRngLogRange(&rng, 1e-12, 1e-3);
        wkPose poseA = wkMakePose(1e5, -2e5, 3e4);
        wkVec3d position = wkAdd(poseA.position, wkSub(wkAdd(from, wkVec(gap, 0, 0)), to));
        checkPair(a, poseA, b, wkMakePose(position.x, position.y, position.z));
        wkCloud_Destroy(a);
        wkCloud_Destroy(b);
    }
}

// Two layers whose points are opposite of each other, at distances that single precision cannot tell apart.
static void near_ties_are_decided_in_double_precision(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 6);
    static float points[2][3 * 1600];
    for (int n = 0; n < WK_CASES(20); n++) {
        wkCloud* clouds[2] = {NULL, NULL};
        for (int side = 0; side < 2; side++) {
            int count = side == 0 ? 1500 : 1600;
            for (int i = 0; i < count; i++) {
                float height = n % 2 == 0 ? 0.5f : 0.5f + 0x1p-23f * (float)wkRngBelow(&rng, 4);
                points[side][3 * i] = 0.025f * (float)(i % 40);
                points[side][3 * i + 1] = 0.025f * (float)(i / 40);
                points[side][3 * i + 2] = side == 0 ? -height : height;
            }
            wkCloudDef def = wkDefaultCloudDef();
            def.points.data = points[side];
            def.points.count = count;
            assert_int_equal(wkCloud_Create(&def, &clouds[side]), wk_ok);
        }
        wkPose poseA = drawPose(&rng, 2.0), poseB = poseA;
        poseB.rotation.x += wkRngLogRange(&rng, 1e-12, 1e-7); // parallel up to that
        checkPair(clouds[0], poseA, clouds[1], poseB);
        wkCloud_Destroy(clouds[0]);
        wkCloud_Destroy(clouds[1]);
    }
}

// Clouds of several blocks: far apart, with ties, and with points in common, of which the first pair is found.
static void threads_find_the_same_pair(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 8);
    for (int n = 0; n < WK_CASES(4 * layoutCount); n++) {
        layout kind = (layout)(n % layoutCount);
        wkCloud* a = drawCloud(&rng, kind, 2500);
        wkCloud* b = n % 3 == 0 ? a : drawCloud(&rng, kind, 3000);
        wkPose poseB = n % 3 == 1 ? wkIdentityPose() : drawPose(&rng, 3.0);
        wkCenterRequest request = wkDefaultCenterRequest();
        request.method = wk_centersExhaustive;
        wkCenterResult alone = wkCenterDistance(a, wkIdentityPose(), b, poseB, &request);
        for (int32_t threads = 1; threads <= 5; threads += 2) {
            wkParallel parallel = {.threadCount = threads};
            request.parallel = &parallel;
            wkCenterResult r = wkCenterDistance(a, wkIdentityPose(), b, poseB, &request);
            assert_true(r.distance == alone.distance && r.status == alone.status);
            assert_true(r.rankA == alone.rankA && r.rankB == alone.rankB);
        }
        request = wkDefaultCenterRequest();
        request.method = wk_centersHierarchy;
        assert_true(wkCenterDistance(a, wkIdentityPose(), b, poseB, &request).distance ==
                    alone.distance);
        wkCloud_Destroy(b != a ? b : NULL);
        wkCloud_Destroy(a);
    }
}

// Positions whose squares a float cannot hold.
static void huge_distances_are_exact(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 2);
    const double offsets[] = {1e6, 1e16, 1e20, 1e60};
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        wkCloud* a = drawCloud(&rng, layoutUniform, 70);
        wkCloud* b = drawCloud(&rng, layoutUniform, 300);
        checkPair(a, wkIdentityPose(), b, wkMakePose(offsets[i], 0.0, -offsets[i]));
        wkCloud_Destroy(a);
        wkCloud_Destroy(b);
    }
}

// Centres of cells, single ones and those of cubes.
static void octrees_become_clouds_of_their_cells(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 7);
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = 0.1;
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Create(&def, &octree), wk_ok);
    wkAabb box = {{0.0, 0.0, 0.0}, {0.8, 0.8, 0.8}}; // a cube of 512 cells, and part of others
    box.upper.x += 0.1;
    assert_int_equal(wkOctree_FillBox(octree, box, 1.0f), wk_ok);
    wkCellKey single;
    assert_true(wkOctree_KeyAt(octree, wkVec(-1.23, 2.0, -0.51), &single));
    assert_int_equal(wkOctree_SetLogOdds(octree, single, WK_OCTREE_DEPTH, 1.0f), wk_ok);
    wkCloud* cloud = NULL;
    assert_int_equal(wkCloud_FromOctree(octree, 0.05, &cloud), wk_ok);
    assert_true(cloud->pointCount >= 9 * 8 * 8 + 1);
    for (int32_t i = 0; i < cloud->pointCount; i++) {
        wkVec3d p = wkCloudPosition(cloud, i);
        wkCellKey key;
        assert_true(wkOctree_KeyAt(octree, p, &key));
        wkCell cell = wkOctree_CellAt(octree, key);
        assert_int_equal(cell.state, wk_cellOccupied);
        wkVec3d center = {(key.x + 0.5 - 32768) * 0.1, (key.y + 0.5 - 32768) * 0.1,
                          (key.z + 0.5 - 32768) * 0.1};
        assert_true(wkMaxAbs(wkSub(center, p)) < 1e-6);
        assert_true(wkCloudRadius(cloud, i) >= 0.05);
    }
    // the distance of centres is that of all single cells
    wkCloud* observed = drawCloud(&rng, layoutUniform, 700);
    checkPair(cloud, wkIdentityPose(), observed, wkMakePose(2.0, 1.0, 0.0));
    wkCloud_Destroy(observed);
    wkCloud_Destroy(cloud);
    assert_int_equal(wkCloud_FromOctree(octree, -1.0, &cloud), wk_errorRange);
    assert_null(cloud);
    assert_int_equal(wkCloud_FromOctree(NULL, 0.0, &cloud), wk_errorArgument);
    wkOctree_Destroy(octree);
}

static void the_cutoff_bounds_the_search(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 3);
    wkCloud* a = drawCloud(&rng, layoutUniform, 100);
    wkCloud* b = drawCloud(&rng, layoutUniform, 500);
    wkPose poseB = wkMakePose(4.0, 0.0, 0.0);
    double distance = wkCenterDistance(a, wkIdentityPose(), b, poseB, NULL).distance;
    wkCenterRequest request = wkDefaultCenterRequest();
    for (int method = wk_centersChosen; method <= wk_centersHierarchy; method++) {
        request.method = (wkCenterMethod)method;
        request.cutoff = distance * (1.0 + 1e-9);
        wkCenterResult r = wkCenterDistance(a, wkIdentityPose(), b, poseB, &request);
        assert_true(r.status == wk_statusExact && r.distance == distance);
        request.cutoff = distance * (1.0 - 1e-9);
        r = wkCenterDistance(a, wkIdentityPose(), b, poseB, &request);
        assert_true(r.status == wk_statusBound && r.distance == request.cutoff);
        assert_true(r.rankA == -1 && r.rankB == -1);
        request.cutoff = 0.0;
        r = wkCenterDistance(a, wkIdentityPose(), a, wkIdentityPose(), &request);
        assert_true(r.status == wk_statusExact && r.distance == 0.0);
    }
    wkCloud_Destroy(a);
    wkCloud_Destroy(b);
}

static void empty_clouds_have_no_distance(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 4);
    wkCloud* a = drawCloud(&rng, layoutUniform, 0);
    wkCloud* b = drawCloud(&rng, layoutUniform, 20);
    const wkCloud* pairs[][2] = {{a, b}, {b, a}, {a, a}};
    for (int i = 0; i < 3; i++) {
        wkCenterResult r =
            wkCenterDistance(pairs[i][0], wkIdentityPose(), pairs[i][1], wkIdentityPose(), NULL);
        assert_true(r.distance == INFINITY && r.status == wk_statusBound && r.rankA == -1);
    }
    wkCloud_Destroy(a);
    wkCloud_Destroy(b);
}

static void what_is_not_valid_is_not_apart(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 5);
    wkCloud* a = drawCloud(&rng, layoutUniform, 20);
    wkPose home = wkIdentityPose(), poses[] = {home, home, home};
    poses[0].position.x = NAN;
    poses[1].rotation = (wkQuat){0.0, 0.0, 0.0, 0.0};
    poses[2].position.y = INFINITY;
    for (int i = 0; i < 3; i++) {
        wkCenterResult r = wkCenterDistance(a, home, a, poses[i], NULL);
        assert_true(r.status == wk_statusInvalid && r.distance == -INFINITY);
    }
    wkCenterRequest requests[] = {wkDefaultCenterRequest(), wkDefaultCenterRequest(),
                                  wkDefaultCenterRequest()};
    requests[0].cutoff = NAN;
    requests[1].cutoff = -1.0;
    requests[2].method = (wkCenterMethod)3;
    for (int i = 0; i < 3; i++) {
        wkCenterResult r = wkCenterDistance(a, home, a, home, &requests[i]);
        assert_true(r.status == wk_statusInvalid && r.distance == -INFINITY);
    }
    assert_int_equal(wkCenterDistance(NULL, home, a, home, NULL).status, wk_statusInvalid);
    assert_int_equal(wkCenterDistance(a, home, NULL, home, NULL).status, wk_statusInvalid);
    assert_string_equal(wkCenterMethodName(wk_centersExhaustive), "exhaustive");
    assert_string_equal(wkCenterMethodName((wkCenterMethod)3), "none");
    wkCloud_Destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_gives_the_least_distance),
        cmocka_unit_test(near_touching_points_are_found_far_from_the_origin),
        cmocka_unit_test(near_ties_are_decided_in_double_precision),
        cmocka_unit_test(threads_find_the_same_pair),
        cmocka_unit_test(huge_distances_are_exact),
        cmocka_unit_test(octrees_become_clouds_of_their_cells),
        cmocka_unit_test(the_cutoff_bounds_the_search),
        cmocka_unit_test(empty_clouds_have_no_distance),
        cmocka_unit_test(what_is_not_valid_is_not_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
