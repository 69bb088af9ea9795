// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Random bodies with damage of several kinds at once, and what is done where it is too much.

#include "broken_check.h"

#define FIRST_SEED 200000u

// Up to three kinds of damage.
static unsigned damagesOf(uint64_t seed)
{
    wkRng rng = wkMakeRng(77u + (seed - FIRST_SEED));
    unsigned damages = 0;
    for (int i = 0; i < 3; ++i) {
        damages |= 1u << wkRngBelow(&rng, damageCount);
    }
    return damages;
}

static void mixedDamageLeavesTheInsideSolid(void** state)
{
    (void)state;
    probes p = makeProbes();
    int insideCount = 0, failCount = 0;
    for (int k = 0; k < caseCount(400); ++k) {
        uint64_t seed = FIRST_SEED + (uint64_t)k;
        failCount += !checkSeed(seed, damagesOf(seed), &p, &insideCount);
    }
    print_message("%d points inside\n", insideCount);
    freeProbes(&p);
    assert_int_equal(failCount, 0);
}

// Bodies whose triangles contradict each other so much that no orientation encloses all of them.
static const uint64_t doubtfulSeeds[] = {206342, 206475, 207420, 208506,
                                         210268, 212060, 212540, 215002};
#define DOUBTFUL_COUNT (sizeof doubtfulSeeds / sizeof *doubtfulSeeds)

static void contradictionsAreBoundedByHulls(void** state)
{
    (void)state;
    probes p = makeProbes();
    int insideCount = 0, failCount = 0;
    for (size_t i = 0; i < DOUBTFUL_COUNT; ++i) {
        uint64_t seed = doubtfulSeeds[i];
        failCount += !checkSeed(seed, damagesOf(seed), &p, &insideCount);
        wkRng rng = wkMakeRng(seed);
        brokenBody broken = breakBody(&rng, drawBody(&rng), damagesOf(seed));
        wkMesh* mesh = makeMesh(&broken.set, true);
        wkMeshInfo info = wkMesh_Info(mesh);
        assert_true(info.hullCount > 0 && info.lidCount >= info.hullCount);
        // a block keeps the number
        wkMesh* copy = NULL;
        assert_int_equal(wkMesh_FromBlock(wkMesh_Block(mesh), info.byteCount, &copy), wk_ok);
        assert_int_equal(wkMesh_Info(copy).hullCount, info.hullCount);
        wkMesh_Destroy(copy);
        wkMesh_Destroy(mesh);
        freeBroken(&broken);
    }
    freeProbes(&p);
    assert_int_equal(failCount, 0);
    assert_true(insideCount > 100);
}

// Bodies beside a doubtful one keep their shape, and sets that are merely not watertight have no hulls.
static void nothingElseIsBoundedByHulls(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof solidSets / sizeof *solidSets; ++i) {
        meshSet set = solidSets[i].make(8);
        wkMesh* mesh = makeMesh(&set, true);
        if (wkMesh_Info(mesh).hullCount != 0) {
            fail_msg("%s: %d hulls", solidSets[i].name, (int)wkMesh_Info(mesh).hullCount);
        }
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
    for (size_t i = 0; i < DOUBTFUL_COUNT; ++i) {
        unsigned damages = damagesOf(doubtfulSeeds[i]);
        if (damages & damageJitter) {
            continue; // what is sewn depends on the size of the mesh
        }
        wkRng rng = wkMakeRng(doubtfulSeeds[i]);
        brokenBody broken = breakBody(&rng, drawBody(&rng), damages);
        meshSet torus = torusSet(12);
        moveSet(&torus, 1.0, wkVec(20.0, 0.0, 0.0));
        meshSet both = joinSets(copySet(&broken.set), torus);
        wkMesh* mesh = makeMesh(&both, true);
        wkShape solid = wkMakeMesh(mesh);
        assert_int_equal(wkMesh_Info(mesh).hullCount, 1);
        assert_false(wkShape_ContainsPoint(&solid, wkIdentityPose(), wkVec(20.0, 0.0, 0.0)));
        assert_true(wkShape_ContainsPoint(&solid, wkIdentityPose(), wkVec(21.0, 0.0, 0.0)));
        wkMesh_Destroy(mesh);
        freeSet(&both);
        freeBroken(&broken);
    }
}

// A hull is made again when its vertices move.
static void hullsFollowDeformation(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(doubtfulSeeds[0]);
    brokenBody broken = breakBody(&rng, drawBody(&rng), damagesOf(doubtfulSeeds[0]));
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = true;
    wkMeshBuilder* builder = NULL;
    assert_int_equal(wkMeshBuilder_Create(&def, &builder), wk_ok);
    meshSet* set = &broken.set;
    assert_int_equal(wkMeshBuilder_BeginModel(builder, set->vertexCount, set->triangleCount),
                     wk_ok);
    assert_int_equal(wkMeshBuilder_AddPart(builder, set->vertices, set->vertexCount, set->triangles,
                                           set->triangleCount),
                     wk_ok);
    assert_int_equal(wkMeshBuilder_EndModel(builder), wk_ok);
    assert_int_equal(wkMesh_Info(wkMeshBuilder_Mesh(builder)).hullCount, 1);
    for (int32_t i = 0; i < set->vertexCount; ++i) {
        wkVec3d v = set->vertices[i];
        set->vertices[i] = wkVec(v.x + v.y * v.y, 2.0 * v.y - v.x * v.z, v.z + 0.3 * v.x * v.x);
    }
    assert_int_equal(wkMeshBuilder_BeginReplace(builder), wk_ok);
    assert_int_equal(wkMeshBuilder_ReplaceVertices(builder, 0, set->vertices, set->vertexCount),
                     wk_ok);
    assert_int_equal(wkMeshBuilder_EndReplace(builder, false), wk_ok);
    const wkMesh* moved = wkMeshBuilder_Mesh(builder);
    wkMesh* fresh = makeMesh(set, true);
    assert_int_equal(wkMesh_Info(moved).hullCount, wkMesh_Info(fresh).hullCount);
    assert_true(fabs(wkMesh_Info(moved).volumeInside - wkMesh_Info(fresh).volumeInside) < 1e-9);
    wkMesh_Destroy(fresh);
    wkMeshBuilder_Destroy(builder);
    freeBroken(&broken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixedDamageLeavesTheInsideSolid),
        cmocka_unit_test(contradictionsAreBoundedByHulls),
        cmocka_unit_test(nothingElseIsBoundedByHulls),
        cmocka_unit_test(hullsFollowDeformation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
