// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Hulls from given faces: what is taken, what is refused and by which words; and creation with an
// allocator that fails at every call in turn.

#include "unit_kit.h"

#include "base/memory.h"
#include "geom/hull_impl.h"
#include "point_sets.h"

#include <string.h>

static const wkVec3d cubePoints[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},      {0, 0, 1},
                                     {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {0.5, 0.5, 0.5}};
static const int32_t cubeSizes[] = {4, 4, 4, 4, 4, 4};
static const int32_t cubeIndices[] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4,
                                      2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};

static wkHullDef cubeDef(void)
{
    wkHullDef def = wkDefaultHullDef();
    def.points = cubePoints;
    def.pointCount = 9;
    def.faceSizes = cubeSizes;
    def.faceIndices = cubeIndices;
    def.faceCount = 6;
    return def;
}

static wkHullDef makeDef(const wkVec3d* points, int pointCount, const int32_t* sizes,
                         const int32_t* indices, int faceCount)
{
    wkHullDef def = wkDefaultHullDef();
    def.points = points;
    def.pointCount = pointCount;
    def.faceSizes = sizes;
    def.faceIndices = indices;
    def.faceCount = faceCount;
    return def;
}

static wkHull* expectHull(wkHullDef def)
{
    wkHull* hull = NULL;
    if (wkHull_Create(&def, &hull) != wk_ok) {
        fail_msg("refused: %s", wkGetLastError());
    }
    return hull;
}

static void cube_of_faces_is_the_cube_of_points(void** state)
{
    (void)state;
    wkHull* hull = expectHull(cubeDef());
    assert_int_equal(wkHull_Info(hull).vertexCount, 8);
    assert_int_equal(wkHull_Info(hull).faceCount, 6);
    assertNear(hull->mass.volume, 1.0, 1e-15);
    assertVecNear(hull->mass.centroid, wkVec(0.5, 0.5, 0.5), 1e-15);
    wkHull_Destroy(hull);
}

static void triangles_in_one_plane_become_one_face(void** state)
{
    (void)state;
    int32_t sizes[12], indices[36];
    for (int face = 0, n = 0; face < 6; ++face) {
        const int32_t* c = &cubeIndices[4 * face];
        const int32_t two[6] = {c[0], c[1], c[2], c[0], c[2], c[3]};
        memcpy(&indices[6 * face], two, sizeof two);
        sizes[n++] = 3;
        sizes[n++] = 3;
    }
    wkHull* hull = expectHull(makeDef(cubePoints, 8, sizes, indices, 12));
    assert_int_equal(wkHull_Info(hull).faceCount, 6);
    assert_int_equal(wkHull_Info(hull).vertexCount, 8);
    wkHull_Destroy(hull);
}

// Faces of a computed hull, given back, make the same body.
static void computed_faces_are_accepted_as_given(void** state)
{
    (void)state;
    static wkVec3d points[300], faceVertices[300];
    static int32_t sizes[1000], indices[4000];
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int round = 0; round < 200; ++round) {
        int count = 4 + wkRngBelow(&rng, round % 10 == 0 ? 290 : 40);
        wkPointKind kind = (wkPointKind)(round % (wk_pointsOnParabola + 1));
        wkFillPoints(&rng, kind, points, count, round % 3 == 0 ? 1e3 : 0.0);
        wkHull* hull = wkHullOfPoints(points, count);
        int32_t indexCount = 0;
        for (int32_t i = 0; i < hull->faceCount; ++i) {
            wkHullFace face = wkHull_Face(hull, i);
            sizes[i] = face.indexCount;
            memcpy(&indices[indexCount], face.indices, (size_t)face.indexCount * sizeof(int32_t));
            indexCount += face.indexCount;
        }
        for (int32_t i = 0; i < hull->vertexCount; ++i) {
            faceVertices[i] = wkHull_Vertex(hull, i);
        }
        if (hull->faceCount > 0) {
            wkHull* again = expectHull(
                makeDef(faceVertices, hull->vertexCount, sizes, indices, hull->faceCount));
            assert_int_equal(again->vertexCount, hull->vertexCount);
            assert_int_equal(again->faceCount, hull->faceCount);
            assertNear(again->mass.volume, hull->mass.volume, 1e-13 * hull->mass.volume);
            wkHull_Destroy(again);
        }
        wkHull_Destroy(hull);
    }
}

static void flat_faces_need_both_sides(void** state)
{
    (void)state;
    const wkVec3d square[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    const int32_t sizes[] = {4, 4}, indices[] = {0, 1, 2, 3, 3, 2, 1, 0};
    wkHull* hull = expectHull(makeDef(square, 4, sizes, indices, 2));
    assert_int_equal(wkHull_Info(hull).faceCount, 2);
    assertNear(hull->area, 2.0, 1e-15);
    assertNear(hull->mass.volume, 0.0, 0.0);
    wkHull_Destroy(hull);
    expectRefusal(makeDef(square, 4, sizes, indices, 1), wk_errorArgument, "face 0");
}

static void surfaces_with_holes_are_refused(void** state)
{
    (void)state;
    wkHullDef def = cubeDef();
    def.faceCount = 5;
    expectRefusal(def, wk_errorArgument, "face");

    // the same face twice
    int32_t indices[28], sizes[7] = {4, 4, 4, 4, 4, 4, 4};
    memcpy(indices, cubeIndices, sizeof cubeIndices);
    memcpy(&indices[24], cubeIndices, 4 * sizeof(int32_t));
    expectRefusal(makeDef(cubePoints, 8, sizes, indices, 7), wk_errorArgument, "face");

    // an edge from a point to itself
    int32_t doubled[24];
    memcpy(doubled, cubeIndices, sizeof doubled);
    doubled[5] = doubled[4];
    expectRefusal(makeDef(cubePoints, 8, cubeSizes, doubled, 6), wk_errorArgument, "face");
}

static void faces_must_point_outward(void** state)
{
    (void)state;
    int32_t indices[24];
    for (int i = 0; i < 24; ++i) {
        indices[i] = cubeIndices[i / 4 * 4 + 3 - i % 4];
    }
    expectRefusal(makeDef(cubePoints, 8, cubeSizes, indices, 6), wk_errorArgument, "outward");
    memcpy(indices, cubeIndices, sizeof indices);
    for (int i = 0; i < 4; ++i) {
        indices[i] = cubeIndices[3 - i]; // one face turned round
    }
    expectRefusal(makeDef(cubePoints, 8, cubeSizes, indices, 6), wk_errorArgument, "face");
}

static void dents_and_bends_are_refused(void** state)
{
    (void)state;
    wkVec3d points[9];
    memcpy(points, cubePoints, sizeof points);
    points[7] = wkVec(1.1, 1.1, 1.0); // the faces around it are not planar
    expectRefusal(makeDef(points, 8, cubeSizes, cubeIndices, 6), wk_errorArgument, "planar");

    // a pyramid pushed into the cube from above
    const int32_t sizes[] = {4, 4, 4, 4, 4, 3, 3, 3, 3};
    const int32_t indices[] = {0, 2, 3, 1, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2,
                               1, 3, 7, 5, 4, 5, 8, 5, 7, 8, 7, 6, 8, 6, 4, 8};
    expectRefusal(makeDef(cubePoints, 9, sizes, indices, 9), wk_errorArgument, "outward");
    memcpy(points, cubePoints, sizeof points);
    points[8].z = 1.5; // pulled out it is a house
    wkHull* hull = expectHull(makeDef(points, 9, sizes, indices, 9));
    assertNear(hull->mass.volume, 1.0 + 0.5 / 3.0, 1e-15);
    wkHull_Destroy(hull);
}

static void two_bodies_are_refused(void** state)
{
    (void)state;
    wkVec3d points[16];
    int32_t sizes[12], indices[48];
    for (int i = 0; i < 8; ++i) {
        points[i] = cubePoints[i];
        points[8 + i] = wkAdd(cubePoints[i], wkVec(3.0, 0.0, 0.0));
    }
    for (int i = 0; i < 24; ++i) {
        indices[i] = cubeIndices[i];
        indices[24 + i] = cubeIndices[i] + 8;
        sizes[i / 2] = 4;
    }
    expectRefusal(makeDef(points, 16, sizes, indices, 12), wk_errorArgument, "face 6");
}

// A pentagram turns left at every vertex, but goes round twice.
static void stars_are_refused(void** state)
{
    (void)state;
    wkVec3d points[5];
    int32_t indices[10];
    const int32_t sizes[] = {5, 5};
    for (int i = 0; i < 5; ++i) {
        double angle = 2.0 * acos(-1.0) * i / 5.0;
        points[i] = wkVec(cos(angle), sin(angle), 0.0);
        indices[i] = 2 * i % 5;
        indices[9 - i] = 2 * i % 5;
    }
    expectRefusal(makeDef(points, 5, sizes, indices, 2), wk_errorArgument, "crosses itself");
}

static void indices_and_sizes_have_a_range(void** state)
{
    (void)state;
    int32_t indices[24], sizes[6];
    memcpy(indices, cubeIndices, sizeof indices);
    memcpy(sizes, cubeSizes, sizeof sizes);
    indices[9] = 8;
    expectRefusal(makeDef(cubePoints, 8, sizes, indices, 6), wk_errorRange, "face 2");
    indices[9] = -1;
    expectRefusal(makeDef(cubePoints, 8, sizes, indices, 6), wk_errorRange, "face 2");
    sizes[3] = 2;
    expectRefusal(makeDef(cubePoints, 8, sizes, cubeIndices, 6), wk_errorRange, "face 3");
    for (int i = 0; i < 6; ++i) {
        sizes[i] = INT32_MAX;
    }
    expectRefusal(makeDef(cubePoints, 8, sizes, cubeIndices, 6), wk_errorRange, "vertices");
}

static void unused_points_must_be_inside(void** state)
{
    (void)state;
    wkVec3d points[9];
    memcpy(points, cubePoints, sizeof points);
    points[8] = wkVec(0.5, 0.5, 1.001);
    expectRefusal(makeDef(points, 9, cubeSizes, cubeIndices, 6), wk_errorArgument, "point 8");
}

typedef struct failing {
    int calls, failAt;
} failing;

static void* failingAllocate(size_t byteCount, void* context)
{
    failing* count = context;
    return count->calls++ == count->failAt ? NULL : aligned_alloc(64, (byteCount + 63) / 64 * 64);
}

static void failingRelease(void* memory, size_t byteCount, void* context)
{
    (void)byteCount;
    (void)context;
    free(memory);
}

// Fails the first, second, third ... allocation until none is left to fail.
static void checkFailing(wkHullDef def)
{
    failing count = {0, 0};
    wkAllocator allocator = {failingAllocate, failingRelease, &count};
    wkSetAllocator(&allocator);
    wkResult result = wk_errorMemory;
    wkHull* hull = NULL;
    for (int failAt = 0; result != wk_ok && failAt < 100; ++failAt) {
        count.calls = 0;
        count.failAt = failAt;
        result = wkHull_Create(&def, &hull);
        if (result != wk_ok) {
            assert_int_equal(result, wk_errorMemory);
            assert_null(hull);
            assert_int_equal(wkGetByteCount(), 0);
        }
    }
    assert_int_equal(result, wk_ok);
    assert_true(count.failAt > 1);
    assert_int_equal(wkGetByteCount(), wkHull_Info(hull).byteCount);
    wkHull_Destroy(hull);
    wkSetAllocator(NULL);
    assert_int_equal(wkGetByteCount(), 0);
}

static void every_failed_allocation_is_survived(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    static wkVec3d points[300];
    for (int kind = 0; kind < wk_pointKindCount; ++kind) {
        wkFillPoints(&rng, (wkPointKind)kind, points, 300, 1.0);
        wkHullDef def = wkDefaultHullDef();
        def.points = points;
        def.pointCount = 300;
        checkFailing(def);
    }
    checkFailing(cubeDef());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube_of_faces_is_the_cube_of_points),
        cmocka_unit_test(triangles_in_one_plane_become_one_face),
        cmocka_unit_test(computed_faces_are_accepted_as_given),
        cmocka_unit_test(flat_faces_need_both_sides),
        cmocka_unit_test(surfaces_with_holes_are_refused),
        cmocka_unit_test(faces_must_point_outward),
        cmocka_unit_test(dents_and_bends_are_refused),
        cmocka_unit_test(two_bodies_are_refused),
        cmocka_unit_test(stars_are_refused),
        cmocka_unit_test(indices_and_sizes_have_a_range),
        cmocka_unit_test(unused_points_must_be_inside),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
