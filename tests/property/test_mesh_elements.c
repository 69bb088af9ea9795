// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Continuous collision of deforming meshes against all pairs of their elements, one by one.

#include "asserts.h"
#include "scenes/scene_math.h"
#include "whisker/detail/counts.h"
#include "whisker/whisker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 7
#define VERTEX_COUNT (SIDE * SIDE)
#define TRIANGLE_COUNT (2 * (SIDE - 1) * (SIDE - 1))
#define EDGE_CAPACITY (3 * TRIANGLE_COUNT)
#define CONTACT_CAPACITY 20000

// A sheet of triangles before and after an update.
typedef struct sheet {
    wkVec3d start[VERTEX_COUNT];
    wkVec3d end[VERTEX_COUNT];
    int32_t triangles[3 * TRIANGLE_COUNT];
    int32_t edges[2 * EDGE_CAPACITY];
    int32_t edgeCount;
    wkMeshBuilder* builder;
    wkMeshElements* elements;
} sheet;

static void joinVertices(sheet* s)
{
    int32_t* next = s->triangles;
    for (int32_t j = 0; j + 1 < SIDE; j++) {
        for (int32_t i = 0; i + 1 < SIDE; i++) {
            int32_t a = j * SIDE + i, b = a + 1, c = a + SIDE, d = c + 1;
            const int32_t cell[6] = {a, b, d, a, d, c};
            memcpy(next, cell, sizeof cell);
            next += 6;
        }
    }
}

static void listEdges(sheet* s)
{
    s->edgeCount = 0;
    for (int t = 0; t < TRIANGLE_COUNT; ++t) {
        for (int k = 0; k < 3; ++k) {
            int32_t p = s->triangles[3 * t + k], q = s->triangles[3 * t + (k + 1) % 3];
            int32_t lower = p < q ? p : q, upper = p < q ? q : p;
            bool isKnown = false;
            for (int i = 0; i < s->edgeCount && !isKnown; ++i) {
                isKnown = s->edges[2 * i] == lower && s->edges[2 * i + 1] == upper;
            }
            if (!isKnown) {
                s->edges[2 * s->edgeCount] = lower;
                s->edges[2 * s->edgeCount++ + 1] = upper;
            }
        }
    }
}

static void assertOk(wkResult result)
{
    if (result != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
}

// A crumpled sheet near the origin, with the previous and the current positions of its vertices.
static void makeSheet(wkRng* rng, double apart, double crumple, double speed, wkVolumeKind volume,
                      bool rebuilds, sheet* s)
{
    wkVec3d at = wkSceneScale(wkRngDirection(rng), apart * wkRngUnit(rng));
    wkPose turned = {at, wkRngRotation(rng)};
    wkVec3d drift = wkSceneScale(wkRngDirection(rng), speed);
    for (int i = 0; i < VERTEX_COUNT; ++i) {
        wkVec3d grid = wkSceneVec((double)(i % SIDE) / (SIDE - 1) - 0.5,
                                  (double)(i / SIDE) / (SIDE - 1) - 0.5, 0.0);
        wkVec3d bend = wkSceneScale(wkRngDirection(rng), crumple * wkRngUnit(rng));
        s->start[i] = wkTransformPoint(turned, wkSceneAdd(grid, bend));
        wkVec3d way = wkSceneScale(wkRngDirection(rng), 0.3 * speed * wkRngUnit(rng));
        s->end[i] = wkSceneAdd(s->start[i], wkSceneAdd(drift, way));
    }
    joinVertices(s);
    listEdges(s);
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false;
    def.volume = volume;
    assertOk(wkMeshBuilder_Create(&def, &s->builder));
    assertOk(wkMeshBuilder_BeginModel(s->builder, 0, 0));
    assertOk(
        wkMeshBuilder_AddPart(s->builder, s->start, VERTEX_COUNT, s->triangles, TRIANGLE_COUNT));
    assertOk(wkMeshBuilder_EndModel(s->builder));
    assertOk(wkMeshElements_Create(wkMeshBuilder_Mesh(s->builder), &s->elements));
    assertOk(wkMeshBuilder_BeginUpdate(s->builder));
    assertOk(wkMeshBuilder_UpdateVertices(s->builder, 0, s->end, VERTEX_COUNT));
    assertOk(wkMeshBuilder_EndUpdate(s->builder, rebuilds));
}

static void releaseSheet(sheet* s)
{
    wkMeshElements_Destroy(s->elements);
    wkMeshBuilder_Destroy(s->builder);
}

// What all pairs of elements say.
typedef struct bruteResult {
    double time;
    double touchingBy;
    int contactCount;
} bruteResult;

static void addPath(const sheet* s, wkPose pose, bool isMoved, const int32_t* vertices, int count,
                    wkVec3d* start, wkVec3d* end)
{
    for (int i = 0; i < count; ++i) {
        start[i] = s->start[vertices[i]];
        end[i] = s->end[vertices[i]];
        if (isMoved) {
            start[i] = wkTransformPoint(pose, start[i]);
            end[i] = wkTransformPoint(pose, end[i]);
        }
    }
}

typedef struct brutePair {
    const sheet* a;
    const sheet* b;
    wkPose poseA;
    wkPose poseB;
    bool isSelf;
    bool isMoved;
} brutePair;

static void compare(const brutePair* p, bool isVertexOfB, const int32_t* first, int firstCount,
                    const int32_t* second, bruteResult* result)
{
    int secondCount = 4 - firstCount;
    for (int i = 0; i < firstCount * secondCount && p->isSelf; ++i) {
        if (first[i / secondCount] == second[i % secondCount]) {
            return;
        }
    }
    wkVec3d start[4], end[4];
    addPath(isVertexOfB ? p->b : p->a, isVertexOfB ? p->poseB : p->poseA, p->isMoved, first,
            firstCount, start, end);
    addPath(isVertexOfB ? p->a : p->b, isVertexOfB ? p->poseA : p->poseB, p->isMoved, second,
            secondCount, start + firstCount, end + firstCount);
    wkElementKind kind = firstCount == 1 ? wk_elementVertexFace : wk_elementEdgeEdge;
    wkElementCastResult r = wkCastElements(kind, start, end, NULL);
    if (r.isTouching) {
        result->time = fmin(result->time, r.time);
        result->touchingBy = fmin(result->touchingBy, r.touchingBy);
        result->contactCount++;
    }
}

static bool doShareVertex(const int32_t* a, const int32_t* b)
{
    for (int i = 0; i < 9; ++i) {
        if (a[i / 3] == b[i % 3]) {
            return true;
        }
    }
    return false;
}

// Triangles that cross at the start.
static void compareFaces(const brutePair* p, int32_t i, int32_t k, bruteResult* result)
{
    const int32_t* a = &p->a->triangles[3 * i];
    const int32_t* b = &p->b->triangles[3 * k];
    if (p->isSelf && (i >= k || doShareVertex(a, b))) {
        return;
    }
    wkVec3d start[6], end[6];
    addPath(p->a, p->poseA, p->isMoved, a, 3, start, end);
    addPath(p->b, p->poseB, p->isMoved, b, 3, start + 3, end + 3);
    wkShape shapeA = wkMakeTriangle(start[0], start[1], start[2]);
    wkShape shapeB = wkMakeTriangle(start[3], start[4], start[5]);
    wkPose here = wkIdentityPose();
    if (wkCollide(&shapeA, here, &shapeB, here, NULL).isTouching) {
        result->time = 0.0;
        result->touchingBy = 0.0;
        result->contactCount++;
    }
}

static bruteResult compareAll(const brutePair* p)
{
    bruteResult result = {1.0, INFINITY, 0};
    for (int32_t v = 0; v < VERTEX_COUNT; ++v) {
        for (int t = 0; t < TRIANGLE_COUNT; ++t) {
            compare(p, false, &v, 1, &p->b->triangles[3 * t], &result);
            if (!p->isSelf) {
                compare(p, true, &v, 1, &p->a->triangles[3 * t], &result);
            }
        }
    }
    for (int32_t i = 0; i < TRIANGLE_COUNT * TRIANGLE_COUNT; ++i) {
        compareFaces(p, i / TRIANGLE_COUNT, i % TRIANGLE_COUNT, &result);
    }
    for (int i = 0; i < p->a->edgeCount; ++i) {
        for (int k = 0; k < p->b->edgeCount; ++k) {
            bool isFirst = p->a->edges[2 * i] < p->b->edges[2 * k];
            if (!p->isSelf || isFirst) {
                compare(p, false, &p->a->edges[2 * i], 2, &p->b->edges[2 * k], &result);
            }
        }
    }
    return result;
}

static wkElementContact contacts[CONTACT_CAPACITY];

static int32_t sizeOf(const int32_t vertices[3])
{
    return vertices[1] < 0 ? 1 : vertices[2] < 0 ? 2 : 3;
}

static void checkContact(const brutePair* p, const wkElementContact* c)
{
    int32_t sizes = sizeOf(c->verticesA) + sizeOf(c->verticesB);
    assert_int_equal(sizes, c->isCrossing ? 6 : 4);
    bool isEdge = sizeOf(c->verticesA) == 2;
    assert_true(c->isCrossing || c->kind == (isEdge ? wk_elementEdgeEdge : wk_elementVertexFace));
    const wkMesh* meshes[2] = {wkMeshBuilder_Mesh(p->a->builder),
                               wkMeshBuilder_Mesh(p->b->builder)};
    for (int side = 0; side < 2; ++side) {
        const int32_t* vertices = side ? c->verticesB : c->verticesA;
        int32_t own[3];
        wkMesh_TriangleIndices(meshes[side], side ? c->triangleB : c->triangleA, own);
        for (int i = 0; i < 3; ++i) {
            assert_true(vertices[i] < 0 || vertices[i] == own[0] || vertices[i] == own[1] ||
                        vertices[i] == own[2]);
        }
    }
    assert_true(c->cast.isTouching && c->cast.distance <= 1e-6);
    if (c->isCrossing) {
        assert_true(c->cast.time == 0.0);
        return;
    }
    double length = wkSceneLength(wkSceneSub(c->cast.pointA, c->cast.pointB));
    assert_true(fabs(length - c->cast.distance) < 1e-12);
}

static void checkAgainstAll(const brutePair* p, wkMeshCastResult all, wkMeshCastResult first)
{
    bruteResult expected = compareAll(p);
    assert_int_equal(all.contactCount, expected.contactCount);
    assert_true(all.isTouching == (expected.contactCount > 0) && all.time == expected.time);
    assert_true(all.touchingBy == expected.touchingBy);
    assert_true(all.status == wk_statusExact && all.time <= all.touchingBy);
    assert_true(first.isTouching == all.isTouching && first.pairCount <= all.pairCount);
    // a search up to an earlier time starts with other cells, and stops within the tolerance elsewhere
    assert_true(fabs(first.time - all.time) <= 1e-3 && first.time <= all.touchingBy);
    for (int i = 0; i < all.contactCount && i < CONTACT_CAPACITY; ++i) {
        checkContact(p, &contacts[i]);
        assert_true(contacts[i].cast.time >= all.time);
    }
}

static void two_meshes_agree_with_all_pairs(void** state)
{
    (void)state;
    static sheet a, b;
    wkRng rng = wkMakeRng(wkKitSeed());
    int touching = 0, later = 0;
    for (int i = 0; i < wkKitCases(80); i++) {
        wkVolumeKind volume = (wkVolumeKind)(i % WK_VOLUME_KIND_COUNT);
        double speed = wkRngLogRange(&rng, 0.01, 1.0), apart = wkRngRange(&rng, 0.0, 1.5);
        makeSheet(&rng, apart, 0.05, speed, volume, wkRngChance(&rng, 2), &a);
        makeSheet(&rng, apart, 0.05, speed, volume, wkRngChance(&rng, 2), &b);
        bool isMoved = wkRngChance(&rng, 2);
        brutePair p = {&a, &b, wkIdentityPose(), wkIdentityPose(), false, isMoved};
        if (isMoved) {
            wkPose turned = {wkSceneVec(100.0, -20.0, 3.0), wkRngRotation(&rng)};
            p.poseA = turned;
            p.poseB = turned;
            p.poseB.position = wkSceneAdd(turned.position, wkSceneScale(wkRngDirection(&rng), 0.3));
        }
        wkMeshCastResult all = wkMeshElements_Cast(a.elements, p.poseA, b.elements, p.poseB, NULL,
                                                   contacts, CONTACT_CAPACITY);
        wkMeshCastResult first =
            wkMeshElements_Cast(a.elements, p.poseA, b.elements, p.poseB, NULL, NULL, 0);
        checkAgainstAll(&p, all, first);
        touching += all.isTouching;
        later += all.isTouching && all.time > 0.0;
        releaseSheet(&a);
        releaseSheet(&b);
    }
    assert_true(touching > 0 && wkGetByteCount() == 0);
    assert_true(later > 0 || wkKitCases(80) < 80);
}

static void a_mesh_agrees_with_all_pairs_of_itself(void** state)
{
    (void)state;
    static sheet s;
    wkRng rng = wkMakeRng(wkKitSeed());
    int touching = 0;
    for (int i = 0; i < wkKitCases(40); i++) {
        makeSheet(&rng, 0.0, wkRngLogRange(&rng, 0.01, 0.5), wkRngLogRange(&rng, 0.01, 1.0),
                  (wkVolumeKind)(i % WK_VOLUME_KIND_COUNT), wkRngChance(&rng, 2), &s);
        brutePair p = {&s, &s, wkIdentityPose(), wkIdentityPose(), true, false};
        wkMeshCastResult all =
            wkMeshElements_CastSelf(s.elements, NULL, contacts, CONTACT_CAPACITY);
        wkMeshCastResult first = wkMeshElements_CastSelf(s.elements, NULL, NULL, 0);
        checkAgainstAll(&p, all, first);
        touching += all.isTouching;
        releaseSheet(&s);
    }
    assert_true(touching > 0);
}

static void crossings_agree_with_all_pairs(void** state)
{
    (void)state;
    static sheet s;
    static wkTrianglePair pairs[TRIANGLE_COUNT * TRIANGLE_COUNT];
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < wkKitCases(40); i++) {
        makeSheet(&rng, 0.0, 0.3, 0.2, (wkVolumeKind)(i % WK_VOLUME_KIND_COUNT), false, &s);
        const wkMesh* mesh = wkMeshBuilder_Mesh(s.builder);
        int expected = 0;
        for (int32_t p = 0; p < TRIANGLE_COUNT; ++p) {
            for (int32_t q = p + 1; q < TRIANGLE_COUNT; ++q) {
                if (!doShareVertex(&s.triangles[3 * p], &s.triangles[3 * q])) {
                    wkTriangle a = wkMesh_Triangle(mesh, p), b = wkMesh_Triangle(mesh, q);
                    wkShape shapeA = wkMakeTriangle(a.points[0], a.points[1], a.points[2]);
                    wkShape shapeB = wkMakeTriangle(b.points[0], b.points[1], b.points[2]);
                    wkPose here = wkIdentityPose();
                    expected += wkCollide(&shapeA, here, &shapeB, here, NULL).isTouching;
                }
            }
        }
        int32_t count =
            wkMeshElements_Crossings(s.elements, pairs, TRIANGLE_COUNT * TRIANGLE_COUNT);
        assert_int_equal(count, expected);
        assert_int_equal(wkMeshElements_Crossings(s.elements, NULL, 0), expected);
        for (int k = 0; k < count; ++k) {
            assert_true(pairs[k].first < pairs[k].second);
        }
        releaseSheet(&s);
    }
}

// A flat sheet falls on a point: the tip of a pyramid that is a solid and does not move.
static void a_sheet_falls_on_a_tip(void** state)
{
    (void)state;
    static sheet s;
    wkRng rng = wkMakeRng(1);
    makeSheet(&rng, 0.0, 0.0, 0.0, wk_volumeAabb, false, &s);
    wkVec3d down[VERTEX_COUNT];
    for (int i = 0; i < VERTEX_COUNT; ++i) {
        s.start[i] = wkSceneVec(0.31 * (i % SIDE) - 1.0, 0.31 * (i / SIDE) - 0.9, 2.0);
        down[i] = wkSceneVec(s.start[i].x, s.start[i].y, 0.0);
    }
    assertOk(wkMeshBuilder_BeginReplace(s.builder));
    assertOk(wkMeshBuilder_ReplaceVertices(s.builder, 0, s.start, VERTEX_COUNT));
    assertOk(wkMeshBuilder_EndReplace(s.builder, false));
    assertOk(wkMeshBuilder_BeginUpdate(s.builder));
    assertOk(wkMeshBuilder_UpdateVertices(s.builder, 0, down, VERTEX_COUNT));
    assertOk(wkMeshBuilder_EndUpdate(s.builder, false));

    wkVec3d vertices[4] = {{0, 0, 1}, {1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}};
    int32_t triangles[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = vertices;
    def.vertexCount = 4;
    def.triangles = triangles;
    def.triangleCount = 4;
    wkMesh* tip = NULL;
    wkMeshElements* elements = NULL;
    assertOk(wkMesh_Create(&def, &tip));
    assertOk(wkMeshElements_Create(tip, &elements));
    wkMeshElementsInfo info = wkMeshElements_Info(elements);
    assert_true(info.vertexCount == 4 && info.edgeCount == 6 && info.faceCount == 4);
    wkPose here = wkIdentityPose();
    wkMeshCastResult r = wkMeshElements_Cast(s.elements, here, elements, here, NULL, NULL, 0);
    assert_true(r.isTouching && r.status == wk_statusExact && r.time <= 0.5 && r.touchingBy >= 0.5);
    assert_true(r.time > 0.5 - 1e-6 && r.touchingBy < 0.5 + 1e-6);
    assert_true(r.first.verticesB[0] == 0 && r.first.verticesB[1] < 0);
    assert_true(r.first.cast.normal.z < -0.999 && fabs(r.first.cast.pointA.z - 1.0) < 1e-5);
    // aside of it
    r = wkMeshElements_Cast(s.elements, here, elements, wkMakePose(5.0, 0.0, 0.0), NULL, NULL, 0);
    assert_true(!r.isTouching && r.time == 1.0 && r.contactCount == 0);
    wkMeshElements_Destroy(elements);
    wkMesh_Destroy(tip);
    releaseSheet(&s);
}

static void bad_input_touches_at_0(void** state)
{
    (void)state;
    static sheet s;
    wkRng rng = wkMakeRng(1);
    makeSheet(&rng, 0.0, 0.0, 0.1, wk_volumeAabb, false, &s);
    wkPose here = wkIdentityPose(), far = wkMakePose(9.0, 0.0, 0.0);
    assert_false(wkMeshElements_Cast(s.elements, here, s.elements, far, NULL, NULL, 0).isTouching);
    wkMeshCastRequest requests[4];
    for (int i = 0; i < 4; ++i) {
        requests[i] = wkDefaultMeshCastRequest();
    }
    requests[0].cookie = 0;
    requests[1].tolerance = NAN;
    requests[2].maxIterations = 0;
    requests[3].tolerance = -1.0;
    for (int i = 0; i < 4; ++i) {
        wkMeshCastResult r =
            wkMeshElements_Cast(s.elements, here, s.elements, far, &requests[i], NULL, 0);
        assert_true(r.isTouching && r.status == wk_statusInvalid && r.time == 0.0);
        r = wkMeshElements_CastSelf(s.elements, &requests[i], NULL, 0);
        assert_true(r.isTouching && r.status == wk_statusInvalid && r.time == 0.0);
    }
    for (int i = 0; i < BROKEN_POSE_COUNT; ++i) {
        wkMeshCastResult r =
            wkMeshElements_Cast(s.elements, here, s.elements, brokenPose(i), NULL, NULL, 0);
        assert_true(r.isTouching && r.status == wk_statusInvalid);
    }
    wkMeshCastResult r = wkMeshElements_Cast(s.elements, here, NULL, far, NULL, NULL, 0);
    assert_true(r.isTouching && r.status == wk_statusInvalid);
    r = wkMeshElements_CastSelf(s.elements, NULL, NULL, 1);
    assert_true(r.isTouching && r.status == wk_statusInvalid);
    assert_int_equal(wkMeshElements_Crossings(NULL, NULL, 0), -1);
    assert_int_equal(wkMeshElements_Crossings(s.elements, NULL, -1), -1);
    wkMeshElements* elements = s.elements;
    assert_int_equal(wkMeshElements_Create(NULL, &elements), wk_errorArgument);
    assert_null(elements);
    assert_int_equal(wkMeshElements_Create(wkMeshBuilder_Mesh(s.builder), NULL), wk_errorArgument);
    wkMeshElements_Destroy(NULL);
    releaseSheet(&s);
}

static void empty_meshes_touch_nothing(void** state)
{
    (void)state;
    wkMeshDef def = wkDefaultMeshDef();
    wkMesh* mesh = NULL;
    wkMeshElements* elements = NULL;
    assertOk(wkMesh_Create(&def, &mesh));
    assertOk(wkMeshElements_Create(mesh, &elements));
    wkPose here = wkIdentityPose();
    assert_false(wkMeshElements_Cast(elements, here, elements, here, NULL, NULL, 0).isTouching);
    assert_false(wkMeshElements_CastSelf(elements, NULL, NULL, 0).isTouching);
    assert_int_equal(wkMeshElements_Crossings(elements, NULL, 0), 0);
    wkMeshElements_Destroy(elements);
    wkMesh_Destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_meshes_agree_with_all_pairs),
        cmocka_unit_test(a_mesh_agrees_with_all_pairs_of_itself),
        cmocka_unit_test(crossings_agree_with_all_pairs),
        cmocka_unit_test(a_sheet_falls_on_a_tip),
        cmocka_unit_test(empty_meshes_touch_nothing),
        cmocka_unit_test_setup_teardown(bad_input_touches_at_0, ignoreAsserts, restoreAsserts),
    };
    int failures = cmocka_run_group_tests_name("mesh_elements", tests, NULL, NULL);
    wkKitEnd();
    return failures;
}
