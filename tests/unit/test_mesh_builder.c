// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The life cycle of meshes that deform: calls in the wrong order change nothing, what comes out is
// what wkMesh_Create would have made, and volumes hold all that they should.

#include "mesh_unit_check.h"

#include "whisker/detail/counts.h"

static wkMeshBuilder* createBuilder(wkVolumeKind kind)
{
    wkMeshDef def = wkDefaultMeshDef();
    def.volume = kind;
    def.isSolid = true;
    wkMeshBuilder* builder;
    assert_int_equal(wkMeshBuilder_Create(&def, &builder), wk_ok);
    return builder;
}

static void buildModel(wkMeshBuilder* builder, const meshSet* set)
{
    int32_t half = set->vertexCount / 2;
    assert_int_equal(wkMeshBuilder_BeginModel(builder, 0, 0), wk_ok);
    assert_int_equal(wkMeshBuilder_AddTriangles(builder, set->triangles, set->triangleCount),
                     wk_ok);
    assert_int_equal(wkMeshBuilder_AddVertices(builder, set->vertices, half), wk_ok);
    assert_int_equal(
        wkMeshBuilder_AddVertices(builder, set->vertices + half, set->vertexCount - half), wk_ok);
    assert_int_equal(wkMeshBuilder_EndModel(builder), wk_ok);
}

// Every call that a builder knows, all with valid arguments.
typedef struct call {
    const char* name;
    unsigned states; // one bit for each that allows it
    const char* next;
} call;

enum {
    canEmpty = 1,
    canBuilding = 2,
    canBuilt = 4,
    canReplacing = 8,
    canUpdating = 16
};

static const call calls[] = {
    {"BeginModel", canEmpty | canBuilt, "building"},
    {"AddVertices", canBuilding, "building"},
    {"AddTriangles", canBuilding, "building"},
    {"AddPart", canBuilding, "building"},
    {"EndModel", canBuilding, "built"},
    {"BeginReplace", canBuilt, "replacing"},
    {"ReplaceVertices", canReplacing, "replacing"},
    {"EndReplace", canReplacing, "built"},
    {"BeginUpdate", canBuilt, "updating"},
    {"UpdateVertices", canUpdating, "updating"},
    {"EndUpdate", canUpdating, "built"},
    {"Cancel", canBuilding | canReplacing | canUpdating, NULL},
};

#define CALL_COUNT ((int)(sizeof calls / sizeof *calls))

static wkResult makeCall(wkMeshBuilder* builder, int index)
{
    const wkVec3d vertices[3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
    const int32_t triangle[3] = {0, 1, 2};
    const wkResult results[] = {
        index == 0 ? wkMeshBuilder_BeginModel(builder, 1, 1) : wk_ok,
        index == 1 ? wkMeshBuilder_AddVertices(builder, vertices, 3) : wk_ok,
        index == 2 ? wkMeshBuilder_AddTriangles(builder, triangle, 1) : wk_ok,
        index == 3 ? wkMeshBuilder_AddPart(builder, vertices, 3, triangle, 1) : wk_ok,
        index == 4 ? wkMeshBuilder_EndModel(builder) : wk_ok,
        index == 5 ? wkMeshBuilder_BeginReplace(builder) : wk_ok,
        index == 6 ? wkMeshBuilder_ReplaceVertices(builder, 0, vertices, 1) : wk_ok,
        index == 7 ? wkMeshBuilder_EndReplace(builder, false) : wk_ok,
        index == 8 ? wkMeshBuilder_BeginUpdate(builder) : wk_ok,
        index == 9 ? wkMeshBuilder_UpdateVertices(builder, 0, vertices, 1) : wk_ok,
        index == 10 ? wkMeshBuilder_EndUpdate(builder, false) : wk_ok,
        index == 11 ? wkMeshBuilder_Cancel(builder) : wk_ok,
    };
    return results[index];
}

static int stateNumber(const wkMeshBuilder* builder)
{
    const char* const names[] = {"empty", "building", "built", "replacing", "updating"};
    for (int i = 0; i < 5; ++i) {
        if (strcmp(names[i], wkMeshBuilder_State(builder)) == 0) {
            return i;
        }
    }
    return -1;
}

static void calls_in_the_wrong_order_change_nothing(void** state)
{
    (void)state;
    wkMeshBuilder* builder = createBuilder(wk_volumeAabb);
    wkRng rng = wkMakeRng(UNIT_SEED);
    int refused = 0, hadMesh = 0;
    for (int step = 0; step < 20000; ++step) {
        int index = wkRngBelow(&rng, CALL_COUNT);
        int before = stateNumber(builder);
        const wkMesh* mesh = wkMeshBuilder_Mesh(builder);
        uint64_t checksum = mesh != NULL ? mesh->checksum : 0;
        // models stay small: an old one may be thrown away
        if (before == 1 && index < 4 && wkRngChance(&rng, 2)) {
            index = 4;
        }
        wkResult result = makeCall(builder, index);
        if ((calls[index].states >> before & 1u) == 0) {
            assert_int_equal(result, wk_errorState);
            assert_non_null(strstr(wkGetLastError(), calls[index].name));
            assert_non_null(strstr(wkGetLastError(), wkMeshBuilder_State(builder)));
            assert_int_equal(stateNumber(builder), before);
            assert_true(wkMeshBuilder_Mesh(builder) == mesh);
            assert_true(mesh == NULL || wkMeshChecksum(mesh) == checksum);
            ++refused;
        } else if (result == wk_ok) {
            const char* next = mesh != NULL ? "built" : "empty";
            assert_string_equal(wkMeshBuilder_State(builder),
                                calls[index].next != NULL ? calls[index].next : next);
        } else {
            // a triangle without its vertices, or a vertex that is not there
            assert_int_equal(result, wk_errorRange);
            assert_int_equal(stateNumber(builder), before);
        }
        hadMesh += wkMeshBuilder_Mesh(builder) != NULL;
    }
    assert_true(refused > 1000 && hadMesh > 1000);
    wkMeshBuilder_Destroy(builder);
}

static void models_are_what_create_makes(void** state)
{
    (void)state;
    for (int s = 0; s < MESH_SET_COUNT; ++s) {
        meshSet set = meshSets[s].make(9);
        wkMeshBuilder* builder = createBuilder(wk_volumeAabb);
        buildModel(builder, &set);
        wkMeshDef def = defOfSet(&set);
        def.isSolid = true;
        wkMesh* mesh = createMesh(&def);
        const wkMesh* built = wkMeshBuilder_Mesh(builder);
        assertValidTree(built);
        assertSameTriangles(built, &set);
        wkMeshInfo a = wkMesh_Info(mesh), b = wkMesh_Info(built);
        b.byteCount = a.byteCount; // the builder's has room for later
        if (b.lidCount > 0) {
            // and lids that have no area yet, and none that sew vertices together
            assert_true(b.lidCount >= a.lidCount);
            b.lidCount = a.lidCount;
            b.lidArea = a.lidArea;
            b.volumeInside = a.volumeInside;
            b.nodeCount = a.nodeCount;
            b.depth = a.depth;
        }
        // the bytes behind the last count are not set
        assert_memory_equal(&a, &b, offsetof(wkMeshInfo, hullCount));
        assert_int_equal(a.hullCount, b.hullCount);
        wkMesh_Destroy(mesh);
        wkMeshBuilder_Destroy(builder);
        freeSet(&set);
    }
}

static void parts_count_from_zero(void** state)
{
    (void)state;
    meshSet sphere = solidSphereSet(5, 0.0);
    wkMeshBuilder* builder = createBuilder(wk_volumeAabb);
    assert_int_equal(wkMeshBuilder_BeginModel(builder, 0, 0), wk_ok);
    for (int part = 0; part < 3; ++part) {
        for (int32_t i = 0; i < sphere.vertexCount; ++i) {
            sphere.vertices[i].x += 3.0;
        }
        assert_int_equal(wkMeshBuilder_AddPart(builder, sphere.vertices, sphere.vertexCount,
                                               sphere.triangles, sphere.triangleCount),
                         wk_ok);
    }
    sphere.triangles[4] = sphere.vertexCount;
    assert_int_equal(wkMeshBuilder_AddPart(builder, sphere.vertices, sphere.vertexCount,
                                           sphere.triangles, sphere.triangleCount),
                     wk_errorRange);
    assert_int_equal(wkMeshBuilder_EndModel(builder), wk_ok);
    wkMeshInfo info = wkMesh_Info(wkMeshBuilder_Mesh(builder));
    assert_int_equal(info.componentCount, 3);
    assert_int_equal(info.triangleCount, 3 * sphere.triangleCount);
    assert_true(info.isClosed);
    wkMeshBuilder_Destroy(builder);
    freeSet(&sphere);
}

// Other places for some vertices of a set.
static void deform(meshSet* set, wkRng* rng, int32_t first, int32_t count)
{
    for (int32_t i = first; i < first + count; ++i) {
        set->vertices[i] = wkMulAdd(set->vertices[i], 0.3, wkRngDirection(rng));
    }
}

static void deform_and_check(wkVolumeKind kind, bool isUpdate, bool rebuilds, wkRng* rng)
{
    meshSet set = solidSphereSet(9, 0.1);
    wkMeshBuilder* builder = createBuilder(kind);
    buildModel(builder, &set);
    const wkMesh* mesh = wkMeshBuilder_Mesh(builder);
    for (int round = 0; round < 4; ++round) {
        int32_t first = wkRngBelow(rng, set.vertexCount), count = (set.vertexCount - first) / 2 + 1;
        deform(&set, rng, first, count);
        if (isUpdate) {
            assert_int_equal(wkMeshBuilder_BeginUpdate(builder), wk_ok);
            wkMeshBuilder_UpdateVertices(builder, first, set.vertices + first, count);
            assert_int_equal(wkMeshBuilder_EndUpdate(builder, rebuilds), wk_ok);
        } else {
            assert_int_equal(wkMeshBuilder_BeginReplace(builder), wk_ok);
            wkMeshBuilder_ReplaceVertices(builder, first, set.vertices + first, count);
            assert_int_equal(wkMeshBuilder_EndReplace(builder, rebuilds), wk_ok);
        }
        assert_true(wkMeshBuilder_Mesh(builder) == mesh);
        assert_int_equal(wkMesh_Info(mesh).hasPrevious, isUpdate);
        assertValidTree(mesh);
        assertSameTriangles(mesh, &set);

        // what follows from the places is new too
        wkMeshDef def = defOfSet(&set);
        def.isSolid = true;
        wkMesh* fresh = createMesh(&def);
        wkMeshInfo info = wkMesh_Info(mesh), other = wkMesh_Info(fresh);
        assert_memory_equal(&info.bounds, &other.bounds, sizeof info.bounds);
        assert_true(fabs(info.volumeInside - other.volumeInside) < 1e-12);
        assert_true(fabs(info.area - other.area) < 1e-10);
        assert_int_equal(info.isClosed, other.isClosed);
        assert_int_equal(info.isConvex, other.isConvex);
        wkMesh_Destroy(fresh);
    }
    wkMeshBuilder_Destroy(builder);
    freeSet(&set);
}

static void volumes_follow_the_vertices(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < 4 * WK_VOLUME_KIND_COUNT; ++i) {
        deform_and_check((wkVolumeKind)(i / 4), (i & 1) != 0, (i & 2) != 0, &rng);
    }
}

static void bad_positions_are_refused_by_name(void** state)
{
    (void)state;
    meshSet set = solidSphereSet(6, 0.1);
    wkMeshBuilder* builder = createBuilder(wk_volumeAabb);
    buildModel(builder, &set);
    wkVec3d bad = {0.0, NAN, 0.0};
    assert_int_equal(wkMeshBuilder_BeginReplace(builder), wk_ok);
    assert_int_equal(wkMeshBuilder_ReplaceVertices(builder, 5, &bad, 1), wk_errorNotFinite);
    assert_non_null(strstr(wkGetLastError(), "vertex 5 "));
    assert_int_equal(wkMeshBuilder_ReplaceVertices(builder, set.vertexCount, &bad, 1),
                     wk_errorRange);
    assert_int_equal(wkMeshBuilder_ReplaceVertices(builder, -1, &bad, 1), wk_errorRange);
    assert_int_equal(wkMeshBuilder_ReplaceVertices(builder, 0, NULL, 1), wk_errorArgument);
    assert_int_equal(wkMeshBuilder_ReplaceVertices(builder, 0, &bad, -1), wk_errorArgument);
    assert_int_equal(wkMeshBuilder_Cancel(builder), wk_ok);
    assertSameTriangles(wkMeshBuilder_Mesh(builder), &set);
    assert_int_equal(wkMeshBuilder_EndModel(NULL), wk_errorArgument);
    wkMeshBuilder_Destroy(builder);
    freeSet(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_in_the_wrong_order_change_nothing),
        cmocka_unit_test(models_are_what_create_makes),
        cmocka_unit_test(parts_count_from_zero),
        cmocka_unit_test(volumes_follow_the_vertices),
        cmocka_unit_test(bad_positions_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
