// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Meshes as blocks: the hierarchy holds every triangle once and inside its volumes, whatever the
// triangles and the rule for splitting; bad definitions are refused by name.

#include "mesh_unit_check.h"

#include "whisker/detail/counts.h"

// Sizes on both sides of every limit: of leaves, of nodes, of tasks.
static const int32_t sizes[] = {2, 3, 4, 5, 8, 12, 20, 70, 130};
#define SIZE_COUNT ((int)(sizeof sizes / sizeof *sizes))

static void hierarchies_hold_every_triangle_once(void** state)
{
    (void)state;
    for (int s = 0; s < MESH_SET_COUNT * SIZE_COUNT; ++s) {
        meshSet set = meshSets[s / SIZE_COUNT].make(sizes[s % SIZE_COUNT]);
        for (int split = 0; split < WK_SPLIT_METHOD_COUNT; ++split) {
            wkMeshDef def = defOfSet(&set);
            def.split = (wkSplitMethod)split;
            wkMesh* mesh = createMesh(&def);
            assertValidTree(mesh);
            assertSameTriangles(mesh, &set);
            wkMesh_Destroy(mesh);
        }
        freeSet(&set);
    }
}

static void volumes_of_every_kind_hold_their_triangles(void** state)
{
    (void)state;
    for (int s = 0; s < MESH_SET_COUNT * WK_VOLUME_KIND_COUNT; ++s) {
        meshSet set = meshSets[s / WK_VOLUME_KIND_COUNT].make(12);
        wkMeshDef def = defOfSet(&set);
        def.volume = (wkVolumeKind)(s % WK_VOLUME_KIND_COUNT);
        wkMesh* mesh = createMesh(&def);
        assert_int_equal(wkMesh_Info(mesh).volume, def.volume);
        assertValidTree(mesh);
        assertSameTriangles(mesh, &set);
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
}

// What the rules of a caller's own were asked.
typedef struct ownRules {
    wkSplitPlane plane;
    wkVec3d axes[2];
    int splitCount;
    int fitCount;
} ownRules;

static wkSplitPlane splitLikeThat(const wkSplitSet* set, void* context)
{
    ownRules* rules = (ownRules*)context;
    ++rules->splitCount;
    for (int32_t i = 0; i < set->count; ++i) {
        wkVec3d center = set->centers[set->indices[i]];
        assert_true(wkMaxAbs(wkSub(center, wkMin(center, set->bounds.upper))) == 0.0);
        assert_true(wkMaxAbs(wkSub(center, wkMax(center, set->bounds.lower))) == 0.0);
    }
    return rules->plane;
}

static bool fitLikeThat(const wkVec3d* points, int32_t count, wkVec3d axes[2], void* context)
{
    ownRules* rules = (ownRules*)context;
    ++rules->fitCount;
    assert_true(count >= 3 && wkIsFiniteVec(points[count - 1]));
    axes[0] = rules->axes[0];
    axes[1] = rules->axes[1];
    return rules->fitCount % 7 != 0;
}

// Planes that part nothing and axes that are none are answered by the library's own.
static void rules_of_the_caller_cannot_spoil_a_hierarchy(void** state)
{
    (void)state;
    const wkSplitPlane planes[] = {
        {{1.0, 2.0, 0.5}, 0.1}, {{0.0, 0.0, 0.0}, 0.0},  {{1.0, 0.0, 0.0}, 1e9},
        {{NAN, 0.0, 0.0}, 0.0}, {{1.0, 0.0, 0.0}, NAN},  {{INFINITY, 1.0, 0.0}, 0.0},
        {{0.0, 1.0, 0.0}, 0.0}, {{0.0, 0.0, -1.0}, 0.9},
    };
    const wkVec3d axes[][2] = {
        {{1.0, 1.0, 0.0}, {0.0, 1.0, 1.0}},
        {{0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}},
        {{1.0, 0.0, 0.0}, {2.0, 0.0, 0.0}},
        {{NAN, 0.0, 0.0}, {0.0, 1.0, 0.0}},
    };
    for (int s = 0; s < MESH_SET_COUNT * 8; ++s) {
        meshSet set = meshSets[s / 8].make(9);
        ownRules rules = {planes[s % 8], {axes[s % 4][0], axes[s % 4][1]}, 0, 0};
        wkMeshDef def = defOfSet(&set);
        def.volume = wk_volumeObb;
        def.splitFcn = splitLikeThat;
        def.fitFcn = fitLikeThat;
        def.ruleContext = &rules;
        wkMesh* mesh = createMesh(&def);
        assertValidTree(mesh);
        assertSameTriangles(mesh, &set);
        assert_true(set.triangleCount < 5 || rules.splitCount > 0);
        assert_true(set.triangleCount < 1 || rules.fitCount > 0);
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
}

// A box of 12 triangles; with `isOpen` one of them is missing.
static meshSet boxSet(wkVec3d half, bool isOpen)
{
    static const int32_t faceVertices[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                                {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                                {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    meshSet set = makeSet(8, isOpen ? 11 : 12);
    for (int i = 0; i < 8; ++i) {
        set.vertices[i] =
            wkVec(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    }
    memcpy(set.triangles, faceVertices, (size_t)set.triangleCount * 3 * sizeof(int32_t));
    return set;
}

static wkMeshInfo infoOf(const meshSet* set)
{
    wkMeshDef def = defOfSet(set);
    wkMesh* mesh = createMesh(&def);
    wkMeshInfo info = wkMesh_Info(mesh);
    wkMesh_Destroy(mesh);
    return info;
}

static void boxes_are_closed_and_convex(void** state)
{
    (void)state;
    meshSet set = boxSet(wkVec(1.0, 2.0, 3.0), false);
    wkMeshInfo info = infoOf(&set);
    assert_true(info.isClosed && info.isConvex);
    assert_int_equal(info.componentCount, 1);
    assert_int_equal(info.degenerateCount, 0);
    assert_float_equal((float)info.volumeInside, 48.0f, 1e-5f);
    assert_float_equal((float)info.area, 88.0f, 1e-5f);
    assert_true(info.bounds.lower.y == -2.0 && info.bounds.upper.z == 3.0);

    flipSet(&set);
    info = infoOf(&set);
    assert_true(info.isClosed && info.isConvex);
    assert_float_equal((float)info.volumeInside, -48.0f, 1e-5f);
    freeSet(&set);

    set = boxSet(wkVec(1.0, 2.0, 3.0), true);
    info = infoOf(&set);
    assert_true(!info.isClosed && !info.isConvex && info.componentCount == 1);
    freeSet(&set);
}

// Vertices of their own for every triangle, as files bring them.
static void vertices_at_one_position_are_one(void** state)
{
    (void)state;
    meshSet set = boxSet(wkVec(1.0, 2.0, 3.0), false), apart = makeSet(36, 12);
    set.vertices[0].x = -1.0;
    for (int32_t i = 0; i < 36; ++i) {
        apart.vertices[i] = set.vertices[set.triangles[i]];
        apart.triangles[i] = i;
    }
    wkMeshInfo info = infoOf(&apart);
    assert_true(info.isClosed && info.isConvex && info.componentCount == 1);
    freeSet(&apart);
    freeSet(&set);
}

static void only_convex_surfaces_are_convex(void** state)
{
    (void)state;
    const double bumps[] = {0.0, 1e-3, 0.2};
    for (int i = 0; i < 3; ++i) {
        meshSet set = solidSphereSet(24, bumps[i]);
        for (int isInverted = 0; isInverted < 2; ++isInverted, flipSet(&set)) {
            wkMeshInfo info = infoOf(&set);
            assert_true(info.isClosed && (info.volumeInside < 0.0) == (isInverted == 1));
            assert_int_equal(info.isConvex, i == 0);
        }
        freeSet(&set);
    }
    // one vertex pushed in, or left alone
    for (int i = 0; i < 4; ++i) {
        meshSet set = solidSphereSet(24, 0.0);
        set.vertices[100] = wkScale(i < 2 ? 1.0 - 0.02 : 1.0, set.vertices[100]);
        if (i % 2 == 1) {
            flipSet(&set);
        }
        assert_int_equal(infoOf(&set).isConvex, i >= 2);
        freeSet(&set);
    }
}

static void pieces_are_counted(void** state)
{
    (void)state;
    meshSet soup = soupSet(5);
    wkMeshDef def = defOfSet(&soup);
    wkMesh* mesh = createMesh(&def);
    assert_int_equal(wkMesh_Info(mesh).componentCount, soup.triangleCount);
    assert_false(wkMesh_Info(mesh).isClosed);
    for (int32_t i = 0; i < soup.triangleCount; ++i) {
        assert_int_equal(wkMeshIds(mesh)[wkMeshComponents(mesh)[i]], i);
    }
    wkMesh_Destroy(mesh);
    freeSet(&soup);
    meshSet none = emptySet(0), same = identicalSet(5), line = lineSet(4);
    assert_int_equal(infoOf(&none).componentCount, 0);
    assert_false(infoOf(&none).isClosed);
    assert_int_equal(infoOf(&same).componentCount, 1);
    assert_false(infoOf(&same).isClosed);
    assert_int_equal(infoOf(&line).degenerateCount, line.triangleCount);
    assert_false(infoOf(&line).isClosed);
    freeSet(&none);
    freeSet(&same);
    freeSet(&line);
}

// A host's own loop: backwards, to show that the order does not matter.
static void runBackwards(wkTaskFcn* task, void* context, int32_t taskCount, void* host)
{
    *(int*)host += taskCount;
    for (int32_t i = taskCount - 1; i >= 0; --i) {
        task(context, i);
    }
}

static void threads_do_not_change_a_bit(void** state)
{
    (void)state;
    int hostTasks = 0;
    const wkParallel ways[] = {
        {NULL, NULL, 1},
        {NULL, NULL, 2},
        {NULL, NULL, 7},
        {NULL, NULL, 0},
        {runBackwards, &hostTasks, 0},
    };
    for (int s = 0; s < 3 * WK_SPLIT_METHOD_COUNT; ++s) {
        meshSet set = meshSets[2 + s / WK_SPLIT_METHOD_COUNT].make(150);
        wkMeshDef def = defOfSet(&set);
        def.split = (wkSplitMethod)(s % WK_SPLIT_METHOD_COUNT);
        def.volume = s % 2 == 0 ? wk_volumeAabb : wk_volumeObbRss;
        wkMesh* alone = createMesh(&def);
        for (int i = 0; i < 5; ++i) {
            def.parallel = &ways[i];
            wkMesh* together = createMesh(&def);
            assert_int_equal(alone->byteCount, together->byteCount);
            assert_memory_equal(alone, together, (size_t)alone->byteCount);
            wkMesh_Destroy(together);
        }
        wkMesh_Destroy(alone);
        freeSet(&set);
    }
    assert_true(hostTasks > 0);
}

static void nodes_take_less_memory_than_promised(void** state)
{
    (void)state;
    for (int s = 0; s < MESH_SET_COUNT * SIZE_COUNT; ++s) {
        meshSet set = meshSets[s / SIZE_COUNT].make(sizes[s % SIZE_COUNT]);
        wkMeshDef def = defOfSet(&set);
        wkMesh* mesh = createMesh(&def);
        double given = 24.0 * set.vertexCount + 12.0 * set.triangleCount;
        double beyond = (double)wkMesh_Info(mesh).byteCount - given;

        // header, stem, root, and the gaps between the arrays
        assert_true(beyond <= 64.0 * set.triangleCount + 1536.0);
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
}

static void bad_definitions_are_refused_by_name(void** state)
{
    (void)state;
    meshSet set = ordinarySet(6);
    wkMesh* mesh = NULL;
    wkMeshDef def = defOfSet(&set);
    const wkVec3d valid = set.vertices[7];
    set.vertices[7].y = NAN;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_errorNotFinite);
    assert_non_null(strstr(wkGetLastError(), "vertex 7 "));
    set.vertices[7].y = -INFINITY;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_errorNotFinite);
    set.vertices[7].y = 1.1e15;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_errorRange);
    assert_non_null(strstr(wkGetLastError(), "vertex 7 "));
    set.vertices[7] = valid;
    set.triangles[3 * 5 + 1] = set.vertexCount;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_errorRange);
    assert_non_null(strstr(wkGetLastError(), "triangle 5 "));
    set.triangles[3 * 5 + 1] = -1;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_errorRange);
    set.triangles[3 * 5 + 1] = 0;
    wkMeshDef other = def;
    other.cookie = 0;
    assert_int_equal(wkMesh_Create(&other, &mesh), wk_errorArgument);
    other = def;
    other.vertexCount = -1;
    assert_int_equal(wkMesh_Create(&other, &mesh), wk_errorArgument);
    other = def;
    other.triangles = NULL;
    assert_int_equal(wkMesh_Create(&other, &mesh), wk_errorArgument);
    other = def;
    other.volume = WK_VOLUME_KIND_COUNT;
    assert_int_equal(wkMesh_Create(&other, &mesh), wk_errorArgument);
    other = def;
    other.split = WK_SPLIT_METHOD_COUNT;
    assert_int_equal(wkMesh_Create(&other, &mesh), wk_errorArgument);
    assert_int_equal(wkMesh_Create(NULL, &mesh), wk_errorArgument);
    assert_null(mesh);
    freeSet(&set);
}

static void shapes_borrow_meshes(void** state)
{
    (void)state;
    meshSet set = ordinarySet(6);
    wkMeshDef def = defOfSet(&set);
    wkMesh* mesh = createMesh(&def);
    wkShape shape = wkMakeMesh(mesh);
    assert_int_equal(shape.type, wk_shapeMesh);
    assert_int_equal(wkShape_Check(&shape), wk_ok);
    shape.padding = NAN;
    assert_int_equal(wkShape_Check(&shape), wk_errorNotFinite);
    assert_int_equal(wkMakeMesh(NULL).type, wk_shapeNone);
    assert_string_equal(wkShapeTypeName(wk_shapeMesh), "mesh");
    wkShapeType found = wk_shapeNone;
    assert_int_equal(wkShapeTypeFromName("mesh", &found), wk_ok);
    assert_int_equal(found, wk_shapeMesh);
    wkMesh_Destroy(mesh);
    freeSet(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hierarchies_hold_every_triangle_once),
        cmocka_unit_test(volumes_of_every_kind_hold_their_triangles),
        cmocka_unit_test(rules_of_the_caller_cannot_spoil_a_hierarchy),
        cmocka_unit_test(boxes_are_closed_and_convex),
        cmocka_unit_test(vertices_at_one_position_are_one),
        cmocka_unit_test(only_convex_surfaces_are_convex),
        cmocka_unit_test(pieces_are_counted),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(nodes_take_less_memory_than_promised),
        cmocka_unit_test(bad_definitions_are_refused_by_name),
        cmocka_unit_test(shapes_borrow_meshes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
