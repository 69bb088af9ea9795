// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What must hold for every mesh.

#include "mesh_sets.h"
#include "tree/mesh/mesh_impl.h"
#include "unit_kit.h"

static inline wkMesh* createMesh(const wkMeshDef* def)
{
    wkMesh* mesh = NULL;
    wkResult result = wkMesh_Create(def, &mesh);
    if (result != wk_ok) {
        fail_msg("%s: %s", wkResultName(result), wkGetLastError());
    }
    return mesh;
}

// A volume of the same kind around the point alone cannot be told apart from one that holds it.
static inline bool isPointInVolume(const wkTree* tree, wkSlot slot, wkVec3d point)
{
    const wkVolumeRow* row = &wkVolumeTable[tree->kind];
    const wkMat3d axes = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const wkFrame same = {axes, {0.0, 0.0, 0.0}};
    _Alignas(16) char alone[WK_VOLUME_BYTES];
    row->fit(&point, 1, &axes, alone);
    return row->distance(&same, wkTreeVolume(tree, slot), alone) <= 0.0;
}

static inline bool isPointInSlot(const wkTree* tree, wkSlot slot, wkVec3d point)
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
typedef struct interval {
    int32_t first;
    int32_t count;
} interval;

static inline void assertInSlot(const wkMesh* mesh, const wkTree* tree, wkSlot slot, interval items)
{
    for (int32_t item = items.first; item < items.first + items.count; ++item) {
        wkVec3d faceVertices[3];
        wkMeshTriangleVertices(mesh, item, faceVertices);
        for (int k = 0; k < 3; ++k) {
            wkVec3d previous = faceVertices[k];
            if (mesh->hasPrevious) {
                previous = wkMeshPrevious(mesh)[wkMeshTriangles(mesh)[3 * item + k]];
            }
            if (!isPointInSlot(tree, slot, faceVertices[k]) ||
                !isPointInSlot(tree, slot, previous)) {
                fail_msg("triangle %d (%g %g %g) is not in slot %u", (int)item, faceVertices[k].x,
                         faceVertices[k].y, faceVertices[k].z, (unsigned)slot);
            }
        }
    }
}

// Looks at every node from the last to the first: what is below a node comes after it.
static inline void assertValidTree(const wkMesh* mesh)
{
    wkTree tree = wkMeshTree(mesh);
    interval* intervals = (interval*)calloc((size_t)tree.nodeCount, sizeof *intervals);
    int32_t* depths = (int32_t*)calloc((size_t)tree.nodeCount, sizeof *depths);
    for (int32_t node = tree.nodeCount - 1; node >= 0; --node) {
        const wkLink* links = wkTreeLinks(&tree, (uint32_t)node);
        interval own = {0, 0};
        bool isEnded = false;
        for (uint32_t slot = 0; slot < WK_TREE_WIDTH; ++slot) {
            if (links[slot] == WK_LINK_EMPTY) {
                isEnded = true;
                continue;
            }
            assert_false(isEnded);
            assert_true(node > 0 || slot == 0);
            interval below = {wkLeafFirst(links[slot]), wkLeafCount(links[slot])};
            int32_t depth = 1;
            if (!wkIsLeaf(links[slot])) {
                assert_in_range(links[slot], (uint32_t)node + 1, (uint32_t)tree.nodeCount - 1);
                below = intervals[links[slot]];
                depth += depths[links[slot]];
                intervals[links[slot]].count = -1; // only once
            }
            assert_true(below.count > 0);
            assertInSlot(mesh, &tree, (wkSlot)node * WK_TREE_WIDTH + slot, below);
            own.first = slot == 0 ? below.first : own.first;
            assert_int_equal(below.first, own.first + own.count);
            own.count += below.count;
            depths[node] = depth > depths[node] ? depth : depths[node];
        }
        intervals[node] = own;
    }
    assert_int_equal(intervals[0].first, 0);
    assert_int_equal(intervals[0].count, mesh->triangleCount);
    assert_int_equal(depths[0], mesh->depth);
    assert_true(mesh->depth <= WK_TREE_MAX_DEPTH);
    free(depths);
    free(intervals);
}

// The triangles are those of the definition.
static inline void assertSameTriangles(const wkMesh* mesh, const meshSet* set)
{
    assert_int_equal(wkMesh_Info(mesh).triangleCount, set->triangleCount);
    assert_int_equal(wkMesh_Info(mesh).vertexCount, set->vertexCount);
    for (int32_t i = 0; i < set->triangleCount; ++i) {
        int32_t faceVertices[3];
        wkMesh_TriangleIndices(mesh, i, faceVertices);
        assert_memory_equal(faceVertices, set->triangles + 3 * i, sizeof faceVertices);
        wkTriangle triangle = wkMesh_Triangle(mesh, i);
        for (int k = 0; k < 3; ++k) {
            assert_memory_equal(&triangle.points[k], &set->vertices[faceVertices[k]],
                                sizeof(wkVec3d));
        }
        assert_int_equal(wkMeshIds(mesh)[wkMeshTriangleOrder(mesh)[i]], i);
    }
}
