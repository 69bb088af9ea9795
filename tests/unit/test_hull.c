// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Hulls of points: brute force over all points and planes, known bodies, hostile input, and an
// allocator that fails.

#include "unit_kit.h"

#include "base/memory.h"
#include "geom/convex_rows.h"
#include "geom/hull_impl.h"
#include "point_sets.h"

#include <string.h>

#define POINT_CAPACITY 1000

// Rounding that a hull may hide: what counts as one plane, and the planes' own.
#define TOLERANCE 8e-15

static void checkLinks(const wkHull* hull)
{
    const int32_t* starts = wkHullLinkStarts(hull);
    const int32_t* links = wkHullLinks(hull);
    for (int32_t a = 0; a < hull->vertexCount; ++a) {
        for (int32_t k = starts[a]; k < starts[a + 1]; ++k) {
            int32_t b = links[k];
            assert_in_range(b, 0, hull->vertexCount - 1);
            bool isMutual = false;
            for (int32_t m = starts[b]; m < starts[b + 1]; ++m) {
                isMutual = isMutual || links[m] == a;
            }
            assert_true(isMutual && a != b);
        }
    }
}

static void checkFaces(const wkHull* hull, double tolerance)
{
    int32_t vertexCount = 0;
    for (int32_t i = 0; i < wkHull_Info(hull).faceCount; ++i) {
        wkHullFace face = wkHull_Face(hull, i);
        assert_true(face.indexCount >= 3);
        assertNear(wkLength(face.normal), 1.0, 1e-15);
        for (int32_t k = 0; k < face.indexCount; ++k) {
            wkVec3d a = wkHull_Vertex(hull, face.indices[k]);
            wkVec3d b = wkHull_Vertex(hull, face.indices[(k + 1) % face.indexCount]);
            wkVec3d c = wkHull_Vertex(hull, face.indices[(k + 2) % face.indexCount]);
            assert_true(wkDot(face.normal, a) <= face.offset);
            assertNear(wkDot(face.normal, a), face.offset, tolerance);
            double slack = tolerance * (wkMaxAbs(wkSub(b, a)) + wkMaxAbs(wkSub(c, b)));
            double turn = wkDot(face.normal, wkCross(wkSub(b, a), wkSub(c, b)));
            assert_true(turn >= -slack);
        }
        vertexCount += face.indexCount;
    }
    if (wkHull_Info(hull).faceCount > 0) {
        assert_int_equal(vertexCount % 2, 0);
        assert_int_equal(wkHull_Info(hull).vertexCount + wkHull_Info(hull).faceCount,
                         vertexCount / 2 + 2);
    }
}

// Largest distance of a point from the hull, by its own exact projection.
static void checkHoldsPoints(const wkHull* hull, const wkVec3d* points, int count, double tolerance)
{
    wkShape shape = wkMakeHull(hull);
    for (int i = 0; i < count; ++i) {
        double outside = wkHullProject(&shape, points[i]).distance;
        if (!(outside <= tolerance)) {
            fail_msg("point %d of %d (%.17g %.17g %.17g) is outside by %g", i, count, points[i].x,
                     points[i].y, points[i].z, outside);
        }
        double reach = wkLength(wkSub(points[i], hull->sphereCenter));
        assert_true(reach <= hull->sphereRadius + tolerance);
        for (int32_t k = 0; k < hull->faceCount; ++k) {
            wkHullFace face = wkHull_Face(hull, k);
            assert_true(wkDot(face.normal, points[i]) <= face.offset + tolerance);
        }
    }
}

// The centre of the two spheres is a point of the hull, and the inner one leaves it nowhere.
static void checkInnerSphere(const wkHull* hull, double tolerance)
{
    wkShape shape = wkMakeHull(hull);
    double outside = wkHullProject(&shape, hull->sphereCenter).distance;
    if (!(outside <= tolerance - hull->innerRadius)) {
        fail_msg("%d faces: the centre is at %g, the inner radius is %g", (int)hull->faceCount,
                 outside, hull->innerRadius);
    }
    bool isThick = hull->mass.volume > 1e-6 * pow(hull->sphereRadius, 3.0);
    assert_true(hull->innerRadius > 0.0 || !isThick);
    assert_true(hull->innerRadius == 0.0 || hull->faceCount > 2);
}

static void checkVerticesAreGiven(const wkHull* hull, const wkVec3d* points, int count)
{
    // in the order of the points
    int32_t found = 0;
    for (int i = 0; i < count && found < hull->vertexCount; ++i) {
        found +=
            memcmp(&points[i],
                   &(wkVec3d){wkHullX(hull)[found], wkHullY(hull)[found], wkHullZ(hull)[found]},
                   sizeof points[i]) == 0;
    }
    assert_int_equal(found, hull->vertexCount);
    for (int32_t i = hull->vertexCount; i < hull->paddedCount; ++i) {
        assert_true(wkHullX(hull)[i] == wkHullX(hull)[0] && wkHullY(hull)[i] == wkHullY(hull)[0] &&
                    wkHullZ(hull)[i] == wkHullZ(hull)[0]);
    }
}

static void hull_of_any_points_holds_them_all(void** state)
{
    (void)state;
    static wkVec3d points[POINT_CAPACITY];
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int round = 0; round < 1500; ++round) {
        wkPointKind kind = (wkPointKind)(round % wk_pointKindCount);
        int count = (int)wkRngLogRange(&rng, 1.0, round % 20 == 0 ? POINT_CAPACITY : 60.0);
        wkFillPoints(&rng, kind, points, count, round % 3 == 0 ? 1e5 : round % 3 == 1 ? 1.0 : 0.0);
        wkHull* hull = wkHullOfPoints(points, count);
        if (hull == NULL) {
            fail_msg("kind %d, %d points: %s", (int)kind, count, wkGetLastError());
            return;
        }
        double tolerance = TOLERANCE * wkLargestCoordinate(points, count);
        checkFaces(hull, tolerance);
        checkLinks(hull);
        checkVerticesAreGiven(hull, points, count);
        checkHoldsPoints(hull, points, count, tolerance);
        checkInnerSphere(hull, tolerance);
        if (kind == wk_pointsOnLine) {
            assert_int_equal(hull->faceCount, 0);
        } else if (kind == wk_pointsInPlane && hull->faceCount > 0) {
            assert_int_equal(hull->faceCount, 2);
        }
        wkHull_Destroy(hull);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

static void checkInertia(const wkHull* hull, double x, double y, double z, double tolerance)
{
    const double expected[3][3] = {{x, 0.0, 0.0}, {0.0, y, 0.0}, {0.0, 0.0, z}};
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            assertNear(hull->mass.inertia[i][k], expected[i][k], tolerance);
        }
    }
}

// All points of a grid in a box of 2 x 4 x 6, far from the origin: 8 vertices and 6 faces remain.
static void grid_in_a_box_is_a_box(void** state)
{
    (void)state;
    static wkVec3d points[POINT_CAPACITY];
    int count = 0;
    for (int i = 0; i < 1000; ++i) {
        double x = i % 10 / 9.0, y = i / 10 % 10 / 9.0, z = i / 100 / 9.0;
        points[count++] = wkVec(2.0 * x + 1000.0, 4.0 * y, 6.0 * z - 500.0);
    }
    wkHull* hull = wkHullOfPoints(points, count);
    assert_int_equal(wkHull_Info(hull).vertexCount, 8);
    assert_int_equal(wkHull_Info(hull).faceCount, 6);
    for (int32_t i = 0; i < 6; ++i) {
        assert_int_equal(wkHull_Face(hull, i).indexCount, 4);
    }
    assertNear(hull->mass.volume, 48.0, 1e-12);
    assertVecNear(hull->mass.centroid, wkVec(1001.0, 2.0, -497.0), 1e-12);
    checkInertia(hull, 48.0 / 12.0 * 52.0, 48.0 / 12.0 * 40.0, 48.0 / 12.0 * 20.0, 1e-11);
    assertNear(hull->area, 88.0, 1e-12);
    assertNear(hull->meanWidthIntegral, acos(-1.0) * 12.0, 1e-12);
    assertNear(hull->sphereRadius, sqrt(14.0), 1e-11);
    wkHull_Destroy(hull);
}

// Vertex tetrahedron: volume 1/6, inertia about the centroid by hand.
static void tetrahedron_has_its_known_mass(void** state)
{
    (void)state;
    const wkVec3d points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.1, 0.1}};
    wkHull* hull = wkHullOfPoints(points, 5);
    assert_int_equal(wkHull_Info(hull).vertexCount, 4);
    assert_int_equal(wkHull_Info(hull).faceCount, 4);
    assertNear(hull->mass.volume, 1.0 / 6.0, 1e-16);
    assertVecNear(hull->mass.centroid, wkVec(0.25, 0.25, 0.25), 1e-16);
    assertNear(hull->mass.inertia[0][0], 1.0 / 80.0, 1e-16);
    assertNear(hull->mass.inertia[0][1], 1.0 / 480.0, 1e-16);
    assertNear(hull->area, 1.5 + 0.5 * sqrt(3.0), 1e-15);
    wkHull_Destroy(hull);
}

// A prism over a regular polygon with many sides, turned at random: two large faces must be whole.
static void prism_keeps_its_large_faces(void** state)
{
    (void)state;
    static wkVec3d points[POINT_CAPACITY];
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int sides = 3; sides <= 200; sides = sides * 3 / 2 + 1) {
        wkPose pose = {wkScale(10.0, wkRngDirection(&rng)), wkRngRotation(&rng)};
        for (int i = 0; i < 2 * sides; ++i) {
            double angle = 2.0 * acos(-1.0) * (i / 2) / sides;
            points[i] = wkTransformPoint(pose, wkVec(cos(angle), sin(angle), i % 2));
        }
        wkHull* hull = wkHullOfPoints(points, 2 * sides);
        assert_int_equal(wkHull_Info(hull).vertexCount, 2 * sides);
        assert_int_equal(wkHull_Info(hull).faceCount, sides + 2);
        assertNear(hull->mass.volume, 0.5 * sides * sin(2.0 * acos(-1.0) / sides), 1e-12);
        assertVecNear(hull->mass.centroid, wkTransformPoint(pose, wkVec(0.0, 0.0, 0.5)), 1e-13);
        wkHull_Destroy(hull);
    }
}

static void thin_bodies_keep_their_volume(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int power = 0; power <= 9; ++power) {
        wkVec3d half = wkVec(1.0, pow(10.0, -power), pow(10.0, -power));
        wkQuat rotation = wkRngRotation(&rng);
        wkPose pose = {wkVec(0.0, 0.0, 0.0), rotation};
        wkVec3d points[8];
        for (int i = 0; i < 8; ++i) {
            wkVec3d sign = wkVec(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
            points[i] = wkTransformPoint(pose, wkMulVec(sign, half));
        }
        wkHull* hull = wkHullOfPoints(points, 8);
        double volume = 8.0 * half.y * half.z;
        assertNear(hull->mass.volume / volume, 1.0, 1e-15 / half.y + 1e-14);
        wkHull_Destroy(hull);
    }
}

static void flat_points_have_two_faces_or_none(void** state)
{
    (void)state;
    const wkVec3d square[] = {{0, 0, 1}, {2, 0, 1}, {2, 2, 1}, {0, 2, 1}, {1, 1, 1}, {1, 0, 1}};
    wkHull* hull = wkHullOfPoints(square, 6);
    assert_int_equal(wkHull_Info(hull).vertexCount, 4);
    assert_int_equal(wkHull_Info(hull).faceCount, 2);
    assertVecNear(wkHull_Face(hull, 0).normal, wkNeg(wkHull_Face(hull, 1).normal), 0.0);
    assertNear(hull->area, 8.0, 1e-15);
    assertNear(hull->meanWidthIntegral, 4.0 * acos(-1.0), 1e-14);
    assertNear(hull->mass.volume, 0.0, 0.0);
    assertVecNear(hull->mass.centroid, wkVec(1.0, 1.0, 1.0), 1e-15);
    wkHull_Destroy(hull);

    const wkVec3d line[] = {{1, 1, 1}, {3, 3, 3}, {2, 2, 2}, {1, 1, 1}};
    hull = wkHullOfPoints(line, 4);
    assert_int_equal(wkHull_Info(hull).vertexCount, 2);
    assert_int_equal(wkHull_Info(hull).faceCount, 0);
    assertVecNear(hull->mass.centroid, wkVec(2.0, 2.0, 2.0), 1e-15);
    assertNear(hull->meanWidthIntegral, acos(-1.0) * sqrt(12.0), 1e-14);
    wkHull_Destroy(hull);

    const wkVec3d point[] = {{5, 6, 7}, {5, 6, 7}, {5, 6, 7}};
    hull = wkHullOfPoints(point, 3);
    assert_int_equal(wkHull_Info(hull).vertexCount, 1);
    assertVecNear(wkHull_Vertex(hull, 0), wkVec(5.0, 6.0, 7.0), 0.0);
    assertVecNear(hull->mass.centroid, wkVec(5.0, 6.0, 7.0), 0.0);
    assert_int_equal(wkHullSupport(hull, wkVec(1.0, 0.0, 0.0), 17), 0);
    wkHull_Destroy(hull);
}

static void same_points_give_the_same_bytes(void** state)
{
    (void)state;
    static wkVec3d points[POINT_CAPACITY];
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int round = 0; round < 50; ++round) {
        wkFillPoints(&rng, (wkPointKind)(round % wk_pointKindCount), points, 200, 1.0);
        wkHull* first = wkHullOfPoints(points, 200);
        wkHull* second = wkHullOfPoints(points, 200);
        assert_int_equal(wkHull_Info(first).byteCount, wkHull_Info(second).byteCount);
        assert_memory_equal(first, second, wkHull_Info(first).byteCount);
        wkHull_Destroy(first);
        wkHull_Destroy(second);
    }
}

static void bad_definitions_are_refused_by_name(void** state)
{
    (void)state;
    wkVec3d points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    wkHullDef good = wkDefaultHullDef();
    good.points = points;
    good.pointCount = 4;

    wkHullDef def = {.points = points, .pointCount = 4};
    expectRefusal(def, wk_errorArgument, "wkDefaultHullDef");
    def = good;
    def.points = NULL;
    expectRefusal(def, wk_errorArgument, "points");
    def = good;
    def.pointCount = 0;
    expectRefusal(def, wk_errorRange, "pointCount");
    def.pointCount = INT32_MIN;
    expectRefusal(def, wk_errorRange, "pointCount");
    def = good;
    def.faceCount = -1;
    expectRefusal(def, wk_errorRange, "faceCount");
    def.faceCount = 3;
    expectRefusal(def, wk_errorArgument, "faceSizes");
    points[2].y = NAN;
    expectRefusal(good, wk_errorNotFinite, "point 2");
    points[2].y = -INFINITY;
    expectRefusal(good, wk_errorNotFinite, "point 2");
    points[2].y = 1e200;
    expectRefusal(good, wk_errorRange, "point 2");

    wkHull* hull;
    assert_int_equal(wkHull_Create(NULL, &hull), wk_errorArgument);
    assert_null(hull);
    assert_int_equal(wkHull_Create(&good, NULL), wk_errorArgument);
    wkHull_Destroy(NULL);
}

static void extreme_sizes_are_finite(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    const double scales[] = {5e-324, 1e-300, 1e-120, 1e-90, 1e-30, 1e30, 1e60};
    for (int i = 0; i < 7; ++i) {
        wkVec3d points[30];
        for (int k = 0; k < 30; ++k) {
            wkVec3d d = wkRngDirection(&rng);
            points[k] = wkScale(scales[i], wkScale(1.0 / wkMaxAbs(d), d));
        }
        wkHull* hull = wkHullOfPoints(points, 30);
        assert_non_null(hull);
        assert_true(isfinite(hull->mass.volume) && isfinite(hull->mass.inertia[0][0]));
        assert_true(isfinite(hull->sphereRadius) && hull->sphereRadius >= 0.0);
        for (int32_t k = 0; k < hull->faceCount; ++k) {
            assertNear(wkLength(wkHullPlanes(hull)[k].normal), 1.0, 1e-15);
        }
        wkHull_Destroy(hull);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hull_of_any_points_holds_them_all),
        cmocka_unit_test(grid_in_a_box_is_a_box),
        cmocka_unit_test(tetrahedron_has_its_known_mass),
        cmocka_unit_test(prism_keeps_its_large_faces),
        cmocka_unit_test(thin_bodies_keep_their_volume),
        cmocka_unit_test(flat_points_have_two_faces_or_none),
        cmocka_unit_test(same_points_give_the_same_bytes),
        cmocka_unit_test(bad_definitions_are_refused_by_name),
        cmocka_unit_test(extreme_sizes_are_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
