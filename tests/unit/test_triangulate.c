// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Triangulations: closed, outward, with their vertices on the surface.

#include "unit_kit.h"

#include "whisker/detail/counts.h"

#include <string.h>

// Allocates what a shape needs and fills it.
static wkTriangulation triangulate(const wkShape* shape, int segments)
{
    wkTriangulation t;
    memset(&t, 0, sizeof t);
    assert_int_equal(wkShape_Triangulate(shape, segments, 2.0, &t), wk_ok);
    t.vertexCapacity = t.vertexCount;
    t.triangleCapacity = t.triangleCount;
    t.vertices = (wkVec3d*)malloc(sizeof(wkVec3d) * (size_t)(t.vertexCount + 1));
    t.indices = (int32_t*)malloc(3 * sizeof(int32_t) * (size_t)(t.triangleCount + 1));
    assert_int_equal(wkShape_Triangulate(shape, segments, 2.0, &t), wk_ok);
    return t;
}

static void destroy(wkTriangulation* t)
{
    free(t->vertices);
    free(t->indices);
}

static int compareEdges(const void* a, const void* b)
{
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

// Every directed edge occurs once, and so does its reverse.
static void checkClosed(const wkShape* shape, const wkTriangulation* t)
{
    size_t count = 3 * (size_t)t->triangleCount;
    uint64_t* edges = (uint64_t*)malloc(sizeof(uint64_t) * (2 * count + 1));
    for (size_t i = 0; i < count; ++i) {
        uint64_t from = (uint64_t)t->indices[i];
        uint64_t to = (uint64_t)t->indices[i - i % 3 + (i + 1) % 3];
        edges[i] = from << 32 | to;
        edges[count + i] = to << 32 | from;
    }
    qsort(edges, count, sizeof(uint64_t), compareEdges);
    qsort(edges + count, count, sizeof(uint64_t), compareEdges);
    for (size_t i = 0; i < count; ++i) {
        UNIT_CHECK(edges[i] == edges[count + i], shape, "edge %d is open", (int)i);
        UNIT_CHECK(i == 0 || edges[i] != edges[i - 1], shape, "edge %d occurs twice", (int)i);
    }
    free(edges);
}

static double volumeOf(const wkTriangulation* t)
{
    double sum = 0.0;
    for (int i = 0; i < t->triangleCount; ++i) {
        const int32_t* k = t->indices + 3 * i;
        sum += wkDot(t->vertices[k[0]], wkCross(t->vertices[k[1]], t->vertices[k[2]]));
    }
    return sum / 6.0;
}

static void checkSurface(const wkShape* shape, const wkTriangulation* t)
{
    double tolerance = 1e-12 * unitSize(shape);
    for (int i = 0; i < t->vertexCount; ++i) {
        double gap = wkShape_PointDistance(shape, wkIdentityPose(), t->vertices[i]);
        UNIT_CHECK(fabs(gap) <= tolerance, shape, "vertex %d (%g %g %g) is off by %g", i,
                   t->vertices[i].x, t->vertices[i].y, t->vertices[i].z, gap);
    }
    for (int i = 0; i < 3 * t->triangleCount; ++i) {
        UNIT_CHECK(t->indices[i] >= 0 && t->indices[i] < t->vertexCount, shape, "index %d", i);
    }
}

static void every_shape_is_closed_and_on_its_surface(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    wkShapeBank bank;
    wkShapeBank_Create(&bank, UNIT_SEED);
    for (int type = 1; type < WK_CONVEX_TYPE_COUNT; ++type) {
        for (int i = 0; i < 120; ++i) {
            wkShape shape = unitShape(&rng, &bank, (wkShapeType)type, i % UNIT_KIND_COUNT);
            shape.rounding = wkRngChance(&rng, 2) ? shape.rounding : 0.3 * unitSize(&shape);
            shape.padding = wkRngChance(&rng, 4) ? -0.05 * unitSize(&shape) : shape.padding;
            if (type == wk_shapeHull && wkShapeRadius(&shape) < 0.0) {
                shape.padding = 0.0;
            }
            wkTriangulation t = triangulate(&shape, 3 + wkRngBelow(&rng, 20));
            checkSurface(&shape, &t);
            if (wkConvexTable[type].isBounded) {
                checkClosed(&shape, &t);
                double size = unitSize(&shape);
                UNIT_CHECK(volumeOf(&t) >= -1e-12 * size * size * size, &shape, "inside out");
            }
            destroy(&t);
        }
    }
    wkShapeBank_Destroy(&bank);
}

static void plain_bodies_have_no_more_than_they_need(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(2.0, 4.0, 6.0);
    wkTriangulation t = triangulate(&box, 16);
    assert_int_equal(t.vertexCount, 8);
    assert_int_equal(t.triangleCount, 12);
    assertNear(volumeOf(&t), 48.0, 1e-12);
    destroy(&t);

    wkShape triangle =
        wkMakeTriangle(wkVec(0.0, 0.0, 0.0), wkVec(1.0, 0.0, 0.0), wkVec(0.0, 1.0, 0.0));
    t = triangulate(&triangle, 16);
    assert_int_equal(t.triangleCount, 2);
    destroy(&t);

    wkShape cone = wkMakeCone(1.0, 2.0);
    t = triangulate(&cone, 16);
    assert_int_equal(t.vertexCount, 18);
    assert_int_equal(t.triangleCount, 32);
    destroy(&t);
}

static void negative_padding_leaves_a_smaller_body_or_nothing(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(2.0, 2.0, 2.0);
    box.padding = -0.5;
    wkTriangulation t = triangulate(&box, 8);
    assertNear(volumeOf(&t), 1.0, 1e-12);
    destroy(&t);
    box.padding = -1.5;
    t = triangulate(&box, 8);
    assert_int_equal(t.vertexCount, 0);
    assert_int_equal(t.triangleCount, 0);
    destroy(&t);
}

static void small_buffers_are_refused_untouched(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(2.0, 2.0, 2.0);
    wkVec3d vertices[8] = {{7.0, 7.0, 7.0}};
    int32_t indices[36] = {7};
    wkTriangulation t = {vertices, indices, 7, 12, 0, 0};
    assert_int_equal(wkShape_Triangulate(&box, 8, 1.0, &t), wk_errorRange);
    assert_int_equal(t.vertexCount, 8);
    t.vertexCapacity = 8;
    t.triangleCapacity = 11;
    assert_int_equal(wkShape_Triangulate(&box, 8, 1.0, &t), wk_errorRange);
    assert_int_equal(t.triangleCount, 12);
    assertNear(vertices[0].x, 7.0, 0.0);
    assert_int_equal(indices[0], 7);
    t.triangleCapacity = 12;
    assert_int_equal(wkShape_Triangulate(&box, 8, 1.0, &t), wk_ok);
}

static void bad_requests_are_refused(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(2.0, 2.0, 2.0);
    wkShape plane = wkMakePlane(wkVec(0.0, 0.0, 1.0), 0.0);
    wkShape none = wkMakeSphere(NAN);
    wkTriangulation t;
    memset(&t, 0, sizeof t);
    assert_int_equal(wkShape_Triangulate(&box, 2, 1.0, &t), wk_errorRange);
    assert_int_equal(wkShape_Triangulate(&box, 1 << 30, 1.0, &t), wk_errorRange);
    assert_int_equal(wkShape_Triangulate(&plane, 8, NAN, &t), wk_errorRange);
    assert_int_equal(wkShape_Triangulate(&plane, 8, 0.0, &t), wk_errorRange);
    assert_int_equal(wkShape_Triangulate(&none, 8, 1.0, &t), wk_errorArgument);
    assert_int_equal(wkShape_Triangulate(NULL, 8, 1.0, &t), wk_errorArgument);
    assert_int_equal(wkShape_Triangulate(&box, 8, 1.0, NULL), wk_errorArgument);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_is_closed_and_on_its_surface),
        cmocka_unit_test(plain_bodies_have_no_more_than_they_need),
        cmocka_unit_test(negative_padding_leaves_a_smaller_body_or_nothing),
        cmocka_unit_test(small_buffers_are_refused_untouched),
        cmocka_unit_test(bad_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
