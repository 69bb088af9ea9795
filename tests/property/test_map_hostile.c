// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Maps and questions about them that are not valid, or at the limits of what is.

#include "asserts.h"
#include "kit.h"
#include "scenes/maps.h"

#include <float.h>
#include <string.h>

// The safe verdict of everything that is not valid.
static void assertRefused(const wkShape* map, wkPose pose, const wkShape* other, wkPose otherPose)
{
    wkDistanceResult d = wkDistance(map, pose, other, otherPose, NULL);
    assert_true(d.distance == -INFINITY && d.status == wk_statusInvalid);
    wkCollideResult c = wkCollide(other, otherPose, map, pose, NULL);
    assert_true(c.isTouching && c.status == wk_statusInvalid);
}

static void what_is_not_valid_is_refused(void** state)
{
    (void)state;
    wkOctree* octree = wkMakeMap(2, 0.1, 1);
    assert_non_null(octree);
    wkShape good = wkMakeOctree(octree), sphere = wkMakeSphere(0.1);
    wkPose here = wkIdentityPose(), broken = here;
    broken.position.x = NAN;
    assert_int_equal(wkMakeOctree(NULL).type, wk_shapeNone);
    wkShape bad[7] = {good, good, good, good, good, good, good};
    bad[0].map.octree = NULL;
    bad[1].map.occupiedProbability = NAN;
    bad[2].map.occupiedProbability = 1.0;
    bad[3].map.occupiedProbability = -0.1;
    bad[4].map.unknown = (wkUnknownRule)7;
    bad[5].rounding = -1.0;
    bad[6].map.unknown = wk_unknownNone; // as in memory of zeros
    for (int i = 0; i < 7; i++) {
        assert_int_not_equal(wkShape_Check(&bad[i]), wk_ok);
        assertRefused(&bad[i], here, &sphere, here);
        assertRefused(&bad[i], here, &good, here);
        wkRay ray = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, INFINITY};
        assert_int_equal(wkShape_RayCast(&bad[i], here, ray).status, wk_statusInvalid);
        assert_int_equal(wkShape_ClosestPoint(&bad[i], here, ray.origin, INFINITY).status,
                         wk_statusInvalid);
        assert_true(wkShape_Bounds(&bad[i], here).lower.x == -INFINITY);
        assert_true(wkShape_Mass(&bad[i]).volume == 0.0);
    }
    assert_int_equal(wkShape_Check(&good), wk_ok);
    assertRefused(&good, broken, &sphere, here);
    assertRefused(&good, here, &sphere, broken);
    wkShape none;
    memset(&none, 0, sizeof none);
    assertRefused(&good, here, &none, here);
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = NAN;
    assert_int_equal(wkCollide(&good, here, &sphere, here, &request).status, wk_statusInvalid);
    wkOctree_Destroy(octree);
}

// Resolutions from a micrometre to a thousand kilometres, with bodies in proportion, far smaller, far
// larger, outside of the map and out of all proportion.
static void limits_are_finite_and_agree(void** state)
{
    (void)state;
    static const double resolutions[] = {1e-6, 1e-3, 1.0, 1e3, 1e6};
    static const double sizes[] = {0.0, 1e-9, 1e-3, 1.0, 1e3, 1e9, 1e40};
    static const double offsets[] = {0.0, 3.0, 40000.0, 1e7, 1e30};
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int n = 0; n < wkKitCases(400); n++) {
        double resolution = resolutions[wkRngBelow(&rng, 5)];
        wkOctree* octree = wkMakeMap(wkRngBelow(&rng, WK_MAP_KIND_COUNT), resolution, 5);
        assert_non_null(octree);
        wkShape map = wkMakeOctree(octree);
        map.map.unknown = (wkUnknownRule)(wk_unknownFree + wkRngBelow(&rng, 3));
        double size = resolution * sizes[wkRngBelow(&rng, 7)];
        double away = resolution * offsets[wkRngBelow(&rng, 5)];
        wkShape shapes[4] = {wkMakeSphere(size), wkMakeBox(size, 0.5 * size, size),
                             wkMakeCapsule(size, size), wkMakeCylinder(size, 2.0 * size)};
        wkPose pose = {{away, -0.3 * away, 0.1 * away}, wkRngRotation(&rng)};
        wkPose here = {{0.0, 0.0, 0.0}, wkRngRotation(&rng)};
        const wkShape* shape = &shapes[wkRngBelow(&rng, 4)];
        wkDistanceResult d = wkDistance(shape, pose, &map, here, NULL);
        wkCollideResult c = wkCollide(shape, pose, &map, here, NULL);
        assert_true(d.distance == d.distance && fabs(d.distance) < INFINITY);
        assert_true(d.status != wk_statusInvalid && d.pointA.x == d.pointA.x);
        assert_int_equal(c.isTouching, d.distance <= 0.0);
        // everything beyond the map is unknown
        bool isBeyond = away > 33000.0 * 1.8 * resolution;
        if (isBeyond && map.map.unknown != wk_unknownFree && size < 1e30) {
            assert_true(c.isTouching);
        }
        wkOctree_Destroy(octree);
    }
}

static void an_empty_map_is_nowhere(void** state)
{
    (void)state;
    wkOctree* octree = wkMakeMap(0, 0.05, 1);
    wkShape map = wkMakeOctree(octree), sphere = wkMakeSphere(1.0), plane;
    wkPose here = wkIdentityPose();
    plane = wkMakePlane(wkSceneVec(0.0, 0.0, 1.0), 0.0);
    assert_true(wkDistance(&sphere, here, &map, here, NULL).distance == DBL_MAX);
    assert_true(wkDistance(&plane, here, &map, here, NULL).distance == DBL_MAX);
    assert_true(wkDistance(&map, here, &map, here, NULL).distance == DBL_MAX);
    assert_false(wkCollide(&sphere, here, &map, here, NULL).isTouching);
    assert_true(wkShape_Bounds(&map, here).lower.x > wkShape_Bounds(&map, here).upper.x);
    assert_true(wkShape_Mass(&map).volume == 0.0);
    wkTriangulation out;
    memset(&out, 0, sizeof out);
    assert_int_equal(wkShape_Triangulate(&map, 8, 1.0, &out), wk_ok);
    assert_int_equal(out.triangleCount, 0);

    // all of it unknown: solid, and told apart
    map.map.unknown = wk_unknownReported;
    wkCollideResult c = wkCollide(&sphere, here, &map, here, NULL);
    assert_true(c.isTouching && c.status == wk_statusUnknown);
    wkRay ray = {{1.0, 2.0, 3.0}, {1.0, 0.0, 0.0}, INFINITY};
    assert_true(wkShape_RayCast(&map, here, ray).distance == 0.0);
    assert_int_equal(wkShape_RayCast(&map, here, ray).status, wk_statusUnknown);
    wkCollideResult both = wkCollide(&map, here, &map, here, NULL);
    assert_true(both.isTouching && both.status == wk_statusUnknown);
    wkOctree_Destroy(octree);
}

static void triangles_of_a_map_enclose_its_cells(void** state)
{
    (void)state;
    wkOctree* octree = wkMakeMap(4, 0.1, 3);
    wkShape map = wkMakeOctree(octree);
    wkTriangulation out;
    memset(&out, 0, sizeof out);
    assert_int_equal(wkShape_Triangulate(&map, 8, 1.0, &out), wk_ok);
    static wkVec3d vertices[80000];
    static int32_t indices[360000];
    assert_in_range(out.triangleCount, 12, 120000);
    assert_in_range(out.vertexCount, 8, 80000);
    out.vertices = vertices;
    out.indices = indices;
    out.vertexCapacity = 80000;
    out.triangleCapacity = 120000;
    assert_int_equal(wkShape_Triangulate(&map, 8, 1.0, &out), wk_ok);
    double volume = 0.0;
    for (int32_t i = 0; i < out.triangleCount; i++) {
        const int32_t* t = &indices[3 * i];
        volume += wkSceneDot(vertices[t[0]], wkSceneCross(vertices[t[1]], vertices[t[2]])) / 6.0;
    }
    assert_true(fabs(volume - wkShape_Mass(&map).volume) <= 1e-12 * fabs(volume));
    wkOctree_Destroy(octree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_not_valid_is_refused, ignoreAsserts,
                                        restoreAsserts),
        cmocka_unit_test(limits_are_finite_and_agree),
        cmocka_unit_test(an_empty_map_is_nowhere),
        cmocka_unit_test(triangles_of_a_map_enclose_its_cells),
    };
    int failed = cmocka_run_group_tests_name("hostile maps", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
