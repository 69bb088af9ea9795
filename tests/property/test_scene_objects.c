// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Objects of scenes: their ids, their definitions, and what is refused and how.

#include "scene_kit.h"

static void assertSays(const char* words)
{
    if (strstr(wkGetLastError(), words) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", wkGetLastError(), words);
    }
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
    };
    return cmocka_run_group_tests_name("objects of scenes", tests, NULL, NULL);
}
