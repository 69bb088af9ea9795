// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The order of two hierarchies or maps with the same pose: by their triangles, as the caller gave them,
// or by their cells, so that results depend neither on addresses nor on how the hierarchies were built.

#include "query/pair/shape_order.h"

#include "query/map/map_query.h"
#include "solve/order.h"
#include "tree/bvh/tree_shape.h"
#include "tree/mesh/mesh_impl.h"

#include <string.h>

// Index in the hierarchy of one of the caller's triangles.
static int32_t itemOf(const wkShape* shape, int32_t part)
{
    return shape->type == wk_shapeMesh ? wkMeshTriangleOrder(shape->mesh)[part] : part;
}

static int compareTriangles(const wkShape* a, const wkShape* b)
{
    wkTreeView viewA, viewB;
    wkTreeShapeRowOf(a)->view(a, &viewA);
    wkTreeShapeRowOf(b)->view(b, &viewB);
    if (viewA.source == viewB.source || viewA.itemCount != viewB.itemCount) {
        return viewA.itemCount - viewB.itemCount;
    }
    int order = (int)viewA.isSolid - (int)viewB.isSolid;
    for (int32_t part = 0; part < viewA.itemCount && order == 0; ++part) {
        wkVec3d verticesA[3], verticesB[3];
        wkViewTriangleVertices(&viewA, itemOf(a, part), verticesA);
        wkViewTriangleVertices(&viewB, itemOf(b, part), verticesB);
        order = memcmp(verticesA, verticesB, sizeof verticesA);
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
        return a->type > b->type;
    }
    int order = wkComparePoses(a, poseA, b, poseB);
    if (order == 0) {
        order = wkIsMapType(a->type) ? compareMaps(a, b) : compareTriangles(a, b);
    }
    return order > 0;
}
