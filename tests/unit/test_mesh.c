// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Meshes as blocks: the hierarchy holds every triangle once and inside its volumes, whatever the
// triangles and the rule for splitting; bad definitions are refused by name.

#include "mesh_sets.h"
#include "tree/mesh.h"
#include "unit.h"

static wkMesh* createMesh(const wkMeshDef* def)
{
    wkMesh* mesh = NULL;
    wkResult result = wkMesh_Create(def, &mesh);
    if (result != wk_ok) {
        fail_msg("%s: %s", wkResultName(result), wkGetLastError());
    }
    return mesh;
}

// A volume of the same kind around the point alone cannot be told apart from one that holds it.
static bool isPointInVolume(const wkTree* tree, wkSlot slot, wkVec3d point)
{
    const wkVolumeRow* row = &wkVolumeTable[tree->kind];
    const wkMat3d axes = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const wkFrame same = {axes, {0.0, 0.0, 0.0}};
    _Alignas(16) char alone[WK_VOLUME_BYTES];
    row->fit(&point, 1, &axes, alone);
    return row->distance(&same, wkTreeVolume(tree, slot), alone) <= 0.0;
}

static bool isPointInSlot(const wkTree* tree, wkSlot slot, wkVec3d point)
{
    if (tree->kind != wk_volumeAabb) {
        return isPointInVolume(tree, slot, point);
    }
    const wkBoxNode* node = wkTreeBoxes(tree, slot / WK_TREE_WIDTH);
    const double coordinates[3] = {point.x, point.y, point.z};
    for (int axis = 0; axis < 3; ++axis) {
        if (!(coordinates[axis] >= (double)node->lower[axis][slot % WK_TREE_WIDTH]) ||
            !(coordinates[axis] <= (double)node->upper[axis][slot % WK_TREE_WIDTH])) {
            return false;
        }
    }
    return true;
}

// Triangles below a slot, in tree order.
typedef struct span {
    int32_t first;
    int32_t count;
} span;

static void assertInSlot(const wkMesh* mesh, const wkTree* tree, wkSlot slot, span items)
{
    for (int32_t item = items.first; item < items.first + items.count; ++item) {
        wkVec3d corners[3];
        wkMeshCorners(mesh, item, corners);
        for (int k = 0; k < 3; ++k) {
            if (!isPointInSlot(tree, slot, corners[k])) {
                fail_msg("triangle %d (%g %g %g) is not in slot %u", (int)item, corners[k].x,
                         corners[k].y, corners[k].z, (unsigned)slot);
            }
        }
    }
}

// Looks at every node from the last to the first: what is below a node comes after it.
static void assertSoundTree(const wkMesh* mesh)
{
    wkTree tree = wkMeshTree(mesh);
    span* spans = (span*)calloc((size_t)tree.nodeCount, sizeof *spans);
    int32_t* depths = (int32_t*)calloc((size_t)tree.nodeCount, sizeof *depths);
    for (int32_t node = tree.nodeCount - 1; node >= 0; --node) {
        const wkLink* links = wkTreeLinks(&tree, (uint32_t)node);
        span own = {0, 0};
        bool isEnded = false;
        for (uint32_t slot = 0; slot < WK_TREE_WIDTH; ++slot) {
            if (links[slot] == WK_LINK_EMPTY) {
                isEnded = true;
                continue;
            }
            assert_false(isEnded);
            assert_true(node > 0 || slot == 0);
            span below = {wkLeafFirst(links[slot]), wkLeafCount(links[slot])};
            int32_t depth = 1;
            if (!wkIsLeaf(links[slot])) {
                assert_in_range(links[slot], (uint32_t)node + 1, (uint32_t)tree.nodeCount - 1);
                below = spans[links[slot]];
                depth += depths[links[slot]];
                spans[links[slot]].count = -1; // only once
            }
            assert_true(below.count > 0);
            assertInSlot(mesh, &tree, (wkSlot)node * WK_TREE_WIDTH + slot, below);
            own.first = slot == 0 ? below.first : own.first;
            assert_int_equal(below.first, own.first + own.count);
            own.count += below.count;
            depths[node] = depth > depths[node] ? depth : depths[node];
        }
        spans[node] = own;
    }
    assert_int_equal(spans[0].first, 0);
    assert_int_equal(spans[0].count, mesh->triangleCount);
    assert_int_equal(depths[0], mesh->depth);
    assert_true(mesh->depth <= WK_TREE_MAX_DEPTH);
    free(depths);
    free(spans);
}

// The triangles are those of the definition.
static void assertSameTriangles(const wkMesh* mesh, const meshSet* set)
{
    assert_int_equal(wkMesh_Info(mesh).triangleCount, set->triangleCount);
    assert_int_equal(wkMesh_Info(mesh).vertexCount, set->vertexCount);
    for (int32_t i = 0; i < set->triangleCount; ++i) {
        int32_t corners[3];
        wkMesh_TriangleIndices(mesh, i, corners);
        assert_memory_equal(corners, set->triangles + 3 * i, sizeof corners);
        wkTriangle triangle = wkMesh_Triangle(mesh, i);
        for (int k = 0; k < 3; ++k) {
            assert_memory_equal(&triangle.points[k], &set->vertices[corners[k]], sizeof(wkVec3d));
        }
        assert_int_equal(wkMeshIds(mesh)[wkMeshPlaces(mesh)[i]], i);
    }
}

// Sizes on both sides of every limit: of leaves, of nodes, of tasks.
static const int32_t sizes[] = {2, 3, 4, 5, 8, 12, 20, 70, 130};
#define SIZE_COUNT ((int)(sizeof sizes / sizeof *sizes))

static void hierarchies_hold_every_triangle_once(void** state)
{
    (void)state;
    for (int s = 0; s < MESH_SET_COUNT * SIZE_COUNT; ++s) {
        meshSet set = meshSets[s / SIZE_COUNT].make(sizes[s % SIZE_COUNT]);
        for (int split = 0; split < wk_splitMethodCount; ++split) {
            wkMeshDef def = defOfSet(&set);
            def.split = (wkSplitMethod)split;
            wkMesh* mesh = createMesh(&def);
            assertSoundTree(mesh);
            assertSameTriangles(mesh, &set);
            wkMesh_Destroy(mesh);
        }
        freeSet(&set);
    }
}

static void volumes_of_every_kind_hold_their_triangles(void** state)
{
    (void)state;
    for (int s = 0; s < MESH_SET_COUNT * wk_volumeKindCount; ++s) {
        meshSet set = meshSets[s / wk_volumeKindCount].make(12);
        wkMeshDef def = defOfSet(&set);
        def.volume = (wkVolumeKind)(s % wk_volumeKindCount);
        wkMesh* mesh = createMesh(&def);
        assert_int_equal(wkMesh_Info(mesh).volume, def.volume);
        assertSoundTree(mesh);
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
        assertSoundTree(mesh);
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
    static const int32_t corners[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                           {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                           {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    meshSet set = makeSet(8, isOpen ? 11 : 12);
    for (int i = 0; i < 8; ++i) {
        set.vertices[i] =
            wkVec(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    }
    memcpy(set.triangles, corners, (size_t)set.triangleCount * 3 * sizeof(int32_t));
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

    // turned inside out: closed, but nothing is in it
    for (int32_t i = 0; i < set.triangleCount; ++i) {
        int32_t other = set.triangles[3 * i];
        set.triangles[3 * i] = set.triangles[3 * i + 1];
        set.triangles[3 * i + 1] = other;
    }
    info = infoOf(&set);
    assert_true(info.isClosed && !info.isConvex && info.volumeInside < 0.0);
    freeSet(&set);

    set = boxSet(wkVec(1.0, 2.0, 3.0), true);
    info = infoOf(&set);
    assert_true(!info.isClosed && !info.isConvex && info.componentCount == 1);
    freeSet(&set);
}

// Corners of their own for every triangle, as files bring them.
static void corners_at_one_place_are_one(void** state)
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
        meshSet set = ballSet(24, bumps[i]);
        wkMeshInfo info = infoOf(&set);
        assert_true(info.isClosed);
        assert_int_equal(info.isConvex, i == 0);
        freeSet(&set);
    }
    // one corner pushed in, or left alone
    for (int i = 0; i < 2; ++i) {
        meshSet set = ballSet(24, 0.0);
        set.vertices[100] = wkScale(i == 0 ? 1.0 - 0.02 : 1.0, set.vertices[100]);
        assert_int_equal(infoOf(&set).isConvex, i == 1);
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
    const wkVec3d sound = set.vertices[7];
    set.vertices[7].y = NAN;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_errorNotFinite);
    assert_non_null(strstr(wkGetLastError(), "vertex 7 "));
    set.vertices[7].y = -INFINITY;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_errorNotFinite);
    set.vertices[7].y = 1.1e15;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_errorRange);
    assert_non_null(strstr(wkGetLastError(), "vertex 7 "));
    set.vertices[7] = sound;
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
    other.volume = wk_volumeKindCount;
    assert_int_equal(wkMesh_Create(&other, &mesh), wk_errorArgument);
    other = def;
    other.split = wk_splitMethodCount;
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
    assert_int_equal(wkShapeTypeFromName("mesh"), wk_shapeMesh);
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
        cmocka_unit_test(corners_at_one_place_are_one),
        cmocka_unit_test(only_convex_surfaces_are_convex),
        cmocka_unit_test(pieces_are_counted),
        cmocka_unit_test(nodes_take_less_memory_than_promised),
        cmocka_unit_test(bad_definitions_are_refused_by_name),
        cmocka_unit_test(shapes_borrow_meshes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
