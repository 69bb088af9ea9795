// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A ray against the eight boxes of a node. Per axis, the stretch between the two planes of a box is
// a difference times the inverse of the direction. What rounding may do is taken into account in
// advance and costs nothing: the planes in front are seen from an origin that is a little ahead,
// those behind from one a little back, by walk->widening.

#include "query/surface_ray.h"
#include "simd/eight.h"

#include <string.h>

// Directions are steeper by this: over the length of any tree the difference is far below
// `widening`, and no plane gives NaN.
#define LEAST_SLOPE 1e-30f

// The two planes of a box along one axis, in the order in which the ray meets them.
typedef struct slab {
    wkEight originEnter, originLeave;
    wkEight inverse;
    const char *enter, *leave; // where they stand in the first node
} slab;

typedef struct entry {
    wkLink link;
    float enter;
} entry;

typedef struct rayStack {
    int count;
    entry entries[WK_TREE_MAX_DEPTH * (WK_TREE_WIDTH - 1) + WK_TREE_WIDTH];
} rayStack;

WK_FORCE_FN slab slabOf(const char* nodes, int axis, double origin, double direction,
                        double widening)
{
    float slope = (float)direction + copysignf(LEAST_SLOPE, (float)direction);
    double ahead = copysign(widening, direction);
    size_t lower = offsetof(wkBoxNode, lower) + (size_t)axis * sizeof(float[WK_TREE_WIDTH]);
    size_t upper = offsetof(wkBoxNode, upper) + (size_t)axis * sizeof(float[WK_TREE_WIDTH]);
    size_t enter = slope < 0.0f ? upper : lower;
    slab s = {
        wkSplat8((float)(origin + ahead)),
        wkSplat8((float)(origin - ahead)),
        wkSplat8(1.0f / slope),
        nodes + enter,
        nodes + (lower + upper - enter),
    };
    return s;
}

WK_FORCE_FN wkEight enterOf(const slab* s, size_t node)
{
    return wkMul8(wkSub8(wkLoad8((const float*)(s->enter + node)), s->originEnter), s->inverse);
}

WK_FORCE_FN wkEight leaveOf(const slab* s, size_t node)
{
    return wkMul8(wkSub8(wkLoad8((const float*)(s->leave + node)), s->originLeave), s->inverse);
}

// Boxes that the ray meets up to the limit, and where it enters them. Empty slots are too far away
// to be among them.
WK_FORCE_FN unsigned meetBoxes(const slab slabs[3], size_t node, wkEight limit, float* enters)
{
    wkEight enter = wkMax8(wkMax8(enterOf(&slabs[0], node), enterOf(&slabs[1], node)),
                           wkMax8(enterOf(&slabs[2], node), wkSplat8(0.0f)));
    wkEight leave = wkMin8(wkMin8(leaveOf(&slabs[0], node), leaveOf(&slabs[1], node)),
                           wkMin8(leaveOf(&slabs[2], node), limit));
    wkStore8(enters, enter);
    return wkNotAbove8(enter, leave);
}

// A slot and where the ray enters it in one number, which sorts like the latter: floats that are
// not negative compare like integers, and the last three bits do not matter.
typedef uint32_t slotKey;

WK_FORCE_FN slotKey keyOf(const float* enters, int slot)
{
    uint32_t bits;
    memcpy(&bits, &enters[slot], sizeof bits);
    return (bits & ~7u) | (uint32_t)slot;
}

WK_FORCE_FN void sortPair(slotKey* a, slotKey* b)
{
    slotKey low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low;
    *b = high;
}

WK_FORCE_FN void pushSlot(const wkLink* links, slotKey key, const float* enters, rayStack* stack)
{
    uint32_t slot = key & 7u;
    stack->entries[stack->count++] = (entry){links[slot], enters[slot]};
}

// The nearest of many slots; the others go on the stack as they come.
WK_APART_FN slotKey takeOfMany(const wkLink* links, unsigned mask, const float* enters,
                               slotKey nearest, rayStack* stack)
{
    for (; mask != 0; mask &= mask - 1) {
        slotKey other = keyOf(enters, __builtin_ctz(mask));
        sortPair(&nearest, &other);
        pushSlot(links, other, enters, stack);
    }
    return nearest;
}

// The nearest of the slots; the others go on the stack, so that the next nearest is on top.
WK_FORCE_FN wkLink takeNearest(const wkLink* links, unsigned mask, const float* enters,
                               rayStack* stack)
{
    int first = __builtin_ctz(mask);
    mask &= mask - 1;
    if (mask == 0) {
        return links[first];
    }
    slotKey a = keyOf(enters, first), b = keyOf(enters, __builtin_ctz(mask));
    sortPair(&a, &b);
    mask &= mask - 1;
    if (mask == 0) {
        pushSlot(links, b, enters, stack);
        return links[a & 7u];
    }
    slotKey c = keyOf(enters, __builtin_ctz(mask));
    sortPair(&b, &c);
    sortPair(&a, &b);
    mask &= mask - 1;
    if (mask != 0) {
        slotKey d = keyOf(enters, __builtin_ctz(mask));
        mask &= mask - 1;
        sortPair(&c, &d);
        sortPair(&b, &c);
        sortPair(&a, &b);
        if (mask != 0) {
            pushSlot(links, d, enters, stack);
            pushSlot(links, c, enters, stack);
            pushSlot(links, b, enters, stack);
            return links[takeOfMany(links, mask, enters, a, stack) & 7u];
        }
        pushSlot(links, d, enters, stack);
    }
    pushSlot(links, c, enters, stack);
    pushSlot(links, b, enters, stack);
    return links[a & 7u];
}

// The first of the slots; the others go on the stack as they come. To look for any hit, order is
// not worth its price, and nobody asks where they are.
WK_FORCE_FN wkLink takeFirst(const wkLink* links, unsigned mask, rayStack* stack)
{
    wkLink link = links[__builtin_ctz(mask)];
    for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
        stack->entries[stack->count++].link = links[__builtin_ctz(mask)];
    }
    return link;
}

// The next link to look at; WK_LINK_EMPTY when all is done. The limit stays as it was for those who
// look for any hit.
WK_FORCE_FN wkLink popLink(rayStack* stack, float limit, bool isAny)
{
    while (stack->count > 0) {
        const entry* top = &stack->entries[--stack->count];
        if (isAny || !(top->enter > limit)) {
            return top->link;
        }
    }
    return WK_LINK_EMPTY;
}

// The triangles of a mesh as they are.
WK_APART_FN wkStep visitTriangles(wkRayWalk* walk, wkLink link, bool isAny)
{
    const wkVec3d* vertices = wkMeshVertices(walk->mesh);
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    const int32_t* corners = wkMeshTriangles(walk->mesh) + 3 * (size_t)first;
    for (int32_t item = first; item < end; ++item, corners += 3) {
        double distance = wkMeetTriangle(&walk->ray, &vertices[corners[0]], &vertices[corners[1]],
                                         &vertices[corners[2]]);
        if (distance <= walk->distance && wkTakeHit(walk, item, distance) && isAny) {
            return wk_stepStop;
        }
    }
    return wk_stepOn;
}

WK_FORCE_FN void walkBoxes(wkRayWalk* walk, bool isMesh, bool isAny)
{
    const wkTreeRay* ray = &walk->ray;
    const char* nodes = walk->base.tree.nodes;
    const slab slabs[3] = {slabOf(nodes, 0, ray->origin.x, ray->direction.x, walk->widening),
                           slabOf(nodes, 1, ray->origin.y, ray->direction.y, walk->widening),
                           slabOf(nodes, 2, ray->origin.z, ray->direction.z, walk->widening)};
    float limit = wkRayLimit(walk->distance);
    wkEight limits = wkSplat8(limit);
    rayStack stack;
    stack.count = 0;
    wkLink link = wkTreeLink(&walk->base.tree, 0);
    while (link != WK_LINK_EMPTY) {
        if (!wkIsLeaf(link)) {
            size_t node = (size_t)link * sizeof(wkBoxNode);
            _Alignas(32) float enters[WK_TREE_WIDTH];
            unsigned mask = meetBoxes(slabs, node, limits, enters);
            const wkLink* links = (const wkLink*)(nodes + node);
            if (mask != 0) {
                link = isAny ? takeFirst(links, mask, &stack)
                             : takeNearest(links, mask, enters, &stack);
                continue;
            }
        } else {
            wkStep step =
                isMesh ? visitTriangles(walk, link, isAny) : walk->base.leaf(&walk->base, link);
            if (step == wk_stepStop) {
                return;
            }
            if (!isAny) {
                limit = wkRayLimit(walk->distance);
                limits = wkSplat8(limit);
            }
        }
        link = popLink(&stack, limit, isAny);
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

static bool seeAny(const wkShape* shape, const wkPose* pose, const wkRay* ray,
                   wkHitsRayFcn* otherwise)
{
    wkRayWalk walk;
    if (WK_UNLIKELY(!wkStartStraight(shape->mesh, pose, ray, &walk))) {
        return otherwise(shape, pose, ray);
    }
    walkBoxes(&walk, true, true);
    return walk.item >= 0;
}

static wkRayResult seeFirst(const wkShape* shape, const wkPose* pose, const wkRay* ray,
                            wkCastRayFcn* otherwise)
{
    wkRayWalk walk;
    if (WK_UNLIKELY(!wkStartStraight(shape->mesh, pose, ray, &walk))) {
        return otherwise(shape, pose, ray);
    }
    walkBoxes(&walk, true, false);
    return wkRayResultOf(&walk, ray);
}

extern const wkRayLanes WK_LANE(wkRayLanes);
const wkRayLanes WK_LANE(wkRayLanes) = {findFirst, findAny, seeFirst, seeAny};
