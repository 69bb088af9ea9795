// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Hierarchies of convex items against maps, and against other hierarchies: both are descended at once. The
// answer is that of all pairs of a cell and an item, and the number of pairs that are evaluated grows much
// less than the number of items.

#include "own_hierarchy.h"
#include "unit_kit.h"

#include "scenes/maps.h"
#include "scenes/mesh_models.h"
#include "whisker/cost.h"

#define CASES 400
#define PARTS 20000
#define CONTACTS 4096
#define ITEMS 60

// Distances are those of the pairs up to rounding; depths of general convex pairs are found iteratively.
#define TOLERANCE 1e-9
#define DEPTH_TOLERANCE 2e-6

static wkMapPart parts[PARTS];
static wkContact contacts[CONTACTS];
static wkShapeBank bank;

static int setUp(void** state)
{
    (void)state;
    wkShapeBank_Create(&bank, UNIT_SEED);
    return 0;
}

static int tearDown(void** state)
{
    (void)state;
    wkShapeBank_Destroy(&bank);
    return 0;
}

static wkPose randomPose(wkRng* rng, double reach)
{
    wkVec3d direction = wkRngDirection(rng);
    double length = wkRngRange(rng, 0.0, reach);
    wkPose pose = {wkScale(length, direction), wkRngRotation(rng)};
    return pose;
}

// Items of several types: some smaller than a cell, some much larger.
static void makeItems(wkRng* rng, int32_t count, double size, bool areSpheres, ownHierarchy* own)
{
    static const wkShapeType types[] = {wk_shapeSphere, wk_shapeCapsule,   wk_shapeBox,
                                        wk_shapeCone,   wk_shapeEllipsoid, wk_shapeTriangle,
                                        wk_shapeHull,   wk_shapeCylinder};
    assert_true(ownCreate(count, own));
    for (int32_t i = 0; i < count; i++) {
        wkShapeType type = areSpheres ? wk_shapeSphere : types[wkRngBelow(rng, 8)];
        double scale = wkRngLogRange(rng, 0.1 * size, size);
        own->items[i].shape = wkRandomShape(rng, &bank, type, scale);
        own->items[i].shape.padding = fabs(own->items[i].shape.padding);
        own->items[i].pose = randomPose(rng, 1.0);
    }
    own->content = 1;
    assert_true(ownBuild(own));
}

// Everything that one case needs.
typedef struct scene {
    ownHierarchy own;
    wkShape a;
    wkPose poseA;
    wkOctree* octree;
    wkShape map;
    wkPose poseOfMap;
    int32_t partCount; // pieces of the map
} scene;

static bool makeScene(wkRng* rng, scene* s)
{
    bool areSpheres = wkRngChance(rng, 2);
    double size = wkRngLogRange(rng, 0.02, 0.5);
    makeItems(rng, 1 + wkRngBelow(rng, ITEMS), size, areSpheres, &s->own);
    s->a = ownShape(&s->own);
    s->a.rounding = wkRngChance(rng, 4) ? 0.03 : 0.0;
    s->a.padding = wkRngChance(rng, 4) ? wkRngRange(rng, -0.02, 0.05) : 0.0;
    s->poseA = randomPose(rng, 0.5);
    int kind = wkRngBelow(rng, WK_MAP_KIND_COUNT);
    uint64_t seed = wkRngNext(rng);
    s->octree = wkMakeMap(kind, 0.1, seed);
    assert_non_null(s->octree);
    s->map = wkMakeOctree(s->octree);
    s->map.padding = wkRngChance(rng, 4) ? wkRngRange(rng, -0.02, 0.05) : 0.0;
    s->map.map.unknown = wkRngChance(rng, 4) ? wk_unknownReported : wk_unknownFree;
    s->poseOfMap = randomPose(rng, 2.5);
    s->partCount = wkMapParts(&s->map, s->poseOfMap, parts, PARTS);
    return s->partCount <= PARTS && s->partCount > 0;
}

static void destroyScene(scene* s)
{
    ownDestroy(&s->own);
    wkOctree_Destroy(s->octree);
}

static wkShape itemShape(const scene* s, int32_t item)
{
    wkShape shape = s->own.items[item].shape;
    shape.rounding += s->a.rounding;
    shape.padding += s->a.padding;
    return shape;
}

// The least distance of a piece of the map from the items.
static double leastOfPart(const scene* s, const wkMapPart* part)
{
    double least = INFINITY;
    for (int32_t i = 0; i < s->own.count; i++) {
        wkShape shape = itemShape(s, i);
        wkPose pose = wkMulPose(s->poseA, s->own.items[i].pose);
        least = wkMinD(least, wkDistance(&shape, pose, &part->shape, part->pose, NULL).distance);
    }
    return least;
}

static double toleranceOf(double distance)
{
    return distance > 0.0 ? TOLERANCE : DEPTH_TOLERANCE;
}

static bool isNear(double distance, double limit)
{
    return fabs(distance - limit) <= DEPTH_TOLERANCE;
}

static void checkDistance(const scene* s, double expected)
{
    wkDistanceResult r = wkDistance(&s->a, s->poseA, &s->map, s->poseOfMap, NULL);
    if (!(fabs(r.distance - expected) <= toleranceOf(expected) * (1.0 + fabs(expected)))) {
        fail_msg("distance %.17g, of the pairs %.17g", r.distance, expected);
    }
    wkDistanceResult swapped = wkDistance(&s->map, s->poseOfMap, &s->a, s->poseA, NULL);
    assert_true(r.distance == swapped.distance && r.partA == swapped.partB);
    if (r.status != wk_statusUnbounded) {
        assert_in_range((uintmax_t)r.partA, 0, (uintmax_t)(s->own.count - 1));
        assertVecNear(wkSub(r.pointB, r.pointA), wkScale(r.distance, r.normal), 1e-6);
        wkShape shape = itemShape(s, (int32_t)r.partA);
        wkPose pose = wkMulPose(s->poseA, s->own.items[r.partA].pose);
        wkDistanceResult one = wkDistance(&shape, pose, &s->map, s->poseOfMap, NULL);
        assertNear(one.distance, r.distance, toleranceOf(expected) * (1.0 + fabs(expected)));
    }
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.isSigned = false;
    r = wkDistance(&s->a, s->poseA, &s->map, s->poseOfMap, &request);
    assertNear(r.distance, wkMaxD(expected, 0.0), DEPTH_TOLERANCE);
    request.cutoff = expected - 0.05;
    request.isSigned = true;
    r = wkDistance(&s->a, s->poseA, &s->map, s->poseOfMap, &request);
    assert_true(r.distance > request.cutoff && r.distance <= expected + DEPTH_TOLERANCE);
}

static void checkVerdicts(const scene* s, double expected)
{
    const double margins[] = {0.0, 0.1, -0.01, expected + 1e-4, expected - 1e-4};
    for (int i = 0; i < 5; i++) {
        wkCollideRequest request = wkDefaultCollideRequest();
        request.margin = margins[i];
        wkCollideResult r = wkCollide(&s->a, s->poseA, &s->map, s->poseOfMap, &request);
        if (!isNear(expected, margins[i]) && r.isTouching != (expected <= margins[i])) {
            fail_msg("%s at margin %g, distance of the pairs %.17g",
                     r.isTouching ? "touches" : "is apart", margins[i], expected);
        }
    }
}

// Each cell within the margin has one contact, with the item nearest to it.
static void checkContacts(const scene* s, const double* distances)
{
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = 0.05;
    request.contacts = contacts;
    request.contactCapacity = CONTACTS;
    wkCollideResult r = wkCollide(&s->a, s->poseA, &s->map, s->poseOfMap, &request);
    int32_t least = 0, most = 0;
    for (int32_t k = 0; k < s->partCount; k++) {
        least += distances[k] <= request.margin - DEPTH_TOLERANCE;
        most += distances[k] <= request.margin + DEPTH_TOLERANCE;
    }
    if (least > CONTACTS) {
        assert_int_equal(r.contactCount, CONTACTS);
        return;
    }
    assert_in_range(r.contactCount, least, most);
    for (int32_t i = 0; i < r.contactCount; i++) {
        for (int32_t k = 0; k < s->partCount && contacts[i].partB >= 0; k++) {
            if (parts[k].id == contacts[i].partB) {
                assertNear(contacts[i].depth, -distances[k], DEPTH_TOLERANCE);
            }
        }
    }
}

static void pairs_of_cells_and_items_decide(void** state)
{
    (void)state;
    static double distances[PARTS];
    wkRng rng = wkMakeRng(UNIT_SEED + 1);
    int touching = 0, apart = 0;
    for (int n = 0; n < CASES; n++) {
        scene s;
        if (makeScene(&rng, &s)) {
            double expected = INFINITY;
            for (int32_t k = 0; k < s.partCount; k++) {
                distances[k] = leastOfPart(&s, &parts[k]);
                expected = wkMinD(expected, distances[k]);
            }
            checkDistance(&s, expected);
            checkVerdicts(&s, expected);
            checkContacts(&s, distances);
            touching += expected <= 0.0;
            apart += expected > 0.0;
        }
        destroyScene(&s);
    }
    assert_true(touching > CASES / 8 && apart > CASES / 8);
}

// The cost of a pose is that of the cells that an item meets.
static void cost_is_that_of_items(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 2);
    for (int n = 0; n < CASES / 8; n++) {
        scene s;
        makeItems(&rng, 20, 0.2, n % 2 == 0, &s.own);
        s.a = ownShape(&s.own);
        s.poseA = randomPose(&rng, 0.5);
        s.octree = wkMakeMap(3, 0.1, UNIT_SEED + (uint64_t)n);
        s.map = wkMakeOctree(s.octree);
        wkCost *whole = NULL, *each = NULL;
        assert_int_equal(wkCost_Create(NULL, &whole), wk_ok);
        assert_int_equal(wkCost_Create(NULL, &each), wk_ok);
        wkPose identity = wkIdentityPose();
        assert_int_equal(wkCost_AddShape(whole, &s.map, identity, &s.a, s.poseA), wk_ok);
        for (int32_t i = 0; i < s.own.count; i++) {
            wkShape shape = itemShape(&s, i);
            wkPose pose = wkMulPose(s.poseA, s.own.items[i].pose);
            assert_int_equal(wkCost_AddShape(each, &s.map, identity, &shape, pose), wk_ok);
        }
        assert_true(wkCost_Info(whole).cellCount > 0);
        assert_int_equal(wkCost_Info(whole).cellCount, wkCost_Info(each).cellCount);
        assertNear(wkCost_Info(whole).weightedVolume, wkCost_Info(each).weightedVolume, 1e-12);
        wkCost_Destroy(whole);
        wkCost_Destroy(each);
        destroyScene(&s);
    }
}

// Spheres on a wavy sheet, as a scan of a floor has them.
static void makeSheet(int32_t side, double height, double radius, ownHierarchy* own)
{
    assert_true(ownCreate(side * side, own));
    for (int32_t i = 0; i < side * side; i++) {
        int32_t column = i % side, row = i / side;
        double x = 2.0 * (column + 0.5) / side - 1.0, y = 2.0 * (row + 0.5) / side - 1.0;
        double z = height + 0.1 * sin(5.0 * x) * cos(4.0 * y);
        own->items[i] = (wkItem){wkMakeSphere(radius), wkMakePose(x, y, z)};
    }
    own->content = 1;
    assert_true(ownBuild(own));
}

// A map of a wavy sheet, two metres wide.
static wkOctree* makeSheetMap(double resolution)
{
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = resolution;
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Create(&def, &octree), wk_ok);
    int side = (int)(2.0 / resolution);
    for (int i = 0; i < side * side; i++) {
        int column = i % side, row = i / side;
        double x = resolution * (column + 0.5) - 1.0, y = resolution * (row + 0.5) - 1.0;
        double z = 0.1 * cos(3.0 * x) * sin(5.0 * y);
        wkCellKey key = {(uint16_t)(32768 + (int)floor(x / resolution)),
                         (uint16_t)(32768 + (int)floor(y / resolution)),
                         (uint16_t)(32768 + (int)floor(z / resolution))};
        assert_int_equal(wkOctree_SetLogOdds(octree, key, 16, 3.5f), wk_ok);
    }
    return octree;
}

static wkMesh* makeSheetMesh(int side)
{
    int32_t vertexCount = (side + 1) * (side + 1);
    wkVec3d* vertices = malloc(sizeof(wkVec3d) * (size_t)vertexCount);
    int32_t* indices = malloc(sizeof(int32_t) * 6 * (size_t)(side * side));
    assert_true(vertices != NULL && indices != NULL);
    for (int32_t i = 0; i < vertexCount; i++) {
        int32_t column = i % (side + 1), row = i / (side + 1);
        double x = 2.0 * column / side - 1.0, y = 2.0 * row / side - 1.0;
        vertices[i] = wkVec(x, y, 0.1 * cos(3.0 * x) * sin(5.0 * y));
    }
    for (int32_t i = 0; i < side * side; i++) {
        int32_t v = i % side + i / side * (side + 1);
        const int32_t two[6] = {v, v + 1, v + side + 2, v, v + side + 2, v + side + 1};
        memcpy(&indices[6 * i], two, sizeof two);
    }
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = vertices;
    def.vertexCount = vertexCount;
    def.triangles = indices;
    def.triangleCount = 2 * side * side;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    free(vertices);
    free(indices);
    return mesh;
}

// Sixteen times the items of both bodies: the pairs that are evaluated stay few.
static void few_pairs_are_evaluated(void** state)
{
    (void)state;
    static const int32_t sides[] = {16, 64};
    enum {
        others = 3
    };
    int32_t counts[2][others];
    for (int n = 0; n < 2; n++) {
        ownHierarchy above, below;
        makeSheet(sides[n], 0.25, 0.2 / sides[n], &above);
        makeSheet(sides[n], 0.0, 1.2 / sides[n], &below); // without gaps
        wkMesh* mesh = makeSheetMesh(sides[n]);
        wkOctree* octree = makeSheetMap(2.0 / sides[n]);
        wkShape a = ownShape(&above);
        const wkShape bodies[others] = {wkMakeOctree(octree), wkMakeMesh(mesh), ownShape(&below)};
        wkPose apart = wkMakePose(0.01, 0.02, 0.0), crossing = wkMakePose(0.3, 0.2, -0.25);
        for (int k = 0; k < others; k++) {
            counts[n][k] = wkDistance(&a, apart, &bodies[k], wkIdentityPose(), NULL).iterations;
            wkCollideResult r = wkCollide(&a, crossing, &bodies[k], wkIdentityPose(), NULL);
            if (!r.isTouching || r.iterations >= 256) { // the first pair found ends it
                fail_msg("body %d: %s after %d pairs", k, r.isTouching ? "touches" : "is apart",
                         r.iterations);
            }
        }
        ownDestroy(&above);
        ownDestroy(&below);
        wkMesh_Destroy(mesh);
        wkOctree_Destroy(octree);
    }
    for (int k = 0; k < others; k++) {
        if (!(counts[1][k] <= 4 * counts[0][k] && counts[1][k] < sides[1] * sides[1] / 4)) {
            fail_msg("body %d: %d pairs for 256 items, %d for 4096", k, counts[0][k], counts[1][k]);
        }
    }
}

// Answers from a front are those without it, whatever the motion.
static void fronts_work_for_items(void** state)
{
    (void)state;
    ownHierarchy moving, fixed;
    makeSheet(16, 0.3, 0.02, &moving);
    makeSheet(16, 0.0, 0.03, &fixed);
    wkMesh* mesh = makeSheetMesh(16);
    wkFront* front = NULL;
    assert_int_equal(wkFront_Create(0, &front), wk_ok);
    wkShape a = ownShape(&moving);
    const wkShape others[] = {ownShape(&fixed), wkMakeMesh(mesh)};
    for (int n = 0; n < 400; n++) {
        const wkShape* b = &others[n / 200];
        double t = n % 200 / 200.0;
        wkPose pose = {wkVec(0.1 * t, 0.0, 0.25 * sin(4.0 * t)), {0.0, 0.0, sin(t), cos(t)}};
        wkDistanceRequest request = wkDefaultDistanceRequest();
        wkDistanceResult plain = wkDistance(&a, pose, b, wkIdentityPose(), &request);
        request.front = front;
        wkDistanceResult r = wkDistance(&a, pose, b, wkIdentityPose(), &request);
        assert_true(plain.distance == r.distance && plain.partA == r.partA);
        assert_true(plain.partB == r.partB);
        wkCollideRequest collide = wkDefaultCollideRequest();
        collide.front = front;
        assert_int_equal(wkCollide(&a, pose, b, wkIdentityPose(), &collide).isTouching,
                         plain.distance <= 0.0);
    }
    assert_true(wkFront_Count(front) > 0);
    wkFront_Destroy(front);
    ownDestroy(&moving);
    ownDestroy(&fixed);
    wkMesh_Destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_of_cells_and_items_decide),
        cmocka_unit_test(cost_is_that_of_items),
        cmocka_unit_test(few_pairs_are_evaluated),
        cmocka_unit_test(fronts_work_for_items),
    };
    return cmocka_run_group_tests_name("map_items", tests, setUp, tearDown);
}
