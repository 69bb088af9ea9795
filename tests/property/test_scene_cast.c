// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Casts through scenes, against casts against all objects, and the bounds of moving shapes.

#include "scene_kit.h"
#include "scenes/mesh_models.h"
#include "scenes/moving_pairs.h"
#include "whisker/scene_cast.h"

#define OBJECTS 60

// A scene of random objects in a cube about the origin.
static wkScene* makeCrowd(wkRng* rng, wkBroadPhase phase, wkObjectId ids[OBJECTS])
{
    wkScene* scene = makeScene(phase, 0);
    for (int i = 0; i < OBJECTS; i++) {
        wkObjectDef def = wkDefaultObjectDef();
        wkShapeType type = (wkShapeType)(1 + wkRngBelow(rng, wk_shapeTriangle));
        def.shape = wkRandomShape(rng, wkKitBank(), type, 1.6);
        def.pose.position = (wkVec3d){wkRngRange(rng, -3.0, 3.0), wkRngRange(rng, -3.0, 3.0),
                                      wkRngRange(rng, -3.0, 3.0)};
        def.pose.rotation = wkRngRotation(rng);
        def.category = i % 3 == 0 ? 2u : 1u;
        assert_int_equal(wkScene_Add(scene, &def, &ids[i]), wk_ok);
    }
    return scene;
}

// The least time of casts against all objects that a mask takes.
static double bruteTime(const wkScene* scene, const wkObjectId* ids, const wkShape* shape,
                        const wkBodyMotion* motion, const wkSceneCastRequest* request)
{
    double time = INFINITY;
    for (int i = 0; i < OBJECTS; i++) {
        wkObjectDef def;
        assert_int_equal(wkScene_Get(scene, ids[i], &def), wk_ok);
        wkBodyMotion standing = wkMakeStaticMotion(def.pose);
        wkCastResult r = wkCast(shape, motion, &def.shape, &standing, &request->cast);
        if ((def.category & request->scene.mask) != 0 && r.isTouching) {
            time = fmin(time, r.time);
        }
    }
    return time;
}

static void first_contact_is_that_of_all_objects(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    int touching = 0, total = 0;
    for (int n = 0; n < wkKitCases(40); n++) {
        wkObjectId ids[OBJECTS];
        wkScene* scene = makeCrowd(&rng, (wkBroadPhase)(n % WK_BROAD_PHASE_COUNT), ids);
        for (int k = 0; k < 6; k++) {
            wkShapeType type = (wkShapeType)(1 + wkRngBelow(&rng, wk_shapeTriangle));
            wkShape shape = wkRandomShape(&rng, wkKitBank(), type, 0.5);
            wkSceneTravel travel = {wkSceneScale(wkRngDirection(&rng), 7.0),
                                    wkSceneScale(wkRngDirection(&rng), 7.0), 2.0};
            wkSceneMotion motion;
            wkMakeSceneMotion(&rng, (wkBodyMotionKind)(1 + k), &travel, &motion);
            wkSceneCastRequest request = wkDefaultSceneCastRequest();
            request.cast.margin = n % 2 == 0 ? 0.0 : 0.05;
            request.scene.mask = n % 4 == 3 ? 2u : 3u;
            double time = bruteTime(scene, ids, &shape, &motion.motion, &request);
            wkSceneCastResult r = wkScene_Cast(scene, &shape, &motion.motion, &request);
            assert_true(r.contact.isTouching == (time < INFINITY));
            assert_true(r.contact.isTouching == !wkObjectId_IsNull(r.id));
            if (r.contact.isTouching) {
                assert_true(fabs(r.contact.time - time) <= 1e-6);
            } else {
                assert_true(r.contact.time == 1.0 && r.contact.touchingBy == INFINITY);
            }
            touching += r.contact.isTouching;
            total++;
        }
        wkScene_Destroy(scene);
    }
    print_message("%d of %d ways end at an object\n", touching, total);
    assert_true(touching > total / 20 && touching < total);
}

// A point of the shape at any instant is in the bounds: those of the shape are.
static void bounds_hold_at_every_instant(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int n = 0; n < wkKitCases(600); n++) {
        wkShape shape =
            wkRandomShape(&rng, wkKitBank(), (wkShapeType)(1 + n % WK_SCENE_TYPE_COUNT), 1.0);
        wkSceneTravel travel = {wkSceneScale(wkRngDirection(&rng), 3.0),
                                wkSceneScale(wkRngDirection(&rng), 3.0), 3.1};
        wkSceneMotion motion;
        wkMakeSceneMotion(&rng, (wkBodyMotionKind)(1 + n % WK_SCENE_MOTION_COUNT), &travel,
                          &motion);
        wkAabb box = wkShape_SweptBounds(&shape, &motion.motion);
        for (int i = 0; i < 60; i++) {
            wkPose pose = wkBodyMotion_PoseAt(&motion.motion, i == 0 ? 1.0 : wkRngUnit(&rng));
            wkAabb here = wkShape_Bounds(&shape, pose);
            double least = fmin(here.lower.x - box.lower.x,
                                fmin(here.lower.y - box.lower.y, here.lower.z - box.lower.z));
            double most = fmin(box.upper.x - here.upper.x,
                               fmin(box.upper.y - here.upper.y, box.upper.z - here.upper.z));
            bool isEndless = isinf(here.lower.x);
            if (!(isEndless ? isinf(box.lower.x) : least >= -1e-9 && most >= -1e-9)) {
                fail_msg("%s, motion %s: %g and %g beyond the bounds", wkShapeTypeName(shape.type),
                         wkBodyMotionKindName(motion.motion.kind), -least, -most);
            }
        }
    }
    wkShape sphere = wkMakeSphere(1.0);
    wkBodyMotion none = {.kind = wk_bodyMotionNone}, fixed = wkMakeStaticMotion(wkIdentityPose());
    assert_true(isinf(wkShape_SweptBounds(&sphere, &none).upper.x));
    assert_true(isinf(wkShape_SweptBounds(&sphere, NULL).upper.x));
    wkShape bad = wkMakeSphere(-1.0);
    assert_true(isinf(wkShape_SweptBounds(&bad, &fixed).lower.y));
    assert_true(fabs(wkShape_SweptBounds(&sphere, &fixed).upper.z - 1.0) <= 1e-9);
}

static void later_contacts_are_not_looked_for(void** state)
{
    (void)state;
    wkShape sphere = wkMakeSphere(0.5);
    wkBodyMotion moving = wkMakeLinearMotion(wkMakePose(-5.0, 0.0, 0.0), wkMakePose(5.0, 0.0, 0.0));
    wkBodyMotion standing = wkMakeStaticMotion(wkIdentityPose());
    wkCastRequest request = wkDefaultCastRequest();
    for (request.until = 0.1; request.until < 1.0; request.until += 0.1) {
        wkCastResult r = wkCast(&sphere, &moving, &sphere, &standing, &request);
        bool isBefore = 0.4 < request.until - 1e-9; // the spheres touch at 0.4
        bool isAt = fabs(request.until - 0.4) <= 1e-9;
        assert_true(isAt || r.isTouching == isBefore);
        assert_true(r.isTouching || r.time == request.until);
    }
    const double bad[] = {0.0, -1.0, 1.5, NAN};
    for (int i = 0; i < 4; i++) {
        request.until = bad[i];
        wkCastResult r = wkCast(&sphere, &moving, &sphere, &standing, &request);
        assert_true(r.isTouching && r.time == 0.0 && r.status == wk_statusInvalid);
    }
}

static void bad_arguments_touch_at_once(void** state)
{
    (void)state;
    size_t before = wkGetByteCount();
    wkScene* scene = makeScene(wk_broadTree, 0);
    addSphere(scene, 100.0);
    wkShape sphere = wkMakeSphere(0.5), bad = wkMakeSphere(-1.0);
    wkBodyMotion fixed = wkMakeStaticMotion(wkIdentityPose()), none = {.kind = wk_bodyMotionNone};
    wkSceneCastRequest margin = wkDefaultSceneCastRequest();
    wkSceneCastRequest cast = margin;
    margin.scene.margin = 0.1;
    cast.cast.tolerance = NAN;
    wkSceneCastResult results[] = {
        wkScene_Cast(NULL, &sphere, &fixed, NULL),     wkScene_Cast(scene, &bad, &fixed, NULL),
        wkScene_Cast(scene, NULL, &fixed, NULL),       wkScene_Cast(scene, &sphere, &none, NULL),
        wkScene_Cast(scene, &sphere, &fixed, &margin), wkScene_Cast(scene, &sphere, &fixed, &cast),
    };
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        assert_true(results[i].contact.isTouching && results[i].contact.time == 0.0);
        assert_int_equal(results[i].contact.status, wk_statusInvalid);
        assert_true(wkObjectId_IsNull(results[i].id));
    }
    wkSceneCastResult free = wkScene_Cast(scene, &sphere, &fixed, NULL);
    assert_true(!free.contact.isTouching && free.contact.time == 1.0 && free.pairCount == 0);
    wkScene_Destroy(scene);
    assert_int_equal(wkGetByteCount(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_contact_is_that_of_all_objects),
        cmocka_unit_test(bounds_hold_at_every_instant),
        cmocka_unit_test(later_contacts_are_not_looked_for),
        cmocka_unit_test(bad_arguments_touch_at_once),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
