// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A point and a hierarchy: the closest item, and which side of the surface the point is on.

#include "geom/check.h"
#include "geom/project_triangle.h"
#include "query/ray/tree_ray.h"
#include "query/tree/distance_walk.h"
#include "query/tree/leaf_points_kernel.h"
#include "solve/pair.h"

#include <string.h>

typedef struct pointWalk {
    wkBoxWalk base;
    const wkTreeView* view;
    double cutoff;
    wkProjection nearest; // of the items so far
    int32_t item;         // -1: none
} pointWalk;

// Of equally near items, the one first in the caller's order counts.
static bool isNearer(const pointWalk* walk, int32_t item, double distance)
{
    return distance < walk->nearest.distance ||
           (distance == walk->nearest.distance && walk->item >= 0 &&
            wkPartOf(walk->view, item) < wkPartOf(walk->view, walk->item));
}

static wkStep visitTriangles(wkSlotWalk* slots, wkLink link)
{
    pointWalk* walk = (pointWalk*)slots;
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    for (int32_t item = first; item < end; ++item) {
        wkShape triangle = {.type = wk_shapeTriangle};
        wkViewTriangleVertices(walk->view, item, triangle.triangle.points);
        wkProjection projection = wkProjectTriangle(&triangle, walk->base.center);
        if (isNearer(walk, item, projection.distance)) {
            walk->nearest = projection;
            walk->item = item;
        }
    }
    slots->limit = wkWalkLimit(wkMinD(walk->nearest.distance, walk->cutoff), walk->base.slack);
    return wk_stepOn;
}

// Projects a point of the hierarchy's frame onto an item; negative distances are inside.
static wkProjection projectOntoItem(const wkItem* item, wkVec3d point)
{
    wkFrame frame = wkFrameFromPose(item->pose);
    double radius = wkShapeRadius(&item->shape);
    wkProjection projection =
        wkConvexRowOf(&item->shape)->project(&item->shape, wkFrameLocal(&frame, point));
    projection.distance -= radius;
    projection.point = wkMulAdd(projection.point, radius, projection.normal);
    projection.point = wkFramePoint(&frame, projection.point);
    projection.normal = wkMulMV(&frame.rotation, projection.normal);
    return projection;
}

static void visitShape(pointWalk* walk, int32_t index)
{
    wkItem item;
    wkViewItem(walk->view, index, &item);
    wkProjection projection = projectOntoItem(&item, walk->base.center);
    if (isNearer(walk, index, projection.distance)) {
        walk->nearest = projection;
        walk->item = index;
    }
}

static wkStep visitShapes(wkSlotWalk* slots, wkLink link)
{
    pointWalk* walk = (pointWalk*)slots;
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    for (int32_t index = first; index < end; ++index) {
        visitShape(walk, index);
    }
    slots->limit = wkWalkLimit(wkMinD(walk->nearest.distance, walk->cutoff), walk->base.slack);
    return wk_stepOn;
}

// Points of a leaf, the nearest first: few are projected.
static wkStep visitPoints(wkSlotWalk* slots, wkLink link)
{
    pointWalk* walk = (pointWalk*)slots;
    int32_t first = wkLeafFirst(link);
    const wkVec3d center = walk->base.center;
    const float position[3] = {(float)center.x, (float)center.y, (float)center.z};
    double reach = wkMinD(walk->nearest.distance, walk->cutoff) + walk->view->pointRadius;
    float limit = wkRoundUp(reach + (double)walk->base.slack);
    _Alignas(32) float bounds[WK_TREE_WIDTH];
    unsigned left = wkLeafPointLanesOfMachine()->boundPoint(
        position, &walk->view->groups[first / WK_TREE_WIDTH], limit, bounds);
    left &= (2u << (wkLeafCount(link) - 1)) - 1u;
    if (left == 0) {
        return wk_stepOn;
    }
    while (left != 0) {
        int slot = wkLeastSlot(left, bounds);
        left &= ~(1u << slot);
        reach = wkMinD(walk->nearest.distance, walk->cutoff) + walk->view->pointRadius;
        if ((double)bounds[slot] > reach + (double)walk->base.slack) {
            break;
        }
        visitShape(walk, first + slot);
    }
    slots->limit = wkWalkLimit(wkMinD(walk->nearest.distance, walk->cutoff), walk->base.slack);
    return wk_stepOn;
}

static void search(const wkTreeView* view, wkVec3d point, double cutoff, pointWalk* walk)
{
    walk->view = view;
    walk->cutoff = cutoff;
    walk->nearest = (wkProjection){INFINITY, point, {0.0, 0.0, 1.0}};
    walk->item = -1;
    if (view->itemCount == 0) {
        return;
    }
    wkBoxWalk* base = &walk->base;
    memset(base, 0, sizeof *base);
    base->slots.tree = view->tree;
    base->treeInBox =
        (wkFrame){{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, {0.0, 0.0, 0.0}};
    base->center = point;
    base->slack = wkWalkSlack(view->reach + wkMaxAbs(point));
    base->slots.limit = wkWalkLimit(cutoff, base->slack);
    base->slots.leaf = view->groups != NULL ? visitPoints
                       : view->item != NULL ? visitShapes
                                            : visitTriangles;
    wkWalkTree(base);
}

bool wkTreeHolds(const wkShape* shape, const wkTreeView* view, wkVec3d point)
{
    if (!view->isSolid) {
        return false;
    }
    wkVec3d inside = wkMin(wkMax(point, view->bounds.lower), view->bounds.upper);
    bool isInBox = inside.x == point.x && inside.y == point.y && inside.z == point.z;
    return isInBox && wkTreeShapeRowOf(shape)->contains(view->source, point);
}

// Nothing is within the cutoff: the result is that bound.
static void answerFar(const wkTreeView* view, wkVec3d point, double cutoff, wkPointResult* result)
{
    bool isEmpty = view->itemCount == 0;
    wkVec3d center = isEmpty ? point : wkMiddle(view->bounds.lower, view->bounds.upper);
    result->distance = isEmpty ? INFINITY : nextafter(cutoff, INFINITY);
    result->normal = wkNormalizeOr(wkSub(point, center), wkVec(0.0, 0.0, 1.0));
    result->point = isEmpty ? point : wkMulSub(point, result->distance, result->normal);
    result->status = isEmpty ? wk_statusExact : wk_statusBound;
    result->part = -1;
}

void wkClosestInTree(const wkShape* shape, wkVec3d point, double cutoff, wkPointResult* result)
{
    wkTreeView view;
    pointWalk walk;
    wkTreeShapeRowOf(shape)->view(shape, &view);
    double radius = wkShapeRadius(shape);
    double slack = WK_ROUNDING * (wkMaxAbs(point) + view.reach + fabs(radius));
    bool isInside = wkTreeHolds(shape, &view, point);
    search(&view, point, isInside ? INFINITY : cutoff + radius + slack, &walk);
    if (walk.item < 0) {
        answerFar(&view, point, cutoff, result);
        return;
    }
    double side = isInside ? -1.0 : 1.0;
    wkVec3d normal = wkScale(side, walk.nearest.normal);
    result->distance = side * walk.nearest.distance - radius - slack;
    result->point = wkMulAdd(walk.nearest.point, radius, normal);
    result->normal = normal;
    result->status = wkHasLids(&view) ? wk_statusNotWatertight : wk_statusExact;
    if (view.item != NULL && result->distance < 0.0) {
        result->status = wk_statusLocal; // the depth in one item: several may overlap
    }
    result->part = wkPartOf(&view, walk.item);
    if (result->distance > cutoff) {
        answerFar(&view, point, cutoff, result);
    }
}
