// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Height fields answer as the mesh of the same triangles does: every shape, pose, query and order.

#include "kit.h"
#include "scenes/fields.h"

#include <stdlib.h>
#include <string.h>

// Rounding, of answers that were found in different frames.
#define TOLERANCE 1e-12

typedef struct fieldSize {
    int32_t columns;
    int32_t rows;
} fieldSize;

static const fieldSize sizes[] = {{2, 2}, {3, 2}, {2, 9}, {7, 5}, {40, 17}, {5, 200}};

#define SIZE_COUNT ((int)(sizeof sizes / sizeof *sizes))

// Two bodies to be asked about: a field and another, or what stands for them in the oracle.
typedef struct question {
    const wkFieldScene* scene;
    const char* name;
    wkShape other;
    wkShape otherOracle; // a mesh where the other is a field
    wkPose fieldPose;
    wkPose otherPose;
    double tolerance; // 0: both are asked in the same frame
} question;

typedef void checkFcn(const question* q);

static void failAbout(const question* q, const char* what, double got, double expected)
{
    print_message("%s, %d x %d against %s at (%.17g %.17g %.17g) (%.17g %.17g %.17g %.17g), "
                  "field at (%.17g %.17g %.17g) (%.17g %.17g %.17g %.17g)\n",
                  q->name, (int)wkHeightField_Info(q->scene->field).columns,
                  (int)wkHeightField_Info(q->scene->field).rows, wkShapeTypeName(q->other.type),
                  q->otherPose.position.x, q->otherPose.position.y, q->otherPose.position.z,
                  q->otherPose.rotation.x, q->otherPose.rotation.y, q->otherPose.rotation.z,
                  q->otherPose.rotation.w, q->fieldPose.position.x, q->fieldPose.position.y,
                  q->fieldPose.position.z, q->fieldPose.rotation.x, q->fieldPose.rotation.y,
                  q->fieldPose.rotation.z, q->fieldPose.rotation.w);
    fail_msg("%s: %.17g, expected %.17g", what, got, expected);
}

static wkShape fieldOf(const question* q)
{
    return wkMakeHeightField(q->scene->field);
}

static wkShape oracleOf(const question* q)
{
    return wkMakeMesh(q->scene->mesh);
}

static wkPose poseOn(wkRng* rng, const wkFieldScene* scene, wkPose fieldPose)
{
    wkPose local = {wkFieldScene_Place(scene, rng), wkRngRotation(rng)};
    if (wkRngChance(rng, 4)) {
        local.rotation = wkRngRightAngles(rng);
    }
    return wkMulPose(fieldPose, local);
}

static wkPose randomFieldPose(wkRng* rng)
{
    wkPose pose = wkIdentityPose();
    if (!wkRngChance(rng, 3)) {
        pose.position = wkSceneScale(wkRngDirection(rng), wkRngRange(rng, 0.0, 20.0));
        pose.rotation = wkRngRotation(rng);
    }
    return pose;
}

// Asks about every kind of field and size, with every kind of convex shape.
static void forAllShapes(checkFcn* check, int count)
{
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int kind = 0; kind < WK_FIELD_KIND_COUNT; kind++) {
        for (int i = 0; i < SIZE_COUNT; i++) {
            wkFieldScene scene;
            assert_true(wkFieldScene_Create(kind, sizes[i].columns, sizes[i].rows, wkRngNext(&rng),
                                            &scene));
            for (int type = 1; type <= WK_SCENE_TYPE_COUNT; type++) {
                for (int n = 0; n < wkKitCases(count); n++) {
                    question q = {.scene = &scene, .name = wkFieldKindName(kind)};
                    q.other = wkRandomShape(&rng, wkKitBank(), (wkShapeType)type, 0.3);
                    q.otherOracle = q.other;
                    q.fieldPose = randomFieldPose(&rng);
                    q.otherPose = poseOn(&rng, &scene, q.fieldPose);
                    check(&q);
                }
            }
            wkFieldScene_Destroy(&scene);
        }
    }
}

// A mesh and a field are asked in the frame of the mesh, two of a kind in that of either.
static void chooseOther(question* q, const wkFieldScene* other, bool isField)
{
    double size = 30.0 + wkSceneLength(q->scene->half) + wkSceneLength(q->fieldPose.position);
    q->otherOracle = wkMakeMesh(other->mesh);
    q->other = isField ? wkMakeHeightField(other->field) : q->otherOracle;
    q->tolerance = isField ? 0.0 : TOLERANCE * size;
}

// Asks about pairs of fields, and of a field and the mesh of another.
static void forAllFields(checkFcn* check, int count)
{
    wkRng rng = wkMakeRng(wkKitSeed() + 1);
    for (int kind = 0; kind < WK_FIELD_KIND_COUNT; kind++) {
        for (int n = 0; n < wkKitCases(count); n++) {
            fieldSize a = sizes[wkRngBelow(&rng, SIZE_COUNT)];
            fieldSize b = sizes[wkRngBelow(&rng, 4)];
            wkFieldScene scene, other;
            assert_true(wkFieldScene_Create(kind, a.columns, a.rows, wkRngNext(&rng), &scene));
            assert_true(wkFieldScene_Create(wkRngBelow(&rng, WK_FIELD_KIND_COUNT), b.columns,
                                            b.rows, wkRngNext(&rng), &other));
            question q = {.scene = &scene, .name = wkFieldKindName(kind)};
            q.fieldPose = randomFieldPose(&rng);
            q.otherPose = poseOn(&rng, &scene, q.fieldPose);
            chooseOther(&q, &other, wkRngChance(&rng, 2));
            check(&q);
            wkFieldScene_Destroy(&scene);
            wkFieldScene_Destroy(&other);
        }
    }
}

static bool isAlike(const question* q, double got, double expected)
{
    return got == expected || fabs(got - expected) <= q->tolerance;
}

// Overlaps with a mesh that is its own convex hull are exact; a field has no hull. A shape that is
// shrunk may overlap before that.
static bool isByHull(const question* q, double distance)
{
    return wkMesh_Info(q->scene->mesh).isConvex && !(distance + fmin(q->other.padding, 0.0) > 0.0);
}

// Asks the same about the closed mesh, which needs no lids either. Bottoms that are cut
// otherwise may hold a shape that is shrunk at another depth.
static void checkStatus(const question* q, const wkDistanceResult* got)
{
    wkShape closed = wkMakeMesh(q->scene->closed);
    wkDistanceResult expected = wkDistance(&closed, q->fieldPose, &q->other, q->otherPose, NULL);
    bool isComparable = !wkMesh_Info(q->scene->closed).isConvex &&
                        (got->distance > 0.0) == (expected.distance > 0.0);
    if (isComparable && got->status != expected.status) {
        failAbout(q, "status", got->status, expected.status);
    }
}

static void checkDistance(const question* q)
{
    wkShape field = fieldOf(q), oracle = oracleOf(q);
    wkDistanceResult got = wkDistance(&field, q->fieldPose, &q->other, q->otherPose, NULL);
    wkDistanceResult swapped = wkDistance(&q->other, q->otherPose, &field, q->fieldPose, NULL);
    wkDistanceResult expected =
        wkDistance(&oracle, q->fieldPose, &q->otherOracle, q->otherPose, NULL);
    if (memcmp(&got.distance, &swapped.distance, sizeof got.distance) != 0) {
        failAbout(q, "distance in the other order", swapped.distance, got.distance);
    }
    if (isByHull(q, got.distance)) {
        return;
    }
    if (!isAlike(q, got.distance, expected.distance)) {
        failAbout(q, "distance", got.distance, expected.distance);
    }
    if (q->tolerance == 0.0 && (got.partA != expected.partA || got.partB != expected.partB)) {
        failAbout(q, "triangle", (double)got.partA, (double)expected.partA);
    }
    checkStatus(q, &got);
}

static void distance_is_that_of_the_mesh(void** state)
{
    (void)state;
    forAllShapes(checkDistance, 12);
}

static void distance_of_two_fields_is_that_of_their_meshes(void** state)
{
    (void)state;
    forAllFields(checkDistance, 60);
}

static void checkCollide(const question* q)
{
    static const double margins[] = {0.0, 0.05, -0.02, 1.0};
    wkShape field = fieldOf(q);
    double distance = wkDistance(&field, q->fieldPose, &q->other, q->otherPose, NULL).distance;
    for (int i = 0; i < 5; i++) {
        wkCollideRequest request = wkDefaultCollideRequest();
        request.margin = i < 4 ? margins[i] : distance;
        wkCollideResult r = wkCollide(&field, q->fieldPose, &q->other, q->otherPose, &request);
        wkCollideResult swapped =
            wkCollide(&q->other, q->otherPose, &field, q->fieldPose, &request);
        if (r.isTouching != (distance <= request.margin) || swapped.isTouching != r.isTouching) {
            failAbout(q, "collide", request.margin, distance);
        }
    }
}

static void collide_says_what_the_distance_says(void** state)
{
    (void)state;
    forAllShapes(checkCollide, 6);
    forAllFields(checkCollide, 40);
}

#define CONTACT_CAPACITY 4096

typedef struct contactList {
    wkContact contacts[CONTACT_CAPACITY];
    int32_t count;
} contactList;

static void findContacts(const question* q, const wkShape* body, const wkShape* other,
                         contactList* list)
{
    wkCollideRequest request = wkDefaultCollideRequest();
    request.contacts = list->contacts;
    request.contactCapacity = CONTACT_CAPACITY;
    list->count = wkCollide(body, q->fieldPose, other, q->otherPose, &request).contactCount;
    assert_true(list->count < CONTACT_CAPACITY);
}

static void checkContacts(const question* q)
{
    static contactList got, expected;
    wkShape field = fieldOf(q), oracle = oracleOf(q);
    if (isByHull(q, -INFINITY)) {
        return;
    }
    findContacts(q, &field, &q->other, &got);
    findContacts(q, &oracle, &q->otherOracle, &expected);
    if (got.count != expected.count) {
        failAbout(q, "number of contacts", got.count, expected.count);
    }
    for (int32_t i = 0; i < got.count; i++) {
        const wkContact *g = &got.contacts[i], *e = &expected.contacts[i];
        if (!isAlike(q, g->depth, e->depth)) {
            failAbout(q, "depth of a contact", g->depth, e->depth);
        }
        // rounding settles the order of contacts that are equally deep
        bool isSame = g->partA == e->partA && g->partB == e->partB &&
                      memcmp(&g->point, &e->point, sizeof g->point) == 0;
        if (q->tolerance == 0.0 && !isSame) {
            failAbout(q, "place of a contact", g->point.x, e->point.x);
        }
    }
}

static void contacts_are_those_of_the_mesh(void** state)
{
    (void)state;
    forAllShapes(checkContacts, 4);
    forAllFields(checkContacts, 30);
}

static void checkRequests(const question* q)
{
    wkShape field = fieldOf(q), oracle = oracleOf(q);
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.isSigned = false;
    double got = wkDistance(&field, q->fieldPose, &q->other, q->otherPose, &request).distance;
    double expected =
        wkDistance(&oracle, q->fieldPose, &q->otherOracle, q->otherPose, &request).distance;
    if (!isByHull(q, got) && !isAlike(q, got, expected)) {
        failAbout(q, "unsigned distance", got, expected);
    }
    request.cutoff = 0.1;
    wkDistanceResult cut = wkDistance(&field, q->fieldPose, &q->other, q->otherPose, &request);
    if (expected > 0.1 + 1e-9 ? !(cut.distance > 0.1 && cut.distance <= expected + 1e-9)
                              : expected < 0.1 - 1e-9 && cut.distance != got) {
        failAbout(q, "distance with a cutoff", cut.distance, expected);
    }
}

static void requests_are_answered_as_for_the_mesh(void** state)
{
    (void)state;
    forAllShapes(checkRequests, 4);
    forAllFields(checkRequests, 30);
}

// Volume of a cell: two prisms down to the bottom.
static double volumeOf(const wkHeightField* field, double cellArea, double bottom)
{
    double volume = 0.0;
    for (int32_t row = 0; row + 1 < wkHeightField_Info(field).rows; row++) {
        for (int32_t column = 0; column + 1 < wkHeightField_Info(field).columns; column++) {
            double diagonal = wkHeightField_Height(field, column, row) +
                              wkHeightField_Height(field, column + 1, row + 1);
            double sides = wkHeightField_Height(field, column + 1, row) +
                           wkHeightField_Height(field, column, row + 1);
            volume += cellArea * ((2.0 * diagonal + sides) / 6.0 - bottom);
        }
    }
    return volume;
}

static void triangles_enclose_the_solid(void** state)
{
    (void)state;
    for (int kind = 0; kind < WK_FIELD_KIND_COUNT; kind++) {
        for (int i = 0; i < SIZE_COUNT; i++) {
            wkFieldScene scene;
            assert_true(wkFieldScene_Create(kind, sizes[i].columns, sizes[i].rows, 5, &scene));
            wkMeshInfo info = wkMesh_Info(scene.closed);
            assert_true(info.isClosed);
            double expected = volumeOf(scene.field, 0.1 * 0.15, -0.5);
            assert_true(fabs(info.volumeInside - expected) < 1e-12 * (1.0 + expected));

            // the bottom of the field's own, below the whole grid and facing down
            wkTriangle bottom[2] = {wkHeightField_Triangle(scene.field, scene.bottomFirst),
                                    wkHeightField_Triangle(scene.field, scene.bottomFirst + 1)};
            double area = 0.0;
            for (int k = 0; k < 2; k++) {
                const wkVec3d* p = bottom[k].points;
                wkVec3d cross = wkSceneCross(wkSceneSub(p[1], p[0]), wkSceneSub(p[2], p[0]));
                assert_true(p[0].z == -0.5 && p[1].z == -0.5 && p[2].z == -0.5 && cross.z < 0.0);
                area -= 0.5 * cross.z;
            }
            assert_true(fabs(area - 4.0 * scene.half.x * scene.half.y) < 1e-12 * (1.0 + area));
            wkFieldScene_Destroy(&scene);
        }
    }
}

static void heights_and_vertices_are_where_the_header_says(void** state)
{
    (void)state;
    const double heights[6] = {0.0, 1.0, 2.0, 3.0, -4.0, 5.0};
    wkHeightFieldDef def = wkDefaultHeightFieldDef();
    def.heights = heights;
    def.columns = 3;
    def.rows = 2;
    def.sizeX = 4.0;
    def.sizeY = 1.0;
    def.minHeight = -1.0;
    wkHeightField* field = NULL;
    assert_int_equal(wkHeightField_Create(&def, &field), wk_ok);
    assert_int_equal(wkHeightField_Info(field).columns, 3);
    assert_int_equal(wkHeightField_Info(field).rows, 2);
    assert_true(wkHeightField_Height(field, 2, 0) == 2.0);
    assert_true(wkHeightField_Height(field, 0, 1) == 3.0);
    assert_true(wkHeightField_Height(field, 1, 1) == -1.0); // -4 is below the bottom
    assert_int_equal(wkHeightField_Info(field).triangleCount, 4 + 2 * 6 + 2);
    assert_true(wkHeightField_Info(field).byteCount >= 6 * sizeof(double));

    // the second cell: right of the diagonal, then left of it
    const wkTriangle expected[2] = {{{{0.0, -0.5, 1.0}, {2.0, -0.5, 2.0}, {2.0, 0.5, 5.0}}},
                                    {{{0.0, -0.5, 1.0}, {2.0, 0.5, 5.0}, {0.0, 0.5, -1.0}}}};
    for (int32_t i = 0; i < 2; i++) {
        wkTriangle got = wkHeightField_Triangle(field, 2 + i);
        assert_memory_equal(&got, &expected[i], sizeof got);
    }
    wkHeightField_Destroy(field);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heights_and_vertices_are_where_the_header_says),
        cmocka_unit_test(triangles_enclose_the_solid),
        cmocka_unit_test(distance_is_that_of_the_mesh),
        cmocka_unit_test(distance_of_two_fields_is_that_of_their_meshes),
        cmocka_unit_test(collide_says_what_the_distance_says),
        cmocka_unit_test(contacts_are_those_of_the_mesh),
        cmocka_unit_test(requests_are_answered_as_for_the_mesh),
    };
    int failures = cmocka_run_group_tests_name("height_field", tests, NULL, NULL);
    wkKitEnd();
    return failures;
}
