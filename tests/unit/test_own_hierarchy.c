// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A hierarchy of convex items that has no more than a row works with every query and every other shape:
// each answer about it is that of its items, asked one by one. So does a point cloud, whose items are spheres.

#include "own_hierarchy.h"
#include "unit_kit.h"

#include "scenes/fields.h"
#include "scenes/maps.h"
#include "scenes/mesh_models.h"
#include "whisker/cloud.h"

#define CASES WK_CASES(150)
#define CONTACTS 512
#define ITEMS 64

// Distances are those of the items up to rounding; depths of general convex pairs are found iteratively.
#define TOLERANCE 1e-9
#define DEPTH_TOLERANCE 2e-6

typedef struct fixture {
    wkShapeBank bank;
    ownHierarchy spheres;
    ownHierarchy mixed;
    ownHierarchy single;
    ownHierarchy empty;
    ownHierarchy few;
    ownHierarchy points; // the items of `cloud`
    wkCloud* cloud;
    wkMesh* surface;
    wkMesh* solid;
    wkMesh* obbs;
    wkFieldScene field;
    wkOctree* map;
} fixture;

static fixture f;

static wkPose randomPose(wkRng* rng, double reach)
{
    wkVec3d direction = wkRngDirection(rng);
    double length = wkRngRange(rng, 0.0, reach);
    wkPose pose = {wkScale(length, direction), wkRngRotation(rng)};
    return pose;
}

// Items of several types, small beside the hierarchy; some have rounding and padding of their own.
static void fillItems(wkRng* rng, ownHierarchy* own, int32_t count, bool areSpheres)
{
    static const wkShapeType types[] = {wk_shapeSphere,   wk_shapeCapsule,  wk_shapeBox,
                                        wk_shapeCylinder, wk_shapeTriangle, wk_shapeHull};
    assert_true(ownCreate(count, own));
    for (int32_t i = 0; i < count; i++) {
        wkShapeType type = areSpheres ? wk_shapeSphere : types[wkRngBelow(rng, 6)];
        own->items[i].shape = wkRandomShape(rng, &f.bank, type, 0.15);
        own->items[i].shape.padding = fabs(own->items[i].shape.padding);
        own->items[i].pose = randomPose(rng, 0.8);
    }
    assert_true(ownBuild(own));
}

// A cloud of spheres, some without a radius, and its items.
static void fillCloud(wkRng* rng)
{
    static float numbers[ITEMS][4];
    assert_true(ownCreate(ITEMS, &f.points));
    for (int32_t i = 0; i < ITEMS; i++) {
        wkVec3d at = randomPose(rng, 0.8).position;
        double radius = i % 4 == 0 ? 0.0 : wkRngRange(rng, 0.0, 0.1);
        const float rounded[4] = {(float)at.x, (float)at.y, (float)at.z, (float)radius};
        memcpy(numbers[i], rounded, sizeof rounded);
        f.points.items[i].shape = wkMakeSphere((double)rounded[3]);
        f.points.items[i].pose =
            wkMakePose((double)rounded[0], (double)rounded[1], (double)rounded[2]);
    }
    assert_true(ownBuild(&f.points));
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = numbers;
    def.points.count = ITEMS;
    def.points.radiusOffset = 3 * sizeof(float);
    assert_int_equal(wkCloud_Create(&def, &f.cloud), wk_ok);
}

static wkMesh* meshOf(const wkModel* model, bool isSolid, wkVolumeKind volume)
{
    wkMeshDef def = wkModel_MeshDef(model);
    def.isSolid = isSolid;
    def.volume = volume;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    return mesh;
}

static int setUp(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    wkShapeBank_Create(&f.bank, UNIT_SEED);
    fillItems(&rng, &f.spheres, ITEMS, true);
    fillItems(&rng, &f.mixed, 40, false);
    fillItems(&rng, &f.single, 1, false);
    fillItems(&rng, &f.empty, 0, true);
    fillCloud(&rng);
    wkModel model = {0};
    assert_true(wkModel_AddBlob(&model, wkVec(0.1, 0.0, 0.0), 0.7, 0.2, 10, 14));
    f.surface = meshOf(&model, false, wk_volumeAabb);
    f.solid = meshOf(&model, true, wk_volumeAabb);
    f.obbs = meshOf(&model, false, wk_volumeObb);
    wkModel_Free(&model);
    assert_true(wkFieldScene_Create(1, 9, 7, UNIT_SEED, &f.field));
    f.map = wkMakeMap(2, 0.1, UNIT_SEED);
    assert_non_null(f.map);
    return 0;
}

static int tearDown(void** state)
{
    (void)state;
    wkShapeBank_Destroy(&f.bank);
    ownDestroy(&f.spheres);
    ownDestroy(&f.mixed);
    ownDestroy(&f.single);
    ownDestroy(&f.empty);
    ownDestroy(&f.few);
    ownDestroy(&f.points);
    wkMesh_Destroy(f.surface);
    wkMesh_Destroy(f.solid);
    wkMesh_Destroy(f.obbs);
    wkFieldScene_Destroy(&f.field);
    wkOctree_Destroy(f.map);
    wkCloud_Destroy(f.cloud);
    return 0;
}

static wkShape shapeOf(const ownHierarchy* own)
{
    return own == &f.points ? wkMakeCloud(f.cloud) : ownShape(own);
}

// A hierarchy of this test, or the cloud, with margins; or any other shape.
typedef struct body {
    wkShape shape;
    wkPose pose;
    const ownHierarchy* own; // NULL: another shape
    bool hasCells;           // a map: each cell has one contact, with the item nearest to it
} body;

#define OTHER_COUNT (WK_SCENE_TYPE_COUNT + 10)

static body otherBody(wkRng* rng, int kind)
{
    const ownHierarchy* owns[] = {&f.spheres, &f.mixed, &f.single, &f.empty, &f.points};
    body b = {.own = NULL};
    if (kind < WK_SCENE_TYPE_COUNT) {
        b.shape = wkRandomShape(rng, &f.bank, (wkShapeType)(kind + 1), 0.5);
    } else if (kind < WK_SCENE_TYPE_COUNT + 5) {
        b.own = owns[kind - WK_SCENE_TYPE_COUNT];
        b.shape = shapeOf(b.own);
    } else {
        const wkShape others[] = {wkMakeMesh(f.surface), wkMakeMesh(f.solid), wkMakeMesh(f.obbs),
                                  wkMakeHeightField(f.field.field), wkMakeOctree(f.map)};
        b.shape = others[kind - WK_SCENE_TYPE_COUNT - 5];
        b.hasCells = b.shape.type == wk_shapeOctree;
    }
    b.pose = randomPose(rng, 2.2);
    return b;
}

static body ownBody(wkRng* rng)
{
    const ownHierarchy* owns[] = {&f.spheres, &f.mixed, &f.single, &f.points};
    body b = {.own = owns[wkRngBelow(rng, 4)]};
    b.shape = shapeOf(b.own);
    if (wkRngChance(rng, 3)) {
        b.shape.rounding = 0.02;
    }
    if (wkRngChance(rng, 3)) {
        b.shape.padding = wkRngRange(rng, -0.02, 0.05);
    }
    b.pose = randomPose(rng, 0.5);
    return b;
}

static int32_t partCount(const body* b)
{
    return b->own != NULL ? b->own->count : 1;
}

// An item as a shape of its own, with the margins of its hierarchy.
static wkShape partShape(const body* b, int32_t part)
{
    if (b->own == NULL) {
        return b->shape;
    }
    wkShape shape = b->own->items[part].shape;
    shape.rounding += b->shape.rounding;
    shape.padding += b->shape.padding;
    return shape;
}

static wkPose partPose(const body* b, int32_t part)
{
    return b->own != NULL ? wkMulPose(b->pose, b->own->items[part].pose) : b->pose;
}

// The least distance of all pairs of items.
static double leastDistance(const body* a, const body* b)
{
    double least = INFINITY;
    for (int32_t i = 0; i < partCount(a); i++) {
        wkShape shapeA = partShape(a, i);
        for (int32_t k = 0; k < partCount(b); k++) {
            wkShape shapeB = partShape(b, k);
            wkDistanceResult r = wkDistance(&shapeA, partPose(a, i), &shapeB, partPose(b, k), NULL);
            least = r.distance < least ? r.distance : least;
        }
    }
    return least;
}

static double toleranceOf(double distance)
{
    return distance > 0.0 ? TOLERANCE : DEPTH_TOLERANCE;
}

static bool isNearLimit(double distance, double limit)
{
    return fabs(distance - limit) <= DEPTH_TOLERANCE;
}

static void checkDistance(const body* a, const body* b, double expected)
{
    wkDistanceResult r = wkDistance(&a->shape, a->pose, &b->shape, b->pose, NULL);
    wkDistanceResult s = wkDistance(&b->shape, b->pose, &a->shape, a->pose, NULL);
    assert_true(r.distance == s.distance && r.partA == s.partB && r.partB == s.partA);
    assertVecNear(r.pointA, s.pointB, 0.0);
    assertVecNear(r.normal, wkNeg(s.normal), 0.0);
    if (partCount(b) == 0 || expected == (double)INFINITY) {
        assert_true(r.distance > 1e300);
        return;
    }
    if (!(fabs(r.distance - expected) <= toleranceOf(expected))) {
        fail_msg("%s: distance %.17g, of the items %.17g", wkShapeTypeName(b->shape.type),
                 r.distance, expected);
    }
    assert_in_range((uintmax_t)r.partA, 0, (uintmax_t)(partCount(a) - 1));
    body one = {partShape(a, (int32_t)r.partA), partPose(a, (int32_t)r.partA), NULL, false};
    assertNear(leastDistance(&one, b), r.distance, toleranceOf(expected));
    assertVecNear(wkSub(r.pointB, r.pointA), wkScale(r.distance, r.normal), 1e-6);

    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.isSigned = false;
    r = wkDistance(&a->shape, a->pose, &b->shape, b->pose, &request);
    assertNear(r.distance, wkMaxD(expected, 0.0), DEPTH_TOLERANCE);
    request.isSigned = true;
    request.cutoff = expected - 0.05;
    r = wkDistance(&a->shape, a->pose, &b->shape, b->pose, &request);
    assert_true(r.distance > request.cutoff && r.distance <= expected + DEPTH_TOLERANCE);
    request.cutoff = INFINITY;
    request.tolerance = 0.01;
    r = wkDistance(&a->shape, a->pose, &b->shape, b->pose, &request);
    assert_true(r.distance >= expected - 0.01 - DEPTH_TOLERANCE);
    assert_true(r.distance <= expected + DEPTH_TOLERANCE);
}

static void checkVerdicts(const body* a, const body* b, double expected)
{
    const double margins[] = {0.0, 0.1, -0.01, expected + 1e-4, expected - 1e-4};
    for (int i = 0; i < 5; i++) {
        wkCollideRequest request = wkDefaultCollideRequest();
        request.margin = margins[i];
        bool isTouching = wkCollide(&a->shape, a->pose, &b->shape, b->pose, &request).isTouching;
        bool isSwapped = wkCollide(&b->shape, b->pose, &a->shape, a->pose, &request).isTouching;
        assert_int_equal(isTouching, isSwapped);
        if (!isNearLimit(expected, margins[i]) && isTouching != (expected <= margins[i])) {
            fail_msg("%s: %s at margin %g, distance of the items %.17g",
                     wkShapeTypeName(b->shape.type), isTouching ? "touches" : "is apart",
                     margins[i], expected);
        }
    }
}

static wkContact contacts[CONTACTS];

// Counts items of A whose distance from B is clearly within the margin, or clearly not above it.
static int32_t countItems(const body* a, const body* b, double limit)
{
    int32_t count = 0;
    for (int32_t i = 0; i < partCount(a); i++) {
        body one = {partShape(a, i), partPose(a, i), NULL, false};
        count += leastDistance(&one, b) <= limit;
    }
    return count;
}

static void checkContacts(const body* a, const body* b, double expected)
{
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = 0.05;
    request.contacts = contacts;
    request.contactCapacity = CONTACTS;
    wkCollideResult r = wkCollide(&a->shape, a->pose, &b->shape, b->pose, &request);
    if (isNearLimit(expected, request.margin)) {
        return;
    }
    assert_int_equal(r.isTouching, expected <= request.margin);
    assert_int_equal(r.contactCount > 0, r.isTouching);
    if (!r.isTouching) {
        return;
    }
    assertNear(contacts[0].depth, -expected, DEPTH_TOLERANCE);
    bool isVisited[ITEMS] = {false};
    int32_t different = 0;
    for (int32_t i = 0; i < r.contactCount; i++) {
        assert_true(contacts[i].partA >= 0 && contacts[i].partA < partCount(a));
        assert_true(i == 0 || contacts[i].depth <= contacts[i - 1].depth);
        assert_true(-contacts[i].depth <= request.margin);
        different += !isVisited[contacts[i].partA];
        isVisited[contacts[i].partA] = true;
    }
    if (r.contactCount < CONTACTS && !b->hasCells) {
        assert_in_range(different, countItems(a, b, request.margin - DEPTH_TOLERANCE),
                        countItems(a, b, request.margin + DEPTH_TOLERANCE));
    }
    request.contactCapacity = 1;
    request.stopsWhenFull = true;
    r = wkCollide(&b->shape, b->pose, &a->shape, a->pose, &request);
    assert_true(r.isTouching && r.contactCount == 1 && contacts[0].partB >= 0);
}

static void pairs_answer_as_their_items_do(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 1);
    int touching = 0, apart = 0;
    for (int kind = 0; kind < OTHER_COUNT; kind++) {
        for (int n = 0; n < CASES; n++) {
            body a = ownBody(&rng), b = otherBody(&rng, kind);
            double expected = leastDistance(&a, &b);
            checkDistance(&a, &b, expected);
            if (partCount(&b) > 0) {
                checkVerdicts(&a, &b, expected);
                checkContacts(&a, &b, expected);
            }
            touching += expected <= 0.0;
            apart += expected > 0.0;
        }
    }
    assert_true(touching > OTHER_COUNT * CASES / 5 && apart > OTHER_COUNT * CASES / 5);
}

// An item that no triangle of a solid touches is found in it all the same.
static void items_inside_a_solid_are_found(void** state)
{
    (void)state;
    ownHierarchy* few = &f.few;
    assert_true(ownCreate(3, few));
    for (int32_t i = 0; i < few->count; i++) {
        few->items[i] = (wkItem){wkMakeSphere(0.01), wkMakePose(2.0 + 0.1 * i, 0.0, 0.0)};
    }
    few->items[1].pose = wkMakePose(0.1, 0.05, 0.0);
    assert_true(ownBuild(few));
    body a = {ownShape(few), wkIdentityPose(), few, false};
    body b = {wkMakeMesh(f.solid), wkIdentityPose(), NULL, false};
    double expected = leastDistance(&a, &b);
    assert_true(expected < -0.1);
    checkDistance(&a, &b, expected);
    checkVerdicts(&a, &b, expected);
    checkContacts(&a, &b, expected);
    wkDistanceResult r = wkDistance(&a.shape, a.pose, &b.shape, b.pose, NULL);
    assert_int_equal(r.partA, 1);
}

// Margins that are negative in sum: items touch where they are deep enough.
static void items_in_a_smaller_solid_are_found(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 5);
    int touching = 0, apart = 0;
    for (int n = 0; n < 4 * CASES; n++) {
        body a = ownBody(&rng);
        body b = {wkMakeMesh(f.solid), randomPose(&rng, 1.5), NULL, false};
        b.shape.padding = -wkRngLogRange(&rng, 1e-3, 0.3);
        a.shape.padding = wkRngRange(&rng, -0.02, 0.0);
        double expected = leastDistance(&a, &b);
        double found = wkDistance(&a.shape, a.pose, &b.shape, b.pose, NULL).distance;
        if (!(found <= expected + DEPTH_TOLERANCE) || (found <= 0.0) != (expected <= 0.0)) {
            fail_msg("case %d: distance %.17g, of the items %.17g", n, found, expected);
        }
        checkVerdicts(&a, &b, found);
        touching += expected <= 0.0;
        apart += expected > 0.0;
    }
    assert_true(touching > CASES / 2 && apart > CASES / 2);
}

static void closest_points_are_those_of_items(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 2);
    for (int n = 0; n < 20 * CASES; n++) {
        body a = ownBody(&rng);
        wkVec3d point = randomPose(&rng, 1.5).position;
        double least = INFINITY;
        for (int32_t i = 0; i < partCount(&a); i++) {
            wkShape shape = partShape(&a, i);
            wkPointResult r = wkShape_ClosestPoint(&shape, partPose(&a, i), point, INFINITY);
            least = r.distance < least ? r.distance : least;
        }
        wkPointResult r = wkShape_ClosestPoint(&a.shape, a.pose, point, INFINITY);
        assertNear(r.distance, least, TOLERANCE);
        assertNear(wkShape_PointDistance(&a.shape, a.pose, point), least, TOLERANCE);
        assertVecNear(wkMulAdd(r.point, r.distance, r.normal), point, 1e-6);
        assert_true(r.part >= 0 && r.part < partCount(&a));
        assert_int_equal(r.status, r.distance < 0.0 ? wk_statusLocal : wk_statusExact);
        r = wkShape_ClosestPoint(&a.shape, a.pose, point, least - 0.01);
        assert_true(r.distance > least - 0.01 && r.distance <= least + TOLERANCE);
    }
    wkShape empty = ownShape(&f.empty);
    assert_true(
        wkShape_ClosestPoint(&empty, wkIdentityPose(), wkVec(0.0, 0.0, 0.0), INFINITY).distance ==
        (double)INFINITY);
}

static void rays_hit_what_items_are_hit(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 3);
    int hits = 0;
    for (int n = 0; n < 20 * CASES; n++) {
        body a = ownBody(&rng);
        wkRay ray = {randomPose(&rng, 2.0).position, wkRngDirection(&rng), 4.0};
        double first = INFINITY;
        for (int32_t i = 0; i < partCount(&a); i++) {
            wkShape shape = partShape(&a, i);
            wkRayResult r = wkShape_RayCast(&shape, partPose(&a, i), ray);
            first = r.isHit && r.distance < first ? r.distance : first;
        }
        wkRayResult r = wkShape_RayCast(&a.shape, a.pose, ray);
        assert_int_equal(r.isHit, first < (double)INFINITY);
        assert_int_equal(wkShape_RayHits(&a.shape, a.pose, ray), r.isHit);
        if (r.isHit) {
            assertNear(r.distance, first, 1e-6);
            assert_true(r.part >= 0 && r.part < partCount(&a));
            assertNear(wkLength(r.normal), 1.0, 1e-9);
            hits++;
        }
    }
    assert_true(hits > CASES);
}

static void bounds_and_supports_are_around_items(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 4);
    for (int n = 0; n < 20 * CASES; n++) {
        body a = ownBody(&rng);
        wkAabb box = wkShape_Bounds(&a.shape, a.pose);
        wkVec3d direction = wkRngDirection(&rng);
        double highest = -INFINITY;
        for (int32_t i = 0; i < partCount(&a); i++) {
            wkShape shape = partShape(&a, i);
            wkVec3d point = wkShape_Support(&shape, partPose(&a, i), direction);
            highest = wkMaxD(highest, wkDot(point, direction));
            assert_true(a.shape.padding < 0.0 ||
                        wkMaxAbs(wkSub(wkMin(wkMax(point, box.lower), box.upper), point)) <=
                            TOLERANCE);
        }
        wkVec3d support = wkShape_Support(&a.shape, a.pose, direction);
        assertNear(wkDot(support, direction), highest, TOLERANCE);
    }
}

// Names, checks and the row of a pair come with the row of the shape.
static void the_row_is_all_that_is_needed(void** state)
{
    (void)state;
    wkShape shape = ownShape(&f.spheres), wrong = shape;
    assert_int_equal(wkShape_Check(&shape), wk_ok);
    assert_string_equal(wkShapeTypeName(OWN_TYPE), "own");
    wkShapeType found = wk_shapeNone;
    assert_int_equal(wkShapeTypeFromName("own", &found), wk_ok);
    assert_int_equal(found, OWN_TYPE);
    assert_string_equal(wkPairMethodName(OWN_TYPE, wk_shapeBox), "walk over a hierarchy");
    assert_string_equal(wkPairMethodName(wk_shapeMesh, OWN_TYPE), "walk over two hierarchies");
    assert_true(wkShape_Mass(&shape).volume == (double)f.spheres.count);
    wrong.mesh = NULL;
    assert_int_equal(wkShape_Check(&wrong), wk_errorArgument);
    wrong.type = (wkShapeType)(OWN_TYPE + 1);
    assert_int_not_equal(wkShape_Check(&wrong), wk_ok);
    wkDistanceResult r = wkDistance(&wrong, wkIdentityPose(), &shape, wkIdentityPose(), NULL);
    assert_int_equal(r.status, wk_statusInvalid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_answer_as_their_items_do),
        cmocka_unit_test(items_inside_a_solid_are_found),
        cmocka_unit_test(items_in_a_smaller_solid_are_found),
        cmocka_unit_test(closest_points_are_those_of_items),
        cmocka_unit_test(rays_hit_what_items_are_hit),
        cmocka_unit_test(bounds_and_supports_are_around_items),
        cmocka_unit_test(the_row_is_all_that_is_needed),
    };
    return cmocka_run_group_tests_name("own_hierarchy", tests, setUp, tearDown);
}
