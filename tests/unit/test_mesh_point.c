// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Points and meshes, and a mesh as a body: closest points, bounds, support, mass, triangles.

#include "geom/project_triangle.h"
#include "mesh_unit_check.h"
#include "whisker/detail/counts.h"
#include "whisker/query.h"

#include <inttypes.h>

static wkPose randomPose(wkRng* rng, double reach)
{
    wkPose pose = {wkScale(reach * wkRngLogRange(rng, 0.1, 1e3), wkRngDirection(rng)),
                   wkRngChance(rng, 4) ? wkIdentityPose().rotation : wkRngRotation(rng)};
    return pose;
}

static double reachOf(const meshSet* set)
{
    double reach = 0.0;
    for (int32_t i = 0; i < set->vertexCount; ++i) {
        reach = wkMaxD(reach, wkMaxAbs(set->vertices[i]));
    }
    return reach > 0.0 ? reach : 1.0;
}

static wkShape triangleOf(const meshSet* set, int64_t index)
{
    const int32_t* faceVertices = set->triangles + 3 * index;
    return wkMakeTriangle(set->vertices[faceVertices[0]], set->vertices[faceVertices[1]],
                          set->vertices[faceVertices[2]]);
}

static double bruteDistance(const meshSet* set, wkVec3d local)
{
    double best = INFINITY;
    for (int32_t i = 0; i < set->triangleCount; ++i) {
        wkShape triangle = triangleOf(set, i);
        best = wkMinD(best, wkProjectTriangle(&triangle, local).distance);
    }
    return best;
}

// Near a vertex, on a triangle, anywhere, far away.
static wkVec3d pointOf(wkRng* rng, const meshSet* set, double reach)
{
    if (set->triangleCount == 0 || wkRngChance(rng, 3)) {
        return wkScale(reach * wkRngLogRange(rng, 1e-3, 1e5), wkRngDirection(rng));
    }
    wkShape triangle = triangleOf(set, wkRngBelow(rng, set->triangleCount));
    const wkVec3d* p = triangle.triangle.points;
    wkVec3d on = wkLerp(wkLerp(p[0], p[1], wkRngUnit(rng)), p[2], wkRngUnit(rng));
    wkVec3d start = wkRngChance(rng, 2) ? p[0] : on;
    return wkMulAdd(start, wkRngChance(rng, 2) ? 0.0 : 0.1 * reach * wkRngUnit(rng),
                    wkRngDirection(rng));
}

static void assertNearest(const wkShape* shape, const meshSet* set, wkPose pose, wkVec3d point,
                          double reach)
{
    double radius = shape->rounding + shape->padding;
    wkPointResult r = wkShape_ClosestPoint(shape, pose, point, INFINITY);
    double scale = wkMaxAbs(wkSub(point, pose.position)) + reach + wkMaxAbs(pose.position);
    double slack = 1e-14 * scale;
    double truth = bruteDistance(set, wkTransformPoint(wkInvPose(pose), point)) - radius;
    wkVec3d back = wkMulAdd(r.point, r.distance, r.normal);
    wkShape named = triangleOf(set, r.part);
    double distance = wkShape_PointDistance(&named, pose, point) - radius;
    if (r.status != wk_statusExact || !(r.distance <= truth + slack) ||
        !(r.distance >= truth - 4.0 * slack) || !(wkMaxAbs(wkSub(back, point)) <= 8.0 * slack) ||
        !(fabs(distance - truth) <= 8.0 * slack) || !(fabs(wkLength(r.normal) - 1.0) < 1e-9)) {
        fail_msg("(%a, %a, %a): %.17g at %" PRId64 ", brute force %.17g, slack %g", point.x,
                 point.y, point.z, r.distance, r.part, truth, slack);
    }
    double plain = wkShape_PointDistance(shape, pose, point);
    assert_true(plain == r.distance);
    assert_true(wkShape_ContainsPoint(shape, pose, point) == !(plain > 0.0));
}

static void closest_points_are_those_of_brute_force(void** state)
{
    (void)state;
    for (int s = 0; s < MESH_SET_COUNT; ++s) {
        meshSet set = meshSets[s].make(12);
        double reach = reachOf(&set);
        for (int kind = 0; kind < WK_VOLUME_KIND_COUNT; ++kind) {
            wkMeshDef def = defOfSet(&set);
            def.volume = (wkVolumeKind)kind;
            wkMesh* mesh = createMesh(&def);
            wkShape shape = wkMakeMesh(mesh);
            wkRng rng = wkMakeRng(UNIT_SEED + (uint64_t)s);
            for (int i = 0; i < 150 && set.triangleCount > 0; ++i) {
                shape.padding = i % 4 == 3 ? 0.01 * reach : 0.0;
                wkPose pose = i % 2 == 0 ? wkIdentityPose() : randomPose(&rng, reach);
                wkVec3d local = pointOf(&rng, &set, reach);
                assertNearest(&shape, &set, pose, wkTransformPoint(pose, local), reach);
            }
            wkMesh_Destroy(mesh);
        }
        freeSet(&set);
    }
}

static void closest_points_do_not_depend_on_the_hierarchy(void** state)
{
    (void)state;
    for (int s = 0; s < MESH_SET_COUNT; ++s) {
        meshSet set = meshSets[s].make(12);
        double reach = reachOf(&set);
        wkMeshDef def = defOfSet(&set);
        wkMesh* plain = createMesh(&def);
        wkShape plainShape = wkMakeMesh(plain);
        for (int k = 1; k < WK_VOLUME_KIND_COUNT * WK_SPLIT_METHOD_COUNT; ++k) {
            def.volume = (wkVolumeKind)(k % WK_VOLUME_KIND_COUNT);
            def.split = (wkSplitMethod)(k / WK_VOLUME_KIND_COUNT);
            wkMesh* mesh = createMesh(&def);
            wkShape shape = wkMakeMesh(mesh);
            wkRng rng = wkMakeRng(UNIT_SEED + (uint64_t)s);
            for (int i = 0; i < 100; ++i) {
                wkVec3d point = pointOf(&rng, &set, reach), along = wkRngDirection(&rng);
                wkPointResult a =
                    wkShape_ClosestPoint(&plainShape, wkIdentityPose(), point, INFINITY);
                wkPointResult b = wkShape_ClosestPoint(&shape, wkIdentityPose(), point, INFINITY);
                assert_memory_equal(&a.distance, &b.distance, sizeof(double));
                assert_memory_equal(&a.point, &b.point, sizeof(wkVec3d));
                assert_int_equal(a.part, b.part);
                wkVec3d topA = wkShape_Support(&plainShape, wkIdentityPose(), along);
                wkVec3d topB = wkShape_Support(&shape, wkIdentityPose(), along);
                assert_memory_equal(&topA, &topB, sizeof topA);
            }
            wkMesh_Destroy(mesh);
        }
        wkMesh_Destroy(plain);
        freeSet(&set);
    }
}

// A sphere of triangles is a little smaller than the sphere.
static void distances_are_negative_inside_solids(void** state)
{
    (void)state;
    meshSet set = solidSphereSet(48, 0.0);
    wkMeshDef def = defOfSet(&set);
    def.isSolid = true;
    wkMesh* mesh = createMesh(&def);
    wkShape shape = wkMakeMesh(mesh), sphere = wkMakeSphere(1.0);
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < 500; ++i) {
        shape.padding = sphere.padding = i % 3 == 0 ? -0.1 : 0.0;
        wkPose pose = randomPose(&rng, 1.0);
        wkVec3d local = wkScale(2.0 * wkRngUnit(&rng), wkRngDirection(&rng));
        wkVec3d point = wkTransformPoint(pose, local);
        wkPointResult r = wkShape_ClosestPoint(&shape, pose, point, INFINITY);
        double distance = wkShape_PointDistance(&sphere, pose, point);
        assert_int_equal(r.status, wk_statusExact);
        assert_true(r.distance >= distance - 1e-9 && r.distance <= distance + 0.006);
        wkVec3d back = wkMulAdd(r.point, r.distance, r.normal);
        assert_true(wkMaxAbs(wkSub(back, point)) < 1e-9);
    }
    wkMesh_Destroy(mesh);
    freeSet(&set);
}

static void beyond_the_cutoff_there_is_a_bound(void** state)
{
    (void)state;
    meshSet set = solidSphereSet(12, 0.0);
    wkMeshDef def = defOfSet(&set);
    wkMesh* mesh = createMesh(&def);
    wkShape shape = wkMakeMesh(mesh);
    wkPointResult far = wkShape_ClosestPoint(&shape, wkIdentityPose(), wkVec(0.0, 0.0, 5.0), 3.0);
    assert_int_equal(far.status, wk_statusBound);
    assert_true(far.distance > 3.0 && far.distance <= 4.0 && far.part == -1);
    wkPointResult near = wkShape_ClosestPoint(&shape, wkIdentityPose(), wkVec(0.0, 0.0, 5.0), 4.1);
    assert_int_equal(near.status, wk_statusExact);
    assert_true(fabs(near.distance - 4.0) < 1e-12);
    wkPointResult nowhere =
        wkShape_ClosestPoint(&shape, wkIdentityPose(), wkVec(0.0, NAN, 5.0), 4.1);
    assert_int_equal(nowhere.status, wk_statusInvalid);
    wkMesh_Destroy(mesh);
    freeSet(&set);

    set = emptySet(0);
    def = defOfSet(&set);
    mesh = createMesh(&def);
    shape = wkMakeMesh(mesh);
    far = wkShape_ClosestPoint(&shape, wkIdentityPose(), wkVec(0.0, 0.0, 5.0), INFINITY);
    assert_true(far.distance == INFINITY && far.part == -1);
    wkAabb bounds = wkShape_Bounds(&shape, wkIdentityPose());
    assert_true(bounds.lower.x > bounds.upper.x);
    wkMesh_Destroy(mesh);
    freeSet(&set);
}

static void closest_points_of_convex_shapes_are_projections(void** state)
{
    (void)state;
    wkShapeBank bank;
    wkShapeBank_Create(&bank, UNIT_SEED);
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < 4000; ++i) {
        wkShapeType type = (wkShapeType)(1 + i % (WK_CONVEX_TYPE_COUNT - 1));
        wkShape shape = unitShape(&rng, &bank, type, 0);
        wkPose pose = randomPose(&rng, 1.0);
        wkVec3d point = wkTransformPoint(pose, unitPoint(&rng, &shape));
        wkPointResult r = wkShape_ClosestPoint(&shape, pose, point, INFINITY);
        double slack = 1e-12 * (unitSize(&shape) + wkMaxAbs(point) + wkMaxAbs(pose.position));
        assert_true(r.distance == wkShape_PointDistance(&shape, pose, point));
        wkVec3d back = wkMulAdd(r.point, r.distance, r.normal);
        assert_true(wkMaxAbs(wkSub(back, point)) <= slack);
        assert_int_equal(r.part, -1);
    }
    wkShapeBank_Destroy(&bank);
}

static void bounds_hold_every_vertex(void** state)
{
    (void)state;
    for (int s = 0; s < MESH_SET_COUNT; ++s) {
        meshSet set = meshSets[s].make(12);
        double reach = reachOf(&set);
        wkMeshDef def = defOfSet(&set);
        wkMesh* mesh = createMesh(&def);
        wkShape shape = wkMakeMesh(mesh);
        shape.padding = 0.125 * reach;
        wkRng rng = wkMakeRng(UNIT_SEED + (uint64_t)s);
        for (int i = 0; i < 50 && set.triangleCount > 0; ++i) {
            wkPose pose = i == 0 ? wkIdentityPose() : randomPose(&rng, reach);
            wkAabb bounds = wkShape_Bounds(&shape, pose);
            for (int32_t k = 0; k < 3 * set.triangleCount; ++k) {
                wkVec3d vertex = wkTransformPoint(pose, set.vertices[set.triangles[k]]);
                wkVec3d low = wkSub(vertex, bounds.lower), high = wkSub(bounds.upper, vertex);
                wkVec3d least = wkMin(low, high);
                assert_true(wkMinD(wkMinD(least.x, least.y), least.z) >= shape.padding);
            }
        }
        // without a rotation it is as tight as rounding allows
        wkMeshInfo info = wkMesh_Info(mesh);
        wkAabb bounds = wkShape_Bounds(&shape, wkIdentityPose());
        if (set.triangleCount > 0) {
            wkVec3d margin = wkSub(info.bounds.lower, bounds.lower);
            assert_true(fabs(wkMaxAbs(margin) - shape.padding) <= 1e-13 * reach);
        }
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
}

static void support_is_the_furthest_vertex(void** state)
{
    (void)state;
    for (int s = 0; s < MESH_SET_COUNT; ++s) {
        meshSet set = meshSets[s].make(16);
        double reach = reachOf(&set);
        wkMeshDef def = defOfSet(&set);
        wkMesh* mesh = createMesh(&def);
        wkShape shape = wkMakeMesh(mesh);
        shape.rounding = 0.25 * reach;
        wkRng rng = wkMakeRng(UNIT_SEED + (uint64_t)s);
        for (int i = 0; i < 200 && set.triangleCount > 0; ++i) {
            wkPose pose = i % 2 == 0 ? wkIdentityPose() : randomPose(&rng, reach);
            wkVec3d direction = wkRngDirection(&rng);
            double best = -INFINITY;
            for (int32_t k = 0; k < 3 * set.triangleCount; ++k) {
                wkVec3d vertex = wkTransformPoint(pose, set.vertices[set.triangles[k]]);
                best = wkMaxD(best, wkDot(direction, vertex));
            }
            double height = wkDot(direction, wkShape_Support(&shape, pose, direction));
            double slack = 1e-14 * (reach + wkMaxAbs(pose.position));
            assert_true(fabs(height - best - shape.rounding) <= slack);
        }
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
}

// Triangles of a shape, as a mesh.
static wkMesh* meshOfShape(const wkShape* shape, meshSet* set)
{
    wkTriangulation count = {NULL, NULL, 0, 0, 0, 0};
    assert_int_equal(wkShape_Triangulate(shape, 64, 1.0, &count), wk_ok);
    *set = makeSet(count.vertexCount, count.triangleCount);
    wkTriangulation fill = {
        set->vertices, set->triangles, count.vertexCount, count.triangleCount, 0, 0};
    assert_int_equal(wkShape_Triangulate(shape, 64, 1.0, &fill), wk_ok);
    wkMeshDef def = defOfSet(set);
    return createMesh(&def);
}

static void mass_is_that_of_the_solid(void** state)
{
    (void)state;
    meshSet set;
    wkShape box = wkMakeBox(1.0, 2.0, 3.0);
    wkMesh* mesh = meshOfShape(&box, &set);
    wkShape shape = wkMakeMesh(mesh);
    assert_true(wkMesh_Info(mesh).isClosed);
    wkMass expected = wkShape_Mass(&box), mass = wkShape_Mass(&shape);
    assert_true(fabs(mass.volume - expected.volume) < 1e-12);
    assert_true(wkLength(wkSub(mass.centroid, expected.centroid)) < 1e-12);
    for (int i = 0; i < 9; ++i) {
        double difference = mass.inertia[i / 3][i % 3] - expected.inertia[i / 3][i % 3];
        assert_true(fabs(difference) < 1e-12);
    }
    wkMesh_Destroy(mesh);

    // half of the box: nothing is enclosed, the centre is that of the area
    wkMeshDef def = defOfSet(&set);
    def.triangleCount = 1;
    mesh = createMesh(&def);
    shape = wkMakeMesh(mesh);
    mass = wkShape_Mass(&shape);
    wkTriangle t = wkMesh_Triangle(mesh, 0);
    wkVec3d center = wkScale(1.0 / 3.0, wkAdd(t.points[0], wkAdd(t.points[1], t.points[2])));
    assert_true(mass.volume == 0.0 && mass.inertia[0][0] == 0.0);
    assert_true(wkLength(wkSub(mass.centroid, center)) < 1e-14);
    wkMesh_Destroy(mesh);
    freeSet(&set);
}

static void triangulation_gives_the_mesh_back(void** state)
{
    (void)state;
    meshSet set = solidSphereSet(9, 0.3), back;
    wkMeshDef def = defOfSet(&set);
    wkMesh* mesh = createMesh(&def);
    wkShape shape = wkMakeMesh(mesh);
    wkMesh* again = meshOfShape(&shape, &back);
    assert_int_equal(back.vertexCount, set.vertexCount);
    assert_memory_equal(back.vertices, set.vertices, (size_t)set.vertexCount * sizeof(wkVec3d));
    assert_memory_equal(back.triangles, set.triangles, (size_t)set.triangleCount * 12);
    wkTriangulation tight = {back.vertices, back.triangles, set.vertexCount, 3, 0, 0};
    assert_int_equal(wkShape_Triangulate(&shape, 64, 1.0, &tight), wk_errorRange);
    wkMesh_Destroy(again);
    wkMesh_Destroy(mesh);
    freeSet(&back);
    freeSet(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closest_points_are_those_of_brute_force),
        cmocka_unit_test(closest_points_do_not_depend_on_the_hierarchy),
        cmocka_unit_test(distances_are_negative_inside_solids),
        cmocka_unit_test(beyond_the_cutoff_there_is_a_bound),
        cmocka_unit_test(closest_points_of_convex_shapes_are_projections),
        cmocka_unit_test(bounds_hold_every_vertex),
        cmocka_unit_test(support_is_the_furthest_vertex),
        cmocka_unit_test(mass_is_that_of_the_solid),
        cmocka_unit_test(triangulation_gives_the_mesh_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
