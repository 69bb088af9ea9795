// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Finds points of a tree's surface by the search for a point or for a half-space.

#include "query/tree/nearest.h"

#include <string.h>

// Makes a shape of that type without rounding or padding.
static wkShape bareShape(wkShapeType type)
{
    wkShape shape;
    memset(&shape, 0, sizeof shape);
    shape.type = type;
    return shape;
}

static wkNearest searchTree(const wkTreeView* view, const wkFrame* frame, const wkShape* shape,
                            double enough, double cutoff)
{
    wkShape tree = bareShape(wk_shapeMesh);
    wkBodyQuestion q = {
        .a = shape,
        .b = &tree,
        .viewB = *view,
        .bInA = *frame,
        .cutoff = cutoff,
        .enough = enough,
        .isSigned = true,
    };
    q.viewB.isSolid = false;
    wkBodyAnswer answer;
    wkSearchSurfaces(&q, &answer);
    wkNearest nearest = {answer.closest.distance, answer.closest.pointB,
                         wkItemOfPart(answer.closest.partB)};
    return nearest;
}

static wkNearest searchFrom(const wkTreeView* view, wkVec3d point, double enough, double cutoff)
{
    wkShape sphere = bareShape(wk_shapeSphere);
    wkFrame frame = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, wkNeg(point)};
    wkNearest nearest = searchTree(view, &frame, &sphere, enough, cutoff);
    nearest.distance = nearest.distance > cutoff ? INFINITY : nearest.distance;
    nearest.point = wkAdd(nearest.point, point);
    return nearest;
}

wkNearest wkNearestOfTree(const wkTreeView* view, wkVec3d point, double cutoff)
{
    return searchFrom(view, point, -INFINITY, cutoff);
}

wkNearest wkNearestFrom(const wkTreeView* view, wkVec3d point, double least)
{
    return searchFrom(view, point, nextafter(least, -INFINITY), INFINITY);
}

wkNearest wkLowestOfTree(const wkTreeView* view, const wkFrame* frame, wkVec3d direction)
{
    wkShape below = bareShape(wk_shapeHalfspace);
    below.halfspace.normal = direction;
    return searchTree(view, frame, &below, -INFINITY, INFINITY);
}
