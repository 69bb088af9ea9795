// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Lids of a mesh that deforms.

#include "lid_check.h"

// Vertices of an open box move: the lid goes with them. Triangles of a cube that shared places part:
// new lids close what opens between them.
static void lidsFollowAMeshThatDeforms(void** state)
{
    (void)state;
    for (int isTorn = 0; isTorn < 2; ++isTorn) {
        meshSet set = isTorn ? latticeSet(3) : openBoxSet(0);
        wkMeshDef def = wkDefaultMeshDef();
        def.isSolid = true;
        wkMeshBuilder* builder;
        assert_int_equal(wkMeshBuilder_Create(&def, &builder), wk_ok);
        assert_int_equal(wkMeshBuilder_BeginModel(builder, 0, 0), wk_ok);
        assert_int_equal(wkMeshBuilder_AddPart(builder, set.vertices, set.vertexCount,
                                               set.triangles, set.triangleCount),
                         wk_ok);
        assert_int_equal(wkMeshBuilder_EndModel(builder), wk_ok);
        const wkMesh* mesh = wkMeshBuilder_Mesh(builder);
        for (int32_t i = 0; i < set.vertexCount; ++i) {
            wkVec3d* v = &set.vertices[i];
            bool isAbove = isTorn ? i >= 5 * set.vertexCount / 6 : v->z > 0.0;
            v->z += isAbove ? 0.5 + 0.1 * v->x : 0.0; // the face above, all of it or its rim
        }
        for (int round = 0; round < 3; ++round) {
            assert_int_equal(wkMeshBuilder_BeginReplace(builder), wk_ok);
            assert_int_equal(
                wkMeshBuilder_ReplaceVertices(builder, 0, set.vertices, set.vertexCount), wk_ok);
            assert_int_equal(wkMeshBuilder_EndReplace(builder, round == 1), wk_ok);
            assert_true(wkMeshBuilder_Mesh(builder) == mesh);
            assertValidTree(mesh);
            wkMeshInfo info = wkMesh_Info(mesh);
            assert_false(info.isClosed);
            assert_true(info.lidCount >= 2 && info.boundaryLoopCount >= 1);
            wkShape solid = wkMakeMesh(mesh);
            assert_true(wkShape_ContainsPoint(&solid, wkIdentityPose(), wkVec(0.1, 0.1, 0.9)));
            bool isInGap = wkShape_ContainsPoint(&solid, wkIdentityPose(), wkVec(0.1, 0.1, 1.2));
            double gap =
                wkShape_ClosestPoint(&solid, wkIdentityPose(), wkVec(0.1, 0.1, 1.2), INFINITY)
                    .distance;
            assert_int_equal(isInGap,
                             !isTorn); // the face flies off, and the hole below it is closed
            assert_true(isTorn ? gap > 0.1 && gap < 0.3 : gap < -0.1);
        }
        // the block is as good as any other
        wkMesh* copy;
        assert_int_equal(wkMesh_FromBlock(wkMesh_Block(mesh), wkMesh_Info(mesh).byteCount, &copy),
                         wk_ok);
        assert_int_equal(wkMesh_Info(copy).lidCount, wkMesh_Info(mesh).lidCount);
        wkMesh_Destroy(copy);
        wkMeshBuilder_Destroy(builder);
        freeSet(&set);
    }
}

static wkMeshBuilder* buildSolid(const meshSet* set)
{
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = true;
    wkMeshBuilder* builder;
    assert_int_equal(wkMeshBuilder_Create(&def, &builder), wk_ok);
    assert_int_equal(wkMeshBuilder_BeginModel(builder, 0, 0), wk_ok);
    assert_int_equal(wkMeshBuilder_AddPart(builder, set->vertices, set->vertexCount, set->triangles,
                                           set->triangleCount),
                     wk_ok);
    assert_int_equal(wkMeshBuilder_EndModel(builder), wk_ok);
    return builder;
}

// Two pyramids over a polygon, one above and one below.
static meshSet spinnerSet(int32_t count)
{
    meshSet set = makeSet(count + 2, 2 * count);
    for (int32_t i = 0; i < count; ++i) {
        double t = 6.28318530717958648 * i / count;
        set.vertices[i] = wkVec(cos(t), sin(t), 0.0);
        setTriangle(&set, 2 * i, i, (i + 1) % count, count);
        setTriangle(&set, 2 * i + 1, (i + 1) % count, i, count + 1);
    }
    set.vertices[count] = wkVec(0.0, 0.0, 1.0);
    set.vertices[count + 1] = wkVec(0.0, 0.0, -1.0);
    return set;
}

// A closed solid that becomes flat: every triangle is there from both sides then, and there is no room
// for lids.
static void solidsThatBecomeFlatAreBuiltAnew(void** state)
{
    (void)state;
    for (int isUpdate = 0; isUpdate < 2; ++isUpdate) {
        meshSet set = spinnerSet(2000);
        wkMeshBuilder* builder = buildSolid(&set);
        const wkMesh* mesh = wkMeshBuilder_Mesh(builder);
        size_t byteCount = wkMesh_Info(mesh).byteCount;
        for (int32_t i = 0; i < set.vertexCount; ++i) {
            set.vertices[i].z = 0.0;
        }
        if (isUpdate) {
            assert_int_equal(wkMeshBuilder_BeginUpdate(builder), wk_ok);
            assert_int_equal(
                wkMeshBuilder_UpdateVertices(builder, 0, set.vertices, set.vertexCount), wk_ok);
            assert_int_equal(wkMeshBuilder_EndUpdate(builder, true), wk_ok);
        } else {
            assert_int_equal(wkMeshBuilder_BeginReplace(builder), wk_ok);
            assert_int_equal(
                wkMeshBuilder_ReplaceVertices(builder, 0, set.vertices, set.vertexCount), wk_ok);
            assert_int_equal(wkMeshBuilder_EndReplace(builder, true), wk_ok);
        }
        assert_true(wkMesh_Info(mesh).byteCount == byteCount);
        assert_int_equal(wkMesh_Info(mesh).triangleCount, set.triangleCount);
        wkShape solid = wkMakeMesh(mesh), sphere = wkMakeSphere(0.01);
        assert_true(isTouching(&sphere, poseAt(wkVec(0.5, 0.1, 0.0)), &solid, wkIdentityPose()));
        wkMesh* copy;
        assert_int_equal(wkMesh_FromBlock(wkMesh_Block(mesh), byteCount, &copy), wk_ok);
        wkMesh_Destroy(copy);
        wkMeshBuilder_Destroy(builder);
        freeSet(&set);
    }
}

// A cube whose triangles have vertices of their own, with a little noise.
static meshSet looseSet(double noise)
{
    meshSet whole = latticeSet(6), set = makeSet(3 * whole.triangleCount, whole.triangleCount);
    wkRng rng = wkMakeRng(17);
    for (int32_t i = 0; i < set.vertexCount; ++i) {
        set.vertices[i] = wkMulAdd(whole.vertices[whole.triangles[i]], noise, wkRngDirection(&rng));
        set.triangles[i] = i;
    }
    freeSet(&whole);
    return set;
}

// Seams are sewn in a builder's mesh as in any other, at first and after vertices have parted.
static void buildersSewSeams(void** state)
{
    (void)state;
    for (int isExact = 0; isExact < 2; ++isExact) {
        meshSet set = looseSet(isExact ? 0.0 : 1e-6), noisy = looseSet(1e-6);
        wkMeshBuilder* builder = buildSolid(&set);
        wkShape solid = wkMakeMesh(wkMeshBuilder_Mesh(builder));
        for (int round = 0; round < 3; ++round) {
            assert_true(fabs(wkMesh_Info(solid.mesh).volumeInside - 8.0) < 1e-4);
            assert_true(wkShape_ContainsPoint(&solid, wkIdentityPose(), wkVec(0.1, 0.2, 0.3)));
            assert_int_equal(wkMeshBuilder_BeginReplace(builder), wk_ok);
            assert_int_equal(
                wkMeshBuilder_ReplaceVertices(builder, 0, noisy.vertices, noisy.vertexCount),
                wk_ok);
            assert_int_equal(wkMeshBuilder_EndReplace(builder, round == 1), wk_ok);
        }
        wkMeshBuilder_Destroy(builder);
        freeSet(&set);
        freeSet(&noisy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lidsFollowAMeshThatDeforms),
        cmocka_unit_test(solidsThatBecomeFlatAreBuiltAnew),
        cmocka_unit_test(buildersSewSeams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
