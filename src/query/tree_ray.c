// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A ray against a hierarchy: what is around the walk, the walk over volumes other than boxes, and
// triangles with a ball around them.

#include "query/tree_ray.h"

#include "base/lanes.h"
#include "geom/check.h"
#include "solve/pair.h"
#include "tree/slot_box.h"

WK_DEFINE_LANES(const wkRayLanes, wkRayLanes)

// Rays that start further away than this many radii of the tree start anew near it: the floats of
// the walk, and the digits of the triangles, are of more use there.
#define FAR_AWAY 16.0

// What floats may lose, as a share of the largest coordinate: of the origin, and of the way to a
// plane by a difference, an inverse and a product, on both sides of a box.
#define FLOAT_SHARE 3e-6

// Starts a ray from far away where it enters a ball around the tree.
// @return metres left out; negative when it passes by
WK_APART_FN double skipToBall(const wkVec3d* center, double radius, wkTreeRay* ray)
{
    wkVec3d toCenter = wkSub(*center, ray->origin);
    double noise = 1e-14 * (wkMaxAbs(toCenter) + radius + wkMaxAbs(*center));
    double along = wkDot(toCenter, ray->direction);
    double across = wkLength(wkCross(toCenter, ray->direction));
    if (across > radius + noise || along < -radius - noise) {
        return -1.0;
    }
    double skipped = wkPositive(along - radius - noise);
    ray->origin = wkMulAdd(ray->origin, skipped, ray->direction);
    return skipped;
}

// Fills in the ray of a walk, where the ball around the tree is known, and what depends on it.
// @return metres left out before it; negative when it passes by
WK_FORCE_FN double aimWalk(const wkLocalRay* ray, const wkVec3d* center, double ballRadius,
                           wkRayWalk* walk)
{
    wkVec3d origin = wkVec(ray->origin.x, ray->origin.y, ray->origin.z);
    wkVec3d toCenter = wkSub(*center, origin);
    double radius = ballRadius + walk->radius, skipped = 0.0;
    walk->ray.origin = origin;
    walk->ray.direction = wkVec(ray->direction.x, ray->direction.y, ray->direction.z);
    walk->item = -1;
    if (WK_UNLIKELY(!(wkDot(toCenter, toCenter) <= FAR_AWAY * FAR_AWAY * radius * radius))) {
        skipped = skipToBall(center, radius, &walk->ray);
        if (skipped < 0.0) {
            return skipped;
        }
    }
    double largest = wkMaxAbs(walk->ray.origin) + wkMaxAbs(*center) + radius;
    wkAimRay(&walk->ray, WK_ROUNDING * largest);
    walk->widening = FLOAT_SHARE * largest + walk->radius;
    walk->distance = ray->maxDistance - skipped;
    return skipped;
}

// Where a ray enters a box that is widened on all sides; infinity when it passes by.
static double enterBox(const wkObb* box, const wkTreeRay* ray, double widening)
{
    wkVec3d origin = wkFrameLocal(&box->frame, ray->origin);
    wkVec3d direction = wkMulTMV(&box->frame.rotation, ray->direction);
    const double *from = &origin.x, *along = &direction.x, *half = &box->half.x;
    double enter = 0.0, leave = INFINITY;
    for (int k = 0; k < 3; ++k) {
        double reach = half[k] + widening;
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
            bounds->squares[i] = bounds->guesses[i] = (float)(enter * (1.0 - 1e-6));
            mask |= (bounds->squares[i] > walk->base.limit || enter == INFINITY ? 0u : 1u) << i;
        }
    }
    return mask;
}

// Triangles as they are.
static wkStep visitTriangles(wkBoxWalk* base, wkLink link)
{
    wkRayWalk* walk = (wkRayWalk*)base;
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    for (int32_t item = first; item < end; ++item) {
        wkVec3d corners[3];
        wkViewCorners(walk->view, item, corners);
        wkTakeHit(walk, item, wkMeetTriangle(&walk->ray, &corners[0], &corners[1], &corners[2]));
    }
    base->limit = wkRayLimit(walk->distance);
    return walk->isAny && walk->item >= 0 ? wk_stepStop : wk_stepOn;
}

// Triangles with a ball around them.
static wkStep visitRounded(wkBoxWalk* base, wkLink link)
{
    wkRayWalk* walk = (wkRayWalk*)base;
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    for (int32_t item = first; item < end; ++item) {
        wkShape triangle = {.type = wk_shapeTriangle, .padding = walk->radius};
        wkViewCorners(walk->view, item, triangle.triangle.points);
        // a little further than needed: the search must not end on a step beyond an equal hit
        wkRayHit hit = wkCastConvex(&triangle, walk->ray.origin, walk->ray.direction,
                                    walk->distance * (1.0 + 1e-9));
        if (hit.isHit && wkTakeHit(walk, item, hit.distance)) {
            walk->normal = hit.normal;
        }
    }
    base->limit = wkRayLimit(walk->distance);
    return walk->isAny && walk->item >= 0 ? wk_stepStop : wk_stepOn;
}

// The triangle's own normal: out of a solid, against the ray for a surface. One without area is
// seen from the ray.
static wkVec3d normalOf(const wkVec3d corners[3], bool isSolid, const wkVec3d* direction)
{
    wkVec3d normal = wkCross(wkSub(corners[1], corners[0]), wkSub(corners[2], corners[0]));
    normal = wkNormalizeOr(normal, wkNeg(*direction));
    bool isTurned = !isSolid && wkDot(normal, *direction) > 0.0;
    return isTurned ? wkNeg(normal) : normal;
}

// A surface with boxes whose triangles count as they are: the short way.
WK_FORCE_FN double castAtMesh(const wkMesh* mesh, const wkLocalRay* ray, bool isAny,
                              wkRayWalk* walk)
{
    walk->radius = 0.0;
    double skipped = aimWalk(ray, &mesh->ballCenter, mesh->ballRadius, walk);
    if (skipped < 0.0 || mesh->triangleCount == 0) {
        return 0.0;
    }
    walk->base.tree.nodes = (const char*)mesh + mesh->nodeOffset;
    walk->mesh = mesh;
    walk->ids = wkMeshIds(mesh);
    const wkRayLanes* lanes = wkRayLanesOfMachine();
    (isAny ? lanes->findAny : lanes->findFirst)(walk);
    return skipped;
}

// Everything else.
WK_APART_FN double castAtView(const wkShape* shape, const wkTreeView* view, const wkLocalRay* ray,
                              bool isAny, wkRayWalk* walk)
{
    wkVec3d center = wkMiddle(view->bounds.lower, view->bounds.upper);
    double ballRadius = 0.5 * wkLength(wkSub(view->bounds.upper, view->bounds.lower));
    if (shape->type == wk_shapeMesh) {
        center = shape->mesh->ballCenter;
        ballRadius = shape->mesh->ballRadius;
    }
    walk->radius = wkShapeRadius(shape);
    walk->item = -1;
    double skipped =
        view->itemCount > 0 && walk->radius >= 0.0 ? aimWalk(ray, &center, ballRadius, walk) : -1.0;
    if (skipped < 0.0) {
        return 0.0;
    }
    walk->base.tree = view->tree;
    walk->base.leaf = walk->radius > 0.0 ? visitRounded : visitTriangles;
    walk->base.limit = wkRayLimit(walk->distance);
    walk->mesh = NULL;
    walk->view = view;
    walk->ids = view->ids;
    walk->isAny = isAny;
    if (view->tree.kind == wk_volumeAabb) {
        wkRayLanesOfMachine()->findFirst(walk);
    } else {
        wkBoxRule rule = {boundAlong};
        wkWalkSlots(&walk->base, walk, rule);
    }
    return skipped;
}

// A ray that starts in a solid is inside at once; the nearest triangle says where out is.
static bool startsInside(const wkShape* shape, const wkLocalRay* ray, wkTreeHit* hit)
{
    if (!wkTreeHolds(shape, ray->origin)) {
        return false;
    }
    wkPointResult nearest;
    wkNearTree(shape, ray->origin, INFINITY, &nearest);
    hit->part = nearest.part;
    hit->distance = 0.0;
    hit->normal = nearest.normal;
    return true;
}

static bool isBareSurface(const wkShape* shape)
{
    return shape->type == wk_shapeMesh && shape->mesh->kind == wk_volumeAabb &&
           !shape->mesh->isSolid && shape->rounding + shape->padding == 0.0;
}

// Steps of a ray through a solid that negative padding has worn off.
#define MAX_STEPS 1024

// A solid less its border: the ray goes on by the distance to what is left, which cannot be too far.
// One that does not get there in time is close to grazing it, and counts as a hit.
WK_APART_FN void castAtWorn(const wkShape* shape, const wkTreeView* view, const wkLocalRay* ray,
                            wkTreeHit* hit)
{
    wkVec3d center = wkMiddle(view->bounds.lower, view->bounds.upper);
    double reach = wkLength(wkSub(center, ray->origin)) +
                   wkLength(wkSub(view->bounds.upper, view->bounds.lower));
    double end = wkMinD(ray->maxDistance, reach), distance = 0.0;
    wkPointResult nearest = {0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, wk_statusExact, -1};
    for (int i = 0; i < MAX_STEPS; ++i) {
        wkNearTree(shape, wkMulAdd(ray->origin, distance, ray->direction), INFINITY, &nearest);
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

WK_APART_FN void castTree(const wkShape* shape, const wkLocalRay* ray, wkTreeHit* hit)
{
    wkTreeView view;
    wkRayWalk walk;
    wkTreeShapeRowOf(shape)->view(shape, &view);
    hit->status = view.isSolid && !view.isClosed ? wk_statusLeaky : wk_statusExact;
    hit->part = -1;
    if (view.isSolid && view.itemCount > 0 && wkShapeRadius(shape) < 0.0) {
        castAtWorn(shape, &view, ray, hit);
        return;
    }
    if (view.isSolid && startsInside(shape, ray, hit)) {
        return;
    }
    double skipped = castAtView(shape, &view, ray, false, &walk);
    if (walk.item >= 0) {
        wkVec3d corners[3];
        wkViewCorners(&view, walk.item, corners);
        hit->part = wkPartOf(&view, walk.item);
        hit->distance = walk.distance + skipped;
        hit->normal =
            walk.radius > 0.0 ? walk.normal : normalOf(corners, view.isSolid, &walk.ray.direction);
    }
}

void wkCastTree(const wkShape* shape, const wkLocalRay* ray, wkTreeHit* hit)
{
    if (!isBareSurface(shape)) {
        castTree(shape, ray, hit);
        return;
    }
    const wkMesh* mesh = shape->mesh;
    wkRayWalk walk;
    double skipped = castAtMesh(mesh, ray, false, &walk);
    hit->status = wk_statusExact;
    hit->part = -1;
    if (walk.item >= 0) {
        wkVec3d corners[3];
        wkMeshCorners(mesh, walk.item, corners);
        hit->part = wkMeshIds(mesh)[walk.item];
        hit->distance = walk.distance + skipped;
        hit->normal = normalOf(corners, false, &walk.ray.direction);
    }
}

bool wkTreeIsHit(const wkShape* shape, const wkLocalRay* ray)
{
    wkRayWalk walk;
    if (isBareSurface(shape)) {
        castAtMesh(shape->mesh, ray, true, &walk);
        return walk.item >= 0;
    }
    wkTreeView view;
    wkTreeShapeRowOf(shape)->view(shape, &view);
    if (view.isSolid) {
        wkTreeHit hit;
        castTree(shape, ray, &hit);
        return hit.part >= 0;
    }
    castAtView(shape, &view, ray, true, &walk);
    return walk.item >= 0;
}
