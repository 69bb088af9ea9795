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

static bool isPointInBox(const wkTree* tree, wkSlot slot, wkVec3d point)
{
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
            if (!isPointInBox(tree, slot, corners[k])) {
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
        cmocka_unit_test(nodes_take_less_memory_than_promised),
        cmocka_unit_test(bad_definitions_are_refused_by_name),
        cmocka_unit_test(shapes_borrow_meshes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
