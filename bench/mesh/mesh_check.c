// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Truths about meshes over a plain tree. See mesh_check.h.

#include "mesh/mesh_check.h"

#include "mesh/triangle_check.h"

#include "../tests/scenes/scene_math.h"

#include <stdlib.h>
#include <string.h>

// Triangles of a leaf.
#define LEAF_SIZE 4

// A node holds a run of items; the children halve it: 2 i + 1 and 2 i + 2.
struct wkMeshChecker {
    const wkModel* model;
    int32_t* items;
    wkVec3d* centers; // of all triangles
    wkAabb* boxes;
    wkVec3d* placed; // vertices of the moving model, in the frame of this one
    int32_t placedCapacity;
};

static void verticesOf(const wkModel* model, const wkVec3d* vertices, int32_t item,
                       wkVec3d* faceVertices)
{
    for (int k = 0; k < 3; k++) {
        faceVertices[k] = vertices[model->indices[3 * (size_t)item + (size_t)k]];
    }
}

static wkAabb boxOf(const wkVec3d* faceVertices)
{
    wkAabb box = {faceVertices[0], faceVertices[0]};
    for (int k = 1; k < 3; k++) {
        wkVec3d p = faceVertices[k];
        box.lower = wkSceneVec(wkSmaller(box.lower.x, p.x), wkSmaller(box.lower.y, p.y),
                               wkSmaller(box.lower.z, p.z));
        box.upper = wkSceneVec(wkLarger(box.upper.x, p.x), wkLarger(box.upper.y, p.y),
                               wkLarger(box.upper.z, p.z));
    }
    return box;
}

static wkAabb unite(wkAabb a, wkAabb b)
{
    wkAabb box;
    box.lower = wkSceneVec(wkSmaller(a.lower.x, b.lower.x), wkSmaller(a.lower.y, b.lower.y),
                           wkSmaller(a.lower.z, b.lower.z));
    box.upper = wkSceneVec(wkLarger(a.upper.x, b.upper.x), wkLarger(a.upper.y, b.upper.y),
                           wkLarger(a.upper.z, b.upper.z));
    return box;
}

static double boxGapSquare(const wkAabb* a, const wkAabb* b)
{
    double x = wkLarger(0.0, wkLarger(a->lower.x - b->upper.x, b->lower.x - a->upper.x));
    double y = wkLarger(0.0, wkLarger(a->lower.y - b->upper.y, b->lower.y - a->upper.y));
    double z = wkLarger(0.0, wkLarger(a->lower.z - b->upper.z, b->lower.z - a->upper.z));
    return x * x + y * y + z * z;
}

static double axisOf(wkVec3d v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// Puts the item that would stand at `middle` after sorting there, smaller ones before it.
static void selectMiddle(wkMeshChecker* checker, int32_t first, int32_t last, int32_t middle,
                         int axis)
{
    int32_t* items = checker->items;
    while (first < last) {
        double pivot = axisOf(checker->centers[items[(first + last) / 2]], axis);
        int32_t i = first;
        int32_t k = last;
        while (i <= k) {
            while (axisOf(checker->centers[items[i]], axis) < pivot) {
                i++;
            }
            while (axisOf(checker->centers[items[k]], axis) > pivot) {
                k--;
            }
            if (i <= k) {
                int32_t swap = items[i];
                items[i++] = items[k];
                items[k--] = swap;
            }
        }
        first = middle >= i ? i : first;
        last = middle <= k ? k : last;
        if (middle > k && middle < i) {
            return;
        }
    }
}

// Halving keeps the depth at the logarithm of the count.
static void buildNode(wkMeshChecker* checker, size_t node, int32_t first, int32_t count)
{
    wkVec3d faceVertices[3];
    verticesOf(checker->model, checker->model->vertices, checker->items[first], faceVertices);
    wkAabb box = boxOf(faceVertices);
    for (int32_t i = 1; i < count; i++) {
        verticesOf(checker->model, checker->model->vertices, checker->items[first + i],
                   faceVertices);
        box = unite(box, boxOf(faceVertices));
    }
    checker->boxes[node] = box;
    if (count <= LEAF_SIZE) {
        return;
    }
    wkVec3d size = wkSceneSub(box.upper, box.lower);
    int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    int32_t half = count / 2;
    selectMiddle(checker, first, first + count - 1, first + half, axis);
    buildNode(checker, 2 * node + 1, first, half);
    buildNode(checker, 2 * node + 2, first + half, count - half);
}

// Nodes of a tree whose children are found by doubling: all levels down to the leaves.
static size_t nodeCapacity(int32_t count)
{
    size_t capacity = 2;
    while (capacity * LEAF_SIZE < 4 * (size_t)count) {
        capacity *= 2;
    }
    return 2 * capacity;
}

wkMeshChecker* wkMeshChecker_Create(const wkModel* model)
{
    wkMeshChecker* checker = (wkMeshChecker*)calloc(1, sizeof(wkMeshChecker));
    if (checker == NULL) {
        return NULL;
    }
    size_t count = (size_t)model->triangleCount;
    checker->model = model;
    checker->items = (int32_t*)malloc(sizeof(int32_t) * count);
    checker->centers = (wkVec3d*)malloc(sizeof(wkVec3d) * count);
    checker->boxes = (wkAabb*)malloc(sizeof(wkAabb) * nodeCapacity(model->triangleCount));
    if (checker->items == NULL || checker->centers == NULL || checker->boxes == NULL) {
        wkMeshChecker_Destroy(checker);
        return NULL;
    }
    for (int32_t i = 0; i < model->triangleCount; i++) {
        wkVec3d faceVertices[3];
        verticesOf(model, model->vertices, i, faceVertices);
        wkVec3d sum = wkSceneAdd(faceVertices[0], wkSceneAdd(faceVertices[1], faceVertices[2]));
        checker->centers[i] = wkSceneScale(sum, 1.0 / 3.0);
        checker->items[i] = i;
    }
    buildNode(checker, 0, 0, model->triangleCount);
    return checker;
}

void wkMeshChecker_Destroy(wkMeshChecker* checker)
{
    if (checker != NULL) {
        free(checker->items);
        free(checker->centers);
        free(checker->boxes);
        free(checker->placed);
        free(checker);
    }
}

// A search for what is near one triangle.
typedef struct pairSearch {
    const wkVec3d* faceVertices;
    wkAabb box;
    double slack;
    wkMeshTruth* truth;
} pairSearch;

static bool isNear(const pairSearch* search, const wkAabb* box)
{
    double reach = wkLarger(search->truth->distance, search->slack);
    return boxGapSquare(&search->box, box) <= reach * reach;
}

static void meetTriangle(const pairSearch* search, const wkVec3d* faceVertices)
{
    wkMeshTruth* truth = search->truth;
    double gap = wkTriangleGap(search->faceVertices, faceVertices);
    if (gap > search->slack) {
        truth->distance =
            wkSmaller(truth->distance, wkTriangleDistance(search->faceVertices, faceVertices));
        return;
    }
    truth->possiblePairs++;
    truth->surePairs += gap < -search->slack ? 1 : 0;
    truth->depth = wkLarger(truth->depth, -gap);
    truth->distance = 0.0;
}

static void searchNode(const wkMeshChecker* checker, const pairSearch* search, size_t node,
                       int32_t first, int32_t count)
{
    if (!isNear(search, &checker->boxes[node])) {
        return;
    }
    if (count <= LEAF_SIZE) {
        for (int32_t i = first; i < first + count; i++) {
            wkVec3d faceVertices[3];
            verticesOf(checker->model, checker->model->vertices, checker->items[i], faceVertices);
            wkAabb box = boxOf(faceVertices);
            if (isNear(search, &box)) {
                meetTriangle(search, faceVertices);
            }
        }
        return;
    }
    int32_t half = count / 2;
    double left = boxGapSquare(&search->box, &checker->boxes[2 * node + 1]);
    double right = boxGapSquare(&search->box, &checker->boxes[2 * node + 2]);
    for (int k = 0; k < 2; k++) {
        if ((k == 0) == (left <= right)) {
            searchNode(checker, search, 2 * node + 1, first, half);
        } else {
            searchNode(checker, search, 2 * node + 2, first + half, count - half);
        }
    }
}

static bool placeVertices(wkVec3d* placed, const wkModel* moving, wkPose pose)
{
    wkSceneFrame frame = wkMakeSceneFrame(pose);
    for (int32_t i = 0; placed != NULL && i < moving->vertexCount; i++) {
        placed[i] = wkSceneToWorldPoint(&frame, moving->vertices[i]);
    }
    return placed != NULL;
}

static const wkMeshTruth unknownTruth = {INFINITY, -INFINITY, 0, 0};

wkMeshTruth wkProveMeshes(wkMeshChecker* fixed, const wkModel* moving, wkPose pose, double slack)
{
    wkMeshTruth truth = unknownTruth;
    if (fixed->placedCapacity < moving->vertexCount) {
        free(fixed->placed);
        fixed->placed = (wkVec3d*)malloc(sizeof(wkVec3d) * (size_t)moving->vertexCount);
        fixed->placedCapacity = fixed->placed != NULL ? moving->vertexCount : 0;
    }
    if (!placeVertices(fixed->placed, moving, pose)) {
        return truth;
    }
    // a stride far from 1 meets all regions soon, and with them a short distance
    int64_t count = moving->triangleCount;
    int64_t stride = count % 7919 == 0 ? 7907 : 7919;
    for (int64_t i = 0; i < count; i++) {
        wkVec3d faceVertices[3];
        verticesOf(moving, fixed->placed, (int32_t)(i * stride % count), faceVertices);
        pairSearch search = {faceVertices, boxOf(faceVertices), slack, &truth};
        searchNode(fixed, &search, 0, 0, fixed->model->triangleCount);
    }
    return truth;
}

static void meetAll(const pairSearch* search, const wkModel* fixed, const wkAabb* boxes)
{
    for (int32_t i = 0; i < fixed->triangleCount; i++) {
        if (isNear(search, &boxes[i])) {
            wkVec3d faceVertices[3];
            verticesOf(fixed, fixed->vertices, i, faceVertices);
            meetTriangle(search, faceVertices);
        }
    }
}

wkMeshTruth wkProveMeshesByAll(const wkModel* fixed, const wkModel* moving, wkPose pose,
                               double slack)
{
    wkMeshTruth truth = unknownTruth;
    wkVec3d* placed = (wkVec3d*)malloc(sizeof(wkVec3d) * (size_t)moving->vertexCount);
    wkAabb* boxes = (wkAabb*)malloc(sizeof(wkAabb) * (size_t)fixed->triangleCount);
    if (boxes != NULL && placeVertices(placed, moving, pose)) {
        wkVec3d faceVertices[3];
        for (int32_t i = 0; i < fixed->triangleCount; i++) {
            verticesOf(fixed, fixed->vertices, i, faceVertices);
            boxes[i] = boxOf(faceVertices);
        }
        for (int32_t i = 0; i < moving->triangleCount; i++) {
            verticesOf(moving, placed, i, faceVertices);
            pairSearch search = {faceVertices, boxOf(faceVertices), slack, &truth};
            meetAll(&search, fixed, boxes);
        }
    }
    free(placed);
    free(boxes);
    return truth;
}

// Where a ray enters a box, with some slack around it; infinite when it does not.
static double enterBox(const wkRay* ray, const wkAabb* box, double slack)
{
    double near = 0.0;
    double far = ray->maxDistance;
    for (int k = 0; k < 3; k++) {
        double origin = axisOf(ray->origin, k);
        double direction = axisOf(ray->direction, k);
        double low = axisOf(box->lower, k) - slack - origin;
        double high = axisOf(box->upper, k) + slack - origin;
        if (direction == 0.0) {
            if (low > 0.0 || high < 0.0) {
                return INFINITY;
            }
            continue;
        }
        near = wkLarger(near, wkSmaller(low / direction, high / direction));
        far = wkSmaller(far, wkLarger(low / direction, high / direction));
    }
    return near <= far ? near : INFINITY;
}

static void castNode(const wkMeshChecker* checker, const wkRay* ray, double slack, size_t node,
                     int32_t first, int32_t count, wkRayTruth* truth)
{
    double enter = enterBox(ray, &checker->boxes[node], 2.0 * slack);
    if (enter > truth->sure + slack || enter >= (double)INFINITY) {
        return;
    }
    if (count > LEAF_SIZE) {
        int32_t half = count / 2;
        castNode(checker, ray, slack, 2 * node + 1, first, half, truth);
        castNode(checker, ray, slack, 2 * node + 2, first + half, count - half, truth);
        return;
    }
    for (int32_t i = first; i < first + count; i++) {
        wkVec3d faceVertices[3];
        verticesOf(checker->model, checker->model->vertices, checker->items[i], faceVertices);
        truth->sure = wkSmaller(truth->sure, wkRayTriangle(ray, faceVertices, -slack));
        truth->possible = wkSmaller(truth->possible, wkRayTriangle(ray, faceVertices, slack));
    }
}

wkRayTruth wkProveRay(const wkMeshChecker* checker, const wkRay* ray, double slack)
{
    wkRayTruth truth = {INFINITY, INFINITY};
    castNode(checker, ray, slack, 0, 0, checker->model->triangleCount, &truth);
    return truth;
}
