// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The scan over hull vertices in every instruction set of this machine, and climbing: all must name
// a vertex that no other exceeds.

#include "unit_kit.h"

#include "geom/hull_impl.h"
#include "geom/hull_scan.h"
#include "geom/hull_seed.h"
#include "point_sets.h"
#include "solve/depth_list/hull_sweep.h"

#define POINT_CAPACITY 5000

// The plain twin: first of the largest.
static int32_t scanPlain(const double* x, const double* y, const double* z, int count, wkVec3d d)
{
    int32_t best = 0;
    for (int32_t i = 1; i < count; ++i) {
        if (x[i] * d.x + y[i] * d.y + z[i] * d.z > x[best] * d.x + y[best] * d.y + z[best] * d.z) {
            best = i;
        }
    }
    return best;
}

static void every_instruction_set_names_the_same_vertex(void** state)
{
    (void)state;
    _Alignas(64) static double x[512], y[512], z[512];
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int round = 0; round < 4000; ++round) {
        int count = 1 + wkRngBelow(&rng, round % 10 == 0 ? 500 : 40);
        int padded = (count + WK_HULL_LANES - 1) / WK_HULL_LANES * WK_HULL_LANES;
        bool isGrid = round % 2 == 0; // many ties
        for (int i = 0; i < padded; ++i) {
            x[i] = i >= count ? x[0] : isGrid ? wkRngBelow(&rng, 3) - 1 : wkRngRange(&rng, -1, 1);
            y[i] = i >= count ? y[0] : isGrid ? wkRngBelow(&rng, 3) - 1 : wkRngRange(&rng, -1, 1);
            z[i] = i >= count ? z[0] : isGrid ? wkRngBelow(&rng, 3) - 1 : wkRngRange(&rng, -1, 1);
        }
        wkVec3d d = wkRngDirection(&rng);
        d = round % 3 == 0 ? wkVec(wkRngBelow(&rng, 3) - 1, wkRngBelow(&rng, 3) - 1, 0.0) : d;
        int32_t expected = scanPlain(x, y, z, count, d);
        for (int isa = 0; isa < wk_isaCount; ++isa) {
            const wkHullLanes* lanes = wkHullLanesOf((wkIsa)isa);
            if (lanes != NULL) {
                assert_int_equal(lanes->scan(x, y, z, padded, d), expected);
            }
        }
    }
}

static void not_a_number_names_a_vertex_all_the_same(void** state)
{
    (void)state;
    _Alignas(64) double x[16], y[16], z[16];
    for (int i = 0; i < 16; ++i) {
        x[i] = i < 11 ? i : 0;
        y[i] = z[i] = 0.0;
    }
    const wkVec3d directions[] = {{NAN, 0.0, 0.0}, {0.0, NAN, 0.0}, {INFINITY, -INFINITY, 0.0}};
    for (int isa = 0; isa < wk_isaCount; ++isa) {
        const wkHullLanes* lanes = wkHullLanesOf((wkIsa)isa);
        for (int i = 0; i < 3 && lanes != NULL; ++i) {
            assert_in_range(lanes->scan(x, y, z, 16, directions[i]), 0, 10);
        }
    }
}

static void seeds_lie_in_their_cells(void** state)
{
    (void)state;
    for (int32_t cell = 0; cell < WK_HULL_SEED_COUNT; ++cell) {
        assert_int_equal(wkHullSeedCell(wkHullSeedDirection(cell)), cell);
    }
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < 1000; ++i) {
        wkVec3d d = wkScale(wkRngLogRange(&rng, 1e-200, 1e200), wkRngDirection(&rng));
        assert_in_range(wkHullSeedCell(d), 0, WK_HULL_SEED_COUNT - 1);
    }
    assert_in_range(wkHullSeedCell(wkVec(0.0, 0.0, 0.0)), 0, WK_HULL_SEED_COUNT - 1);
    assert_in_range(wkHullSeedCell(wkVec(NAN, 1.0, 0.0)), 0, WK_HULL_SEED_COUNT - 1);
    assert_in_range(wkHullSeedCell(wkVec(1.0, INFINITY, NAN)), 0, WK_HULL_SEED_COUNT - 1);
}

static wkVec3d randomVec(wkRng* rng)
{
    return wkScale(wkRngRange(rng, 0.0, 0.5), wkRngDirection(rng));
}

// The plain twin of wkHullFindWayOut; the first of the nearest.
static wkHullWayOut findWayOutPlain(const wkHull* hull, wkVec3d point)
{
    wkHullWayOut best = {0, INFINITY};
    for (int32_t i = 0; i < hull->faceCount; ++i) {
        wkHullPlane plane = wkHullPlanes(hull)[i];
        double depth = plane.offset - wkDot(plane.normal, point);
        if (depth < best.depth) {
            best.face = i;
            best.depth = depth;
        }
    }
    return best;
}

static void every_instruction_set_finds_the_same_way_out(void** state)
{
    (void)state;
    _Alignas(64) static double depths[512];
    static wkVec3d points[200];
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int round = 0; round < 100; ++round) {
        int count = (int)wkRngLogRange(&rng, 5.0, 200.0);
        wkFillPoints(&rng, wk_pointsOnSphere, points, count, 1.0);
        wkHull* hull = wkHullOfPoints(points, count);
        assert_non_null(hull);
        wkVec3d point = randomVec(&rng);
        wkHullWayOut expected = findWayOutPlain(hull, point);
        for (int isa = 0; isa < wk_isaCount; ++isa) {
            const wkHullLanes* lanes = wkHullLanesOf((wkIsa)isa);
            if (lanes == NULL) {
                continue;
            }
            wkHullWayOut way = lanes->findWayOut(hull, point, depths);
            assert_int_equal(way.face, expected.face);
            assert_true(way.depth == expected.depth && depths[way.face] == way.depth);
        }
        wkHull_Destroy(hull);
    }
}

// The plain twin of the sweeps, for one face.
static void checkSweptFace(const wkHull* hull, const wkSweep* sweep, int edgeCount, double limit,
                           const wkSweptFaces* faces, const double* marks, int32_t i)
{
    wkHullPlane plane = wkHullPlanes(hull)[i];
    double depth = plane.offset - wkDot(plane.normal, sweep->center), mark = 0.0;
    assert_true(faces->height[i] == depth);
    for (int k = 0; k < edgeCount; ++k) {
        double along = wkDot(plane.normal, sweep->edges[k]);
        assert_true(faces->along[k][i] == along);
        depth += fabs(along);
    }
    assert_true(faces->depth[i] == depth);
    for (int k = 0; k < edgeCount; ++k) {
        double along = faces->along[k][i];
        mark += along < 0.0 ? 1 << k : 0;
        mark += depth - 2.0 * fabs(along) < limit ? 16 << k : 0;
    }
    assert_true(marks[i] == mark);
}

static void every_instruction_set_sweeps_alike(void** state)
{
    (void)state;
    _Alignas(64) static double numbers[5][512], marks[512];
    static wkVec3d points[200];
    wkSweptFaces faces = {numbers[0], {numbers[1], numbers[2], numbers[3]}, numbers[4]};
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int round = 0; round < 100; ++round) {
        int count = (int)wkRngLogRange(&rng, 5.0, 200.0);
        wkFillPoints(&rng, wk_pointsOnSphere, points, count, 1.0);
        wkHull* hull = wkHullOfPoints(points, count);
        assert_non_null(hull);
        bool isBox = round % 2 == 0;
        wkSweep sweep = {randomVec(&rng), {randomVec(&rng), randomVec(&rng), randomVec(&rng)}};
        for (int isa = 0; isa < wk_isaCount; ++isa) {
            const wkSweepLanes* lanes = wkSweepLanesOf((wkIsa)isa);
            if (lanes == NULL) {
                continue;
            }
            wkHullWayOut way =
                (isBox ? lanes->sweepBox : lanes->sweepSegment)(hull, &sweep, &faces);
            (isBox ? lanes->markBox : lanes->markSegment)(&faces, hull->paddedFaceCount, way.depth,
                                                          marks);
            for (int32_t i = 0; i < hull->faceCount; ++i) {
                checkSweptFace(hull, &sweep, isBox ? 3 : 1, way.depth, &faces, marks, i);
                assert_true(i < way.face ? faces.depth[i] > way.depth
                                         : faces.depth[i] >= way.depth);
            }
            assert_true(faces.depth[way.face] == way.depth);
        }
        wkHull_Destroy(hull);
    }
}

// A direction that makes climbing hard: along a face normal all its vertices are level, across an
// edge two are, along an axis whole grids are.
static wkVec3d hardDirection(wkRng* rng, const wkHull* hull, int kind)
{
    wkVec3d d = wkRngDirection(rng);
    int32_t a = wkRngBelow(rng, hull->vertexCount);
    int32_t b = wkHullLinks(hull)[wkHullLinkStarts(hull)[a]];
    switch (kind) {
    case 0:
        return wkHullPlanes(hull)[wkRngBelow(rng, hull->faceCount)].normal;
    case 1:
        return wkCross(wkSub(wkHullVertex(hull, b), wkHullVertex(hull, a)), d);
    case 2:
        return wkSub(wkHullVertex(hull, a), hull->sphereCenter);
    case 3:
        return wkVec(wkRngBelow(rng, 3) - 1, wkRngBelow(rng, 3) - 1, 1.0);
    default:
        return wkScale(wkRngLogRange(rng, 1e-20, 1e20), d);
    }
}

static void checkClimbing(wkRng* rng, const wkHull* hull, int rounds)
{
    int32_t hint = 0;
    for (int i = 0; i < rounds; ++i) {
        wkVec3d d = hardDirection(rng, hull, i % 5);
        int32_t expected =
            scanPlain(wkHullX(hull), wkHullY(hull), wkHullZ(hull), hull->vertexCount, d);
        hint = i % 7 == 0 ? wkRngBelow(rng, hull->vertexCount) : i % 11 == 0 ? -5 : hint;
        hint = wkHullSupport(hull, d, hint);
        assert_in_range(hint, 0, hull->vertexCount - 1);
        double found = wkDot(wkHullVertex(hull, hint), d);
        double best = wkDot(wkHullVertex(hull, expected), d);
        if (found != best) {
            fail_msg(
                "%d vertices, direction (%.17g %.17g %.17g): vertex %d at %.17g, not %d at %.17g",
                hull->vertexCount, d.x, d.y, d.z, hint, found, expected, best);
        }
    }
}

// Hulls of so many points, directions for each.
static void checkHulls(int hulls, double least, double most, int directions)
{
    static wkVec3d points[POINT_CAPACITY];
    wkRng rng = wkMakeRng(UNIT_SEED);
    const wkPointKind kinds[] = {wk_pointsOnSphere, wk_pointsInSphere, wk_pointsOnParabola,
                                 wk_pointsOnCylinder};
    for (int round = 0; round < hulls; ++round) {
        int count = (int)wkRngLogRange(&rng, least, most);
        wkFillPoints(&rng, kinds[round % 4], points, count, round % 3 == 0 ? 1e5 : 1.0);
        wkHull* hull = wkHullOfPoints(points, count);
        assert_non_null(hull);
        checkClimbing(&rng, hull, directions);
        wkHull_Destroy(hull);
    }
}

static void cells_list_every_vertex_that_is_furthest(void** state)
{
    (void)state;
    checkHulls(60, 10.0, 400.0, 3000);
}

static void climbing_ends_at_the_top(void** state)
{
    (void)state;
    checkHulls(24, 200.0, POINT_CAPACITY, 1500);
}

// A lens between two paraboloids over a fine grid: the flatter it is, the more vertices are level.
static void climbing_crosses_large_level_parts(void** state)
{
    (void)state;
    static wkVec3d points[POINT_CAPACITY];
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int round = 0; round < 6; ++round) {
        int half = 8 + 2 * round, count = 0;
        double height = pow(10.0, -2.0 * round);
        for (int i = -half; i <= half; ++i) {
            for (int k = -half; k <= half; ++k) {
                double bulge = height * (1.0 - (double)(i * i + k * k) / (2.0 * half * half));
                points[count++] = wkVec((double)i / half, (double)k / half, bulge);
                points[count++] = wkVec((double)i / half, (double)k / half, -bulge);
            }
        }
        wkHull* hull = wkHullOfPoints(points, count);
        assert_non_null(hull);
        assert_true(hull->vertexCount >= WK_HULL_CLIMB_COUNT);
        checkClimbing(&rng, hull, 1500);
        wkHull_Destroy(hull);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_set_names_the_same_vertex),
        cmocka_unit_test(not_a_number_names_a_vertex_all_the_same),
        cmocka_unit_test(seeds_lie_in_their_cells),
        cmocka_unit_test(every_instruction_set_finds_the_same_way_out),
        cmocka_unit_test(every_instruction_set_sweeps_alike),
        cmocka_unit_test(cells_list_every_vertex_that_is_furthest),
        cmocka_unit_test(climbing_ends_at_the_top),
        cmocka_unit_test(climbing_crosses_large_level_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
