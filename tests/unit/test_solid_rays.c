// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Rays and solid meshes: they hit the body that the triangles enclose, with any padding and either orientation.

#include "mesh_unit_check.h"
#include "whisker/query.h"

// A ray from inside or around the unit sphere in any direction.
static wkRay drawRay(wkRng* rng)
{
    double reach = 2.5 * wkRngUnit(rng);
    wkVec3d origin = wkScale(reach, wkRngDirection(rng));
    wkRay ray = {origin, wkRngDirection(rng), INFINITY};
    return ray;
}

// A sphere of triangles lies between two spheres; rounding and padding of any sign included.
static void solids_are_hit_like_the_bodies_they_are(void** state)
{
    (void)state;
    meshSet set = solidSphereSet(48, 0.0);
    wkMeshDef def = defOfSet(&set);
    def.isSolid = true;
    wkMesh* mesh = createMesh(&def);
    wkShape shape = wkMakeMesh(mesh);
    wkRng rng = wkMakeRng(UNIT_SEED);
    static const double paddings[] = {0.0, 0.25, -0.25};
    for (int i = 0; i < 600; ++i) {
        shape.padding = paddings[i % 3];
        wkShape inner = wkMakeSphere(0.995 + shape.padding),
                outer = wkMakeSphere(1.0 + shape.padding);
        wkRay ray = drawRay(&rng);
        wkRayResult least = wkShape_RayCast(&outer, wkIdentityPose(), ray),
                    most = wkShape_RayCast(&inner, wkIdentityPose(), ray);
        wkRayResult hit = wkShape_RayCast(&shape, wkIdentityPose(), ray);
        assert_int_equal(hit.status, wk_statusExact);
        assert_true(hit.isHit == wkShape_RayHits(&shape, wkIdentityPose(), ray));
        assert_true(hit.isHit ? least.isHit : !most.isHit);
        if (most.isHit && !(hit.distance <= most.distance && hit.distance >= least.distance)) {
            fail_msg("ray %d, padding %g: %.17g, not from %.17g to %.17g", i, shape.padding,
                     hit.distance, least.distance, most.distance);
        }
        if (most.isHit && hit.distance > 0.0) {
            assert_true(wkDot(hit.normal, wkNormalizeOr(hit.point, hit.normal)) > 0.9);
        }
    }
    wkMesh_Destroy(mesh);
    freeSet(&set);
}

// Bodies whose triangles are clockwise enclose the same, and their normals point out of it.
static void solids_inside_out_are_hit_the_same(void** state)
{
    (void)state;
    meshSet set = solidSphereSet(16, 0.0);
    wkMeshDef def = defOfSet(&set);
    def.isSolid = true;
    wkMesh* mesh = createMesh(&def);
    for (int32_t i = 0; i < set.triangleCount; ++i) {
        int32_t first = set.triangles[3 * i];
        set.triangles[3 * i] = set.triangles[3 * i + 1];
        set.triangles[3 * i + 1] = first;
    }
    wkMesh* turned = createMesh(&def);
    assert_true(wkMesh_Info(turned).volumeInside < 0.0);
    wkShape shapes[2] = {wkMakeMesh(mesh), wkMakeMesh(turned)};
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < 200; ++i) {
        wkRay ray = drawRay(&rng);
        wkRayResult a = wkShape_RayCast(&shapes[0], wkIdentityPose(), ray),
                    b = wkShape_RayCast(&shapes[1], wkIdentityPose(), ray);
        assert_true(a.isHit == b.isHit);
        assert_true(fabs(a.distance - b.distance) < 1e-12);
        assert_true(!a.isHit || wkDot(a.normal, b.normal) > 1.0 - 1e-12);
    }
    wkMesh_Destroy(mesh);
    wkMesh_Destroy(turned);
    freeSet(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_are_hit_like_the_bodies_they_are),
        cmocka_unit_test(solids_inside_out_are_hit_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
