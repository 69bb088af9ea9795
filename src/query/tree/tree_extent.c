// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The extent of a hierarchy: a box around it, and its furthest point along a direction.

#include "query/tree/tree_extent.h"

#include "query/tree/distance_walk.h"
#include "solve/pair.h"
#include "tree/bvh/slot_box.h"

#include <string.h>

// Half the size of a box with these axes around a rotated one.
static wkVec3d rotatedHalf(const wkMat3d* m, wkVec3d half)
{
    return wkVec(fabs(m->x.x) * half.x + fabs(m->y.x) * half.y + fabs(m->z.x) * half.z,
                 fabs(m->x.y) * half.x + fabs(m->y.y) * half.y + fabs(m->z.y) * half.z,
                 fabs(m->x.z) * half.x + fabs(m->y.z) * half.y + fabs(m->z.z) * half.z);
}

wkAabb wkTreeBounds(const wkShape* shape, const wkPose* pose)
{
    wkTreeView view;
    wkTreeShapeRowOf(shape)->view(shape, &view);
    double radius = wkShapeRadius(shape);
    bool isThin = !view.isSolid && view.item == NULL; // negative margins leave nothing
    if (view.itemCount == 0 || (radius < 0.0 && isThin)) {
        wkAabb nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
        return nothing;
    }
    wkQuat q = pose->rotation;
    wkAabb bounds = {wkAdd(view.bounds.lower, pose->position),
                     wkAdd(view.bounds.upper, pose->position)};
    if (!(q.x == 0.0 && q.y == 0.0 && q.z == 0.0)) {
        wkFrame frame = wkFrameFromPose(*pose);
        wkVec3d center = wkFramePoint(&frame, wkMiddle(view.bounds.lower, view.bounds.upper));
        wkVec3d half = wkScale(0.5, wkSub(view.bounds.upper, view.bounds.lower));
        double sphere = wkLength(half); // no vertex of the box is further out
        half = wkMin(rotatedHalf(&frame.rotation, half), wkVec(sphere, sphere, sphere));
        bounds.lower = wkSub(center, half);
        bounds.upper = wkAdd(center, half);
    }
    double reach = WK_ROUNDING * (view.reach + fabs(radius));
    wkVec3d slack = wkMulAdd(wkVec(reach, reach, reach), WK_ROUNDING, wkAbs(pose->position));
    wkVec3d margin = wkAdd(slack, wkVec(radius, radius, radius));
    bounds.lower = wkSub(bounds.lower, margin);
    bounds.upper = wkAdd(bounds.upper, margin);
    return bounds;
}

// Bounds of this walk are the heights by which a volume stays below the top of the whole tree.
typedef struct supportWalk {
    wkSlotWalk base;
    const wkTreeView* view;
    wkVec3d direction; // unit
    float slack;       // rounding of bounds and limit
    double top;        // upper bound of the height of all points along the direction
    double best;       // height of the best point
    wkVec3d point;
} supportWalk;

WK_FORCE_FN unsigned boundHeights(const void* query, uint32_t node, wkBounds* bounds)
{
    const supportWalk* walk = (const supportWalk*)query;
    const wkLink* links = wkTreeLinks(&walk->base.tree, node);
    unsigned mask = 0;
    for (uint32_t i = 0; i < WK_TREE_WIDTH; ++i) {
        if (links[i] != WK_LINK_EMPTY) {
            wkObb box = wkSlotBox(&walk->base.tree, node * WK_TREE_WIDTH + i);
            wkVec3d local = wkMulTMV(&box.frame.rotation, walk->direction);
            double height =
                wkDot(walk->direction, box.frame.position) + wkDot(wkAbs(local), box.half);
            double behind = walk->top - height - (double)walk->slack;
            bounds->least[i] = bounds->guesses[i] = (float)(wkPositive(behind) * (1.0 - 1e-6));
            mask |= (bounds->least[i] > walk->base.limit ? 0u : 1u) << i;
        }
    }
    return mask;
}

// Points of equal height are ordered by position, so that any hierarchy finds the same.
static bool isAfter(wkVec3d a, wkVec3d b)
{
    if (a.x != b.x) {
        return a.x > b.x;
    }
    return a.y != b.y ? a.y > b.y : a.z > b.z;
}

static void takePoint(supportWalk* walk, wkVec3d point)
{
    double height = wkDot(walk->direction, point);
    if (height > walk->best || (height == walk->best && isAfter(point, walk->point))) {
        walk->best = height;
        walk->point = point;
    }
}

static void takeTriangle(supportWalk* walk, int32_t index)
{
    wkVec3d faceVertices[3];
    wkViewTriangleVertices(walk->view, index, faceVertices);
    for (int k = 0; k < 3; ++k) {
        takePoint(walk, faceVertices[k]);
    }
}

static void takeShape(supportWalk* walk, int32_t index)
{
    wkItem item;
    wkViewItem(walk->view, index, &item);
    wkFrame frame = wkFrameFromPose(item.pose);
    wkVec3d local = wkMulTMV(&frame.rotation, walk->direction);
    wkVec3d point = wkConvexRowOf(&item.shape)->support(&item.shape, local);
    point = wkMulAdd(point, wkShapeRadius(&item.shape), local);
    takePoint(walk, wkFramePoint(&frame, point));
}

static wkStep visitItems(wkSlotWalk* base, wkLink link)
{
    supportWalk* walk = (supportWalk*)base;
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    for (int32_t index = first; index < end; ++index) {
        if (walk->view->item == NULL) {
            takeTriangle(walk, index);
        } else {
            takeShape(walk, index);
        }
    }
    base->limit = (float)(wkPositive(walk->top - walk->best) * (1.0 + 1e-6)) + walk->slack;
    return wk_stepOn;
}

wkVec3d wkTreeSupport(const wkShape* shape, wkVec3d direction)
{
    wkTreeView view;
    wkTreeShapeRowOf(shape)->view(shape, &view);
    if (view.itemCount == 0) {
        return wkVec(0.0, 0.0, 0.0);
    }
    supportWalk walk;
    memset(&walk, 0, sizeof walk);
    walk.view = &view;
    walk.direction = direction;
    walk.best = -INFINITY;
    walk.top = wkDot(direction, wkMiddle(view.bounds.lower, view.bounds.upper)) +
               0.5 * wkDot(wkAbs(direction), wkSub(view.bounds.upper, view.bounds.lower));
    walk.base.tree = view.tree;
    walk.slack = wkWalkSlack(view.reach);
    walk.base.limit = INFINITY;
    walk.base.leaf = visitItems;
    wkSlotRule rule = {boundHeights};
    wkWalkSlots(&walk.base, &walk, rule);
    return walk.point;
}
