// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Crowds that move in front of a map, or of a cloud of its cells: scenes say of them what each of them says alone,
// whichever broad phase they are in and whether it has heard of the moves.

#include "kit.h"

#include "scenes/maps.h"
#include "whisker/cloud.h"
#include "whisker/detail/counts.h"
#include "whisker/scene.h"

#include <math.h>

#define BODY_COUNT 120
#define ROUND_COUNT 5
#define PART_CAPACITY 4096

typedef struct mapCrowd {
    wkRng rng;
    double size;    // of a cell
    wkVec3d middle; // of the world: where the map is
    wkOctree* octree;
    wkCloud* cloud; // NULL: the map is the octree
    wkShape map;
    wkPose mapPose;
    wkScene* bodies;
    wkScene* world; // the map, and a box or two
    wkObjectId mapId;
    wkObjectId ids[BODY_COUNT];
    wkShape shapes[BODY_COUNT];
    wkPose poses[BODY_COUNT];
} mapCrowd;

static wkPose randomPose(mapCrowd* c, double spread)
{
    wkVec3d way = wkSceneVec(wkRngRange(&c->rng, -1.0, 1.0), wkRngRange(&c->rng, -1.0, 1.0),
                             wkRngRange(&c->rng, -1.0, 1.0));
    wkPose pose = {wkSceneAdd(c->middle, wkSceneScale(way, spread * c->size)),
                   wkRngChance(&c->rng, 3) ? wkIdentityPose().rotation : wkRngRotation(&c->rng)};
    return pose;
}

// Bodies a little larger than cells, a few much larger, and one without end at most.
static wkShape randomBody(mapCrowd* c, int i)
{
    static const wkShapeType types[] = {wk_shapeSphere,   wk_shapeCapsule, wk_shapeBox,
                                        wk_shapeCylinder, wk_shapeHull,    wk_shapeTriangle};
    int typeCount = (int)(sizeof types / sizeof *types);
    if (i == 5 && wkRngChance(&c->rng, 4)) {
        return wkMakeHalfspace(wkSceneVec(0.0, 0.0, 1.0), -40.0 * c->size);
    }
    double size = c->size * (i % 29 == 0 ? 12.0 : wkRngRange(&c->rng, 0.2, 3.0));
    return wkRandomShape(&c->rng, wkKitBank(), types[wkRngBelow(&c->rng, typeCount)], size);
}

// A sphere in each cell.
static wkCloud* makeCloud(const wkShape* map)
{
    static wkMapPart parts[PART_CAPACITY];
    static float points[PART_CAPACITY][4];
    int32_t count = wkMapParts(map, wkIdentityPose(), parts, PART_CAPACITY);
    assert_true(count <= PART_CAPACITY);
    for (int32_t i = 0; i < count; ++i) {
        wkVec3d p = parts[i].pose.position;
        points[i][0] = (float)p.x;
        points[i][1] = (float)p.y;
        points[i][2] = (float)p.z;
        points[i][3] = (float)parts[i].shape.box.half.x;
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.points = wkMakeCloudView(points, count);
    def.points.stride = sizeof points[0];
    def.points.radiusOffset = 12;
    def.allowsEmpty = true;
    wkCloud* cloud = NULL;
    assert_int_equal(wkCloud_Create(&def, &cloud), wk_ok);
    return cloud;
}

static void makeMap(mapCrowd* c, int kind, bool isCloud)
{
    c->octree = wkMakeMap(kind, c->size, wkRngNext(&c->rng));
    assert_non_null(c->octree);
    c->map = wkMakeOctree(c->octree);
    c->cloud = isCloud ? makeCloud(&c->map) : NULL;
    if (isCloud) {
        c->map = wkMakeCloud(c->cloud);
    } else {
        c->map.map.unknown = wkRngChance(&c->rng, 8) ? wk_unknownOccupied : wk_unknownFree;
    }
    c->map.padding = wkRngChance(&c->rng, 4) ? wkRngRange(&c->rng, 0.0, 1.0) * c->size : 0.0;
}

static void makeWorld(mapCrowd* c, int kind, int round, bool isCloud)
{
    static const double sizes[] = {0.05, 1.0, 1e-3};
    wkSceneDef def = wkDefaultSceneDef();
    def.broadPhase =
        (wkBroadPhase)(wkRngChance(&c->rng, 2) ? wk_broadTree
                                               : wkRngBelow(&c->rng, WK_BROAD_PHASE_COUNT));
    c->size = sizes[round % 3];
    c->middle = wkSceneScale(wkRngDirection(&c->rng), round % 2 == 0 ? 0.0 : 300.0 * c->size);
    def.origin = wkRngChance(&c->rng, 2) ? c->middle : wkSceneVec(0.0, 0.0, 0.0);
    assert_int_equal(wkScene_Create(&def, &c->bodies), wk_ok);
    def.origin = wkRngChance(&c->rng, 2) ? def.origin : wkSceneVec(0.0, c->size, 0.0);
    assert_int_equal(wkScene_Create(&def, &c->world), wk_ok);
    makeMap(c, kind, isCloud);
    c->mapPose = randomPose(c, 1.0);
    wkObjectDef object = wkDefaultObjectDef();
    object.shape = c->map;
    object.pose = c->mapPose;
    assert_int_equal(wkScene_Add(c->world, &object, &c->mapId), wk_ok);
}

static void addBodies(mapCrowd* c)
{
    for (int i = 0; i < BODY_COUNT; ++i) {
        c->shapes[i] = randomBody(c, i);
        c->poses[i] = randomPose(c, 40.0);
        wkObjectDef object = wkDefaultObjectDef();
        object.shape = c->shapes[i];
        object.pose = c->poses[i];
        assert_int_equal(wkScene_Add(c->bodies, &object, &c->ids[i]), wk_ok);
    }
}

// All of them move, or few; some are known to the broad phase and some wait.
static void moveBodies(mapCrowd* c, int round)
{
    double spread = round % 2 == 0 ? 60.0 : 25.0;
    for (int i = 0; i < BODY_COUNT; ++i) {
        if (round % 3 != 2 || wkRngChance(&c->rng, 20)) {
            c->poses[i] = randomPose(c, spread);
            assert_int_equal(wkScene_Move(c->bodies, c->ids[i], c->poses[i]), wk_ok);
        }
    }
    if (round % 4 != 3) {
        wkScene_Update(c->bodies);
        wkScene_Update(c->world);
    }
}

static int countTouching(const mapCrowd* c, double margin, bool* touching)
{
    int count = 0;
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = margin;
    for (int i = 0; i < BODY_COUNT; ++i) {
        touching[i] =
            wkCollide(&c->shapes[i], c->poses[i], &c->map, c->mapPose, &request).isTouching;
        count += touching[i] ? 1 : 0;
    }
    return count;
}

static int indexOf(const mapCrowd* c, wkObjectId id)
{
    for (int i = 0; i < BODY_COUNT; ++i) {
        if (wkObjectId_Equals(c->ids[i], id)) {
            return i;
        }
    }
    fail_msg("no body has the id");
    return -1;
}

static void checkHits(const mapCrowd* c, double margin, bool isSwapped)
{
    bool touching[BODY_COUNT];
    int count = countTouching(c, margin, touching);
    static wkSceneHit hits[BODY_COUNT + 1];
    wkSceneRequest request = wkDefaultSceneRequest();
    request.margin = margin;
    wkSceneCollideResult first = isSwapped ? wkScene_CollideScene(c->world, c->bodies, &request)
                                           : wkScene_CollideScene(c->bodies, c->world, &request);
    assert_int_equal(first.isTouching, count > 0);
    request.hits = hits;
    request.hitCapacity = BODY_COUNT + 1;
    wkSceneCollideResult all = isSwapped ? wkScene_CollideScene(c->world, c->bodies, &request)
                                         : wkScene_CollideScene(c->bodies, c->world, &request);
    assert_int_equal(all.hitCount, count);
    for (int i = 0; i < all.hitCount; ++i) {
        int body = indexOf(c, isSwapped ? hits[i].b : hits[i].a);
        assert_true(touching[body]);
        touching[body] = false; // each is reported once
    }
}

static void checkDistance(const mapCrowd* c, bool isSigned, double cutoff)
{
    double nearest = cutoff;
    wkDistanceRequest alone = wkDefaultDistanceRequest();
    alone.isSigned = isSigned;
    for (int i = 0; i < BODY_COUNT; ++i) {
        nearest = fmin(
            nearest, wkDistance(&c->shapes[i], c->poses[i], &c->map, c->mapPose, &alone).distance);
    }
    wkSceneRequest request = wkDefaultSceneRequest();
    request.isSigned = isSigned;
    request.cutoff = cutoff;
    double found = wkScene_DistanceScene(c->bodies, c->world, &request).closest.distance;
    double swapped = wkScene_DistanceScene(c->world, c->bodies, &request).closest.distance;
    double tolerance = 1e-9 * (c->size + (fabs(nearest) < 1e30 ? fabs(nearest) : 0.0));
    bool isSame = (found == nearest || fabs(found - nearest) <= tolerance ||
                   (found > 1e30 && nearest > 1e30)) &&
                  (swapped == found || fabs(swapped - found) <= tolerance);
    if (!isSame) {
        fail_msg("nearest at %g, found %g and %g", nearest, found, swapped);
    }
}

static void checkCrowds(bool isCloud)
{
    static mapCrowd c;
    c.rng = wkMakeRng(wkKitSeed());
    for (int kind = 0; kind < WK_MAP_KIND_COUNT; ++kind) {
        for (int world = 0; world < wkKitCases(3); ++world) {
            makeWorld(&c, kind, world, isCloud);
            addBodies(&c);
            for (int round = 0; round < ROUND_COUNT; ++round) {
                moveBodies(&c, round);
                checkHits(&c, round % 2 == 0 ? 0.0 : wkRngRange(&c.rng, -1.0, 5.0) * c.size,
                          round % 3 == 1);
                checkDistance(&c, round % 2 == 0, round % 3 == 0 ? 4.0 * c.size : INFINITY);
            }
            wkScene_Destroy(c.bodies);
            wkScene_Destroy(c.world);
            wkCloud_Destroy(c.cloud);
            wkOctree_Destroy(c.octree);
        }
    }
}

static void bodies_meet_maps_in_scenes_as_they_do_alone(void** state)
{
    (void)state;
    checkCrowds(false);
}

static void bodies_meet_clouds_in_scenes_as_they_do_alone(void** state)
{
    (void)state;
    checkCrowds(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_meet_maps_in_scenes_as_they_do_alone),
        cmocka_unit_test(bodies_meet_clouds_in_scenes_as_they_do_alone),
    };
    int failed = cmocka_run_group_tests_name("crowds in front of maps", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
