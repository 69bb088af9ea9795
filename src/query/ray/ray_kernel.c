// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A ray against the eight boxes of a node. Per axis, the distance to a plane of a box is its coordinate
// times the inverse of the direction, minus the same product for the origin. Rounding is accounted for in
// advance and costs nothing: the entry planes are measured from an origin that is a little ahead, the
// exit planes from one a little behind, by walk->widening.

#include "query/ray/ray_stack.h"
#include "query/ray/surface_ray.h"
#include "simd/eight.h"

// Directions are made steeper by this: over the length of any tree the difference is far below
// `widening`, and no plane is at infinity, not even those of empty slots.
#define LEAST_SLOPE 1e-20f

// The two planes of a box along one axis, in the order in which the ray meets them.
typedef struct slab {
    wkEight originEnter, originLeave; // times the inverse
    wkEight inverse;
    size_t enter, leave; // offsets in a node
} slab;

WK_FORCE_FN slab slabOf(int axis, double origin, double direction, double widening)
{
    float slope = (float)direction + copysignf(LEAST_SLOPE, (float)direction);
    float inverse = 1.0f / slope;
    double ahead = copysign(widening, direction);
    size_t lower = offsetof(wkBoxNode, lower) + (size_t)axis * sizeof(float[WK_TREE_WIDTH]);
    size_t upper = offsetof(wkBoxNode, upper) + (size_t)axis * sizeof(float[WK_TREE_WIDTH]);
    size_t enter = slope < 0.0f ? upper : lower;
    slab s = {
        wkSplat8((float)(origin + ahead) * inverse),
        wkSplat8((float)(origin - ahead) * inverse),
        wkSplat8(inverse),
        enter,
        lower + upper - enter,
    };
    return s;
}

WK_FORCE_FN wkEight enterOf(const slab* s, const char* node)
{
    return wkSub8(wkMul8(s->inverse, wkLoad8((const float*)(node + s->enter))), s->originEnter);
}

WK_FORCE_FN wkEight leaveOf(const slab* s, const char* node)
{
    return wkSub8(wkMul8(s->inverse, wkLoad8((const float*)(node + s->leave))), s->originLeave);
}

// Returns the boxes that the ray hits up to the limit, and where it enters them. Unbounded diagonal rays
// hit empty slots too.
WK_FORCE_FN unsigned meetBoxes(const slab slabs[3], const char* node, wkEight limit,
                               wkEight* enters)
{
    wkEight enter = wkMax8(wkMax8(enterOf(&slabs[0], node), enterOf(&slabs[1], node)),
                           wkMax8(enterOf(&slabs[2], node), wkSplat8(0.0f)));
    wkEight leave = wkMin8(wkMin8(leaveOf(&slabs[0], node), leaveOf(&slabs[1], node)),
                           wkMin8(leaveOf(&slabs[2], node), limit));
    *enters = enter;
    return wkNotAbove8(enter, leave);
}

// Tests the triangles of a mesh without rounding.
WK_APART_FN wkStep visitTriangles(wkRayWalk* walk, wkLink link, bool isAny)
{
    const wkVec3d* vertices = wkMeshVertices(walk->mesh);
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    const int32_t* faceVertices = wkMeshTriangles(walk->mesh) + 3 * (size_t)first;
    for (int32_t item = first; item < end; ++item, faceVertices += 3) {
        double distance = wkMeetTriangle(&walk->ray, &vertices[faceVertices[0]],
                                         &vertices[faceVertices[1]], &vertices[faceVertices[2]]);
        if (distance <= walk->distance && wkTakeHit(walk, item, distance) && isAny) {
            return wk_stepStop;
        }
    }
    return wk_stepOn;
}

// The limit of a walk: per lane, and as a stack entry.
typedef struct reach {
    wkEight slots;
    wkRayEntry entry;
} reach;

WK_FORCE_FN reach reachOf(double distance)
{
    float limit = wkRayLimit(distance);
    reach r = {wkSplat8(limit), wkMakeRayEntry(&limit, WK_LINK_EMPTY)};
    return r;
}

WK_FORCE_FN void walkBoxes(wkRayWalk* walk, bool isMesh, bool isAny)
{
    const wkTreeRay* ray = &walk->ray;
    const char* nodes = walk->base.tree.nodes;
    const slab slabs[3] = {slabOf(0, ray->origin.x, ray->direction.x, walk->widening),
                           slabOf(1, ray->origin.y, ray->direction.y, walk->widening),
                           slabOf(2, ray->origin.z, ray->direction.z, walk->widening)};
    reach limit = reachOf(walk->distance);
    wkRayEntry stack[WK_RAY_ENTRIES], *top = stack;
    *top++ = WK_LINK_EMPTY;
    wkLink link = wkTreeLink(&walk->base.tree, 0);
    for (;;) {
        while (!wkIsLeaf(link)) {
            const char* node = nodes + (size_t)link * sizeof(wkBoxNode);
            const wkLink* links = (const wkLink*)node;
            wkEight enters;
            unsigned mask = meetBoxes(slabs, node, limit.slots, &enters);
            if (mask == 0) {
                link = wkPopLink(&top, isAny ? UINT64_MAX : limit.entry);
            } else {
                link = isAny ? wkTakeFirst(&top, links, mask)
                             : wkTakeNearest(&top, links, mask, enters);
            }
        }
        if (WK_LIKELY(link != WK_LINK_EMPTY)) {
            wkStep step =
                isMesh ? visitTriangles(walk, link, isAny) : walk->base.leaf(&walk->base, link);
            if (step == wk_stepStop) {
                return;
            }
            if (!isAny) {
                limit = reachOf(walk->distance);
            }
        } else if (top == stack) {
            return;
        }
        link = wkPopLink(&top, isAny ? UINT64_MAX : limit.entry);
    }
}

static void findFirst(wkRayWalk* walk)
{
    if (walk->mesh != NULL) {
        walkBoxes(walk, true, false);
    } else {
        walkBoxes(walk, false, false);
    }
}

static void findAny(wkRayWalk* walk)
{
    if (walk->mesh != NULL) {
        walkBoxes(walk, true, true);
    } else {
        walkBoxes(walk, false, true);
    }
}

static bool castAny(const wkShape* shape, const wkPose* pose, const wkRay* ray,
                    wkHitsRayFcn* otherwise)
{
    wkRayWalk walk;
    if (WK_UNLIKELY(!wkStartStraight(shape->mesh, pose, ray, &walk))) {
        return otherwise(shape, pose, ray);
    }
    walkBoxes(&walk, true, true);
    return walk.item >= 0;
}

static wkRayResult castFirst(const wkShape* shape, const wkPose* pose, const wkRay* ray,
                             wkCastRayFcn* otherwise)
{
    wkRayWalk walk;
    if (WK_UNLIKELY(!wkStartStraight(shape->mesh, pose, ray, &walk))) {
        return otherwise(shape, pose, ray);
    }
    walkBoxes(&walk, true, false);
    return wkRayResultOf(&walk, ray);
}

extern const wkRayLanes WK_KERNEL(wkRayLanes);
const wkRayLanes WK_KERNEL(wkRayLanes) = {findFirst, findAny, castFirst, castAny};
