// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Maps made by hand where an answer is known and easily lost: between cells, far from the origin, behind
// what is unknown, and along rays without end.

#include "kit.h"
#include "whisker/octree.h"

#include <math.h>
#include <time.h>

// A wall one cell thick, of cells that do not merge.
static wkOctree* makeWall(double resolution, int32_t middle)
{
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = resolution;
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Create(&def, &octree), wk_ok);
    for (int32_t y = -12; y < 12; y++) {
        for (int32_t z = -12; z < 12; z++) {
            wkCellKey key = {(uint16_t)middle, (uint16_t)(middle + y), (uint16_t)(middle + z)};
            float logOdds = (y + z) % 2 == 0 ? 1.0f : 2.0f;
            assert_int_equal(wkOctree_SetLogOdds(octree, key, 16, logOdds), wk_ok);
        }
    }
    return octree;
}

// Aims at edges and vertices that cells share.
static void shootBetweenCells(const wkOctree* octree, double start, wkPose pose, wkRng* rng)
{
    wkShape map = wkMakeOctree(octree);
    double cell = wkOctree_Def(octree).resolution;
    for (int i = 0; i < 400; i++) {
        int y = wkRngBelow(rng, 21) - 10, z = wkRngBelow(rng, 21) - 10, isOblique = i % 2;
        wkVec3d along = {1.0, isOblique * wkRngRange(rng, -1.0, 1.0),
                         isOblique * wkRngRange(rng, -1.0, 1.0)};
        wkVec3d from = {(start - 5.0) * cell, (start + y - 5.0 * along.y) * cell,
                        (start + z - 5.0 * along.z) * cell};
        wkRay ray = {wkTransformPoint(pose, from), wkRotateVector(pose, along), INFINITY};
        assert_true(wkShape_RayCast(&map, pose, ray).isHit);
        assert_true(wkShape_RayHits(&map, pose, ray));
    }
}

static void rays_do_not_slip_between_cells(void** state)
{
    (void)state;
    const double resolutions[] = {0.05, 0.03, 0.0123, 1e-6, 1e6};
    const int32_t middles[] = {32768, 32768 + 9000, 32768 - 20001};
    wkRng rng = wkMakeRng(wkKitSeed() + 8);
    for (size_t i = 0; i < sizeof resolutions / sizeof resolutions[0]; i++) {
        for (size_t k = 0; k < sizeof middles / sizeof middles[0]; k++) {
            wkOctree* octree = makeWall(resolutions[i], middles[k]);
            wkVec3d position = {1.3, -7.1, 100.2};
            shootBetweenCells(octree, middles[k] - 32768, wkIdentityPose(), &rng);
            shootBetweenCells(octree, middles[k] - 32768, wkMakePoseRpy(position, 0.3, 1.1, -2.0),
                              &rng);
            wkOctree_Destroy(octree);
        }
    }
}

// Where nothing is hit there is no limit that would leave cells out: what the ray passes by must not be
// looked at all the same, which would take minutes.
static void unbounded_rays_test_every_cell_they_cross(void** state)
{
    (void)state;
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Create(NULL, &octree), wk_ok);
    for (uint32_t i = 0; i < 1u << 16; i++) {
        uint32_t x = i & 63u, y = i >> 6 & 63u, z = i >> 12;
        wkCellKey key = {(uint16_t)(32768u + x), (uint16_t)(32768u + y), (uint16_t)(32768u + z)};
        float logOdds = ((x ^ y ^ z) & 1u) != 0 ? 1.0f : 2.0f;
        assert_int_equal(wkOctree_SetLogOdds(octree, key, 16, logOdds), wk_ok);
    }
    wkShape map = wkMakeOctree(octree);
    clock_t begin = clock();
    for (int i = 0; i < 5000; i++) {
        wkRay ray = {{-1.0, 1.0, 2.0}, {1.0, 0.0001 * i, 0.01}, INFINITY};
        assert_false(wkShape_RayCast(&map, wkIdentityPose(), ray).isHit);
    }
    assert_true((double)(clock() - begin) < 5.0 * CLOCKS_PER_SEC);
    wkOctree_Destroy(octree);
}

// Status of a collision without contacts, which is that of one with few of them.
static wkStatus assertSameStatus(const wkShape* a, const wkShape* b, wkPose poseB)
{
    wkCollideRequest request = wkDefaultCollideRequest();
    wkStatus status = wkCollide(a, wkIdentityPose(), b, poseB, &request).status;
    wkContact contact;
    request.contacts = &contact;
    request.contactCapacity = 1;
    for (int i = 0; i < 2; i++) {
        request.stopsWhenFull = i > 0;
        assert_int_equal(wkCollide(a, wkIdentityPose(), b, poseB, &request).status, status);
        assert_int_equal(wkCollide(b, poseB, a, wkIdentityPose(), &request).status, status);
    }
    return status;
}

static void contacts_do_not_hide_what_is_occupied(void** state)
{
    (void)state;
    wkOctree *first = NULL, *second = NULL;
    assert_int_equal(wkOctree_Create(NULL, &first), wk_ok);
    assert_int_equal(wkOctree_Create(NULL, &second), wk_ok);
    assert_int_equal(wkOctree_SetLogOdds(first, (wkCellKey){32768, 32768, 32768}, 16, 1.0f), wk_ok);
    assert_int_equal(wkOctree_SetLogOdds(second, (wkCellKey){33000, 32768, 32768}, 16, 1.0f),
                     wk_ok);
    wkShape a = wkMakeOctree(first), b = wkMakeOctree(second);
    wkShape sphere = wkMakeSphere(0.3), dot = wkMakeSphere(0.01);
    wkPose pose = wkMakePose(0.01, 0.0, 0.0);
    a.map.unknown = wk_unknownReported;
    assert_int_equal(assertSameStatus(&a, &sphere, pose), wk_statusExact);
    assert_int_equal(assertSameStatus(&a, &dot, wkMakePose(1.0, 1.0, 1.0)), wk_statusUnknown);
    for (int rule = wk_unknownFree; rule <= wk_unknownReported; rule++) {
        // a cell of A that is occupied touches B where that is unknown
        b.map.unknown = (wkUnknownRule)rule;
        bool isSolid = b.map.unknown == wk_unknownOccupied;
        assert_int_equal(assertSameStatus(&a, &b, pose),
                         isSolid ? wk_statusExact : wk_statusUnknown);
    }
    wkOctree_Destroy(first);
    wkOctree_Destroy(second);
}

// A square whose vertices are far from the origin of its frame, where floats are coarse.
static wkMesh* makeFarSquare(wkVec3d vertex, double edge)
{
    const wkVec3d vertices[4] = {vertex,
                                 {vertex.x, vertex.y + edge, vertex.z},
                                 {vertex.x, vertex.y, vertex.z + edge},
                                 {vertex.x, vertex.y + edge, vertex.z + edge}};
    const int32_t triangles[6] = {0, 1, 2, 1, 3, 2};
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false;
    def.vertices = vertices;
    def.vertexCount = 4;
    def.triangles = triangles;
    def.triangleCount = 2;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    return mesh;
}

static void surfaces_far_from_their_origin_lose_no_cell(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed() + 9);
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Create(NULL, &octree), wk_ok);
    assert_int_equal(wkOctree_SetLogOdds(octree, (wkCellKey){32800, 32768, 32768}, 16, 1.0f),
                     wk_ok);
    wkShape map = wkMakeOctree(octree);
    for (int n = 0; n < wkKitCases(200); n++) {
        wkVec3d vertex = {wkRngRange(&rng, -1e5, 1e5), wkRngRange(&rng, -1e5, 1e5),
                          wkRngRange(&rng, -1e5, 1e5)};
        wkMesh* mesh = makeFarSquare(vertex, 0.5);
        wkShape square = wkMakeMesh(mesh);
        wkPose pose = wkMakePose(-vertex.x, -0.2 - vertex.y, -0.3 - vertex.z);
        wkCollideRequest request = wkDefaultCollideRequest();
        request.margin = wkDistance(&square, pose, &map, wkIdentityPose(), NULL).distance;
        assert_true(fabs(request.margin - 1.6) < 1e-8);
        assert_true(wkCollide(&square, pose, &map, wkIdentityPose(), &request).isTouching);
        wkMesh_Destroy(mesh);
    }
    wkOctree_Destroy(octree);
}

// A limit next to what rounding is given credit for: where the sum of both rounds, an answer that says
// no more than "further" must not come back as a distance within the limit.
static void what_is_past_the_limit_never_rounds_into_it(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed() + 10);
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Create(NULL, &octree), wk_ok);
    assert_int_equal(wkOctree_SetLogOdds(octree, (wkCellKey){32800, 32768, 32768}, 16, 1.0f),
                     wk_ok);
    wkShape map = wkMakeOctree(octree);
    wkMeshDef def = wkDefaultMeshDef();
    const wkVec3d vertices[4] = {
        {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const int32_t triangles[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    def.vertices = vertices;
    def.vertexCount = 4;
    def.triangles = triangles;
    def.triangleCount = 4;
    def.isSolid = true;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    wkShape solid = wkMakeMesh(mesh);
    for (int n = 0; n < wkKitCases(2000); n++) {
        // the cell is in the box around the solid, in front of its slanted face
        double before = wkRngRange(&rng, 0.6, 0.9);
        wkPose pose = wkMakePose(1.625 - before, 0.025 - before, 0.025 - before);
        double limit = wkRngLogRange(&rng, 1e-12, 1e-9);
        wkContact contact;
        wkCollideRequest collide = wkDefaultCollideRequest();
        collide.margin = limit;
        collide.contacts = &contact;
        collide.contactCapacity = 1;
        assert_false(wkCollide(&solid, pose, &map, wkIdentityPose(), &collide).isTouching);
        wkDistanceRequest distance = wkDefaultDistanceRequest();
        distance.cutoff = limit;
        assert_true(wkDistance(&solid, pose, &map, wkIdentityPose(), &distance).distance > limit);
    }
    wkMesh_Destroy(mesh);
    wkOctree_Destroy(octree);
}

static int tearDown(void** state)
{
    (void)state;
    return wkGetByteCount() == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_do_not_slip_between_cells),
        cmocka_unit_test(unbounded_rays_test_every_cell_they_cross),
        cmocka_unit_test(contacts_do_not_hide_what_is_occupied),
        cmocka_unit_test(surfaces_far_from_their_origin_lose_no_cell),
        cmocka_unit_test(what_is_past_the_limit_never_rounds_into_it),
    };
    return cmocka_run_group_tests_name("property.map_traps", tests, NULL, tearDown);
}
