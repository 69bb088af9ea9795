// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Queries about meshes allocate nothing, neither through the library's allocator nor past it.

#include "kit.h"
#include "malloc_hook.h"
#include "scenes/mesh_zoo.h"
#include "whisker/whisker.h"

#include <stdlib.h>

static void* countAndAllocate(size_t byteCount, void* context)
{
    ++*(long*)context;
    return aligned_alloc(64, (byteCount + 63) / 64 * 64);
}

static void release(void* memory, size_t byteCount, void* context)
{
    (void)byteCount, (void)context;
    free(memory);
}

// Every query on one pair.
static void askEverything(const wkZooPair* pair, int variant)
{
    wkContact contacts[WK_MAX_CONTACTS];
    wkShape a = wkZooShape(&pair->a, variant), b = wkZooShape(&pair->b, variant);
    wkDistanceRequest distance = wkDefaultDistanceRequest();
    distance.isSigned = false;
    wkCollideRequest collide = wkDefaultCollideRequest();
    collide.contacts = contacts;
    collide.contactCapacity = WK_MAX_CONTACTS;
    wkDistance(&a, pair->a.pose, &b, pair->b.pose, NULL);
    wkDistance(&a, pair->a.pose, &b, pair->b.pose, &distance);
    wkCollide(&a, pair->a.pose, &b, pair->b.pose, NULL);
    wkCollide(&a, pair->a.pose, &b, pair->b.pose, &collide);
    wkPenetration(&a, pair->a.pose, &b, pair->b.pose);
    wkSeparationRequest separation = wkDefaultSeparationRequest();
    separation.maxQueries = 20;
    wkSeparation(&a, pair->a.pose, &b, pair->b.pose, &separation);

    wkVec3d way = wkSceneSub(pair->b.pose.position, pair->a.pose.position);
    wkRay ray = {pair->b.pose.position, wkSceneAdd(way, wkSceneVec(0.1, 0.2, 0.3)), INFINITY};
    wkShape_RayCast(&a, pair->a.pose, ray);
    wkShape_RayHits(&a, pair->a.pose, ray);
    wkShape_ClosestPoint(&a, pair->a.pose, ray.origin, INFINITY);
    wkShape_Bounds(&a, pair->a.pose);
    wkShape_Support(&a, pair->a.pose, ray.direction);
    wkShape_PointDistance(&a, pair->a.pose, ray.origin);
    wkShape_ContainsPoint(&a, pair->a.pose, ray.origin);
    wkShape_Mass(&a);
    wkShape_Check(&a);
}

static void mesh_queries_allocate_nothing(void** state)
{
    (void)state;
    static wkZoo zoo;
    assert_true(wkZoo_Create(&zoo, wkKitSeed()));
    wkKitBank();
    long counted = 0;
    wkAllocator allocator = {countAndAllocate, release, &counted};
    wkRng rng = wkMakeRng(wkKitSeed());
    wkSetAllocator(&allocator);
    long before = wkMallocCalls();
    for (int row = 0; row < WK_ZOO_COUNT; row++) {
        for (int type = 1; type <= wk_shapeMesh; type++) {
            for (int n = 0; n < wkKitCases(4); n++) {
                wkZooPair pair = wkZooRandomPair(&zoo, wkKitBank(), &rng, row, (wkShapeType)type);
                askEverything(&pair, wkRngBelow(&rng, WK_ZOO_VARIANTS));
            }
        }
    }
    long calls = wkMallocCalls() - before;
    wkSetAllocator(NULL);
    wkZoo_Destroy(&zoo);
    assert_int_equal(counted, 0);
    assert_int_equal(calls, 0);
    assert_int_equal(wkGetByteCount() > 0, wkKitBank()->count > 0);
}

static void element_queries_allocate_nothing(void** state)
{
    (void)state;
    wkVec3d vertices[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 0.5}};
    wkVec3d moved[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}, {1, 0, -1}, {0, 1, -0.5}};
    int32_t triangles[6] = {0, 1, 2, 3, 4, 5};
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false;
    wkMeshBuilder* builder = NULL;
    wkMeshElements* elements = NULL;
    assert_int_equal(wkMeshBuilder_Create(&def, &builder), wk_ok);
    assert_int_equal(wkMeshBuilder_BeginModel(builder, 0, 0), wk_ok);
    assert_int_equal(wkMeshBuilder_AddPart(builder, vertices, 6, triangles, 2), wk_ok);
    assert_int_equal(wkMeshBuilder_EndModel(builder), wk_ok);
    assert_int_equal(wkMeshBuilder_BeginUpdate(builder), wk_ok);
    assert_int_equal(wkMeshBuilder_UpdateVertices(builder, 0, moved, 6), wk_ok);
    assert_int_equal(wkMeshBuilder_EndUpdate(builder, false), wk_ok);
    assert_int_equal(wkMeshElements_Create(wkMeshBuilder_Mesh(builder), &elements), wk_ok);
    wkElementContact contacts[4];
    size_t byteCount = wkGetByteCount();
    long before = wkMallocCalls();
    wkPose here = wkIdentityPose(), there = wkMakePose(0.1, 0.1, 0.2);
    wkMeshCastResult self = wkMeshElements_CastSelf(elements, NULL, contacts, 4);
    wkMeshCastResult pair = wkMeshElements_Cast(elements, here, elements, there, NULL, NULL, 0);
    int32_t crossings = wkMeshElements_Crossings(elements, NULL, 0);
    wkElementCastResult cast = wkCastElements(wk_elementEdgeEdge, vertices, moved, NULL);
    assert_int_equal(wkMallocCalls() - before, 0);
    assert_int_equal(wkGetByteCount(), byteCount);
    assert_true(self.isTouching && pair.isTouching && crossings == 0 && cast.isTouching);
    wkMeshElements_Destroy(elements);
    wkMeshBuilder_Destroy(builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mesh_queries_allocate_nothing),
        cmocka_unit_test(element_queries_allocate_nothing),
    };
    int failed = cmocka_run_group_tests_name("memory of mesh queries", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
