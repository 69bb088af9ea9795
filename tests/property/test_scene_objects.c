// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Objects of scenes: their ids, what is refused and how, filters, and what queries say when they are
// asked nonsense.

#include "kit.h"
#include "scenes/rng.h"
#include "scenes/scene_math.h"

#include "whisker/detail/counts.h"
#include "whisker/octree.h"
#include "whisker/scene.h"

#include <math.h>
#include <string.h>

static wkScene* makeScene(wkBroadPhase phase, uint8_t tag)
{
    wkSceneDef def = wkDefaultSceneDef();
    def.broadPhase = phase;
    def.tag = tag;
    wkScene* scene;
    assert_int_equal(wkScene_Create(&def, &scene), wk_ok);
    return scene;
}

static wkObjectDef sphereAt(double x)
{
    wkObjectDef def = wkDefaultObjectDef();
    def.shape = wkMakeSphere(0.5);
    def.pose = wkMakePose(x, 0.0, 0.0);
    return def;
}

static wkObjectId addSphere(wkScene* scene, double x)
{
    wkObjectDef def = sphereAt(x);
    wkObjectId id;
    assert_int_equal(wkScene_Add(scene, &def, &id), wk_ok);
    return id;
}

static void assertSays(const char* words)
{
    if (strstr(wkGetLastError(), words) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", wkGetLastError(), words);
    }
}

static bool countPair(wkObjectId a, wkObjectId b, void* context)
{
    (void)a;
    (void)b;
    ++*(int*)context;
    return true;
}

// Everything that takes an id refuses one that names no object.
static void assertRefused(wkScene* scene, wkObjectId id, const char* words)
{
    wkShape sphere = wkMakeSphere(1.0);
    wkObjectDef def;
    int count = 0;
    assert_false(wkScene_Has(scene, id));
    assert_int_equal(wkScene_Move(scene, id, wkIdentityPose()), wk_errorArgument);
    assertSays(words);
    assert_int_equal(wkScene_SetShape(scene, id, &sphere), wk_errorArgument);
    assertSays(words);
    assert_int_equal(wkScene_SetFilter(scene, id, 1, 1), wk_errorArgument);
    assertSays(words);
    assert_int_equal(wkScene_Get(scene, id, &def), wk_errorArgument);
    assertSays(words);
    assert_int_equal(wkScene_VisitObject(scene, id, NULL, countPair, &count), wk_errorArgument);
    assertSays(words);
    assert_int_equal(wkScene_Remove(scene, id), wk_errorArgument);
    assertSays(words);
    assert_int_equal(count, 0);
    assert_int_equal(wkScene_CollideObject(scene, id, NULL).status, wk_statusInvalid);
    assert_true(wkScene_CollideObject(scene, id, NULL).isTouching);
    assert_int_equal(wkScene_DistanceObject(scene, id, NULL).closest.status, wk_statusInvalid);
}

static void stale_and_foreign_ids_are_refused(void** state)
{
    (void)state;
    for (int phase = 0; phase < WK_BROAD_PHASE_COUNT; ++phase) {
        wkScene* scene = makeScene((wkBroadPhase)phase, 0);
        wkScene* other = makeScene((wkBroadPhase)phase, 7);
        wkObjectId kept = addSphere(scene, 0.0), removed = addSphere(scene, 5.0);
        wkObjectId foreign = addSphere(other, 0.0);
        assert_int_equal(wkScene_Remove(scene, removed), wk_ok);
        assertRefused(scene, wk_nullObjectId, "no object has the id");
        assertRefused(scene, removed, "was removed");
        assertRefused(scene, foreign, "never gave out");
        assertRefused(scene, wkObjectId_FromBits(wkObjectId_ToBits(kept) + 50), "never gave out");
        // another object has the slot now
        wkObjectId next = addSphere(scene, 6.0);
        assert_int_equal((uint32_t)wkObjectId_ToBits(next), (uint32_t)wkObjectId_ToBits(removed));
        assertRefused(scene, removed, "was removed");
        assert_true(wkScene_Has(scene, kept) && wkScene_Has(scene, next));
        assert_int_equal(wkScene_Count(scene), 2);
        wkScene_Destroy(scene);
        wkScene_Destroy(other);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

static void ids_are_not_used_again(void** state)
{
    (void)state;
    wkScene* scene = makeScene(wk_broadTree, 0);
    wkObjectId last = wk_nullObjectId;
    for (int i = 0; i < 1000; ++i) {
        wkObjectId id = addSphere(scene, i);
        assert_true(wkObjectId_ToBits(id) > wkObjectId_ToBits(last));
        assert_int_equal(wkScene_Remove(scene, id), wk_ok);
        last = id;
    }
    assert_int_equal(wkScene_Count(scene), 0);
    wkScene_Destroy(scene);
}

static void iteration_visits_every_object_once(void** state)
{
    (void)state;
    wkScene* scene = makeScene(wk_broadTree, 0);
    wkObjectId ids[100];
    for (int i = 0; i < 100; ++i) {
        ids[i] = addSphere(scene, i);
    }
    for (int i = 0; i < 100; i += 3) {
        assert_int_equal(wkScene_Remove(scene, ids[i]), wk_ok);
    }
    int count = 0;
    for (wkObjectId id = wkScene_Next(scene, wk_nullObjectId); !wkObjectId_IsNull(id);
         id = wkScene_Next(scene, id)) {
        assert_true(wkScene_Has(scene, id));
        ++count;
    }
    assert_int_equal(count, 66);
    assert_int_equal(wkScene_Count(scene), 66);
    wkScene_Destroy(scene);
}

static void objects_are_what_they_were_made(void** state)
{
    (void)state;
    wkScene* scene = makeScene(wk_broadTree, 3);
    wkObjectDef def = sphereAt(2.0), got;
    def.category = 5;
    def.mask = 6;
    def.user = &def;
    wkObjectId id;
    assert_int_equal(wkScene_Add(scene, &def, &id), wk_ok);
    assert_int_equal(wkScene_Get(scene, id, &got), wk_ok);
    assert_true(got.shape.sphere.radius == 0.5 && got.pose.position.x == 2.0);
    assert_true(got.category == 5 && got.mask == 6 && got.user == &def);
    // what Get gives can be added again
    assert_int_equal(wkScene_Add(scene, &got, &id), wk_ok);
    wkScene_Destroy(scene);
}

typedef struct badObject {
    const char* name;
    void (*spoil)(wkObjectDef* def);
    wkResult expected;
} badObject;

static void spoilPosition(wkObjectDef* def)
{
    def->pose.position.y = NAN;
}

static void spoilRotation(wkObjectDef* def)
{
    memset(&def->pose.rotation, 0, sizeof def->pose.rotation);
}

static void spoilRadius(wkObjectDef* def)
{
    def->shape.sphere.radius = -1.0;
}

static void spoilShape(wkObjectDef* def)
{
    memset(&def->shape, 0, sizeof def->shape);
}

static void goFar(wkObjectDef* def)
{
    def->pose.position.x = 1e61;
}

static void forgetDefault(wkObjectDef* def)
{
    def->cookie = 0;
}

static const badObject badObjects[] = {
    {"position", spoilPosition, wk_errorNotFinite},
    {"rotation", spoilRotation, wk_errorNotFinite},
    {"radius", spoilRadius, wk_errorRange},
    {"shape", spoilShape, wk_errorArgument},
    {"far away", goFar, wk_errorRange},
    {"cookie", forgetDefault, wk_errorArgument},
};

static void bad_objects_are_refused(void** state)
{
    (void)state;
    wkScene* scene = makeScene(wk_broadTree, 0);
    wkObjectId kept = addSphere(scene, 0.0);
    for (size_t i = 0; i < sizeof badObjects / sizeof *badObjects; ++i) {
        wkObjectDef defs[3] = {sphereAt(0.0), sphereAt(1.0), sphereAt(2.0)};
        badObjects[i].spoil(&defs[1]);
        wkObjectId ids[3] = {{1}, {1}, {1}};
        if (wkScene_Add(scene, &defs[1], ids) != badObjects[i].expected ||
            !wkObjectId_IsNull(ids[0])) {
            fail_msg("%s: %s", badObjects[i].name, wkGetLastError());
        }
        // all of them or none
        assert_int_equal(wkScene_AddMany(scene, defs, 3, ids), badObjects[i].expected);
        assert_true(wkObjectId_IsNull(ids[0]) && wkObjectId_IsNull(ids[1]) &&
                    wkObjectId_IsNull(ids[2]));
        assert_int_equal(wkScene_Count(scene), 1);
    }
    wkPose bad = wkMakePose(NAN, 0.0, 0.0);
    assert_int_equal(wkScene_Move(scene, kept, bad), wk_errorNotFinite);
    wkShape none;
    memset(&none, 0, sizeof none);
    assert_int_equal(wkScene_SetShape(scene, kept, &none), wk_errorArgument);
    wkObjectDef got;
    assert_int_equal(wkScene_Get(scene, kept, &got), wk_ok);
    assert_true(got.pose.position.x == 0.0 && got.shape.type == wk_shapeSphere);
    wkScene_Destroy(scene);
}

static void bad_definitions_are_refused(void** state)
{
    (void)state;
    wkScene* scene = (wkScene*)state;
    wkSceneDef def = wkDefaultSceneDef();
    def.slack = -0.1;
    assert_int_equal(wkScene_Create(&def, &scene), wk_errorRange);
    assert_null(scene);
    assertSays("slack");
    def = wkDefaultSceneDef();
    def.broadPhase = WK_BROAD_PHASE_COUNT;
    assert_int_equal(wkScene_Create(&def, &scene), wk_errorRange);
    def = wkDefaultSceneDef();
    def.origin.z = INFINITY;
    assert_int_equal(wkScene_Create(&def, &scene), wk_errorNotFinite);
    def = wkDefaultSceneDef();
    def.capacity = -1;
    assert_int_equal(wkScene_Create(&def, &scene), wk_errorRange);
    memset(&def, 0, sizeof def);
    assert_int_equal(wkScene_Create(&def, &scene), wk_errorArgument);
    wkScene_Destroy(NULL);
}

static void names_of_broad_phases_go_both_ways(void** state)
{
    (void)state;
    for (int i = 0; i < WK_BROAD_PHASE_COUNT; ++i) {
        wkBroadPhase found = wk_broadTree;
        assert_int_equal(wkBroadPhaseFromName(wkBroadPhaseName((wkBroadPhase)i), &found), wk_ok);
        assert_int_equal(found, i);
    }
    wkBroadPhase kept = wk_broadGrid;
    assert_int_equal(wkBroadPhaseFromName("octopus", &kept), wk_errorArgument);
    assert_int_equal(wkBroadPhaseFromName(NULL, &kept), wk_errorArgument);
    assert_int_equal(kept, wk_broadGrid);
}

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
        cmocka_unit_test(stale_and_foreign_ids_are_refused),
        cmocka_unit_test(ids_are_not_used_again),
        cmocka_unit_test(iteration_visits_every_object_once),
        cmocka_unit_test(objects_are_what_they_were_made),
        cmocka_unit_test(bad_objects_are_refused),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(names_of_broad_phases_go_both_ways),
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
    return cmocka_run_group_tests_name("objects of scenes", tests, NULL, NULL);
}
