// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Convex items under boxes, built by the builder of meshes.

#include "own_hierarchy.h"

#include "base/error.h"
#include "geom/check.h"
#include "tree/bvh/bvh.h"
#include "whisker/shape.h"

#include <stdlib.h>

static const ownHierarchy* ownOf(const wkShape* shape)
{
    return (const ownHierarchy*)(const void*)shape->mesh; // the union holds no pointer of its own
}

bool ownCreate(int32_t count, ownHierarchy* own)
{
    size_t capacity = (size_t)count + 1; // for empty ones too
    size_t nodeCount = WK_NODE_BOUND(count) + 2;
    *own = (ownHierarchy){
        .count = count,
        .items = calloc(capacity, sizeof(wkItem)),
        .ids = calloc(capacity, sizeof(int32_t)),
        .order = calloc(capacity, sizeof(int32_t)),
        .nodes = aligned_alloc(32, nodeCount * sizeof(wkBoxNode)),
    };
    return own->items != NULL && own->ids != NULL && own->order != NULL && own->nodes != NULL;
}

void ownDestroy(ownHierarchy* own)
{
    free(own->items);
    free(own->ids);
    free(own->order);
    free(own->nodes);
    *own = (ownHierarchy){0};
}

static bool buildTree(ownHierarchy* own, wkBvhItem* items)
{
    wkVec3d lower = wkVec(INFINITY, INFINITY, INFINITY), upper = wkNeg(lower);
    for (int32_t i = 0; i < own->count; ++i) {
        wkAabb box = wkShape_Bounds(&own->items[i].shape, own->items[i].pose);
        lower = wkMin(lower, box.lower);
        upper = wkMax(upper, box.upper);
        items[i].lower = (wkQuad){wkRoundDown(box.lower.x), wkRoundDown(box.lower.y),
                                  wkRoundDown(box.lower.z), 0.0f};
        items[i].upper =
            (wkQuad){wkRoundUp(box.upper.x), wkRoundUp(box.upper.y), wkRoundUp(box.upper.z), 0.0f};
        wkSetItemIndex(&items[i], i);
    }
    own->bounds = (wkAabb){lower, upper};
    wkBvh bvh = {.items = items, .itemCount = own->count, .nodes = own->nodes};
    wkBvhRule rule = {.split = wkSplitAtMedian};
    own->nodeCount = 0;
    if (own->count > 0 && !wkBvhBuild(&bvh, &rule, NULL)) {
        return false;
    }
    own->nodeCount = bvh.nodeCount;
    for (int32_t i = 0; i < own->count; ++i) {
        own->ids[i] = wkItemIndex(&items[i]);
        own->order[own->ids[i]] = i;
    }
    return true;
}

bool ownBuild(ownHierarchy* own)
{
    wkBvhItem* items = aligned_alloc(32, sizeof(wkBvhItem) * (size_t)(own->count + 1));
    bool isBuilt = items != NULL && buildTree(own, items);
    free(items);
    return isBuilt;
}

wkShape ownShape(const ownHierarchy* own)
{
    wkShape shape = {.type = OWN_TYPE};
    shape.mesh = (const wkMesh*)(const void*)own;
    return shape;
}

bool ownIsValid(const wkShape* shape)
{
    return shape->mesh != NULL && wkHasValidMargins(shape, 0.0);
}

wkResult ownCheck(const wkShape* shape)
{
    return shape->mesh != NULL ? wkCheckMargins("own", shape)
                               : wkFail(wk_errorArgument, "own: is NULL");
}

static void itemOf(const void* source, int32_t index, wkItem* item)
{
    const ownHierarchy* own = (const ownHierarchy*)source;
    *item = own->items[own->ids[index]];
}

void ownView(const wkShape* shape, wkTreeView* view)
{
    const ownHierarchy* own = ownOf(shape);
    *view = (wkTreeView){
        .tree = {(const char*)own->nodes, wkNodeBytes(wk_volumeAabb), own->nodeCount,
                 wk_volumeAabb},
        .item = itemOf,
        .source = own,
        .content = own->content,
        .ids = own->ids,
        .order = own->order,
        .itemCount = own->count,
        .givenCount = own->count,
        .bounds = own->bounds,
        .reach = wkMaxD(wkMaxAbs(own->bounds.lower), wkMaxAbs(own->bounds.upper)),
    };
}

wkMass ownMass(const wkShape* shape)
{
    wkMass mass = {.volume = (double)ownOf(shape)->count};
    return mass;
}

wkResult ownTriangulate(const wkShape* shape, wkTriangulation* out)
{
    (void)shape;
    out->vertexCount = out->triangleCount = 0;
    return wk_ok;
}
