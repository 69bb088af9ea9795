// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Rays and meshes: brute force over all triangles in higher precision says what must be hit, and
// no ray gets out of a closed mesh.

#include "mesh_unit_check.h"
#include "query/ray/ray_kernel.h"
#include "whisker/detail/counts.h"
#include "whisker/query.h"

#include <inttypes.h>

#define RAY_KIND_COUNT 11

static const wkPose invariant = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};

static double reachOf(const meshSet* set)
{
    double reach = 0.0;
    for (int32_t i = 0; i < set->vertexCount; ++i) {
        reach = wkMaxD(reach, wkMaxAbs(set->vertices[i]));
    }
    return reach > 0.0 ? reach : 1.0;
}

static const wkVec3d* vertexOf(const meshSet* set, int64_t triangle, int vertex)
{
    return &set->vertices[set->triangles[3 * triangle + vertex % 3]];
}

// A point of a triangle: a vertex, the middle of an edge, or anywhere.
static wkVec3d pointOf(wkRng* rng, const meshSet* set, int kind)
{
    int32_t triangle = wkRngBelow(rng, set->triangleCount);
    int vertex = wkRngBelow(rng, 3);
    wkVec3d a = *vertexOf(set, triangle, vertex), b = *vertexOf(set, triangle, vertex + 1);
    wkVec3d c = *vertexOf(set, triangle, vertex + 2);
    switch (kind) {
    case 0:
        return a;
    case 1:
        return wkMiddle(a, b);
    default:
        return wkLerp(wkLerp(a, b, wkRngUnit(rng)), c, wkRngUnit(rng));
    }
}

static wkVec3d axisOf(wkRng* rng)
{
    wkVec3d axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    return wkScale(wkRngSign(rng), axes[wkRngBelow(rng, 3)]);
}

// Towards vertices, edges and faces; along axes, along edges and in planes; from surfaces and from
// far away; along the diagonal, towards where empty slots stand.
static wkRay rayOf(wkRng* rng, const meshSet* set, double reach, int kind)
{
    wkVec3d target = pointOf(rng, set, kind % 3);
    wkVec3d away = wkRngDirection(rng);
    wkRay ray = {target, away, INFINITY};
    if (kind < 3) {
        ray.origin = wkMulAdd(target, 3.0 * reach * wkRngUnit(rng), away);
    } else if (kind == 3) {
        away = axisOf(rng);
        ray.origin = wkMulAdd(target, 2.0 * reach, away);
    } else if (kind == 4) { // along an edge, from its end or from before it
        int32_t triangle = wkRngBelow(rng, set->triangleCount);
        wkVec3d a = *vertexOf(set, triangle, 0), b = *vertexOf(set, triangle, 1);
        ray.origin = wkRngChance(rng, 2) ? a : wkLerp(b, a, 2.0);
        ray.direction = wkSub(b, a);
        return ray;
    } else if (kind == 5) { // in the plane of a triangle
        int32_t triangle = wkRngBelow(rng, set->triangleCount);
        wkVec3d a = *vertexOf(set, triangle, 0), b = *vertexOf(set, triangle, 1);
        wkVec3d c = *vertexOf(set, triangle, 2);
        ray.origin = wkLerp(wkMiddle(b, c), a, 3.0);
        ray.direction = wkSub(wkMiddle(b, c), a);
        return ray;
    } else if (kind == 6) { // from the surface
        return ray;
    } else if (kind == 7) {
        ray.origin = wkMulAdd(target, 1e6 * reach, away);
    } else if (kind == 8) {
        ray.origin = wkMulAdd(target, 1e9 * reach, away);
    } else if (kind == 9) {
        ray.direction = wkVec(1.0, 1.0, 1.0);
        ray.origin = wkMulAdd(target, -reach, ray.direction);
        return ray;
    } else { // of any length, and not towards anything
        ray.origin = wkScale(2.0 * reach, wkRngDirection(rng));
        ray.maxDistance = 3.0 * reach * wkRngUnit(rng);
        return ray;
    }
    ray.direction = wkSub(target, ray.origin);
    return ray;
}

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

static void printRay(const meshSet* set, const wkRay* ray, int64_t triangle)
{
    const wkVec3d* o = &ray->origin;
    const wkVec3d* d = &ray->direction;
    print_message("ray from (%a, %a, %a) along (%a, %a, %a) up to %g\n", o->x, o->y, o->z, d->x,
                  d->y, d->z, ray->maxDistance);
    for (int k = 0; triangle >= 0 && k < 3; ++k) {
        wkVec3d c = *vertexOf(set, triangle, k);
        print_message("  vertex (%a, %a, %a)\n", c.x, c.y, c.z);
    }
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
    double gap = wkShape_PointDistance(&shape, invariant, hit->point);
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
    wkRayResult hit = wkShape_RayCast(shape, invariant, *ray);
    assert_int_equal(hit.status, wk_statusExact);
    assert_true(hit.isHit == wkShape_RayHits(shape, invariant, *ray));
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
                wkRayResult a = wkShape_RayCast(&plainShape, invariant, ray);
                wkRayResult b = wkShape_RayCast(&shape, invariant, ray);
                assertSameHit(&a, &b, meshSets[s].name);
                assert_true(wkShape_RayHits(&shape, invariant, ray) == a.isHit);
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
            wkPose pose = invariant, same = invariant;
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

// From inside towards vertices, edges, faces and anywhere.
static void no_ray_leaves_a_closed_mesh(void** state)
{
    (void)state;
    meshSet set = solidSphereSet(40, 0.1);
    wkMeshDef def = defOfSet(&set);
    wkMesh* mesh = createMesh(&def);
    wkShape shape = wkMakeMesh(mesh);
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < 1000000; ++i) {
        wkRay ray = {wkScale(0.3 * wkRngUnit(&rng), wkRngDirection(&rng)), axisOf(&rng), INFINITY};
        if (i % 4 < 3) {
            ray.direction = wkSub(pointOf(&rng, &set, i % 4), ray.origin);
        }
        if (!wkShape_RayHits(&shape, invariant, ray)) {
            printRay(&set, &ray, -1);
            fail_msg("ray %d got out", i);
        }
    }
    wkMesh_Destroy(mesh);
    freeSet(&set);
}

// Every triangle with a sphere around it by itself.
static void padded_rays_hit_the_first_padded_triangle(void** state)
{
    (void)state;
    for (int s = 0; s < MESH_SET_COUNT; ++s) {
        meshSet set = meshSets[s].make(6);
        double reach = reachOf(&set);
        wkMeshDef def = defOfSet(&set);
        wkMesh* mesh = createMesh(&def);
        wkShape shape = wkMakeMesh(mesh);
        shape.rounding = 0.02 * reach;
        shape.padding = 0.03 * reach;
        wkRng rng = wkMakeRng(UNIT_SEED + (uint64_t)s);
        for (int i = 0; i < 300 && set.triangleCount > 0; ++i) {
            wkRay ray = rayOf(&rng, &set, reach, i % 7);
            double best = INFINITY;
            for (int32_t k = 0; k < set.triangleCount; ++k) {
                wkShape triangle = wkMakeTriangle(*vertexOf(&set, k, 0), *vertexOf(&set, k, 1),
                                                  *vertexOf(&set, k, 2));
                triangle.padding = 0.05 * reach;
                wkRayResult hit = wkShape_RayCast(&triangle, invariant, ray);
                best =
                    hit.isHit && hit.status == wk_statusExact ? wkMinD(best, hit.distance) : best;
            }
            wkRayResult hit = wkShape_RayCast(&shape, invariant, ray);
            bool isSame =
                hit.isHit ? fabs(hit.distance - best) <= 1e-9 * reach : best == (double)INFINITY;
            if (hit.status == wk_statusExact && !isSame) {
                printRay(&set, &ray, hit.part);
                fail_msg("%s: hit %d after %.17g m, brute force %.17g", meshSets[s].name, hit.isHit,
                         hit.distance, best);
            }
        }
        shape.rounding = 0.0;
        shape.padding = -0.1 * reach;
        wkRay ray = {{0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, INFINITY};
        assert_false(wkShape_RayCast(&shape, invariant, ray).isHit);
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
}

// A pose is where the mesh is, however far from the origin of the world.
static void rays_follow_the_pose(void** state)
{
    (void)state;
    meshSet set = solidSphereSet(20, 0.2);
    wkMeshDef def = defOfSet(&set);
    wkMesh* mesh = createMesh(&def);
    wkShape shape = wkMakeMesh(mesh);
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < 2000; ++i) {
        wkPose pose = {wkScale(wkRngLogRange(&rng, 1.0, 1e7), wkRngDirection(&rng)),
                       wkRngRotation(&rng)};
        wkRay local = rayOf(&rng, &set, 1.2, 2);
        wkRay world = {wkTransformPoint(pose, local.origin), wkRotateVector(pose, local.direction),
                       INFINITY};
        wkRayResult a = wkShape_RayCast(&shape, invariant, local),
                    b = wkShape_RayCast(&shape, pose, world);
        double slack = 1e-13 * (10.0 + wkMaxAbs(pose.position));
        if (a.isHit && b.isHit && fabs(wkDot(a.normal, local.direction)) > 0.1) {
            assert_true(fabs(a.distance - b.distance) < 100.0 * slack);
            assert_true(wkLength(wkSub(wkTransformPoint(pose, a.point), b.point)) < 100.0 * slack);
        }
    }
    wkMesh_Destroy(mesh);
    freeSet(&set);
}

static void rays_meet_the_ground(void** state)
{
    (void)state;
    const double heights[12] = {0.0, 1.0, 0.5, 0.25, 2.0, 0.0, 1.5, 0.75, 0.5, 1.0, 0.0, 0.25};
    wkHeightFieldDef def = wkDefaultHeightFieldDef();
    def.heights = heights;
    def.columns = 4;
    def.rows = 3;
    def.sizeX = 3.0;
    def.sizeY = 2.0;
    def.minHeight = -1.0;
    wkHeightField* field = NULL;
    assert_int_equal(wkHeightField_Create(&def, &field), wk_ok);
    wkShape shape = wkMakeHeightField(field);
    for (int i = 0; i < 12; ++i) {
        wkRay down = {{i % 4 - 1.5, i / 4 - 1.0, 5.0}, {0.0, 0.0, -1.0}, INFINITY};
        wkRayResult hit = wkShape_RayCast(&shape, invariant, down);
        assert_true(hit.isHit && hit.distance == 5.0 - heights[i]);
        assert_true(hit.normal.z > 0.0);
        down.origin.z = -0.5;
        hit = wkShape_RayCast(&shape, invariant, down);
        assert_true(hit.isHit && hit.distance == 0.0);
    }
    wkRay past = {{-5.0, 0.0, 2.5}, {1.0, 0.0, 0.0}, INFINITY};
    assert_false(wkShape_RayHits(&shape, invariant, past));
    shape.padding = 0.75;
    assert_true(wkShape_RayHits(&shape, invariant, past));
    wkHeightField_Destroy(field);
}

static void what_is_no_ray_is_refused(void** state)
{
    (void)state;
    meshSet set = solidSphereSet(5, 0.0);
    wkMeshDef def = defOfSet(&set);
    wkMesh* mesh = createMesh(&def);
    wkShape shape = wkMakeMesh(mesh);
    wkRay rays[] = {
        {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 1.0},      {{0.0, 0.0, 0.0}, {NAN, 0.0, 1.0}, 1.0},
        {{0.0, 0.0, 0.0}, {INFINITY, 0.0, 1.0}, 1.0}, {{NAN, 0.0, 0.0}, {0.0, 0.0, 1.0}, 1.0},
        {{0.0, 1e61, 0.0}, {0.0, 0.0, 1.0}, 1.0},     {{0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, NAN},
        {{0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, -1.0},
    };
    for (size_t i = 0; i < sizeof rays / sizeof *rays; ++i) {
        wkRayResult hit = wkShape_RayCast(&shape, invariant, rays[i]);
        assert_true(hit.isHit && hit.status == wk_statusInvalid && hit.distance == 0.0);
        assert_true(wkShape_RayHits(&shape, invariant, rays[i]));
    }
    wkPose nowhere = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
    wkRay ray = {{0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, 1.0};
    assert_int_equal(wkShape_RayCast(&shape, nowhere, ray).status, wk_statusInvalid);
    wkMesh_Destroy(mesh);
    freeSet(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_hit_what_brute_force_says),
        cmocka_unit_test(rays_do_not_depend_on_the_hierarchy),
        cmocka_unit_test(every_instruction_set_finds_the_same_bits),
        cmocka_unit_test(the_short_way_answers_like_the_long_one),
        cmocka_unit_test(no_ray_leaves_a_closed_mesh),
        cmocka_unit_test(padded_rays_hit_the_first_padded_triangle),
        cmocka_unit_test(rays_follow_the_pose),
        cmocka_unit_test(rays_meet_the_ground),
        cmocka_unit_test(what_is_no_ray_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
