// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Builds the hierarchy over spheres from the top down. Every node but the last of a level is full: sets are split
// between whole subtrees, across the axis along which their centres spread furthest.

#include "base/memory.h"
#include "fit/sphere_tree/sphere_tree_impl.h"

#include <string.h>

// Steps that move the centre of a bounding sphere towards the furthest sphere; each halves the error about.
#define CENTER_STEPS 24

// Rounding of a distance between doubles, relative.
#define DISTANCE_SLACK 1e-15

typedef struct builder {
    const wkSphereF* spheres;
    int32_t* order; // indices of spheres
    wkSphereNode* nodes;
    int32_t nodeCount;
} builder;

// Spheres under each slot of a node over `count` spheres: 1 where the slots hold the spheres themselves.
static int32_t partOf(int32_t count)
{
    int32_t part = 1;
    while ((int64_t)part * WK_SPHERE_WIDTH < count) {
        part *= WK_SPHERE_WIDTH;
    }
    return part;
}

int32_t wkPlanSphereNodes(int32_t sphereCount)
{
    int32_t nodeCount = 1, part = partOf(sphereCount);
    if (part > 1) {
        int32_t rest = sphereCount % part;
        nodeCount += sphereCount / part * wkPlanSphereNodes(part);
        nodeCount += rest > 0 ? wkPlanSphereNodes(rest) : 0;
    }
    return nodeCount;
}

static float coordinate(const wkSphereF* sphere, int axis)
{
    return axis == 0 ? sphere->x : axis == 1 ? sphere->y : sphere->z;
}

// The box around the centres.
static wkAabb boundCenters(const builder* b, const int32_t* order, int32_t count)
{
    wkAabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 0; i < count; ++i) {
        wkVec3d center = wkCenterOfSphere(&b->spheres[order[i]]);
        box.lower = wkMin(box.lower, center);
        box.upper = wkMax(box.upper, center);
    }
    return box;
}

// The sphere that reaches furthest from a point, and how far.
static double findFurthest(const builder* b, const int32_t* order, int32_t count, wkVec3d from,
                           int32_t* furthest)
{
    double most = -INFINITY;
    for (int32_t i = 0; i < count; ++i) {
        const wkSphereF* sphere = &b->spheres[order[i]];
        double reach = wkLength(wkSub(wkCenterOfSphere(sphere), from)) + (double)sphere->radius;
        *furthest = reach > most ? order[i] : *furthest;
        most = wkMaxD(most, reach);
    }
    return most;
}

// A small sphere around spheres: its centre moves towards the furthest of them by ever shorter steps (Badoiu and
// Clarkson 2003), and the best one is kept.
static wkSphereF bound(const builder* b, const int32_t* order, int32_t count)
{
    wkAabb box = boundCenters(b, order, count);
    wkVec3d center = wkMiddle(box.lower, box.upper), best = center;
    double least = INFINITY;
    for (int step = 1; step <= CENTER_STEPS; ++step) {
        int32_t furthest = order[0];
        double reach = findFurthest(b, order, count, center, &furthest);
        best = reach < least ? center : best;
        least = wkMinD(least, reach);
        wkVec3d way = wkSub(wkCenterOfSphere(&b->spheres[furthest]), center);
        double length = wkLength(way);
        double share = length > 0.0 ? reach / (length * (step + 1)) : 0.0;
        center = wkMulAdd(center, wkMinD(share, 1.0), way);
    }
    wkSphereF around = wkSphereAbout(best);
    int32_t unused = 0;
    double reach = findFurthest(b, order, count, wkCenterOfSphere(&around), &unused);
    around.radius = wkRoundUp(reach * (1.0 + DISTANCE_SLACK));
    return around;
}

// Order of spheres along an axis; equal ones by their index, so that any method of sorting gives the same sets.
static bool isBefore(const builder* b, int axis, int32_t left, int32_t right)
{
    float l = coordinate(&b->spheres[left], axis), r = coordinate(&b->spheres[right], axis);
    return l < r || (l == r && left < right);
}

static void swap(int32_t* order, int32_t i, int32_t k)
{
    int32_t kept = order[i];
    order[i] = order[k];
    order[k] = kept;
}

// Puts the first `firstCount` along an axis to the front (quickselect).
static void selectFirst(const builder* b, int axis, int32_t* order, int32_t count,
                        int32_t firstCount)
{
    int32_t low = 0, high = count - 1;
    while (low < high) {
        swap(order, low + (high - low) / 2, high);
        int32_t next = low;
        for (int32_t i = low; i < high; ++i) {
            if (isBefore(b, axis, order[i], order[high])) {
                swap(order, i, next++);
            }
        }
        swap(order, next, high);
        if (next == firstCount) {
            return;
        }
        low = next < firstCount ? next + 1 : low;
        high = next < firstCount ? high : next - 1;
    }
}

static void split(const builder* b, int32_t* order, int32_t count, int32_t firstCount)
{
    wkAabb box = boundCenters(b, order, count);
    wkVec3d size = wkSub(box.upper, box.lower);
    int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    selectFirst(b, axis, order, count, firstCount);
}

// Splits a set into subsets of `part` spheres each, the last one smaller.
static void splitParts(const builder* b, int32_t* order, int32_t count, int32_t part)
{
    int32_t parts = (count + part - 1) / part;
    if (parts <= 1) {
        return;
    }
    int32_t firstCount = parts / 2 * part;
    split(b, order, count, firstCount);
    splitParts(b, order, firstCount, part);
    splitParts(b, order + firstCount, count - firstCount, part);
}

static void setSlot(wkSphereNode* node, int slot, const wkSphereF* sphere, uint32_t link)
{
    node->x[slot] = sphere->x;
    node->y[slot] = sphere->y;
    node->z[slot] = sphere->z;
    node->radius[slot] = sphere->radius;
    node->link[slot] = link;
}

static uint32_t buildNode(builder* b, int32_t* order, int32_t count)
{
    int32_t index = b->nodeCount++, part = partOf(count);
    splitParts(b, order, count, part);
    const wkSphereF nothing = {0.0f, 0.0f, 0.0f, -INFINITY};
    for (int slot = 0; slot < WK_SPHERE_WIDTH; ++slot) {
        int32_t first = slot * part, size = count - first < part ? count - first : part;
        wkSphereNode* node = &b->nodes[index];
        if (size <= 0) {
            setSlot(node, slot, &nothing, WK_SPHERE_EMPTY);
        } else if (part == 1) {
            setSlot(node, slot, &b->spheres[order[first]], WK_SPHERE_LEAF | (uint32_t)order[first]);
        } else {
            wkSphereF around = bound(b, order + first, size);
            setSlot(node, slot, &around, buildNode(b, order + first, size));
        }
    }
    return (uint32_t)index;
}

// Sets the box around spheres, and its largest coordinate.
static void boundBox(const wkSphereF* spheres, int32_t count, wkSphereSet* set)
{
    wkAabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 0; i < count; ++i) {
        double radius = (double)spheres[i].radius;
        wkVec3d around = wkVec(radius, radius, radius), center = wkCenterOfSphere(&spheres[i]);
        box.lower = wkMin(box.lower, wkSub(center, around));
        box.upper = wkMax(box.upper, wkAdd(center, around));
    }
    for (int axis = 0; axis < 3; ++axis) {
        set->lower[axis] = wkRoundDown(wkAlongAxis(&box.lower, axis));
        set->upper[axis] = wkRoundUp(wkAlongAxis(&box.upper, axis));
    }
    double reach = wkMaxD(wkMaxAbs(box.lower), wkMaxAbs(box.upper));
    set->reach = count > 0 ? wkRoundUp(reach) : 0.0f;
}

bool wkBuildSphereNodes(const wkSphereF* spheres, int32_t count, wkSphereNode* nodes,
                        wkSphereSet* set)
{
    size_t orderBytes = ((size_t)count + 1) * sizeof(int32_t);
    builder b = {.spheres = spheres, .order = wkAlloc(orderBytes), .nodes = nodes};
    if (b.order == NULL) {
        return false;
    }
    for (int32_t i = 0; i < count; ++i) {
        b.order[i] = i;
    }
    memset(nodes, 0, (size_t)wkPlanSphereNodes(count) * sizeof *nodes);
    const wkSphereF nothing = {0.0f, 0.0f, 0.0f, -INFINITY};
    set->around = count > 0 ? bound(&b, b.order, count) : nothing;
    boundBox(spheres, count, set);
    buildNode(&b, b.order, count);
    wkFree(b.order, orderBytes);
    return true;
}
