// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Refits volumes to the current triangles: boxes from the leaves up, each around those below it; other
// kinds around the points themselves, which fit tighter than volumes around volumes. Every volume
// contains the previous vertices too when the mesh has them: a convex set around both ends contains the
// straight path between them.

#include "tree/bvh/refit.h"

#include "base/parallel.h"
#include "tree/bvh/item_range.h"

#include "whisker/detail/library.h"

#include <string.h>

// Nodes of a task.
#define TASK_NODES 16

// Maximum number of triangles sampled for the axes of a volume.
#define SAMPLE_COUNT 64

static void growByVertices(const wkMesh* mesh, const wkVec3d* vertices, int32_t item, wkAabb* box)
{
    const int32_t* indices = wkMeshTriangles(mesh) + 3 * (size_t)item;
    for (int k = 0; k < 3; ++k) {
        box->lower = wkMin(box->lower, vertices[indices[k]]);
        box->upper = wkMax(box->upper, vertices[indices[k]]);
    }
}

static void boxLeaf(const wkMesh* mesh, wkBoxNode* node, int slot)
{
    wkAabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    int32_t first = wkLeafFirst(node->links[slot]), count = wkLeafCount(node->links[slot]);
    for (int32_t item = first; item < first + count; ++item) {
        growByVertices(mesh, wkMeshVertices(mesh), item, &box);
        if (mesh->hasPrevious) {
            growByVertices(mesh, wkMeshPrevious(mesh), item, &box);
        }
    }
    wkSetSlot(node, slot, &box);
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

// Descendants of a node come after it, so nodes are processed from the last one.
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

// Data for fitting to points. Vertices are numbered in the order in which triangles first use them, so
// that those of a node are contiguous, except for the few that it shares with earlier nodes.
typedef struct fitting {
    wkMesh* mesh;
    const wkFitRule* rule;
    const wkVolumeRow* row;
    int32_t width;         // points of a vertex: one, or two with the previous position
    wkVec3d* points;       // by number
    wkVec3d* buffer;       // capacity for the points of every triangle
    wkItemRange* ranges;   // of the nodes
    int32_t* order;        // of the nodes, by depth
    int32_t* numbers;      // of the vertices
    int32_t* faceVertices; // numbers of the vertices of the triangles, in tree order
    int32_t* usedCount;    // numbers used before a triangle; one more for the end
    int32_t first;         // first node of the current level, in `order`
    int32_t end;
} fitting;

static void numberVertices(fitting* f)
{
    const wkMesh* mesh = f->mesh;
    const int32_t* indices = wkMeshTriangles(mesh);
    int32_t count = 0;
    memset(f->numbers, 0xff, (size_t)mesh->vertexCount * sizeof *f->numbers);
    for (size_t i = 0; i < 3 * (size_t)mesh->triangleCount; ++i) {
        if (i % 3 == 0) {
            f->usedCount[i / 3] = count;
        }
        int32_t vertex = indices[i];
        if (f->numbers[vertex] < 0) {
            wkVec3d* point = f->points + (size_t)count * (size_t)f->width;
            point[0] = wkMeshVertices(mesh)[vertex];
            if (f->width == 2) {
                point[1] = wkMeshPrevious(mesh)[vertex];
            }
            f->numbers[vertex] = count++;
        }
        f->faceVertices[i] = f->numbers[vertex];
    }
    f->usedCount[mesh->triangleCount] = count;
}

// Gathers the points of some triangles.
static int32_t gatherPoints(const fitting* f, wkItemRange items, wkVec3d* points)
{
    size_t width = (size_t)f->width;
    int32_t first = f->usedCount[items.first], end = f->usedCount[items.first + items.count];
    size_t count = (size_t)(end - first) * width;
    memcpy(points, f->points + (size_t)first * width, count * sizeof *points);
    const int32_t* faceVertices = f->faceVertices + 3 * (size_t)items.first;
    for (size_t i = 0; i < 3 * (size_t)items.count; ++i) {
        for (size_t k = 0; faceVertices[i] < first && k < width; ++k) {
            points[count++] = f->points[(size_t)faceVertices[i] * width + k];
        }
    }
    return (int32_t)count;
}

// Axes from some of the triangles, evenly spread: they need not be exact.
static wkMat3d sampleAxes(const fitting* f, wkItemRange items)
{
    wkVec3d points[3 * SAMPLE_COUNT];
    int32_t step = (items.count + SAMPLE_COUNT - 1) / SAMPLE_COUNT;
    int32_t count = 0;
    for (int32_t item = items.first; item < items.first + items.count; item += step) {
        for (int k = 0; k < 3; ++k) {
            size_t faceVertex = (size_t)f->faceVertices[3 * (size_t)item + (size_t)k];
            points[count++] = f->points[faceVertex * (size_t)f->width];
        }
    }
    return wkFitAxes(points, count);
}

static void fitSlot(const fitting* f, wkItemRange items, void* volume)
{
    wkVec3d* points = f->buffer + 3 * (size_t)items.first * (size_t)f->width;
    int32_t count = gatherPoints(f, items, points);
    wkMat3d axes = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    if (f->row->isOriented) {
        wkVec3d own[2];
        bool hasOwn = f->rule->ownFit != NULL &&
                      f->rule->ownFit(points, count, own, f->rule->context) &&
                      wkMakeAxes(own, &axes);
        axes = hasOwn ? axes : sampleAxes(f, items);
    }
    f->row->fit(points, count, &axes, volume);
}

static void fitNode(const fitting* f, int32_t index)
{
    size_t nodeBytes = wkNodeBytes((wkVolumeKind)f->mesh->kind);
    char* bytes = (char*)f->mesh + f->mesh->nodeOffset + (size_t)index * nodeBytes;
    wkVolumeNode* node = (wkVolumeNode*)bytes;
    for (int slot = 0; slot < WK_TREE_WIDTH && node->links[slot] != WK_LINK_EMPTY; ++slot) {
        fitSlot(f, wkSlotItems(f->ranges, node->links[slot]),
                node->volumes + (size_t)slot * f->row->byteCount);
    }
}

static void fitNodes(void* context, int32_t task)
{
    const fitting* f = (const fitting*)context;
    int32_t first = f->first + task * TASK_NODES, end = first + TASK_NODES;
    end = end < f->end ? end : f->end;
    for (int32_t i = first; i < end; ++i) {
        fitNode(f, f->order[i]);
    }
}

// Nodes of one depth have disjoint triangles, and so disjoint parts of the buffer: they can be fitted in
// parallel.
static void fitLevels(fitting* f)
{
    wkTree tree = wkMeshTree(f->mesh);

    // the caller's rule may not be thread-safe
    const wkParallel* parallel = f->rule->ownFit == NULL ? f->rule->parallel : NULL;
    int32_t count = 1;
    f->order[0] = 0;
    for (f->first = 0; f->first < count; f->first = f->end) {
        f->end = count;
        wkRunTasks(parallel, fitNodes, f, (f->end - f->first + TASK_NODES - 1) / TASK_NODES);
        for (int32_t i = f->first; i < f->end; ++i) {
            const wkLink* links = wkTreeLinks(&tree, (uint32_t)f->order[i]);
            for (int slot = 0; slot < WK_TREE_WIDTH; ++slot) {
                if (!wkIsLeaf(links[slot])) {
                    f->order[count++] = (int32_t)links[slot];
                }
            }
        }
    }
}

// Takes bytes of scratch memory; NULL when they are only counted.
static void* take(char* scratch, size_t* used, size_t byteCount)
{
    char* start = scratch != NULL ? scratch + *used : NULL;
    *used += byteCount;
    return start;
}

// Sets the arrays of a fitting in scratch memory; points first, which need alignment.
// @return bytes of all
static size_t placeArrays(const wkMesh* mesh, fitting* f, char* scratch)
{
    size_t vertexCount = (size_t)mesh->vertexCount, width = (size_t)f->width;
    size_t triangleCount = (size_t)mesh->triangleCount;
    size_t nodeCount = (size_t)mesh->nodeCount, used = 0;
    f->points = take(scratch, &used, vertexCount * width * sizeof(wkVec3d));
    f->buffer = take(scratch, &used, 3 * triangleCount * width * sizeof(wkVec3d));
    f->ranges = take(scratch, &used, nodeCount * sizeof(wkItemRange));
    f->order = take(scratch, &used, nodeCount * sizeof(int32_t));
    f->numbers = take(scratch, &used, vertexCount * sizeof(int32_t));
    f->faceVertices = take(scratch, &used, 3 * triangleCount * sizeof(int32_t));
    f->usedCount = take(scratch, &used, (triangleCount + 1) * sizeof(int32_t));
    return used;
}

size_t wkRefitBytes(const wkMesh* mesh, bool hasPrevious)
{
    fitting f = {.width = hasPrevious ? 2 : 1};
    return mesh->kind == wk_volumeAabb ? 0 : placeArrays(mesh, &f, NULL);
}

void wkRefit(wkMesh* mesh, const wkFitRule* rule, void* scratch)
{
    if (mesh->kind == wk_volumeAabb) {
        refitBoxes(mesh);
        return;
    }
    fitting f = {.mesh = mesh,
                 .rule = rule,
                 .row = &wkVolumeTable[mesh->kind],
                 .width = mesh->hasPrevious ? 2 : 1};
    placeArrays(mesh, &f, scratch);
    wkTree tree = wkMeshTree(mesh);
    wkFindItemRanges(&tree, f.ranges);
    numberVertices(&f);
    fitLevels(&f);
}
