// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Rays and meshes: brute force over all triangles in higher precision says what must be hit, and
// no ray gets out of a closed mesh.

#include "mesh_ray_kit.h"

#define RAY_KIND_COUNT 11

typedef struct longVec {
    long double x, y, z;
} longVec;

static longVec longSub(wkVec3d a, wkVec3d b)
{
    longVec v = {(long double)a.x - b.x, (long double)a.y - b.y, (long double)a.z - b.z};
    return v;
}

static longVec longCross(longVec a, longVec b)
{
    longVec v = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return v;
}

static long double longDot(longVec a, longVec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static long double longLength(longVec a)
{
    return sqrtl(longDot(a, a));
}

// Distance to a triangle that the ray meets clearly: further than `slack` from its border, not
// nearly in its plane. Infinite when it does not.
static double clearHit(const wkRay* ray, const wkVec3d faceVertices[3], double slack, double* doubt)
{
    longVec direction = longSub(ray->direction, wkVec(0.0, 0.0, 0.0));
    long double length = longLength(direction);
    longVec a = longSub(faceVertices[1], faceVertices[0]),
            b = longSub(faceVertices[2], faceVertices[0]);
    longVec normal = longCross(a, b);
    long double area = longLength(normal);
    long double slope = longDot(normal, direction) / (length * area);
    if (!(area > 0.0L) || !(fabsl(slope) > 1e-4L)) {
        return INFINITY;
    }
    int sides = 0;
    for (int i = 0; i < 3; ++i) {
        longVec edge = longSub(faceVertices[(i + 1) % 3], faceVertices[i]);
        longVec toVertex = longSub(faceVertices[i], ray->origin);
        longVec across = longCross(edge, direction);
        long double gap = longDot(toVertex, across) / longLength(across);
        sides += gap > slack ? 1 : gap < -slack ? -1 : 0;
    }
    long double distance = longDot(longSub(faceVertices[0], ray->origin), normal) * length /
                           longDot(normal, direction);
    *doubt = slack / (double)fabsl(slope);
    bool isOn = (sides == 3 || sides == -3) && distance > *doubt &&
                distance < (long double)ray->maxDistance - *doubt;
    return isOn ? (double)distance : (double)INFINITY;
}

// What a hit says is true: the point is on the ray and on that triangle, the normal faces the ray.
static void assertTrueHit(const meshSet* set, const wkRay* ray, const wkRayResult* hit,
                          double slack)
{
    assert_in_range(hit->part, 0, set->triangleCount - 1);
    wkTriangle triangle;
    for (int k = 0; k < 3; ++k) {
        triangle.points[k] = *vertexOf(set, hit->part, k);
    }
    wkShape shape = wkMakeTriangle(triangle.points[0], triangle.points[1], triangle.points[2]);
    double gap = wkShape_PointDistance(&shape, identity, hit->point);
    if (!(gap <= slack) || !(hit->distance >= 0.0) || !(hit->distance <= ray->maxDistance) ||
        !(wkDot(hit->normal, ray->direction) <= 1e-12 * wkLength(ray->direction)) ||
        !(fabs(wkLength(hit->normal) - 1.0) < 1e-12)) {
        printRay(set, ray, hit->part);
        fail_msg("triangle %" PRId64 " after %.17g m: %g m off, slack %g", hit->part, hit->distance,
                 gap, slack);
    }
}

static void assertRay(const wkShape* shape, const meshSet* set, const wkRay* ray, double reach)
{
    wkRayResult hit = wkShape_RayCast(shape, identity, *ray);
    assert_int_equal(hit.status, wk_statusExact);
    assert_true(hit.isHit == wkShape_RayHits(shape, identity, *ray));
    double slack = 8e-15 * (wkMaxAbs(ray->origin) + reach);
    if (hit.isHit) {
        assertTrueHit(set, ray, &hit, slack);
    }
    for (int32_t i = 0; i < set->triangleCount; ++i) {
        const wkVec3d faceVertices[3] = {*vertexOf(set, i, 0), *vertexOf(set, i, 1),
                                         *vertexOf(set, i, 2)};
        double doubt = 0.0;
        double distance = clearHit(ray, faceVertices, slack, &doubt);
        if (distance < (double)INFINITY && !(hit.isHit && hit.distance <= distance + doubt)) {
            printRay(set, ray, i);
            fail_msg("triangle %d after %.17g m was passed: hit %d after %.17g m", (int)i, distance,
                     hit.isHit, hit.distance);
        }
    }
}

static void rays_hit_what_brute_force_says(void** state)
{
    (void)state;
    for (int s = 0; s < MESH_SET_COUNT; ++s) {
        for (int32_t size = 2; size <= 18; size += 8) {
            meshSet set = meshSets[s].make(size);
            double reach = reachOf(&set);
            wkMeshDef def = defOfSet(&set);
            wkMesh* mesh = createMesh(&def);
            wkShape shape = wkMakeMesh(mesh);
            wkRng rng = wkMakeRng(UNIT_SEED + (uint64_t)(s * 100 + size));
            for (int i = 0; i < 600 && set.triangleCount > 0; ++i) {
                wkRay ray = rayOf(&rng, &set, reach, i % RAY_KIND_COUNT);
                if (wkLength(ray.direction) > 0.0) {
                    assertRay(&shape, &set, &ray, reach);
                }
            }
            wkMesh_Destroy(mesh);
            freeSet(&set);
        }
    }
}

static void assertSameHit(const wkRayResult* a, const wkRayResult* b, const char* what)
{
    if (a->isHit != b->isHit || memcmp(&a->distance, &b->distance, sizeof(double)) != 0 ||
        a->part != b->part || memcmp(&a->point, &b->point, sizeof(wkVec3d)) != 0 ||
        memcmp(&a->normal, &b->normal, sizeof(wkVec3d)) != 0) {
        fail_msg("%s: hit %d, %d after %.17g, %.17g m at %" PRId64 ", %" PRId64, what, a->isHit,
                 b->isHit, a->distance, b->distance, a->part, b->part);
    }
}

static void rays_do_not_depend_on_the_hierarchy(void** state)
{
    (void)state;
    for (int s = 0; s < MESH_SET_COUNT; ++s) {
        meshSet set = meshSets[s].make(16);
        double reach = reachOf(&set);
        wkMeshDef def = defOfSet(&set);
        wkMesh* plain = createMesh(&def);
        wkShape plainShape = wkMakeMesh(plain);
        for (int k = 0; k < WK_VOLUME_KIND_COUNT * WK_SPLIT_METHOD_COUNT; ++k) {
            def.volume = (wkVolumeKind)(k % WK_VOLUME_KIND_COUNT);
            def.split = (wkSplitMethod)(k / WK_VOLUME_KIND_COUNT);
            wkMesh* mesh = createMesh(&def);
            wkShape shape = wkMakeMesh(mesh);
            plainShape.padding = shape.padding = k % 3 == 2 ? 0.05 * reach : 0.0;
            wkRng rng = wkMakeRng(UNIT_SEED + (uint64_t)s);
            for (int i = 0; i < 200 && set.triangleCount > 0; ++i) {
                wkRay ray = rayOf(&rng, &set, reach, i % RAY_KIND_COUNT);
                wkRayResult a = wkShape_RayCast(&plainShape, identity, ray);
                wkRayResult b = wkShape_RayCast(&shape, identity, ray);
                assertSameHit(&a, &b, meshSets[s].name);
                assert_true(wkShape_RayHits(&shape, identity, ray) == a.isHit);
            }
            wkMesh_Destroy(mesh);
        }
        wkMesh_Destroy(plain);
        freeSet(&set);
    }
}

// What the walk needs, without the library's choice of lanes.
static wkRayWalk walkOf(const wkMesh* mesh, const wkRay* ray, double reach)
{
    wkRayWalk walk;
    memset(&walk, 0, sizeof walk);
    walk.mesh = mesh;
    walk.ids = wkMeshIds(mesh);
    walk.base.tree = wkMeshTree(mesh);
    walk.ray.origin = ray->origin;
    walk.ray.direction = wkNormalizeOr(ray->direction, wkVec(0.0, 0.0, 1.0));
    double largest = wkMaxAbs(ray->origin) + reach;
    wkAimRay(&walk.ray, 3.6e-15 * largest);
    walk.widening = 3e-6 * largest;
    walk.distance = ray->maxDistance;
    walk.item = -1;
    return walk;
}

static void every_instruction_set_finds_the_same_bits(void** state)
{
    (void)state;
    for (int s = 0; s < MESH_SET_COUNT; ++s) {
        meshSet set = meshSets[s].make(20);
        double reach = reachOf(&set);
        wkMeshDef def = defOfSet(&set);
        wkMesh* mesh = createMesh(&def);
        wkRng rng = wkMakeRng(UNIT_SEED + (uint64_t)s);
        for (int i = 0; i < 1000 && set.triangleCount > 0; ++i) {
            wkRay ray = rayOf(&rng, &set, reach, i % 7);
            wkRayWalk expected = walkOf(mesh, &ray, reach);
            wkRayLanesOfMachine()->findFirst(&expected);
            for (int isa = 0; isa < wk_isaCount; ++isa) {
                const wkRayLanes* lanes = wkRayLanesOf((wkIsa)isa);
                wkRayWalk first = walkOf(mesh, &ray, reach), any = first;
                if (lanes != NULL) {
                    lanes->findFirst(&first);
                    lanes->findAny(&any);
                    assert_int_equal(first.item, expected.item);
                    assert_memory_equal(&first.distance, &expected.distance, sizeof(double));
                    assert_true((any.item >= 0) == (expected.item >= 0));
                }
            }
        }
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
}

static wkRayResult leaveRay(const wkShape* shape, const wkPose* pose, const wkRay* ray)
{
    (void)shape, (void)pose;
    wkRayResult result = {false, wk_statusInvalid, 0.0, ray->origin, {0.0, 0.0, 1.0}, -1};
    return result;
}

static bool missRay(const wkShape* shape, const wkPose* pose, const wkRay* ray)
{
    (void)shape, (void)pose, (void)ray;
    return false;
}

// A rotation with a negative zero in it turns nothing, and is not taken for granted.
static void the_short_way_answers_like_the_long_one(void** state)
{
    (void)state;
    int shortCount = 0;
    for (int s = 0; s < MESH_SET_COUNT; ++s) {
        meshSet set = meshSets[s].make(20);
        double reach = reachOf(&set);
        wkMeshDef def = defOfSet(&set);
        wkMesh* mesh = createMesh(&def);
        wkShape shape = wkMakeMesh(mesh);
        wkRng rng = wkMakeRng(UNIT_SEED + (uint64_t)s);
        for (int i = 0; i < 1000 && set.triangleCount > 0; ++i) {
            wkPose pose = identity, same = identity;
            wkRay ray = rayOf(&rng, &set, reach, i % RAY_KIND_COUNT);
            ray.direction = wkNormalizeOr(ray.direction, wkVec(0.0, 0.0, 1.0));
            pose.position = same.position = wkScale(0.3 * reach * (i % 2), wkRngDirection(&rng));
            same.rotation.x = -0.0;
            wkRayResult expected = wkShape_RayCast(&shape, same, ray);
            for (int isa = 0; isa < wk_isaCount; ++isa) {
                const wkRayLanes* lanes = wkRayLanesOf((wkIsa)isa);
                if (lanes == NULL) {
                    continue;
                }
                wkRayResult hit = lanes->castFirst(&shape, &pose, &ray, leaveRay);
                if (hit.status != wk_statusInvalid) {
                    assertSameHit(&expected, &hit, meshSets[s].name);
                    assert_true(lanes->castAny(&shape, &pose, &ray, missRay) == expected.isHit);
                    ++shortCount;
                }
            }
        }
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
    assert_true(shortCount > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_hit_what_brute_force_says),
        cmocka_unit_test(rays_do_not_depend_on_the_hierarchy),
        cmocka_unit_test(every_instruction_set_finds_the_same_bits),
        cmocka_unit_test(the_short_way_answers_like_the_long_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
