// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Requests about scenes: filters, buffers, cutoffs, objects that are empty, and invalid queries, which get the safe
// answer.

#include "scene_kit.h"

static bool refusePair(wkObjectId a, wkObjectId b, void* context)
{
    const wkObjectId* refused = (const wkObjectId*)context;
    return !wkObjectId_Equals(a, *refused) && !wkObjectId_Equals(b, *refused);
}

static bool isPair(const wkSceneHit* hit, wkObjectId a, wkObjectId b)
{
    return wkObjectId_Equals(hit->a, a) && wkObjectId_Equals(hit->b, b);
}

static void filters_leave_pairs_out(void** state)
{
    (void)state;
    wkShape probe = wkMakeSphere(10.0);
    for (int phase = 0; phase < WK_BROAD_PHASE_COUNT; ++phase) {
        wkScene* scene = makeScene((wkBroadPhase)phase, 0);
        wkObjectId a = addSphere(scene, 0.0), b = addSphere(scene, 0.5), c = addSphere(scene, 0.75);
        wkSceneHit hits[8];
        wkSceneRequest request = wkDefaultSceneRequest();
        request.hits = hits;
        request.hitCapacity = 8;
        assert_int_equal(wkScene_CollidePairs(scene, &request).hitCount, 3);

        // a is of category 2, which c does not look at: one side is enough
        assert_int_equal(wkScene_SetFilter(scene, a, 2, UINT32_MAX), wk_ok);
        assert_int_equal(wkScene_SetFilter(scene, c, 1, 1), wk_ok);
        assert_int_equal(wkScene_CollidePairs(scene, &request).hitCount, 2);
        assert_int_equal(wkScene_CollideObject(scene, a, &request).hitCount, 1);
        assert_true(isPair(&hits[0], a, b));

        // a probe has bits of its own
        request.category = 2;
        assert_int_equal(wkScene_CollideShape(scene, &probe, wkIdentityPose(), &request).hitCount,
                         2);
        request.category = UINT32_MAX;
        request.mask = 2;
        assert_int_equal(wkScene_CollideShape(scene, &probe, wkIdentityPose(), &request).hitCount,
                         1);
        assert_true(isPair(&hits[0], wk_nullObjectId, a));
        request.mask = UINT32_MAX;

        request.accepts = refusePair;
        request.acceptsContext = &b;
        assert_int_equal(wkScene_CollidePairs(scene, &request).hitCount, 0);
        assert_int_equal(wkScene_CollideShape(scene, &probe, wkIdentityPose(), &request).hitCount,
                         2);
        assert_true(wkObjectId_IsNull(wkScene_DistancePairs(scene, &request).b));
        wkScene_Destroy(scene);
    }
}

static void buffers_are_filled_and_no_more(void** state)
{
    (void)state;
    wkScene* scene = makeScene(wk_broadTree, 0);
    for (int i = 0; i < 10; ++i) {
        addSphere(scene, 0.01 * i);
    }
    wkSceneHit hits[8];
    memset(hits, 0, sizeof hits);
    wkSceneRequest request = wkDefaultSceneRequest();
    request.hits = hits;
    request.hitCapacity = 5;
    request.wantsContacts = true;
    wkSceneCollideResult result = wkScene_CollidePairs(scene, &request);
    assert_int_equal(result.hitCount, 5);
    assert_true(!wkObjectId_IsNull(hits[4].b) && wkObjectId_IsNull(hits[5].b));
    assert_true(hits[0].contact.depth > 0.8 && fabs(hits[0].contact.normal.x) > 0.99);
    assert_true(isPair(&hits[0], result.a, result.b));
    wkScene_Destroy(scene);
}

static void far_pairs_are_beyond_the_cutoff(void** state)
{
    (void)state;
    for (int phase = 0; phase < WK_BROAD_PHASE_COUNT; ++phase) {
        wkScene* scene = makeScene((wkBroadPhase)phase, 0);
        wkObjectId a = addSphere(scene, 0.0), b = addSphere(scene, 3.0);
        wkScene_Update(scene);
        wkSceneRequest request = wkDefaultSceneRequest();
        request.cutoff = 1.5;
        wkSceneDistanceResult d = wkScene_DistancePairs(scene, &request);
        assert_true(wkObjectId_IsNull(d.b) && d.closest.distance == 1.5);
        assert_int_equal(d.closest.status, wk_statusBound);
        request.cutoff = 2.5;
        d = wkScene_DistanceObject(scene, b, &request);
        assert_true(wkObjectId_Equals(d.a, b) && wkObjectId_Equals(d.b, a));
        assert_true(fabs(d.closest.distance - 2.0) < 1e-12);
        assert_true(fabs(d.closest.pointA.x - 2.5) < 1e-12);
        wkScene_Destroy(scene);
    }
}

// Negative padding takes more off the vertices of a box than off the distance to it.
static void padding_below_the_core_loses_no_pair(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int n = 0; n < wkKitCases(400); n++) {
        wkScene* scene = makeScene((wkBroadPhase)(n % WK_BROAD_PHASE_COUNT), 0);
        wkObjectDef defs[2] = {wkDefaultObjectDef(), wkDefaultObjectDef()};
        for (int i = 0; i < 2; i++) {
            defs[i].shape = wkMakeBox(1.0, wkRngRange(&rng, 0.1, 1.0), 0.5);
            defs[i].shape.padding = wkRngRange(&rng, -0.4, 0.0);
            defs[i].pose.position = wkSceneScale(wkRngDirection(&rng), 2.0 * i);
        }
        const wkShape *a = &defs[0].shape, *b = &defs[1].shape;
        wkObjectId ids[2];
        assert_int_equal(wkScene_AddMany(scene, defs, 2, ids), wk_ok);
        wkSceneRequest request = wkDefaultSceneRequest();
        request.margin = wkDistance(a, defs[0].pose, b, defs[1].pose, NULL).distance;
        request.cutoff = request.margin;
        assert_true(wkScene_CollidePairs(scene, &request).isTouching);
        assert_true(wkScene_DistancePairs(scene, &request).closest.distance == request.margin);
        assert_int_equal(wkScene_Remove(scene, ids[0]), wk_ok);
        assert_true(wkScene_CollideShape(scene, a, defs[0].pose, &request).isTouching);
        wkSceneDistanceResult d = wkScene_DistanceShape(scene, a, defs[0].pose, &request);
        assert_true(wkObjectId_Equals(d.b, ids[1]));
        wkScene_Destroy(scene);
    }
}

static void empty_maps_are_close_to_nothing(void** state)
{
    (void)state;
    for (int phase = 0; phase < WK_BROAD_PHASE_COUNT; phase++) {
        wkScene* scene = makeScene((wkBroadPhase)phase, 0);
        wkOctree* octree;
        assert_int_equal(wkOctree_Create(NULL, &octree), wk_ok);
        wkObjectDef def = wkDefaultObjectDef();
        def.shape = wkMakeOctree(octree);
        wkObjectId map;
        assert_int_equal(wkScene_Add(scene, &def, &map), wk_ok);
        addSphere(scene, 1.0);
        wkSceneDistanceResult d = wkScene_DistancePairs(scene, NULL);
        assert_true(wkObjectId_IsNull(d.b) && d.closest.distance == INFINITY);
        assert_true(wkObjectId_IsNull(wkScene_DistanceObject(scene, map, NULL).b));
        assert_false(wkScene_CollidePairs(scene, NULL).isTouching);
        wkScene_Destroy(scene);
        wkOctree_Destroy(octree);
    }
}

// A scene of an empty map, a sphere and a half-space, which has bounds without end.
static wkScene* makeEmptyAmongOthers(wkBroadPhase phase, const wkShape* shape, wkObjectId* empty)
{
    wkScene* scene = makeScene(phase, 0);
    wkObjectDef def = wkDefaultObjectDef();
    def.shape = *shape;
    assert_int_equal(wkScene_Add(scene, &def, empty), wk_ok);
    addSphere(scene, 0.0);
    def.shape = wkMakeHalfspace((wkVec3d){0.1, 0.1, 1.0}, -10.0);
    wkObjectId ground;
    assert_int_equal(wkScene_Add(scene, &def, &ground), wk_ok);
    return scene;
}

static int countMeetings(const wkScene* scene, wkObjectId id)
{
    int count = 0;
    assert_int_equal(wkScene_VisitObject(scene, id, NULL, countPair, &count), wk_ok);
    return count;
}

static void empty_maps_meet_nothing_until_they_are_filled(void** state)
{
    (void)state;
    for (int phase = 0; phase < WK_BROAD_PHASE_COUNT; phase++) {
        wkOctree* octree;
        assert_int_equal(wkOctree_Create(NULL, &octree), wk_ok);
        wkShape map = wkMakeOctree(octree);
        wkObjectId id;
        wkScene* scene = makeEmptyAmongOthers((wkBroadPhase)phase, &map, &id);
        for (int updated = 0; updated < 2; updated++) {
            int pairCount = 0;
            assert_int_equal(wkScene_VisitPairs(scene, NULL, countPair, &pairCount), wk_ok);
            assert_int_equal(pairCount, 1); // the sphere and the ground
            assert_int_equal(countMeetings(scene, id), 0);
            wkScene_Update(scene);
        }
        // the filter is the caller's all the same
        wkObjectDef def;
        assert_int_equal(wkScene_SetFilter(scene, id, 2u, 5u), wk_ok);
        assert_int_equal(countMeetings(scene, id), 0);
        assert_int_equal(wkScene_Get(scene, id, &def), wk_ok);
        assert_true(def.category == 2u && def.mask == 5u);
        assert_int_equal(wkScene_Move(scene, id, wkMakePoseRpy(def.pose.position, 0.1, 0.2, 0.3)),
                         wk_ok);

        wkCellKey key = {32768, 32768, 32768};
        assert_int_equal(wkOctree_SetLogOdds(octree, key, 16, 1.0f), wk_ok);
        assert_int_equal(wkScene_SetShape(scene, id, &map), wk_ok);
        assert_int_equal(countMeetings(scene, id), 2);
        wkOctree_Clear(octree);
        map.map.unknown = wk_unknownOccupied;
        assert_int_equal(wkScene_SetShape(scene, id, &map), wk_ok);
        assert_int_equal(countMeetings(scene, id), 2);
        wkScene_Destroy(scene);
        wkOctree_Destroy(octree);
    }
}

static void empty_meshes_meet_nothing(void** state)
{
    (void)state;
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false;
    wkMesh* mesh;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    wkShape shape = wkMakeMesh(mesh);
    wkObjectId id;
    wkScene* scene = makeEmptyAmongOthers(wk_broadTree, &shape, &id);
    assert_int_equal(countMeetings(scene, id), 0);
    wkScene_Destroy(scene);
    wkMesh_Destroy(mesh);
}

static void nonsense_gets_the_safe_answer(void** state)
{
    (void)state;
    wkScene* scene = makeScene(wk_broadTree, 0);
    wkShape sphere = wkMakeSphere(1.0), none;
    memset(&none, 0, sizeof none);
    wkPose bad = wkMakePose(NAN, 0.0, 0.0);
    assert_true(wkScene_CollideShape(scene, &none, wkIdentityPose(), NULL).isTouching);
    assert_true(wkScene_CollideShape(scene, &sphere, bad, NULL).isTouching);
    wkPose beyond = wkMakePose(1e300, 0.0, 0.0);
    assert_int_equal(wkScene_CollideShape(scene, &sphere, beyond, NULL).status, wk_statusInvalid);
    assert_true(wkScene_DistanceShape(scene, &sphere, bad, NULL).closest.distance == -INFINITY);
    assert_false(wkScene_CollideShape(scene, &sphere, wkIdentityPose(), NULL).isTouching);
    assert_true(wkObjectId_IsNull(wkScene_DistanceShape(scene, &sphere, wkIdentityPose(), NULL).b));
    wkSceneRequest request = wkDefaultSceneRequest();
    request.margin = NAN;
    assert_true(wkScene_CollidePairs(scene, &request).isTouching);
    memset(&request, 0, sizeof request);
    assert_int_equal(wkScene_CollidePairs(scene, &request).status, wk_statusInvalid);
    wkRay ray = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 1.0};
    assert_true(wkScene_RayHits(scene, ray, NULL));
    assert_int_equal(wkScene_RayCast(scene, ray, NULL).hit.status, wk_statusInvalid);
    ray.direction.x = 2.0;
    assert_false(wkScene_RayHits(scene, ray, NULL));
    assert_false(wkScene_RayCast(scene, ray, NULL).hit.isHit);
    int count = 0;
    wkAabb box = {{NAN, 0.0, 0.0}, {1.0, 1.0, 1.0}};
    assert_int_equal(wkScene_VisitBox(scene, box, NULL, countPair, &count), wk_errorNotFinite);
    assert_int_equal(wkScene_VisitPairs(scene, NULL, NULL, NULL), wk_errorArgument);
    wkScene_Release(NULL);
    assert_int_equal(wkScene_Publish(NULL), wk_errorArgument);
    wkScene_Destroy(scene);
}

static int assertCount;

static bool countAssert(const char* condition, const char* file, int line)
{
    (void)condition, (void)file, (void)line;
    ++assertCount;
    return false;
}

// One release too many must not make a snapshot look idle that a reader uses later.
static void snapshots_survive_a_second_release(void** state)
{
    (void)state;
    wkScene* scene = makeScene(wk_broadTree, 0);
    addSphere(scene, 0.0);
    assert_int_equal(wkScene_Publish(scene), wk_ok);
    const wkScene* snapshot = wkScene_Acquire(scene);
    wkScene_Release(snapshot);
    assertCount = 0;
    wkSetAssertFcn(countAssert);
    wkScene_Release(snapshot);
    wkSetAssertFcn(NULL);
#if defined(NDEBUG)
    assert_int_equal(assertCount, 0);
#else
    assert_int_equal(assertCount, 1);
#endif
    snapshot = wkScene_Acquire(scene);
    for (int i = 1; i < 4; i++) {
        addSphere(scene, 10.0 * i);
        assert_int_equal(wkScene_Publish(scene), wk_ok);
        assert_int_equal(wkScene_Count(snapshot), 1);
    }
    wkScene_Release(snapshot);
    wkScene_Destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters_leave_pairs_out),
        cmocka_unit_test(buffers_are_filled_and_no_more),
        cmocka_unit_test(far_pairs_are_beyond_the_cutoff),
        cmocka_unit_test(padding_below_the_core_loses_no_pair),
        cmocka_unit_test(empty_maps_are_close_to_nothing),
        cmocka_unit_test(empty_maps_meet_nothing_until_they_are_filled),
        cmocka_unit_test(empty_meshes_meet_nothing),
        cmocka_unit_test(nonsense_gets_the_safe_answer),
        cmocka_unit_test(snapshots_survive_a_second_release),
    };
    return cmocka_run_group_tests_name("requests about scenes", tests, NULL, NULL);
}
