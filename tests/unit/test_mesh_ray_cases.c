// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Rays and meshes in known cases: closed meshes, padding, poses, the ground, and rays that are refused.

#include "mesh_ray_kit.h"

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
        if (!wkShape_RayHits(&shape, identity, ray)) {
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
                wkRayResult hit = wkShape_RayCast(&triangle, identity, ray);
                best =
                    hit.isHit && hit.status == wk_statusExact ? wkMinD(best, hit.distance) : best;
            }
            wkRayResult hit = wkShape_RayCast(&shape, identity, ray);
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
        assert_false(wkShape_RayCast(&shape, identity, ray).isHit);
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
        wkRayResult a = wkShape_RayCast(&shape, identity, local),
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
        wkRayResult hit = wkShape_RayCast(&shape, identity, down);
        assert_true(hit.isHit && hit.distance == 5.0 - heights[i]);
        assert_true(hit.normal.z > 0.0);
        down.origin.z = -0.5;
        hit = wkShape_RayCast(&shape, identity, down);
        assert_true(hit.isHit && hit.distance == 0.0);
    }
    wkRay past = {{-5.0, 0.0, 2.5}, {1.0, 0.0, 0.0}, INFINITY};
    assert_false(wkShape_RayHits(&shape, identity, past));
    shape.padding = 0.75;
    assert_true(wkShape_RayHits(&shape, identity, past));
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
        wkRayResult hit = wkShape_RayCast(&shape, identity, rays[i]);
        assert_true(hit.isHit && hit.status == wk_statusInvalid && hit.distance == 0.0);
        assert_true(wkShape_RayHits(&shape, identity, rays[i]));
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
        cmocka_unit_test(no_ray_leaves_a_closed_mesh),
        cmocka_unit_test(padded_rays_hit_the_first_padded_triangle),
        cmocka_unit_test(rays_follow_the_pose),
        cmocka_unit_test(rays_meet_the_ground),
        cmocka_unit_test(what_is_no_ray_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
