// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Branch and bound over boxes of the space that both cores may share. Depth changes no faster than a point
// moves, and is at most the distance to any triangle of the surface, and at most that to a side of the core's
// bounds.

#include "query/solid/solid_deep.h"

#include "geom/project_triangle.h"
#include "query/tree/nearest.h"

#include <string.h>

// Boxes that are examined before the result is the safe one, and boxes that wait.
#define MAX_BOXES 1000
#define MAX_STACK 96

// Bounds of the depth of a box's points in a core: by the center, by a side, by a face.
#define BOUND_COUNT 3

// Rounding of bounds, relative to the coordinates.
#define BOUND_ROUNDING 1e-12

// One of the two bodies, as seen from the frame of A.
typedef struct core {
    const wkShape* shape;
    const wkTreeView* view; // NULL: convex
    wkFrame inA;
    wkAabb bounds; // in its own frame
    double slack;  // rounding of bounds
} core;

// Depth of a point in a core, negative outside, and the nearest point of the core's surface.
typedef struct pointDepth {
    double depth;
    wkVec3d surface; // in the frame of A
    wkVec3d normal;  // there, of a convex core
    int32_t item;    // -1: convex
} pointDepth;

typedef struct cell {
    wkVec3d center;
    wkVec3d half;
    double bound; // of the sum of depths
} cell;

// The deepest point so far.
typedef struct witness {
    double depth; // in both cores
    wkVec3d point;
    wkVec3d exit; // the nearest point of B's surface
    int32_t items[2];
} witness;

static core coreOf(const wkBodyQuestion* q, bool isA)
{
    wkFrame identity = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, {0.0, 0.0, 0.0}};
    core c = {.shape = isA ? q->a : q->b, .inA = isA ? identity : q->bInA};
    bool isTree = wkIsTreeType(c.shape->type);
    c.view = isA && !isTree ? NULL : isA ? &q->viewA : &q->viewB;
    c.bounds = isTree ? c.view->bounds : wkConvexRowOf(c.shape)->bounds(c.shape, &identity);
    double reach = wkMaxAbs(c.bounds.lower) + wkMaxAbs(c.bounds.upper);
    c.slack = BOUND_ROUNDING * (reach + wkMaxAbs(c.inA.position)) + q->slack;
    return c;
}

static pointDepth depthAt(const core* c, wkVec3d point)
{
    if (c->view == NULL) {
        wkProjection nearest = wkConvexRowOf(c->shape)->project(c->shape, point);
        return (pointDepth){-nearest.distance, nearest.point, nearest.normal, -1};
    }
    wkVec3d local = wkFrameLocal(&c->inA, point);
    wkNearest nearest = wkNearestOfTree(c->view, local, INFINITY);
    bool isInside =
        c->view->isSolid && wkTreeShapeRowOf(c->shape)->contains(c->view->source, local);
    return (pointDepth){.depth = isInside ? nearest.distance : -nearest.distance,
                        .surface = wkFramePoint(&c->inA, nearest.point),
                        .item = nearest.item};
}

// Upper bounds of the depth in a core at the vertices of a box. Each is a convex function over the box, and so
// are their sums: they are largest at vertices.
typedef struct vertexBounds {
    double values[BOUND_COUNT][8];
    double least; // of the largest values
} vertexBounds;

static wkVec3d vertexOf(const cell* box, unsigned i)
{
    wkVec3d way = wkVec(i & 1u ? box->half.x : -box->half.x, i & 2u ? box->half.y : -box->half.y,
                        i & 4u ? box->half.z : -box->half.z);
    return wkAdd(box->center, way);
}

static double largestOf(const double values[8])
{
    double largest = values[0];
    for (int i = 1; i < 8; ++i) {
        largest = wkMaxD(largest, values[i]);
    }
    return largest;
}

// Distances from the side of the core's bounds that limits the depth most.
static void boundBySide(const core* c, const wkVec3d vertices[8], double values[8])
{
    double least = INFINITY;
    for (int side = 0; side < 6; ++side) {
        double distances[8];
        for (int i = 0; i < 8; ++i) {
            wkVec3d way = side < 3 ? wkSub(c->bounds.upper, vertices[i])
                                   : wkSub(vertices[i], c->bounds.lower);
            distances[i] = side % 3 == 0 ? way.x : side % 3 == 1 ? way.y : way.z;
        }
        double largest = largestOf(distances);
        if (largest < least) {
            memcpy(values, distances, sizeof distances);
            least = largest;
        }
    }
}

// Distances from the triangle that is nearest to the center.
static void boundByItem(const core* c, const wkVec3d vertices[8], int32_t item, double values[8])
{
    wkShape triangle;
    memset(&triangle, 0, sizeof triangle);
    triangle.type = wk_shapeTriangle;
    wkViewTriangleVertices(c->view, item, triangle.triangle.points);
    for (int i = 0; i < 8; ++i) {
        values[i] = fabs(wkProjectTriangle(&triangle, vertices[i]).distance);
    }
}

static void boundCore(const core* c, const cell* box, const pointDepth* center, vertexBounds* out)
{
    double radius = wkLength(box->half);
    wkVec3d vertices[8];
    bool isHollow = c->view != NULL && !c->view->isSolid;
    for (unsigned i = 0; i < 8; ++i) {
        // only points of the surface belong to a hollow mesh
        double most = center->depth + radius;
        out->values[0][i] = isHollow ? wkMinD(most, 0.0) : most;
        vertices[i] = wkFrameLocal(&c->inA, vertexOf(box, i));
    }
    boundBySide(c, vertices, out->values[1]);
    if (c->view == NULL) {
        for (int i = 0; i < 8; ++i) {
            out->values[2][i] = wkDot(center->normal, wkSub(center->surface, vertices[i]));
        }
    } else {
        boundByItem(c, vertices, center->item, out->values[2]);
    }
    out->least = INFINITY;
    for (int k = 0; k < BOUND_COUNT; ++k) {
        for (int i = 0; i < 8; ++i) {
            out->values[k][i] += c->slack;
        }
        out->least = wkMinD(out->least, largestOf(out->values[k]));
    }
}

// Upper bound of the sum of depths of a box's points.
static double boundSum(const vertexBounds bounds[2])
{
    double least = INFINITY;
    for (int a = 0; a < BOUND_COUNT; ++a) {
        for (int b = 0; b < BOUND_COUNT; ++b) {
            double sums[8];
            for (int i = 0; i < 8; ++i) {
                sums[i] = bounds[0].values[a][i] + bounds[1].values[b][i];
            }
            least = wkMinD(least, largestOf(sums));
        }
    }
    return least;
}

// Keeps the point of both cores that a box leads to, when it is the deepest: its center, or the point of one
// core that is nearest to the center.
static void keepDeepest(const core cores[2], const cell* box, const pointDepth at[2],
                        witness* deepest)
{
    wkVec3d point = box->center;
    pointDepth own[2] = {at[0], at[1]};
    if (at[0].depth < 0.0 || at[1].depth < 0.0) {
        int nearest = at[0].depth < 0.0 ? 0 : 1;
        point = at[nearest].surface;
        own[nearest].depth = 0.0;
        own[1 - nearest] = depthAt(&cores[1 - nearest], point);
        own[nearest].surface = point;
    }
    double depth = own[0].depth + own[1].depth;
    if (own[0].depth >= 0.0 && own[1].depth >= 0.0 && depth > deepest->depth) {
        *deepest = (witness){depth, point, own[1].surface, {own[0].item, own[1].item}};
    }
}

// The box that contains all points of both cores.
static cell commonBox(const core cores[2])
{
    wkAabb box = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    for (int i = 0; i < 2; ++i) {
        const core* c = &cores[i];
        wkVec3d half = wkScale(0.5, wkSub(c->bounds.upper, c->bounds.lower));
        wkVec3d middle = wkFramePoint(&c->inA, wkMiddle(c->bounds.lower, c->bounds.upper));
        wkVec3d extent = wkMulMV(&(wkMat3d){wkAbs(c->inA.rotation.x), wkAbs(c->inA.rotation.y),
                                            wkAbs(c->inA.rotation.z)},
                                 half);
        wkVec3d slack = wkVec(c->slack, c->slack, c->slack);
        box.lower = wkMax(box.lower, wkSub(wkSub(middle, extent), slack));
        box.upper = wkMin(box.upper, wkAdd(wkAdd(middle, extent), slack));
    }
    wkVec3d half = wkMax(wkScale(0.5, wkSub(box.upper, box.lower)), wkVec(0.0, 0.0, 0.0));
    return (cell){wkMiddle(box.lower, box.upper), half, INFINITY};
}

// Halves a box across its longest side.
static void halve(const cell* box, cell halves[2])
{
    const double sides[3] = {box->half.x, box->half.y, box->half.z};
    int axis = sides[0] >= sides[1] ? 0 : 1;
    axis = sides[axis] >= sides[2] ? axis : 2;
    double half[3] = {sides[0], sides[1], sides[2]}, shift[3] = {0.0, 0.0, 0.0};
    half[axis] *= 0.5;
    shift[axis] = half[axis];
    for (int i = 0; i < 2; ++i) {
        wkVec3d way = wkVec(shift[0], shift[1], shift[2]);
        halves[i].center = wkMulAdd(box->center, i == 0 ? -1.0 : 1.0, way);
        halves[i].half = wkVec(half[0], half[1], half[2]);
        halves[i].bound = box->bound;
    }
}

// Examines a box: whether it may have points of both cores, and how deep they can be.
static bool examine(const core cores[2], cell* box, witness* deepest)
{
    pointDepth at[2];
    vertexBounds bounds[2];
    for (int i = 0; i < 2; ++i) {
        at[i] = depthAt(&cores[i], box->center);
        boundCore(&cores[i], box, &at[i], &bounds[i]);
        if (bounds[i].least < 0.0) {
            return false;
        }
    }
    keepDeepest(cores, box, at, deepest);
    box->bound = wkMinD(box->bound, boundSum(bounds));
    return true;
}

// Returns an upper bound of the depths of all points, to a fraction of what is left to `need`; infinite when
// there are too many boxes.
static double boundAll(const core cores[2], double need, double tolerance, witness* deepest)
{
    cell stack[MAX_STACK];
    int count = 0;
    double bound = 0.0;
    stack[count++] = commonBox(cores);
    for (int visited = 0; count > 0 && deepest->depth < need; ++visited) {
        cell box = stack[--count];
        if (visited == MAX_BOXES || count + 2 > MAX_STACK) {
            return INFINITY;
        }
        if (!examine(cores, &box, deepest)) {
            continue;
        }
        if (box.bound > deepest->depth + tolerance * (need - deepest->depth)) {
            halve(&box, stack + count);
            count += 2;
        } else {
            bound = wkMaxD(bound, box.bound);
        }
    }
    return wkMaxD(bound, deepest->depth);
}

// Bounds the depths as closely as the number of boxes allows.
static double boundClosely(const core cores[2], double need, witness* deepest)
{
    static const double tolerances[3] = {0.9, 0.5, 0.1};
    double bound = INFINITY;
    for (int i = 0; i < 3 && deepest->depth < need; ++i) {
        double closer = boundAll(cores, need, tolerances[i], deepest);
        if (!(closer < INFINITY)) {
            break;
        }
        bound = wkMinD(bound, closer);
    }
    return deepest->depth < need ? bound : deepest->depth;
}

void wkProveApart(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    double radiusA = wkShapeRadius(q->a), need = -(radiusA + wkShapeRadius(q->b));
    const core cores[2] = {coreOf(q, true), coreOf(q, false)};
    wkDistanceResult found = answer->closest;
    witness deepest = {.depth = 0.0, .items = {-1, -1}};
    double bound = boundClosely(cores, need, &deepest);
    if (deepest.depth > 0.0) {
        wkVec3d way = wkNormalizeOr(wkSub(deepest.exit, deepest.point), wkNeg(found.normal));
        found.normal = wkNeg(way);
        found.pointA = wkMulSub(deepest.point, radiusA, way);
        found.partA = deepest.items[0];
        found.partB = deepest.items[1];
    }
    double scale = wkMaxAbs(found.pointA) + fabs(radiusA) + fabs(need);
    bool isDecided = deepest.depth >= need || bound < need;
    found.distance = (isDecided ? need - bound : 0.0) - WK_ROUNDING * scale;
    found.pointB = wkMulAdd(found.pointA, found.distance, found.normal);
    wkTakeAnswer(q, &found, answer);
}
