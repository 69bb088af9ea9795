// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A map as it is, and its cells as objects of a scene: two ways to the same answers.

#include "kit.h"
#include "scenes/maps.h"

#include <math.h>

#define PROBE_COUNT 25

static wkScene* sceneOfCells(const wkShape* map, wkPose pose, int32_t* count)
{
    wkScene* scene = NULL;
    assert_int_equal(wkScene_Create(NULL, &scene), wk_ok);
    wkObjectDef def = wkDefaultObjectDef();
    def.shape = *map;
    def.pose = pose;
    assert_int_equal(wkScene_AddCells(scene, &def, count), wk_ok);
    assert_int_equal(wkScene_Count(scene), *count);
    return scene;
}

static wkPose randomPose(wkRng* rng, double reach)
{
    wkPose pose = wkMakePose(wkRngRange(rng, -reach, reach), wkRngRange(rng, -reach, reach),
                             wkRngRange(rng, -reach, reach));
    pose.rotation = wkRngRotation(rng);
    return pose;
}

// Distances by either way differ by rounding alone; verdicts next to it are not compared.
static void compareProbe(const wkScene* cells, const wkShape* map, wkPose pose, wkRng* rng)
{
    wkShape probe = wkMakeBox(wkRngRange(rng, 0.1, 1.0), wkRngRange(rng, 0.1, 1.0), 0.3);
    wkPose otherPose = randomPose(rng, 1.5);
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.isSigned = false;
    wkSceneRequest sceneRequest = wkDefaultSceneRequest();
    sceneRequest.isSigned = false;
    wkDistanceResult direct = wkDistance(&probe, otherPose, map, pose, &request);
    wkSceneDistanceResult boxes = wkScene_DistanceShape(cells, &probe, otherPose, &sceneRequest);
    if (wkObjectId_IsNull(boxes.b)) {
        assert_true(direct.distance > 1e9);
        return;
    }
    // a map allows for the rounding of its largest coordinate
    double slack = 1e-9 + 1e-10 * fabs(direct.distance);
    assert_true(fabs(direct.distance - boxes.closest.distance) <= slack);
    if (direct.distance > slack) {
        assert_false(wkScene_CollideShape(cells, &probe, otherPose, NULL).isTouching);
    } else {
        assert_true(wkScene_CollideShape(cells, &probe, otherPose, NULL).isTouching);
    }
}

static void cells_as_boxes_answer_as_the_map(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int kind = 0; kind < WK_MAP_KIND_COUNT; kind++) {
        for (int rule = wk_unknownFree; rule <= wk_unknownOccupied; rule++) {
            wkOctree* octree = wkMakeMap(kind, 0.1, wkRngNext(&rng));
            assert_non_null(octree);
            wkShape map = wkMakeOctree(octree);
            map.map.unknown = (wkUnknownRule)rule;
            wkPose pose = randomPose(&rng, 0.5);
            int32_t count = -1;
            wkScene* cells = sceneOfCells(&map, pose, &count);
            assert_int_equal(count, wkMapParts(&map, pose, NULL, 0));
            for (int i = 0; i < PROBE_COUNT; i++) {
                compareProbe(cells, &map, pose, &rng);
            }
            wkScene_Destroy(cells);
            wkOctree_Destroy(octree);
        }
    }
}

#define BODY_COUNT 60

static wkShape randomBody(wkRng* rng)
{
    double a = wkRngRange(rng, 0.05, 0.4), b = wkRngRange(rng, 0.05, 0.4);
    int kind = wkRngBelow(rng, 4);
    wkShape body = kind == 0   ? wkMakeSphere(a)
                   : kind == 1 ? wkMakeBox(a, b, 0.2)
                   : kind == 2 ? wkMakeCylinder(a, b)
                               : wkMakeHalfspace(wkRngDirection(rng), -2.0);
    body.padding = wkRngRange(rng, 0.0, 0.05);
    return body;
}

// Bodies one by one against a map, and as a scene against the scene of the map.
static void compareScenes(const wkScene* bodies, const wkScene* world, const wkObjectDef* defs,
                          const wkObjectDef* map, double margin)
{
    wkSceneHit hits[BODY_COUNT];
    wkSceneRequest request = wkDefaultSceneRequest();
    request.margin = margin;
    request.hits = hits;
    request.hitCapacity = BODY_COUNT;
    int32_t touching = 0;
    double nearest = INFINITY;
    for (int i = 0; i < BODY_COUNT; i++) {
        wkCollideRequest single = wkDefaultCollideRequest();
        single.margin = margin;
        const wkObjectDef* body = &defs[i];
        touching += wkCollide(&body->shape, body->pose, &map->shape, map->pose, &single).isTouching;
        nearest = fmin(nearest,
                       wkDistance(&body->shape, body->pose, &map->shape, map->pose, NULL).distance);
    }
    assert_int_equal(wkScene_CollideScene(bodies, world, &request).hitCount, touching);
    assert_int_equal(wkScene_CollideScene(world, bodies, &request).hitCount, touching);
    assert_int_equal(wkScene_CollideShape(bodies, &map->shape, map->pose, &request).hitCount,
                     touching);
    wkSceneDistanceResult closest = wkScene_DistanceScene(bodies, world, NULL);
    assert_true(wkObjectId_IsNull(closest.b) ? nearest > 1e9 : closest.closest.distance == nearest);
}

static void bodies_are_found_in_front_of_maps(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    int caseCount = wkKitCases(6 * WK_MAP_KIND_COUNT);
    for (int i = 0; i < caseCount; i++) {
        bool isStraight = wkRngChance(&rng, 2), isFar = wkRngChance(&rng, 3);
        wkVec3d away = {isFar ? 12345.6 : 0.0, 0.0, isFar ? -0.7e7 : 0.0};
        static wkObjectDef defs[BODY_COUNT];
        wkObjectDef map = wkDefaultObjectDef();
        wkOctree* octree = wkMakeMap(i % WK_MAP_KIND_COUNT, 0.1, wkRngNext(&rng));
        map.shape = wkMakeOctree(octree);
        map.shape.padding = wkRngChance(&rng, 3) ? 0.03 : 0.0;
        map.shape.map.unknown = (wkUnknownRule)(wk_unknownFree + wkRngBelow(&rng, 3));
        map.pose = randomPose(&rng, 0.5);
        map.pose.rotation = isStraight ? wkIdentityPose().rotation : map.pose.rotation;
        map.pose.position = wkSceneAdd(map.pose.position, away);
        wkScene *bodies = NULL, *world = NULL;
        assert_int_equal(wkScene_Create(NULL, &bodies), wk_ok);
        assert_int_equal(wkScene_Create(NULL, &world), wk_ok);
        for (int k = 0; k < BODY_COUNT; k++) {
            defs[k] = wkDefaultObjectDef();
            defs[k].shape = randomBody(&rng);
            defs[k].pose = randomPose(&rng, 4.0);
            defs[k].pose.position = wkSceneAdd(defs[k].pose.position, away);
        }
        wkObjectId id;
        assert_int_equal(wkScene_AddMany(bodies, defs, BODY_COUNT, NULL), wk_ok);
        assert_int_equal(wkScene_Add(world, &map, &id), wk_ok);
        compareScenes(bodies, world, defs, &map, wkRngChance(&rng, 2) ? 0.1 : 0.0);
        wkScene_Destroy(bodies);
        wkScene_Destroy(world);
        wkOctree_Destroy(octree);
    }
}

static void objects_have_what_the_definition_says(void** state)
{
    int mine = 0;
    (void)state;
    wkOctree* octree = wkMakeMap(2, 0.1, 1);
    wkScene* scene = NULL;
    assert_int_equal(wkScene_Create(NULL, &scene), wk_ok);
    wkObjectDef def = wkDefaultObjectDef();
    def.shape = wkMakeOctree(octree);
    def.shape.padding = 0.25;
    def.category = 4;
    def.mask = 6;
    def.user = &mine;
    assert_int_equal(wkScene_AddCells(scene, &def, NULL), wk_ok);
    wkOctree_Destroy(octree);
    assert_true(wkScene_Count(scene) > 0);
    for (wkObjectId id = wkScene_Next(scene, wk_nullObjectId); !wkObjectId_IsNull(id);
         id = wkScene_Next(scene, id)) {
        wkObjectDef box;
        assert_int_equal(wkScene_Get(scene, id, &box), wk_ok);
        assert_true(box.shape.type == wk_shapeBox && box.shape.padding == 0.25);
        assert_true(box.category == 4 && box.mask == 6 && box.user == &mine);
    }
    wkScene_Destroy(scene);
}

static void what_is_no_map_is_refused(void** state)
{
    (void)state;
    wkScene* scene = NULL;
    assert_int_equal(wkScene_Create(NULL, &scene), wk_ok);
    wkObjectDef def = wkDefaultObjectDef();
    int32_t count = -1;
    assert_int_equal(wkScene_AddCells(scene, NULL, &count), wk_errorArgument);
    assert_int_equal(count, 0);
    def.shape = wkMakeSphere(1.0);
    assert_int_equal(wkScene_AddCells(scene, &def, &count), wk_errorArgument);
    def.shape = wkMakeOctree(NULL);
    assert_int_equal(wkScene_AddCells(scene, &def, &count), wk_errorArgument);
    assert_int_equal(wkScene_AddCells(NULL, &def, &count), wk_errorArgument);
    assert_int_equal(wkScene_Count(scene), 0);
    wkScene_Destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_as_boxes_answer_as_the_map),
        cmocka_unit_test(bodies_are_found_in_front_of_maps),
        cmocka_unit_test(objects_have_what_the_definition_says),
        cmocka_unit_test(what_is_no_map_is_refused),
    };
    return cmocka_run_group_tests_name("property.scene_cells", tests, NULL, NULL);
}
