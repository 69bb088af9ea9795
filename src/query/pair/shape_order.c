// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The order of two hierarchies or maps with the same pose: by their items, as the caller gave them,
// or by their cells, so that results depend neither on addresses nor on how the hierarchies were built.

#include "query/pair/shape_order.h"

#include "query/map/map_query.h"
#include "query/pair/shape_class.h"
#include "solve/order.h"
#include "tree/bvh/tree_shape.h"

#include <string.h>

// Index in the hierarchy of one of the caller's items.
static int32_t itemOf(const wkTreeView* view, int32_t part)
{
    return view->order != NULL ? view->order[part] : part;
}

static int compareTriangles(const wkTreeView* viewA, int32_t a, const wkTreeView* viewB, int32_t b)
{
    wkVec3d verticesA[3], verticesB[3];
    wkViewTriangleVertices(viewA, a, verticesA);
    wkViewTriangleVertices(viewB, b, verticesB);
    return memcmp(verticesA, verticesB, sizeof verticesA);
}

static int compareShapes(const wkTreeView* viewA, int32_t a, const wkTreeView* viewB, int32_t b)
{
    wkItem itemA, itemB;
    wkViewItem(viewA, a, &itemA);
    wkViewItem(viewB, b, &itemB);
    if (itemA.shape.type != itemB.shape.type) {
        return itemA.shape.type > itemB.shape.type ? 1 : -1;
    }
    return (int)wkIsAfterByRest(&itemA.shape, &itemA.pose, &itemB.shape, &itemB.pose) -
           (int)wkIsAfterByRest(&itemB.shape, &itemB.pose, &itemA.shape, &itemA.pose);
}

static int compareTrees(const wkShape* a, const wkShape* b)
{
    wkTreeView viewA, viewB;
    wkTreeShapeRowOf(a)->view(a, &viewA);
    wkTreeShapeRowOf(b)->view(b, &viewB);
    if (viewA.source == viewB.source || viewA.itemCount != viewB.itemCount) {
        return viewA.itemCount - viewB.itemCount;
    }
    int order = (int)viewA.isSolid - (int)viewB.isSolid;
    bool hasShapes = viewA.item != NULL;
    for (int32_t part = 0; part < viewA.itemCount && order == 0; ++part) {
        order = (hasShapes ? compareShapes : compareTriangles)(&viewA, itemOf(&viewA, part), &viewB,
                                                               itemOf(&viewB, part));
    }
    return order;
}

static int compareMaps(const wkShape* a, const wkShape* b)
{
    float belowA = wkViewOfMap(a).below, belowB = wkViewOfMap(b).below;
    if (belowA != belowB) {
        return belowA > belowB ? 1 : -1;
    }
    int order = (int)a->map.unknown - (int)b->map.unknown;
    return order != 0 ? order : wkOctreeOrder(a->map.octree, b->map.octree);
}

bool wkAreBodiesSwapped(const wkShape* a, const wkPose* poseA, const wkShape* b,
                        const wkPose* poseB)
{
    if (a->type != b->type) {
        const wkTreeShapeRow *treeA = wkTreeShapeRowOf(a), *treeB = wkTreeShapeRowOf(b);
        bool areTrees = treeA != NULL && treeB != NULL;
        if (areTrees && treeA->hasShapes != treeB->hasShapes) {
            return treeB->hasShapes;
        }
        // convex shapes, then hierarchies, then maps
        wkShapeKind kindA = wkShapeClassOf(a)->kind, kindB = wkShapeClassOf(b)->kind;
        return kindA != kindB ? kindA > kindB : a->type > b->type;
    }
    int order = wkComparePoses(a, poseA, b, poseB);
    if (order == 0) {
        order = wkIsMapType(a->type) ? compareMaps(a, b) : compareTrees(a, b);
    }
    return order > 0;
}
