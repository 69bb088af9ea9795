// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Maps and meshes that change under scenes and their snapshots: bounds that were computed before do not hold any
// more, and no query may call anything free until the object is set again.

#include "stale_kit.h"

static bool takeAny(wkObjectId a, wkObjectId b, void* context)
{
    (void)a;
    (void)b;
    ++*(int*)context;
    return true;
}

// A scene in which a map or mesh stands alone, and the sphere with which it collides after its change.
typedef struct sceneCase {
    wkScene* scene;
    wkObjectId id;
    wkObjectId other;
    wkShape sphere;
    wkPose at;
} sceneCase;

static sceneCase makeSceneCase(wkShape shape)
{
    sceneCase c = {.sphere = wkMakeSphere(0.2), .at = wkMakePose(2.05, 0.05, 0.05)};
    assert_int_equal(wkScene_Create(NULL, &c.scene), wk_ok);
    wkObjectDef def = wkDefaultObjectDef();
    def.shape = shape;
    assert_int_equal(wkScene_Add(c.scene, &def, &c.id), wk_ok);
    def.shape = c.sphere;
    def.pose = c.at;
    assert_int_equal(wkScene_Add(c.scene, &def, &c.other), wk_ok);
    wkScene_Update(c.scene);
    return c;
}

static void assertVisits(const wkScene* scene, const sceneCase* c, wkResult expected, int count)
{
    wkAabb box = wkShape_Bounds(&c->sphere, c->at);
    box.lower.x += 1e-3; // not what only touches
    int foundCount = 0;
    wkSceneRequest request = wkDefaultSceneRequest();
    assert_int_equal(wkScene_VisitPairs(scene, &request, takeAny, &foundCount), expected);
    assert_int_equal(wkScene_VisitBox(scene, box, &request, takeAny, &foundCount), expected);
    assert_int_equal(wkScene_VisitObject(scene, c->other, &request, takeAny, &foundCount),
                     expected);
    assert_int_equal(wkScene_VisitScene(scene, scene, &request, takeAny, &foundCount), expected);
    assert_int_equal(foundCount, count);
}

// Every query says that it does not know.
static void assertStaleScene(const wkScene* scene, const sceneCase* c)
{
    wkSceneCollideResult touches[] = {
        wkScene_CollidePairs(scene, NULL), wkScene_CollideShape(scene, &c->sphere, c->at, NULL),
        wkScene_CollideObject(scene, c->other, NULL), wkScene_CollideScene(scene, scene, NULL)};
    wkSceneDistanceResult distances[] = {
        wkScene_DistancePairs(scene, NULL), wkScene_DistanceShape(scene, &c->sphere, c->at, NULL),
        wkScene_DistanceObject(scene, c->other, NULL), wkScene_DistanceScene(scene, scene, NULL)};
    for (int i = 0; i < 4; ++i) {
        assert_true(touches[i].isTouching);
        assert_int_equal(touches[i].status, wk_statusInvalid);
        assert_true(distances[i].closest.distance == -INFINITY);
        assert_int_equal(distances[i].closest.status, wk_statusInvalid);
    }
    wkRay ray = {{2.05, -5.0, 0.05}, {0.0, 1.0, 0.0}, 100.0};
    assert_true(wkScene_RayHits(scene, ray, NULL));
    wkSceneRayResult hit = wkScene_RayCast(scene, ray, NULL);
    assert_true(hit.hit.isHit);
    assert_int_equal(hit.hit.status, wk_statusInvalid);
    assertVisits(scene, c, wk_errorState, 0);
    assertSays("has changed");
    wkCamera camera = {.cookie = wkDefaultCamera().cookie,
                       .width = 4,
                       .height = 4,
                       .fx = 4.0,
                       .fy = 4.0,
                       .cx = 2.0,
                       .cy = 2.0};
    float depths[16];
    assert_int_equal(
        wkScene_RenderDepth(scene, &camera, wkIdentityPose(), NULL, NULL, NULL, depths),
        wk_errorState);
}

// Every query finds the geometry where it is now.
static void assertFreshScene(const wkScene* scene, const sceneCase* c)
{
    assert_true(wkScene_CollidePairs(scene, NULL).isTouching);
    assert_int_not_equal(wkScene_CollidePairs(scene, NULL).status, wk_statusInvalid);
    assert_true(wkScene_DistancePairs(scene, NULL).closest.distance <= 0.0);
    wkRay ray = {{2.05, -5.0, 0.05}, {0.0, 1.0, 0.0}, 100.0};
    assert_true(!wkObjectId_IsNull(wkScene_RayCast(scene, ray, NULL).id));
    assertVisits(scene, c, wk_ok, 5);
}

static void checkScene(sceneCase* c, const wkShape* shape)
{
    assertStaleScene(c->scene, c);
    // moving the object does not help, nor does an update
    assert_int_equal(wkScene_Move(c->scene, c->id, wkIdentityPose()), wk_ok);
    wkScene_Update(c->scene);
    assertStaleScene(c->scene, c);
    // a snapshot knows no more than its scene
    assert_int_equal(wkScene_Publish(c->scene), wk_ok);
    const wkScene* stale = wkScene_Acquire(c->scene);
    assertStaleScene(stale, c);
    assert_int_equal(wkScene_SetShape(c->scene, c->id, shape), wk_ok);
    assertFreshScene(c->scene, c);
    assertStaleScene(stale, c);
    wkScene_Release(stale);
    assert_int_equal(wkScene_Publish(c->scene), wk_ok);
    const wkScene* fresh = wkScene_Acquire(c->scene);
    assertFreshScene(fresh, c);
    wkScene_Release(fresh);
}

static void scenes_do_not_answer_from_bounds_of_a_map_before_it_changed(void** state)
{
    (void)state;
    wkOctree* map = makeMap();
    occupy(map, NEAR_CELL);
    wkShape shape = wkMakeOctree(map);
    sceneCase c = makeSceneCase(shape);
    assert_false(wkScene_CollidePairs(c.scene, NULL).isTouching);
    occupy(map, FAR_CELL);
    checkScene(&c, &shape);
    // an object that is gone does not matter, nor do others that take its mark
    wkOctree_Clear(map);
    assert_int_equal(wkScene_CollidePairs(c.scene, NULL).status, wk_statusInvalid);
    assert_int_equal(wkScene_Remove(c.scene, c.id), wk_ok);
    assert_int_equal(wkScene_CollidePairs(c.scene, NULL).status, wk_statusExact);
    wkScene_Destroy(c.scene);
    wkOctree_Destroy(map);
    assert_int_equal(wkGetByteCount(), 0);
}

static void scenes_do_not_answer_from_bounds_of_a_mesh_before_it_moved(void** state)
{
    (void)state;
    wkMeshBuilder* builder = makeBuilder();
    wkShape shape = wkMakeMesh(wkMeshBuilder_Mesh(builder));
    sceneCase c = makeSceneCase(shape);
    assert_false(wkScene_CollidePairs(c.scene, NULL).isTouching);
    moveMesh(builder, 2.0);
    checkScene(&c, &shape);
    // back where it was: what the scene knew then is right again
    wkScene* scene;
    assert_int_equal(wkScene_Create(NULL, &scene), wk_ok);
    wkObjectDef def = wkDefaultObjectDef();
    def.shape = shape;
    wkObjectId id;
    assert_int_equal(wkScene_Add(scene, &def, &id), wk_ok);
    moveMesh(builder, 1.0);
    assert_int_equal(wkScene_CollidePairs(scene, NULL).status, wk_statusInvalid);
    moveMesh(builder, 2.0);
    assert_int_equal(wkScene_CollidePairs(scene, NULL).status, wk_statusExact);
    wkScene_Destroy(scene);
    wkScene_Destroy(c.scene);
    wkMeshBuilder_Destroy(builder);
    assert_int_equal(wkGetByteCount(), 0);
}

// Many marked objects that come and go: each one's change is noticed, whatever index its mark has now.
static void marks_follow_their_objects(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(5);
    enum {
        count = 40
    };
    wkOctree* maps[count];
    wkObjectId ids[count] = {0};
    wkScene* scene;
    assert_int_equal(wkScene_Create(NULL, &scene), wk_ok);
    for (int i = 0; i < count; ++i) {
        maps[i] = makeMap();
        occupy(maps[i], NEAR_CELL);
    }
    for (int step = 0; step < WK_CASES(2000); ++step) {
        int i = wkRngBelow(&rng, count);
        wkShape shape = wkRngChance(&rng, 2) ? wkMakeOctree(maps[i]) : wkMakeSphere(0.1);
        wkObjectDef def = wkDefaultObjectDef();
        def.shape = shape;
        if (wkObjectId_IsNull(ids[i])) {
            assert_int_equal(wkScene_Add(scene, &def, &ids[i]), wk_ok);
        } else if (wkRngChance(&rng, 2)) {
            assert_int_equal(wkScene_Remove(scene, ids[i]), wk_ok);
            ids[i] = wk_nullObjectId;
        } else {
            assert_int_equal(wkScene_SetShape(scene, ids[i], &shape), wk_ok);
        }
        int k = wkRngBelow(&rng, count);
        wkObjectDef now = wkDefaultObjectDef();
        bool isIn = !wkObjectId_IsNull(ids[k]) && wkScene_Get(scene, ids[k], &now) == wk_ok &&
                    now.shape.type == wk_shapeOctree;
        assert_int_not_equal(wkScene_DistancePairs(scene, NULL).closest.status, wk_statusInvalid);
        occupy(maps[k], (uint16_t)(NEAR_CELL + step));
        bool isStale = wkScene_DistancePairs(scene, NULL).closest.status == wk_statusInvalid;
        assert_int_equal(isStale, isIn);
        if (isIn) {
            assert_int_equal(wkScene_SetShape(scene, ids[k], &now.shape), wk_ok);
        }
    }
    wkScene_Destroy(scene);
    for (int i = 0; i < count; ++i) {
        wkOctree_Destroy(maps[i]);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_do_not_answer_from_bounds_of_a_map_before_it_changed),
        cmocka_unit_test(scenes_do_not_answer_from_bounds_of_a_mesh_before_it_moved),
        cmocka_unit_test(marks_follow_their_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
