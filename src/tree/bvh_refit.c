// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Volumes around triangles where they are now: boxes from the leaves up, each around those below
// it; other kinds around the points themselves, which fit better than volumes around volumes. Every
// volume holds the previous corners too when the mesh has them: the straight way between lies in
// every convex set around both ends.

#include "tree/refit.h"

#include "base/parallel.h"
#include "math/round.h"
#include "tree/span.h"

// Nodes of a task.
#define TASK_NODES 64

static void growByCorners(const wkMesh* mesh, const wkVec3d* vertices, int32_t item, wkAabb* box)
{
    const int32_t* indices = wkMeshTriangles(mesh) + 3 * (size_t)item;
    for (int k = 0; k < 3; ++k) {
        box->lower = wkMin(box->lower, vertices[indices[k]]);
        box->upper = wkMax(box->upper, vertices[indices[k]]);
    }
}

static void setBox(wkBoxNode* node, int slot, const wkAabb* box)
{
    node->lower[0][slot] = wkRoundDown(box->lower.x);
    node->lower[1][slot] = wkRoundDown(box->lower.y);
    node->lower[2][slot] = wkRoundDown(box->lower.z);
    node->upper[0][slot] = wkRoundUp(box->upper.x);
    node->upper[1][slot] = wkRoundUp(box->upper.y);
    node->upper[2][slot] = wkRoundUp(box->upper.z);
}

static void boxLeaf(const wkMesh* mesh, wkBoxNode* node, int slot)
{
    wkAabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    int32_t first = wkLeafFirst(node->links[slot]), count = wkLeafCount(node->links[slot]);
    for (int32_t item = first; item < first + count; ++item) {
        growByCorners(mesh, wkMeshVertices(mesh), item, &box);
        if (mesh->hasPrevious) {
            growByCorners(mesh, wkMeshPrevious(mesh), item, &box);
        }
    }
    setBox(node, slot, &box);
}

static void boxNode(const wkBoxNode* below, wkBoxNode* node, int slot)
{
    for (int axis = 0; axis < 3; ++axis) {
        float lower = below->lower[axis][0], upper = below->upper[axis][0];
        for (int i = 1; i < WK_TREE_WIDTH && below->links[i] != WK_LINK_EMPTY; ++i) {
            lower = below->lower[axis][i] < lower ? below->lower[axis][i] : lower;
            upper = below->upper[axis][i] > upper ? below->upper[axis][i] : upper;
        }
        node->lower[axis][slot] = lower;
        node->upper[axis][slot] = upper;
    }
}

// What is below a node comes after it, so the last come first.
static void refitBoxes(wkMesh* mesh)
{
    wkBoxNode* nodes = (wkBoxNode*)((char*)mesh + mesh->nodeOffset);
    for (int32_t i = mesh->nodeCount - 1; i >= 0; --i) {
        for (int slot = 0; slot < WK_TREE_WIDTH; ++slot) {
            wkLink link = nodes[i].links[slot];
            if (link == WK_LINK_EMPTY) {
                break;
            }
            if (wkIsLeaf(link)) {
                boxLeaf(mesh, &nodes[i], slot);
            } else {
                boxNode(&nodes[link], &nodes[i], slot);
            }
        }
    }
}

// What fitting from points needs.
typedef struct fitting {
    wkMesh* mesh;
    const wkFitRule* rule;
    const wkVolumeRow* row;
    wkSpan* spans;        // of the nodes
    wkVec3d* points;      // corners of the triangles in tree order, previous ones after new ones
    int32_t pointsOfItem; // 3 or 6
} fitting;

static void gatherPoints(const fitting* f)
{
    const wkMesh* mesh = f->mesh;
    const int32_t* indices = wkMeshTriangles(mesh);
    wkVec3d* point = f->points;
    for (int32_t item = 0; item < mesh->triangleCount; ++item, indices += 3) {
        for (int k = 0; k < 3; ++k) {
            *point++ = wkMeshVertices(mesh)[indices[k]];
        }
        for (int k = 0; k < 3 && mesh->hasPrevious; ++k) {
            *point++ = wkMeshPrevious(mesh)[indices[k]];
        }
    }
}

static void fitSlot(const fitting* f, wkSpan items, void* volume)
{
    const wkVec3d* points = f->points + (size_t)items.first * (size_t)f->pointsOfItem;
    int32_t count = items.count * f->pointsOfItem;
    wkMat3d axes = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    if (f->row->isOriented) {
        wkVec3d own[2];
        bool hasOwn = f->rule->ownFit != NULL &&
                      f->rule->ownFit(points, count, own, f->rule->context) &&
                      wkMakeAxes(own, &axes);
        axes = hasOwn ? axes : wkFitAxes(points, count);
    }
    f->row->fit(points, count, &axes, volume);
}

static void fitNodes(void* context, int32_t task)
{
    const fitting* f = (const fitting*)context;
    const wkMesh* mesh = f->mesh;
    uint32_t nodeBytes = wkNodeBytes((wkVolumeKind)mesh->kind);
    int32_t end = (task + 1) * TASK_NODES;
    end = end < mesh->nodeCount ? end : mesh->nodeCount;
    for (int32_t i = task * TASK_NODES; i < end; ++i) {
        char* bytes = (char*)mesh + mesh->nodeOffset + (size_t)i * nodeBytes;
        wkVolumeNode* node = (wkVolumeNode*)bytes;
        for (int slot = 0; slot < WK_TREE_WIDTH; ++slot) {
            if (node->links[slot] == WK_LINK_EMPTY) {
                break;
            }
            fitSlot(f, wkSlotSpan(f->spans, node->links[slot]),
                    node->volumes + (size_t)slot * f->row->byteCount);
        }
    }
}

static size_t spanBytes(const wkMesh* mesh)
{
    return (size_t)mesh->nodeCount * sizeof(wkSpan);
}

size_t wkRefitBytes(const wkMesh* mesh, bool hasPrevious)
{
    size_t pointCount = (size_t)mesh->triangleCount * (hasPrevious ? 6 : 3);
    return mesh->kind == wk_volumeAabb ? 0 : spanBytes(mesh) + pointCount * sizeof(wkVec3d);
}

void wkRefit(wkMesh* mesh, const wkFitRule* rule, void* scratch)
{
    if (mesh->kind == wk_volumeAabb) {
        refitBoxes(mesh);
        return;
    }
    fitting f = {mesh,
                 rule,
                 &wkVolumeTable[mesh->kind],
                 scratch,
                 (wkVec3d*)((char*)scratch + spanBytes(mesh)),
                 mesh->hasPrevious ? 6 : 3};
    wkTree tree = wkMeshTree(mesh);
    wkFindSpans(&tree, f.spans);
    gatherPoints(&f);

    // a rule of the caller's may not be ready for several threads
    const wkParallel* parallel = rule->ownFit == NULL ? rule->parallel : NULL;
    wkRunTasks(parallel, fitNodes, &f, (mesh->nodeCount + TASK_NODES - 1) / TASK_NODES);
}
