// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Which of two bodies of one type in the same place a computation starts from: what they are decides,
// never where in memory they are or what was there before.

#include "kit.h"
#include "scenes/maps.h"
#include "scenes/mesh_models.h"

#include <stdlib.h>
#include <string.h>

#define COPIES 4
#define MAX_CONTACTS 64

// The same two bodies several times over, made in turn: some have A before B in memory, some after.
typedef struct copies {
    wkShape a[COPIES];
    wkShape b[COPIES];
} copies;

// Memory from either end of a stretch of it, so that the test says which body comes first. Nothing is
// used again before the test ends.
#define STRETCH_BYTES ((size_t)1 << 28)

typedef struct stretch {
    unsigned char* bytes;
    size_t lower, upper; // what is left
    bool isFromTop;
} stretch;

static stretch memory;

static void* takeFromEnd(size_t byteCount, void* context)
{
    stretch* s = (stretch*)context;
    size_t size = (byteCount + 63) / 64 * 64;
    if (size > s->upper - s->lower) {
        return NULL;
    }
    if (s->isFromTop) {
        s->upper -= size;
        return s->bytes + s->upper;
    }
    s->lower += size;
    return s->bytes + s->lower - size;
}

static void keepTaken(void* taken, size_t byteCount, void* context)
{
    (void)taken, (void)byteCount, (void)context;
}

// A comes first in every other copy.
static void placeCopy(int index, bool isA)
{
    memory.isFromTop = (index % 2 == 0) != isA;
}

static int openStretch(void** state)
{
    (void)state;
    memory = (stretch){aligned_alloc(64, STRETCH_BYTES), 0, STRETCH_BYTES, false};
    wkAllocator allocator = {takeFromEnd, keepTaken, &memory};
    wkSetAllocator(&allocator);
    return memory.bytes != NULL ? 0 : -1;
}

static int closeStretch(void** state)
{
    (void)state;
    wkSetAllocator(NULL);
    free(memory.bytes);
    return 0;
}

// All that is said about two bodies in one place.
typedef struct answers {
    wkDistanceResult distance;
    wkContact contacts[MAX_CONTACTS];
    int32_t contactCount;
} answers;

static void ask(const wkShape* a, const wkShape* b, answers* said)
{
    wkPose pose = wkMakePoseRpy((wkVec3d){0.1, -0.2, 0.3}, 0.4, 0.1, -0.3);
    said->distance = wkDistance(a, pose, b, pose, NULL);
    wkCollideRequest request = wkDefaultCollideRequest();
    request.contacts = said->contacts;
    request.contactCapacity = MAX_CONTACTS;
    said->contactCount = wkCollide(a, pose, b, pose, &request).contactCount;
}

static bool isSamePoint(wkVec3d a, wkVec3d b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool isSame(const answers* x, const answers* y)
{
    const wkDistanceResult *p = &x->distance, *q = &y->distance;
    bool isSameDistance = p->distance == q->distance && isSamePoint(p->pointA, q->pointA) &&
                          isSamePoint(p->pointB, q->pointB) && isSamePoint(p->normal, q->normal) &&
                          p->partA == q->partA && p->partB == q->partB;
    size_t byteCount = (size_t)x->contactCount * sizeof(wkContact);
    return isSameDistance && x->contactCount == y->contactCount &&
           memcmp(x->contacts, y->contacts, byteCount) == 0;
}

static void assertMirrored(const answers* x, const answers* y)
{
    wkVec3d normal = y->distance.normal;
    assert_true(x->distance.distance == y->distance.distance);
    assert_true(isSamePoint(x->distance.pointA, y->distance.pointB));
    assert_true(isSamePoint(x->distance.pointB, y->distance.pointA));
    assert_true(isSamePoint(x->distance.normal, (wkVec3d){-normal.x, -normal.y, -normal.z}));
    assert_int_equal(x->distance.partA, y->distance.partB);
    assert_int_equal(x->distance.partB, y->distance.partA);
    assert_int_equal(x->contactCount, y->contactCount);
}

static void checkCopies(const char* name, const copies* c)
{
    answers first, mirrored;
    ask(&c->a[0], &c->b[0], &first);
    ask(&c->b[0], &c->a[0], &mirrored);
    assertMirrored(&first, &mirrored);
    for (int i = 0; i < COPIES; i++) {
        for (int k = 0; k < COPIES; k++) {
            answers other;
            ask(&c->a[i], &c->b[k], &other);
            if (!isSame(&first, &other)) {
                fail_msg("%s: copies %d and %d are answered in another way", name, i, k);
            }
        }
    }
}

// Both ways round are needed, or nothing was tested.
static void assertMixed(const void* const* a, const void* const* b)
{
    bool isBefore = false, isAfter = false;
    for (int i = 0; i < COPIES * COPIES; i++) {
        bool isFirst = (uintptr_t)a[i / COPIES] < (uintptr_t)b[i % COPIES];
        isBefore = isBefore || isFirst;
        isAfter = isAfter || !isFirst;
    }
    assert_true(isBefore && isAfter);
}

static wkHull* makeHull(const wkVec3d* points, int32_t count)
{
    wkHullDef def = wkDefaultHullDef();
    def.points = points;
    def.pointCount = count;
    wkHull* hull = NULL;
    assert_int_equal(wkHull_Create(&def, &hull), wk_ok);
    return hull;
}

static void hulls_are_distinguished_by_their_vertices(void** state)
{
    (void)state;
    static const wkVec3d cube[] = {{-1.0, -1.0, -1.0}, {1.0, -1.0, -1.0}, {-1.0, 1.0, -1.0},
                                   {1.0, 1.0, -1.0},   {-1.0, -1.0, 1.0}, {1.0, -1.0, 1.0},
                                   {-1.0, 1.0, 1.0},   {1.0, 1.0, 1.0}};
    wkVec3d brick[8];
    for (int i = 0; i < 8; i++) {
        brick[i] = (wkVec3d){cube[i].x, cube[i].y, 1.5 * cube[i].z};
    }
    wkHull *a[COPIES], *b[COPIES];
    copies c;
    for (int i = 0; i < COPIES; i++) {
        placeCopy(i, true);
        a[i] = makeHull(cube, 8);
        placeCopy(i, false);
        b[i] = makeHull(brick, 8);
        c.a[i] = wkMakeHull(a[i]);
        c.b[i] = wkMakeHull(b[i]);
    }
    assertMixed((const void* const*)a, (const void* const*)b);
    checkCopies("hulls", &c);
    for (int i = 0; i < COPIES; i++) {
        wkHull_Destroy(a[i]);
        wkHull_Destroy(b[i]);
    }
}

static void maps_are_distinguished_by_their_cells(void** state)
{
    (void)state;
    for (int kind = 0; kind < WK_MAP_KIND_COUNT; kind++) {
        wkOctree *a[COPIES], *b[COPIES];
        copies c;
        for (int i = 0; i < COPIES; i++) {
            placeCopy(i, true);
            a[i] = wkMakeMap(kind, 0.05, 1);
            placeCopy(i, false);
            b[i] = wkMakeMap(kind, 0.05, 2);
            assert_true(a[i] != NULL && b[i] != NULL);
            wkCellKey key = {32760, 32770, 32780};
            assert_int_equal(wkOctree_SetLogOdds(b[i], key, 16, 0.7f), wk_ok);
            c.a[i] = wkMakeOctree(a[i]);
            c.b[i] = wkMakeOctree(b[i]);
        }
        assertMixed((const void* const*)a, (const void* const*)b);
        checkCopies(wkMapKindName(kind), &c);
        for (int i = 0; i < COPIES; i++) {
            wkOctree_Destroy(a[i]);
            wkOctree_Destroy(b[i]);
        }
    }
}

// The same cells with other rules.
static void maps_are_distinguished_by_their_rules(void** state)
{
    (void)state;
    wkOctree* octrees[2 * COPIES];
    copies thresholds, rules;
    for (int i = 0; i < 2 * COPIES; i++) {
        octrees[i] = wkMakeMap(1, 0.05, 1);
        assert_non_null(octrees[i]);
        bool isA = i % 2 == 0;
        wkShape* shape = isA ? &thresholds.a[i / 2] : &thresholds.b[i / 2];
        *shape = wkMakeOctree(octrees[i]);
        shape->map.occupiedProbability = isA ? 0.3 : 0.9;
        shape = isA ? &rules.a[i / 2] : &rules.b[i / 2];
        *shape = wkMakeOctree(octrees[i]);
        shape->map.unknown = isA ? wk_unknownFree : wk_unknownOccupied;
    }
    checkCopies("thresholds", &thresholds);
    checkCopies("rules for unknown cells", &rules);
    for (int i = 0; i < 2 * COPIES; i++) {
        wkOctree_Destroy(octrees[i]);
    }
}

static wkMesh* makeMesh(double height, bool isSolid)
{
    wkModel model = {0};
    assert_true(wkModel_AddBox(&model, wkIdentityPose(), (wkVec3d){1.0, 1.0, height}, 2));
    wkMeshDef def = wkModel_MeshDef(&model);
    def.isSolid = isSolid;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    wkModel_Free(&model);
    return mesh;
}

// B is higher than A, or a solid of the same size.
static void checkMeshes(const char* name, double height, bool isSolid)
{
    wkMesh *a[COPIES], *b[COPIES];
    copies c;
    for (int i = 0; i < COPIES; i++) {
        placeCopy(i, true);
        a[i] = makeMesh(1.0, false);
        placeCopy(i, false);
        b[i] = makeMesh(height, isSolid);
        c.a[i] = wkMakeMesh(a[i]);
        c.b[i] = wkMakeMesh(b[i]);
    }
    assertMixed((const void* const*)a, (const void* const*)b);
    checkCopies(name, &c);
    for (int i = 0; i < COPIES; i++) {
        wkMesh_Destroy(a[i]);
        wkMesh_Destroy(b[i]);
    }
}

static void meshes_are_distinguished_by_their_content(void** state)
{
    (void)state;
    checkMeshes("meshes", 1.5, false);
    checkMeshes("a surface and a solid", 1.0, true);
}

// What is between the fields of a struct and behind those in use is not part of the shape.
static void setBox(wkShape* shape, int filling, wkVec3d half)
{
    memset(shape, filling, sizeof *shape);
    shape->type = wk_shapeBox;
    shape->rounding = 0.0;
    shape->padding = 0.0;
    shape->box.half = half;
}

static void boxes_are_distinguished_by_their_sizes(void** state)
{
    (void)state;
    static const int fillings[COPIES] = {0x00, 0xff, 0x55, 0xaa};
    copies c;
    for (int i = 0; i < COPIES; i++) {
        setBox(&c.a[i], fillings[i], (wkVec3d){1.0, 1.0, 1.0});
        setBox(&c.b[i], fillings[i], (wkVec3d){1.0, 1.0, 1.5});
    }
    checkCopies("boxes", &c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_are_distinguished_by_their_vertices),
        cmocka_unit_test(maps_are_distinguished_by_their_cells),
        cmocka_unit_test(maps_are_distinguished_by_their_rules),
        cmocka_unit_test(meshes_are_distinguished_by_their_content),
        cmocka_unit_test(boxes_are_distinguished_by_their_sizes),
    };
    return cmocka_run_group_tests(tests, openStretch, closeStretch);
}
