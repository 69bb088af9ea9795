// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A ray against any hierarchy: the walk over volumes other than boxes, triangles with a sphere around
// them, items that are not triangles, solids.

#include "query/ray/surface_ray.h"

#include "base/isa_table.h"
#include "geom/check.h"
#include "tree/bvh/slot_box.h"

WK_DEFINE_LANES(const wkRayLanes, wkRayLanes)

// Distance at which a ray enters a box that is widened on all sides; infinity when it misses.
static double enterBox(const wkObb* box, const wkTreeRay* ray, double widening)
{
    wkVec3d origin = wkFrameLocal(&box->frame, ray->origin);
    wkVec3d direction = wkMulTMV(&box->frame.rotation, ray->direction);
    const double from[3] = {origin.x, origin.y, origin.z};
    const double along[3] = {direction.x, direction.y, direction.z};
    double enter = 0.0, leave = INFINITY;
    for (int k = 0; k < 3; ++k) {
        double reach = wkAlongAxis(&box->half, k) + widening;
        if (fabs(along[k]) < 1e-30) {
            leave = fabs(from[k]) > reach ? -INFINITY : leave;
            continue;
        }
        double first = (-copysign(reach, along[k]) - from[k]) / along[k];
        double last = (copysign(reach, along[k]) - from[k]) / along[k];
        enter = wkMaxD(enter, first);
        leave = wkMinD(leave, last);
    }
    return enter > leave ? INFINITY : enter;
}

WK_FORCE_FN unsigned boundAlong(const void* query, uint32_t node, wkBounds* bounds)
{
    const wkRayWalk* walk = (const wkRayWalk*)query;
    const wkLink* links = wkTreeLinks(&walk->base.tree, node);
    unsigned mask = 0;
    for (uint32_t i = 0; i < WK_TREE_WIDTH; ++i) {
        if (links[i] != WK_LINK_EMPTY) {
            wkObb box = wkSlotBox(&walk->base.tree, node * WK_TREE_WIDTH + i);
            double enter = enterBox(&box, &walk->ray, walk->widening);
            bounds->least[i] = bounds->guesses[i] = (float)(enter * (1.0 - 1e-6));
            mask |= (bounds->least[i] > walk->base.limit || enter == INFINITY ? 0u : 1u) << i;
        }
    }
    return mask;
}

// Tests triangles without a sphere around them.
static wkStep visitTriangles(wkSlotWalk* base, wkLink link)
{
    wkRayWalk* walk = (wkRayWalk*)base;
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    for (int32_t item = first; item < end; ++item) {
        wkVec3d faceVertices[3];
        wkViewTriangleVertices(walk->view, item, faceVertices);
        wkTakeHit(walk, item,
                  wkMeetTriangle(&walk->ray, &faceVertices[0], &faceVertices[1], &faceVertices[2]));
    }
    base->limit = wkRayLimit(walk->distance);
    return walk->isAny && walk->item >= 0 ? wk_stepStop : wk_stepOn;
}

// Tests triangles with a sphere around them.
static wkStep visitRounded(wkSlotWalk* base, wkLink link)
{
    wkRayWalk* walk = (wkRayWalk*)base;
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    for (int32_t item = first; item < end; ++item) {
        wkShape triangle = {.type = wk_shapeTriangle, .padding = walk->radius};
        wkViewTriangleVertices(walk->view, item, triangle.triangle.points);
        // a little further than needed: the search must not stop short of an equal hit
        wkRayHit hit = wkCastConvex(&triangle, walk->ray.origin, walk->ray.direction,
                                    walk->distance * (1.0 + 1e-9));
        if (hit.isHit && wkTakeHit(walk, item, hit.distance)) {
            walk->normal = hit.normal;
        }
    }
    base->limit = wkRayLimit(walk->distance);
    return walk->isAny && walk->item >= 0 ? wk_stepStop : wk_stepOn;
}

// Tests items that are not triangles, with the margins of the hierarchy, which may be negative.
static wkStep visitShapes(wkSlotWalk* base, wkLink link)
{
    wkRayWalk* walk = (wkRayWalk*)base;
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    for (int32_t index = first; index < end; ++index) {
        wkItem item;
        wkViewItem(walk->view, index, &item);
        item.shape.padding += walk->radius;
        wkFrame frame = wkFrameFromPose(item.pose);
        wkRayHit hit = wkCastConvex(&item.shape, wkFrameLocal(&frame, walk->ray.origin),
                                    wkMulTMV(&frame.rotation, walk->ray.direction),
                                    walk->distance * (1.0 + 1e-9));
        if (hit.isHit && wkTakeHit(walk, index, hit.distance)) {
            walk->normal = wkMulMV(&frame.rotation, hit.normal);
        }
    }
    base->limit = wkRayLimit(walk->distance);
    return walk->isAny && walk->item >= 0 ? wk_stepStop : wk_stepOn;
}

// The function for the items of a view.
static wkStep (*leafOf(const wkTreeView* view, double radius))(wkSlotWalk* base, wkLink link)
{
    if (view->item != NULL) {
        return visitShapes;
    }
    return radius > 0.0 ? visitRounded : visitTriangles;
}

// Casts in all other cases.
WK_APART_FN double castAtView(const wkShape* shape, const wkTreeView* view, const wkLocalRay* ray,
                              bool isAny, wkRayWalk* walk)
{
    wkVec3d center = wkMiddle(view->bounds.lower, view->bounds.upper);
    double sphereRadius = 0.5 * wkLength(wkSub(view->bounds.upper, view->bounds.lower));
    if (shape->type == wk_shapeMesh) {
        center = shape->mesh->sphereCenter;
        sphereRadius = shape->mesh->sphereRadius;
    }
    double radius = wkShapeRadius(shape);
    walk->radius = wkPositive(radius); // volumes are not shrunk
    walk->item = -1;
    // negative margins leave nothing of triangles
    double skipped = view->itemCount > 0 && (radius >= 0.0 || view->item != NULL)
                         ? wkAimWalk(ray, &center, sphereRadius, walk)
                         : -1.0;
    walk->radius = radius;
    if (skipped < 0.0) {
        return 0.0;
    }
    walk->base.tree = view->tree;
    walk->base.leaf = leafOf(view, radius);
    walk->base.limit = wkRayLimit(walk->distance);
    walk->mesh = NULL;
    walk->view = view;
    walk->ids = view->ids;
    walk->isAny = isAny;
    if (view->tree.kind == wk_volumeAabb) {
        wkRayLanesOfMachine()->findFirst(walk);
    } else {
        wkSlotRule rule = {boundAlong};
        wkWalkSlots(&walk->base, walk, rule);
    }
    return skipped;
}

// A ray that starts in a solid hits at once; the nearest triangle gives the outward direction.
static bool startsInside(const wkShape* shape, const wkTreeView* view, const wkLocalRay* ray,
                         wkTreeHit* hit)
{
    if (!wkTreeHolds(shape, view, ray->origin)) {
        return false;
    }
    wkPointResult nearest;
    wkClosestInTree(shape, ray->origin, INFINITY, &nearest);
    hit->part = nearest.part;
    hit->distance = 0.0;
    hit->normal = nearest.normal;
    return true;
}

// Steps of a ray through a solid that negative padding has shrunk.
#define MAX_STEPS 1024

// Casts at a shrunk solid: the ray advances by the distance to it, a safe step. A ray that exceeds the
// number of steps is close to grazing it, and counts as a hit.
WK_APART_FN void castAtWorn(const wkShape* shape, const wkTreeView* view, const wkLocalRay* ray,
                            wkTreeHit* hit)
{
    wkVec3d center = wkMiddle(view->bounds.lower, view->bounds.upper);
    double reach = wkLength(wkSub(center, ray->origin)) +
                   wkLength(wkSub(view->bounds.upper, view->bounds.lower));
    double end = wkMinD(ray->maxDistance, reach), distance = 0.0;
    wkPointResult nearest = {0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, wk_statusExact, -1};
    for (int i = 0; i < MAX_STEPS; ++i) {
        wkClosestInTree(shape, wkMulAdd(ray->origin, distance, ray->direction), INFINITY, &nearest);
        if (!(nearest.distance > 0.0)) {
            break;
        }
        distance += nearest.distance;
        if (distance > end) {
            return;
        }
    }
    hit->part = nearest.part;
    hit->distance = distance;
    hit->normal = nearest.normal;
}

void wkCastTree(const wkShape* shape, const wkLocalRay* ray, wkTreeHit* hit)
{
    wkTreeView view;
    wkRayWalk walk;
    wkTreeShapeRowOf(shape)->view(shape, &view);
    hit->status = wkHasLids(&view) ? wk_statusNotWatertight : wk_statusExact;
    hit->part = -1;
    if (view.isSolid && view.itemCount > 0 && wkShapeRadius(shape) < 0.0) {
        castAtWorn(shape, &view, ray, hit);
        return;
    }
    if (view.isSolid && startsInside(shape, &view, ray, hit)) {
        return;
    }
    double skipped = castAtView(shape, &view, ray, false, &walk);
    if (walk.item < 0) {
        return;
    }
    hit->part = wkPartOf(&view, walk.item);
    hit->distance = walk.distance + skipped;
    hit->normal = walk.normal;
    if (view.item == NULL && !(walk.radius > 0.0)) {
        wkVec3d faceVertices[3];
        wkViewTriangleVertices(&view, walk.item, faceVertices);
        // triangles of an inverted mesh give no outward direction: it points back along the ray
        bool isOriented = view.isSolid && !view.isInverted;
        hit->normal = wkFaceNormal(faceVertices, isOriented, &walk.ray.direction);
    }
}

bool wkTreeIsHit(const wkShape* shape, const wkLocalRay* ray)
{
    wkTreeView view;
    wkTreeShapeRowOf(shape)->view(shape, &view);
    if (view.isSolid) {
        wkTreeHit hit;
        wkCastTree(shape, ray, &hit);
        return hit.part >= 0;
    }
    wkRayWalk walk;
    castAtView(shape, &view, ray, true, &walk);
    return walk.item >= 0;
}
