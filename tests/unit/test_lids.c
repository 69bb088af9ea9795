// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Lids close any triangles, are small where holes are, and let pieces count once.

#include "lid_check.h"
#include "tree/mesh/lid_fill.h"

static void lidsAreSmallWhereHolesAre(void** state)
{
    (void)state;
    static const struct {
        meshSet (*make)(int32_t size);
        double least, most; // area
    } rows[] = {
        {openBoxSet, 4.0 - 1e-9, 4.0 + 1e-9},
        {crackedSet, 0.0, 1e-4},
        {junctionSet, 0.0, 0.0},
        {bowlSet, 2.4, 2.9}, // a disc of radius 0.95 or a little less
        {cubeSet, 0.0, 0.0},
    };
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); ++i) {
        meshSet set = rows[i].make(24);
        wkMesh* mesh = makeSolid(&set);
        wkMeshInfo info = wkMesh_Info(mesh);
        print_message("%d loops, %d lids, %g m2\n", info.boundaryLoopCount, info.lidCount,
                      info.lidArea);
        assert_true(info.lidArea >= rows[i].least && info.lidArea <= rows[i].most);
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
}

// A flat star with long rays and many vertices: all of it is filled, and nothing beside it.
static void flatLoopsAreFilledOnce(void** state)
{
    (void)state;
    static const int32_t counts[] = {3, 4, 7, 20, 64, 65, 200, 4000};
    for (int i = 0; i < 8; ++i) {
        int32_t count = counts[i];
        wkVec3d* vertices = calloc((size_t)count, sizeof *vertices);
        int32_t* loop = calloc((size_t)count, sizeof *loop);
        int32_t* triangles = calloc((size_t)count, 3 * sizeof *triangles);
        void* scratch = malloc(wkFillBytes(count));
        double area = 0.0, filled = 0.0;
        for (int32_t k = 0; k < count; ++k) {
            double t = 6.28318530717958648 * k / count, r = 1.0 + 0.6 * sin(5.0 * t);
            vertices[k] = wkVec(r * cos(t), r * sin(t), 0.0);
            loop[k] = k;
        }
        for (int32_t k = 0; k < count; ++k) {
            area += 0.5 * wkCross(vertices[k], vertices[(k + 1) % count]).z;
        }
        wkFillLoop(vertices, loop, count, scratch, triangles);
        for (int32_t k = 0; k < count - 2; ++k) {
            const int32_t* t = triangles + 3 * k;
            wkVec3d u = wkSub(vertices[t[1]], vertices[t[0]]);
            filled += 0.5 * wkLength(wkCross(u, wkSub(vertices[t[2]], vertices[t[0]])));
        }
        print_message("%d vertices: %g m2 of %g\n", count, filled, area);
        assert_true(filled >= fabs(area) - 1e-12 && filled <= 1.02 * fabs(area) + 1e-12);
        free(vertices);
        free(loop);
        free(triangles);
        free(scratch);
    }
}

// Hulls in blocks do not depend on the order of triangles, which is another one in the block.
static void convexSolidsAreSavedAnywhere(void** state)
{
    (void)state;
    for (int k = 0; k < 8; ++k) {
        meshSet set = k % 2 == 0 ? cubeSet(0) : solidSphereSet(8 + k, 0.0);
        double far = 2.5e6 * (k - k % 2);
        moveSet(&set, 1.0, wkVec(far, far, -3.0));
        set.triangleCount -= k % 4 == 3; // closed by a lid
        wkMesh *mesh = makeSolid(&set), *copy;
        wkResult result = wkMesh_FromBlock(wkMesh_Block(mesh), wkMesh_Info(mesh).byteCount, &copy);
        if (result != wk_ok) {
            fail_msg("set %d: %s", k, wkGetLastError());
        }
        wkMesh_Destroy(copy);
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
}

// A sphere that is there from both sides, beside a cube or as an insert that fills a cavity of it, whatever
// comes first and whatever the orientation of the cube.
static void piecesFromBothSidesCountOnce(void** state)
{
    (void)state;
    for (int k = 0; k < 16; ++k) {
        meshSet outside = cubeSet(0), front = solidSphereSet(9, 0.0), back = solidSphereSet(9, 0.0);
        double reach = k & 1 ? 3.0 : 0.0;
        moveSet(&front, 0.5, wkVec(reach, 0.0, 0.0));
        moveSet(&back, 0.5, wkVec(reach, 0.0, 0.0));
        flipSet(k & 2 ? &front : &back);
        if (k & 4) {
            flipSet(&outside);
        }
        meshSet both = joinSets(front, back);
        meshSet set = k & 8 ? joinSets(both, outside) : joinSets(outside, both);
        wkMesh* mesh = makeSolid(&set);
        wkShape solid = wkMakeMesh(mesh), sphere = wkMakeSphere(0.01);
        wkVec3d inside = wkVec(reach + 0.1, 0.1, 0.1);
        assert_true(wkShape_ContainsPoint(&solid, wkIdentityPose(), inside));
        assert_true(isTouching(&sphere, poseAt(inside), &solid, wkIdentityPose()));
        assert_true(wkShape_ContainsPoint(&solid, wkIdentityPose(), wkVec(0.8, 0.8, 0.8)));
        assert_false(wkShape_ContainsPoint(&solid, wkIdentityPose(), wkVec(2.0, 0.1, 0.2)));
        assert_true(wkMesh_Info(mesh).isClosed);
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
}

// Random triangles over few places: edges used many times, both ways, several loops at a vertex.
static void anyTrianglesCanBeClosed(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(7);
    for (int k = 0; k < 300; ++k) {
        meshSet set = makeSet(wkRngBelow(&rng, 12) + 3, wkRngBelow(&rng, 40) + 1);
        for (int32_t i = 0; i < set.vertexCount; ++i) {
            // coordinates of a coarse lattice: many vertices share places or lines
            set.vertices[i] =
                wkVec(rint(wkRngRange(&rng, -2.0, 2.0)), rint(wkRngRange(&rng, -2.0, 2.0)),
                      rint(wkRngRange(&rng, -2.0, 2.0)));
        }
        for (int32_t i = 0; i < 3 * set.triangleCount; ++i) {
            set.triangles[i] = wkRngBelow(&rng, set.vertexCount);
        }
        wkMesh* mesh = makeSolid(&set);
        meshSet closed = closedSet(mesh);
        wkShape solid = wkMakeMesh(mesh);
        for (int i = 0; i < 20; ++i) {
            wkVec3d p = wkVec(wkRngRange(&rng, -2.1, 2.1), wkRngRange(&rng, -2.1, 2.1),
                              wkRngRange(&rng, -2.1, 2.1));
            double winding = windingBySum(&closed, p);
            assert_true(fabs(winding - rint(winding)) < 1e-6);
            assert_int_equal(wkShape_ContainsPoint(&solid, wkIdentityPose(), p),
                             rint(winding) != 0.0);
        }
        wkMesh_Destroy(mesh);
        freeSet(&set);
        freeSet(&closed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lidsAreSmallWhereHolesAre),
        cmocka_unit_test(flatLoopsAreFilledOnce),
        cmocka_unit_test(convexSolidsAreSavedAnywhere),
        cmocka_unit_test(piecesFromBothSidesCountOnce),
        cmocka_unit_test(anyTrianglesCanBeClosed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
