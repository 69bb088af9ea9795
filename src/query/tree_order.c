// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The order of two hierarchies that stand in the same place: by their triangles, as the caller gave
// them, so that answers depend neither on addresses nor on how the hierarchies were built.

#include "query/question.h"
#include "query/tree_query.h"
#include "tree/mesh.h"

#include <string.h>

// Where a triangle of the caller's is in the hierarchy.
static int32_t itemOf(const wkShape* shape, int32_t part)
{
    return shape->type == wk_shapeMesh ? wkMeshPlaces(shape->mesh)[part] : part;
}

static int compareTriangles(const wkShape* a, const wkShape* b)
{
    wkTreeView viewA, viewB;
    wkTreeShapeRowOf(a)->view(a, &viewA);
    wkTreeShapeRowOf(b)->view(b, &viewB);
    if (viewA.source == viewB.source || viewA.itemCount != viewB.itemCount) {
        return viewA.itemCount - viewB.itemCount;
    }
    int order = 0;
    for (int32_t part = 0; part < viewA.itemCount && order == 0; ++part) {
        wkVec3d cornersA[3], cornersB[3];
        wkViewCorners(&viewA, itemOf(a, part), cornersA);
        wkViewCorners(&viewB, itemOf(b, part), cornersB);
        order = memcmp(cornersA, cornersB, sizeof cornersA);
    }
    return order;
}

static bool areInPlace(const wkPose* a, const wkPose* b)
{
    return a->position.x == b->position.x && a->position.y == b->position.y &&
           a->position.z == b->position.z &&
           memcmp(&a->rotation, &b->rotation, sizeof a->rotation) == 0;
}

bool wkIsTreeSwapped(const wkShape* a, const wkPose* poseA, const wkShape* b, const wkPose* poseB)
{
    if (a->type != b->type || !areInPlace(poseA, poseB)) {
        return wkIsSwapped(a, poseA, b, poseB);
    }
    if (a->rounding != b->rounding || a->padding != b->padding) {
        return a->rounding != b->rounding ? a->rounding > b->rounding : a->padding > b->padding;
    }
    return compareTriangles(a, b) > 0;
}
