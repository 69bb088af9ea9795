// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A hierarchy of points against one of triangles or of points. Eight points of a leaf are bounded at a time against
// each item of the other leaf; pairs that may matter are evaluated by the pair table, the nearest first.

#include "query/tree/box_bounds.h"
#include "query/tree/item_pair.h"
#include "query/tree/leaf_points_kernel.h"
#include "query/tree/tree_pairs.h"

#include <string.h>

// The square of the length of an edge; squares of smaller ones, and of the inverse, are not normal numbers.
#define LEAST_SQUARE 1e-16f

// Rounding of reaches and of the limit that they are added to.
#define REACH_MARGIN (1.0f + 1e-5f)

typedef struct pointsWalk {
    wkItemSearch base;
    const wkLeafPointLanes* lanes;
    bool isPointsB;     // the points in lanes are those of B
    bool hasTriangles;  // on the other side
    double pointRadii;  // largest radii of points, of both sides
    wkPointFrame frame; // of the points in lanes relative to the other side
    wkLink loaded;      // leaf of the other side whose items are loaded
    wkPointTriangle triangles[WK_TREE_WIDTH];
    float points[WK_TREE_WIDTH][3];
} pointsWalk;

static float dotOf(const float a[3], const float b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static void crossOf(const float a[3], const float b[3], float to[3])
{
    to[0] = a[1] * b[2] - a[2] * b[1];
    to[1] = a[2] * b[0] - a[0] * b[2];
    to[2] = a[0] * b[1] - a[1] * b[0];
}

void wkMakePointTriangle(const wkVec3d vertices[3], wkPointTriangle* t)
{
    float squares[3] = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 3; ++i) {
        t->vertices[i][0] = (float)vertices[i].x;
        t->vertices[i][1] = (float)vertices[i].y;
        t->vertices[i][2] = (float)vertices[i].z;
        for (int axis = 0; axis < 3; ++axis) {
            float way = t->vertices[i][axis] - t->vertices[0][axis];
            squares[i] += way * way;
        }
    }
    t->reach = sqrtf(squares[1] > squares[2] ? squares[1] : squares[2]) * REACH_MARGIN;
    t->isPrepared = false;
}

void wkPreparePointTriangle(wkPointTriangle* t)
{
    float longest = 0.0f;
    for (int i = 0; i < 3; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            t->edges[i][axis] = t->vertices[(i + 1) % 3][axis] - t->vertices[i][axis];
        }
        float square = dotOf(t->edges[i], t->edges[i]);
        t->inverses[i] = square > 1e-37f ? 1.0f / square : 0.0f;
        longest = square > longest ? square : longest;
    }
    float normal[3];
    crossOf(t->edges[0], t->edges[1], normal);
    float length = sqrtf(dotOf(normal, normal));
    bool isInRange = longest > LEAST_SQUARE && longest < 1.0f / LEAST_SQUARE;
    t->isSliver = !isInRange || !(length > WK_SLIVER_SHARE * longest);
    t->longest = sqrtf(longest);
    t->height = isInRange ? length / t->longest : t->longest;
    for (int axis = 0; axis < 3; ++axis) {
        t->normal[axis] = t->isSliver ? 0.0f : normal[axis] / length;
    }
    for (int i = 0; i < 3; ++i) {
        crossOf(t->normal, t->edges[i], t->inward[i]);
    }
    t->isPrepared = true;
}

static void loadTriangles(pointsWalk* walk, const wkTreeView* view, wkLink link)
{
    for (int32_t i = 0; i < wkLeafCount(link); ++i) {
        wkVec3d vertices[3];
        wkViewTriangleVertices(view, wkLeafFirst(link) + i, vertices);
        wkMakePointTriangle(vertices, &walk->triangles[i]);
    }
}

// Loads the points of the side without lanes into the frame of the others.
static void loadPoints(pointsWalk* walk, const wkTreeView* view, wkLink link)
{
    const wkFrame* bInA = &walk->base.question->bInA;
    const wkPointGroup* group = &view->groups[wkLeafFirst(link) / WK_TREE_WIDTH];
    for (int32_t i = 0; i < wkLeafCount(link); ++i) {
        wkVec3d point = wkVec((double)group->x[i], (double)group->y[i], (double)group->z[i]);
        point = walk->isPointsB ? wkFrameLocal(bInA, point) : wkFramePoint(bInA, point);
        walk->points[i][0] = (float)point.x;
        walk->points[i][1] = (float)point.y;
        walk->points[i][2] = (float)point.z;
    }
}

// Largest bound of a pair that may matter.
static float pairLimit(const pointsWalk* walk)
{
    const wkItemSearch* search = &walk->base;
    double reach = wkReachOf(search->question, search->answer) + search->question->slack;
    double radii = search->radiusA + search->radiusB + walk->pointRadii;
    // floats round in the change of frames and in the bounds
    return wkRoundUp(reach + radii + 2.0 * (double)search->walk.slack);
}

static wkStep visitPair(wkItemSearch* search, int32_t indexA, int32_t indexB)
{
    const wkBodyQuestion* q = search->question;
    wkItem a, b;
    wkLoadItem(&q->viewA, q->a, indexA, &a);
    wkLoadItemOfB(q, indexB, &b);
    wkDistanceResult found;
    wkAskItemPair(q, &a, &b, wkReachOf(q, search->answer) + q->slack, &found);
    found.partA = indexA;
    found.partB = indexB;
    ++search->answer->visitCount;
    return wkTakeAnswer(q, &found, search->answer);
}

// Bounds the points in lanes against each of the others.
static void boundPoints(const pointsWalk* walk, const wkPointGroup* group, int count, float limit,
                        wkLeafBounds* bounds)
{
    bounds->any = 0;
    for (int i = 0; i < count; ++i) {
        bounds->masks[i] =
            walk->lanes->boundPoint(walk->points[i], group, limit, bounds->values[i]);
        bounds->any |= (bounds->masks[i] != 0 ? 1u : 0u) << i;
    }
}

// Takes the nearest pair of an item and a point; false: none is left.
static bool takeNearest(wkLeafBounds* b, int* item, int* point)
{
    float least = INFINITY;
    bool isFound = false;
    for (unsigned items = b->any; items != 0; items &= items - 1) {
        int i = __builtin_ctz(items);
        for (unsigned points = b->masks[i]; points != 0; points &= points - 1) {
            int k = __builtin_ctz(points);
            if (!isFound || b->values[i][k] < least) {
                least = b->values[i][k];
                *item = i;
                *point = k;
                isFound = true;
            }
        }
    }
    if (isFound) {
        b->masks[*item] &= ~(1u << *point);
        b->any &= b->masks[*item] != 0 ? ~0u : ~(1u << *item);
    }
    return isFound;
}

// Bounds all pairs of two leaves. Slots behind the last point repeat it.
static void boundLeaves(pointsWalk* walk, wkLink points, wkLink items, wkLeafBounds* bounds)
{
    const wkBodyQuestion* q = walk->base.question;
    const wkTreeView* view = walk->isPointsB ? &q->viewB : &q->viewA;
    const wkTreeView* other = walk->isPointsB ? &q->viewA : &q->viewB;
    const wkPointGroup* group = &view->groups[wkLeafFirst(points) / WK_TREE_WIDTH];
    if (items != walk->loaded) { // often the same as last time
        (walk->hasTriangles ? loadTriangles : loadPoints)(walk, other, items);
        walk->loaded = items;
    }
    if (walk->hasTriangles) {
        walk->lanes->boundTriangles(&walk->frame, group, walk->triangles, wkLeafCount(items),
                                    pairLimit(walk), bounds);
    } else {
        boundPoints(walk, group, wkLeafCount(items), pairLimit(walk), bounds);
    }
}

static wkStep visitPairs(wkPairWalk* pairs, wkLink linkA, wkLink linkB)
{
    pointsWalk* walk = (pointsWalk*)pairs;
    wkLink points = walk->isPointsB ? linkB : linkA, items = walk->isPointsB ? linkA : linkB;
    wkLeafBounds bounds;
    boundLeaves(walk, points, items, &bounds);
    if (bounds.any == 0) {
        return wk_stepOn;
    }
    for (int i, k; takeNearest(&bounds, &i, &k);) {
        if (bounds.values[i][k] > pairLimit(walk)) {
            break;
        }
        int32_t item = wkLeafFirst(items) + i, point = wkLeafFirst(points) + k;
        if (k < wkLeafCount(points) && visitPair(&walk->base, walk->isPointsB ? item : point,
                                                 walk->isPointsB ? point : item) == wk_stepStop) {
            return wk_stepStop;
        }
    }
    wkLowerLimit(&walk->base);
    return wk_stepOn;
}

bool wkCanSearchTreePoints(const wkBodyQuestion* q)
{
    bool isKnownA = q->viewA.groups != NULL || q->viewA.item == NULL;
    bool isKnownB = q->viewB.groups != NULL || q->viewB.item == NULL;
    return isKnownA && isKnownB && (q->viewA.groups != NULL || q->viewB.groups != NULL);
}

void wkSearchTreePoints(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    pointsWalk walk;
    wkBeginItemSearch(q, answer, &walk.base);
    walk.base.visit = visitPair;
    walk.base.finish = NULL;
    walk.base.walk.pairs.leaf = visitPairs;
    walk.lanes = wkLeafPointLanesOfMachine();
    walk.isPointsB = q->viewB.groups != NULL;
    walk.hasTriangles = (walk.isPointsB ? q->viewA.groups : q->viewB.groups) == NULL;
    walk.pointRadii = (q->viewA.groups != NULL ? q->viewA.pointRadius : 0.0) +
                      (q->viewB.groups != NULL ? q->viewB.pointRadius : 0.0);
    wkFrame aInB = wkInverseFrame(&q->bInA);
    wkFloatRotation frame = wkRotationFromFrame(walk.isPointsB ? &q->bInA : &aInB);
    memcpy(walk.frame.rotation, frame.rotation, sizeof walk.frame.rotation);
    memcpy(walk.frame.position, frame.position, sizeof walk.frame.position);
    walk.loaded = WK_LINK_EMPTY;
    wkRunItemSearch(&walk.base);
}
