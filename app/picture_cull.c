// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Culling by the boxes of shapes, each in its own frame.

#include "picture_cull.h"

#include "vector.h"

#include <math.h>

// Returns where a line enters the box of an object, widened on all sides; infinity when it misses.
// @param start parameter at which the line begins
static double enterBox(const wkVisible* visible, double margin, wkVec3d origin, wkVec3d direction,
                       double start)
{
    const double sizes[3] = {visible->half.x, visible->half.y, visible->half.z};
    wkVec3d offset = wkVec_Sub(origin, visible->middle);
    double enter = start, leave = INFINITY;
    for (int i = 0; i < 3; i++) {
        double from = wkVec_Dot(offset, visible->axes[i]);
        double along = wkVec_Dot(direction, visible->axes[i]);
        double size = sizes[i] + margin;
        if (fabs(along) < 1e-12) {
            leave = fabs(from) > size ? -INFINITY : leave;
            continue;
        }
        double inverse = 1.0 / along, middle = -from * inverse, half = size * fabs(inverse);
        enter = enter > middle - half ? enter : middle - half;
        leave = leave < middle + half ? leave : middle + half;
    }
    return enter > leave ? INFINITY : enter;
}

// Returns whether a ray reaches the box of an object within its length.
static bool mayMeet(const wkVisible* visible, const wkRay* ray)
{
    if (!visible->isBounded) {
        return true;
    }
    double enter = enterBox(visible, 1e-9 * visible->reach, ray->origin, ray->direction, 0.0);
    return enter < INFINITY && enter <= ray->maxDistance;
}

// Returns a lower bound of the distance at which rays of a bundle meet an object; infinity: they do not.
static double nearestAlong(const wkVisible* visible, const wkBundle* bundle)
{
    if (!visible->isBounded) {
        return 0.0;
    }
    wkVec3d toMiddle = wkVec_Sub(visible->middle, bundle->origin);
    double farthest = visible->reach + wkVec_Dot(toMiddle, bundle->direction);
    if (farthest < -bundle->radius) {
        return INFINITY;
    }
    // where a ray meets the box, the central line is no further away than this
    double margin = bundle->radius + bundle->spread * fmax(farthest, 0.0);
    double enter = enterBox(visible, margin + 1e-9 * visible->reach, bundle->origin,
                            bundle->direction, -bundle->radius);
    return fmax(enter - bundle->radius, 0.0);
}

static void insert(wkNearby* nearby, const wkVisible* visible, double nearest)
{
    bool isFull = nearby->count == WK_NEARBY_CAPACITY;
    if (isFull && nearest >= nearby->items[nearby->count - 1].nearest) {
        return;
    }
    int i = isFull ? nearby->count - 1 : nearby->count++;
    for (; i > 0 && nearby->items[i - 1].nearest > nearest; i--) {
        nearby->items[i] = nearby->items[i - 1];
    }
    nearby->items[i] = (wkNearVisible){visible, nearest};
}

void wkGatherAlong(const wkVisibles* visibles, const wkBundle* bundle, wkNearby* nearby)
{
    nearby->count = 0;
    for (int i = 0; i < visibles->count; i++) {
        double nearest = nearestAlong(&visibles->items[i], bundle);
        if (nearest < INFINITY) {
            insert(nearby, &visibles->items[i], nearest);
        }
    }
}

double wkBoundDistance(const wkVisible* visible, wkVec3d point)
{
    if (!visible->isBounded) {
        return 0.0;
    }
    wkVec3d offset = wkVec_Sub(point, visible->middle);
    wkVec3d outside = {fmax(fabs(wkVec_Dot(offset, visible->axes[0])) - visible->half.x, 0.0),
                       fmax(fabs(wkVec_Dot(offset, visible->axes[1])) - visible->half.y, 0.0),
                       fmax(fabs(wkVec_Dot(offset, visible->axes[2])) - visible->half.z, 0.0)};
    return wkVec_Length(outside);
}

void wkGatherAround(const wkVisibles* visibles, wkVec3d point, double distance, wkNearby* nearby)
{
    nearby->count = 0;
    for (int i = 0; i < visibles->count; i++) {
        double nearest = wkBoundDistance(&visibles->items[i], point);
        if (nearest <= distance) {
            insert(nearby, &visibles->items[i], nearest);
        }
    }
}

const wkVisible* wkFindNearest(const wkNearby* nearby, wkRay ray, wkRayResult* hit)
{
    const wkVisible* found = NULL;
    for (int i = 0; i < nearby->count && nearby->items[i].nearest <= ray.maxDistance; i++) {
        const wkVisible* visible = nearby->items[i].visible;
        if (!mayMeet(visible, &ray)) {
            continue;
        }
        wkRayResult next = wkShape_RayCast(&visible->shape, visible->pose, ray);
        if (next.isHit && (found == NULL || next.distance < ray.maxDistance)) {
            found = visible;
            *hit = next;
            ray.maxDistance = next.distance;
        }
    }
    return found;
}

bool wkMeetsAny(wkNearby* nearby, wkRay ray)
{
    for (int i = 0; i < nearby->count; i++) {
        wkNearVisible item = nearby->items[i];
        if (mayMeet(item.visible, &ray) &&
            wkShape_RayHits(&item.visible->shape, item.visible->pose, ray)) {
            nearby->items[i] = nearby->items[0];
            nearby->items[0] = item;
            return true;
        }
    }
    return false;
}
