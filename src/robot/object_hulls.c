// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Hulls around the meshes of objects, which prove sooner that a link does not touch them.

#include "base/error.h"
#include "base/memory.h"
#include "math/within.h"
#include "robot/robot_scene_impl.h"
#include "whisker/detail/counts.h"
#include "whisker/hull.h"
#include "whisker/mesh.h"

#include <string.h>

// Hulls of more vertices would make adding an object slow.
#define MAX_VERTICES 512
// Metres from the origin of a mesh up to which the rounding in a hull is below the slack of hull tests.
#define MAX_COORDINATE 1000.0

static const wkMesh* meshOf(const wkShape* shape)
{
    return shape->type == wk_shapeMesh ? shape->mesh : NULL;
}

// Returns the first shape with the same mesh.
static int32_t firstWithMesh(const wkShape* shapes, int32_t index)
{
    int32_t i = 0;
    while (meshOf(&shapes[i]) != meshOf(&shapes[index])) {
        ++i;
    }
    return i;
}

static bool isNearOrigin(const wkMesh* mesh)
{
    wkShape shape = wkMakeMesh(mesh);
    wkAabb box = wkShape_Bounds(&shape, wkIdentityPose());
    return wkIsVecWithin(box.lower, MAX_COORDINATE) && wkIsVecWithin(box.upper, MAX_COORDINATE);
}

// @param hulls of the shapes before this one
// @return false: no memory
static bool makeHullOf(const wkShape* shapes, int32_t index, wkHull** hulls)
{
    const wkMesh* mesh = meshOf(&shapes[index]);
    if (mesh == NULL || !isNearOrigin(mesh)) {
        return true;
    }
    int32_t first = firstWithMesh(shapes, index);
    if (first < index) {
        hulls[index] = hulls[first];
        return true;
    }
    return wkHullAroundMesh(mesh, MAX_VERTICES, &hulls[index]);
}

static bool hasMesh(const wkShape* shapes, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        if (meshOf(&shapes[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static bool hasHull(const wkObjectHulls* hulls)
{
    for (int32_t i = 0; i < hulls->count; ++i) {
        if (hulls->hulls[i] != NULL) {
            return true;
        }
    }
    return false;
}

void wkObjectHulls_Drop(wkObjectHulls* hulls)
{
    if (hulls == NULL || --hulls->holderCount > 0) {
        return;
    }
    for (int32_t i = 0; i < hulls->count; ++i) {
        wkHull* hull = hulls->hulls[i];
        wkHull_Destroy(hull);
        for (int32_t k = i; k < hulls->count; ++k) {
            hulls->hulls[k] = hulls->hulls[k] == hull ? NULL : hulls->hulls[k];
        }
    }
    wkFree(hulls, hulls->byteCount);
}

wkResult wkObjectHulls_Create(const wkShape* shapes, int32_t shapeCount, wkObjectHulls** out)
{
    *out = NULL;
    if (!hasMesh(shapes, shapeCount)) {
        return wk_ok;
    }
    size_t byteCount = sizeof(wkObjectHulls) + (size_t)shapeCount * sizeof(wkHull*);
    wkObjectHulls* made = (wkObjectHulls*)wkAlloc(byteCount);
    bool isMade = made != NULL;
    if (isMade) {
        memset(made, 0, byteCount);
        made->holderCount = 1;
        made->count = shapeCount;
        made->byteCount = byteCount;
        made->hulls = (wkHull**)(made + 1);
    }
    for (int32_t i = 0; i < shapeCount && isMade; ++i) {
        isMade = makeHullOf(shapes, i, made->hulls);
    }
    if (!isMade || !hasHull(made)) {
        wkObjectHulls_Drop(made);
        return isMade ? wk_ok : wkFail(wk_errorMemory, "robot scene: no memory for hulls");
    }
    *out = made;
    return wk_ok;
}

const wkShape* wkConvexAroundSlot(const wkRobotScene* scene, int32_t slotIndex, wkShape* storage)
{
    const wkShape* shape = wkScene_ObjectAt(scene->world, slotIndex).shape;
    if ((unsigned)shape->type < (unsigned)WK_CONVEX_TYPE_COUNT) {
        return shape;
    }
    wkRobotSlot p = scene->slots[slotIndex];
    const wkObjectHulls* hulls = scene->table.objects[p.object].hulls;
    if (hulls == NULL || hulls->hulls[p.shape] == NULL) {
        return NULL;
    }
    *storage = wkMakeHull(hulls->hulls[p.shape]);
    storage->rounding = shape->rounding;
    storage->padding = shape->padding;
    return storage;
}
